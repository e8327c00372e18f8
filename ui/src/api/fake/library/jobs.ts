// Jobs: one at work with its files, and those that are begun; folders that are watched.

import { answering } from "../../recording";
import type { FakeHandlers } from "../../transport/fake";
import type { GoneReport, Job, JobEvent, JobFile, JobId, WatchedFolder } from "../../types";
import { missing, NAMES } from "./names";

/** A folder that is watched for the reports. */
const INBOX: WatchedFolder = {
  id: 1,
  path: "/home/ada/reports/2024",
  corpus: "Reports FY2024",
  gone: "mark",
  every: 300,
  state: "watching",
  looked_at: "2025-11-19T10:02:00Z",
  job: 7,
  code: null,
  message: null,
  settled: null,
};

/** No document whose file is gone. */
export const nothingGone = (): GoneReport => ({
  deleted: { count: 0, documents: [] },
  marked: { count: 0, documents: [] },
  held: { count: 0, documents: [] },
  away: { count: 0, documents: [] },
  until: null,
});

const changes = (created: number) => ({ created, updated: 0, unchanged: 0, deleted: 0 });

const job: Job = {
  id: 7,
  kind: "ingest",
  state: "paused",
  interrupted: false,
  workspace: "default",
  report: {
    status: "unfinished",
    failed_in: null,
    failed_code: null,
    documents: changes(30),
    chunks: changes(11_170),
    failed: [
      {
        path: "meridian-foods-sustainability.pdf",
        line: null,
        page: 61,
        page_label: null,
        code: "no_text",
        message: "No text layer on 61 of 88 pages",
      },
    ],
    refused: [],
    skipped: [],
    notices: [],
    gone: nothingGone(),
    counts: {},
    embedded: { "text-embedding-3-small": 11_549 },
    seconds: 252,
  },
  error: null,
  files: 5,
  files_done: 2,
  pages: 94,
  created_at: "2025-11-19T09:58:00Z",
  updated_at: "2025-11-19T10:02:00Z",
};

const file = (
  ordinal: number,
  state: JobFile["state"],
  stage: JobFile["stage"],
  error: string | null = null,
  code: string | null = null,
): JobFile => ({
  ordinal,
  origin: `/home/ada/reports/2024/${NAMES[ordinal]}`,
  path: NAMES[ordinal] ?? "",
  moved_from: null,
  corpus: "Reports FY2024",
  state,
  stage,
  result: state === "done" ? "created" : null,
  chunks: state === "done" ? 371 : 0,
  pages: state === "done" ? 94 : null,
  seconds: state === "done" ? 38 : null,
  code,
  error,
});

/** What the job tells of itself while it is at work. */
export const runningJob: JobEvent = {
  job: job.id,
  workspace: "default",
  state: "running",
  stage: "embed",
  files: 5,
  files_done: 2,
  files_failed: 1,
  files_read: 5,
  files_cut: 4,
  pages: 5_914,
  ocr_pages: 0,
  ocr_done: 0,
  chunks_cut: 17_804,
  chunks: 11_170,
  embedded: 11_549,
  to_embed: 18_932,
  model: "openai/text-embedding-3-small",
  spent: 0.08,
  price: 0.14,
  rate: 92,
  page_rate: 71,
  seconds_left: 160,
  file: { ...file(1, "running", "chunk"), pages: 212 },
  error: null,
  code: null,
};

const files = (): JobFile[] => [
  file(0, "queued", "chunk"),
  file(1, "queued", "read"),
  file(2, "done", "store"),
  file(3, "failed", "read", "No text layer on 61 of 88 pages", "pages_without_text"),
  file(4, "queued", "read"),
];

/** Begins a job and gives its id. */
export type Begin = (kind: Job["kind"]) => JobId;

/** Jobs that are begun, paused, resumed and cancelled. */
export function jobHandlers(): { begin: Begin; handlers: FakeHandlers } {
  let jobs: Job[] = [job];
  const enter = (id: number, state: Job["state"]) => {
    jobs = jobs.map((each) => (each.id === id ? { ...each, state } : each));
  };
  const begin: Begin = (kind) => {
    const id = Math.max(0, ...jobs.map((each) => each.id)) + 1;
    jobs = [{ ...job, id, kind, state: "queued", files: 0, files_done: 0 }, ...jobs];
    return { id };
  };
  const handlers = answering({
    "job.list": () => jobs,
    "job.get": ({ id }) => jobs.find((each) => each.id === id) ?? Promise.reject(missing(`job ${id}`)),
    "job.files": ({ id, states = [], offset = 0, limit = 1_000 }) =>
      id === job.id
        ? files()
            .filter((each) => states.length === 0 || states.includes(each.state))
            .slice(offset, offset + limit)
        : [],
    "job.pause": ({ id }) => enter(id, "paused"),
    "job.cancel": ({ id }) => enter(id, "cancelled"),
    "job.resume": ({ id }) => enter(id, "running"),
    "job.retry": ({ id }) => enter(id, "running"),
  });
  return { begin, handlers };
}

/** Folders that are watched. */
export function watchHandlers(begin: Begin): FakeHandlers {
  let watched: WatchedFolder[] = [INBOX];
  return answering({
    "watch.list": () => [...watched],
    "watch.add": ({ path, corpus, gone, every }) => {
      const id = Math.max(0, ...watched.map((folder) => folder.id)) + 1;
      watched = [...watched, { ...INBOX, id, path, corpus, gone: gone ?? "mark", every: every ?? 300 }];
      return { id };
    },
    "watch.change": ({ id, paused, gone }) => {
      watched = watched.map((folder) =>
        folder.id === id
          ? {
              ...folder,
              state: paused ? "paused" : "watching",
              gone: gone ?? folder.gone,
            }
          : folder,
      );
      return {};
    },
    "watch.remove": ({ id }) => {
      watched = watched.filter((folder) => folder.id !== id);
      return {};
    },
    "watch.run": () => ({ id: begin("ingest").id }),
  });
}
