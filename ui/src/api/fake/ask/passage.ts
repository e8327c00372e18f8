// Passages that answers are made from.

import type { AnswerPassage } from "../../types";

type PassageOf = Pick<AnswerPassage, "text" | "relevance"> & Partial<AnswerPassage>;

/** A passage of a standard, but for what is given. */
export const passage = (number: number, given: PassageOf): AnswerPassage => ({
  number,
  chunk_id: `0000a1b2c3d4e5${(number + 16).toString(16)}`,
  document_id: 40 + number,
  text_version: "",
  document: "ifrs_s2.md",
  title: "IFRS S2 Climate-related Disclosures",
  corpus: "IFRS S2",
  source_type: "ifrs_s2",
  section: ["Strategy", "Strategy and decision-making"],
  paragraph_id: null,
  pages: null,
  page_labels: null,
  about_page: null,
  ocr: null,
  found_by: [],
  similarity: given.relevance,
  semantic_rank: number,
  keyword_rank: (number * 3) % 7 || 7,
  semantic_percentile: given.relevance,
  keyword_percentile: given.relevance ** 2,
  rerank_score: null,
  tokens: Math.ceil(given.text.length / 4),
  used: true,
  cited: false,
  left_out: "",
  ...given,
});

/** A passage of a report, on a page. */
export const report = (issuer: string, page: number): Partial<AnswerPassage> => ({
  document: `${issuer.toLowerCase()}-2024.pdf`,
  title: `${issuer} 2024`,
  corpus: "Reports FY2024",
  source_type: "report",
  section: ["Strategy", "Transition plan"],
  pages: [page, page],
});
