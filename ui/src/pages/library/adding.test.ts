import { describe, expect, it } from "vitest";
import { ending, folderName, kindName, kindsOf } from "./adding";

describe("dropped paths", () => {
  it("tell their kinds", () => {
    expect(kindsOf(["/a/x.pdf", "/a/y.PDF", "/a/z.md", "/a/reports"])).toEqual([
      ["PDF", 2],
      ["", 1],
      ["MD", 1],
    ]);
    expect(ending("/a/.hidden")).toBeUndefined();
    expect(ending("C:\\reports\\2024.docx")).toBe("DOCX");
  });

  it("have words for the kinds that have some", () =>
    expect(["md", "mdx", "docx", "txt", "pdf", ""].map(kindName)).toEqual([
      "Markdown",
      "Markdown",
      "Word",
      "text",
      "PDF",
      "without an extension",
    ]));

  it("name a new corpus", () => {
    expect(folderName(["/home/ada/reports 2024/"])).toBe("reports 2024");
    expect(folderName(["/home/ada/reports/a.pdf", "/home/ada/reports/b.pdf"])).toBe("reports");
    expect(folderName(["a.pdf"])).toBe("");
  });
});
