import { describe, expect, it } from "vitest";
import { overlap, rankBiasedOverlap } from "./rank-overlap";

describe("the overlap of two ranked lists", () => {
  const a = ["a", "b", "c", "d"];
  it("is 1 for the same, 0 for strangers, symmetric, and weighs the top", () => {
    expect(rankBiasedOverlap(a, a)).toBeCloseTo(1, 12);
    expect(rankBiasedOverlap(a, ["x", "y"])).toBe(0);
    expect(rankBiasedOverlap([], [])).toBe(1);
    for (const b of [
      ["b", "a"],
      ["d", "c", "b", "a", "e"],
      ["a", "x", "c"],
    ]) {
      expect(rankBiasedOverlap(a, b)).toBeCloseTo(rankBiasedOverlap(b, a), 12);
      expect(rankBiasedOverlap(a, b)).toBeGreaterThan(0);
      expect(rankBiasedOverlap(a, b)).toBeLessThan(1);
    }
    expect(rankBiasedOverlap(a, ["a", "b", "d", "c"])).toBeGreaterThan(
      rankBiasedOverlap(a, ["b", "a", "c", "d"]),
    );
    expect(overlap(a, ["d", "x", "a"])).toBe(2);
  });
});
