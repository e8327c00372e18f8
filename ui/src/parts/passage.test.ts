import { describe, expect, it } from "vitest";
import { inDocument, inOneLine, readable, rowsInLines, shownStretch, snippetOf } from "./passage";

describe("a passage as it is read", () => {
  it("joins the lines of a paragraph and drops the marks of Markdown", () =>
    expect(
      readable("## Aim\n\n**S1.1 · Aim** of the\n    standard.\n\n- **(iv)** a plan\n  that holds"),
    ).toBe("Aim\n\nS1.1 · Aim of the standard.\n\n(iv) a plan that holds"));
  it("drops the marks of items inside items and of text that is moved in", () =>
    expect(
      readable(
        "- **(a) Response.** How it\n  answers.\n\n  *Asked as:* what it does;\n  why.\n\n  - **(iv) Plan.** Its\n    *main* assumptions.\n\n    Moved in by **four**.\n- plain `code`\n    - inner [link](x.md)",
      ),
    ).toBe(
      "(a) Response. How it answers.\n\n  Asked as: what it does; why.\n\n  (iv) Plan. Its main assumptions.\n\n    Moved in by four.\n• plain code\n  • inner link",
    ));
  it("leaves signs that mark nothing", () => {
    const text = "Scope 1* and 2* are 3 * 4 * 5 of S1.A.primary_users and a_b_c\n\n    x = 1 < 2 > 1";
    expect(readable(text)).toBe(text.replace("    x", "x"));
    expect(readable("\\*not so\\*")).toBe("*not so*");
  });
  it("takes no short word at the end of a sentence for the number of an item", () =>
    expect(readable("They bear\nrisk. Banks measure\nit. (iv) So it is.\n(iv) So\nB42. So\n12. So")).toBe(
      "They bear risk. Banks measure it. (iv) So it is.\n(iv) So\nB42. So\n12. So",
    ));
  it("keeps items, paragraph numbers and tables on lines of their own", () => {
    const text = "The entity:\n(a) says so\n(b) shows it\n\n| A | B |\n|---|---|\n| 1 | 2 |";
    expect(readable(text)).toBe(text);
  });
  it("shows a stretch of what is written where it stands, whatever its breaks and marks", () => {
    const written =
      "- **(iv) Plan.** Its\n  *main* aim (50 %+)\n  is set.\n\nIt may. It \u202emay\u202c not.";
    const shown = readable(written);
    const found = (part: string) => {
      const stretch = shownStretch(shown, part);
      return stretch && shown.slice(stretch.start, stretch.end);
    };
    expect(found("Its\n  *main* aim (50 %+)\n  is set.")).toBe("Its main aim (50 %+) is set.");
    expect(found("- **(iv) Plan.**")).toBe("(iv) Plan.");
    expect(found("It may.")).toBe("It may.");
    expect(found("It rests.")).toBeUndefined();
    expect(found(" \n")).toBeUndefined();
  });
  it("is asked for on its page where the file has pages that can be drawn", () => {
    const hit = { document_id: 7, chunk_id: "c1", path: "a/Report.PDF", pages: [34, 35] as [number, number] };
    expect(inDocument(hit)).toEqual({ document: "7", chunk: "c1", view: "read", show: "page", page: "34" });
    for (const other of [{ path: "report.md" }, { pages: null }])
      expect(inDocument({ ...hit, ...other })).toEqual({ document: "7", chunk: "c1", view: "read" });
  });
  it("stands on one line without marks", () =>
    expect(inOneLine("#### Risks\n\n- **first** item\n\n| A | B |\n|:--|--:|\n| 1 | 2 |")).toBe(
      "Risks first item A · B 1 · 2",
    ));
  it("shows tables as lines of cells", () =>
    expect(rowsInLines("Prices:\n| Year | € |  |\n|---|---:|---|\n| 2030 | 95 | |\n\na | b")).toBe(
      "Prices:\nYear · €\n2030 · 95\n\na | b",
    ));
  it("begins in a list with what is its own, where its label tells where that is", () => {
    const passage = "Plans\n\n(a) Shared.\n\n- **(iv) Any transition\n  plan.** Its words.";
    const chunk_text = `[S2 > S2.14(a)]\n\n${passage}`;
    expect(snippetOf({ chunk_text, passage, metadata: { label: "Any transition plan" } })).toBe(
      "Any transition plan. Its words.",
    );
    expect(snippetOf({ chunk_text, passage, metadata: {} })).toMatch(/^Plans \(a\) Shared/);
  });
});
