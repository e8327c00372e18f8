// The latest word of each job, as the engine's events bring it.

import { useSyncExternalStore } from "react";
import { subscribe } from "@/api/client";
import type { JobEvent } from "@/api/transport";

let jobs: ReadonlyMap<number, JobEvent> = new Map();
const watchers = new Set<() => void>();

/** Listens to jobs until stopped. */
export const followJobs = () =>
  subscribe((event) => {
    if (!event.job) return;
    jobs = new Map(jobs).set(event.job.job, event.job);
    for (const watcher of watchers) watcher();
  });

/** Jobs that told something since the window opened, by id. */
export const useJobs = (): ReadonlyMap<number, JobEvent> =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => jobs,
  );

const number = (value: unknown) => (typeof value === "number" ? value : 0);

/** How far the present stage of a job is, as a share of 1. */
export function jobShare(job: JobEvent): number {
  const [done, all] =
    job.stage === "embed"
      ? [number(job.embedded), number(job.to_embed)]
      : [number(job.files_done), number(job.files)];
  return all > 0 ? Math.min(1, done / all) : 0;
}
