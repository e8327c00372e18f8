import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { recorded } from "@/api/recording";
import type { EvalRun, GoldSet, RunComparison } from "@/api/types";
import { parseRoute } from "@/state/router";
import { sent } from "@/test/page";
import { fresh, open, press } from "./testing";

describe("runs", () => {
  it("runs the gold set as it is set, and looks at the new run", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Run gold set" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "By words");
    await userEvent.click(screen.getByRole("radio", { name: "Keyword" }));
    await userEvent.click(screen.getByRole("switch", { name: "Rerank" }));
    await userEvent.click(screen.getByRole("button", { name: "Run 22 queries" }));
    expect(await screen.findByRole("progressbar", { name: "Progress of the run" })).toBeInTheDocument();
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("run")).toBe("6"));
    expect(sent("eval.run")).toMatchObject([
      { set: "S2 review", name: "By words", search: { mode: "keyword", rerank: false, dedupe: false } },
    ]);
    expect(parseRoute(window.location.hash).query.get("against")).toBe("5");
  });

  it("measures what is chosen, with as many results as are chosen", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Run gold set" }));
    const group = await screen.findByRole("group", { name: "Measures" });
    const pill = (name: string) => within(group).findByRole("button", { name });
    expect(await pill("Recall@5")).toHaveAttribute("aria-pressed", "true");
    await userEvent.click(await pill("Recall@5"));
    await userEvent.click(await pill("Precision@10"));
    const count = (k: string) =>
      fireEvent.change(within(group).getByRole("textbox", { name: "Results counted (k)" }), {
        target: { value: k },
      });
    // On the way through a number that is usual, what was chosen is kept.
    count("5");
    expect(within(group).getAllByRole("button", { name: "Precision@5" })).toHaveLength(1);
    count("25");
    expect(await pill("Precision@25")).toHaveAttribute("aria-pressed", "true");
    expect(within(group).queryByRole("button", { name: "Precision@10" })).not.toBeInTheDocument();
    await userEvent.click(await pill("MRR@25"));
    count("101");
    expect(await pill("MRR@25")).toBeInTheDocument();
    count("25");
    await userEvent.click(screen.getByRole("button", { name: "Run 22 queries" }));
    const [run] = sent("eval.run") as { measures: string[] }[];
    // What every run measures, such as its time, has no name that a run takes.
    const usual = recorded("eval.measures", {}).flatMap((each) => (each.cutoff === "none" ? [] : each.usual));
    expect(run?.measures).toEqual([...usual.filter((name) => name !== "recall@5"), "precision@25", "rr@25"]);
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("run")).toBe("6"));
  });

  it("stops by Escape, and keeps nothing of it", async () => {
    open({}, { "eval.run": (_, call) => call.wait(60_000) });
    await userEvent.click(await screen.findByRole("button", { name: "Run gold set" }));
    await userEvent.click(screen.getByRole("button", { name: "Run 22 queries" }));
    await screen.findByRole("progressbar", { name: "Progress of the run" });
    press("Escape");
    await waitFor(() => expect(screen.queryByRole("progressbar")).not.toBeInTheDocument());
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });

  it("says why a run failed, and runs it again", async () => {
    let failed = false;
    open(
      {},
      {
        "eval.run": () => {
          if (failed) return new Promise(() => undefined);
          failed = true;
          throw { code: "embedding_unreachable", message: "connection refused" };
        },
      },
    );
    await userEvent.click(await screen.findByRole("button", { name: "Run gold set" }));
    await userEvent.click(screen.getByRole("button", { name: "Run 22 queries" }));
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Connection refused.");
    await userEvent.click(within(alert).getByRole("button", { name: "Retry" }));
    expect(sent("eval.run")).toHaveLength(2);
    expect(sent("eval.run")[0]).toEqual(sent("eval.run")[1]);
  });

  it("holds any two against each other, and swaps them by X", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Use Semantic alone as baseline A" }));
    await waitFor(() =>
      expect(sent("eval.compare_queries").at(-1)).toMatchObject({ baseline: 1, candidate: 5 }),
    );
    press("x");
    await waitFor(() =>
      expect(sent("eval.compare_queries").at(-1)).toMatchObject({ baseline: 5, candidate: 1 }),
    );
  });

  it("are guarded by a command that names the set and how it is searched", async () => {
    open({});
    expect(
      await screen.findByText(/^sibyl eval 'S2 review' --modes hybrid --fail-below ndcg@10=0\.\d\d$/),
    ).toBeInTheDocument();
  });

  it("tell how they were made, with the hash of it to be copied", async () => {
    const handlers = fresh();
    open(
      {},
      {
        ...handlers,
        "gold.list": async (input, call) => {
          const sets = (await handlers["gold.list"]?.(input, call)) as GoldSet[];
          return sets.map((set) => ({ ...set, version: 5 }));
        },
      },
    );
    // jsdom has no clipboard until userEvent sets one up.
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "More about Keyword alone" }));
    await user.click(await screen.findByRole("menuitem", { name: "Configuration…" }));
    const dialog = await screen.findByRole("dialog", { name: "Configuration of “Keyword alone”" });
    expect(dialog).toHaveTextContent("version 3; the set is now at version 5");
    const { config_hash } = recorded("eval.runs", { set: "S2 review" })[3] as EvalRun;
    const hash = within(dialog).getByText(config_hash.slice(0, 8));
    expect(hash.closest("[data-tip]")).toHaveAttribute(
      "data-tip",
      expect.stringMatching(/^Covers the gold set’s queries/),
    );
    await user.click(within(dialog).getByRole("button", { name: "Copy the full hash" }));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(config_hash));
  });

  it("are renamed", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "More about Keyword alone" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Rename…" }));
    const dialog = await screen.findByRole("dialog", { name: "Rename “Keyword alone”" });
    const field = within(dialog).getByRole("textbox", { name: "Name" });
    fireEvent.change(field, { target: { value: "  " } });
    expect(within(dialog).getByRole("button", { name: "Rename" })).toBeDisabled();
    fireEvent.change(field, { target: { value: " By words " } });
    await userEvent.click(within(dialog).getByRole("button", { name: "Rename" }));
    await waitFor(() => expect(sent("eval.run_rename")).toEqual([{ id: 2, name: "By words" }]));
    expect(await screen.findByRole("button", { name: "More about By words" })).toBeInTheDocument();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("are exported as TREC runs", async () => {
    open({}, { "shell.save_text": () => ({ paths: ["/out/keyword.run"] }) });
    await userEvent.click(await screen.findByRole("button", { name: "More about Keyword alone" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Export as TREC run…" }));
    await waitFor(() => expect(sent("shell.save_text")).toHaveLength(1));
    expect(sent("eval.run_export")).toEqual([{ id: 2 }]);
    expect(sent("shell.save_text")[0]).toMatchObject({
      name: "Keyword alone.run",
      text: recorded("eval.run_export", { id: 2 }).text,
    });
  });

  it("are drawn in the tile of each measure, with the two that are looked at", async () => {
    open({ run: "4", against: "1" });
    const tile = await screen.findByRole("button", { name: /^Recall@5/ });
    const [line] = tile.querySelectorAll("path");
    const points = (line?.getAttribute("d") ?? "").split(/[ML]/).filter(Boolean);
    expect(points).toHaveLength(5);
    const [ring, dot] = tile.querySelectorAll("circle");
    // From the left: the oldest run is the baseline, the fourth is looked at.
    for (const [mark, at] of [
      [ring, 0],
      [dot, 3],
    ] as const) {
      const [x, y] = (points[at] ?? "").split(" ").map(Number);
      expect(Number(mark?.getAttribute("cx"))).toBeCloseTo(x ?? Number.NaN, 0);
      expect(Number(mark?.getAttribute("cy"))).toBeCloseTo(y ?? Number.NaN, 0);
    }
  });

  it("asks before a run is deleted", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "More about Keyword alone" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    expect(sent("eval.run_delete")).toEqual([]);
    await userEvent.click(await screen.findByRole("button", { name: "Delete run" }));
    await waitFor(() => expect(sent("eval.run_delete")).toEqual([{ id: 2 }]));
    await waitFor(() => expect(screen.queryByText("Keyword alone")).not.toBeInTheDocument());
  });
});

describe("comparison", () => {
  it("says in words that chance may explain a difference, with the test and its p", async () => {
    open({ view: "compare" });
    const table = await screen.findByRole("table", { name: "Measures of both runs" });
    const row = within(table).getByRole("button", { name: "nDCG@10" }).closest("tr");
    expect(row).toHaveTextContent("Not significant");
    expect(row).toHaveTextContent(/p = \d\.\d{3}/);
    const { measures } = recorded("eval.compare", { baseline: 4, candidate: 5, test: "randomisation" });
    const worse = measures.filter((each) => each.significant && each.difference < 0 !== each.lower_is_better);
    expect(worse.length).toBeGreaterThan(0);
    expect(within(table).getAllByText("Significantly worse")).toHaveLength(worse.length);
    expect(screen.getByRole("status")).toHaveTextContent(/^Not significant nDCG@10 goes from/);
    await userEvent.click(screen.getByRole("radio", { name: "t-test" }));
    await waitFor(() => expect(sent("eval.compare").at(-1)).toMatchObject({ test: "t_test" }));
  });

  it("says what p is corrected for, and corrects it for the two alone where that is chosen; begins what it doubts with a capital", async () => {
    const handlers = fresh();
    open(
      { view: "compare" },
      {
        ...handlers,
        "eval.compare": async (input, call) => ({
          ...((await handlers["eval.compare"]?.(input, call)) as RunComparison),
          notices: ["the gold set changed between the runs"],
        }),
      },
    );
    const table = await screen.findByRole("table", { name: "Measures of both runs" });
    const measures = within(table).getAllByRole("row").length - 1;
    expect(screen.getByText("The gold set changed between the runs.")).toBeInTheDocument();
    expect(sent("eval.compare").at(-1)).toMatchObject({ beside: null });
    // Five runs: each of the other four was held against the baseline.
    const family = `Corrected by Holm’s method for 4 comparisons (${measures * 4} tests): A with B, and A with every`;
    expect(screen.getByText(family, { exact: false })).toBeInTheDocument();
    expect(screen.queryByRole("textbox", { name: /compared/ })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("radio", { name: "Just these two" }));
    await waitFor(() => expect(sent("eval.compare").at(-1)).toMatchObject({ beside: [] }));
    const alone = `Corrected by Holm’s method for the ${measures} measures of just this comparison.`;
    expect(await screen.findByText(alone, { exact: false })).toBeInTheDocument();
  });
});
