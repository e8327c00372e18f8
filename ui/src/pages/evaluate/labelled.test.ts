import { describe, expect, it } from "vitest";
import type { Corpus, DocumentRow, GoldTarget } from "@/api/types";
import { corpusOf, pathOf } from "./labelled";

const corpora = [
  { id: 1, name: "all", source_type: "ifrs_s2" },
  { id: 2, name: "reports", source_type: "report" },
] as Corpus[];
const documents = [{ path: "acme/2024.pdf", corpus_id: 2 }] as DocumentRow[];
const span = (path: string): GoldTarget => ({
  kind: "span",
  path,
  quote: "It rests.",
  before: "",
  after: "",
});
const id = (name: string): GoldTarget => ({ kind: "identifier", id: name });

describe("the corpus of labels", () => {
  it("is where most of them lie: documents, pages, paragraphs", () => {
    expect(
      corpusOf([span("acme/2024.pdf"), id("acme/2024.pdf#page=12"), id("S2.14")], corpora, documents),
    ).toBe("reports");
    expect(corpusOf([id("S2.14(a)(iv)")], corpora, documents)).toBe("all");
    expect(corpusOf([span("gone.pdf")], corpora, documents)).toBeUndefined();
    expect(corpusOf([], corpora, documents)).toBeUndefined();
  });

  it("is looked for by the path that most of them name", () => {
    expect(pathOf([id("acme/2024.pdf#page=12"), span("b.pdf"), id("acme/2024.pdf")])).toBe("acme/2024.pdf");
    expect(pathOf([id("S2.14"), id("EM-EP-110a.1")])).toBeUndefined();
  });
});
