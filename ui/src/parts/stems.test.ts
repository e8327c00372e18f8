import { describe, expect, it } from "vitest";
import { findStems } from "./stems";

const marked = (text: string, terms: string[]) =>
  findStems(text, terms).map(({ start, end }) => text.slice(start, end));

describe("words the index matched", () => {
  it.each([
    [
      "The plan depends on permitting; plans depend.",
      ["plan", "depend"],
      ["plan", "depends", "plans", "depend"],
    ],
    ["Each Transition Plan update", ["transit plan", "plan"], ["Transition Plan"]],
    [
      "Landfills, their management and an alternative",
      ["landfil", "manag", "altern"],
      ["Landfills", "management", "alternative"],
    ],
    ["energy and energies", ["energi"], ["energy", "energies"]],
    ["See S2.14(a)(iv).", ["s2 14 a iv"], ["S2.14(a)(iv"]],
    ["Resumé of the résumés", ["resum"], ["Resumé", "résumés"]],
    ["A planet is no plantation", ["plan"], []],
    ["", ["plan"], []],
    ["plan", [""], []],
    ["推動淨零排放與減碳目標", ["淨零 零排 排放", "減碳"], ["淨零排放", "減碳"]],
    ["ＥＳＧ相關債券 and ESG", ["esg", "債券"], ["ＥＳＧ", "債券", "ESG"]],
    ["サステナビリティ方針", ["方針", "サス ステ"], ["サステ", "方針"]],
  ])("%s", (text, terms, expected) => expect(marked(text, terms)).toEqual(expected));

  it("keeps stretches in order and apart", () => {
    const text = "plan the plan plan transition plan plans";
    const found = findStems(text, ["plan", "transit plan", "transit"]);
    for (const [index, each] of found.entries()) {
      expect(each.end).toBeGreaterThan(each.start);
      expect(each.start).toBeGreaterThanOrEqual(found[index - 1]?.end ?? 0);
    }
    expect(found).toHaveLength(5);
  });
});
