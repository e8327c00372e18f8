// How far a job is in each of its stages.

import type { Job, JobEvent, JobFile, Stage } from "@/api/types";
import type { StatusKind } from "@/kit/Status";

/** A stage of a job: how far where that is known, and whether it is at it now. */
export type StageView = { stage: Stage; share: number | undefined; kind: StatusKind };

/** A job with its latest word, where it has told one. */
export type Progress = { job: Job; event: JobEvent | undefined };

const STAGES: readonly Stage[] = ["read", "chunk", "embed", "store"];

/** Whether somebody works on it or will. */
export const atWork = (job: Job): boolean =>
  !job.interrupted && (job.state === "running" || job.state === "queued");

/** Whether it can go on from where it stands. */
export const canResume = (job: Job): boolean =>
  job.interrupted || job.state === "paused" || job.state === "failed" || job.state === "cancelled";

/** Whether it can be given up. */
export const canCancel = (job: Job): boolean => atWork(job) || job.interrupted || job.state === "paused";

/** Files that failed so far. */
export const failedOf = ({ job, event }: Progress): number =>
  atWork(job) && event ? event.files_failed : job.report.failed.length;

/** Files that are through. */
export const doneOf = ({ job, event }: Progress): number =>
  Math.max(job.files_done, atWork(job) ? (event?.files_done ?? 0) : 0);

/** Files in all. */
export const filesOf = ({ job, event }: Progress): number => Math.max(job.files, event?.files ?? 0);

/** Files that are through with a stage. */
function throughOf(progress: Progress, stage: Stage): number {
  const { job, event } = progress;
  const done = doneOf(progress);
  if (!atWork(job) || !event || stage === "store") return done;
  return Math.max(done, stage === "read" ? event.files_read : event.files_cut);
}

/** Physical pages read so far. */
export const pagesOf = ({ job, event }: Progress): number =>
  Math.max(job.pages, atWork(job) ? (event?.pages ?? 0) : 0);

/** Chunks cut so far. */
export const cutOf = (progress: Progress): number =>
  Math.max(chunksOf(progress), atWork(progress.job) ? (progress.event?.chunks_cut ?? 0) : 0);

/** Chunks stored so far. */
export const chunksOf = ({ job, event }: Progress): number => {
  const { created, updated, unchanged } = job.report.chunks;
  return Math.max(created + updated + unchanged, event?.chunks ?? 0);
};

/** Vectors made, and those to make where that is known. */
export function embeddedOf({ job, event }: Progress): { done: number; all: number | undefined } {
  if (event && event.to_embed > 0) return { done: event.embedded, all: event.to_embed };
  return { done: Object.values(job.report.embedded).reduce((sum, count) => sum + count, 0), all: undefined };
}

/** The icon of a job. */
export function jobKind(job: Job): StatusKind {
  if (job.interrupted) return "warn";
  if (job.state === "running") return "run";
  if (job.state === "paused") return "pause";
  if (job.state === "failed") return "bad";
  if (job.state === "done") return job.report.failed.length + job.report.refused.length > 0 ? "warn" : "ok";
  return "off";
}

/** The stages of a job in their order; a job that only embeds has one. */
export function stagesOf(progress: Progress): StageView[] {
  const { job, event } = progress;
  const running = atWork(job) && job.state === "running";
  const files = filesOf(progress);
  const embedded = embeddedOf(progress);
  return STAGES.filter((stage) => job.kind !== "embed" || stage === "embed").map((stage) => {
    let share: number | undefined = 0;
    if (job.state === "done") share = 1;
    else if (stage === "embed")
      share = embedded.all ? Math.min(1, embedded.done / embedded.all) : embedded.done > 0 ? undefined : 0;
    else if (files > 0) share = Math.min(1, throughOf(progress, stage) / files);
    const here = event?.stage === stage;
    let kind: StatusKind = "off";
    // The stages go on beside each other: one that has begun is at work until it is through.
    const begun = share === undefined || share > 0;
    if (share === 1) kind = "ok";
    else if (running && (here || begun)) kind = "run";
    else if (job.report.failed_in === stage && job.state === "failed") kind = "bad";
    else if (begun && !atWork(job)) kind = "pause";
    return { stage, share, kind };
  });
}

/** The corpus that all files of a job go to, where it is one. */
export function corpusOf(files: readonly JobFile[]): string | undefined {
  const [first, ...others] = files;
  return others.every((file) => file.corpus === first?.corpus) ? first?.corpus : undefined;
}

/** Ways to narrow the files of a job. */
export const FILE_FILTERS = ["all", "running", "failed", "queued", "done"] as const;

/** One of {@link FILE_FILTERS}. */
export type FileFilter = (typeof FILE_FILTERS)[number];

/** Whether a file passes a filter. What was left out counts as done. */
export const passes = (file: JobFile, filter: FileFilter): boolean =>
  filter === "all" || file.state === filter || (filter === "done" && file.state === "skipped");

/** The states of the files that pass a filter; none where all do. */
export const statesOf = (filter: FileFilter): JobFile["state"][] => {
  if (filter === "all") return [];
  return filter === "done" ? ["done", "skipped"] : [filter];
};

/** How many files pass each filter: by the list where it is whole, else by what the job says of all its files. */
export function fileCounts(progress: Progress, listed: readonly JobFile[]): Record<FileFilter, number> {
  const count = (filter: FileFilter) => listed.filter((file) => passes(file, filter)).length;
  const [all, running] = [filesOf(progress), count("running")];
  if (listed.length >= all)
    return {
      all: listed.length,
      running,
      failed: count("failed"),
      queued: count("queued"),
      done: count("done"),
    };
  const [through, failed] = [doneOf(progress), failedOf(progress)];
  return { all, running, failed, queued: Math.max(0, all - through - running), done: through - failed };
}

/** A file as it is told just now, where the list of the store is older. */
export const latest = (file: JobFile, live: JobFile | undefined): JobFile =>
  live && (file.state === "queued" || file.state === "running") ? live : file;

/** The icon of a file. */
export function fileKind(file: JobFile): StatusKind {
  const kinds: Record<string, StatusKind> = { running: "run", done: "ok", failed: "bad", skipped: "warn" };
  return kinds[file.state] ?? "off";
}

/** The job to show: the wanted one, else one at work, else the newest. `jobs` has the newest first. */
export const jobToShow = (jobs: readonly Job[], wanted: string): Job | undefined =>
  jobs.find((job) => String(job.id) === wanted) ??
  jobs.find((job) => job.state === "running" && !job.interrupted) ??
  jobs.find(atWork) ??
  jobs[0];
