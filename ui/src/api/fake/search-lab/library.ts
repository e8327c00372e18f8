// A small library: chunks of standards and reports, and the models that know them.

import type { ChunkRow, ModelView, Space } from "../../types";

/** A chunk with how near it is and how well its words fit, whatever is asked. */
export type Piece = {
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

/** Every chunk. */
export const pieces: readonly Piece[] = [
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
  path: `${each.title.toLowerCase().replaceAll(" ", "-")}.${each.type === "report" ? "pdf" : "md"}`,
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
  page_labels: null,
  tokens: each.tokens,
  word_count: Math.round(each.tokens * 0.75),
  oversize: false,
  content_hash: each.id.repeat(4),
  ingested_at: "2025-11-12T09:14:00Z",
});
/** The chunks as they are stored, by id. */
export const rows = new Map(pieces.map((each, ordinal) => [each.id, row(each, ordinal)]));

/** The space of the better model. */
export const embedded: Space = {
  tier: "embedded",
  model: "bge-small-en-v1.5",
  endpoint: "",
  revision: "5c38ec7",
  dimensions: 384,
  window: "",
};
/** The space of the quicker model. */
export const instant: Space = {
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
