import { describe, expect, it } from "vitest";
import { inOneLine, readable } from "./passage";

describe("a passage as it is read", () => {
  it("joins the lines of a paragraph and drops the marks of Markdown", () =>
    expect(
      readable("## Aim\n\n**S1.1 · Aim** of the\n    standard.\n\n- **(iv)** a plan\n  that holds"),
    ).toBe("Aim\n\nS1.1 · Aim of the standard.\n\n- (iv) a plan that holds"));
  it("keeps items, paragraph numbers and tables on lines of their own", () => {
    const text = "The entity:\n(a) says so\n(b) shows it\n\n| A | B |\n|---|---|\n| 1 | 2 |";
    expect(readable(text)).toBe(text);
  });
  it("stands on one line without marks", () =>
    expect(inOneLine("#### Risks\n\n- **first** item\n")).toBe("Risks first item"));
});
