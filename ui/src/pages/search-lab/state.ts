// What the screen is set to, and how that stands in the address.

import { CONTEXT_BUDGET, LEG_DEPTH, NO_FILTERS, RANKING, SEARCH_DEFAULTS } from "@/api/defaults";
import type { Fusion, Mode, ModelView, SearchRequest } from "@/api/types";
import { asksProvider, keptLocal } from "@/parts/provider";
import { addressOf, type FilterName, filterNames, valuesOf } from "@/state/filters";
import { joined, listed } from "@/state/router";
import { fieldOf, sourceTypes, valueLabel } from "@/state/source-types";

/** How the context is ordered before it is cut to its budget. */
export type ContextOrder = "answer" | "fused";

/** Everything a person would want back. */
export type Lab = {
  /** What is searched, `query` as it was typed. */
  request: SearchRequest;
  /** Id of the kept run on screen; its answer is shown as it was. */
  run: number | undefined;
  /** Selected chunk. */
  selected: string | undefined;
  /** The other side of a comparison: `run:214` or `space:…`. */
  against: string | undefined;
  /** Tokens of the context preview. */
  budget: number;
  order: ContextOrder;
  /** Chunks taken out of the context. */
  out: readonly string[];
  /** Whether the answer is judged without its ranks, scores and lists. */
  blind: boolean;
  /** What the address says by names that mean nothing before the kinds of sources are told. */
  untold: Readonly<Record<string, string>>;
};

/** The engine's own defaults. */
export const defaultRequest = (): SearchRequest => ({
  ...SEARCH_DEFAULTS,
  query: "",
  mode: "hybrid",
  filters: NO_FILTERS,
  structured: false,
  correct_spelling: true,
  thesaurus: true,
  counterparts: true,
  feedback: true,
  dedupe: true,
  rerank: false,
  min_relevance: null,
  space: null,
  pinned: [],
  // Both lists are shown to their end.
  listed: LEG_DEPTH,
});

const MODES: readonly Mode[] = ["hybrid", "semantic", "keyword"];
const FUSIONS: readonly Fusion[] = ["scores", "rrf"];
const NUMBERS = {
  k: ["top_k", 1, 1000],
  share: ["semantic_share", 0, 1],
  rrf: ["rrf_k", 0, 1000],
  sw: ["semantic_weight", 0, 100],
  kw: ["keyword_weight", 0, 100],
} as const;
const SWITCHES = {
  structured: "structured",
  spelling: "correct_spelling",
  thesaurus: "thesaurus",
  counterparts: "counterparts",
  feedback: "feedback",
  dedupe: "dedupe",
  rerank: "rerank",
} as const;

function numberIn(text: string | null, least: number, most: number, fallback: number): number {
  const value = text === null || text === "" ? Number.NaN : Number(text);
  return value >= least && value <= most ? value : fallback;
}

/** A search as `usual` ranks it, with nothing asked and nothing left out: what stands on the screen at first. */
export const blank = (usual: SearchRequest): SearchRequest => ({ ...usual, query: "", listed: LEG_DEPTH });

/** The values that an address gives a list of restrictions. */
function valuesIn(query: URLSearchParams, name: FilterName): string[] {
  const given = listed(query.get(addressOf(name)));
  return fieldOf(name)?.closed ? given.filter((value) => valueLabel(name, value) !== undefined) : given;
}

/**
 * Reads the state from the query of the address. What it does not say, or what makes no sense, is as `usual` has it: the
 * search that the library makes where nobody says how.
 */
export function fromAddress(query: URLSearchParams, usual: SearchRequest = defaultRequest()): Lab {
  const request = { ...blank(usual), filters: { ...usual.filters } };
  request.query = query.get("q") ?? "";
  request.mode = MODES.find((mode) => mode === query.get("mode")) ?? request.mode;
  request.fusion = FUSIONS.find((fusion) => fusion === query.get("fusion")) ?? request.fusion;
  for (const [name, [field, least, most]] of Object.entries(NUMBERS))
    request[field] = numberIn(query.get(name), least, most, request[field]);
  request.top_k = Math.round(request.top_k);
  request.rrf_k = Math.round(request.rrf_k);
  for (const [name, field] of Object.entries(SWITCHES))
    if (query.has(name)) request[field] = query.get(name) === "1";
  const least = query.get("least");
  request.min_relevance = least === null ? null : numberIn(least, 0, 1, 0);
  request.space = query.get("space");
  request.pinned = listed(query.get("pin"));
  for (const name of filterNames()) Object.assign(request.filters, { [name]: valuesIn(query, name) });
  const run = Number(query.get("run"));
  const lab: Lab = {
    request,
    run: Number.isInteger(run) && run > 0 ? run : undefined,
    selected: query.get("chunk") ?? undefined,
    against: query.get("against") ?? undefined,
    budget: numberIn(query.get("budget"), 100, 1_000_000, CONTEXT_BUDGET),
    order: query.get("order") === "fused" ? "fused" : "answer",
    out: listed(query.get("out")),
    blind: query.get("blind") === "1",
    untold: {},
  };
  if (sourceTypes().length > 0) return lab;
  const names = toAddress(lab, usual);
  const untold = [...query].filter(([name]) => !Object.hasOwn(names, name));
  return { ...lab, untold: Object.fromEntries(untold) };
}

/** The state once the kinds of sources are told: what the address said by their names restricts the search. */
export function understood(lab: Lab): Lab {
  const query = new URLSearchParams(lab.untold);
  if (query.size === 0) return lab;
  // What was chosen meanwhile is newer than the address.
  const told = filterNames().filter(
    (name) => query.has(addressOf(name)) && valuesOf(lab.request.filters, name).length === 0,
  );
  const filters = {
    ...lab.request.filters,
    ...Object.fromEntries(told.map((name) => [name, valuesIn(query, name)])),
  };
  return { ...lab, untold: {}, request: { ...lab.request, filters } };
}

/** The state as values for the query of the address; what is as `usual` has it is left out. */
export function toAddress(
  lab: Lab,
  usual: SearchRequest = defaultRequest(),
): Record<string, string | undefined> {
  const { request } = lab;
  const values: Record<string, string | undefined> = {
    ...lab.untold,
    q: request.query,
    mode: request.mode === usual.mode ? undefined : request.mode,
    fusion: request.fusion === usual.fusion ? undefined : request.fusion,
    least: request.min_relevance === null ? undefined : String(request.min_relevance),
    space: request.space ?? undefined,
    pin: joined(request.pinned),
    run: lab.run?.toString(),
    chunk: lab.selected,
    against: lab.against,
    budget: lab.budget === CONTEXT_BUDGET ? undefined : String(lab.budget),
    order: lab.order === "answer" ? undefined : lab.order,
    out: joined(lab.out),
    blind: lab.blind ? "1" : undefined,
  };
  for (const [name, [field]] of Object.entries(NUMBERS))
    values[name] = request[field] === usual[field] ? undefined : String(request[field]);
  for (const [name, field] of Object.entries(SWITCHES))
    values[name] = request[field] === usual[field] ? undefined : request[field] ? "1" : "0";
  for (const name of filterNames())
    values[addressOf(name)] = joined(valuesOf(request.filters, name)) ?? lab.untold[addressOf(name)];
  return values;
}

/** `request` with what it had as usual `before`, as it is usual `now`. */
export const followingUsual = (
  request: SearchRequest,
  before: SearchRequest,
  now: SearchRequest,
): SearchRequest => ({
  ...request,
  ...Object.fromEntries(
    RANKING.filter((name) => request[name] === before[name]).map((name) => [name, now[name]]),
  ),
});

/** Whether two requests ask the same. */
export function sameRequest(a: SearchRequest, b: SearchRequest): boolean {
  const written = (request: SearchRequest) =>
    JSON.stringify(toAddress({ ...fromAddress(new URLSearchParams()), request }));
  return written(a) === written(b);
}

/** Whether a search would ask a provider beyond this computer. */
export const leavesComputer = (request: SearchRequest, models: readonly ModelView[]): boolean =>
  request.rerank || asksProvider(request, models);

/**
 * What is searched while typing: the request itself where it stays on this computer. Otherwise the best model of
 * this computer answers without reranking, or words alone where there is none: only Enter asks a provider.
 */
export const whileTyping = (request: SearchRequest, models: readonly ModelView[]): SearchRequest =>
  leavesComputer(request, models) ? keptLocal({ ...request, rerank: false }, models) : request;
