import { describe, expect, it } from "vitest";
import type { DocumentView, Hit, PinnedPassage } from "@/api/types";
import { anchor, isPinned } from "./pin";

const text = `Größe €80. ${"x".repeat(40)} The plan 🌍 holds. Then: The plan 🌍 holds.`;
const document = {
  row: { text_version: "v1", path: "a.pdf" },
  text,
  structure: {
    sections: [],
    pages: [{ number: 7, label: "iv", range: [0, text.length] }],
    ocr: null,
    notices: [],
  },
} as unknown as DocumentView;
const QUOTE = "The plan 🌍 holds.";

describe("an anchor", () => {
  it("counts in bytes and keeps 32 characters either side", () => {
    const found = anchor(document, QUOTE, 0);
    const whole = new TextEncoder().encode(text);
    expect(new TextDecoder().decode(whole.slice(found?.start, found?.end))).toBe(QUOTE);
    expect(found).toMatchObject({ text_version: "v1", path: "a.pdf", page: 7, page_label: "iv" });
    expect([...(found?.before ?? "")]).toHaveLength(32);
    expect(found?.after).toBe(" Then: The plan 🌍 holds.");
  });

  it("takes the nearest of several places", () =>
    expect(anchor(document, QUOTE, text.length)?.before.endsWith("Then: ")).toBe(true));

  it("is nothing where the words are gone", () => expect(anchor(document, "absent", 0)).toBeUndefined());
});

describe("a pinned passage", () => {
  it("is known where its document has another path now", () => {
    const pin = { ...anchor(document, QUOTE, 0), path: "former.pdf" } as PinnedPassage;
    const hit = { path: "a.pdf", document_id: 7, passage: text, chunk_text: text } as Hit;
    expect(isPinned(pin, hit)).toBe(false);
    const source = { changed: false, document_id: 7, range: null, kept: true };
    expect(isPinned({ ...pin, source }, hit)).toBe(true);
  });
});
