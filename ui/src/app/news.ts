// What jobs have to say when they end: a toast for what is done, the dialog for what stopped.

import { useEffect } from "react";
import { call, currentWorkspace, EngineError, subscribe } from "@/api/client";
import type { JobEvent, JobState } from "@/api/types";
import { t } from "@/text";
import { sentence } from "@/text/errors";
import { percent } from "@/text/format";
import { reportError, showTrouble } from "./error-dialog";
import { jobShare } from "./jobs";
import { href, navigate } from "./router";
import { toast } from "./toasts";

const openJob = (job: number) => navigate(href("library", [], { job: String(job) }));

function tellDone(job: JobEvent) {
  if (job.files_failed > 0)
    toast({
      kind: "warn",
      title: t("news.failed_files", { count: job.files_failed }),
      action: { label: t("news.review"), onClick: () => openJob(job.job) },
    });
  const stored = job.files_done - job.files_failed;
  if (stored > 0)
    toast({
      kind: "ok",
      title: t("news.ingested", { count: stored }),
      detail: t("news.ingested_detail", { count: job.chunks }),
    });
  else if (job.files === 0 && job.embedded > 0)
    toast({
      kind: "ok",
      title: t("news.embedded"),
      detail: t("news.embedded_detail", { count: job.embedded }),
    });
}

function tellStopped(job: JobEvent) {
  showTrouble({
    title: t(`news.stopped.${job.stage}`, { share: percent(jobShare(job)) }),
    message: `${sentence(job.error ?? t("news.unknown"))} ${t("news.safe")}`,
    code: `job ${job.job}`,
    choices: [
      {
        label: t("news.resume"),
        detail: t("news.resume_detail"),
        action: t("news.resume_action"),
        run: () =>
          void call("job.resume", { id: job.job }).catch((thrown) => reportError(EngineError.from(thrown))),
      },
      job.stage === "embed"
        ? {
            label: t("news.settings"),
            detail: t("news.settings_detail"),
            action: t("news.settings_action"),
            run: () => navigate(href("settings", ["models"])),
          }
        : {
            label: t("news.files"),
            detail: t("news.files_detail"),
            action: t("news.files_action"),
            run: () => openJob(job.job),
          },
    ],
    details: job.error ?? undefined,
    leave: t("news.leave"),
  });
}

/** Tells of jobs that end while the window is open. */
export function useJobNews(): void {
  useEffect(() => {
    const before = new Map<number, JobState>();
    return subscribe(({ job }) => {
      if (job?.workspace !== currentWorkspace() || before.get(job.job) === job.state) return;
      before.set(job.job, job.state);
      if (job.state === "done") tellDone(job);
      else if (job.state === "failed") tellStopped(job);
    });
  }, []);
}
