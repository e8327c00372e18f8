// What is proposed for a cell, and what the index of a report claims.

import { idOf } from "../../recording";
import type { AssessmentProposal, EvidencePassage, IndexClaim } from "../../types";

export const DOCUMENT = idOf<number>("northwind");
const passageOf = (
  span: [number, number],
  page: number,
  section: string,
  quote: string,
): EvidencePassage => ({
  document_id: DOCUMENT,
  chunk_id: idOf<string>("northwind#2"),
  span,
  quote,
  section: ["Governance", section],
  page,
  page_label: null,
  relevance: 0.8,
  pin: {
    text_version: "v1",
    path: "northwind-energy-climate-report-2024.pdf",
    start: span[0],
    end: span[1],
    quote,
    before: "",
    after: "",
    page,
    page_label: null,
    ocr: null,
  },
});
export const EVIDENCE = [
  passageOf(
    [0, 1055],
    2,
    "About this report",
    "The plan of 2024 replaces that of 2021. It covers generation, the network and retail sales.",
  ),
  passageOf(
    [1411, 2110],
    3,
    "The board",
    "The plan rests on four assumptions: connection dates as offered in December 2024, a contract round for offshore wind in each year, a carbon price that does not fall below £45 a tonne, and the supply of installation vessels now under contract.",
  ),
  passageOf(
    [2112, 2558],
    3,
    "Skills",
    "If connection dates slip by two years, the target for 2030 is missed by about 190,000 tonnes.",
  ),
  passageOf([2560, 3009], 3, "Management", "Spending on the plan was £1,510 million in 2024."),
];
const ITEMS = [
  "What it covers and since when",
  "The main assumptions behind it",
  "What it depends on",
  "Who answers for it",
  "How it is paid for",
  "What it has come to so far",
  "How it is checked",
];

export function proposalOf(found: number, of: number): AssessmentProposal {
  const evidence = found === 0 ? [] : EVIDENCE;
  return {
    state: found === 0 ? "nothing" : found < of ? "partial" : "evidence",
    items: ITEMS.slice(0, of).map((text, at) => ({
      id: `item-${at}`,
      text,
      evidence: at >= found ? [] : at === 2 ? [1, 2] : [at % EVIDENCE.length],
    })),
    evidence,
    figures: [],
    not_counted: found === 0 ? [] : [{ passage: EVIDENCE[3] as EvidencePassage, reason: "contents" }],
    nearest: found === 0 ? EVIDENCE.slice(0, 2) : [],
    relevance: found === 0 ? 0.2 : 0.8,
    held: found === 0 ? 0.1 : 0.4,
    likelihood: found === 0 ? 0.2 : 0.8,
    error_rate: 0.11,
    made_at: "2025-11-19T09:12:00Z",
  };
}

const CLAIM: IndexClaim = {
  framework: "ifrs_s2",
  code: "S2.14(a)(iv)",
  title: "Transition plan",
  relation: "same",
  source: null,
  words: "pages 2–3",
  row: { document_id: DOCUMENT, span: [12_000, 12_080], page: 9, page_label: null },
  state: "found",
  document_id: DOCUMENT,
  path: "northwind-energy-climate-report-2024.pdf",
  span: [0, 3009],
  document: null,
  document_title: null,
  pages: [{ first: 2, last: 3, labels: null }],
  missing_pages: [],
  pages_counted: false,
  section: null,
  evidence: [0, 1, 2],
  figures: [],
};
const ESRS = "IFRS Foundation and EFRAG, ESRS–ISSB Standards Interoperability Guidance, May 2024";
/** What the index of the first report claims. */
export const CLAIMS: IndexClaim[] = [
  CLAIM,
  {
    ...CLAIM,
    framework: "esrs",
    code: "E1-1",
    source: ESRS,
    words: "p. 8",
    state: "not_found",
    pages_counted: true,
    pages: [{ first: 8, last: 8, labels: null }],
    evidence: [],
  },
  {
    ...CLAIM,
    framework: "tcfd",
    code: "Strategy (b)",
    title: "Impact on business, strategy and financial planning",
    relation: "part",
    source: "IFRS Foundation, Comparison: IFRS S2 with the TCFD Recommendations, July 2023",
    words: "CDP Climate Change response C3.3",
    state: "other_document",
    document_id: null,
    path: null,
    span: null,
    document: "CDP Climate Change response C3.3",
    pages: [],
    evidence: [],
  },
];
