import { describe, expect, it } from "vitest";
import type { Term } from "@/api/types";
import { matchedWords, rarityOf, splitScore } from "./bm25";

const term = (text: string, stem: string, document_frequency: number, weight = 1): Term => ({
  text,
  stem,
  document_frequency,
  fate: { kind: "kept" },
  weight,
});

describe("the share of each word", () => {
  it("is what BM25 gave it, whatever the length of the passage", () => {
    const words = [
      { weight: 4.1, times: 3 },
      { weight: 1.7, times: 1 },
      { weight: 0.4, times: 6 },
    ];
    for (const norm of [0.31, 1.2, 4.8]) {
      const given = words.map(({ weight, times }) => (weight * times * 2.2) / (times + norm));
      const split = splitScore(
        words,
        given.reduce((sum, each) => sum + each, 0),
      );
      for (const [index, share] of split.entries()) expect(share).toBeCloseTo(given[index] ?? 0, 6);
    }
  });

  it("adds up even where a count is short", () => {
    const split = splitScore([{ weight: 1, times: 1 }], 7.25);
    expect(split).toEqual([7.25]);
    expect(splitScore([{ weight: 0, times: 1 }], 3)).toEqual([0]);
    expect(splitScore([], 3)).toEqual([]);
  });

  it("names the word that gave most first, and holds a synonym below its word", () => {
    const query = {
      references: [],
      match_expression: "",
      terms: [
        term("plan", "plan", 900),
        term("transition plan", "transit plan", 20),
        { ...term("roadmap", "roadmap", 2, 0.5), fate: { kind: "expansion" as const, of: "plan" } },
      ],
    };
    const hit = {
      matched_terms: ["plan", "transit plan", "roadmap"],
      chunk_text: "[Head]\n\nA transition plan is a plan; the roadmap follows the plan.",
    };
    const words = matchedWords(hit, query, 1000, 9);
    expect(words.map(({ word }) => word)).toEqual(["transition plan", "plan", "roadmap"]);
    expect(words.map(({ times }) => times)).toEqual([1, 3, 1]);
    expect(words.reduce((sum, { share = 0 }) => sum + share, 0)).toBeCloseTo(9, 9);
    expect(words[0]?.rarity).toBe(rarityOf(20, 1000));
    expect(matchedWords(hit, query, 1000, undefined).every(({ share }) => share === undefined)).toBe(true);
  });
});
