// Everything that answers in memory: what was recorded, and what changes, a file of this folder for each page.

import { handlers as recorded } from "../recording";
import type { FakeHandlers } from "../transport/fake";
import { handlers as shell } from "./shell";

const files = import.meta.glob<{ handlers?: FakeHandlers }>(["./*.ts", "!./index.ts", "!./shell.ts"], {
  eager: true,
});

/** Every command the in-memory engine answers. */
export const handlers: FakeHandlers = Object.assign(
  {},
  recorded,
  shell,
  ...Object.values(files).map((file) => file.handlers ?? {}),
);
