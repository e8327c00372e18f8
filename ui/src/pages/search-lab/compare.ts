// How two ranked lists differ.

import type { SearchRequest, SettingView } from "@/api/types";
import { upTo } from "@/text/format";
import { activeFilters } from "./state";
import type { Found } from "./use-lab";

/** Places a list is compared over. */
export const DEPTH = 10;
const PERSISTENCE = 0.9;
/** Decimal places of a setting: more than anybody gives. */
const PLACES = 6;

/** How many of the first `depth` stand in both lists. */
export function overlap(a: readonly string[], b: readonly string[], depth = DEPTH): number {
  const first = new Set(a.slice(0, depth));
  return b.slice(0, depth).filter((id) => first.has(id)).length;
}

/**
 * Rank-biased overlap with persistence 0.9, extrapolated from what both lists show (Webber, Moffat and Zobel, TOIS
 * 2010, equation 32): 1 for the same list, 0 for lists without a common member. The top places count most.
 */
export function rankBiasedOverlap(a: readonly string[], b: readonly string[], p = PERSISTENCE): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const s = short.length;
  const l = long.length;
  if (l === 0) return 1;
  if (s === 0) return 0;
  const inShort = new Set<string>();
  const inLong = new Set<string>();
  const common: number[] = [0];
  let shared = 0;
  for (let depth = 1; depth <= l; depth += 1) {
    const left = short[depth - 1];
    const right = long[depth - 1];
    if (left !== undefined) inShort.add(left);
    if (right !== undefined) inLong.add(right);
    if (left !== undefined && left === right) shared += 1;
    else {
      if (left !== undefined && inLong.has(left)) shared += 1;
      if (right !== undefined && inShort.has(right)) shared += 1;
    }
    common.push(shared);
  }
  const at = (depth: number) => common[depth] ?? 0;
  let first = 0;
  for (let depth = 1; depth <= l; depth += 1) first += (at(depth) / depth) * p ** depth;
  let second = 0;
  for (let depth = s + 1; depth <= l; depth += 1)
    second += ((at(s) * (depth - s)) / (s * depth)) * p ** depth;
  return ((1 - p) / p) * (first + second) + ((at(l) - at(s)) / l + at(s) / s) * p ** l;
}

/** A setting that two requests have differently. */
export type Change = { setting: string; a: string; b: string };

/** Settings that differ, query included. */
export function changes(a: SearchRequest, b: SearchRequest): Change[] {
  const written = (request: SearchRequest): Record<string, string> => ({
    query: request.query,
    mode: request.mode,
    top_k: String(request.top_k),
    rrf_k: String(request.rrf_k),
    weights: `${upTo(request.semantic_weight, PLACES)} : ${upTo(request.keyword_weight, PLACES)}`,
    rerank: String(request.rerank),
    structured: String(request.structured),
    correct_spelling: String(request.correct_spelling),
    thesaurus: String(request.thesaurus),
    counterparts: String(request.counterparts),
    dedupe: String(request.dedupe),
    min_relevance: request.min_relevance === null ? "—" : upTo(request.min_relevance, PLACES),
    filters:
      activeFilters(request.filters)
        .map((name) => `${name}: ${request.filters[name].join(", ")}`)
        .join("; ") || "—",
  });
  const left = written(a);
  const right = written(b);
  return Object.keys(left)
    .filter((setting) => left[setting] !== right[setting])
    .map((setting) => ({ setting, a: left[setting] ?? "", b: right[setting] ?? "" }));
}

const CHARACTERS_PER_TOKEN = 4;
/** A price stands in the settings in millionths of a dollar per million tokens. */
const PARTS = 1e12;

/**
 * Dollars that one such query costs, as far as it is known: the provider's model by the price in the settings, a model of
 * this computer nothing. Nobody has told what a reranker asks for, nor the price of a model that is no longer set.
 */
export function costOf({ request, response }: Found, settings: readonly SettingView[]): number | undefined {
  const { space, embedded } = response.trace;
  const value = (name: string) => settings.find((each) => each.param.name === name)?.value;
  if (response.results.some((hit) => hit.rerank_score !== null)) return undefined;
  if (request.mode === "keyword" || space === null || space.tier !== "remote") return 0;
  const price = Number(value("price_per_million_tokens"));
  if (space.model !== value("embedding_model") || !Number.isFinite(price)) return undefined;
  return (Math.ceil([...(embedded ?? request.query)].length / CHARACTERS_PER_TOKEN) * price) / PARTS;
}

/** Whether an answer came about without asking anyone beyond this computer. */
export const wasOffline = ({ response }: Found): boolean =>
  response.trace.space?.tier !== "remote" && response.results.every((hit) => hit.rerank_score === null);

const cell = (value: string | number): string => {
  const text = String(value);
  // A cell that begins with one of these would be read as a formula by a spreadsheet.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Rows as comma-separated values. */
export const commaSeparated = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => row.map(cell).join(",")).join("\r\n");
