// Passages of a report: what they are called, and whether they are pinned.

import type { DocumentView, EvidencePassage, FigureRow, PinnedPassage } from "@/api/types";
import { pagesOf } from "@/parts/cited";
import { anchor } from "@/parts/pin";
import { sentencesOf } from "@/parts/sentences";
import { inert } from "@/text/visible";

/** A passage that can be shown on its page and pinned; proposed, or chosen by the reviewer. */
export type Quoted = Omit<EvidencePassage, "chunk_id" | "relevance">;

/** The words of a passage; of a row of a table its cells. */
export const wordsOf = ({ quote }: Pick<Quoted, "quote">): string =>
  inert(
    quote.trimStart().startsWith("|")
      ? quote
          .split("|")
          .map((cell) => cell.trim())
          .filter(Boolean)
          .join(" · ")
      : quote,
  );

/** Page, or the path of what has no pages. */
export const whereOf = ({ page, page_label, pin }: Quoted): string =>
  (page !== null &&
    pagesOf({
      pages: [page, page],
      ...(page_label !== null && { page_labels: [page_label, page_label] }),
    })) ||
  pin.path;

/** Whether a pinned passage stands where another stands. */
export const isSame = (pinned: PinnedPassage, { pin }: Pick<Quoted, "pin">): boolean =>
  pinned.text_version === pin.text_version &&
  pinned.path === pin.path &&
  pinned.start === pin.start &&
  pinned.end === pin.end;

/** What is known by its place, so that lists can tell it apart. */
export const keyOf = ({ document_id, span }: Quoted): string => `${document_id} ${span.join("-")}`;

/** The passage at `span` of a document; nothing where its words are none. */
export function passageAt(document: DocumentView, [start, end]: [number, number]): Quoted | undefined {
  const quote = document.text.slice(start, end);
  const pin = quote.trim() === "" ? undefined : anchor(document, quote, start);
  if (!pin) return undefined;
  const { ocr } = document.structure;
  const byOcr = ocr && pin.page !== null && ocr.pages.includes(pin.page);
  const around = document.structure.sections.filter(({ range }) => start >= range[0] && start < range[1]);
  return {
    document_id: document.row.id,
    span: [start, end],
    quote,
    section: around.map(({ title }) => title),
    page: pin.page,
    page_label: pin.page_label,
    pin: byOcr ? { ...pin, ocr: ocr.confidence } : pin,
  };
}

/** The row of a table or the sentence that a figure stands in. */
export function aroundFigure({ text }: DocumentView, { span }: Pick<FigureRow, "span">): [number, number] {
  const start = text.lastIndexOf("\n", span[0] - 1) + 1;
  const found = text.indexOf("\n", span[1]);
  const line = text.slice(start, found < 0 ? text.length : found);
  if (line.trimStart().startsWith("|")) return [start, start + line.trimEnd().length];
  const at = span[0] - start;
  const sentence = sentencesOf(line).find((each) => at >= each.start && at < each.end);
  const { start: from, end: to } = sentence ?? { start: 0, end: line.length };
  return [start + from, start + from + line.slice(from, to).trimEnd().length];
}
