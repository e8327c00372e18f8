import { describe, expect, it } from "vitest";
import { recorded } from "@/api/recording";
import {
  asKnown,
  firstAxes,
  planOf,
  rowOf,
  searchesOf,
  sweepRows,
  sweepValues,
  sweptBy,
  usualSweep,
} from "./matrix-plan";

const strategies = recorded("strategy.list", {});
const strategy = strategies.find(({ name }) => name === "report");
const param = strategy?.params.find(({ name }) => name === "target_tokens");

describe("a sweep", () => {
  it("holds both ends, and nothing beyond", () => {
    expect(sweepValues(100, 400, 100)).toEqual([100, 200, 300, 400]);
    expect(sweepValues(100, 390, 100)).toEqual([100, 200, 300]);
    expect(sweepValues(5, 5, 1)).toEqual([5]);
    expect(sweepValues(0, 1, 0.1)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
    expect(sweepValues(5, 4, 1)).toEqual([]);
    expect(sweepValues(1, 9, 0)).toEqual([]);
    expect(sweepValues(1, 1_000_000, 1)).toHaveLength(40);
  });

  it.each(
    strategies.flatMap((of) =>
      of.params.flatMap((each) => (typeof each.default === "number" ? { of, each } : [])),
    ),
  )("of $of.name proposes for $each.name only what the engine takes", ({ of, each }) => {
    const { from, to, step } = usualSweep(of, each);
    const values = sweepValues(from, to, step);
    expect(values).toContain(each.default);
    for (const { settings } of sweepRows(of, each, values, ({ name }) => name)) {
      const size = (name: string, absent: number) => Number(settings[name] ?? absent);
      expect(size(each.name, 0)).toBeGreaterThanOrEqual(each.min ?? 0);
      expect(size(each.name, 0)).toBeLessThanOrEqual(each.max ?? 0);
      const target = size("target_tokens", Number.POSITIVE_INFINITY);
      expect(size("min_tokens", 0)).toBeLessThanOrEqual(target);
      expect(size("overlap_tokens", 0) * 2).toBeLessThanOrEqual(target);
      if ("target_tokens" in settings) expect(target).toBeLessThanOrEqual(size("max_tokens", 0));
      expect(size("chunk_overlap", 0) * 2).toBeLessThanOrEqual(size("chunk_size", 0));
    }
  });

  it("is proposed from half of what is usual to twice as much, where nothing forbids it", () => {
    if (!param) throw new Error("there is no strategy with a target");
    const alone = { params: [{ ...param, default: 1500 }] };
    expect(usualSweep(alone, { ...param, default: 1500 })).toEqual({ from: 750, to: 3000, step: 750 });
    expect(usualSweep(alone, { ...param, default: 1500, max: 2000 }).to).toBe(2000);
  });

  it("of a number of the search has a column for each value and model", () => {
    const axes = {
      ...firstAxes(["guide"]),
      columns: [],
      sweep: { param: "rrf_k" as const, values: [20, 60] },
    };
    const searches = searchesOf(axes, []);
    expect(
      searches.map(({ search, swept }) => [search.fusion, search.mode, search.rrf_k, swept?.at]),
    ).toEqual([
      ["rrf", "hybrid", 20, 20],
      ["rrf", "hybrid", 60, 60],
    ]);
    expect(new Set(searches.map(({ name }) => name)).size).toBe(2);
    expect(searchesOf({ ...axes, spaces: ["a", "b"] }, []).map(({ swept }) => swept?.model)).toEqual([
      "a",
      "a",
      "b",
      "b",
    ]);
  });

  it("is known by the one number in which its rows differ", () => {
    if (!strategy || !param) throw new Error("there is no strategy with a target");
    const rows = sweepRows(strategy, param, [160, 320, 480], ({ name }) => name);
    expect(sweptBy(rows)).toEqual({ param: "target_tokens", values: [160, 320, 480] });
    expect(sweptBy(rows.slice(0, 2))).toBeUndefined();
    expect(sweptBy([...rows, rowOf(strategy, { target_tokens: 640, overlap_tokens: 7 })])).toBeUndefined();
    // The corpus as it is stands beside it, as it does in every new matrix.
    expect(sweptBy([{ name: "As it is now", strategy: null, settings: {} }, ...rows])).toEqual({
      param: "target_tokens",
      values: [undefined, 160, 320, 480],
    });
  });
});

describe("a way of cutting", () => {
  it("is called by its sizes and by what else is not as usual", () => {
    if (!strategy || !param) throw new Error("there is no strategy with a target");
    const usual = rowOf(strategy, {});
    expect(rowOf(strategy, { target_tokens: 640 }).name).toMatch(/ 640\/\d+$/);
    expect(rowOf(strategy, { context_header: false }).name).toBe(`${usual.name} · Context header: off`);
    expect(rowOf(strategy, { context_header: true }).name).toBe(usual.name);
  });
});

describe("a matrix that the engine has not told yet", () => {
  it("knows the cells of the one before it, wherever they stand now", () => {
    const axes = { ...firstAxes(["guide"]), columns: ["keyword" as const] };
    const plan = planOf("set", axes, searchesOf(axes, []), "ndcg@10");
    const cell = { place: { row: 0, column: 0 }, space: null, reranked: 0, run: null, interval: null };
    const found = { ...asKnown(plan, undefined), cells: [{ ...cell, value: 0.8 }] };
    const other = { name: "Other", strategy: "report", settings: {} };
    const wider = planOf(
      "set",
      { ...axes, rows: [other, ...axes.rows] },
      searchesOf({ ...axes, columns: ["semantic", "keyword"] }, []),
      "ndcg@10",
    );
    const values = (of: typeof wider, measure?: string) =>
      asKnown({ ...of, ...(measure && { measure }) }, { plan, found }).cells.map(({ place, value }) => [
        place.row,
        place.column,
        value,
      ]);
    expect(values(wider)).toEqual([
      [0, 0, null],
      [0, 1, null],
      [1, 0, null],
      [1, 1, 0.8],
    ]);
    expect(values(plan, "recall@5")).toEqual([[0, 0, null]]);
    expect(values({ ...plan, corpora: ["other"] })).toEqual([[0, 0, null]]);
  });
});
