// The latest word of each job, as the engine's events bring it.

import { useSyncExternalStore } from "react";
import { call, subscribe } from "@/api/client";
import type { JobEvent } from "@/api/types";

let jobs: ReadonlyMap<number, JobEvent> = new Map();
const watchers = new Set<() => void>();

function keep(job: JobEvent) {
  jobs = new Map(jobs).set(job.job, job);
  for (const watcher of watchers) watcher();
}

/** Listens to jobs until stopped; those already at work are asked for once. */
export function followJobs(): () => void {
  const stop = subscribe((event) => {
    if (event.job) keep(event.job);
  });
  void call("job.list", {}).then(
    (list) => {
      for (const job of list)
        if (!jobs.has(job.id) && (job.state === "running" || job.state === "queued"))
          keep({
            job: job.id,
            state: job.state,
            stage: "read",
            files: job.files,
            files_done: job.files_done,
            files_failed: job.report.failed.length,
            chunks: 0,
            embedded: 0,
            to_embed: 0,
            model: null,
            rate: 0,
            seconds_left: null,
            file: null,
            error: job.error,
          });
    },
    // The status bar says that the engine is silent.
    () => undefined,
  );
  return stop;
}

/** Jobs that told something since the window opened, by id. */
export const useJobs = (): ReadonlyMap<number, JobEvent> =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => jobs,
  );

/** How far the present stage of a job is, as a share of 1. */
export function jobShare(job: JobEvent): number {
  const [done, all] = job.stage === "embed" ? [job.embedded, job.to_embed] : [job.files_done, job.files];
  return all > 0 ? Math.min(1, done / all) : 0;
}
