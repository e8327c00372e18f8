// Pins a passage by its words and their place in the document, so that it is found again however the text is cut.

import { call } from "@/api/client";
import type { DocumentView, Hit, PinnedPassage } from "@/api/types";
import { headerAndBody } from "@/parts/passage";

const AROUND = 32;
const bytes = new TextEncoder();

/** The anchor of `quote` in a document; the place nearest to `near` (UTF-16) where it stands more than once. */
export function anchor(document: DocumentView, quote: string, near: number): PinnedPassage | undefined {
  const { text, row, structure } = document;
  let start = -1;
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (start >= 0 && Math.abs(at - near) > Math.abs(start - near)) break;
    start = at;
  }
  if (start < 0) return undefined;
  const end = start + quote.length;
  const first = bytes.encode(text.slice(0, start)).length;
  return {
    text_version: row.text_version,
    path: row.path,
    start: first,
    end: first + bytes.encode(quote).length,
    quote,
    before: [...text.slice(Math.max(0, start - 2 * AROUND), start)].slice(-AROUND).join(""),
    after: [...text.slice(end, end + 2 * AROUND)].slice(0, AROUND).join(""),
    page: structure.pages.find(({ range }) => start >= range[0] && start < range[1])?.number ?? null,
  };
}

/** Anchors the words shown of a passage; of a passage that was put together, its longest stretch. */
export async function pinned(hit: Hit, shown: string): Promise<PinnedPassage> {
  const [{ view }, document] = await Promise.all([
    call("chunk.get", { chunk_id: hit.chunk_id }),
    call("document.get", { id: hit.document_id }),
  ]);
  const own = view.pieces
    .flatMap((piece) => (piece.kind === "source" && piece.role === "body" ? [piece.range] : []))
    .map(([start, end]) => document.text.slice(start, end).trim())
    .sort((a, b) => b.length - a.length)[0];
  for (const quote of [shown, headerAndBody(hit.chunk_text).body.trim(), own])
    if (quote) {
      const found = anchor(document, quote, view.range[0]);
      if (found) return { ...found, page: found.page ?? hit.pages?.[0] ?? null };
    }
  throw { code: "not_found", message: "the passage is no longer in its document; look for evidence again" };
}

/** Whether a pinned passage is the one shown. */
export const isPinned = (passage: PinnedPassage, hit: Hit): boolean =>
  passage.path === hit.path && headerAndBody(hit.chunk_text).body.includes(passage.quote);
