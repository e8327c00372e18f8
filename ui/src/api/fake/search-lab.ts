// A small library that is really searched: fixed lists by meaning and by words, fused as the engine fuses them.

import { CONTEXT_BUDGET, LEG_DEPTH, LOOKUP_TOP_K, NO_FILTERS, rankingOf, SEARCH_DEFAULTS } from "../defaults";
import type { FakeHandlers } from "../transport/fake";
import type {
  ChunkRow,
  ContextBlock,
  Hit,
  KeptSearch,
  ModelView,
  RecordedSearch,
  SearchRequest,
  SearchResponse,
  SearchRun,
  StoredChunk,
  ThesaurusEntry,
} from "../types";
import { handlers as chunkLab } from "./chunk-lab";
import { headerAndBody } from "./header";
import { answer } from "./search-lab/answer";
import { models, pieces, rows } from "./search-lab/library";

export { models };

const QUESTION = "What must a transition plan disclose about its dependencies under S2.14(a)(iv)?";
const base = (query: string, part: Partial<SearchRequest> = {}): SearchRequest => ({
  ...SEARCH_DEFAULTS,
  query,
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
  listed: LEG_DEPTH,
  ...part,
});

let usual = base("");

const kept: (KeptSearch & { id: number; at: string })[] = [
  base("transition plan assumptions", { mode: "keyword" }),
  base(QUESTION, { space: "potion" }),
  base(QUESTION, { rerank: true }),
].map((request, index) => ({
  id: 212 + index,
  at: `2025-11-1${index + 1}T14:2${index}:00Z`,
  request,
  response: answer(request),
}));

const run = (each: (typeof kept)[number]): SearchRun => ({
  id: each.id,
  at: each.at,
  request: each.request,
  results: each.response.results.length,
  config_hash: each.response.trace.config_hash,
});

const entries: ThesaurusEntry[] = [
  { id: 1, corpus_id: null, term: "dependencies", expansion: "reliance", weight: 0.5, shipped: true },
  { id: 2, corpus_id: null, term: "GHG", expansion: "greenhouse gas", weight: 0.8, shipped: true },
];

const missing = (what: string) => ({ code: "not_found", message: `${what} does not exist` });
const stored = (chunk_id: string): ChunkRow => {
  const found = rows.get(chunk_id);
  if (!found) throw missing(`chunk \`${chunk_id}\``);
  return found;
};

/** Handlers of the search lab. */
export const handlers: FakeHandlers = {
  search: async (request: Partial<SearchRequest>, { wait }): Promise<SearchResponse> => {
    await wait(request.mode === "keyword" ? 4 : 8);
    return answer(base(request.query ?? "", request));
  },
  "search.record": async (request: Partial<SearchRequest>, { wait }): Promise<RecordedSearch> => {
    await wait(request.rerank ? 250 : 12);
    const full = base(request.query ?? "", request);
    const id = Math.max(211, ...kept.map((each) => each.id)) + 1;
    const response = answer(full);
    kept.push({ id, at: new Date().toISOString(), request: full, response });
    return { run: id, response };
  },
  "search.usual": (): SearchRequest => usual,
  "search.make_usual": ({ search }: { search: SearchRequest | null }): SearchRequest => {
    usual = base("", search ? { ...rankingOf(search) } : {});
    return usual;
  },
  "search.runs": ({ limit = 50 }: { limit?: number }): SearchRun[] => kept.map(run).reverse().slice(0, limit),
  "search.run": ({ id }: { id: number }): KeptSearch => {
    const found = kept.find((each) => each.id === id);
    if (!found) throw missing(`run ${id}`);
    return { request: found.request, response: found.response };
  },
  "search.clear_runs": () => {
    kept.length = 0;
    return {};
  },
  "model.list": (): ModelView[] => [...models],
  "chunk.get": (input: { chunk_id: string }, call): StoredChunk => {
    const { chunk_id } = input;
    if (!rows.has(chunk_id)) return chunkLab["chunk.get"]?.(input, call) as StoredChunk;
    const found = stored(chunk_id);
    return {
      row: found,
      view: {
        chunk_id,
        ordinal: found.ordinal,
        parent: null,
        pieces: [{ kind: "source", range: [0, found.text.length], role: "body" }],
        range: [0, found.text.length],
        tokens: found.tokens,
        header_tokens: 0,
        overlap_tokens: 0,
        aid_tokens: 0,
        oversize: false,
        pages: found.pages,
        page_labels: null,
        metadata: found.metadata,
      },
      passage: headerAndBody(found.text).body,
      header: headerAndBody(found.text).header ?? null,
      found_by: [],
      added_phrases: [],
    };
  },
  "paragraph.get": ({ id }: { id: string }): Hit => {
    const each = pieces.find((one) => one.key === id);
    const hit =
      each && answer(base(id, { pinned: [], top_k: 100 })).results.find((one) => one.chunk_id === each.id);
    if (!hit)
      throw { code: "not_found", message: `paragraph \`${id}\` does not exist; ids look like S2.14(a)(iv)` };
    return hit;
  },
  "context.assemble": ({
    chunk_ids,
    max_tokens = CONTEXT_BUDGET,
  }: {
    chunk_ids: string[];
    max_tokens?: number;
  }): ContextBlock => {
    const block: ContextBlock = { text: "", sources: [], total_tokens: 0, left_out: [] };
    for (const chunk_id of chunk_ids) {
      const { tokens, title, pages, metadata, document_id } = stored(chunk_id);
      if (block.total_tokens + tokens > max_tokens) {
        const reason = `its ${tokens} tokens do not fit in the budget of ${max_tokens}`;
        const cause = { kind: "over_budget", tokens, budget: max_tokens } as const;
        block.left_out.push({ chunk_id, stage: "context", cause, reason });
        continue;
      }
      block.total_tokens += tokens;
      const label = String(metadata.paragraph_id ?? `${title}${pages ? ` > Page ${pages[0]}` : ""}`);
      block.sources.push({ number: block.sources.length + 1, chunk_id, document_id, label, tokens });
    }
    return block;
  },
  rag_lookup: ({ query, top_k = LOOKUP_TOP_K }: { query: string; top_k?: number }) => ({
    text: `${answer(base(query, { top_k }))
      .results.map(
        (hit, index) => `--- Result ${index + 1} (source: ${hit.source_type}) ---\n${hit.chunk_text}\n`,
      )
      .join("\n")}\n--- No more results ---`,
  }),
  "thesaurus.list": (): ThesaurusEntry[] => entries,
  "thesaurus.put": ({
    term,
    expansion,
    weight = 0.5,
  }: {
    term: string;
    expansion: string;
    weight?: number;
  }) => {
    const id = Math.max(0, ...entries.map((entry) => entry.id)) + 1;
    entries.push({ id, corpus_id: null, term, expansion, weight, shipped: false });
    return { id };
  },
  "thesaurus.delete": ({ id }: { id: number }) => {
    const at = entries.findIndex((entry) => entry.id === id);
    if (at >= 0) entries.splice(at, 1);
    return {};
  },
};
