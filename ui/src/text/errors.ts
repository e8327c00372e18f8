// What an error code means to the reader: its words, how grave it is, and what can be done.

import { text } from "./index";

/** `notice` passes by as a toast, `inline` stands where it happened, `blocking` stopped the work. */
export type Severity = "notice" | "inline" | "blocking";

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

type Row = { severity: Severity; cure: Cure };

const TABLE: Record<string, Row> = {
  already_ingested: { severity: "inline", cure: "library" },
  cancelled: { severity: "notice", cure: "none" },
  closed: { severity: "blocking", cure: "none" },
  damaged: { severity: "blocking", cure: "settings.data" },
  embedding_bad_answer: { severity: "inline", cure: "retry" },
  embedding_model: { severity: "inline", cure: "settings.models" },
  embedding_no_key: { severity: "inline", cure: "settings.models" },
  embedding_provider: { severity: "inline", cure: "retry" },
  embedding_refused: { severity: "inline", cure: "settings.models" },
  embedding_unauthorised: { severity: "inline", cure: "settings.models" },
  embedding_unreachable: { severity: "inline", cure: "retry" },
  exists: { severity: "inline", cure: "edit" },
  forbidden: { severity: "inline", cure: "none" },
  internal: { severity: "blocking", cure: "settings.logs" },
  invalid: { severity: "inline", cure: "edit" },
  io: { severity: "inline", cure: "retry" },
  job_at_work: { severity: "inline", cure: "library" },
  job_ended: { severity: "notice", cure: "none" },
  keychain: { severity: "inline", cure: "settings.models" },
  moved: { severity: "blocking", cure: "settings.data" },
  newer_library: { severity: "blocking", cure: "settings.data" },
  no_page_image: { severity: "inline", cure: "none" },
  no_vectors: { severity: "inline", cure: "library" },
  not_a_library: { severity: "blocking", cure: "settings.data" },
  not_found: { severity: "inline", cure: "none" },
  nothing_to_retry: { severity: "notice", cure: "none" },
  out_of_range: { severity: "inline", cure: "edit" },
  page_not_drawn: { severity: "inline", cure: "retry" },
  query_syntax: { severity: "inline", cure: "edit" },
  reader_crashed: { severity: "inline", cure: "retry" },
  reader_not_started: { severity: "inline", cure: "retry" },
  reader_timeout: { severity: "inline", cure: "retry" },
  reader_too_much: { severity: "inline", cure: "retry" },
  rerank_bad_answer: { severity: "inline", cure: "settings.retrieval" },
  rerank_no_key: { severity: "inline", cure: "settings.retrieval" },
  rerank_not_set_up: { severity: "inline", cure: "settings.retrieval" },
  rerank_provider: { severity: "inline", cure: "retry" },
  rerank_unauthorised: { severity: "inline", cure: "settings.retrieval" },
  shared_corpus: { severity: "inline", cure: "none" },
  storage: { severity: "blocking", cure: "settings.data" },
  transport: { severity: "inline", cure: "retry" },
  unknown_choice: { severity: "inline", cure: "edit" },
  unknown_command: { severity: "inline", cure: "none" },
  unknown_space: { severity: "inline", cure: "settings.models" },
};

/** An error as the reader sees it. `message` is the engine's own sentence with its cure. */
export type Explained = {
  code: string;
  title: string;
  message: string;
  severity: Severity;
  cure: Cure;
  action?: string;
};

/** Explains `{code, message}`. A code without words keeps the engine's message. */
export function explain(error: { code: string; message: string }): Explained {
  const row = TABLE[error.code] ?? { severity: "inline", cure: "retry" };
  return {
    code: error.code,
    title: text(`errors.${error.code}`) ?? text("errors.other") ?? error.code,
    message: error.message,
    severity: row.severity,
    cure: row.cure,
    action: row.cure === "none" ? undefined : text(`errors.cure.${row.cure.replace(".", "_")}`),
  };
}

/** An engine's message as a sentence that another one may follow. */
export const sentence = (message: string): string =>
  /[.!?…]$/.test(message.trimEnd()) ? message.trimEnd() : `${message.trimEnd()}.`;

/** Codes that have a row, for the test that each has its words. */
export const codes = Object.keys(TABLE);
