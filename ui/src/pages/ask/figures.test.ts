import { describe, expect, it } from "vitest";
import { recorded } from "@/api/recording";
import type { Answer, AnswerCitation, AskRequest, FigureShown } from "@/api/types";
import {
  askedInstead,
  figurePlace,
  holeIn,
  inFigures,
  inOneLine,
  inWords,
  nearestIn,
  printedOf,
  standsOf,
  whatOf,
} from "./figures";
import { answersWhy, standsWhy } from "./reasons";
import { fromAnswer, type Shown } from "./shown";

const asked = (question: string): Answer => recorded("answer.ask", { question });
const VALUE = asked("What were Northwind’s Scope 1 emissions in 2023?");
const CHANGE = asked("How did Northwind’s Scope 1 emissions change from 2023 to 2024?");
const QUOTED = asked("How many homes does Northwind sell electricity and gas to?");
const MISSING = asked("What were Northwind’s Scope 1 emissions in 2021?");
const TOGETHER = asked("What were Northwind’s Scopes 1 and 2 emissions in 2024?");
const PLAN = asked("What must a transition plan disclose?");

const shown = (answer: Answer, change: Partial<Answer> = {}): Shown =>
  fromAnswer({ ...answer, ...change }, { selection: null } as AskRequest);
const figure = (given: Partial<FigureShown> = {}): FigureShown => ({
  ...(VALUE.figures?.figures[0] as FigureShown),
  ...given,
});
const [source] = VALUE.citations as [AnswerCitation];

describe("a figure", () => {
  it.each([
    [{ printed: "2,905,000", unit: "t" }, "2,905,000 t"],
    [{ printed: "12.3", unit: "%" }, "12.3 %"],
    [{ printed: "5.2", unit: "€" }, "€5.2"],
    [{ printed: "4,120", unit: null }, "4,120"],
  ])("is written as it is printed: %j", (given, written) => expect(printedOf(given)).toBe(written));

  it.each([
    [{}, "Scope 1, total, 2023"],
    [{ status: "target" }, "Scope 1, total, 2023, target"],
    [{ period: null }, "Scope 1, total"],
    [{ origin: "sentence" }, "2023"],
  ] as [Partial<FigureShown>, string][])(
    "is told with its period, and its kind where it is no actual one: %j",
    (given, what) => expect(whatOf(figure(given))).toBe(what),
  );

  it("is copied with what it is, its period and its source", () => {
    expect(inOneLine(figure({ status: "restated" }), source)).toBe(
      `2,905,000 t CO2e; Scope 1, total; 2023, restated; ${source.title}, p.\u00a011 · ${source.section.join(" › ")}`,
    );
  });

  it("is read out with what follows from it", () => {
    expect(CHANGE.figures && inWords(CHANGE.figures)).toBe(
      "2,905,000 t CO2e, Scope 1, total, 2023; 2,548,000 t CO2e, Scope 1, total, 2024; 2,548,000 − 2,905,000 = −357,000 t CO2e (-12.3 %)",
    );
  });

  it("is looked up by the words of its name in its report, by its year where it has none", () => {
    const filters = (figures: FigureShown[], report_id: string | null = "northwind-2024") => {
      const [page, query] = inFigures(figures, { ...source, report_id }).split("?");
      return [page, Object.fromEntries(new URLSearchParams(query))];
    };
    const reports = "northwind-2024";
    expect(filters([figure({ name: "Emissions › Scope 1" })])).toEqual([
      "#/figures",
      { q: "Emissions Scope 1", reports },
    ]);
    const both = [figure({ name: "Women › Board" }), figure({ name: "Women › Staff" })];
    expect(filters(both)).toEqual(["#/figures", { q: "Women", reports }]);
    const quoted = figure({ origin: "sentence", name: "It was 7 in 2023.", period: "H1 2023" });
    expect(filters([quoted])).toEqual(["#/figures", { reports, years: "2023" }]);
    expect(filters([figure({ name: "a" }), figure({ name: "b" })], null)).toEqual(["#/figures", {}]);
  });

  it("opens in its document, on its page where it has one", () => {
    const [also] = TOGETHER.figures?.also ?? [];
    const { document_id, span } = also?.figure ?? { span: [] };
    const place = `#/chunk-lab?document=${document_id}&view=read&mark=${span.join("-")}`;
    expect(also && figurePlace(also.figure)).toBe(`${place}&show=page&page=14`);
    expect(also && figurePlace({ ...also.figure, page: null })).toBe(place);
  });
});

describe("a table", () => {
  it("leaves a hole where the cell that would answer is empty", () => {
    const [table] = MISSING.figures?.tables ?? [];
    expect(table && holeIn(table)).toEqual({ name: "Scope 1, total", period: "2021" });
    const [whole] = VALUE.figures?.tables ?? [];
    expect(whole && holeIn(whole)).toBeUndefined();
  });

  it.each([
    [["2024", "2023", "2021", "2019"], "2023: 3"],
    [["2023", "2022", "2021", "2020"], "2022: 3"],
    [["2023", "2022", "2021", "2020"], "2020: 4", ["2", "", "", "4"]],
    [["H1 2022", "FY 2024", "FY 2021", "Base year 2020"], "FY 2024: 3"],
    [["Now", "Then", "2021", "Before"], undefined],
  ] as [string[], string | undefined, string[]?][])(
    "has the nearest figure of its own kind of period: %j, %s",
    (head, nearest, cells = ["2", "3", "", "4"]) => {
      const found = nearestIn({
        citation: null,
        head: ["t", ...head],
        rows: [{ rows_before: 0, cells: ["Scope 1", ...cells], marked: [3] }],
        rows_after: 0,
        columns_left_out: 0,
      });
      const period = head.find((each) => found && each.includes(found.year));
      expect(found && `${period}: ${found.printed}`).toBe(nearest && `${nearest} t`);
    },
  );

  it("has none where nothing is missing", () => {
    const [whole] = VALUE.figures?.tables ?? [];
    expect(whole && nearestIn(whole)).toBeUndefined();
  });

  it.each([
    ["Scope 1 in 2021?", "Scope 1 in 2022?"],
    ["FY2021: Scope 1, and why 2021", "FY2022: Scope 1, and why 2022"],
    ["Scope 1 last year?", undefined],
    ["What changed from 2021 to 2022?", undefined],
    ["Form 120210?", undefined],
  ])("is asked for its nearest period in the same words: %s", (question, instead) => {
    expect(askedInstead(question, { missing: "2021", year: "2022", printed: "" })).toBe(instead);
  });

  it("has the figures of its cells; those of no table stand by their source", () => {
    const stands = ({ figures, citations }: Answer) =>
      figures && standsOf(figures, citations).map((each) => [each.table !== undefined, each.figures.length]);
    expect(stands(CHANGE)).toEqual([[true, 2]]);
    expect(stands(QUOTED)).toEqual([[false, 1]]);
    const quoted = figure({ origin: "sentence", printed: "2.9", citation: 2 });
    const elsewhere = { ...source, n: 2, document_id: 9, title: "Northwind 2022" };
    const figures = VALUE.figures && { ...VALUE.figures, figures: [figure(), quoted] };
    expect(stands({ ...VALUE, figures, citations: [source, elsewhere] })).toEqual([
      [true, 1],
      [false, 1],
    ]);
  });
});

describe("the reason of a mark", () => {
  it("names the conditions that figures met, and the period only where one was asked for", () => {
    expect(answersWhy(shown(VALUE), "yes")).toBe("subject, period and kind all match");
    expect(answersWhy(shown(QUOTED), "yes")).toBe("subject and kind match; no period was asked for");
    expect(answersWhy(shown(PLAN), "yes")).toBe("its sources are about all that is asked");
    expect(answersWhy(shown(VALUE), "likely")).toBe("its sources are about most of what is asked");
  });

  const one = { citations: [source], sentences: PLAN.sentences, figures: null };
  it.each([
    [
      "a cell, and places that agree",
      shown(TOGETHER),
      "read from the cell on p.\u00a011 · 1 more place agrees",
    ],
    ["cells", shown(CHANGE), "read from the cells on p.\u00a011"],
    ["a sentence", shown(QUOTED), "word for word on p.\u00a02"],
    ["words of one page", shown(PLAN, one), "word for word on p.\u00a011"],
    [
      "words of several pages",
      shown(PLAN, { ...one, citations: [source, { ...source, n: 2, pages: [12, 12] }, { ...source, n: 3 }] }),
      "word for word on 2 pages",
    ],
    [
      "a paragraph",
      shown(PLAN, { ...one, citations: [{ ...source, paragraph_id: "S2.14(a)" }] }),
      "word for word in S2.14(a)",
    ],
    ["paragraphs and pages", shown(PLAN), "word for word in 3 places"],
    ["a selection", shown(PLAN, { from_selection: true }), "word for word in the selected text"],
  ])("names the place of %s", (_, answer, why) => {
    expect(standsWhy(answer, "word_for_word")).toBe(why);
  });

  it("counts the sentences that stand where not all do", () => {
    const sentences = PLAN.sentences.map((each, at) =>
      at === 0 ? { ...each, check: "altered" as const } : each,
    );
    expect(standsWhy(shown(PLAN, { sentences }), "in_part")).toBe("the check confirms 3 of 4 sentences");
    expect(standsWhy(shown(PLAN, { sentences }), "no")).toBe("the check confirms none of its sentences");
  });
});
