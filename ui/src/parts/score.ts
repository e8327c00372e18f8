// Scores as they are shown: sums that add up in the shown digits, formulas, and what would change a place.

import { LEG_DEPTH } from "@/api/defaults";
import type { Contribution, Hit, Leg, ScoreRange, SearchRequest, SearchResponse } from "@/api/types";
import { decimal, upTo } from "@/text/format";

/** Numbers written with as many places as it takes for the parts to add up to the sum. */
export type WrittenSum = { parts: string[]; sum: string };

const LEAST = 5;
const MOST = 8;

/**
 * Writes `values` and their sum with the fewest decimal places, at least five, in which the written parts add up to
 * the written sum. The sum is taken in the order of the values.
 */
export function writtenSum(values: readonly number[]): WrittenSum {
  const sum = values.reduce((total, value) => total + value, 0);
  if (values.length === 0) return { parts: [], sum: decimal(sum, LEAST) };
  for (let places = LEAST; places <= MOST; places += 1) {
    const unit = (value: number) => BigInt(value.toFixed(places).replace(".", ""));
    if (values.reduce((total, value) => total + unit(value), 0n) === unit(sum))
      return { parts: values.map((value) => decimal(value, places)), sum: decimal(sum, places) };
  }
  return settled(values, sum);
}

/** Some fractions never round to what adds up: the part that rounding moved most takes the last unit. */
function settled(values: readonly number[], sum: number): WrittenSum {
  const scale = 10 ** MOST;
  const units = values.map((value) => Math.round(value * scale));
  const total = Math.round(sum * scale);
  let short = total - units.reduce((all, each) => all + each, 0);
  const step = Math.sign(short);
  const error = (index: number) => ((values[index] ?? 0) * scale - (units[index] ?? 0)) * step;
  for (; short !== 0; short -= step) {
    const index = values.map((_, at) => at).reduce((best, at) => (error(at) > error(best) ? at : best), 0);
    units[index] = (units[index] ?? 0) + step;
  }
  const written = (unit: number) => decimal(unit / scale, MOST);
  return { parts: units.map(written), sum: written(total) };
}

/** Whether a contribution comes from a list that ranks by itself. */
const ranks = (part: Contribution): boolean => part.leg === "semantic" || part.leg === "keyword";

/** Whether a list answered alone, so that its raw score is the score. */
export const isRaw = (part: Contribution): boolean =>
  part.range === null && part.raw !== null && part.raw === part.value;

/** A raw score as its list writes it. */
export const rawText = (leg: Leg, raw: number): string => decimal(raw, leg === "keyword" ? 2 : 3);

/** What a raw score is worth in a list of such a range and weight. */
const onScale = (raw: number, { least, deviation }: ScoreRange, weight: number): number =>
  weight * (deviation > 0 ? (raw - least) / deviation : 1);

/**
 * How a contribution came about: `0.4·(0.612−0.301)/0.083`, `1/(60+3)`; nothing where the raw score itself counts
 * or no rule gives it.
 */
export function formula(part: Contribution, rrfK: number): string | undefined {
  const { leg, raw, range } = part;
  if (range !== null && raw !== null) {
    const [at, least, deviation] = [raw, range.least, range.deviation].map((each) => rawText(leg, each));
    const share = range.deviation > 0 ? `(${at}−${least})/${deviation}` : "1";
    return `${upTo(part.weight, 2)}·${share}`;
  }
  const reciprocal = part.weight / (rrfK + part.rank);
  if (Math.abs(reciprocal - part.value) > 1e-12 * Math.max(1, Math.abs(part.value))) return undefined;
  return reciprocalOf(part, rrfK);
}

/** What a rank is worth, written out. */
const reciprocalOf = (part: Contribution, rrfK: number): string =>
  `${upTo(part.weight, 2)}/(${rrfK}+${part.rank})`;

/** The same for a counterpart, which gets less where so much would take it past the hit that it answers to. */
export function limit(part: Contribution, parts: readonly Contribution[], rrfK: number): string | undefined {
  const byScores = parts.some((each) => each.range !== null);
  return part.leg === "counterpart" && !byScores ? reciprocalOf(part, rrfK) : undefined;
}

/** The part of a leg, where it gave one. */
export const partOf = (hit: Hit, leg: Leg): Contribution | undefined =>
  hit.contributions.find((part) => part.leg === leg);

/** What the legs gave apart from exact references, whose weight has a scale of its own. */
export const rankedSum = (hit: Hit): number =>
  hit.contributions.reduce((sum, part) => (part.leg === "reference" ? sum : sum + part.value), 0);

/** The range of a keyword list that answers alone: one that is not cut off holds all that has one of the words. */
function rangeOf(raws: readonly number[]): ScoreRange {
  const least = raws.length < LEG_DEPTH ? 0 : (raws.at(-1) ?? 0);
  const all = raws.length < LEG_DEPTH ? [...raws, least] : raws;
  const mean = all.reduce((sum, raw) => sum + raw, 0) / all.length;
  const squares = all.reduce((sum, raw) => sum + (raw - mean) ** 2, 0);
  return { least, best: raws[0] ?? 0, deviation: Math.sqrt(squares / all.length) };
}

/** A hit of one list as the fusion will count it once the other lists are there. */
export function asFused(hit: Hit, request: SearchRequest, { keyword }: SearchResponse["trace"]): Hit {
  const byScores = request.fusion === "scores";
  const weight = byScores ? 1 - request.semantic_share : request.keyword_weight;
  const range = rangeOf(keyword.map(({ raw }) => raw));
  const contributions = hit.contributions.map((part) => {
    if (!ranks(part)) return part;
    return byScores && part.raw !== null
      ? { ...part, weight, range, value: onScale(part.raw, range, weight) }
      : { ...part, weight, value: weight / (request.rrf_k + part.rank) };
  });
  return { ...hit, contributions, score: contributions.reduce((sum, part) => sum + part.value, 0) };
}

/** Place in the fused list, before any reranking. */
export const fusedPlace = (hit: Hit): number => hit.fused_rank ?? hit.rank;

/** A better rank in one list that would lift a hit, all else equal. */
export type WhatIf = { leg: Leg; from: number; to: number; place: number };

/** The lists of both legs, as far as they are known. */
type Lists = Pick<SearchResponse["trace"], "semantic" | "keyword">;

/** What `rank` would be worth to a contribution: in fusion by scores, the raw score that stands there in its list. */
function worth(part: Contribution, rank: number, rrfK: number, lists: Lists): number | undefined {
  if (part.range === null) return part.weight / (rrfK + rank);
  const raw = lists[part.leg === "semantic" ? "semantic" : "keyword"][rank - 1]?.raw;
  return raw === undefined ? undefined : onScale(raw, part.range, part.weight);
}

/** The smallest better rank in one leg that moves `hit` up in the fused list, if there is one. */
export function whatIf(hit: Hit, results: readonly Hit[], rrfK: number, lists: Lists): WhatIf | undefined {
  const place = fusedPlace(hit);
  const ahead = results.filter((other) => fusedPlace(other) < place);
  if (ahead.length === 0) return undefined;
  const next = ahead.reduce((best, other) => (fusedPlace(other) > fusedPlace(best) ? other : best));
  const parts = hit.contributions.filter(
    (part) => ranks(part) && part.rank > 1 && formula(part, rrfK) !== undefined,
  );
  const weakest = [...parts].sort((a, b) => a.value - b.value)[0];
  if (!weakest) return undefined;
  const others = hit.score - weakest.value;
  for (let rank = weakest.rank - 1; rank >= 1; rank -= 1) {
    const value = worth(weakest, rank, rrfK, lists);
    if (value === undefined || others + value <= next.score) continue;
    const score = others + value;
    const passed = ahead.filter((other) => other.score < score).map(fusedPlace);
    return { leg: weakest.leg, from: weakest.rank, to: rank, place: Math.min(...passed) };
  }
  return undefined;
}
