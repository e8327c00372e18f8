// A small library that is really searched: fixed lists by meaning and by words, fused as the engine fuses them.

import { CONTEXT_BUDGET, LOOKUP_TOP_K, SEARCH_DEFAULTS } from "../defaults";
import type { FakeHandlers } from "../transport/fake";
import type {
  ChunkRow,
  ContextBlock,
  Contribution,
  Dropped,
  Filters,
  Hit,
  KeptSearch,
  LegHit,
  ModelView,
  RecordedSearch,
  SearchRequest,
  SearchResponse,
  SearchRun,
  Space,
  StageTiming,
  StoredChunk,
  Term,
  ThesaurusEntry,
  WhyNot,
} from "../types";

type Piece = {
  id: string;
  /** Paragraph id or topic code. */
  key?: string;
  page?: number;
  title: string;
  type: string;
  corpus: string;
  pillar: string;
  sections: string[];
  text: string;
  tokens: number;
  /** Similarity in the shipped space. */
  near: number;
  /** BM25; 0 where no word matches. */
  words: number;
  terms: string[];
};

const CORPORA: Record<string, string> = {
  ifrs_s1: "IFRS S1",
  ifrs_s2: "IFRS S2",
  sasb: "SASB Standards",
  text: "Transition notes",
};

const piece = (
  id: number,
  title: string,
  keyOrPage: string | number,
  type: string,
  pillar: string,
  sections: string[],
  text: string,
  [tokens, near, words]: [number, number, number],
  terms: string[],
): Piece => ({
  id: (0xa1b2c3d4e500 + id).toString(16).padStart(16, "0"),
  ...(typeof keyOrPage === "string" ? { key: keyOrPage } : { page: keyOrPage }),
  title,
  type,
  corpus: CORPORA[type] ?? `Reports FY${title.slice(-4)}`,
  pillar,
  sections,
  text,
  tokens,
  near,
  words,
  terms,
});

const S2 = "IFRS S2 Climate-related Disclosures";
const S1 = "IFRS S1 General Requirements";
const PLAN = ["transit plan", "depend", "disclos", "plan"];

const pieces: readonly Piece[] = [
  piece(
    1,
    S2,
    "S2.14(a)(iv)",
    "ifrs_s2",
    "strategy",
    ["Strategy and decision-making"],
    "Any climate transition plan: main assumptions and what it depends on. Says which assumptions the plan was built from and which outside conditions it needs in order to hold.",
    [261, 0.712, 18.42],
    [...PLAN, "s2 14 a iv"],
  ),
  piece(
    2,
    "Northwind 2024",
    34,
    "report",
    "strategy",
    ["Strategy", "Transition plan"],
    "Our transition plan rests on three premises: grid dates, carbon price and supplier readiness. Each depends on decisions that others take; we disclose progress on all three every year.",
    [318, 0.691, 12.61],
    PLAN,
  ),
  piece(
    3,
    "Aurelia 2024",
    58,
    "report",
    "strategy",
    ["Strategy", "Decarbonisation"],
    "The plan assumes kiln electrification at two sites; it depends on permitting and on a clinker substitute we do not yet make at scale. We disclose site-level capex with each transition plan update and flag any milestone that rests on public funding.",
    [304, 0.676, 11.08],
    PLAN,
  ),
  piece(
    4,
    S2,
    "S2.14(c)",
    "ifrs_s2",
    "strategy",
    ["Strategy and decision-making"],
    "Progress on plans disclosed in earlier reporting periods, in numbers and in words.",
    [198, 0.664, 13.9],
    ["disclos", "plan"],
  ),
  piece(
    5,
    "Oil and Gas",
    "EM-EP-420a",
    "sasb",
    "strategy",
    ["Extractives", "Reserves valuation"],
    "Price and demand effects on capital spending on reserves, and how they enter the plan.",
    [240, 0.652, 4.2],
    ["plan"],
  ),
  piece(
    6,
    S1,
    "S1.33(a)",
    "ifrs_s1",
    "strategy",
    ["Strategy and decision-making"],
    "How strategy responds to sustainability-related risks and opportunities, now and as planned.",
    [212, 0.641, 11.47],
    ["plan"],
  ),
  piece(
    7,
    S2,
    "S2.22(a)",
    "ifrs_s2",
    "strategy",
    ["Climate resilience"],
    "What the resilience assessment implies for strategy and business model.",
    [230, 0.634, 0],
    [],
  ),
  piece(
    8,
    "Kestrel 2024",
    42,
    "report",
    "strategy",
    ["Strategy", "Lending"],
    "Credit policy reprices loans without a client plan; disclosures follow each quarter.",
    [244, 0.62, 6.3],
    ["disclos", "plan"],
  ),
  piece(
    9,
    S2,
    "S2.14(b)",
    "ifrs_s2",
    "strategy",
    ["Strategy and decision-making"],
    "How the activities in the plans are resourced, now and later, and what they depend on.",
    [146, 0.612, 14.37],
    ["depend", "plan"],
  ),
  piece(
    10,
    "Northwind 2023",
    29,
    "report",
    "strategy",
    ["Strategy"],
    "A first transition roadmap was approved in October; a plan with dependencies follows.",
    [276, 0.607, 11.92],
    ["depend", "plan"],
  ),
  piece(
    11,
    S2,
    "S2.13(b)",
    "ifrs_s2",
    "strategy",
    ["Business model and value chain"],
    "Where in the value chain risks concentrate: by place, facility and kind of asset the plan touches.",
    [187, 0.588, 13.02],
    ["plan"],
  ),
  piece(
    12,
    "Meridian 2024",
    77,
    "report",
    "strategy",
    ["Strategy", "Suppliers"],
    "Supplier programmes and dependencies of the plan are reviewed twice a year.",
    [251, 0.561, 10.77],
    ["depend", "plan"],
  ),
  piece(
    13,
    "Transition notes",
    "",
    "text",
    "general",
    ["Memo 3", "Checklist"],
    "Checklist for plan assumptions and dependencies before disclosure.",
    [133, 0.54, 10.21],
    ["depend", "disclos", "plan"],
  ),
  piece(
    14,
    S2,
    "S2.29(e)",
    "ifrs_s2",
    "metrics_targets",
    ["Climate-related metrics"],
    "Capital spending directed at climate risks and opportunities.",
    [120, 0.472, 0],
    [],
  ),
  piece(
    15,
    S2,
    "S2.6",
    "ifrs_s2",
    "governance",
    ["Governance"],
    "Which body oversees climate-related risks and opportunities, and how it does so.",
    [310, 0.455, 2.1],
    ["disclos"],
  ),
];

const row = (each: Piece, ordinal: number): ChunkRow => ({
  id: ordinal + 1,
  chunk_id: each.id,
  document_id: 1 + pieces.findIndex((other) => other.title === each.title),
  corpus: each.corpus,
  title: each.title,
  path: `${each.title.toLowerCase().replaceAll(" ", "-")}.md`,
  ordinal,
  parent: null,
  source_type: each.type,
  report_id: each.type === "report" ? each.title.toLowerCase().replace(" ", "-") : null,
  text: `[${each.key ? `${each.title} > ${each.sections.join(" > ")} > ${each.key}` : [each.title, ...each.sections].join(" > ")}]\n\n${each.text}`,
  metadata: {
    ...(each.key && each.type !== "sasb" && { paragraph_id: each.key }),
    ...(each.key && each.type === "sasb" && { topic_code: each.key, industry: each.title }),
    pillar: each.pillar,
    section_path: each.sections,
  },
  pages: each.page ? [each.page, each.page] : null,
  tokens: each.tokens,
  word_count: Math.round(each.tokens * 0.75),
  oversize: false,
  content_hash: each.id.repeat(4),
  ingested_at: "2025-11-12T09:14:00Z",
});
const rows = new Map(pieces.map((each, ordinal) => [each.id, row(each, ordinal)]));

const embedded: Space = {
  tier: "embedded",
  model: "bge-small-en-v1.5",
  endpoint: "",
  revision: "5c38ec7",
  dimensions: 384,
  window: "",
};
const instant: Space = {
  ...embedded,
  tier: "instant",
  model: "potion-base-8M",
  revision: "dcbec7a",
  dimensions: 256,
};

/** Models of this library, all on this computer. */
export const models: readonly ModelView[] = [
  { space_id: "bge-small", space: embedded, vectors: 38_114, served: true },
  { space_id: "potion", space: instant, vectors: 38_114, served: true },
];

const STOP = new Set(
  "what must a an about its under the of is are do does which who how and in on for to".split(" "),
);

function read(request: SearchRequest) {
  const reference = /\bS[12]\.\d+(?:\([a-z]+\))*/i.exec(request.query);
  const id = reference?.[0];
  const bare = id ? request.query.replace(id, " ") : request.query;
  const words = [...new Set(bare.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  const term = (text: string): Term => {
    const stem = text.replace(/(?:encies|ence|ures|ure|ations|ing|ed|es|s|e)$/, "");
    const fate: Term["fate"] = STOP.has(text) ? { kind: "stop_word" } : { kind: "kept" };
    return {
      text,
      stem,
      document_frequency: STOP.has(text) ? 31_000 : 40 + text.length * 113,
      fate,
      weight: 1,
    };
  };
  const terms = words.map(term);
  if (words.includes("transition") && words.includes("plan"))
    terms.push({
      text: "transition plan",
      stem: "transit plan",
      document_frequency: 212,
      fate: { kind: "phrase" },
      weight: 1,
    });
  if (id)
    terms.push({
      text: id,
      stem:
        id
          .toLowerCase()
          .match(/[a-z0-9]+/g)
          ?.join(" ") ?? id,
      document_frequency: 9,
      fate: { kind: "phrase" },
      weight: 1,
    });
  if (request.thesaurus && words.includes("dependencies"))
    terms.push({
      text: "reliance",
      stem: "relianc",
      document_frequency: 118,
      fate: { kind: "expansion", of: "dependencies" },
      weight: 0.5,
    });
  const searched = terms.filter((each) => each.fate.kind !== "stop_word");
  return {
    id,
    parsed: {
      references:
        reference && id
          ? [
              {
                detector: "ifrs",
                span: { start: reference.index, end: reference.index + id.length },
                ids: [id],
                range: false,
              },
            ]
          : [],
      terms,
      match_expression: searched.map((each) => `"${each.text}"`).join(" OR "),
    },
    searched: searched.length,
  };
}

const FIELD: Partial<Record<keyof Filters, (each: Piece) => string>> = {
  corpora: (each) => each.corpus,
  pillars: (each) => each.pillar,
  source_types: (each) => each.type,
  standards: (each) => (each.type === "ifrs_s1" ? "S1" : each.type === "ifrs_s2" ? "S2" : ""),
  reports: (each) => (each.type === "report" ? each.title.toLowerCase().replace(" ", "-") : ""),
  industries: (each) => (each.type === "sasb" ? each.title : ""),
};

const inScope = (each: Piece, filters: Filters): boolean =>
  (Object.keys(filters) as (keyof Filters)[]).every(
    (name) => filters[name].length === 0 || filters[name].includes(FIELD[name]?.(each) ?? ""),
  );

const snippet = (each: Piece) => each.text.slice(0, 160);
const legHit =
  (raw: (each: Piece) => number) =>
  (each: Piece, index: number): LegHit => ({
    chunk_id: each.id,
    rank: index + 1,
    raw: raw(each),
    label: each.key || each.title,
    snippet: snippet(each),
  });

function answer(request: SearchRequest): SearchResponse {
  if (request.query.trim() === "")
    throw { code: "invalid", message: "the query is empty; type a question or a paragraph id" };
  if (request.structured && (request.query.split('"').length - 1) % 2 === 1)
    throw { code: "query_syntax", message: "a quotation mark is open; close it" };
  const { id, parsed, searched } = read(request);
  const scope = pieces.filter((each) => inScope(each, request.filters));
  const stems = new Set(parsed.terms.map((each) => each.stem));
  const space = request.space === "potion" ? instant : embedded;
  // The smaller model sees the same library a little differently.
  const near = (each: Piece) =>
    space === instant ? Number((each.near - 0.05 + ((each.tokens * 7) % 11) / 100).toFixed(3)) : each.near;
  const semantic = request.mode === "keyword" ? [] : [...scope].sort((a, b) => near(b) - near(a));
  const keyword =
    request.mode === "semantic" || searched === 0
      ? []
      : scope.filter((each) => each.words > 0).sort((a, b) => b.words - a.words);
  const named = request.mode === "semantic" ? [] : scope.filter((each) => each.key && each.key === id);
  const alone = request.mode !== "hybrid" && named.length === 0;
  const both = request.semantic_weight + request.keyword_weight;
  const contributions = new Map<Piece, Contribution[]>();
  const give = (
    each: Piece,
    leg: Contribution["leg"],
    index: number,
    weight: number,
    raw: number | null,
    label: string,
  ) => {
    const rank = index + 1;
    const value = alone && raw !== null ? raw : weight / (request.rrf_k + rank);
    contributions.set(each, [...(contributions.get(each) ?? []), { leg, rank, weight, raw, value, label }]);
  };
  const last = request.rrf_k + 1;
  const weight = both * (1 + (last * (last + 1)) / (request.rrf_k + 1));
  for (const [index, each] of named.entries()) give(each, "reference", index, weight, null, each.key ?? "");
  for (const [index, each] of semantic.entries())
    give(each, "semantic", index, request.semantic_weight, near(each), space.model);
  for (const [index, each] of keyword.entries())
    give(each, "keyword", index, request.keyword_weight, each.words, "bm25");
  const fused = [...contributions]
    .map(([each, parts]) => ({ each, parts, score: parts.reduce((sum, part) => sum + part.value, 0) }))
    .sort((a, b) => b.score - a.score || a.each.id.localeCompare(b.each.id));
  const dropped: Dropped[] = [];
  const least = request.min_relevance;
  const kept = fused.filter(({ each, parts }) => {
    const fits = least === null || parts.some((part) => part.leg === "reference") || near(each) >= least;
    if (!fits)
      dropped.push({
        chunk_id: each.id,
        stage: "min_relevance",
        reason: `relevance ${near(each).toFixed(3)} is below the least asked for, ${least}`,
      });
    return fits;
  });
  const rerank = (each: Piece) =>
    Number(Math.min(0.99, each.near * 0.4 + each.words / 30 + (each.tokens % 7) / 25).toFixed(2));
  const ranked = kept.map((one, index) => ({ ...one, place: index + 1 }));
  if (request.rerank) ranked.sort((a, b) => rerank(b.each) - rerank(a.each));
  const results: Hit[] = ranked.slice(0, request.top_k).map(({ each, parts, score, place }, index) => {
    const stored = rows.get(each.id) as ChunkRow;
    return {
      chunk_id: each.id,
      chunk_text: stored.text,
      metadata: stored.metadata,
      source_type: each.type,
      report_id: stored.report_id,
      score,
      search_method: request.mode,
      relevance: request.rerank ? rerank(each) : request.mode === "keyword" ? null : near(each),
      rank: index + 1,
      contributions: parts,
      matched_terms: request.mode === "semantic" ? [] : each.terms.filter((stem) => stems.has(stem)),
      fused_rank: request.rerank ? place : null,
      rerank_score: request.rerank ? rerank(each) : null,
      document_id: stored.document_id,
      title: each.title,
      path: stored.path,
      corpus: each.corpus,
      pages: stored.pages,
      tokens: each.tokens,
    };
  });
  for (const [index, { each }] of kept.entries())
    if (!results.some((hit) => hit.chunk_id === each.id))
      dropped.push({
        chunk_id: each.id,
        stage: "top_k",
        reason: `rank ${index + 1} lies beyond the ${request.top_k} results asked for`,
      });
  const pinned = request.pinned.map((chunk_id): WhyNot => {
    const at = semantic.findIndex((each) => each.id === chunk_id);
    const word = keyword.findIndex((each) => each.id === chunk_id);
    const place = kept.findIndex(({ each }) => each.id === chunk_id);
    const final = results.find((hit) => hit.chunk_id === chunk_id)?.rank ?? null;
    const out = dropped.find((each) => each.chunk_id === chunk_id);
    return {
      chunk_id,
      semantic_rank: at < 0 ? null : at + 1,
      similarity: at < 0 ? null : near(semantic[at] as Piece),
      keyword_rank: word < 0 ? null : word + 1,
      bm25: word < 0 ? null : (keyword[word]?.words ?? null),
      fused_rank: place < 0 ? null : place + 1,
      final_rank: final,
      verdict: !scope.some((each) => each.id === chunk_id)
        ? "the filters keep it out"
        : final !== null
          ? `nothing kept it out: it is result ${final}`
          : out
            ? `${out.stage}: ${out.reason}`
            : "no list holds it: it has none of the words and no vector that was compared",
    };
  });
  const timings: StageTiming[] = [];
  let at = 0;
  const stage = (name: string, duration: number, items_in: number, items_out: number, start = at) => {
    timings.push({ stage: name, start_ms: start, duration_ms: duration, items_in, items_out });
    at = Math.max(at, start + duration);
  };
  const legs = semantic.length + keyword.length + named.length;
  stage("filter", 0.4, 38_115, scope.length * 2541);
  stage("parse", 0.6, 1, parsed.terms.length);
  const fork = at;
  if (request.mode !== "semantic") stage("keyword", 4.1, scope.length * 2541, keyword.length, fork);
  if (request.mode !== "keyword") {
    stage("embed", 7.8, 1, 1, fork);
    stage("semantic", 3.4, scope.length * 2541, semantic.length, fork + 7.8);
  }
  stage("fuse", 0.3, legs, fused.length);
  stage("label", 0.7, fused.length, fused.length);
  if (request.dedupe) stage("dedupe", 0.9, fused.length, kept.length);
  stage("fetch", 1.2, Math.min(kept.length, request.top_k), results.length);
  if (request.rerank) stage("rerank", 234, Math.min(kept.length, request.top_k * 4), results.length);
  return {
    results,
    total_results: results.length,
    search_mode: request.mode,
    trace: {
      query: parsed,
      space: request.mode === "keyword" || scope.length === 0 ? null : space,
      tier: request.mode === "keyword" || scope.length === 0 ? null : space.tier,
      covered: request.mode === "keyword" ? 0 : scope.length * 2541,
      candidates_before: 38_115,
      candidates_after: scope.length * 2541,
      semantic: semantic.map(legHit(near)),
      keyword: keyword.map(legHit((each) => each.words)),
      semantic_path: request.mode === "keyword" ? null : "exact",
      dropped,
      timings,
      config_hash: `${request.mode}${request.rrf_k}${request.rerank}${space.model}`,
      notices: [],
      degraded: false,
      pinned,
    },
  };
}

const QUESTION = "What must a transition plan disclose about its dependencies under S2.14(a)(iv)?";
const base = (query: string, part: Partial<SearchRequest> = {}): SearchRequest => ({
  ...SEARCH_DEFAULTS,
  query,
  mode: "hybrid",
  filters: {
    source_types: [],
    corpora: [],
    reports: [],
    pillars: [],
    standards: [],
    sections: [],
    industries: [],
    topics: [],
    tags: [],
    modules: [],
    chapters: [],
    content_types: [],
    paths: [],
  },
  structured: false,
  correct_spelling: true,
  thesaurus: true,
  dedupe: true,
  rerank: false,
  min_relevance: null,
  space: null,
  pinned: [],
  ...part,
});

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

const missing = (what: string) => ({ code: "not_found", message: `there is no ${what}` });
const stored = (chunk_id: string): ChunkRow => {
  const found = rows.get(chunk_id);
  if (!found) throw missing(`chunk \`${chunk_id}\``);
  return found;
};

/** Handlers of the search lab. */
export const handlers: FakeHandlers = {
  search: async (request: Partial<SearchRequest>, { wait }): Promise<SearchResponse> => {
    await wait(8);
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
  "chunk.get": ({ chunk_id }: { chunk_id: string }): StoredChunk => {
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
        oversize: false,
        pages: found.pages,
        metadata: found.metadata,
      },
    };
  },
  "paragraph.get": ({ id }: { id: string }): Hit => {
    const each = pieces.find((one) => one.key === id);
    const hit =
      each && answer(base(id, { pinned: [], top_k: 100 })).results.find((one) => one.chunk_id === each.id);
    if (!hit)
      throw { code: "not_found", message: `there is no paragraph \`${id}\`; ids look like S2.14(a)(iv)` };
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
        const reason = `its ${tokens} tokens do not fit into the budget of ${max_tokens}`;
        block.left_out.push({ chunk_id, stage: "context", reason });
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
