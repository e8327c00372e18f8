// All handlers: each file of this folder exports `handlers` for the commands of one page.

import type { FakeHandlers } from "../transport/fake";
import { handlers as shell } from "./shell";

const files = import.meta.glob<{ handlers?: FakeHandlers }>(["./*.ts", "!./index.ts", "!./shell.ts"], {
  eager: true,
});

/** Every command the in-memory engine answers. */
export const handlers: FakeHandlers = Object.assign(
  {},
  shell,
  ...Object.values(files).map((file) => file.handlers ?? {}),
);
