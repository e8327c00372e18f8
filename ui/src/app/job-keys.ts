// Keys for the job at hand: the last one that is at work, rests or stopped.

import { useAction } from "@/api/queries";
import type { JobEvent } from "@/api/types";
import { useShortcut } from "@/kit/shortcuts";
import { useJobs } from "@/state/jobs";
import { href, navigate } from "@/state/router";

const AT_HAND: readonly JobEvent["state"][] = ["running", "queued", "paused", "failed"];

/** The job that keys and status bar mean; nothing where none is unfinished. */
export function useJobAtHand(): JobEvent | undefined {
  return [...useJobs().values()].findLast((job) => AT_HAND.includes(job.state));
}

/** Binds the keys of jobs. */
export function useJobKeys(): void {
  const job = useJobAtHand();
  const failed = [...useJobs().values()].findLast(
    (each) => (each.state === "done" || each.state === "running") && each.files_failed > 0,
  );
  const pause = useAction("job.pause");
  const resume = useAction("job.resume");
  const cancel = useAction("job.cancel");
  const retry = useAction("job.retry");
  const works = job?.state === "running" || job?.state === "queued";
  useShortcut("job.add", () => navigate(href("library", [], { add: "files" })));
  useShortcut("job.pause", () => job && (works ? pause : resume).mutate({ id: job.job }), job !== undefined);
  useShortcut("job.cancel", () => job && cancel.mutate({ id: job.job }), works || job?.state === "paused");
  useShortcut("job.retry", () => failed && retry.mutate({ id: failed.job }), failed !== undefined);
  useShortcut(
    "job.open",
    () => job && navigate(href("library", [], { job: String(job.job) })),
    job !== undefined,
  );
}
