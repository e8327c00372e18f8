// The search that a run measures.

import { NO_FILTERS, SEARCH_DEFAULTS } from "@/api/defaults";
import type { SearchRequest } from "@/api/types";

/** The part of a search that a run is set by here. */
export type RunSettings = Pick<
  SearchRequest,
  "mode" | "fusion" | "semantic_share" | "rrf_k" | "semantic_weight" | "keyword_weight" | "rerank" | "space"
> & { corpora: string[] };

/** The search that a run is set to; query and number of results are the run’s own. */
export const searchOf = ({ corpora, ...settings }: RunSettings): SearchRequest => ({
  ...SEARCH_DEFAULTS,
  ...settings,
  query: "",
  filters: { ...NO_FILTERS, corpora },
  structured: false,
  correct_spelling: true,
  thesaurus: true,
  counterparts: true,
  feedback: true,
  dedupe: false,
  min_relevance: null,
  pinned: [],
  listed: 0,
});

/** The search of a run as one for people: a run keeps near-duplicates, which may be judged. */
export const usualOf = (search: SearchRequest): SearchRequest => ({ ...search, dedupe: true });

/** The search as the address of Search Lab has it, without query and filters. */
export const searchAddress = (search: SearchRequest): Record<string, string | undefined> => ({
  mode: search.mode,
  fusion: search.fusion,
  share: String(search.semantic_share),
  rrf: String(search.rrf_k),
  sw: String(search.semantic_weight),
  kw: String(search.keyword_weight),
  rerank: search.rerank ? "1" : "0",
  spelling: search.correct_spelling ? "1" : "0",
  thesaurus: search.thesaurus ? "1" : "0",
  counterparts: search.counterparts ? "1" : "0",
  feedback: search.feedback ? "1" : "0",
  space: search.space ?? undefined,
});
