// The latest word of each job, as the engine's events bring it.

import { call, currentWorkspace, subscribe } from "@/api/client";
import type { JobEvent, JobFile } from "@/api/types";
import { createStore } from "@/kit/store";

/** Files whose latest word is kept: more than any job works on at a time. */
const LIVE = 16;

/** Least milliseconds between two redraws: small files end faster than a screen is drawn, and React gives up on a burst. */
const SLOT = 50;

const jobs = createStore<ReadonlyMap<number, JobEvent>>(new Map());
/** What was told last, shown or not. */
let told = jobs.get();
let waits = false;
let files: ReadonlyMap<string, JobFile> = new Map();

const fileKey = (job: number, ordinal: number) => `${job}/${ordinal}`;

function keep(job: JobEvent) {
  if (job.workspace !== currentWorkspace()) return;
  if (job.file) {
    const key = fileKey(job.job, job.file.ordinal);
    const others = [...files].filter(([each]) => each !== key).slice(1 - LIVE);
    files = new Map([...others, [key, job.file]]);
  }
  told = new Map(told).set(job.job, job);
  if (!waits) show();
}

/** Shows what was told last: now, and again after a while if more was told by then. */
function show() {
  waits = told !== jobs.get();
  if (!waits) return;
  jobs.set(told);
  setTimeout(show, SLOT);
}

/** Forgets what was told, and asks for the jobs that are at work in the present workspace. */
export function enterJobs(): void {
  files = new Map();
  if (told.size > 0) told = new Map();
  jobs.set(told);
  void call("job.list", {}).then(
    (list) => {
      for (const job of list)
        if (!told.has(job.id) && (job.state === "running" || job.state === "queued"))
          keep({
            job: job.id,
            workspace: job.workspace,
            state: job.state,
            stage: "read",
            files: job.files,
            files_done: job.files_done,
            files_failed: job.report.failed.length,
            files_read: job.files_done,
            files_cut: job.files_done,
            pages: job.pages,
            ocr_pages: 0,
            ocr_done: 0,
            chunks_cut: 0,
            chunks: 0,
            embedded: 0,
            to_embed: 0,
            model: null,
            spent: null,
            price: null,
            rate: 0,
            page_rate: 0,
            seconds_left: null,
            file: null,
            error: job.error,
            code: job.report.failed_code,
          });
    },
    // The status bar says that the engine is silent.
    () => undefined,
  );
}

/** Listens to the jobs of the present workspace until stopped; those already at work are asked for once. */
export function followJobs(): () => void {
  const stop = subscribe((event) => {
    if (event.job) keep(event.job);
  });
  enterJobs();
  return stop;
}

/** The latest word of a file of a job at work; nothing where none came. Read it where {@link useJobs} redraws. */
export const liveFile = (job: number, ordinal: number): JobFile | undefined =>
  files.get(fileKey(job, ordinal));

/** Jobs of the present workspace that told something since it was entered, by id. */
export const useJobs = jobs.use;

/** How far the present stage of a job is, as a share of 1. */
export function jobShare(job: JobEvent): number {
  const [done, all] = job.stage === "embed" ? [job.embedded, job.to_embed] : [job.files_done, job.files];
  return all > 0 ? Math.min(1, done / all) : 0;
}
