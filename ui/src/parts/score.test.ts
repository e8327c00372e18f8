import { describe, expect, it } from "vitest";
import { LEG_DEPTH, SEARCH_DEFAULTS } from "@/api/defaults";
import type { Contribution, Hit, SearchRequest, SearchResponse } from "@/api/types";
import { writeLike } from "@/text/locale";
import { asFused, formula, limit, whatIf, writtenSum } from "./score";

const units = (text: string, places: number) => BigInt(text.replace(".", "").padEnd(places, "0"));

describe("a sum as it is written", () => {
  it("adds up digit by digit for every pair of ranks", () => {
    for (let a = 1; a <= 60; a += 1)
      for (let b = 1; b <= 60; b += 3)
        for (const k of [1, 10, 60, 61]) {
          const values = [126 / (k + 1), 1 / (k + a), 0.7 / (k + b)];
          const { parts, sum } = writtenSum(values);
          const places = sum.split(".")[1]?.length ?? 0;
          expect(parts.reduce((total, part) => total + units(part, places), 0n)).toBe(units(sum, places));
          expect(places).toBeGreaterThanOrEqual(5);
          expect(places).toBeLessThanOrEqual(8);
          for (const [index, part] of parts.entries())
            expect(Math.abs(Number(part) - (values[index] ?? 0))).toBeLessThanOrEqual(1.5 * 10 ** -places);
        }
  });

  it("shows the design's example with five places", () =>
    expect(writtenSum([1 / 63, 1 / 68])).toEqual({ parts: ["0.01587", "0.01471"], sum: "0.03058" }));

  it("is written the chosen way, and so is how its parts came about", () => {
    writeLike("sv-SE");
    expect(writtenSum([1 / 63, 1 / 68])).toEqual({ parts: ["0,01587", "0,01471"], sum: "0,03058" });
    expect(formula(part("keyword", 8, 0.5), 60)).toBe("0,5/(60+8)");
    writeLike("en-US");
  });
});

const part = (leg: Contribution["leg"], rank: number, weight = 1): Contribution => ({
  leg,
  rank,
  weight,
  raw: null,
  range: null,
  value: weight / (60 + rank),
  label: "",
});
/** A contribution on a scale from 0.1 on, with a deviation of 0.8. */
const scored = (leg: Contribution["leg"], rank: number, weight: number, raw: number): Contribution => ({
  ...part(leg, rank, weight),
  raw,
  range: { least: 0.1, best: 0.9, deviation: 0.8 },
  value: (weight * (raw - 0.1)) / 0.8,
});
const lists = { semantic: [], keyword: [] };
const ranks: SearchRequest = { ...SEARCH_DEFAULTS, fusion: "rrf", rrf_k: 10 } as SearchRequest;
const trace = (keyword: readonly number[]) =>
  ({ semantic: [], keyword: keyword.map((raw) => ({ raw })) }) as unknown as SearchResponse["trace"];
const hit = (chunk_id: string, rank: number, contributions: Contribution[]): Hit =>
  ({
    chunk_id,
    rank,
    fused_rank: null,
    contributions,
    score: contributions.reduce((sum, each) => sum + each.value, 0),
  }) as Hit;

describe("formula", () => {
  it("names weight, constant and rank, and says nothing of a raw score", () => {
    expect(formula(part("keyword", 8), 60)).toBe("1/(60+8)");
    expect(formula(part("keyword", 8, 0.5), 60)).toBe("0.5/(60+8)");
    expect(formula({ ...part("keyword", 8), value: 11.08 }, 60)).toBeUndefined();
    expect(formula(scored("semantic", 8, 0.4, 0.5), 60)).toBe("0.4·(0.500−0.100)/0.800");
    const alike = { ...scored("keyword", 1, 0.6, 3), range: { least: 3, best: 3, deviation: 0 } };
    expect(formula(alike, 60)).toBe("0.6·1");
  });
});

describe("a counterpart", () => {
  const cut = { ...part("counterpart", 2, 0.5), value: 0.003 };
  it("gets what its rank is worth, or less", () => {
    expect(formula(part("counterpart", 2, 0.5), 60)).toBe("0.5/(60+2)");
    expect([formula(cut, 60), limit(cut, [cut], 60)]).toEqual([undefined, "0.5/(60+2)"]);
    expect(limit(part("keyword", 2), [], 60)).toBeUndefined();
    expect(limit(cut, [scored("keyword", 2, 0.6, 0.5)], 60)).toBeUndefined();
  });
  it("is no list in which a better rank could be had", () => {
    const ahead = hit("a", 1, [part("semantic", 1), part("keyword", 1)]);
    expect(whatIf(hit("b", 2, [part("keyword", 1), cut]), [ahead], 60, lists)).toBeUndefined();
    expect(asFused(hit("b", 2, [part("keyword", 1), cut]), ranks, trace([])).contributions[1]).toBe(cut);
  });
});

describe("what if", () => {
  const results = [
    hit("a", 1, [part("semantic", 1), part("keyword", 1)]),
    hit("b", 2, [part("semantic", 2), part("keyword", 5)]),
    hit("c", 3, [part("semantic", 3), part("keyword", 8)]),
  ];
  it("finds the least better rank that lifts a hit", () => {
    const found = whatIf(results[2] as Hit, results, 60, lists);
    expect(found).toMatchObject({ leg: "keyword", from: 8, place: 2 });
    const lifted = 1 / 63 + 1 / (60 + (found?.to ?? 0));
    const short = 1 / 63 + 1 / (60 + (found?.to ?? 0) + 1);
    expect(lifted).toBeGreaterThan((results[1] as Hit).score);
    expect(short).toBeLessThanOrEqual((results[1] as Hit).score);
  });
  it("promises nothing that cannot be", () => {
    const named = hit("r", 1, [part("reference", 1, 126)]);
    expect(whatIf(hit("x", 2, [part("keyword", 1)]), [named], 60, lists)).toBeUndefined();
    expect(whatIf(results[0] as Hit, results, 60, lists)).toBeUndefined();
  });
  it("takes what stands at that rank in its list, where scores count", () => {
    const ahead = hit("a", 1, [scored("semantic", 1, 0.4, 0.9)]);
    const behind = hit("b", 2, [scored("semantic", 3, 0.4, 0.2), scored("keyword", 2, 0.6, 0.3)]);
    const semantic = [0.9, 0.85, 0.2].map((raw) => ({ raw }));
    const found = whatIf(behind, [ahead, behind], 60, { semantic, keyword: [] } as unknown as typeof lists);
    expect(found).toMatchObject({ leg: "semantic", from: 3, to: 2, place: 1 });
    expect(whatIf(behind, [ahead, behind], 60, lists)).toBeUndefined();
  });
});

describe("an answer by words alone", () => {
  it("is counted as the fusion will count it", () => {
    const alone = hit("a", 2, [{ ...part("keyword", 2), raw: 6, value: 6 }]);
    const byScores = { ...ranks, fusion: "scores", semantic_share: 0.25 } as const;
    const [given] = asFused(alone, byScores, trace([8, 6, 4])).contributions;
    const deviation = Math.sqrt(8.75);
    expect(given).toMatchObject({ weight: 0.75, range: { least: 0, best: 8, deviation } });
    expect(given?.value).toBeCloseTo((0.75 * 6) / deviation, 12);
    const full = trace([8, ...Array<number>(LEG_DEPTH - 2).fill(5), 2]);
    expect(asFused(alone, byScores, full).contributions[0]?.range).toMatchObject({ least: 2, best: 8 });
    expect(asFused(alone, ranks, trace([8, 6, 2])).score).toBe(1 / 12);
  });
});
