import { describe, expect, it } from "vitest";
import type { ReviewStatus, TreeNode } from "@/api/types";
import { citation, narrow, nearest, neighbour, openItem, progress, scopeOf, toOutline } from "./outline";

const row = (
  id: string | null,
  label: string,
  kind: TreeNode["kind"],
  parent: number | null,
  requirement = false,
): TreeNode => ({ id, number: "", label, kind, depth: 0, parent, requirement, source_type: "" });

const rows = [
  row(null, "Climate-related Disclosures", "standard", null),
  row(null, "Strategy", "section", 0),
  row("S2.14", "Strategy and decisions", "paragraph", 1, true),
  row("S2.14(a)", "Responses", "item", 2, true),
  row("S2.14(a)(i)", "Business model", "item", 3, true),
  row("S2.14(a)(iv)", "Transition plan", "item", 3, true),
  row("S2.14(b)", "Resourcing of the plan", "item", 2, true),
  row("S2.A.scenario_analysis", "scenario analysis", "term", 0),
  row(null, "SASB", "standard", null),
  row(null, "Extractives", "sector", 8),
  row("EM-EP", "Oil & Gas", "industry", 9),
  row("EM-EP-110a", "Emissions plan", "topic", 10, true),
  row("EM-CO", "Coal", "industry", 9),
  row("EM-CO-110a", "Emissions", "topic", 12, true),
];
const outline = toOutline(rows.map((each, at) => ({ ...each, source_type: at < 8 ? "ifrs_s2" : "sasb" })));
const statuses = new Map<string, ReviewStatus>([
  ["S2.14(a)(i)", "gap"],
  ["S2.14(b)", "met"],
  ["S2.14", "open"],
]);
const node = (id: string) => outline.byTarget.get(id) as NonNullable<ReturnType<typeof outline.byTarget.get>>;
const everything = { words: "", body: "all", status: "any" } as const;

describe("narrowing the tree", () => {
  it("keeps what lies around a match, opens the way to it and counts", () => {
    const found = narrow(outline, { ...everything, words: "PLAN" }, statuses);
    expect(found.matches).toBe(3);
    expect(found.roots.map((root) => found.counts.get(root.id))).toEqual([2, 1]);
    const paragraph = found.roots[0]?.children[0]?.children[0];
    expect(paragraph?.children.map((child) => child.id)).toEqual(["S2.14(a)", "S2.14(b)"]);
    expect(found.open.has("S2.14(a)")).toBe(true);
    expect(found.open.has("S2.14(a)(iv)")).toBe(false);
  });

  it("finds an id as it is written, and leaves the branch of a match whole", () => {
    const found = narrow(outline, { ...everything, words: "s2.14(a)(" }, statuses);
    expect(found.matches).toBe(2);
    const whole = narrow(outline, { ...everything, words: "strategy and decisions" }, statuses);
    expect(whole.matches).toBe(1);
    expect(whole.open.has("S2.14")).toBe(false);
    expect(whole.roots[0]?.children[0]?.children[0]?.children).toHaveLength(2);
  });

  it("knows standards and statuses", () => {
    expect(narrow(outline, { ...everything, body: "SASB" }, statuses).roots).toHaveLength(1);
    expect(narrow(outline, { ...everything, status: "gap" }, statuses).matches).toBe(1);
    // Nobody decided on these: requirements, and what was marked so.
    const open = narrow(outline, { ...everything, status: "open" }, statuses);
    expect(open.matches).toBe(5);
    expect(narrow(outline, { ...everything, words: "nowhere" }, statuses).roots).toEqual([]);
  });
});

describe("a review", () => {
  it("goes to the next open item of its scope, round its end", () => {
    expect(openItem(outline, "S2.14(a)", statuses, 1)?.target).toBe("S2.14(a)(iv)");
    expect(openItem(outline, "S2.14(a)(iv)", statuses, 1)?.target).toBe("S2.14");
    expect(openItem(outline, "S2.14(a)", statuses, -1)?.target).toBe("S2.14");
    expect(openItem(outline, "EM-EP-110a", statuses, 1)).toBeUndefined();
  });

  it("counts requirements of a standard, or of an industry", () => {
    expect(progress(scopeOf(node("S2.14(b)")), statuses)).toMatchObject({ all: 5, done: 2, met: 1, gap: 1 });
    expect(scopeOf(node("EM-EP-110a")).target).toBe("EM-EP");
    expect(progress(scopeOf(node("EM-EP-110a")), statuses)).toMatchObject({ all: 1, done: 0 });
  });
});

describe("ids", () => {
  it("have neighbours in reading order", () => {
    expect(neighbour(outline, "S2.14(a)(iv)", 1)).toBe("S2.14(b)");
    expect(neighbour(outline, "S2.14", -1)).toBeUndefined();
  });

  it.each([
    ["s2.14 (A)(IV)", "S2.14(a)(iv)"],
    ["IFRS S2.14(b)", "S2.14(b)"],
    ["S2.14(a)(vii)", "S2.14(a)"],
    ["EM-EP-110b", "EM-EP"],
  ])("that are unknown have near ones: %s", (wanted, first) =>
    expect(nearest(outline, wanted)[0]?.target).toBe(first),
  );

  it("far from everything have none", () => expect(nearest(outline, "xyzzy-plugh-nothing")).toEqual([]));

  it.each([
    ["S2.14(a)(iv)", "IFRS S2, paragraph 14(a)(iv)"],
    ["S2.A.scenario_analysis", "IFRS S2, Appendix A, “scenario analysis”"],
    ["EM-EP-110a", "SASB, Oil & Gas (EM-EP), EM-EP-110a Emissions plan"],
    ["EM-EP", "SASB, Oil & Gas (EM-EP)"],
  ])("are cited: %s", (id, text) => expect(citation(node(id))).toBe(text));
});
