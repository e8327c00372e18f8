import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { handlers } from "@/api/fake";
import type { LabelPlace, MatrixPlan } from "@/api/types";
import { sent } from "@/test/page";
import { holdsWhole } from "./cut";
import { cutOfDocument, NORTHWIND, open } from "./testing";

describe("the gold set below a comparison", () => {
  it("measures A and B once the cost was agreed to, and tells who won", async () => {
    const label = { grade: 3, judge: "", at: "2026-01-01T00:00:00Z" };
    const target = { kind: "span", path: "a.md", quote: "words", before: "", after: "" } as const;
    const place = {
      label: { ...label, target },
      name: "a.md#1 words",
      document: NORTHWIND,
      range: [120, 480],
      chunks: [],
    };
    open(
      { view: "compare", b: "recursive" },
      {
        "gold.panel": ({ query }: { query: string }) => [
          {
            set: "S2 review",
            query: { id: "Q", query, type: "", answerable: true, labels: [] },
            labels: [place],
          },
        ],
      },
    );
    const gold = await screen.findByRole("region", { name: "Gold set" });
    fireEvent.click(await within(gold).findByRole("button", { name: "Measure A and B with S2 review" }));
    const ask = await screen.findByRole("alertdialog", { name: "Measure both ways of chunking?" });
    expect(ask).toHaveTextContent("Texts to embed");
    const runs = () => sent<{ plan: MatrixPlan }>("eval.matrix_run");
    expect(runs()).toEqual([]);
    fireEvent.click(screen.getByTestId("confirm"));
    expect(await within(gold).findByText(/^nDCG@10: .* B wins \d+ quer/)).toBeInTheDocument();
    const [{ plan }] = runs() as [{ plan: MatrixPlan }];
    expect(plan.rows.map((row) => row.name)).toEqual(["A", "B"]);
    expect(plan.rows[1]?.strategy).toBe("recursive");
    expect(plan.columns).toHaveLength(1);
    const changed = await within(gold).findByRole("list", { name: "Queries that changed most" });
    fireEvent.click(within(changed).getAllByRole("button")[0] as HTMLElement);
    // The passage is shown in both cuts, and the figures stay.
    await waitFor(() =>
      expect(window.location.hash).toMatch(new RegExp(`document=${NORTHWIND}&.*mark=120-480`)),
    );
    expect(window.location.hash).toMatch(/view=compare/);
    fireEvent.click(await screen.findByRole("button", { name: "Compare in Evaluate" }));
    expect(window.location.hash).toMatch(/^#\/evaluate\?set=S2\+review&run=\d+&against=\d+$/);
  });

  /** Measures A and B with `changed` parts of the engine, and gives the queries that differ. */
  const measured = async (changed: typeof handlers) => {
    open({ view: "compare", b: "recursive" }, changed);
    const gold = await screen.findByRole("region", { name: "Gold set" });
    fireEvent.click(await within(gold).findByRole("button", { name: /^Measure A and B/ }));
    const confirm = () => screen.queryByTestId("confirm");
    const found = () => within(gold).queryByRole("list", { name: "Queries that changed most" });
    // What was measured before is kept by the engine, and nothing is asked again.
    await waitFor(() => expect(confirm() ?? found()).not.toBeNull());
    const button = confirm();
    if (button) fireEvent.click(button);
    return { gold, changed: await waitFor(() => found() as HTMLElement) };
  };

  it("shows the passage that a border cuts in one of both, not the one that moved most", async () => {
    const cutOf = (strategy?: string) =>
      cutOfDocument({
        source: { kind: "document", id: NORTHWIND },
        ...(strategy && { strategy, chunks_only: true }),
      }).chunks;
    const a = cutOf();
    const b = cutOf("recursive");
    // A passage longer than what a chunk repeats of the one before it, at a border of B alone.
    const cut = b
      .map(({ view }): [number, number] => [view.range[0] - 500, view.range[0] + 100])
      .find((range) => holdsWhole(a, range) && !holdsWhole(b, range));
    const whole: [number, number] = [2, 9];
    expect(cut).toBeDefined();
    expect([a, b].map((chunks) => holdsWhole(chunks, whole))).toEqual([true, true]);
    const place = (name: string, range: [number, number] | undefined): LabelPlace => ({
      label: {
        target: { kind: "span", path: "a.md", quote: name, before: "", after: "" },
        grade: 3,
        judge: "",
        at: "2026-01-01T00:00:00Z",
      },
      name,
      source: { changed: false, document_id: null, range: null, kept: false },
      document: NORTHWIND,
      range: range ?? null,
      chunks: [],
    });
    const move = (name: string) => ({ name, grade: 3, before: 1, after: null, why: "" });
    const { changed } = await measured({
      "gold.panel": () => [
        {
          set: "S2 review",
          query: { id: "Q", query: "", type: "", labels: [] },
          labels: [place("whole", whole), place("cut", cut)],
        },
      ],
      "eval.compare_query": () => ({ before: [], after: [], moves: [move("whole"), move("cut")] }),
    });
    fireEvent.click(within(changed).getAllByRole("button")[0] as HTMLElement);
    await waitFor(() => expect(window.location.hash).toMatch(/mark=/));
    expect(window.location.hash).toContain(`mark=${cut?.join("-")}`);
  });

  it("lists twelve of the queries that differ, and all of them once asked", async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      id: `Q${at}`,
      query: `Query ${at}`,
      type: "",
      expected: [],
      baseline: 0.5,
      candidate: 0.5,
      difference: at < 20 ? 0.4 - at / 100 : 0,
      first_hit: [1, 1],
    }));
    const { gold, changed } = await measured({
      "eval.compare_queries": ({ limit }: { limit: number }) => ({
        queries: many.slice(0, limit),
        total: 30,
        all: 30,
        better: 20,
        worse: 0,
        same: 10,
      }),
    });
    expect(within(changed).getAllByRole("button")).toHaveLength(12);
    fireEvent.click(within(gold).getByRole("button", { name: "Show all 20" }));
    await waitFor(() => expect(within(changed).getAllByRole("button")).toHaveLength(20));
    expect(within(gold).queryByRole("button", { name: /^Show all/ })).toBeNull();
  });
});
