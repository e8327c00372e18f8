import { describe, expect, it } from "vitest";
import type { Matrix } from "@/api/types";
import { billOf, chargeOf } from "./matrix-cost";

const model = (space: string, new_texts: number, cost_usd: number | null) => ({
  space,
  model: space,
  new_texts,
  new_tokens: new_texts * 10,
  cost_usd,
});
const row = (chunks: number) => ({
  chunks,
  tokens: chunks * 10,
  models: [model("here", chunks, null), model("paid", chunks * 2, chunks)],
});
const cell = (at: number, column: number, space: string | null) => ({
  place: { row: at, column },
  space,
  reranked: column === 3 ? 7 : 0,
  run: null,
  value: null,
  interval: null,
});
const found: Matrix = {
  rows: [row(1), row(4)],
  cells: [0, 1].flatMap((at) => [
    cell(at, 0, null),
    cell(at, 1, "here"),
    cell(at, 2, "paid"),
    cell(at, 3, "paid"),
  ]),
  best: null,
  verdict: null,
  measure: "ndcg@10",
  cost_usd: 5,
};

describe("the bill of a matrix", () => {
  it("counts each row once for each model that is asked", () => {
    const all = found.cells.map(({ place }) => place);
    expect(billOf(found, all)).toEqual({ chunks: 5, texts: 15, tokens: 150, reranked: 14, cost: 5 });
  });

  it("asks no money for words and for models of this computer", () => {
    expect(billOf(found, [{ row: 0, column: 0 }])).toEqual({
      chunks: 1,
      texts: 0,
      tokens: 0,
      reranked: 0,
      cost: undefined,
    });
    expect(billOf(found, [{ row: 1, column: 1 }])).toEqual({
      chunks: 4,
      texts: 4,
      tokens: 40,
      reranked: 0,
      cost: undefined,
    });
    expect(billOf(found, [{ row: 0, column: 3 }]).cost).toBe(1);
  });

  it("says that a remote reranker charges, which is not free", () => {
    expect(chargeOf(billOf(found, [{ row: 0, column: 1 }]))).toBe("Free");
    const paid = billOf(found, [{ row: 0, column: 3 }]);
    expect(chargeOf(paid)).toMatch(/^\$1(?:\.0+)?, plus what the reranker’s provider charges$/);
    expect(chargeOf({ ...paid, cost: undefined })).toBe("Charged by the reranker’s provider");
  });
});
