// How two searches differ.

import type { SearchRequest, SettingView } from "@/api/types";
import { activeFilters, valuesOf } from "@/state/filters";
import { t } from "@/text";
import { upTo } from "@/text/format";
import type { Found } from "./use-lab";

/** Decimal places of a setting: more than anybody gives. */
const PLACES = 6;

const weightsOf = (request: SearchRequest) =>
  `${upTo(request.semantic_weight, PLACES)} : ${upTo(request.keyword_weight, PLACES)}`;

/** A setting that two requests have differently. */
export type Change = { setting: string; a: string; b: string };

/** Settings that differ, query included. */
export function changes(a: SearchRequest, b: SearchRequest): Change[] {
  const written = (request: SearchRequest): Record<string, string> => ({
    query: request.query,
    mode: request.mode,
    top_k: String(request.top_k),
    fusion: t(`search.fusions.${request.fusion}`),
    ...(request.fusion === "scores"
      ? { semantic_share: upTo(request.semantic_share, PLACES), rrf_k: "—", weights: "—" }
      : { semantic_share: "—", rrf_k: String(request.rrf_k), weights: weightsOf(request) }),
    rerank: String(request.rerank),
    structured: String(request.structured),
    correct_spelling: String(request.correct_spelling),
    thesaurus: String(request.thesaurus),
    counterparts: String(request.counterparts),
    feedback: String(request.feedback),
    dedupe: String(request.dedupe),
    min_relevance: request.min_relevance === null ? "—" : upTo(request.min_relevance, PLACES),
    filters:
      activeFilters(request.filters)
        .map((name) => `${name}: ${valuesOf(request.filters, name).join(", ")}`)
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
