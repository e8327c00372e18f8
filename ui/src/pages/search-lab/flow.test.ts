import { describe, expect, it } from "vitest";
import { flowLines, MOST_LINES } from "./flow";

describe("lines between lists", () => {
  it("join the same chunk, dash what comes from below, stub what doesn’t match anything", () => {
    const lines = flowLines(["a", "x", "b", "deep"], ["b", "a", "deep"], 3);
    expect(lines).toEqual([
      { chunkId: "a", from: 0, to: 1, kind: "line" },
      { chunkId: "x", from: 1, to: 1, kind: "stub" },
      { chunkId: "b", from: 2, to: 0, kind: "line" },
      { chunkId: "deep", from: 2.75, to: 2, kind: "below" },
    ]);
  });

  it("never draws more than a web view bears", () => {
    const many = Array.from({ length: 1000 }, (_, index) => `c${index}`);
    expect(flowLines(many, [...many].reverse(), 1000).length).toBeLessThanOrEqual(MOST_LINES);
  });
});
