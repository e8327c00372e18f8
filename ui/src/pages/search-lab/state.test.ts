import { describe, expect, it } from "vitest";
import { NO_FILTERS } from "@/api/defaults";
import type { ModelView, Tier } from "@/api/types";
import { shellWord } from "@/parts/shell-word";
import { href, parseRoute } from "@/state/router";
import { writeLike } from "@/text/locale";
import { commandOf, lookupOf } from "./calls";
import { changes } from "./compare";
import { page } from "./page";
import {
  defaultRequest,
  followingUsual,
  fromAddress,
  type Lab,
  leavesComputer,
  toAddress,
  whileTyping,
} from "./state";

const lab = (part: Partial<Lab> = {}): Lab => ({ ...fromAddress(new URLSearchParams()), ...part });
const through = (state: Lab) => fromAddress(parseRoute(href("search-lab", [], toAddress(state))).query);

describe("the address", () => {
  it.each<[string, Lab]>([
    ["nothing", lab()],
    ["a query of signs", lab({ request: { ...defaultRequest(), query: `100% "a,b" & c=d?#/ ä😀` } })],
    [
      "everything",
      lab({
        request: {
          ...defaultRequest(),
          query: "plan",
          mode: "keyword",
          top_k: 25,
          fusion: "rrf",
          semantic_share: 0.4,
          rrf_k: 0,
          semantic_weight: 0.3,
          keyword_weight: 0,
          structured: true,
          correct_spelling: false,
          thesaurus: false,
          counterparts: false,
          feedback: false,
          dedupe: false,
          rerank: true,
          min_relevance: 0,
          space: "bge/small:1",
          pinned: ["00ff", "aa"],
          filters: { ...NO_FILTERS, corpora: ["A, B", "100%2C", "%"], paths: ["docs/x"], tags: ["ä"] },
        },
        run: 214,
        selected: "00ff",
        against: "space:a:b",
        budget: 2200,
        order: "fused",
        blind: true,
        out: ["aa"],
      }),
    ],
  ])("keeps %s", (_, state) => expect(through(state)).toEqual(state));

  it("may be set from outside, but for what may send words to a provider", () => {
    const all = Object.keys(toAddress(lab()));
    const asked = all.filter((name) => !page.reads?.includes(name));
    expect(asked.sort()).toEqual(["against", "rerank", "space"]);
  });

  it("leaves out what stands at its default and survives nonsense", () => {
    expect(Object.values(toAddress(lab())).filter(Boolean)).toEqual([]);
    const nonsense = new URLSearchParams("k=-3&rrf=x&sw=1e9&run=0&budget=5&mode=odd&least=7");
    expect(fromAddress(nonsense)).toEqual(lab({ request: { ...defaultRequest(), min_relevance: 0 } }));
  });
});

const model = (space_id: string, tier: Tier, served = true, vectors = 10): ModelView => ({
  space_id,
  served,
  vectors,
  space: { tier, model: space_id, endpoint: "", revision: "", dimensions: 8, window: "" },
});
const remote = model("far", "remote");
const own = model("near", "embedded");
const quick = model("quick", "instant");

describe("typing never asks a provider", () => {
  const requests = (["hybrid", "semantic", "keyword"] as const).flatMap((mode) =>
    [true, false].flatMap((rerank) =>
      [null, "far", "near"].map((space) => ({ ...defaultRequest(), query: "x", mode, rerank, space })),
    ),
  );
  it.each([
    ["nothing local", [remote]],
    ["a local model", [remote, own, quick]],
    ["a local model without vectors", [remote, model("near", "embedded", true, 0)]],
    ["no model", []],
  ])("with %s", (_, models) => {
    for (const request of requests) expect(leavesComputer(whileTyping(request, models), models)).toBe(false);
  });
  it("takes the best model of this computer, and changes nothing that stays here", () => {
    const request = { ...defaultRequest(), query: "x" };
    expect(whileTyping(request, [remote, quick, own]).space).toBe("near");
    expect(whileTyping(request, [remote]).mode).toBe("keyword");
    expect(whileTyping(request, [own])).toBe(request);
  });
});

describe("the same call", () => {
  it("quotes for a shell whatever the query holds", () => {
    expect(shellWord("plan")).toBe("plan");
    expect(shellWord('it\'s $(x) `y` "z"')).toBe(`'it'\\''s $(x) \`y\` "z"'`);
    expect(commandOf({ ...defaultRequest(), query: "-x; rm" })).toBe("sibyl search --explain -- '-x; rm'");
  });
  it("writes each setting that is not the default", () => {
    const request = {
      ...defaultRequest(),
      query: "transition plan",
      top_k: 5,
      dedupe: false,
      filters: { ...NO_FILTERS, pillars: ["strategy", "governance"] },
    };
    expect(commandOf(request)).toBe(
      "sibyl search 'transition plan' --top-k 5 --no-dedupe --pillar strategy --pillar governance --explain",
    );
    expect(lookupOf(request)).toEqual({
      input: { query: "transition plan" },
      beyond: ["pillars", "dedupe"],
    });
    const ranks = { ...defaultRequest(), query: "x", fusion: "rrf", rrf_k: 7, semantic_share: 0.9 } as const;
    expect(commandOf(ranks)).toBe("sibyl search x --fusion rrf --rrf-k 7 --explain");
    expect(lookupOf(ranks).beyond).toEqual(["fusion", "rrf_k"]);
  });
});

describe("a library with another default search", () => {
  const usual = { ...defaultRequest(), mode: "keyword", feedback: false } as const;

  it("is what an address stands for that says nothing, and is left out of it", () => {
    const at = fromAddress(new URLSearchParams({ q: "water", feedback: "1" }), usual);
    expect(at.request).toMatchObject({ query: "water", mode: "keyword", feedback: true, thesaurus: true });
    const written = Object.entries(toAddress(at, usual)).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(written)).toEqual({ q: "water", feedback: "1" });
    expect(fromAddress(new URLSearchParams(), usual).request.mode).toBe("keyword");
    expect(fromAddress(new URLSearchParams({ mode: "hybrid" }), usual).request.mode).toBe("hybrid");
  });

  it("is followed where nothing else was chosen", () => {
    const chosen = { ...defaultRequest(), query: "x", thesaurus: false };
    expect(followingUsual(chosen, defaultRequest(), usual)).toEqual({
      ...usual,
      query: "x",
      thesaurus: false,
    });
  });

  it("is set aside by the command that a search is written out as", () => {
    const built = { ...defaultRequest(), query: "x", rrf_k: 9 };
    expect(commandOf(built, usual)).toBe("sibyl search x --built-in --explain");
    expect(commandOf({ ...usual, query: "x" }, usual)).toBe(
      "sibyl search x --built-in --mode keyword --no-feedback --explain",
    );
    expect(lookupOf({ ...usual, query: "x" }, usual).beyond).toEqual([]);
  });
});

describe("comparing two searches", () => {
  it("names what differs only", () => {
    const one = defaultRequest();
    expect(changes(one, one)).toEqual([]);
    expect(changes(one, { ...one, rrf_k: 7, space: "x" })).toEqual([]);
    const ranks = { ...one, fusion: "rrf" } as const;
    expect(changes(ranks, { ...ranks, rrf_k: 7, semantic_share: 0.9 })).toEqual([
      { setting: "rrf_k", a: String(one.rrf_k), b: "7" },
    ]);
    expect(changes(one, ranks).map(({ setting }) => setting)).toEqual([
      "fusion",
      "semantic_share",
      "rrf_k",
      "weights",
    ]);
    writeLike("sv-SE");
    expect(changes({ ...ranks, semantic_weight: 0.5 }, ranks)[0]?.a).toBe(`0,5 : ${one.keyword_weight}`);
    writeLike("en-US");
  });
});
