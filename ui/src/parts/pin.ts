// Pins a passage by its words and their place in the document, so that it is found again however the text is cut,
// and leads back to it.

import { call, EngineError } from "@/api/client";
import type { DocumentRow, DocumentView, Hit, PinnedPassage } from "@/api/types";
import { ocrOf } from "@/parts/ocr";
import { drawnPage, saidBy } from "@/parts/passage";
import { href, navigate } from "@/state/router";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t } from "@/text";

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
  // Pages that the document does not set itself are no place to come back to.
  const pages = structure.about_pages ? [] : structure.pages;
  const page = pages.find(({ range }) => start >= range[0] && start < range[1]);
  const first = bytes.encode(text.slice(0, start)).length;
  return {
    text_version: row.text_version,
    path: row.path,
    start: first,
    end: first + bytes.encode(quote).length,
    quote,
    before: [...text.slice(Math.max(0, start - 2 * AROUND), start)].slice(-AROUND).join(""),
    after: [...text.slice(end, end + 2 * AROUND)].slice(0, AROUND).join(""),
    page: page?.number ?? null,
    page_label: page && page.label !== String(page.number) ? page.label : null,
    ocr: null,
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
  for (const quote of [shown, saidBy(hit).trim(), own])
    if (quote) {
      const found = anchor(document, quote, view.range[0]);
      if (found) {
        const place =
          found.page === null
            ? { page: hit.pages?.[0] ?? null, page_label: hit.page_labels?.[0] ?? null }
            : {};
        return { ...found, ...place, ocr: ocrOf(hit)?.confidence ?? null };
      }
    }
  throw { code: "not_found", message: "the passage is no longer in its document; look for evidence again" };
}

/** The range of a pinned passage (UTF-16) in the text that it was pinned in. */
function rangeThen({ quote, start }: PinnedPassage, text: string): [number, number] | undefined {
  const known = new TextDecoder().decode(bytes.encode(text).slice(0, start)).length;
  return text.startsWith(quote, known) ? [known, known + quote.length] : undefined;
}

/** The range of a pinned passage (UTF-16) in its document as it is now. */
export function rangeOf(passage: PinnedPassage, { text, row }: DocumentView): [number, number] | undefined {
  const { quote, before, after, text_version } = passage;
  const then = text_version === row.text_version ? rangeThen(passage, text) : undefined;
  if (then) return then;
  const around = text.indexOf(before + quote + after);
  const at = around < 0 ? text.indexOf(quote) : around + before.length;
  return at < 0 ? undefined : [at, at + quote.length];
}

/**
 * Opens a pinned passage of a report, on the page of its file where that can be drawn. Where its source has changed
 * since, in the text that it was pinned in.
 */
export async function openPinned(
  passage: PinnedPassage,
  report: string,
  documents: readonly DocumentRow[],
): Promise<void> {
  const own = documents.filter((row) => row.path === passage.path && row.report_id === report);
  const row = own.find((each) => each.text_version === passage.text_version) ?? own[0];
  const lost = () => {
    toast({ kind: "warn", title: t("standards.review.pinned_lost"), detail: passage.path });
  };
  const { source, text_version: version } = passage;
  const known = source?.document_id ?? row?.id;
  try {
    if (source?.changed && source.kept) {
      const id = known ?? 0;
      const { text } = await call("document.version", { id, text_version: version });
      const mark = rangeThen(passage, text)?.join("-");
      return navigate(href("chunk-lab", [], { document: String(id), version, mark }));
    }
    if (known === undefined) return lost();
    const document = await call("document.get", { id: known });
    const at = rangeOf(passage, document);
    if (!at) lost();
    const { page } = passage;
    const drawn = page !== null && drawnPage({ path: document.row.path, pages: [page, page] }) !== undefined;
    navigate(
      href("chunk-lab", [], {
        document: String(known),
        view: "read",
        at: at?.join("-"),
        mark: at?.join("-"),
        ...(drawn && { show: "page", page: String(page) }),
      }),
    );
  } catch (thrown) {
    reportError(EngineError.from(thrown));
  }
}

/** Whether a pinned passage is the one shown. */
export const isPinned = (passage: PinnedPassage, hit: Hit): boolean =>
  (passage.source?.document_id === hit.document_id || passage.path === hit.path) &&
  saidBy(hit).includes(passage.quote);
