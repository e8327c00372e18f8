// A matrix: its cells are empty until they are run, and hold then what was measured for the recorded plan.

import type { Input } from "../../client";
import { answering, everyRecorded, recorded } from "../../recording";
import type { FakeHandlers } from "../../transport/fake";
import type { CellPlace, EvalRun, Matrix, MatrixCell } from "../../types";
import type { Keep } from "./runs";

type Plan = Input<"eval.matrix">;

/** The recorded matrices: before anything of the plan was run, then of all its rows and of the first one alone. */
const [before, ...measured] = everyRecorded("eval.matrix");

/** The recorded matrix that a plan is answered from; the last of its rows stands for those that follow. */
const answerTo = (plan: Plan) => {
  const { rows, measure } = plan;
  const of = (one: boolean) =>
    measured.find(
      ({ input }) => input.measure === (measure ?? "ndcg@10") && (input.rows?.length === 1) === one,
    );
  const found = of(rows.length === 1);
  if (!found || !before) {
    // Refuses and notes the call, unless the plan is recorded as it stands.
    const output = recorded("eval.matrix", plan);
    return { input: plan, output, before: output };
  }
  return { ...found, before: before.output };
};

/** Handlers of a matrix whose cells are run; `keep` adds their runs to the list. */
export function matrixHandlers(keep: Keep): FakeHandlers {
  const runs = new Map<string, EvalRun>();
  const keyOf = (plan: Plan, { row, column }: CellPlace) =>
    JSON.stringify([plan.rows[row], plan.columns[column]?.search]);
  const matrix = (plan: Plan): Matrix => {
    const { input, output, before } = answerTo(plan);
    const rowAt = (row: number) => Math.min(row, output.rows.length - 1);
    const columnAt = (column: number) =>
      (input.columns ?? []).findIndex(
        ({ search }) => (search?.mode ?? "hybrid") === (plan.columns[column]?.search.mode ?? "hybrid"),
      );
    const cells = plan.rows.flatMap((_row, row) =>
      plan.columns.map((_column, column): MatrixCell => {
        const place = { row, column };
        const from = output.cells.find(
          (cell) => cell.place.row === rowAt(row) && cell.place.column === columnAt(column),
        ) as MatrixCell;
        const space = from.space && (plan.columns[column]?.search.space ?? from.space);
        const run = runs.get(keyOf(plan, place));
        return run
          ? { ...from, place, space, run: { ...run, measures: from.run?.measures ?? {} } }
          : { ...from, place, space, run: null, value: null, interval: null };
      }),
    );
    const known = cells.filter((cell) => cell.value !== null);
    const all = cells.length === output.cells.length && known.length === cells.length;
    const best = known.reduce<MatrixCell | undefined>(
      (most, cell) => ((cell.value ?? 0) > (most?.value ?? 0) ? cell : most),
      undefined,
    );
    return {
      ...output,
      rows: plan.rows.map((_, row) => {
        const waits = cells.some((cell) => cell.place.row === row && cell.run === null);
        return (waits ? before : output).rows[rowAt(row)] as Matrix["rows"][number];
      }),
      cells,
      best: all ? output.best : (best?.place ?? null),
      verdict: all ? output.verdict : null,
    };
  };
  return answering({
    "eval.matrix": matrix,
    "eval.matrix_run": async ({ plan, cells = [] }, { tell, wait, emit }) => {
      const open = matrix(plan).cells.filter((cell) => cell.run === null);
      const places = cells.length > 0 ? cells : open.map((cell) => cell.place);
      for (const [done, place] of places.entries()) {
        tell({ kind: "evaluating", stage: "cell", done, total: places.length });
        await wait(40);
        const name = `${plan.rows[place.row]?.name} × ${plan.columns[place.column]?.name}`;
        runs.set(keyOf(plan, place), keep(name, plan.columns[place.column]?.search));
        emit({ tags: ["evaluations"] });
      }
      return matrix(plan);
    },
  });
}
