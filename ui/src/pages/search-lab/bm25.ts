// How much of a passage's BM25 each matched word gave. The engine tells the sum; the parts follow from how rare a word
// is and how often it stands in the passage.

import type { Hit, ParsedQuery, Term } from "@/api/types";
import { findStems } from "@/parts/stems";

/** Term frequency saturates with this constant of BM25, as in FTS5. */
const K1 = 1.2;

/** A word that matched. */
export type Matched = {
  stem: string;
  /** As the query has it. */
  word: string;
  /** Chunks that hold it. */
  frequency: number | undefined;
  /** Inverse document frequency as the engine counts it. */
  rarity: number | undefined;
  /** How often it stands in the passage. */
  times: number;
  /** What it gave of the score. */
  share: number | undefined;
};

/** Inverse document frequency with 1 inside the logarithm, as in Lucene: never below zero. */
export const rarityOf = (frequency: number, chunks: number): number =>
  Math.log(1 + (Math.max(0, chunks - frequency) + 0.5) / (frequency + 0.5));

/**
 * Splits `score` among words of these weights that stand so often in the passage. What depends on the length of the
 * passage is the one unknown of the sum, so it is solved for; the parts add up to the score in any case.
 */
export function splitScore(words: readonly { weight: number; times: number }[], score: number): number[] {
  const parts = (norm: number) =>
    words.map(({ weight, times }) => (weight * times * (K1 + 1)) / (times + norm));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  let [low, high] = [0, 1000];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (sum(parts(middle)) > score) low = middle;
    else high = middle;
  }
  const found = parts((low + high) / 2);
  const all = sum(found);
  return all > 0 ? found.map((value) => (value * score) / all) : found;
}

/** The matched words of a hit, the one that gave most first. `score` is its BM25. */
export function matchedWords(
  { matched_terms: stems, chunk_text: text }: Pick<Hit, "matched_terms" | "chunk_text">,
  { terms }: ParsedQuery,
  chunks: number,
  score: number | undefined,
): Matched[] {
  const rarity = (term: Term | undefined) => term && rarityOf(term.document_frequency, chunks);
  const known = stems.map((stem) => {
    const term = terms.find((each) => each.stem === stem);
    const times = Math.max(1, findStems(text, [stem]).length);
    let worth = rarity(term) ?? 0;
    // A synonym tells at most as much as the word it stands for.
    const source =
      term?.fate.kind === "expansion"
        ? rarity(terms.find((each) => term.fate.kind === "expansion" && each.text === term.fate.of))
        : undefined;
    if (source !== undefined) worth = Math.min(worth, source);
    return { stem, term, times, weight: (term?.weight ?? 1) * worth };
  });
  const shares = score === undefined ? undefined : splitScore(known, score);
  return known
    .map(
      ({ stem, term, times }, index): Matched => ({
        stem,
        word: term?.text ?? stem,
        frequency: term?.document_frequency,
        rarity: rarity(term),
        times,
        share: term ? shares?.[index] : undefined,
      }),
    )
    .sort((a, b) => (b.share ?? b.rarity ?? 0) - (a.share ?? a.rarity ?? 0));
}
