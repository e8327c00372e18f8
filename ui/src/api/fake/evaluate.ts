// Evaluate: a gold set that is judged, runs that are added, and cells of a matrix that are run. What they measure is
// recorded.

import type { FakeHandlers } from "../transport/fake";
import { goldHandlers } from "./evaluate/gold";
import { matrixHandlers } from "./evaluate/matrix";
import { runsAtFirst } from "./evaluate/runs";

/** Fresh handlers: what is judged and run stays in them. */
export function evaluateHandlers(): FakeHandlers {
  const runs = runsAtFirst();
  return { ...goldHandlers(), ...runs.handlers, ...matrixHandlers(runs.keep) };
}

/** Handlers of Evaluate. */
export const handlers: FakeHandlers = evaluateHandlers();
