import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { EngineError } from "@/api/client";
import { models } from "@/api/fake/settings";
import { recorded as answered, everyRecorded } from "@/api/recording";
import type { MatrixPlan, MatrixRun, Matrix as MatrixState, StrategyView } from "@/api/types";
import { parseRoute } from "@/state/router";
import { fake, sent } from "@/test/page";
import { fresh, open } from "./testing";

describe("matrix", () => {
  it("tells the cost before it runs, pauses, resumes with what is left, and names the best", async () => {
    const handlers = fresh();
    let begun = false;
    open(
      { view: "matrix" },
      {
        ...handlers,
        // Recorded, every text is embedded already.
        "eval.matrix": async (input, call) => {
          const found = (await handlers["eval.matrix"]?.(input, call)) as MatrixState;
          const costly = (row: MatrixState["rows"][number]) => ({
            ...row,
            models: row.models.map((each) => ({ ...each, new_texts: 160 })),
          });
          return { ...found, rows: found.rows.map(costly) };
        },
        // The first cell is long at work.
        "eval.matrix_run": (input, call) => {
          if (begun) return handlers["eval.matrix_run"]?.(input, call);
          begun = true;
          return call.wait(60_000);
        },
      },
    );
    await userEvent.click(await screen.findByRole("button", { name: "Run 3 combinations" }));
    const ask = await screen.findByRole("alertdialog", { name: "Run 3 combinations?" });
    const [, , , done] = everyRecorded("eval.matrix").map(({ output }) => output);
    expect(ask).toHaveTextContent(/Texts to embed160(?!\d)/);
    expect(ask.querySelector("dl")).not.toBeNull();
    expect(ask.querySelector("p dl")).toBeNull();
    expect(sent("eval.matrix_run")).toEqual([]);
    await userEvent.click(screen.getByTestId("confirm"));
    await userEvent.click(await screen.findByRole("button", { name: "Pause" }));
    await userEvent.click(await screen.findByRole("button", { name: "Run 3 combinations" }));
    await userEvent.click(await screen.findByTestId("confirm"));
    const names = ["Keyword", "Semantic", "Hybrid, scores"];
    const { best, verdict, cells } = done as MatrixState;
    const value = Math.max(...cells.map((cell) => cell.value ?? 0)).toFixed(3);
    const told = `Best: As it is now × ${names[best?.column ?? 0]}, nDCG@10 ${value}`;
    await waitFor(() =>
      expect(screen.getByText((text) => text.startsWith(told))).toHaveTextContent(
        new RegExp(
          `\\)${verdict?.significant ? "S" : "Not s"}ignificantly better than As it is now × ${names[verdict?.against.column ?? 0]}: difference \\+0\\.\\d{3}, p = .+, corrected by Holm’s method for ${verdict?.comparisons} comparisons\\. The interval isn’t corrected`,
        ),
      ),
    );
    await waitFor(() =>
      expect(screen.queryByRole("button", { name: /^(Resume|Run \d)/ })).not.toBeInTheDocument(),
    );
  });

  it("shows the measure that is chosen, and beside every value how many results were judged", async () => {
    open({ view: "matrix" });
    await userEvent.click(await screen.findByRole("button", { name: "Run As it is now × Semantic" }));
    expect(screen.queryByRole("combobox", { name: "Measure shown" })).not.toBeInTheDocument();
    await userEvent.click(await screen.findByTestId("confirm"));
    const cell = await screen.findByRole("button", {
      name: /^As it is now × Semantic: 0\.\d{3} \d+% judged, the best$/,
    });
    expect(cell).toHaveTextContent(/^0\.\d{3} \d+% judged$/);
    expect(cell).toHaveAttribute("data-tip", expect.stringMatching(/^95% interval .+; \d+% of the first 10/));
    expect(screen.getByText(/^Best: As it is now × Semantic, nDCG@10/)).toHaveTextContent(
      /\(95% interval 0\.\d{3}–0\.\d{3}; \d+% of the first 10 judged\)$/,
    );
    await userEvent.click(cell);
    expect(screen.getByText(/^nDCG@10 0\.\d{3} \(95%/)).toHaveTextContent(/; \d+% of the first 10 judged\)$/);
    await userEvent.click(screen.getByRole("combobox", { name: "Measure shown" }));
    await userEvent.click(await screen.findByRole("option", { name: "Recall@5" }));
    expect(
      await screen.findByText(/^Best: As it is now × Semantic, Recall@5 0\.\d{3} \(/),
    ).toBeInTheDocument();
    expect(sent("eval.matrix").at(-1)).toMatchObject({ measure: "recall@5" });
  });

  it("falls back to the usual measure where the one that is looked at is none of rankings", async () => {
    open({ view: "matrix", measure: "not_found_accuracy" });
    await screen.findByRole("button", { name: "Run As it is now × Semantic" });
    expect(sent("eval.matrix")).toMatchObject([{ measure: "ndcg@10" }]);
  });

  it("takes numbers, switches, choices and texts of a way of cutting", async () => {
    const param = { min: null, max: null, options: [], unit: "", description: "" };
    const strategy: StrategyView = {
      name: "recursive",
      summary: "",
      params: [
        { ...param, name: "chunk_size", kind: "integer", min: 1, max: 9000, default: 320 },
        { ...param, name: "keep_tables", kind: "switch", default: true },
        { ...param, name: "breaks", kind: "choice", options: ["line", "sentence"], default: "line" },
        { ...param, name: "marker", kind: "text", default: "" },
      ],
    };
    open({ view: "matrix" }, { "strategy.list": () => [strategy] });
    await userEvent.click(await screen.findByRole("button", { name: "Add chunking" }));
    const sheet = await screen.findByRole("dialog", { name: "Add chunking" });
    fireEvent.change(within(sheet).getByRole("textbox", { name: "Size in characters" }), {
      target: { value: "640" },
    });
    await userEvent.click(within(sheet).getByRole("switch", { name: "Keep tables whole" }));
    await userEvent.click(within(sheet).getByRole("combobox", { name: "Breaks" }));
    await userEvent.click(await screen.findByRole("option", { name: "sentence" }));
    fireEvent.change(within(sheet).getByRole("textbox", { name: "Marker" }), { target: { value: "§" } });
    await userEvent.click(within(sheet).getByRole("button", { name: "Add" }));
    const settings = { chunk_size: 640, keep_tables: false, breaks: "sentence", marker: "§" };
    await waitFor(() =>
      expect((sent("eval.matrix").at(-1) as MatrixPlan).rows[1]).toEqual({
        name: "Recursive 640 · Keep tables whole: off · Breaks: sentence · Marker: §",
        strategy: "recursive",
        settings,
      }),
    );
  });

  it("draws a curve of what is swept, for each way of searching", async () => {
    const strategies = answered("strategy.list", {}).filter(({ name }) => name === "report");
    open({ view: "matrix" }, { "strategy.list": () => strategies });
    await userEvent.click(await screen.findByRole("button", { name: "Add chunking" }));
    const sheet = await screen.findByRole("dialog", { name: "Add chunking" });
    await userEvent.click(within(sheet).getByRole("radio", { name: "Sweep" }));
    const set = (name: string, value: string) =>
      fireEvent.change(within(sheet).getByRole("textbox", { name }), { target: { value } });
    set("To", "700");
    set("From", "300");
    set("Step", "200");
    await userEvent.click(within(sheet).getByRole("button", { name: "Add 3 rows" }));
    expect(screen.queryByRole("region", { name: /^Sweep of/ })).not.toBeInTheDocument();
    await userEvent.click(await screen.findByRole("button", { name: "Run 12 combinations" }));
    await userEvent.click(await screen.findByTestId("confirm"));
    await screen.findByRole("region", { name: "Sweep of Target tokens" });
    for (const column of ["Keyword", "Semantic", "Hybrid, scores"]) {
      // It is drawn anew as more of its cells are run.
      await waitFor(() => {
        const chart = screen.getByRole("img", { name: `nDCG@10 by Target tokens: ${column}` });
        expect(chart.querySelectorAll("circle")).toHaveLength(3);
        // The line, and the ground of the intervals about it.
        expect(chart.querySelectorAll("path").length).toBeGreaterThanOrEqual(2);
      });
    }
  });

  it("says where chance may explain that a combination is the best, corrected for how many were compared", async () => {
    const handlers = fresh();
    const against = { row: 0, column: 0 };
    open(
      { view: "matrix" },
      {
        ...handlers,
        "eval.matrix": async (input, call) => ({
          ...((await handlers["eval.matrix"]?.(input, call)) as MatrixState),
          verdict: {
            against,
            difference: 0.012,
            interval: [-0.01, 0.03],
            p_value: 0.02,
            corrected: 0.22,
            comparisons: 11,
            significant: false,
          },
        }),
      },
    );
    await userEvent.click(await screen.findByRole("button", { name: "Run As it is now × Semantic" }));
    await userEvent.click(await screen.findByTestId("confirm"));
    expect(await screen.findByText(/^Best: As it is now × Semantic/)).toHaveTextContent(
      "Not significantly better than As it is now × Keyword: difference +0.012, p = 0.220, corrected by Holm’s method for 11 comparisons.",
    );
  });

  it("applies the chunking of a combination, says that its search opens in Search Lab instead, and keeps its cells", async () => {
    const handlers = fresh();
    let applied = false;
    open(
      { view: "matrix" },
      {
        ...handlers,
        "eval.matrix": (input, call) => {
          if (applied) throw new EngineError("busy", "The library is at work.");
          return handlers["eval.matrix"]?.(input, call);
        },
      },
    );
    await userEvent.click(await screen.findByRole("button", { name: "Add chunking" }));
    const sheet = await screen.findByRole("dialog", { name: "Add chunking" });
    await userEvent.click(within(sheet).getByRole("button", { name: "Add" }));
    const added = () => (sent("eval.matrix").at(-1) as MatrixPlan).rows[1];
    await waitFor(() => expect(added()?.strategy).toBeTruthy());
    const { name, strategy, settings } = added() ?? {};
    await userEvent.click(await screen.findByRole("button", { name: `Run ${name} × Semantic` }));
    await userEvent.click(await screen.findByTestId("confirm"));
    const measured = { name: /× Semantic: 0\.\d{3} .*the best$/ };
    const value = (await screen.findByRole("button", measured)).textContent;
    await userEvent.click(screen.getByRole("button", measured));
    await userEvent.click(screen.getByRole("button", { name: "Apply chunking to corpus…" }));
    const dialog = await screen.findByRole("dialog", { name: /^Apply to / });
    expect(dialog).toHaveTextContent(`Chunks every document of the corpus again as ${name}.`);
    expect(dialog).toHaveTextContent("This applies only the chunking. This combination’s search, Semantic,");
    const opens = within(dialog).getByRole("link", { name: "Open in Search Lab" });
    const { page, query } = parseRoute(opens.getAttribute("href") ?? "");
    expect([page, query.get("mode")]).toEqual(["search-lab", "semantic"]);
    await within(dialog).findByTestId("apply-cost");
    expect(sent("ingest.start")).toEqual([]);
    applied = true;
    const asked = sent("eval.matrix").length;
    await userEvent.click(within(dialog).getByRole("button", { name: "Apply and re-embed" }));
    await waitFor(() => expect(sent("ingest.start")).toMatchObject([{ strategy, settings }]));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    act(() => fake.emit({ tags: ["chunks"] }));
    await waitFor(() => expect(sent("eval.matrix").length).toBeGreaterThan(asked));
    expect(screen.getByRole("button", measured)).toHaveTextContent(value ?? "");
  });

  it("runs one cell alone", async () => {
    open({ view: "matrix" });
    await userEvent.click(await screen.findByRole("button", { name: "Run As it is now × Semantic" }));
    await userEvent.click(await screen.findByTestId("confirm"));
    await waitFor(() => expect(sent("eval.matrix_run")).toMatchObject([{ cells: [{ row: 0, column: 1 }] }]));
  });
});

describe("models of a matrix", () => {
  const served = models.map((model) => ({ ...model, served: true }));
  it("are an axis: each is searched by meaning, words once, and what a provider takes is asked first", async () => {
    const handlers = fresh();
    const costs = served.slice(1).map(({ space_id, space }) => ({
      space: space_id,
      model: space.model,
      new_texts: 160,
      new_tokens: 38_400,
      cost_usd: space.tier === "remote" ? 0.0008 : null,
    }));
    open(
      { view: "matrix" },
      {
        ...handlers,
        "model.list": () => served,
        "eval.matrix": async (input, call) => {
          const found = (await handlers["eval.matrix"]?.(input, call)) as MatrixState;
          return { ...found, rows: found.rows.map((row) => ({ ...row, models: costs })) };
        },
      },
    );
    await userEvent.click(await screen.findByRole("button", { name: /^all-MiniLM-L6-v2/ }));
    await userEvent.click(screen.getByRole("button", { name: /^openai\/text-embedding-3-small/ }));
    const all = await screen.findByRole("button", { name: "Run 5 combinations" });
    for (const name of ["Keyword", "Semantic · all-MiniLM-L6-v2", "Semantic · openai/text-embedding-3-small"])
      expect(screen.getByRole("button", { name: `Run As it is now × ${name}` })).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Run As it is now × Keyword" }));
    expect(await screen.findByRole("alertdialog")).toHaveTextContent("CostFree");
    await userEvent.keyboard("{Escape}");
    await userEvent.click(all);
    const ask = await screen.findByRole("alertdialog", { name: "Run 5 combinations?" });
    expect(ask).toHaveTextContent("Texts to embed320");
    expect(ask).toHaveTextContent(/Cost(about )?\$0\.0008/);
    expect(sent("eval.matrix_run")).toEqual([]);
    await userEvent.click(screen.getByTestId("confirm"));
    const spaces = () =>
      sent("eval.matrix_run").flatMap((input) =>
        (input as MatrixRun).plan.columns.map(({ search }) => search?.space),
      );
    await waitFor(() => expect(new Set(spaces()).size).toBe(3));
  });
});
