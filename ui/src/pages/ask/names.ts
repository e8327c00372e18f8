// How places of an answer are named, and where they open.

import type { AnswerCitation, AnswerPassage } from "@/api/types";
import { pagesOf } from "@/parts/cited";
import { inDocument } from "@/parts/passage";
import { href, navigate } from "@/state/router";
import { standardOf } from "@/state/source-types";
import { t } from "@/text";
import { visible } from "@/text/visible";

/** What names a place: citations and passages have it. */
export type Placed = Pick<
  AnswerCitation,
  "paragraph_id" | "title" | "document" | "pages" | "page_labels" | "about_page" | "ocr" | "source_type"
> &
  Partial<Pick<AnswerCitation, "sheet" | "cells" | "anchor">>;

/** Where in its document a place stands, as far as the format says: pages, about a page, cells of a sheet, or an anchor. */
export function spotOf(place: Placed): string | undefined {
  const { about_page: about, sheet, cells, anchor } = place;
  if (about !== null) return t("ask.place.about", { page: about });
  if (cells) return sheet ? `${visible(sheet)}!${cells}` : cells;
  return pagesOf(place) ?? (anchor ? `#${visible(anchor)}` : undefined);
}

/** First word of a place, such as `S2.14(a)(iv)`, and where it belongs, such as `p. 34`. */
export function nameOf(place: Placed): { name: string; end: string } {
  const pages = spotOf(place);
  if (place.paragraph_id !== null)
    return { name: place.paragraph_id, end: bodyOf(place.source_type) ?? pages ?? place.title };
  const name = place.title || place.document || t("ask.selection.name");
  return { name, end: pages ?? "" };
}

/** One name for a place, such as `S2.14(a)` or `Aurelia 2024, p. 58`. */
export function titleOf(place: Placed): string {
  const { name, end } = nameOf(place);
  return place.paragraph_id !== null || end === "" ? name : `${name}, ${end}`;
}

/** How a citation is numbered: by letters where the answer is from selected text. */
export const numberOf = (n: number, letters: boolean): string =>
  letters && n <= 26 ? String.fromCharCode(96 + n) : String(n);

/** What the standard of a kind of source is called. */
const bodyOf = (kind: string): string | undefined => standardOf(kind)?.body;

/**
 * Where a citation is read: its paragraph in Standards, else its words in their document, on the page where that is drawn.
 * Where the source has changed since, its words in the text that it was made from.
 */
export function placeOf(citation: AnswerCitation): string | undefined {
  const { source, text_version: version } = citation;
  if (citation.document_id === 0) return undefined;
  const document = String(source.document_id ?? citation.document_id);
  if (source.changed) {
    if (source.kept) return href("chunk-lab", [], { document, version, mark: citation.span.join("-") });
    return source.document_id === null
      ? undefined
      : href("chunk-lab", [], { document, view: "read", mark: source.range?.join("-") });
  }
  if (citation.paragraph_id !== null && bodyOf(citation.source_type) !== undefined)
    return href("standards", [citation.paragraph_id]);
  const path = citation.path || citation.document;
  const read = inDocument({ ...citation, path });
  return href("chunk-lab", [], { ...read, document, version, mark: citation.span.join("-") });
}

/** Opens a citation where it is read; selected text is read beside its answer. */
export function openCitation(citation: AnswerCitation): void {
  const place = placeOf(citation);
  if (place !== undefined) navigate(place);
}

/** Where a passage is read. */
export const passagePlace = (passage: AnswerPassage): string | undefined =>
  passage.paragraph_id !== null && bodyOf(passage.source_type) !== undefined
    ? href("standards", [passage.paragraph_id])
    : passage.document_id === 0
      ? undefined
      : href("chunk-lab", [], {
          ...inDocument({ ...passage, path: passage.document }),
          version: passage.text_version,
        });
