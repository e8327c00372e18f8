// Where a chunk of a corpus lies: the chunks of its documents stand one after the other, and are loaded in pages.

import type { DocumentRow } from "@/api/types";

/** Chunks of a page. */
export const PAGE = 100;

/** A document with the place of its first chunk, and the place behind its last one. */
export type Shelf = { document: number; start: number; end: number };

/** A page of a document's chunks, as the engine gives it. */
export type Page = { key: string; document: number; offset: number; limit: number };

const keyOf = (document: number, offset: number) => `${document}:${offset}`;

/** The documents one after the other; those without chunks take no place. */
export function shelve(documents: readonly Pick<DocumentRow, "id" | "chunks">[]): Shelf[] {
  let start = 0;
  return documents.flatMap(({ id, chunks }) => {
    if (chunks === 0) return [];
    const shelf = { document: id, start, end: start + chunks };
    start = shelf.end;
    return [shelf];
  });
}

/** The first shelf that ends behind `index`. */
function shelfAt(shelves: readonly Shelf[], index: number): number {
  let low = 0;
  let high = shelves.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shelves[middle]?.end ?? 0) > index) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The page that chunk `index` of the corpus stands on, and its place there. */
export function placeOf(shelves: readonly Shelf[], index: number): { page: string; at: number } | undefined {
  const shelf = shelves[shelfAt(shelves, index)];
  if (!shelf || index < shelf.start) return undefined;
  const within = index - shelf.start;
  return { page: keyOf(shelf.document, within - (within % PAGE)), at: within % PAGE };
}

/** The pages on which the chunks from `first` to `last` stand. */
export function pagesBetween(shelves: readonly Shelf[], first: number, last: number): Page[] {
  const pages: Page[] = [];
  for (let at = shelfAt(shelves, first); at < shelves.length; at += 1) {
    const { document, start, end } = shelves[at] as Shelf;
    if (start > last) break;
    const from = Math.max(first, start) - start;
    const to = Math.min(last + 1, end) - start;
    for (let offset = from - (from % PAGE); offset < to; offset += PAGE)
      pages.push({ key: keyOf(document, offset), document, offset, limit: PAGE });
  }
  return pages;
}
