// What the engine takes where a call says nothing: `SearchRequest`, `LookupRequest` and the context's budget. The
// screens, the calls they write out and the in-memory engine all take it from here.

import type { Filters, SearchRequest } from "./types";

/** Numbers of the ranking in a search that names none. */
export const SEARCH_DEFAULTS: Pick<
  SearchRequest,
  "top_k" | "fusion" | "semantic_share" | "rrf_k" | "semantic_weight" | "keyword_weight"
> = {
  top_k: 10,
  fusion: "scores",
  semantic_share: 0.4,
  rrf_k: 60,
  semantic_weight: 1,
  keyword_weight: 1,
};

/** What a search is ranked by, and what the usual one decides. */
export const RANKING = [
  "mode",
  "fusion",
  "semantic_share",
  "rrf_k",
  "semantic_weight",
  "keyword_weight",
  "correct_spelling",
  "thesaurus",
  "counterparts",
  "feedback",
  "dedupe",
  "rerank",
] as const satisfies readonly (keyof SearchRequest)[];

/** Whether two requests are ranked alike. */
export const sameRanking = (a: SearchRequest, b: SearchRequest): boolean =>
  RANKING.every((name) => a[name] === b[name]);

/** What `search` is ranked by. */
export const rankingOf = (search: SearchRequest): Partial<SearchRequest> =>
  Object.fromEntries(RANKING.map((name) => [name, search[name]]));

/** Candidates that a leg hands to the fusion. */
export const LEG_DEPTH = 200;

/** Results of a `rag_lookup` that names no number. */
export const LOOKUP_TOP_K = 5;

/** Tokens of a context that names no budget. */
export const CONTEXT_BUDGET = 8000;

/** Filters that let every chunk through. */
export const NO_FILTERS: Filters = {
  source_types: [],
  corpora: [],
  reports: [],
  pillars: [],
  standards: [],
  editions: [],
  sections: [],
  industries: [],
  topics: [],
  tags: [],
  modules: [],
  chapters: [],
  content_types: [],
  paths: [],
};
