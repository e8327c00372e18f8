import { expect, test } from "vitest";
import { citedPage, pagesOf } from "./cited";

test("a page whose label differs is called by both", () => {
  expect(citedPage(12, "iv")).toBe("12\u00a0(iv)");
  expect(citedPage(12, "12")).toBe("12");
  expect(citedPage(12, null)).toBe("12");
});

test.each([
  [{ pages: null }, undefined],
  [{ pages: [58, 58] }, "p.\u00a058"],
  [{ pages: [58, 59], page_labels: null }, "pp.\u00a058–59"],
  [{ pages: [12, 12], page_labels: ["iv", "iv"] }, "p.\u00a012\u00a0(iv)"],
  [{ pages: [12, 13], page_labels: ["iv", "v"] }, "pp.\u00a012–13\u00a0(iv–v)"],
  [{ pages: [58, 59], page_labels: ["58", "59"] }, "pp.\u00a058–59"],
  [{ pages: [1, 2], page_labels: ["Annex", "Annex"] }, "pp.\u00a01–2\u00a0(Annex)"],
] as const)("pages %o are cited as %s", (pages, cited) => {
  expect(pagesOf(pages as Parameters<typeof pagesOf>[0])).toBe(cited);
});
