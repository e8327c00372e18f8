// Figures: the reports of the in-memory library give none.

import { answering } from "../recording";

/** Answers for Figures. */
export const handlers = answering({
  "figure.list": () => ({ figures: [], total: 0 }),
});
