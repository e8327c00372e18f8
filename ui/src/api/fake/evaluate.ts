// Gold sets, runs and a matrix: rankings are drawn, and everything else is counted from them.

import type { FakeHandlers } from "../transport/fake";
import { handlers as gold } from "./evaluate/gold";
import { handlers as matrix } from "./evaluate/matrix";
import { handlers as runs } from "./evaluate/runs";

/** Handlers of Evaluate. */
export const handlers: FakeHandlers = { ...gold, ...runs, ...matrix };
