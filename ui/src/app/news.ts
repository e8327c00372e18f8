// What jobs have to say when they end: a toast for what is done, the dialog for what stopped.

import { useEffect } from "react";
import { call, currentWorkspace, EngineError, may, subscribe } from "@/api/client";
import type { JobEvent, JobState } from "@/api/types";
import { jobShare } from "@/state/jobs";
import { href, navigate } from "@/state/router";
import { toast } from "@/state/toasts";
import { type ErrorChoice, reportError, showTrouble } from "@/state/trouble";
import { t } from "@/text";
import { cost, percent, sentence } from "@/text/format";

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

/** Causes that last until the reader changes something: to try again at once brings the same. */
const LASTING = new Set(["embedding_no_key", "embedding_refused", "embedding_unauthorised"]);

const tellFailure = (thrown: unknown) => reportError(EngineError.from(thrown));

/** What resuming costs, where that is known. */
function restOf({ spent, price, embedded, to_embed }: JobEvent): string {
  const left = Math.max(0, to_embed - embedded);
  if (typeof spent !== "number" || typeof price !== "number") return t("news.resume_detail");
  return t("news.resume_cost", { count: left, price: cost(Math.max(0, price - spent)) });
}

/** The ways out of a job that stopped, the one that helps first. */
function waysOut(job: JobEvent): ErrorChoice[] {
  const resume: ErrorChoice = {
    label: t("news.resume"),
    detail: restOf(job),
    action: t("news.resume_action"),
    run: () => void call("job.resume", { id: job.job }).catch(tellFailure),
  };
  if (job.stage !== "embed")
    return [
      resume,
      {
        label: t("news.files"),
        detail: t("news.files_detail"),
        action: t("news.files_action"),
        run: () => openJob(job.job),
      },
    ];
  const settings: ErrorChoice = {
    label: t("news.settings"),
    detail: t("news.settings_detail"),
    action: t("news.settings_action"),
    run: () => navigate(href("settings", ["models"])),
  };
  // Only what a provider embeds has a price.
  if (!may("settings.set")) return [resume];
  if (typeof job.price !== "number") return [resume, settings];
  const inside: ErrorChoice = {
    label: t("news.inside"),
    detail: t("news.inside_detail"),
    action: t("news.inside_action"),
    run: () => void call("settings.set", { values: { remote_embedding: false } }).catch(tellFailure),
  };
  return LASTING.has(job.code ?? "") ? [inside, settings, resume] : [resume, inside, settings];
}

/** What is not lost. */
const safeOf = ({ stage, embedded }: JobEvent): string =>
  stage === "embed" && embedded > 0 ? t("news.safe_embedded", { count: embedded }) : t("news.safe");

function tellStopped(job: JobEvent) {
  const [stage, all] = job.stage === "embed" ? ["embed", job.to_embed] : ["files", job.files];
  // A job that ended before it had counted what there is has no figures.
  const figures =
    all === 0
      ? undefined
      : stage === "embed"
        ? t("news.figures_embed", {
            job: String(job.job),
            done: job.embedded,
            all: job.to_embed,
            model: job.model ?? "—",
          })
        : t("news.figures", { job: String(job.job), done: job.files_done, all: job.files });
  showTrouble({
    title: t(`news.stopped.${job.stage}`, { share: percent(jobShare(job)) }),
    message: `${sentence(job.error ?? t("news.unknown"))} ${safeOf(job)}`,
    code: job.code ?? `job ${job.job}`,
    choices: waysOut(job),
    details: [figures, job.error].filter(Boolean).join("\n"),
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
