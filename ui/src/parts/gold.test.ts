import { describe, expect, it } from "vitest";
import { labelName } from "./gold";

describe("the name of a label", () => {
  it.each([
    ["S2.14(a)(iv)", "S2.14(a)(iv)"],
    ["docs/guide/sync.md#0a1b2c3d An archive node is a", "sync.md “An archive node is a…”"],
    ["sync.md#0a1b2c3d Words\nover lines", "sync.md “Words\nover lines…”"],
    ["a/b#c d", "a/b#c d"],
  ])("of %s is %s", (name, shown) => expect(labelName(name)).toBe(shown));
});
