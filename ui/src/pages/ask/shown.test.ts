import { describe, expect, it } from "vitest";
import { recorded } from "@/api/recording";
import type { Answer, AnswerCitation, AnswerSentence, AskRequest } from "@/api/types";
import { withCitations } from "./copy";
import { dayOf } from "./days";
import { placeOf } from "./names";
import { blocksOf, onTheWay } from "./plain";
import { partsOf } from "./SelectionPane";
import { begun, fromAnswer, restAfter, type Shown, told } from "./shown";
import { fromAddress, toAddress } from "./state";

const sentence = (text: string, ...citations: number[]): AnswerSentence => ({
  text,
  citations,
  check: "verified",
  differences: [],
  support: 1,
  second_reading: null,
});
const citation = (n: number, quote: string, start: number): AnswerCitation => ({
  n,
  document: "report.pdf",
  path: "2024/report.pdf",
  title: "Northwind 2024",
  section: ["Strategy"],
  pages: [34, 35],
  about_page: null,
  sheet: null,
  cells: null,
  anchor: null,
  page_labels: null,
  ocr: null,
  paragraph_id: null,
  quote,
  snippet: quote,
  span: [start, start + quote.length],
  passage: n,
  chunk_id: "abc",
  document_id: 7,
  text_version: "v1",
  source: {
    changed: false,
    document_id: 7,
    range: [start, start + quote.length],
    kept: true,
  },
  source_type: "report",
  corpus: "Reports",
  report_id: null,
});

describe("the words on their way", () => {
  it.each([
    ["The wheel turns. [Citation 1] It", "The wheel turns.", "It"],
    ["The wheel  turns.\n", "The wheel turns.", ""],
    ["A [Citation 2] wheel. Next one", "A wheel.", "Next one"],
    ["Other words.", "The wheel turns.", ""],
  ])("%j without %j", (tail, words, rest) => expect(restAfter(tail, words)).toBe(rest));

  it("show no mark of citation, whole or half", () => {
    expect(onTheWay("The wheel [Citation 1, 3] turns [Cita")).toBe("The wheel turns");
  });
});

describe("an answer that is told of", () => {
  const start = (): Shown => begun({ question: " Why? ", selection: null } as AskRequest);

  it("grows by its events, each reading under its own name", () => {
    const one = citation(1, "The wheel turns.", 10);
    const events: Parameters<typeof told>[1][] = [
      {
        event: "searching",
        searched_for: "why wheel",
        earlier: "What is a wheel?",
        understood: [],
        inherited: [],
      },
      { event: "retrieved", chunks_searched: 12, milliseconds: 3, context_tokens: 40, passages: [] },
      { event: "writing", generator: "chat", model: "m", reading: "First" },
      { event: "delta", reading: 0, text: "The wheel turns. " },
      { event: "sentence", reading: 0, sentence: sentence("The wheel turns.", 1), citations: [one] },
      { event: "writing", generator: "chat", model: "m", reading: "Second" },
      { event: "delta", reading: 1, text: "It rests" },
    ];
    const shown = events.reduce(told, start());
    expect(shown).toMatchObject({
      question: "Why?",
      standing: "pending",
      searchedFor: "why wheel",
      chunks: 12,
    });
    expect(shown.readings.map((each) => [each.name, each.sentences.length, each.tail])).toEqual([
      ["First", 1, ""],
      ["Second", 0, "It rests"],
    ]);
  });

  it("holds the figures of each reading, and those of an answer where it has but one", () => {
    const request = start().request;
    const answer = recorded("answer.ask", { question: "What were Northwind’s Scope 1 emissions in 2023?" });
    const { figures } = answer;
    expect(figures?.figures.map((each) => each.printed)).toEqual(["2,905,000"]);
    const carried = (given: Partial<Answer>) =>
      fromAnswer({ ...answer, ...given }, request).readings.map((each) => each.figures);
    expect(carried({})).toEqual([figures]);
    // Answers that were kept before there were figures have no such field.
    expect(carried({ figures: undefined as never })).toEqual([undefined]);
    expect(carried({ figures: null })).toEqual([undefined]);
    const reading = { ...answer, reading: "Northwind", answer: "" };
    const readings = [reading, { ...reading, figures: null }, { ...reading, figures: undefined as never }];
    expect(carried({ figures: null, readings })).toEqual([figures, undefined, undefined]);
  });

  it("names what was searched for only where an earlier question completed it", () => {
    const shown = told(start(), {
      event: "searching",
      searched_for: "Why?",
      earlier: null,
      understood: [],
      inherited: [],
    });
    expect(shown.searchedFor).toBeUndefined();
  });

  it("is copied with its marks and its sources", () => {
    const shown: Shown = {
      ...start(),
      standing: "incomplete",
      readings: [
        {
          name: "",
          sentences: [
            sentence("The wheel turns.", 1),
            sentence("- It rests.", 1, 2),
            sentence("Nobody knows."),
          ],
          citations: [citation(1, "The wheel\nturns.", 0), citation(2, "It rests.", 20)],
          tail: "",
          confidence: 1,
          figures: undefined,
        },
      ],
    };
    expect(withCitations(shown)).toBe(
      [
        "Why?",
        "The wheel turns. [Citation 1]\n- It rests. [Citation 1] [Citation 2] Nobody knows.",
        "(This answer is incomplete.)",
        "[Citation 1] Northwind 2024, pp.\u00a034–35, Strategy: “The wheel turns.”\n[Citation 2] Northwind 2024, pp.\u00a034–35, Strategy: “It rests.”",
      ].join("\n\n"),
    );
  });
});

describe("a citation", () => {
  it("opens the page of a PDF with its words marked, the text of another file, and a paragraph in Standards", () => {
    const pdf = citation(1, "The wheel turns.", 10);
    expect(placeOf(pdf)).toBe(
      "#/chunk-lab?document=7&chunk=abc&view=read&show=page&page=34&version=v1&mark=10-26",
    );
    expect(placeOf({ ...pdf, path: "notes.md", document: "notes.md" })).toBe(
      "#/chunk-lab?document=7&chunk=abc&view=read&version=v1&mark=10-26",
    );
    expect(placeOf({ ...pdf, paragraph_id: "S2.14(a)", source_type: "ifrs_s2" })).toBe(
      "#/standards/S2.14(a)",
    );
    expect(placeOf({ ...pdf, document_id: 0 })).toBeUndefined();
  });

  it("opens the text that it was made from where its source has changed, and nothing in the place of what is lost", () => {
    const cited = citation(1, "The wheel turns.", 10);
    const changed = (source: Partial<typeof cited.source>) =>
      placeOf({ ...cited, source: { ...cited.source, changed: true, ...source } });
    const former = "#/chunk-lab?document=7&version=v1&mark=10-26";
    expect(changed({ range: null })).toBe(former);
    expect(changed({ document_id: null, range: null })).toBe(former);
    expect(changed({ document_id: 9 })).toBe("#/chunk-lab?document=9&version=v1&mark=10-26");
    expect(changed({ kept: false, range: [30, 46] })).toBe("#/chunk-lab?document=7&view=read&mark=30-46");
    expect(changed({ kept: false, range: null })).toBe("#/chunk-lab?document=7&view=read");
    expect(changed({ kept: false, document_id: null, range: null })).toBeUndefined();
    const paragraph = { ...cited, paragraph_id: "S2.14(a)", source_type: "ifrs_s2" };
    expect(placeOf({ ...paragraph, source: { ...cited.source, changed: true } })).toBe(former);
  });

  it("marks its words in the selected text, and no words twice", () => {
    const text = "The wheel turns. It rests.";
    const parts = partsOf(text, [
      citation(2, "It rests.", 17),
      citation(1, "The wheel turns.", 0),
      citation(3, "wheel", 4),
    ]);
    expect(parts.map((each) => [each.text, each.citation?.n])).toEqual([
      ["The wheel turns.", 1],
      [" ", undefined],
      ["It rests.", 2],
    ]);
  });
});

describe("sentences", () => {
  it("stand in paragraphs by document, in items with what follows their lead, and in rows", () => {
    const all = [
      sentence("One.", 1),
      sentence("Two.", 1),
      sentence("Other document.", 2),
      sentence("- **Lead.**", 1),
      sentence("Explained.", 1),
      sentence("- Second item.", 1),
      sentence("After the list.", 1),
      sentence("| a | b |", 1),
      sentence("| c | d |", 1),
    ];
    const blocks = blocksOf(all, (each) => String(each.citations[0]));
    expect(
      blocks.map((block) => [block.kind, block.items.map((items) => items.map(({ at }) => at))]),
    ).toEqual([
      ["paragraph", [[0, 1]]],
      ["paragraph", [[2]]],
      ["list", [[3, 4], [5]]],
      ["paragraph", [[6]]],
      ["row", [[7], [8]]],
    ]);
  });
});

describe("the log", () => {
  it("is headed by days", () => {
    const now = new Date(2025, 10, 19, 14, 31);
    const at = (day: number, hour = 12) => new Date(2025, 10, day, hour).toISOString();
    expect(
      [at(19, 0), at(18, 23), at(18, 0), at(17, 23), at(13), at(12)].map((each) => dayOf(each, now)),
    ).toEqual(["today", "yesterday", "yesterday", "week", "week", "earlier"]);
  });
});

describe("the address", () => {
  it("holds everything a person would want back", () => {
    const query = {
      q: "Why?",
      answer: "12",
      cite: "2",
      session: "s-1",
      follow: "no",
      generator: "chat",
      model: "a/b:free",
      second: "yes",
      corpus: "A,B%2CC",
      report: "northwind-2024",
      from: "selection",
    };
    const place = fromAddress(new URLSearchParams(query));
    expect(place.corpora).toEqual(["A", "B,C"]);
    const written = Object.entries(toAddress(place)).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(written)).toEqual(query);
  });

  it("leaves at its default what makes no sense", () => {
    const place = fromAddress(
      new URLSearchParams({ answer: "x", cite: "0", follow: "maybe", from: "outside" }),
    );
    expect(place).toMatchObject({ answer: undefined, cite: undefined, follow: true, selection: false });
  });
});
