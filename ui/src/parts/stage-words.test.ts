import { describe, expect, it } from "vitest";
import { stageWords } from "./stage-words";

describe("the words of a stage", () => {
  it("name a total only once it is known", () => {
    expect(stageWords({ stage: "embed", done: 0, total: 0 })).toBe("Embedding…");
    expect(stageWords({ stage: "store", done: 500, total: 0 })).toBe("Ingesting: 500 so far");
    expect(stageWords({ stage: "search", done: 3, total: 40 })).toBe("Searching: 3 of 40 queries");
  });

  it.each(["store", "embed", "search", "cell"] as const)("never say “of 0”: %s", (stage) => {
    for (const done of [0, 1, 500]) expect(stageWords({ stage, done, total: 0 })).not.toMatch(/ of |0$/);
  });
});
