// Two runs side by side: differences query by query, intervals and p-values by drawing.

import type {
  ComparedQuery,
  MeasureComparison,
  MeasuredQuery,
  RunComparison,
  SignificanceTest,
} from "../../types";
import { type Drawn, drawn, queries, ran, runOf } from "./set";

const DRAWS = 400;
/** Assignments of signs: enough that a p-value may be small after it was corrected for many comparisons. */
const FLIPS = 4000;
let drawnSigns: readonly (readonly number[])[] = [];
function signs(): typeof drawnSigns {
  if (drawnSigns.length === 0)
    drawnSigns = Array.from({ length: FLIPS }, (_, draw) =>
      queries.map((_, at) => (drawn(`r${draw} ${at}`) < 0.5 ? 1 : -1)),
    );
  return drawnSigns;
}

const mean = (list: readonly number[]) =>
  list.reduce((sum, each) => sum + each, 0) / Math.max(1, list.length);

type Pair = { before: MeasuredQuery; after: MeasuredQuery };

const pairsOf = (baseline: Drawn, candidate: Drawn): Pair[] =>
  queries.map((query) => ({ before: ran(baseline, query), after: ran(candidate, query) }));

/** The queries that both runs have a value for, the greatest change first. */
export const compared = (baseline: Drawn, candidate: Drawn, measure: string): ComparedQuery[] =>
  pairsOf(baseline, candidate)
    .flatMap(({ before, after }): ComparedQuery[] => {
      const [from, to] = [before.scores[measure], after.scores[measure]];
      if (from === undefined || to === undefined) return [];
      return [
        {
          id: before.id,
          query: before.query,
          type: before.type,
          expected: before.expected,
          baseline: from,
          candidate: to,
          difference: to - from,
          first_hit: [before.first_hit, after.first_hit],
        },
      ];
    })
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));

const less = (measure: string) => measure === "latency_ms";

function outcomes(rows: readonly ComparedQuery[], measure: string) {
  const sign = less(measure) ? -1 : 1;
  const wins = rows.filter((row) => row.difference * sign > 1e-12).length;
  const losses = rows.filter((row) => row.difference * sign < -1e-12).length;
  return { wins, losses, ties: rows.length - wins - losses };
}

function ofMeasure(
  measure: string,
  rows: readonly ComparedQuery[],
): Omit<MeasureComparison, "corrected" | "significant" | "sentence"> {
  const differences = rows.map((row) => row.difference);
  const difference = mean(differences);
  const samples = Array.from({ length: DRAWS }, (_, draw) =>
    mean(
      differences.map((_, at) => differences[Math.floor(drawn(`b${draw} ${at}`) * differences.length)] ?? 0),
    ),
  ).sort((a, b) => a - b);
  const flipped = signs().map((row) => mean(differences.map((each, at) => each * (row[at] ?? 1))));
  const extreme = flipped.filter((each) => Math.abs(each) >= Math.abs(difference) - 1e-12).length;
  return {
    measure,
    unit: less(measure) ? "milliseconds" : "share",
    lower_is_better: less(measure),
    queries: rows.length,
    baseline: mean(rows.map((row) => row.baseline)),
    candidate: mean(rows.map((row) => row.candidate)),
    difference,
    interval: [samples[Math.floor(DRAWS * 0.025)] ?? 0, samples[Math.floor(DRAWS * 0.975)] ?? 0],
    p_value: (extreme + 1) / (FLIPS + 1),
    exact: false,
    ...outcomes(rows, measure),
  };
}

/** Each p-value times how many are not smaller, never below the one before it (Holm). */
function holm(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const corrected = [...values];
  let most = 0;
  for (const [rank, { value, index }] of order.entries()) {
    most = Math.max(most, Math.min(1, value * (values.length - rank)));
    corrected[index] = most;
  }
  return corrected;
}

/** The p-values of a measure between a run and each of others, corrected for being many. */
export function correctedFor(first: Drawn, others: readonly Drawn[], measure: string) {
  const found = others.map((other) => ofMeasure(measure, compared(first, other, measure)));
  const corrected = holm(found.map((each) => each.p_value));
  return found.map(({ p_value, interval, difference }, at) => ({
    p_value,
    half: Math.max(difference - interval[0], interval[1] - difference),
    corrected: corrected[at] ?? 1,
  }));
}

/** Two runs measure by measure, corrected for those that are held against the same baseline. */
export function comparison(
  baseline: Drawn,
  candidate: Drawn,
  test: SignificanceTest,
  beside: readonly Drawn[],
): RunComparison {
  const [before, after] = [runOf(baseline), runOf(candidate)];
  const names = Object.keys(before.measures).filter((name) => name in after.measures);
  const all = names.map((name) => ofMeasure(name, compared(baseline, candidate, name)));
  const others = beside.flatMap((other) =>
    names.map((name) => ofMeasure(name, compared(baseline, other, name)).p_value),
  );
  const corrected = holm([...all.map((each) => each.p_value), ...others]);
  return {
    baseline: before,
    candidate: after,
    test,
    measures: all.map((each, index) => {
      const p = corrected[index] ?? 1;
      const count = `${each.wins} won, ${each.ties} tied, ${each.losses} lost`;
      return {
        ...each,
        corrected: p,
        significant: p < 0.05,
        sentence: `${each.measure}: ${candidate.name} against ${baseline.name}, ${count}.`,
      };
    }),
    by_type: names.flatMap((measure) => {
      const rows = compared(baseline, candidate, measure);
      return [...new Set(rows.map((row) => row.type))].map((type) => {
        const own = rows.filter((row) => row.type === type);
        return {
          type,
          measure,
          queries: own.length,
          baseline: mean(own.map((row) => row.baseline)),
          candidate: mean(own.map((row) => row.candidate)),
          interval: ofMeasure(measure, own).interval,
          ...outcomes(own, measure),
        };
      });
    }),
    beside: beside.map((each) => each.id),
    tests: names.length * (beside.length + 1),
    unpaired: [],
    notices: [],
  };
}
