// A matrix in memory: what its cells measure, and which is the best.

import type { FakeCall, FakeHandlers } from "../../transport/fake";
import type { Matrix, MatrixCell, MatrixPlan } from "../../types";
import { models } from "../settings";
import { correctedFor } from "./compare";
import { gold } from "./gold";
import { keep, listed, named, runNamed } from "./runs";
import { drawn, searchOf } from "./set";

const cells = new Map<string, number>();
const keyOf = (plan: MatrixPlan, row: number, column: number) =>
  JSON.stringify([plan.rows[row], plan.columns[column]?.search]);
/** What a cell measures: reranking and hybrid search help, and so do chunks of middling size. */
function worthOf(plan: MatrixPlan, row: number, column: number): number {
  const search = plan.columns[column]?.search;
  const size = Number(plan.rows[row]?.settings.target_tokens ?? 400);
  const lists = search?.mode === "hybrid" ? 0.7 : search?.mode === "semantic" ? 0.65 : 0.61;
  return (
    lists + (search?.rerank ? 0.02 : 0) - Math.abs(size - 460) / 6000 + drawn(keyOf(plan, row, column)) * 0.02
  );
}
/** The space that a column searches. */
function spaceOf(plan: MatrixPlan, column: number): string | null {
  const search = plan.columns[column]?.search;
  return search?.mode === "keyword" ? null : (search?.space ?? "bge-small");
}
const modelsOf = (plan: MatrixPlan) =>
  models.filter((model) => plan.columns.some((_column, at) => spaceOf(plan, at) === model.space_id));
function matrix(plan: MatrixPlan): Matrix {
  named(plan.measure ? [plan.measure] : []);
  const all = plan.rows.flatMap((_, row) =>
    plan.columns.map((_column, column): MatrixCell => {
      const id = cells.get(keyOf(plan, row, column));
      const space = spaceOf(plan, column);
      const reranked = plan.columns[column]?.search?.rerank ? gold.length : 0;
      if (id === undefined)
        return { place: { row, column }, space, reranked, run: null, value: null, interval: null };
      const run = listed(runNamed(id));
      const measure = plan.measure ?? "ndcg@10";
      const value = measure === "ndcg@10" ? worthOf(plan, row, column) : (run.measures[measure] ?? null);
      return {
        place: { row, column },
        space,
        reranked,
        run,
        value,
        interval: value === null ? null : [value - 0.06, value + 0.05],
      };
    }),
  );
  const valued = all.filter((cell) => cell.value !== null);
  const best = valued.reduce<MatrixCell | undefined>(
    (best, cell) => (best === undefined || (cell.value ?? 0) > (best.value ?? 0) ? cell : best),
    undefined,
  );
  return {
    rows: plan.rows.map((row, at) => {
      const chunks = Math.round(160_000 / Number(row.settings.target_tokens ?? 400));
      const waits = all.some((cell) => cell.place.row === at && cell.run === null);
      const texts = waits ? Math.round(chunks * 0.4) : 0;
      return {
        chunks,
        tokens: chunks * 240,
        models: modelsOf(plan).map(({ space_id, space }) => ({
          space: space_id,
          model: space.model,
          new_texts: texts,
          new_tokens: texts * 240,
          cost_usd: space.tier === "remote" ? texts * 0.000005 : null,
        })),
      };
    }),
    cells: all,
    best: best?.place ?? null,
    verdict: verdictOn(best, valued, plan.measure ?? "ndcg@10"),
    measure: plan.measure ?? "ndcg@10",
    cost_usd: null,
  };
}

/** The best cell held against the first, or against the runner-up where it is the first. */
function verdictOn(best: MatrixCell | undefined, valued: readonly MatrixCell[], measure: string) {
  const [first, ...rest] = valued;
  if (!best || !first || rest.length === 0) return null;
  const runsOf = (cell: MatrixCell) => runNamed(cell.run?.id ?? 0);
  const second = [...rest].sort((a, b) => (b.value ?? 0) - (a.value ?? 0))[0];
  const [held, against] = best === first ? [second, second] : [best, first];
  if (!held || !against) return null;
  const found = correctedFor(runsOf(first), rest.map(runsOf), measure)[rest.indexOf(held)];
  if (!found) return null;
  const { half, p_value, corrected } = found;
  const difference = (best.value ?? 0) - (against.value ?? 0);
  return {
    against: against.place,
    difference,
    interval: [difference - half, difference + half] satisfies [number, number],
    p_value,
    corrected,
    comparisons: rest.length,
    significant: corrected < 0.05,
  };
}

/** Answers of a matrix. */
export const handlers: FakeHandlers = {
  "eval.matrix": (plan: MatrixPlan): Matrix => matrix(plan),
  "eval.matrix_run": async (
    { plan, cells: wanted = [] }: { plan: MatrixPlan; cells?: { row: number; column: number }[] },
    { tell, wait, emit }: FakeCall,
  ): Promise<Matrix> => {
    const open = matrix(plan)
      .cells.filter((cell) => cell.run === null)
      .map((cell) => cell.place);
    const places = wanted.length > 0 ? wanted : open;
    for (const [done, { row, column }] of places.entries()) {
      tell({ kind: "evaluating", stage: "cell", done, total: places.length });
      await wait(40);
      const search = searchOf(plan.columns[column]?.search ?? {});
      const name = `${plan.rows[row]?.name} × ${plan.columns[column]?.name}`;
      cells.set(keyOf(plan, row, column), keep(name, worthOf(plan, row, column), { search }).id);
      emit({ tags: ["evaluations"] });
    }
    return matrix(plan);
  },
};
