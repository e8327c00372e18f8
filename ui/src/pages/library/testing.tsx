// What the tests of the Library share.

import { beforeEach } from "vitest";
import { handlers } from "@/api/fake";
import { libraryHandlers } from "@/api/fake/library";
import { nothingGone } from "@/api/fake/library/jobs";
import type { FakeHandlers } from "@/api/transport/fake";
import type { Job, JobFile } from "@/api/types";
import { EmbedQuestion } from "@/app/EmbedQuestion";
import { ErrorDialog } from "@/app/ErrorDialog";
import { href } from "@/state/router";
import { connect, Events, sent } from "@/test/page";
import { show } from "@/test/render";
import { askToAdd } from "./adding";
import LibraryPage from "./index";
import Over from "./Over";

export function open(changed: FakeHandlers = {}) {
  connect({ ...handlers, ...libraryHandlers(), ...changed });
  show(
    <>
      <LibraryPage />
      <Over />
      <ErrorDialog />
      <EmbedQuestion />
      <Events />
    </>,
  );
}

export const retried = () => sent("job.retry");
export const started = () => sent("ingest.start");

export const file = (ordinal: number, state: JobFile["state"]): JobFile => ({
  ordinal,
  origin: `/${ordinal}.md`,
  path: `${ordinal}.md`,
  moved_from: null,
  corpus: "docs",
  state,
  stage: "store",
  result: state === "done" ? "created" : null,
  chunks: 1,
  pages: null,
  seconds: null,
  code: null,
  error: null,
});

const changes = { created: 0, updated: 0, unchanged: 0, deleted: 0 };
export const job = (id: number, state: Job["state"], rest: Partial<Job> = {}): Job => ({
  id,
  kind: "ingest",
  state,
  interrupted: false,
  workspace: "default",
  report: {
    status: "unfinished",
    failed_in: null,
    failed_code: null,
    documents: changes,
    chunks: changes,
    failed: [],
    refused: [],
    skipped: [],
    notices: [],
    counts: {},
    gone: nothingGone(),
    embedded: {},
    seconds: 0,
  },
  error: null,
  files: 4,
  files_done: 1,
  pages: 0,
  created_at: "2025-11-19T09:58:00Z",
  updated_at: "2025-11-19T09:58:00Z",
  ...rest,
});

beforeEach(() => {
  localStorage.clear();
  askToAdd([]);
  window.location.hash = href("library");
});
