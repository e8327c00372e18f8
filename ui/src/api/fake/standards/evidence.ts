// Reports in memory, and what they hold for a paragraph.

import type { DocumentRow, Evidence, EvidenceRequest, Hit } from "../../types";
import { leavesOf } from "../leaves";
import { chunkId, page } from "./page";
import { at } from "./tree";

type Passage = [
  title: string,
  page: number,
  by: string,
  ranks: [number, number],
  terms: string[],
  text: string,
];
const PASSAGES: readonly Passage[] = [
  [
    "Northwind Energy plc, Climate report 2024",
    34,
    "S2.14(a)(iv)",
    [1, 2],
    ["transit plan", "assumpt"],
    "Our transition plan covers operated assets to 2035 and rests on three premises: grid connection dates hold, the carbon price stays above €80 a tonne, and hydrogen-ready turbines reach the market by 2029. Each assumption is reviewed by the board every year. Where one of them fails, the plan names the assets that close earlier.",
  ],
  [
    "Aurelia Cement, Annual report 2024",
    58,
    "S2.14(a)(iv)",
    [3, 1],
    ["plan", "depend"],
    "The plan assumes kiln electrification at two sites; it depends on permitting and on a clinker substitute we do not yet make at scale.",
  ],
  [
    "Halden Shipping, ESG report 2024",
    21,
    "S2.14(a)(i)",
    [2, 9],
    ["busi model"],
    "Fleet renewal from 2027 swaps eleven vessels for dual-fuel designs and reshapes our charter business model.",
  ],
  [
    "Kestrel Bank, Annual report 2024",
    42,
    "S2.14(a)(v)",
    [6, 7],
    ["transit plan", "target"],
    "Sector targets steer new lending: from 2026 the credit policy excludes unabated coal and reprices loans without a client transition plan.",
  ],
  [
    "Meridian Foods, Sustainability report 2024",
    77,
    "S2.14(a)(iii)",
    [11, 4],
    ["supplier"],
    "Supplier programmes support growers in cutting fertiliser emissions; engagement covers 62% of purchased volume.",
  ],
  [
    "Northwind Energy plc, Climate report 2023",
    29,
    "S2.14(a)(iv)",
    [8, 12],
    ["transit"],
    "A first transition roadmap was approved by the board in October; milestones will be published next year.",
  ],
  [
    "Solace Air, Climate report 2024",
    19,
    "S2.14(a)(i)",
    [5, 21],
    ["capit"],
    "Capital moves from long-haul growth to fleet efficiency; sustainable fuel contracts cover 6% of planned 2030 uplift.",
  ],
];
const titles = [...new Set(PASSAGES.map(([title]) => title))];
const reportOf = (title: string) => `${title.split(/[ ,]/)[0]}-${title.slice(-4)}`.toLowerCase();

export const documents: DocumentRow[] = titles.map((title, index) => ({
  id: 90_001 + index,
  corpus_id: 7,
  path: `${reportOf(title)}.pdf`,
  root: "/home/ada/reports/2024",
  origin: `/home/ada/reports/2024/${reportOf(title)}.pdf`,
  report_id: reportOf(title),
  source_type: "report",
  format: "pdf",
  title,
  source_hash: "",
  text_version: `text-${index}`,
  config_hash: "",
  word_count: 61_000,
  token_count: 82_000,
  chunks: 371,
  pages: 148,
  ingested_at: "2025-11-19T10:02:00Z",
  issuer: title.split(",")[0] ?? null,
  year: Number(title.slice(-4)),
  as_read: null,
  ocr: null,
  missing_since: null,
}));

function hits(request: EvidenceRequest): { hit: Hit; by: string }[] {
  return PASSAGES.filter(
    ([title]) => request.reports.length === 0 || request.reports.includes(reportOf(title)),
  ).map(([title, page, by, [near, words], terms, text], index) => {
    const given = [
      { leg: "semantic", rank: near, raw: 0.72 - near / 100, label: "bge-small-en-v1.5" },
      { leg: "keyword", rank: words, raw: 14 - words / 2, label: "bm25" },
    ] as const;
    const alone = request.mode !== "hybrid";
    const contributions = given
      .filter((part) => !alone || part.leg === request.mode)
      .map((part) => {
        const weight = alone ? 1 : part.leg === "semantic" ? 0.5 : 0.5;
        const range =
          part.leg === "semantic"
            ? { least: 0.2, best: 0.72, deviation: 0.1 }
            : { least: 0, best: 14, deviation: 3 };
        const share = (part.raw - range.least) / range.deviation;
        return { ...part, weight, range: alone ? null : range, value: alone ? part.raw : weight * share };
      });
    return {
      by,
      hit: {
        chunk_id: chunkId(title, page),
        chunk_text: `[${title} > Strategy > Transition]\n\n${text}`,
        passage: text,
        header: `${title} > Strategy > Transition`,
        found_by: [],
        facts: [],
        metadata: { section_path: ["Strategy", "Transition"], chunk_index: page * 3 + 10 },
        source_type: "report",
        report_id: reportOf(title),
        score: contributions.reduce((sum, part) => sum + part.value, 0),
        search_method: request.mode,
        relevance: 0.72 - near / 100,
        rank: index + 1,
        contributions,
        matched_terms: request.mode === "semantic" ? [] : terms,
        keyword_leaves: leavesOf(request.mode === "semantic" ? [] : terms, contributions),
        fused_rank: null,
        rerank_score: null,
        document_id: 90_001 + titles.indexOf(title),
        title,
        path: `${reportOf(title)}.pdf`,
        corpus: "Reports FY2024",
        pages: [page, page],
        page_labels: null,
        tokens: 180,
      },
    };
  });
}

/** The text of the passage `chunk_id` of a report. */
export const passageText = (chunk_id: string): string | undefined =>
  hits({ id: "", below: true, mode: "hybrid", reports: [], top_k: 20, space: null }).find(
    ({ hit }) => hit.chunk_id === chunk_id,
  )?.hit.chunk_text;

export function evidence(asked: Partial<EvidenceRequest>): Evidence {
  const request: EvidenceRequest = {
    id: "",
    below: true,
    mode: "hybrid",
    reports: [],
    top_k: 20,
    space: null,
    ...asked,
  };
  const around = page(request.id);
  const found = hits(request).slice(0, request.top_k);
  const below = new Set(request.below ? around.items.map((item) => item.id) : []);
  const foundBy = found.map(({ by }) => (below.has(by) ? by : request.id));
  const queries = [request.id, ...below];
  return {
    hits: found.map(({ hit }) => hit),
    found_by: foundBy,
    queries: queries.map((id) => [id, at(id).label]),
    trace: {
      query: { references: [], terms: [], match_expression: "" },
      space: {
        tier: "embedded",
        model: "bge-small-en-v1.5",
        endpoint: "",
        revision: "",
        dimensions: 384,
        window: "",
      },
      tier: "embedded",
      embedded: null,
      covered: 11_549,
      candidates_before: 38_114,
      candidates_after: 11_549,
      semantic: [],
      keyword: [],
      semantic_path: "exact",
      dropped: [],
      timings: [],
      config_hash: "0",
      notices: [],
      degraded: false,
      pinned: [],
    },
  };
}
