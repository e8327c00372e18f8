// A gold set, and what runs of different quality found for it: rankings are drawn, measures are counted from them.

import { NO_FILTERS, SEARCH_DEFAULTS } from "../../defaults";
import { idOf } from "../../recording";
import type { EvalRun, GoldLabel, GoldQuery, MeasuredQuery, RunPlace, SearchRequest } from "../../types";

import { rows } from "./passages";

/** Name of the set. */
export const SET = "S2 review";

export const AT = "2025-11-12T09:14:00Z";

/** A number from 0 to 1 that is always the same for the same words. */
export function drawn(words: string): number {
  let state = 2166136261;
  for (const letter of words) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  state = Math.imul(state ^ (state >>> 15), 2246822507);
  return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
}

const SPAN = /^(\S+)\|(.+)$/;

/** A label as it is written below: an id, or `path|quote`. */
function label(written: string, grade: number): GoldLabel {
  const span = SPAN.exec(written);
  const target = span
    ? ({ kind: "span", path: span[1] ?? "", quote: span[2] ?? "", before: "", after: "" } as const)
    : ({ kind: "identifier", id: written } as const);
  return { target, grade, judge: "", at: AT };
}

const NW = "northwind-energy-climate-report-2024.pdf";
const QUERIES: [id: string, query: string, type: string, ...labels: string[]][] = [
  ["Q02", "Material information about climate risk", "paraphrase", "S1.17", "S2.10"],
  ["Q03", "Which body oversees climate risks?", "paraphrase", "S2.6(a)"],
  [
    "Q07",
    "What does the transition plan depend on?",
    "paraphrase",
    "S2.14(a)(iv)",
    `${NW}|The plan of 2024 replaces that of 2021.`,
  ],
  ["Q09", "Definition of operated boundary", "definition", `${NW}|operated boundary means`],
  ["Q11", "Time horizons for climate risks", "paraphrase", "S2.10(d)"],
  ["Q12", "Share of capex on low-carbon assets", "metric", "S2.29(e)"],
  ["Q14", "Connected information across reports", "paraphrase", "S1.21"],
  ["Q16", "How scenario analysis informs resilience", "paraphrase", "S2.22(b)"],
  ["Q18", "Current financial effects of climate risk", "paraphrase", "S2.16(a)"],
  ["Q19", "Internal carbon price and how it is applied", "metric", "S2.29(f)"],
  ["Q22", "Scope 2 on a location basis", "metric", "S2.29(a)(v)"],
  ["Q24", "Progress against the plan disclosed last year", "paraphrase", "S2.14(c)"],
  ["Q27", "Who is paid on climate targets?", "metric", "S2.29(g)", "S2.6(a)(v)"],
  ["Q29", "Judgements made in preparing disclosures", "paraphrase", "S1.74"],
  [
    "Q31",
    "Hydrogen assumptions behind the 2035 milestone",
    "table",
    `${NW}|blue hydrogen at €2.10 per kilogram`,
  ],
  ["Q33", "Fleet renewal effect on business model", "paraphrase", "S2.13(a)"],
  ["Q36", "Methane slip in freight contracts", "not found"],
  ["Q38", "Supplier engagement on fertiliser", "table", "FB-AG-430a.3"],
  ["Q40", "Energy metrics for cement producers", "metric", "EM-CM-130a.1"],
  ["Q44", "Reserves and price sensitivity", "metric", "EM-EP-420a.1"],
  ["Q45", "Weather derivatives held at year end", "not found"],
  ["Q46", "Sustainable fuel contracts", "table", "TR-AL-110a.2"],
];

/** Its queries. */
export const queries: GoldQuery[] = QUERIES.map(([id, query, type, ...labels]) => ({
  id,
  query,
  type,
  labels: labels.map((written, index) => label(written, index === 0 ? 3 : 2)),
}));

/** What a label is called in a ranking. */
const nameOf = ({ target }: GoldLabel) => (target.kind === "identifier" ? target.id : "NW24 p.7");

const OTHERS = [
  "S1.27(a)",
  "S1.33(b)",
  "S1.51",
  "S2.5",
  "S2.6(b)",
  "S2.9(c)",
  "S2.14(b)",
  "S2.14(c)",
  "S2.15",
  "S2.21",
  "S2.25(a)",
  "S2.33",
  "S2.36(e)",
  "EM-EP-110a.1",
  "AC24 p.61",
  "NW24 p.12",
];

/** A run as it is drawn. */
export type Drawn = {
  id: number;
  name: string;
  /** From 0 to 1: how often what is relevant comes first. */
  quality: number;
  search: Partial<SearchRequest>;
  chunking: [strategy: string, target: number, overlap: number, chunks: number];
  p50: number;
  cost: number | null;
  at: string;
};

/** The passage of the library that a place is, where it has one. */
function passageOf(id: string) {
  const page = /^NW24 p\.(\d+)$/.exec(id)?.[1];
  const found = [...rows.values()].find((row) =>
    page === undefined
      ? row.metadata.paragraph_id === id
      : row.document_id === idOf("northwind") && row.pages?.[0] === Number(page),
  );
  return (
    found && { chunk_id: found.chunk_id, path: found.path, pages: found.pages ?? undefined, text: found.text }
  );
}

/** What a run found for a query, best first. */
export function ranking(run: Drawn, query: GoldQuery): RunPlace[] {
  // A passage is found once: what is labelled comes in below.
  const labelled = new Set(query.labels.map(nameOf));
  const others = OTHERS.filter((id) => !labelled.has(id)).sort(
    (a, b) => drawn(`${query.id}${a}${run.id}`) - drawn(`${query.id}${b}${run.id}`),
  );
  const places: RunPlace[] = others.slice(0, 10).map((id, index) => ({
    id,
    chunk_id: `0000a1b2c3d4d5${index.toString(16).padStart(2, "0")}`,
    path: id.includes(" p.") ? NW : "ifrs-s2.md",
    pages: id.includes(" p.") ? [12, 12] : undefined,
    grade: drawn(`${query.id}${id}`) < 0.5 ? 0 : undefined,
    labels: [],
    relevance: 0.9 - index * 0.06,
    legs: [
      { leg: "semantic", rank: index + 1 },
      ...(index % 3 === 0 ? [{ leg: "keyword" as const, rank: index + 2 }] : []),
    ],
    extent: [index * 900, index * 900 + 800],
    ...passageOf(id),
  }));
  for (const [index, each] of query.labels.entries()) {
    const name = nameOf(each);
    const luck = drawn(`${query.id}${name}`) * 0.55 + drawn(`${query.id}${name}${run.id}`) * 0.45;
    const at = Math.floor(Math.max(0, luck - run.quality * 0.38) * 15);
    if (at >= 10) continue;
    places.splice(at, 0, {
      ...(places[0] as RunPlace),
      id: name,
      grade: each.grade,
      labels: [name],
      chunk_id: `0000a1b2c3d4f${query.id.slice(1)}${index}`,
      path: name.includes(" p.") ? NW : "ifrs-s2.md",
      pages: name.includes(" p.") ? [7, 7] : undefined,
      text: undefined,
      ...passageOf(name),
    });
  }
  return places.slice(0, 10);
}

const isRelevant = (place: RunPlace) => (place.labels ?? []).length > 0;
const gain = (grade: number | null | undefined, index: number) =>
  Math.max(0, grade ?? 0) / Math.log2(index + 2);

/** What a ranking measures. */
function scores(run: Drawn, query: GoldQuery, places: readonly RunPlace[]): Record<string, number> {
  if (query.labels.length === 0)
    return { not_found_accuracy: drawn(`${query.id}${run.id}`) < run.quality + 0.2 ? 1 : 0 };
  const found = (k: number) => places.slice(0, k).filter(isRelevant).length;
  const first = places.findIndex(isRelevant);
  const ideal = query.labels.map((each) => each.grade).sort((a, b) => b - a);
  const sum = (list: readonly number[]) => list.reduce((all, each) => all + each, 0);
  return {
    "recall@5": found(5) / query.labels.length,
    "recall@10": found(10) / query.labels.length,
    "precision@5": found(5) / 5,
    "success@1": found(1),
    "judged@10": places.filter((place) => place.grade !== null).length / Math.max(1, places.length),
    rr: first < 0 ? 0 : 1 / (first + 1),
    "ndcg@10":
      sum(places.map((place, index) => gain(place.grade, index))) /
      sum(ideal.map((grade, index) => gain(grade, index))),
    latency_ms: run.p50 * (0.8 + 0.4 * drawn(`${run.id}${query.id}ms`)),
  };
}

/** What a run measured for a query. */
export function ran(run: Drawn, query: GoldQuery): MeasuredQuery {
  const places = ranking(run, query);
  const first = places.findIndex(isRelevant);
  return {
    id: query.id,
    query: query.query,
    type: query.type,
    answerable: query.labels.length > 0,
    scores: scores(run, query, places),
    expected: query.labels.map(nameOf),
    first_hit: first < 0 ? null : first + 1,
    unjudged: places.filter((place) => place.grade === null).length,
  };
}

/** Means over those queries that a measure applies to. */
export function means(all: readonly MeasuredQuery[]): Record<string, number> {
  const names = new Set(all.flatMap((each) => Object.keys(each.scores)));
  return Object.fromEntries(
    [...names].map((name) => {
      const values = all.flatMap((each) => each.scores[name] ?? []);
      return [name, values.reduce((sum, value) => sum + value, 0) / values.length];
    }),
  );
}

/** The search of a run. */
export const searchOf = (part: Partial<SearchRequest>): SearchRequest => ({
  ...SEARCH_DEFAULTS,
  query: "",
  mode: "hybrid",
  filters: NO_FILTERS,
  structured: false,
  correct_spelling: true,
  thesaurus: true,
  counterparts: true,
  feedback: true,
  dedupe: false,
  rerank: false,
  min_relevance: null,
  space: null,
  pinned: [],
  listed: 0,
  ...part,
});

/** A run as a list shows it. */
export function runOf(run: Drawn): EvalRun {
  const all = queries.map((query) => ran(run, query));
  const types = [...new Set(queries.map((query) => query.type))];
  const [strategy, target_tokens, overlap_tokens, chunks] = run.chunking;
  return {
    id: run.id,
    name: run.name,
    set: SET,
    at: run.at,
    set_version: 3,
    set_hash: "5be1c0ffee00aa11",
    configuration: {
      search: searchOf(run.search),
      model: run.search.mode === "keyword" ? null : "text-embedding-3-small",
      corpora: [
        {
          name: "IFRS S2",
          strategy,
          settings: { target_tokens, overlap_tokens },
          chunks,
          tokens: chunks * 240,
        },
      ],
      cost_usd: run.cost,
    },
    config_hash: `c0ff16${run.id}a7d40e2b`,
    imported: false,
    program: "0.1.0",
    measures: means(all),
    by_type: Object.fromEntries(types.map((type) => [type, means(all.filter((each) => each.type === type))])),
    queries: queries.length,
    answerable: queries.filter((query) => query.labels.length > 0).length,
    types: Object.fromEntries(
      types.map((type) => [type, queries.filter((query) => query.type === type).length]),
    ),
    unjudged: all.reduce((sum, each) => sum + each.unjudged, 0),
    p50_ms: run.p50,
    p95_ms: run.p50 * 1.4,
    seconds: Math.round((run.p50 * queries.length) / 100) / 10,
    notices: [],
  };
}

const HYBRID = { mode: "hybrid", fusion: "scores" } as const;

/** The runs of the set, the newest first. */
export const drawnRuns: Drawn[] = [
  {
    id: 61,
    name: "Heading-aware 460, reranked",
    quality: 0.95,
    search: { ...HYBRID, rerank: true },
    chunking: ["report", 460, 40, 364],
    p50: 418,
    cost: 0.096,
    at: "2025-11-19T13:20:00Z",
  },
  {
    id: 60,
    name: "Heading-aware 460",
    quality: 0.85,
    search: HYBRID,
    chunking: ["report", 460, 40, 364],
    p50: 176,
    cost: 0.0003,
    at: "2025-11-19T12:02:00Z",
  },
  {
    id: 59,
    name: "Paragraph ids, RRF",
    quality: 0.8,
    search: { mode: "hybrid", fusion: "rrf" },
    chunking: ["paragraph", 622, 0, 622],
    p50: 181,
    cost: 0.0003,
    at: "2025-11-18T16:41:00Z",
  },
  {
    id: 58,
    name: "Keyword alone",
    quality: 0.55,
    search: { mode: "keyword" },
    chunking: ["recursive", 320, 48, 508],
    p50: 12,
    cost: null,
    at: "2025-11-18T16:12:00Z",
  },
  {
    id: 57,
    name: "Recursive 320/48",
    quality: 0.7,
    search: HYBRID,
    chunking: ["recursive", 320, 48, 508],
    p50: 169,
    cost: 0.0003,
    at: "2025-11-17T09:05:00Z",
  },
];

export const missing = (what: string) => ({ code: "not_found", message: `${what} does not exist` });

/** Words as they are compared. */
export const words = (text: string) => text.toLowerCase().trim();
