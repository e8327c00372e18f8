// Finds in a text the words that the index matched. The engine tells stems: words are stemmed here as the index does
// (Porter, without diacritics).

import { stemmer } from "stemmer";

/** A stretch of a text in UTF-16 units. */
export type Stretch = { start: number; end: number };

const WORD = /[\p{L}\p{N}]+/gu;
const fold = (word: string) => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Where `terms` (stems; a phrase holds several, parted by spaces) stand in `text`, in order, never overlapping. */
export function findStems(text: string, terms: readonly string[]): Stretch[] {
  const written = [...text.matchAll(WORD)].map((match) => ({
    stem: stemmer(fold(match[0])),
    start: match.index,
    end: match.index + match[0].length,
  }));
  const wanted = terms
    .map((term) => term.split(/\s+/).filter(Boolean))
    .filter((stems) => stems.length > 0)
    .sort((a, b) => b.length - a.length);
  const found: Stretch[] = [];
  for (let at = 0; at < written.length; ) {
    const here = at;
    const hit = wanted.find((stems) =>
      stems.every((stem, step) => {
        const next = written[here + step];
        return next?.stem === stem;
      }),
    );
    const first = written[at];
    const last = written[at + (hit?.length ?? 1) - 1];
    if (hit && first && last) found.push({ start: first.start, end: last.end });
    at += hit?.length ?? 1;
  }
  return found;
}
