// Passages of standards and reports that runs rank and people judge.

import type { ChunkRow } from "../../types";

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
  tokens: number,
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
});

const S2 = "IFRS S2 Climate-related Disclosures";
const S1 = "IFRS S1 General Requirements";

const pieces: readonly Piece[] = [
  piece(
    1,
    S2,
    "S2.14(a)(iv)",
    "ifrs_s2",
    "strategy",
    ["Strategy and decision-making"],
    "Any climate transition plan: main assumptions and what it depends on. Says which assumptions the plan was built from and which outside conditions it needs in order to hold.",
    261,
  ),
  piece(
    2,
    "Northwind 2024",
    34,
    "report",
    "strategy",
    ["Strategy", "Transition plan"],
    "Our transition plan rests on three premises: grid dates, carbon price and supplier readiness. Each depends on decisions that others take; we disclose progress on all three every year.",
    318,
  ),
  piece(
    3,
    "Aurelia 2024",
    58,
    "report",
    "strategy",
    ["Strategy", "Decarbonisation"],
    "The plan assumes kiln electrification at two sites; it depends on permitting and on a clinker substitute we do not yet make at scale. We disclose site-level capex with each transition plan update and flag any milestone that rests on public funding.",
    304,
  ),
  piece(
    4,
    S2,
    "S2.14(c)",
    "ifrs_s2",
    "strategy",
    ["Strategy and decision-making"],
    "Progress on plans disclosed in earlier reporting periods, in numbers and in words.",
    198,
  ),
  piece(
    5,
    "Oil and Gas",
    "EM-EP-420a",
    "sasb",
    "strategy",
    ["Extractives", "Reserves valuation"],
    "Price and demand effects on capital spending on reserves, and how they enter the plan.",
    240,
  ),
  piece(
    6,
    S1,
    "S1.33(a)",
    "ifrs_s1",
    "strategy",
    ["Strategy and decision-making"],
    "How strategy responds to sustainability-related risks and opportunities, now and as planned.",
    212,
  ),
  piece(
    7,
    S2,
    "S2.22(a)",
    "ifrs_s2",
    "strategy",
    ["Climate resilience"],
    "What the resilience assessment implies for strategy and business model.",
    230,
  ),
  piece(
    8,
    "Kestrel 2024",
    42,
    "report",
    "strategy",
    ["Strategy", "Lending"],
    "Credit policy reprices loans without a client plan; disclosures follow each quarter.",
    244,
  ),
  piece(
    9,
    S2,
    "S2.14(b)",
    "ifrs_s2",
    "strategy",
    ["Strategy and decision-making"],
    "How the activities in the plans are resourced, now and later, and what they depend on.",
    146,
  ),
  piece(
    10,
    "Northwind 2023",
    29,
    "report",
    "strategy",
    ["Strategy"],
    "A first transition roadmap was approved in October; a plan with dependencies follows.",
    276,
  ),
  piece(
    11,
    S2,
    "S2.13(b)",
    "ifrs_s2",
    "strategy",
    ["Business model and value chain"],
    "Where in the value chain risks concentrate: by place, facility and kind of asset the plan touches.",
    187,
  ),
  piece(
    12,
    "Meridian 2024",
    77,
    "report",
    "strategy",
    ["Strategy", "Suppliers"],
    "Supplier programmes and dependencies of the plan are reviewed twice a year.",
    251,
  ),
  piece(
    13,
    "Transition notes",
    "",
    "text",
    "general",
    ["Memo 3", "Checklist"],
    "Checklist for plan assumptions and dependencies before disclosure.",
    133,
  ),
  piece(
    14,
    S2,
    "S2.29(e)",
    "ifrs_s2",
    "metrics_targets",
    ["Climate-related metrics"],
    "Capital spending directed at climate risks and opportunities.",
    120,
  ),
  piece(
    15,
    S2,
    "S2.6",
    "ifrs_s2",
    "governance",
    ["Governance"],
    "Which body oversees climate-related risks and opportunities, and how it does so.",
    310,
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
