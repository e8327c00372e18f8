import { expect, it } from "vitest";
import type { Fate, WhyNot } from "@/api/types";
import { fateOf, reasonOf } from "./reasons";

const told = (fate: Fate) => fateOf({ fate, verdict: "engine’s own words" });

it("says what a search did with a chunk, from its code and numbers", () => {
  expect(told({ kind: "no_such_chunk" })).toBe("This workspace has no such chunk.");
  expect(told({ kind: "outside_filters" })).toBe("The filters exclude it.");
  expect(told({ kind: "in_answer", rank: 3 })).toBe("It is in the results, at rank 3.");
  expect(told({ kind: "ranked_too_low", semantic: 1204, keyword: null })).toBe(
    "It is too far down both lists: rank 1,204 by meaning, no rank by keyword.",
  );
  expect(told({ kind: "left_out", cause: { kind: "beyond_limit", rank: 12, limit: 10 } })).toBe(
    "Rank 12 is beyond the 10 results requested.",
  );
});

it("says why a candidate was left out", () => {
  const near = {
    kind: "near_duplicate",
    of: "0123456789abcdef",
    label: "S2.14(a)",
    similarity: 0.9712,
  } as const;
  expect(reasonOf({ cause: near, reason: "" })).toBe("Near-duplicate of S2.14(a): cosine similarity 0.971.");
  const below = { kind: "below_minimum", relevance: 0.31249, minimum: 0.4 } as const;
  expect(reasonOf({ cause: below, reason: "" })).toBe("Relevance 0.312 is below the minimum of 0.4.");
});

it("keeps the sentence of a search that was stored before there were codes", () => {
  const former = { verdict: "the filters exclude it" } as WhyNot;
  expect(fateOf(former)).toBe("The filters exclude it.");
});
