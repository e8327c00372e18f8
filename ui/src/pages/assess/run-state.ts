// How far the proposals of an assessment are, as the grid tells it: nothing of it is kept anywhere else.

import type { AssessmentGrid } from "@/api/types";

/** What is to be done: nothing, a first run, the rest of one that was stopped, or again what is out of date. */
export type RunState = {
  kind: "done" | "to_make" | "stopped" | "again";
  /** Proposals that are made and up to date. */
  made: number;
  /** Cells that get one. */
  total: number;
  waiting: number;
};

/** A run goes through a report from its first requirement to its last: one that has some proposals and lacks others was left. */
export function runStateOf({ rows, columns, cells, waiting }: AssessmentGrid): RunState {
  const asked = columns.map(
    ({ report_id }) =>
      rows.filter(
        ({ requirement, reports }) => requirement && (reports === null || reports.includes(report_id)),
      ).length,
  );
  const proposed = columns.map(() => 0);
  for (const { column, proposal } of cells) if (proposal) proposed[column] = (proposed[column] ?? 0) + 1;
  const total = asked.reduce((sum, each) => sum + each, 0);
  const left = columns.some((_, at) => {
    const count = proposed[at] ?? 0;
    return count > 0 && count < (asked[at] ?? 0);
  });
  const missing = total - proposed.reduce((sum, each) => sum + each, 0);
  const kind = waiting === 0 ? "done" : left ? "stopped" : missing > 0 ? "to_make" : "again";
  return { kind, made: total - waiting, total, waiting };
}
