// Measures of retrieval in words: their names, differences between two runs, and whether chance explains them.

import type { EvalRun, MeasureInfo } from "@/api/types";
import { t, text } from "@/text";
import { decimal, milliseconds, percent } from "@/text/format";

/** Differences below this count as none: sums of shares differ in their last digits. */
const TIE = 1e-9;

/** `ndcg@10` as its name and depth. */
const parts = (measure: string): [name: string, depth: string | undefined] => {
  const [name = measure, depth] = measure.split("@");
  return [name, depth];
};

/** The name of a measure as it is written in text: `nDCG@10`, `Not-found accuracy`. */
export function measureName(measure: string): string {
  const [name, depth] = parts(measure);
  const known = text(`evaluate.measures.${name}`) ?? name;
  return depth === undefined ? known : `${known}@${depth}`;
}

/** What a measure is and where it is defined, in a sentence or two; nothing where the engine does not say. */
export function definitionOf(known: readonly MeasureInfo[] | undefined, measure: string): string | undefined {
  const found = known?.find((each) => each.name === parts(measure)[0]);
  return found && [found.summary, found.source].filter(Boolean).join(" ");
}

/**
 * Whether a measure is one of rankings, which can be asked for. The others, such as the time of a query, are measured
 * in every run and cannot be named.
 */
export const isOfRankings = (known: readonly MeasureInfo[], measure: string): boolean =>
  known.some((each) => each.name === parts(measure)[0] && each.cutoff !== "none");

/** The measure that tells how many results were judged: as deep as `measure` where a run has that, else any; nothing where it has none. */
export function judgedMeasure(measures: Readonly<Record<string, number>>, measure = ""): string | undefined {
  const alike = `judged@${parts(measure)[1] ?? ""}`;
  return alike in measures ? alike : Object.keys(measures).find((each) => each.startsWith("judged@"));
}

/** How many results of a run were judged, in words: an unjudged one counts as wrong in every other measure. */
export function judgedWords(
  { measures, unjudged }: Pick<EvalRun, "measures" | "unjudged">,
  measure: string,
): string {
  const judged = judgedMeasure(measures, measure);
  const share = judged === undefined ? undefined : measures[judged];
  if (judged === undefined || share === undefined) return t("evaluate.context.unjudged", { count: unjudged });
  return t("evaluate.judged", { share: percent(share), depth: parts(judged)[1] ?? "" });
}

/** Milliseconds, rather than a share of 1. */
export const isTime = (measure: string): boolean => measure.startsWith("latency");

/** A count, rather than a share of 1. */
export const isCount = (measure: string): boolean => measure.startsWith("tokens");

/** Whether less of it is better. */
export const lessIsBetter = (measure: string): boolean => isTime(measure) || isCount(measure);

/** A value as its measure is written; a dash where there is none. */
export function measured(measure: string, value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined) return "—";
  if (isTime(measure)) return milliseconds(value);
  return decimal(value, isCount(measure) ? 0 : digits);
}

/** The bounds of a value in words; nothing where it has none. */
export const intervalWords = (interval: readonly [number, number] | null, measure: string) =>
  interval
    ? t("evaluate.interval", { low: measured(measure, interval[0]), high: measured(measure, interval[1]) })
    : undefined;

/** A difference with its sign: `+0.054`, `−0.017`, `±0.000`. */
export function signed(value: number, digits = 3): string {
  const written = decimal(Math.abs(value), digits);
  if (Number(Math.abs(value).toFixed(digits)) === 0) return `±${written}`;
  return `${value > 0 ? "+" : "−"}${written}`;
}

/** How a query or a measure fared. */
export type Outcome = "better" | "same" | "worse";

/** Whether a difference is for the better. */
export function outcomeOf(difference: number, measure = ""): Outcome {
  if (Math.abs(difference) < TIE) return "same";
  return difference > 0 !== lessIsBetter(measure) ? "better" : "worse";
}

/** Share of comparisons without a difference that a test calls one by chance. */
export const LEVEL = 0.05;

/** A p-value as it is written: `p = 0.031`, `p < 0.001`. Never rounded across the level that decides. */
export function pWords(p: number): string {
  if (p < 0.001) return t("evaluate.p.below", { value: decimal(0.001, 3) });
  const digits = p < LEVEL === Number(p.toFixed(3)) < LEVEL ? 3 : 5;
  return t("evaluate.p.is", { value: decimal(p, digits) });
}

/** What a test says of a difference, in a sentence. */
export function verdictOf(difference: number, p: number, measure = ""): string {
  if (p >= LEVEL) return t("evaluate.verdict.none");
  return t(`evaluate.verdict.${outcomeOf(difference, measure)}`);
}
