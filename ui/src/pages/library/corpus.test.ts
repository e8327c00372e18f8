import { describe, expect, it } from "vitest";
import type { CorpusOverview, ModelCoverage, Tier } from "@/api/types";
import { activeCoverage, coverageOf, statusOf } from "./corpus";

const idle = { written: new Set<string>(), models: new Set<string>() };
const model = (tier: Tier, covered: number, served = true): ModelCoverage => ({
  space: tier,
  model: tier,
  tier,
  dimensions: 8,
  covered,
  chunks: 10,
  served,
});
const corpus = (remote: boolean, ...coverage: ModelCoverage[]) =>
  ({ corpus: { name: "c", remote }, chunks: 10, coverage }) as unknown as CorpusOverview;
const word = (of: CorpusOverview) => statusOf(of, idle).word;

describe("the active model of a corpus", () => {
  it("is never one that the corpus may not be given to", () => {
    const kept = corpus(false, model("embedded", 10), model("remote", 0));
    expect(activeCoverage(kept)?.tier).toBe("embedded");
    expect(coverageOf(kept).map(({ tier }) => tier)).toEqual(["embedded"]);
    expect(word(kept)).toBe("library.status.ready");
    expect(activeCoverage(corpus(true, model("embedded", 10), model("remote", 0)))?.tier).toBe("remote");
  });

  it("has changed where another model has vectors, not where the instant one filled in", () => {
    expect(word(corpus(true, model("instant", 10), model("embedded", 0)))).toBe("library.status.partly");
    expect(word(corpus(true, model("embedded", 10, false), model("remote", 0)))).toBe(
      "library.status.changed",
    );
  });
});
