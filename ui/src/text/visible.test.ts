import { describe, expect, it } from "vitest";
import { t } from "./index";
import { visible } from "./visible";

describe("names from outside", () => {
  it("cannot hide what they end in", () => {
    expect(visible("invoice\u202efdp.exe")).toBe("invoice\ufffdfdp.exe");
    expect(visible("a\u0000\u200b\u2066b\u2069\u0007")).toBe("a\ufffd\ufffd\ufffdb\ufffd\ufffd");
  });

  it("keep every script and every line", () => {
    for (const name of ["تقرير 2024.pdf", "דוח.docx", "क्षेत्र\u200dीय.md", "report\n\tpart", "👩‍👩‍👧.pdf"])
      expect(visible(name)).toBe(name);
  });

  it("stay inert in sentences", () => {
    expect(t("library.delete.done", { name: "x\u202ey" })).toBe("Moved x\ufffdy to the bin");
  });
});
