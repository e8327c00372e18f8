// What is selected on a page stands in the text of its document, word for word.

import { describe, expect, it } from "vitest";
import { idOf, recorded } from "@/api/recording";
import type { DocumentView, PageBlock, PageLayout } from "@/api/types";
import { spanOf, spotsOf } from "./spots";

const BOX = { x: 0.1, y: 0.1, width: 0.5, height: 0.1 };
const block = (kind: PageBlock["kind"], text: string, rows = 0): PageBlock => ({
  kind,
  level: null,
  depth: 0,
  text,
  boxes: [BOX],
  rows: Array.from({ length: rows }, () => BOX),
  header_rows: rows > 0 ? 1 : 0,
});
const TEXT = `# Before

## Emissions

They fell **again**, see below.

- First the mills;
- then the mines.

| What | 2023 | 2024 |
| --- | --- | --- |
| Scope 1 | 11,300 | 10,184 |
| Scope 2 | 368 | 315 |

\\* Restated.

# Behind
`;
const FIRST = TEXT.indexOf("## Emissions");
const view = {
  text: TEXT,
  structure: { pages: [{ number: 1, label: null, range: [FIRST, TEXT.indexOf("# Behind")] }] },
} as unknown as DocumentView;
const layout = {
  page: 1,
  blocks: [
    block("heading", "Emissions"),
    block("paragraph", "They fell again, see below."),
    block("item", "First the mills;"),
    block("item", "then the mines."),
    block("table", "What 2023 2024 Scope 1 11,300 10,184 Scope 2 368 315", 3),
    block("paragraph", "* Restated."),
  ],
} as unknown as PageLayout;
const wordsAt = (at: number, of = layout) => {
  const spot = spotsOf(of)[at];
  const span = spot && spanOf(view, of, spot);
  return span && TEXT.slice(...span);
};

describe("what is selected on a page", () => {
  it("is a block without its markup, or a row of a table", () => {
    expect(layout.blocks.length).toBe(6);
    expect(Array.from({ length: 8 }, (_, at) => wordsAt(at))).toEqual([
      "Emissions",
      "They fell **again**, see below.",
      "First the mills;",
      "then the mines.",
      "| What | 2023 | 2024 |",
      "| Scope 1 | 11,300 | 10,184 |",
      "| Scope 2 | 368 | 315 |",
      "\\* Restated.",
    ]);
  });

  it("is the whole table where its rows are not those of the text", () => {
    const other = { ...layout, blocks: [block("table", "What 2023 2024 Scope 1", 2)] };
    expect(wordsAt(1, other)).toMatch(/^\| What[\s\S]*\| 315 \|$/);
  });

  it("is nothing where the words are not on the page", () => {
    expect(wordsAt(0, { ...layout, blocks: [block("heading", "Before")] })).toBeUndefined();
  });

  it("begins with the first words of every block that the engine placed, in reading order", () => {
    const source = { kind: "document" as const, id: idOf<number>("northwind") };
    const page = recorded("document.page_layout", { source, page: 3 });
    const { text, structure } = recorded("chunk.preview", { source });
    const real = { text, structure } as unknown as DocumentView;
    const letters = (words: string) => words.replace(/[^\p{L}\p{N}]/gu, "");
    const spans = spotsOf(page).map((spot) => [spot, spanOf(real, page, spot)] as const);
    expect(spans.length).toBeGreaterThan(4);
    let last = 0;
    for (const [{ block_words }, span] of spans) {
      const quote = letters((text ?? "").slice(...(span ?? [0, 0])));
      expect(letters(block_words).startsWith(quote.slice(0, 60))).toBe(true);
      expect(span?.[0]).toBeGreaterThanOrEqual(last);
      last = span?.[1] ?? last;
    }
  });
});
