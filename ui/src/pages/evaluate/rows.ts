// The queries of a run as the table lists them: with the values of both runs, those that changed most first.

import type { ComparedQuery, GoldQuery, MeasuredQuery, RunPage } from "@/api/types";
import { counting, targetName } from "@/parts/gold";
import { outcomeOf } from "@/parts/measure";
import type { Fared } from "./state";

/** A query of the gold set in one run or two. */
export type QueryRow = {
  id: string;
  text: string;
  /** Its type, such as `paraphrase`; empty where the set knows none. */
  kind: string;
  /** Names of what is expected, the most relevant first; none where nothing should be found. */
  expected: readonly string[];
  /** Rank of the first relevant hit; nothing where none was found. */
  firstBefore: number | null;
  firstAfter: number | null;
  before: number | null;
  after: number | null;
  /** After minus before; nothing where one of them is missing. */
  change: number | null;
};

/** Values of each query over runs, by its id; nothing in a run that did not measure it. */
export type Histories = ReadonlyMap<string, readonly (number | null)[]>;

/** How `measure` went for each query over `runs`, the oldest first; one that is still being read leaves a gap. */
export function historiesOf(runs: readonly (RunPage | undefined)[], measure: string): Histories {
  const histories = new Map<string, (number | null)[]>();
  for (const [at, run] of runs.entries())
    for (const { id, scores } of run?.queries ?? []) {
      const history = histories.get(id) ?? runs.map(() => null);
      history[at] = scores[measure] ?? null;
      histories.set(id, history);
    }
  return histories;
}

/** How a query fared; nothing where there are not two values. */
export const faredOf = (row: QueryRow, measure: string) =>
  row.change === null ? undefined : outcomeOf(row.change, measure);

/** Those that changed most first, whichever way; without a change as they are. */
export const byChange = (rows: readonly QueryRow[]): QueryRow[] =>
  [...rows].sort((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0));

/** Queries by how they fared. */
export function counted(rows: readonly QueryRow[], measure: string): Record<Fared, number> {
  const counts = { all: rows.length, better: 0, same: 0, worse: 0 };
  for (const row of rows) {
    const fared = faredOf(row, measure);
    if (fared) counts[fared] += 1;
  }
  return counts;
}

/** The rows that fared so and hold every word of `find` in id, words or type. */
export function filtered(
  rows: readonly QueryRow[],
  { fared, find, measure }: { fared: Fared; find: string; measure: string },
): readonly QueryRow[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  if (fared === "all" && words.length === 0) return rows;
  return rows.filter((row) => {
    if (fared !== "all" && faredOf(row, measure) !== fared) return false;
    const hay = `${row.id} ${row.text} ${row.kind}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  });
}

/** A query of two runs. */
export const rowOfPair = (query: ComparedQuery): QueryRow => ({
  id: query.id,
  text: query.query,
  kind: query.type,
  expected: query.expected,
  firstBefore: query.first_hit[0],
  firstAfter: query.first_hit[1],
  before: query.baseline,
  after: query.candidate,
  change: query.difference,
});

/** A query of a run that is held against none. */
export const rowOfRun = (query: MeasuredQuery, measure: string): QueryRow => ({
  id: query.id,
  text: query.query,
  kind: query.type,
  expected: query.expected,
  firstBefore: null,
  firstAfter: query.first_hit,
  before: null,
  after: query.scores[measure] ?? null,
  change: null,
});

/** A query that nothing was run with. Labels count as expected from the grade `relevant` on. */
export const rowOfQuery = (query: GoldQuery, relevant: number): QueryRow => ({
  id: query.id,
  text: query.query,
  kind: query.type,
  expected: counting(query.labels)
    .filter((label) => label.grade >= relevant)
    .map((label) => targetName(label.target)),
  firstBefore: null,
  firstAfter: null,
  before: null,
  after: null,
  change: null,
});
