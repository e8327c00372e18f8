import { describe, expect, it } from "vitest";
import type { CorpusOverview, ModelCoverage, StrategyView, Tier } from "@/api/types";
import { activeCoverage, coverageOf, headedOf, meanwhileOf, sizesOf, statusOf } from "./corpus";

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

describe("while the active model covers a part only", () => {
  const instead = (...coverage: ModelCoverage[]) => meanwhileOf(corpus(true, ...coverage))?.tier;

  it("another one answers where it covers more, and any of this computer for a remote one", () => {
    expect(instead(model("instant", 10), model("embedded", 6))).toBe("instant");
    expect(instead(model("instant", 5), model("embedded", 6))).toBeUndefined();
    expect(instead(model("instant", 10), model("embedded", 10), model("remote", 6))).toBe("embedded");
    expect(instead(model("embedded", 4), model("remote", 6))).toBe("embedded");
    expect(instead(model("embedded", 10, false), model("remote", 6))).toBeUndefined();
  });
});

describe("what a corpus is cut by", () => {
  const param = (name: string, value: number | boolean) => ({ name, default: value });
  const report = {
    name: "report",
    params: [param("target_tokens", 600), param("overlap_tokens", 100), param("context_header", true)],
  } as unknown as StrategyView;
  const kept = (settings: Record<string, unknown>) => ({ settings }) as unknown as CorpusOverview["corpus"];

  it("is its own where it has one, else that of its strategy", () => {
    expect(sizesOf(kept({ target_tokens: 320 }), report)).toEqual({
      target: 320,
      overlap: 100,
      max: undefined,
    });
    expect(headedOf(kept({}), report)).toBe(true);
    expect(headedOf(kept({ context_header: false }), report)).toBe(false);
    expect(headedOf(kept({}), undefined)).toBeUndefined();
  });
});
