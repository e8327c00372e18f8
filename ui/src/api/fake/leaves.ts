import type { Contribution, KeywordLeaf } from "@/api/types";

/** The BM25 among `parts`, given by the words alike but for the first, which gave as much as two. */
export function leavesOf(
  words: readonly string[],
  parts: readonly Pick<Contribution, "leg" | "raw">[],
): KeywordLeaf[] {
  const raw = parts.find((part) => part.leg === "keyword")?.raw ?? 0;
  const share = raw / (words.length + 1);
  return words.map((word, n) => ({ terms: [word], frequency: n + 1, value: n === 0 ? 2 * share : share }));
}
