import { afterEach, describe, expect, it } from "vitest";
import { writeLike } from "@/text/locale";
import { judgedWords, measured, measureName, outcomeOf, pWords, signed, verdictOf } from "./measure";

afterEach(() => writeLike("en-US"));

describe("measures", () => {
  it.each([
    ["ndcg@10", "nDCG@10"],
    ["recall@5", "Recall@5"],
    ["rr", "MRR"],
    ["rr@10", "MRR@10"],
    ["not_found_accuracy", "Not-found accuracy"],
    ["brand_new@3", "brand_new@3"],
  ])("%s is called %s", (measure, name) => expect(measureName(measure)).toBe(name));

  it("writes shares, times and counts each their way", () => {
    expect(measured("ndcg@10", 0.7484)).toBe("0.748");
    expect(measured("latency", 418.2)).toBe("418 ms");
    expect(measured("tokens", 1180.4)).toBe("1,180");
    expect(measured("ndcg@10", null)).toBe("—");
  });

  it.each([
    [0.0541, "+0.054"],
    [-0.0172, "−0.017"],
    [0, "±0.000"],
    [-0.0004, "±0.000"],
  ])("a difference of %d is %s", (value, shown) => expect(signed(value)).toBe(shown));

  it("writes differences the reader’s way", () => {
    writeLike("sv-SE");
    expect(signed(-0.0172)).toBe("−0,017");
  });

  it("tells better from worse, and less time is better", () => {
    expect(outcomeOf(0.1)).toBe("better");
    expect(outcomeOf(-0.1)).toBe("worse");
    expect(outcomeOf(1e-13)).toBe("same");
    expect(outcomeOf(-40, "latency")).toBe("better");
    expect(outcomeOf(40, "latency")).toBe("worse");
  });
});

describe("chance", () => {
  it.each([
    [0.0312, "p = 0.031"],
    [0.00001, "p < 0.001"],
    [0.3, "p = 0.300"],
    // Rounded to three places it would stand on the other side of the level.
    [0.04996, "p = 0.04996"],
    [0.0501, "p = 0.050"],
  ])("%d is written %s", (p, words) => expect(pWords(p)).toBe(words));

  it("says in words that a difference is not significant", () => {
    expect(verdictOf(0.034, 0.31)).toBe("Not significant");
    expect(verdictOf(0.034, 0.05)).toBe("Not significant");
    expect(verdictOf(0.034, 0.012)).toBe("Significantly better");
    expect(verdictOf(-0.034, 0.012)).toBe("Significantly worse");
    expect(verdictOf(12, 0.012, "latency")).toBe("Significantly worse");
  });
});

describe("the share that was judged", () => {
  const measures = { "judged@10": 0.4, "judged@5": 0.996, rr: 1 };
  it.each([
    ["recall@5", "99% of the first 5 judged"],
    ["recall@20", "40% of the first 10 judged"],
    ["rr", "40% of the first 10 judged"],
  ])("is told beside %s as %s", (measure, words) =>
    expect(judgedWords({ measures, unjudged: 7 }, measure)).toBe(words),
  );

  it("is told by the results that were not, where nobody measured it", () => {
    expect(judgedWords({ measures: { rr: 1 }, unjudged: 7 }, "rr")).toBe("7 results not judged");
  });
});
