// The stretches of a page that a reviewer can select: blocks, and the rows of tables.

import type { DocumentView, Mark, PageBlock, PageLayout } from "@/api/types";

/** A block of a page, or a row of a table, with its places on the page. */
export type Spot = { block: number; row: number | undefined; boxes: readonly Mark[]; block_words: string };

type Span = [number, number];

/** Signs of a block that are looked for in the text: a layout gives its first words only. */
const SOUGHT = 40;
const SEPARATOR = /^\s*\|[\s:|-]+\|?\s*$/;
/** Signs of the markup that stands before a heading or an item. */
const MARKUP = /^\s*(?:#{1,6}|[-*+])\s+/;

/** The stretches of a page in reading order; those without a place on it are none. */
export const spotsOf = ({ blocks }: PageLayout): Spot[] =>
  blocks.flatMap(({ boxes, rows, text }, block): Spot[] =>
    rows.length > 0
      ? rows.map((each, row) => ({ block, row, boxes: [each], block_words: text }))
      : boxes.length > 0
        ? [{ block, row: undefined, boxes, block_words: text }]
        : [],
  );

/** Letters and digits alone, each with its place: blank signs and markup differ between a layout and the text. */
function lettersOf(text: string): { letters: string; places: number[] } {
  let letters = "";
  const places: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (!/[\p{L}\p{N}]/u.test(sign)) continue;
    letters += sign;
    places.push(at);
  }
  return { letters, places };
}

/** Where the line of `at` begins, its markup left out; not before `least`. */
function lineStart(text: string, at: number, least: number): number {
  const start = Math.max(least, text.lastIndexOf("\n", at - 1) + 1);
  return start + (MARKUP.exec(text.slice(start, at))?.[0].length ?? 0);
}

/** Whether no letter or digit stands before `at` in its line; the text begins at `least`. */
const opensLine = (text: string, at: number, least: number): boolean =>
  !/[\p{L}\p{N}]/u.test(text.slice(Math.max(least, text.lastIndexOf("\n", at - 1) + 1), at));

/** Where each block begins in the text of its page; nothing for one whose words are not found. */
function startsOf(text: string, [first, last]: Span, blocks: readonly PageBlock[]): (number | undefined)[] {
  const { letters, places } = lettersOf(text.slice(first, last));
  let from = 0;
  return blocks.map((block) => {
    const sought = lettersOf(block.text).letters.slice(0, SOUGHT);
    const any = sought === "" ? -1 : letters.indexOf(sought, from);
    // The words of a heading may stand inside the paragraph before it: those that open a line go first.
    let at = any;
    while (at >= 0 && !opensLine(text, first + (places[at] ?? 0), first))
      at = letters.indexOf(sought, at + 1);
    if (at < 0) at = any;
    const place = places[at];
    if (at < 0 || place === undefined) return undefined;
    from = at + sought.length;
    return first + place;
  });
}

/** The rows of a table, or the whole of it where they are not as many as are drawn. */
function rowOf(text: string, [start, end]: Span, row: number, rows: number): Span {
  const lines: Span[] = [];
  let at = start;
  for (const line of text.slice(start, end).split("\n")) {
    if (line.trim() !== "" && !SEPARATOR.test(line)) lines.push([at, at + line.trimEnd().length]);
    at += line.length + 1;
  }
  return (lines.length === rows && lines[row]) || [start, end];
}

/** Where the words of `spot` stand in the document's text; nothing where they are not found. */
export function spanOf(document: DocumentView, { page, blocks }: PageLayout, spot: Spot): Span | undefined {
  const { text, structure } = document;
  const range = structure.pages.find(({ number }) => number === page)?.range;
  if (!range) return undefined;
  const starts = startsOf(text, range, blocks);
  const found = starts[spot.block];
  if (found === undefined) return undefined;
  const start = lineStart(text, found, range[0]);
  const next = starts.slice(spot.block + 1).find((each) => each !== undefined);
  const blank = text.indexOf("\n\n", start);
  const before = next === undefined ? range[1] : text.lastIndexOf("\n", next);
  const until = Math.min(
    range[1],
    blank < 0 ? text.length : blank,
    before > start ? before : (next ?? range[1]),
  );
  const end = start + text.slice(start, until).trimEnd().length;
  const rows = blocks[spot.block]?.rows.length ?? 0;
  return spot.row === undefined ? [start, end] : rowOf(text, [start, end], spot.row, rows);
}
