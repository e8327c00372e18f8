import { describe, expect, it } from "vitest";
import type { AssessmentCell, AssessmentGrid } from "@/api/types";
import { runStateOf } from "./run-state";

/** A grid of three requirements and two reports; a letter for each cell: made, out of date, or none. */
function gridOf(...lines: string[]): AssessmentGrid {
  const cells = lines.flatMap((line, row) =>
    [...line].flatMap((sign, column) =>
      sign === "-"
        ? []
        : {
            row,
            column,
            proposal: { state: "nothing", found: 0, of: 1, page: null },
            outdated: sign === "o",
          },
    ),
  );
  return {
    rows: lines.map((_, at) => ({ id: `S2.${at}`, requirement: true, reports: null })),
    columns: [{ report_id: "a" }, { report_id: "b" }],
    cells: cells as AssessmentCell[],
    waiting: lines.join("").replaceAll("m", "").length,
  } as AssessmentGrid;
}

describe("the state of a run", () => {
  it("follows from the proposals that there are", () => {
    for (const [grid, kind, made] of [
      [gridOf("mm", "mm", "mm"), "done", 6],
      [gridOf("--", "--", "--"), "to_make", 0],
      // A report that came later has none at all.
      [gridOf("m-", "m-", "m-"), "to_make", 3],
      [gridOf("mm", "m-", "m-"), "stopped", 4],
      [gridOf("mm", "mo", "mo"), "again", 4],
    ] as const)
      expect(runStateOf(grid)).toMatchObject({ kind, made, total: 6, waiting: 6 - made });
  });
});
