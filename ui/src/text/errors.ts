// What an error code means to the reader: its words, how grave it is, and what can be done.

import { sentence } from "./format";
import { text } from "./index";

/** How an error is shown: `notice` passes by as a toast, `inline` stands where it happened, `blocking` stopped the work. */
export type Prominence = "notice" | "inline" | "blocking";

/** The one thing that mends it. Pages and shell know how to do each. */
export type Cure =
  | "retry"
  | "settings.models"
  | "settings.retrieval"
  | "settings.data"
  | "settings.logs"
  | "library"
  | "edit"
  | "none";

type Row = { prominence: Prominence; cure: Cure };

const TABLE: Record<string, Row> = {
  already_ingested: { prominence: "inline", cure: "library" },
  bad_copy: { prominence: "inline", cure: "none" },
  cancelled: { prominence: "notice", cure: "none" },
  chat_failed: { prominence: "inline", cure: "retry" },
  chat_not_set_up: { prominence: "inline", cure: "settings.models" },
  chat_unauthorised: { prominence: "inline", cure: "settings.models" },
  chat_unreachable: { prominence: "inline", cure: "retry" },
  chat_unreadable: { prominence: "inline", cure: "settings.models" },
  closed: { prominence: "blocking", cure: "none" },
  damaged: { prominence: "blocking", cure: "settings.data" },
  disk_full: { prominence: "inline", cure: "retry" },
  embedding_bad_answer: { prominence: "inline", cure: "retry" },
  embedding_model: { prominence: "inline", cure: "settings.models" },
  embedding_no_key: { prominence: "inline", cure: "settings.models" },
  embedding_provider: { prominence: "inline", cure: "retry" },
  embedding_refused: { prominence: "inline", cure: "settings.models" },
  embedding_unauthorised: { prominence: "inline", cure: "settings.models" },
  embedding_unreachable: { prominence: "inline", cure: "retry" },
  exists: { prominence: "inline", cure: "edit" },
  folder_away: { prominence: "inline", cure: "none" },
  forbidden: { prominence: "inline", cure: "none" },
  internal: { prominence: "blocking", cure: "settings.logs" },
  invalid: { prominence: "inline", cure: "edit" },
  io: { prominence: "inline", cure: "retry" },
  job_at_work: { prominence: "inline", cure: "library" },
  job_ended: { prominence: "notice", cure: "none" },
  keychain: { prominence: "inline", cure: "settings.models" },
  moved: { prominence: "blocking", cure: "settings.data" },
  newer_library: { prominence: "blocking", cure: "settings.data" },
  no_page_image: { prominence: "inline", cure: "none" },
  no_vectors: { prominence: "inline", cure: "library" },
  not_a_library: { prominence: "blocking", cure: "settings.data" },
  not_found: { prominence: "inline", cure: "none" },
  nothing_to_ingest: { prominence: "inline", cure: "edit" },
  nothing_to_retry: { prominence: "notice", cure: "none" },
  out_of_range: { prominence: "inline", cure: "edit" },
  page_not_drawn: { prominence: "inline", cure: "retry" },
  query_syntax: { prominence: "inline", cure: "edit" },
  read_only: { prominence: "inline", cure: "settings.data" },
  reader_crashed: { prominence: "inline", cure: "retry" },
  reader_not_started: { prominence: "inline", cure: "retry" },
  reader_timeout: { prominence: "inline", cure: "retry" },
  reader_too_large: { prominence: "inline", cure: "retry" },
  reader_too_much: { prominence: "inline", cure: "retry" },
  remote_off: { prominence: "inline", cure: "settings.models" },
  remote_not_allowed: { prominence: "inline", cure: "library" },
  replaced: { prominence: "blocking", cure: "settings.data" },
  rerank_bad_answer: { prominence: "inline", cure: "settings.retrieval" },
  rerank_no_key: { prominence: "inline", cure: "settings.retrieval" },
  rerank_not_set_up: { prominence: "inline", cure: "settings.retrieval" },
  rerank_provider: { prominence: "inline", cure: "retry" },
  rerank_unauthorised: { prominence: "inline", cure: "settings.retrieval" },
  setting: { prominence: "inline", cure: "edit" },
  shared_corpus: { prominence: "inline", cure: "none" },
  storage: { prominence: "blocking", cure: "settings.data" },
  transport: { prominence: "inline", cure: "retry" },
  unfit_path: { prominence: "inline", cure: "edit" },
  unknown_choice: { prominence: "inline", cure: "edit" },
  unknown_command: { prominence: "inline", cure: "none" },
  unknown_space: { prominence: "inline", cure: "settings.models" },
};

/** An error as the reader sees it. `message` is the engine's own sentence with its cure. */
export type Explained = {
  code: string;
  title: string;
  message: string;
  prominence: Prominence;
  cure: Cure;
  action?: string;
};

/** Explains `{code, message}`. A code without words keeps the engine's message. */
export function explain(error: { code: string; message: string }): Explained {
  const row = TABLE[error.code] ?? { prominence: "inline", cure: "retry" };
  return {
    code: error.code,
    title: text(`errors.${error.code}`) ?? text("errors.other") ?? error.code,
    message: sentence(error.message),
    prominence: row.prominence,
    cure: row.cure,
    action: row.cure === "none" ? undefined : text(`errors.cure.${row.cure.replace(".", "_")}`),
  };
}

/** Codes that have a row, for the test that each has its words. */
export const codes = Object.keys(TABLE);
