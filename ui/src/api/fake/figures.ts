// Figures: the reports of the in-memory library give none.

import type { FakeHandlers } from "../transport/fake";
import type { FigureList } from "../types";

/** Answers for Figures. */
export const handlers: FakeHandlers = {
  "figure.list": (): FigureList => ({ figures: [], total: 0 }),
};
