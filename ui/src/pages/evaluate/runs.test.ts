import { describe, expect, it } from "vitest";
import { recorded } from "@/api/recording";
import type { EvalRun } from "@/api/types";
import { configurationWords, cutWords, legsOf, pairOf, tilesOf } from "./runs";

const runs = recorded("eval.runs", { set: "S2 review" });
const idsOf = (place: { run?: number; against?: number }) => {
  const { candidate, baseline } = pairOf(runs, { run: place.run, against: place.against });
  return [candidate?.id, baseline?.id];
};

describe("the two runs", () => {
  it("are the newest and the one before it, where none is named", () => {
    expect(idsOf({})).toEqual([5, 4]);
    expect(idsOf({ run: 3 })).toEqual([3, 2]);
    expect(idsOf({ run: 1 })).toEqual([1, undefined]);
  });

  it("are never the same run", () => {
    expect(idsOf({ run: 4, against: 1 })).toEqual([4, 1]);
    expect(idsOf({ against: 5 })).toEqual([4, 5]);
    expect(idsOf({ run: 4, against: 4 })).toEqual([4, 3]);
  });

  it("fall back where one was deleted", () => {
    expect(idsOf({ run: 9, against: 8 })).toEqual([5, 4]);
    expect(pairOf([], { run: 1, against: 2 })).toEqual({ candidate: undefined, baseline: undefined });
  });
});

describe("the tiles", () => {
  const [run] = runs;
  const withMeasures = (measures: Record<string, number>) => tilesOf({ ...(run as EvalRun), measures });
  const six = { "recall@5": 1, "recall@10": 1, "precision@5": 1, rr: 1, "ndcg@10": 1, ap: 1, "success@1": 1 };

  it("end with the share that was judged", () => {
    expect(withMeasures({ ...six, "judged@10": 0.4 })).toEqual([
      "recall@5",
      "recall@10",
      "precision@5",
      "rr",
      "ndcg@10",
      "judged@10",
    ]);
    expect(withMeasures({ rr: 1, "judged@3": 0.4 })).toEqual(["rr", "judged@3"]);
  });

  it("tell how often it was seen that there is no answer, whatever else was measured", () => {
    expect(withMeasures({ ...six, not_found_accuracy: 1, "judged@10": 0.4 })).toEqual([
      "recall@5",
      "recall@10",
      "rr",
      "ndcg@10",
      "not_found_accuracy",
      "judged@10",
    ]);
    expect(withMeasures({ ...six, not_found_accuracy: 1 })).toHaveLength(6);
  });

  it("are six measures where nobody counted what was judged", () => {
    expect(withMeasures(six)).toHaveLength(6);
  });
});

describe("a configuration in words", () => {
  it("names sizes and lists", () => {
    expect(cutWords({ strategy: "recursive", settings: { chunk_size: 320, chunk_overlap: 48 } })).toMatch(
      / 320\/48$/,
    );
    expect(cutWords({ strategy: "recursive", settings: {} })).not.toMatch(/\d/);
    expect(legsOf({ mode: "hybrid", rerank: true })).toEqual(["keyword", "semantic", "rerank"]);
    expect(legsOf({ mode: "keyword", rerank: false })).toEqual(["keyword"]);
  });

  it("says where another system searched", () => {
    expect(configurationWords({ search: null, model: null, corpora: [], cost_usd: null })).toBe(
      "Another system",
    );
  });
});
