// All handlers: each file of this folder exports `handlers` for the commands of one page.

import type { FakeHandlers } from "../transport/fake";

const files = import.meta.glob<{ handlers?: FakeHandlers }>(["./*.ts", "!./index.ts"], { eager: true });

/** Every command the in-memory engine answers. */
export const handlers: FakeHandlers = Object.assign(
  {},
  ...Object.values(files).map((file) => file.handlers ?? {}),
);
