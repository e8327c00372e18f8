import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { idOf, recorded } from "@/api/recording";
import type { FakeHandlers } from "@/api/transport/fake";
import type { ComparedQuery, ComparedQueryPage, GoldSet, RunPage, RunPlace } from "@/api/types";
import { judgeAs } from "@/state/judge";
import { parseRoute } from "@/state/router";
import { sent, write } from "@/test/page";
import { fresh, open, press, rowOf, rows } from "./testing";

const ids = () => rows().map((row) => row.textContent?.slice(0, 3));

const query = (id: string, baseline: number, candidate: number): ComparedQuery => ({
  id,
  query: `question ${id}`,
  type: "paraphrase",
  expected: ["S2.6(a)"],
  baseline,
  candidate,
  difference: candidate - baseline,
  first_hit: [2, 1],
});
const compared = (...queries: ComparedQuery[]): FakeHandlers => ({
  "eval.compare_queries": (): ComparedQueryPage => ({
    queries,
    total: queries.length,
    all: queries.length,
    better: 0,
    same: 0,
    worse: 0,
  }),
});

describe("queries", () => {
  it("lists those that changed most first, whichever way they changed", async () => {
    open({}, compared(query("Q01", 0.5, 0.6), query("Q02", 0.9, 0.2), query("Q03", 0.1, 0.5)));
    await rowOf("Q02");
    expect(ids()).toEqual(["Q02", "Q03", "Q01"]);
    expect(await rowOf("Q02")).toHaveTextContent("−0.70");
    expect(await rowOf("Q03")).toHaveTextContent("+0.40");
  });

  it("counts what got better and worse, and lists those alone", async () => {
    open({}, compared(query("Q01", 0.5, 0.6), query("Q02", 0.9, 0.2), query("Q03", 0.4, 0.4)));
    await rowOf("Q02");
    expect(screen.getByRole("radio", { name: "Better 1" })).toBeInTheDocument();
    expect(screen.getByRole("radio", { name: "Same 1" })).toBeInTheDocument();
    await userEvent.click(screen.getByRole("radio", { name: "Worse 1" }));
    expect(ids()).toEqual(["Q02"]);
    await write(screen.getByRole("searchbox", { name: "Filter queries" }), "Q03");
    expect(screen.getByText("No query matches the filter.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Clear the filter" }));
    expect(ids()).toHaveLength(3);
  });

  it("shows how each query went over the runs, the oldest first", async () => {
    const handlers = fresh();
    // The run before the last two never measured it.
    const values: Record<number, number> = { 1: 0.25, 2: 0.5, 4: 0.75, 5: 1 };
    open(
      {},
      {
        ...handlers,
        ...compared(query("Q07", 0.75, 1)),
        "eval.run_get": async (input: { id: number }, call) => {
          const page = (await handlers["eval.run_get"]?.(input, call)) as RunPage;
          const value = values[input.id];
          const scores: Record<string, number> = value === undefined ? {} : { "ndcg@10": value };
          return { ...page, queries: page.queries.map((each) => ({ ...each, scores })) };
        },
      },
    );
    expect(await screen.findByRole("columnheader", { name: "Runs" })).toBeInTheDocument();
    const row = await rowOf("Q07");
    const history = await within(row).findByRole("img", {
      name: "In each run, oldest first: 0.25, 0.50, —, 0.75, 1.00",
    });
    // The line breaks at the gap, and the run that is looked at is its last point.
    expect(history.querySelector("path")?.getAttribute("d")?.match(/M/g)).toHaveLength(2);
    expect(history.querySelectorAll("circle")).toHaveLength(1);
  });

  it("reads no histories of a large set", async () => {
    const handlers = fresh();
    open(
      {},
      {
        "gold.list": async (input, call) => {
          const sets = (await handlers["gold.list"]?.(input, call)) as GoldSet[];
          return sets.map((set) => ({ ...set, queries: 50_000 }));
        },
      },
    );
    await rowOf("Q07");
    expect(sent("eval.run_get")).toEqual([]);
    expect(screen.queryByRole("columnheader", { name: "Runs" })).not.toBeInTheDocument();
  });

  it("calls less time an improvement", async () => {
    open({ measure: "latency_ms" }, compared(query("Q01", 400, 100)));
    await rowOf("Q01");
    expect(screen.getByRole("radio", { name: "Better 1" })).toBeInTheDocument();
  });

  it("expands a row to both rankings by Enter, and back", async () => {
    open();
    const row = await rowOf("Q07");
    fireEvent.click(row);
    act(() => row.focus());
    await userEvent.keyboard("{Enter}");
    expect(await screen.findByRole("region", { name: "Results of Hybrid, reranked" })).toBeInTheDocument();
    expect(screen.getByRole("region", { name: "Results of Hybrid" })).toBeInTheDocument();
    expect(await rowOf("Q07")).toHaveAttribute("aria-expanded", "true");
    await userEvent.keyboard("{Enter}");
    expect(screen.queryByRole("region", { name: "Results of Hybrid" })).not.toBeInTheDocument();
  });

  it("judges a result of an expanded row, its page and its document, and takes it back", async () => {
    judgeAs("Cy");
    const asked = { baseline: 4, candidate: 5, query: "Q07" };
    const ranked = recorded("eval.compare_query", asked);
    // The first passage of a report; the library no longer has the one before it.
    const at = ranked.after.findIndex(({ path }) => path?.startsWith("northwind"));
    const place = ranked.after[at] as RunPlace;
    const chunks = recorded("chunk.list", { document: idOf("northwind"), offset: 0, limit: 1_000 });
    const [page] = place.pages ?? [0];
    open(
      { query: "Q07" },
      {
        "eval.compare_query": () => ({
          ...ranked,
          after: ranked.after.map((each, index) => (index === at - 1 ? { ...each, text: undefined } : each)),
        }),
        "chunk.get": () => ({
          ...chunks.find(({ row }) => row.chunk_id === place.chunk_id),
          found_by: ["when is net zero"],
        }),
      },
    );
    fireEvent.doubleClick(await rowOf("Q07"));
    const found = await screen.findByRole("region", { name: "Results of Hybrid, reranked" });
    // Nobody can judge what the library no longer has.
    expect(within(found).getAllByRole("listitem").length).toBeGreaterThan(
      within(found).queryAllByRole("button").length,
    );
    await userEvent.click((await within(found).findAllByRole("button"))[at - 1] as HTMLElement);
    const sheet = await screen.findByRole("dialog", { name: /^Judge / });
    expect(await within(sheet).findByRole("button", { name: "Found by 1 phrasing" })).toBeInTheDocument();
    const line = (name: string | RegExp) => within(sheet).findByRole("group", { name });
    const given = () => sent("gold.judge").at(-1);
    await userEvent.click(
      within(await line(new RegExp(`^Judge the whole page \\(p\\.\\s${page}\\)$`))).getByRole("button", {
        name: /^2:/,
      }),
    );
    expect(given()).toMatchObject({
      grade: 2,
      target: { kind: "document", document_id: idOf("northwind"), page },
    });
    await userEvent.click(
      within(await line("Judge the whole document")).getByRole("button", { name: /^1:/ }),
    );
    expect(given()).toMatchObject({
      grade: 1,
      target: { kind: "document", document_id: idOf("northwind"), page: null },
    });
    // The passage itself has no grade by that, though the highest that covers it counts.
    const own = await line("Judge this passage");
    await waitFor(() =>
      expect(within(found).getAllByRole("button")[at - 1]).toHaveAccessibleName(/: 2, Strongly related$/),
    );
    expect(within(own).queryByRole("button", { pressed: true })).not.toBeInTheDocument();
    press("3");
    expect(await within(own).findByRole("button", { name: /^3:/, pressed: true })).toBeInTheDocument();
    expect(given()).toMatchObject({
      set: "S2 review",
      query: "Q07",
      judge: "Cy",
      grade: 3,
      target: { kind: "chunk" },
    });
    await userEvent.click(within(own).getByRole("button", { name: /^3:/ }));
    await waitFor(() => expect(within(own).queryByRole("button", { pressed: true })).not.toBeInTheDocument());
    expect(given()).toMatchObject({ grade: null, target: { kind: "chunk" } });
    expect(await rowOf("Q07")).toHaveAttribute("aria-expanded", "true");
  });

  it("draws a window of ten thousand queries only", async () => {
    const many = Array.from({ length: 10_000 }, (_, at) =>
      query(`Q${String(at).padStart(5, "0")}`, 0, at / 10_000),
    );
    open({}, compared(...many));
    await rowOf("Q09999");
    expect(within(screen.getByRole("treegrid")).getAllByRole("row").length).toBeLessThan(80);
    expect(screen.getByRole("treegrid")).toHaveAttribute("aria-rowcount", "10001");
  });

  it("walks the queries by J and K, and keeps the place in the address", async () => {
    open({}, compared(query("Q01", 0.5, 0.6), query("Q02", 0.9, 0.2)));
    await rowOf("Q02");
    press("j");
    expect(await rowOf("Q01")).toHaveAttribute("aria-selected", "true");
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("query")).toBe("Q01"));
  });
});
