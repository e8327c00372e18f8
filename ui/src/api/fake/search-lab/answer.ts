// Reads a query, ranks by meaning and by words, and fuses as the engine fuses.

import type {
  ChunkRow,
  Contribution,
  Dropped,
  Filters,
  Hit,
  LegHit,
  ScoreRange,
  SearchRequest,
  SearchResponse,
  StageTiming,
  Term,
  WhyNot,
} from "../../types";
import { headerAndBody } from "../header";
import { leavesOf } from "../leaves";
import { embedded, instant, type Piece, pieces, rows } from "./library";

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

/** Words of the best passage by words that the query has not, where the engine would add such. */
function fedBack(request: SearchRequest, best: Piece | undefined, stems: ReadonlySet<string>): Term[] {
  if (!request.feedback || request.mode !== "hybrid" || request.fusion !== "scores" || request.structured)
    return [];
  const others = best?.terms.filter((stem) => !stems.has(stem) && !/[ \d]/.test(stem)) ?? [];
  return others
    .slice(0, 2)
    .map((stem) => ({ text: stem, stem, document_frequency: 118, fate: { kind: "feedback" }, weight: 0.1 }));
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
    // Nothing here has two editions.
    (name) =>
      name === "editions" || filters[name].length === 0 || filters[name].includes(FIELD[name]?.(each) ?? ""),
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

/** Searches the library. */
export function answer(request: SearchRequest): SearchResponse {
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
  const added = named.length > 0 ? [] : fedBack(request, keyword[0], stems);
  parsed.terms.push(...added);
  const alone = request.mode !== "hybrid" && named.length === 0;
  const byScores = request.fusion === "scores";
  const contributions = new Map<Piece, Contribution[]>();
  const give = (
    each: Piece,
    leg: Contribution["leg"],
    index: number,
    weight: number,
    raw: number | null,
    label: string,
    range: ScoreRange | null,
  ) => {
    const rank = index + 1;
    const share = range && raw !== null ? (raw - range.least) / (range.deviation || 1) : 1;
    const fused = byScores ? weight * share : weight / (request.rrf_k + rank);
    const value = alone && raw !== null ? raw : fused;
    const part = { leg, rank, weight, raw, range: alone ? null : range, value, label };
    contributions.set(each, [...(contributions.get(each) ?? []), part]);
  };
  const rangeOf = (raws: readonly number[], missing?: number): ScoreRange | null => {
    if (!byScores) return null;
    const all = missing === undefined ? raws : [...raws, missing];
    const least = Math.min(...all);
    const mean = all.reduce((sum, raw) => sum + raw, 0) / all.length;
    const squares = all.reduce((sum, raw) => sum + (raw - mean) ** 2, 0);
    return { least, best: Math.max(...raws), deviation: Math.sqrt(squares / all.length) };
  };
  const last = request.rrf_k + 1;
  const both = request.semantic_weight + request.keyword_weight;
  const byRanks = both * (1 + (last * (last + 1)) / (request.rrf_k + 1));
  for (const [index, each] of named.entries()) {
    const weight = byScores ? 2 * (named.length - index) : byRanks;
    give(each, "reference", index, weight, null, each.key ?? "", null);
  }
  const { semantic_share: share } = request;
  const weights = byScores
    ? { semantic: share, keyword: 1 - share }
    : { semantic: request.semantic_weight, keyword: request.keyword_weight };
  const nearRange = rangeOf(semantic.map(near));
  for (const [index, each] of semantic.entries())
    give(each, "semantic", index, weights.semantic, near(each), space.model, nearRange);
  const wordRange = rangeOf(
    keyword.map((each) => each.words),
    0,
  );
  for (const [index, each] of keyword.entries())
    give(each, "keyword", index, weights.keyword, each.words, "bm25", wordRange);
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
        cause: { kind: "below_minimum", relevance: near(each), minimum: least },
        reason: `relevance ${near(each).toFixed(3)} is below the minimum of ${least}`,
      });
    return fits;
  });
  const rerank = (each: Piece) =>
    Number(Math.min(0.99, each.near * 0.4 + each.words / 30 + (each.tokens % 7) / 25).toFixed(2));
  const ranked = kept.map((one, index) => ({ ...one, place: index + 1 }));
  if (request.rerank) ranked.sort((a, b) => rerank(b.each) - rerank(a.each));
  const results: Hit[] = ranked.slice(0, request.top_k).map(({ each, parts, score, place }, index) => {
    const stored = rows.get(each.id) as ChunkRow;
    const matched = request.mode === "semantic" ? [] : each.terms.filter((stem) => stems.has(stem));
    return {
      chunk_id: each.id,
      chunk_text: stored.text,
      passage: headerAndBody(stored.text).body,
      header: headerAndBody(stored.text).header ?? null,
      found_by: [],
      facts: [],
      metadata: stored.metadata,
      source_type: each.type,
      report_id: stored.report_id,
      score,
      search_method: request.mode,
      relevance: request.rerank ? rerank(each) : request.mode === "keyword" ? null : near(each),
      rank: index + 1,
      contributions: parts,
      matched_terms: matched,
      keyword_leaves: leavesOf(
        [...matched, ...added.map(({ stem }) => stem).filter((stem) => each.terms.includes(stem))],
        parts,
      ),
      fused_rank: request.rerank ? place : null,
      rerank_score: request.rerank ? rerank(each) : null,
      document_id: stored.document_id,
      title: each.title,
      path: stored.path,
      corpus: each.corpus,
      pages: stored.pages,
      page_labels: null,
      tokens: each.tokens,
    };
  });
  for (const [index, { each }] of kept.entries())
    if (!results.some((hit) => hit.chunk_id === each.id))
      dropped.push({
        chunk_id: each.id,
        stage: "top_k",
        cause: { kind: "beyond_limit", rank: index + 1, limit: request.top_k },
        reason: `rank ${index + 1} is beyond the ${request.top_k} results requested`,
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
      stage: final === null && out ? out.stage : null,
      fate: !scope.some((each) => each.id === chunk_id)
        ? { kind: "outside_filters" }
        : final !== null
          ? { kind: "in_answer", rank: final }
          : out
            ? { kind: "left_out", cause: out.cause }
            : { kind: "not_found" },
      verdict: "",
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
  if (added.length > 0) stage("feedback", 1.1, 2, added.length);
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
      embedded: request.mode === "keyword" || scope.length === 0 ? null : request.query,
      tier: request.mode === "keyword" || scope.length === 0 ? null : space.tier,
      covered: request.mode === "keyword" ? 0 : scope.length * 2541,
      candidates_before: 38_115,
      candidates_after: scope.length * 2541,
      semantic: semantic.map(legHit(near)),
      keyword: keyword.map(legHit((each) => each.words)),
      semantic_path: request.mode === "keyword" ? null : "exact",
      dropped,
      timings,
      config_hash: `${request.mode}${request.fusion}${request.semantic_share}${request.rrf_k}${request.rerank}${space.model}`,
      notices: [],
      degraded: false,
      pinned,
    },
  };
}
