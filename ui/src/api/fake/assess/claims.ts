// What the index of a report claims; no report of the sample has one.

import { idOf } from "../../recording";
import type { IndexClaim } from "../../types";

/** The requirement and the report of the claims. */
export const CLAIMED = { requirement: "S2.14(a)(iv)", report_id: "northwind-energy-climate-report-2024" };
const DOCUMENT = idOf<number>("northwind");

const CLAIM: IndexClaim = {
  framework: "ifrs_s2",
  code: "S2.14(a)(iv)",
  cited: "IFRS S2 14(a)(iv)",
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
    cited: "ESRS E1-1",
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
    cited: "TCFD Strategy (b)",
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
