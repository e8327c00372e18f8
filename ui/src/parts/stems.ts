// Finds in a text the words that the index matched. The engine tells stems. Words are stemmed here as the index does
// (Porter, without diacritics). Runs of Han, Kana and Hangul become the pairs of letters that the index holds.

import { stemmer } from "stemmer";

/** A stretch of a text in UTF-16 units. */
export type Stretch = { start: number; end: number };

const RUN = "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Bopo}ー\\uff70\\uff9e\\uff9f]";
const WORD = new RegExp(`${RUN}+|(?:(?!${RUN})[\\p{L}\\p{N}])+`, "gu");
const IS_RUN = new RegExp(`^${RUN}`, "u");
/** Letters in a form of their own that the index holds in the usual one, such as those of full width. */
const FORMS = /[\u2e80-\u2fd5\uf900-\ufaff\uff01-\uffdc]+/g;
const fold = (word: string) =>
  word
    .replace(FORMS, (form) => form.normalize("NFKC"))
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();

/** The words of `text` as the index has them. */
function words(text: string): (Stretch & { stem: string })[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    // A letter of half width and the mark that belongs to it are one.
    const letters = word.match(/.[\uff9e\uff9f]?/gu) ?? [];
    if (!IS_RUN.test(word)) return [{ stem: stemmer(fold(word)), start: index, end: index + word.length }];
    let start = index;
    return letters.slice(0, Math.max(1, letters.length - 1)).map((letter, at) => {
      const pair = letter + (letters[at + 1] ?? "");
      const stretch = { stem: pair.normalize("NFKC"), start, end: start + pair.length };
      start += letter.length;
      return stretch;
    });
  });
}

/** Where `terms` (stems; a phrase holds several, parted by spaces) stand in `text`, in order, never overlapping. */
export function findStems(text: string, terms: readonly string[]): Stretch[] {
  const written = words(text);
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
        // A letter of a run stands for the pairs that it begins.
        return (
          next?.stem === stem || (IS_RUN.test(stem) && [...stem].length === 1 && next?.stem.startsWith(stem))
        );
      }),
    );
    const first = written[at];
    const last = written[at + (hit?.length ?? 1) - 1];
    if (hit && first && last) found.push({ start: first.start, end: last.end });
    at += hit?.length ?? 1;
    // The pair behind a phrase begins with its last letter.
    while (hit && last && (written[at]?.start ?? last.end) < last.end) at += 1;
  }
  return found;
}
