import { Text } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { cellsOf, emphasisIn, paragraphAt, softBreaks, strongIn, tablesOf } from "./markdown";

const cells = (line: string) => cellsOf(line).map(([from, to]) => line.slice(from, to));

describe("a row", () => {
  it.each([
    ["| Milestone | 2027 |", ["Milestone", "2027"]],
    ["|a|b|", ["a", "b"]],
    ["  | a | b", ["a", "b"]],
    ["| a | | c |", ["a", "", "c"]],
    ["| a \\| b | c |", ["a \\| b", "c"]],
    ["||", [""]],
  ])("%s", (line, expected) => expect(cells(line)).toEqual(expected));
});

describe("a table", () => {
  const text = [
    "Before",
    "| Site | Use | Share |",
    "|---|---|:--|",
    "| Ostend, harbour | 1,200 | 4% |",
    "| Lyon | — | 9% |",
    "",
    "| no | rule |",
  ];
  const at = tablesOf(Text.of(text));

  it("is found from any of its lines", () => {
    const table = at(4);
    expect(table).toMatchObject({ first: 2, rule: 3, last: 5 });
    expect(at(2)).toBe(table);
    expect(at(5)).toBe(table);
    expect(at(1)).toBeUndefined();
  });

  it("gives long columns more room, all together the whole", () => {
    const widths = at(2)?.widths ?? [];
    expect(widths[0]).toBeGreaterThan(widths[1] ?? 0);
    expect(widths.reduce((sum, each) => sum + each, 0)).toBeCloseTo(100);
  });

  it("gives a short column room for its longest word beside a long one", () => {
    const [short] =
      tablesOf(Text.of(["| Metric | Text |", "|---|---|", `| Water | ${"a".repeat(80)} |`]))(1)?.widths ?? [];
    // Where 54 characters have room in a line, two of them go to the space around a cell.
    expect(((short ?? 0) / 100) * 54).toBeGreaterThanOrEqual("Metric".length + 2);
  });

  it("lets figures end at one line, unless the table says otherwise", () => {
    expect(at(2)?.ends).toEqual([false, true, false]);
  });

  it("is none without the line that parts head and body", () => {
    expect(at(7)).toBeUndefined();
  });

  it("of any length is looked through once", () => {
    const rows = Array.from({ length: 50_000 }, (_, row) => `| Site ${row} | ${row} |`);
    const find = tablesOf(Text.of(["| Site | Use |", "|---|---|", ...rows]));
    const first = find(40_000);
    const begun = performance.now();
    for (let line = 1; line < 50_000; line += 50) expect(find(line)).toBe(first);
    expect(performance.now() - begun).toBeLessThan(500);
  });
});

describe("strong words", () => {
  it("are those between two pairs of stars", () => {
    const line = "A **strong** word, 2 ** 3 and **two of them**.";
    expect(strongIn(line).map(({ from, to }) => line.slice(from, to))).toEqual([
      "**strong**",
      "**two of them**",
    ]);
  });
});

describe("emphasised words", () => {
  it.each([
    ["An *amendment of 2023* by the *board*.", ["*amendment of 2023*", "*board*"]],
    ["See _annex B_, not snake_case_name.", ["_annex B_"]],
    ["**strong** is not, nor 2 * 3 * 4, nor \\*this\\*.", []],
    ["* an item, with *stress*", ["*stress*"]],
  ])("of %s", (line, words) => {
    expect(emphasisIn(line).map(({ from, to }) => line.slice(from, to))).toEqual(words);
  });
});

describe("a break that is only how the source was wrapped", () => {
  it.each<[string, string[], number[]]>([
    ["within a paragraph", ["One line", "goes on", "and on.", "", "Another."], [1, 2]],
    ["within an item", ["- An item", "  goes on", "- Another"], [1]],
    ["not before a block", ["Words", "# Heading", "Words", "| a |", "1. one", "> said"], []],
    ["not where it is asked for", ["Two spaces  ", "and a stroke\\", "end"], []],
    [
      "not in code, nor in the fields before the text",
      ["---", "title: A", "tags: b", "---", "```", "a", "b", "```", "c", "d"],
      [9],
    ],
  ])("%s", (_, lines, expected) => expect([...softBreaks(Text.of(lines))]).toEqual(expected));

  it("makes one paragraph of its lines, with the places of the text", () => {
    const doc = Text.of(["# A", "", "One", "two", "three", "", "b"]);
    const soft = softBreaks(doc);
    const whole = { from: 5, to: 18, text: "One\ntwo\nthree", number: 3 };
    for (const at of [5, 9, 18]) expect(paragraphAt(doc, soft, at)).toEqual(whole);
    expect(paragraphAt(doc, soft, 4)).toEqual({ from: 4, to: 4, text: "", number: 2 });
  });
});
