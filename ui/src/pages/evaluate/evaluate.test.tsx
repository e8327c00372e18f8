import { useQueryClient } from "@tanstack/react-query";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chooseTransport } from "@/api/client";
import { handlers as library } from "@/api/fake/library";
import { handlers as searchLab } from "@/api/fake/search-lab";
import { models } from "@/api/fake/settings";
import { handlers as shell } from "@/api/fake/shell";
import { followEvents } from "@/api/queries";
import { recorded as answered, handlers as recorded } from "@/api/recording";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type {
  ComparedQuery,
  ComparedQueryPage,
  GeneratorView,
  GoldImported,
  GoldSet,
  MatrixPlan,
  MatrixRun,
  Matrix as MatrixState,
  RunComparison,
  RunPage,
  StoredChunk,
  StrategyView,
} from "@/api/types";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { HeaderContext } from "@/parts/PageHeader";
import { judgeAs } from "@/state/judge";
import { href, parseRoute } from "@/state/router";
import { show } from "@/test/render";
import EvaluatePage from "./index";
import { page } from "./page";
import { matrixWork, runWork } from "./running";

let fake: FakeTransport;

/** Fresh handlers: those of the in-memory engine remember what was done. */
const fresh = async (): Promise<FakeHandlers> => {
  vi.resetModules();
  return (await import("@/api/fake/evaluate")).handlers;
};

function Events() {
  const queries = useQueryClient();
  useEffect(() => followEvents(queries), [queries]);
  return null;
}

async function open(query: Record<string, string> = {}, changed: FakeHandlers = {}) {
  fake = fakeTransport({
    ...shell,
    ...recorded,
    ...library,
    ...searchLab,
    ...(await fresh()),
    "answer.generators": (): GeneratorView[] => [],
    ...changed,
  });
  chooseTransport(fake);
  window.location.hash = href("evaluate", [], query);
  const actions = document.body.appendChild(document.createElement("div"));
  const context = document.body.appendChild(document.createElement("div"));
  return show(
    <HeaderContext value={{ context, actions }}>
      <Events />
      <EvaluatePage />
    </HeaderContext>,
  );
}
const calls = (command: string) =>
  fake.calls.filter((each) => each.command === command).map((each) => each.input);
const rows = () => [...document.querySelectorAll<HTMLElement>("[role=treegrid] [role=row][data-index]")];
// By its words: names of rows are slow to work out where there are many.
const rowOf = (id: string) =>
  waitFor(() => {
    const found = rows().find((row) => row.textContent?.startsWith(id));
    expect(found).toBeDefined();
    return found as HTMLElement;
  });
const ids = () => rows().map((row) => row.textContent?.slice(0, 3));
const keys = (event: KeyboardEvent) => void handleKey(event);
const press = (key: string) => fireEvent.keyDown(document.body, { key });

beforeEach(() => {
  defineShortcuts(page.shortcuts ?? []);
  window.addEventListener("keydown", keys);
});
afterEach(() => {
  window.removeEventListener("keydown", keys);
  sessionStorage.clear();
  localStorage.clear();
  runWork.stop();
  runWork.forget();
  matrixWork.stop();
  matrixWork.forget();
  judgeAs("");
  document.body.replaceChildren();
});

// In jsdom every edge lies at 0, 0: a click on a field would grab the handle between two panes.
const write = async (field: HTMLElement, words: string) => {
  act(() => field.focus());
  await userEvent.keyboard(words);
};

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
    await open({}, compared(query("Q01", 0.5, 0.6), query("Q02", 0.9, 0.2), query("Q03", 0.1, 0.5)));
    await rowOf("Q02");
    expect(ids()).toEqual(["Q02", "Q03", "Q01"]);
    expect(await rowOf("Q02")).toHaveTextContent("−0.70");
    expect(await rowOf("Q03")).toHaveTextContent("+0.40");
  });

  it("counts what got better and worse, and lists those alone", async () => {
    await open({}, compared(query("Q01", 0.5, 0.6), query("Q02", 0.9, 0.2), query("Q03", 0.4, 0.4)));
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
    const handlers = await fresh();
    // The run before the last two never measured it.
    const values: Record<number, number> = { 57: 0.25, 58: 0.5, 60: 0.75, 61: 1 };
    await open(
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
    const handlers = await fresh();
    await open(
      {},
      {
        "gold.list": async (input, call) => {
          const sets = (await handlers["gold.list"]?.(input, call)) as GoldSet[];
          return sets.map((set) => ({ ...set, queries: 50_000 }));
        },
      },
    );
    await rowOf("Q07");
    expect(calls("eval.run_get")).toEqual([]);
    expect(screen.queryByRole("columnheader", { name: "Runs" })).not.toBeInTheDocument();
  });

  it("calls less time an improvement", async () => {
    await open({ measure: "latency_ms" }, compared(query("Q01", 400, 100)));
    await rowOf("Q01");
    expect(screen.getByRole("radio", { name: "Better 1" })).toBeInTheDocument();
  });

  it("expands a row to both rankings by Enter, and back", async () => {
    await open();
    const row = await rowOf("Q07");
    fireEvent.click(row);
    act(() => row.focus());
    await userEvent.keyboard("{Enter}");
    expect(
      await screen.findByRole("region", { name: "Results of Heading-aware 460, reranked" }),
    ).toBeInTheDocument();
    expect(screen.getByRole("region", { name: "Results of Heading-aware 460" })).toBeInTheDocument();
    expect(await rowOf("Q07")).toHaveAttribute("aria-expanded", "true");
    await userEvent.keyboard("{Enter}");
    expect(screen.queryByRole("region", { name: "Results of Heading-aware 460" })).not.toBeInTheDocument();
  });

  it("judges a result of an expanded row, its page and its document, and takes it back", async () => {
    judgeAs("Cy");
    const gold = await fresh();
    await open(
      { query: "Q07" },
      {
        "chunk.get": async (asked, call) => ({
          ...((await gold["chunk.get"]?.(asked, call)) as StoredChunk),
          found_by: ["when is net zero"],
        }),
      },
    );
    fireEvent.doubleClick(await rowOf("Q07"));
    const found = await screen.findByRole("region", { name: "Results of Heading-aware 460, reranked" });
    // Nobody can judge what the library no longer has.
    expect(within(found).getAllByRole("listitem").length).toBeGreaterThan(
      within(found).queryAllByRole("button").length,
    );
    await userEvent.click(await within(found).findByRole("button", { name: /^Grade of NW24 p\.34: / }));
    const sheet = await screen.findByRole("dialog", { name: "Judge NW24 p.34" });
    expect(await within(sheet).findByRole("button", { name: "Found by 1 phrasing" })).toBeInTheDocument();
    const line = (name: string | RegExp) => within(sheet).findByRole("group", { name });
    const given = () => calls("gold.judge").at(-1);
    await userEvent.click(
      within(await line(/^Judge the whole page \(p\.\s34\)$/)).getByRole("button", { name: /^2:/ }),
    );
    expect(given()).toMatchObject({ grade: 2, target: { kind: "document", document_id: 2, page: 34 } });
    await userEvent.click(
      within(await line("Judge the whole document")).getByRole("button", { name: /^1:/ }),
    );
    expect(given()).toMatchObject({ grade: 1, target: { kind: "document", document_id: 2, page: null } });
    // The passage itself has no grade by that, though the highest that covers it counts.
    const own = await line("Judge this passage");
    await waitFor(() =>
      expect(
        within(found).getByRole("button", { name: "Grade of NW24 p.34: 2, Strongly related" }),
      ).toBeInTheDocument(),
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
    await open({}, compared(...many));
    await rowOf("Q09999");
    expect(within(screen.getByRole("treegrid")).getAllByRole("row").length).toBeLessThan(80);
    expect(screen.getByRole("treegrid")).toHaveAttribute("aria-rowcount", "10001");
  });

  it("walks the queries by J and K, and keeps the place in the address", async () => {
    await open({}, compared(query("Q01", 0.5, 0.6), query("Q02", 0.9, 0.2)));
    await rowOf("Q02");
    press("j");
    expect(await rowOf("Q01")).toHaveAttribute("aria-selected", "true");
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("query")).toBe("Q01"));
  });
});

describe("runs", () => {
  it("runs the gold set as it is set, and looks at the new run", async () => {
    await open();
    await userEvent.click(await screen.findByRole("button", { name: "Run gold set" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "By words");
    await userEvent.click(screen.getByRole("radio", { name: "Keyword" }));
    await userEvent.click(screen.getByRole("switch", { name: "Rerank" }));
    await userEvent.click(screen.getByRole("button", { name: "Run 22 queries" }));
    expect(await screen.findByRole("progressbar", { name: "Progress of the run" })).toBeInTheDocument();
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("run")).toBe("62"));
    expect(calls("eval.run")).toMatchObject([
      { set: "S2 review", name: "By words", search: { mode: "keyword", rerank: false, dedupe: false } },
    ]);
    expect(parseRoute(window.location.hash).query.get("against")).toBe("61");
  });

  it("measures what is chosen, with as many results as are chosen", async () => {
    await open();
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
    const [run] = calls("eval.run") as { measures: string[] }[];
    // What every run measures, such as its time, has no name that a run takes.
    expect(run?.measures).toEqual([
      "ndcg@10",
      "recall@10",
      "precision@5",
      "success@1",
      "rr",
      "ap",
      "judged@10",
      "precision@25",
      "rr@25",
    ]);
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("run")).toBe("62"));
  });

  it("stops by Escape, and keeps nothing of it", async () => {
    await open({}, { "eval.run": (_, call) => call.wait(60_000) });
    await userEvent.click(await screen.findByRole("button", { name: "Run gold set" }));
    await userEvent.click(screen.getByRole("button", { name: "Run 22 queries" }));
    await screen.findByRole("progressbar", { name: "Progress of the run" });
    press("Escape");
    await waitFor(() => expect(screen.queryByRole("progressbar")).not.toBeInTheDocument());
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });

  it("says why a run failed, and runs it again", async () => {
    let failed = false;
    await open(
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
    expect(calls("eval.run")).toHaveLength(2);
    expect(calls("eval.run")[0]).toEqual(calls("eval.run")[1]);
  });

  it("holds any two against each other, and swaps them by X", async () => {
    await open();
    await userEvent.click(await screen.findByRole("button", { name: "Use Recursive 320/48 as baseline A" }));
    await waitFor(() =>
      expect(calls("eval.compare_queries").at(-1)).toMatchObject({ baseline: 57, candidate: 61 }),
    );
    press("x");
    await waitFor(() =>
      expect(calls("eval.compare_queries").at(-1)).toMatchObject({ baseline: 61, candidate: 57 }),
    );
  });

  it("are guarded by a command that names the set and how it is searched", async () => {
    await open({});
    expect(
      await screen.findByText(/^sibyl eval 'S2 review' --modes hybrid --fail-below ndcg@10=0\.\d\d$/),
    ).toBeInTheDocument();
  });

  it("tell how they were made, with the hash of it to be copied", async () => {
    const handlers = await fresh();
    await open(
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
    const hash = within(dialog).getByText("c0ff1658");
    expect(hash.closest("[data-tip]")).toHaveAttribute(
      "data-tip",
      expect.stringMatching(/^Covers the gold set’s queries/),
    );
    await user.click(within(dialog).getByRole("button", { name: "Copy the full hash" }));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("c0ff1658a7d40e2b"));
  });

  it("are renamed", async () => {
    await open();
    await userEvent.click(await screen.findByRole("button", { name: "More about Keyword alone" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Rename…" }));
    const dialog = await screen.findByRole("dialog", { name: "Rename “Keyword alone”" });
    const field = within(dialog).getByRole("textbox", { name: "Name" });
    fireEvent.change(field, { target: { value: "  " } });
    expect(within(dialog).getByRole("button", { name: "Rename" })).toBeDisabled();
    fireEvent.change(field, { target: { value: " By words " } });
    await userEvent.click(within(dialog).getByRole("button", { name: "Rename" }));
    await waitFor(() => expect(calls("eval.run_rename")).toEqual([{ id: 58, name: "By words" }]));
    expect(await screen.findByRole("button", { name: "More about By words" })).toBeInTheDocument();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("are exported as TREC runs", async () => {
    await open({}, { "shell.save_text": () => ({ paths: ["/out/keyword.run"] }) });
    await userEvent.click(await screen.findByRole("button", { name: "More about Keyword alone" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Export as TREC run…" }));
    await waitFor(() => expect(calls("shell.save_text")).toHaveLength(1));
    expect(calls("eval.run_export")).toEqual([{ id: 58 }]);
    expect(calls("shell.save_text")[0]).toMatchObject({
      name: "Keyword alone.run",
      text: expect.stringMatching(/^Q02 Q0 \S.* 1 10 sibyl\n/),
    });
  });

  it("are drawn in the tile of each measure, with the two that are looked at", async () => {
    await open({ run: "60", against: "57" });
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
    await open();
    await userEvent.click(await screen.findByRole("button", { name: "More about Keyword alone" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    expect(calls("eval.run_delete")).toEqual([]);
    await userEvent.click(await screen.findByRole("button", { name: "Delete run" }));
    await waitFor(() => expect(calls("eval.run_delete")).toEqual([{ id: 58 }]));
    await waitFor(() => expect(screen.queryByText("Keyword alone")).not.toBeInTheDocument());
  });
});

describe("comparison", () => {
  it("says in words that chance may explain a difference, with the test and its p", async () => {
    await open({ view: "compare" });
    const table = await screen.findByRole("table", { name: "Measures of both runs" });
    const row = within(table).getByRole("button", { name: "nDCG@10" }).closest("tr");
    expect(row).toHaveTextContent("Not significant");
    expect(row).toHaveTextContent(/p = \d\.\d{3}/);
    const slower = within(table).getByRole("button", { name: "Time per query" }).closest("tr");
    expect(slower).toHaveTextContent("Significantly worse");
    expect(screen.getByRole("status")).toHaveTextContent(/^Not significant nDCG@10 goes from/);
    await userEvent.click(screen.getByRole("radio", { name: "t-test" }));
    await waitFor(() => expect(calls("eval.compare").at(-1)).toMatchObject({ test: "t_test" }));
  });

  it("says what p is corrected for, and corrects it for the two alone where that is chosen; begins what it doubts with a capital", async () => {
    const handlers = await fresh();
    await open(
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
    expect(calls("eval.compare").at(-1)).toMatchObject({ beside: null });
    // Five runs: each of the other four was held against the baseline.
    const family = `Corrected by Holm’s method for 4 comparisons (${measures * 4} tests): A with B, and A with every`;
    expect(screen.getByText(family, { exact: false })).toBeInTheDocument();
    expect(screen.queryByRole("textbox", { name: /compared/ })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("radio", { name: "Just these two" }));
    await waitFor(() => expect(calls("eval.compare").at(-1)).toMatchObject({ beside: [] }));
    const alone = `Corrected by Holm’s method for the ${measures} measures of just this comparison.`;
    expect(await screen.findByText(alone, { exact: false })).toBeInTheDocument();
  });
});

describe("judging", () => {
  it("judges ten passages by keyboard, takes one back, and never shows ranks", async () => {
    judgeAs("Cy");
    await open({ view: "judge" });
    await screen.findByRole("region", { name: "Passage" });
    expect(screen.getByText("0 of 24 judged")).toBeInTheDocument();
    for (const key of ["3", "0", "1", "2", "0", "0", "3", "1", "0", "2"]) press(key);
    await waitFor(() => expect(screen.getByText("10 of 24 judged")).toBeInTheDocument());
    const given = calls("gold.judge") as { grade: number; judge: string; query: string; target: object }[];
    expect(given.map((each) => each.grade)).toEqual([3, 0, 1, 2, 0, 0, 3, 1, 0, 2]);
    expect(new Set(given.map((each) => `${each.query}${JSON.stringify(each.target)}`)).size).toBe(10);
    expect(given.every((each) => each.judge === "Cy")).toBe(true);
    press("k");
    expect(screen.getByRole("button", { name: /^2: /, pressed: true })).toBeInTheDocument();
    press("Backspace");
    await waitFor(() => expect(screen.getByText("9 of 24 judged")).toBeInTheDocument());
    expect(calls("gold.judge").at(-1)).toMatchObject({ grade: null });
    expect(screen.queryByText(/Rank \d/)).not.toBeInTheDocument();
  });

  it("folds away what each passage is found by, and folds it again for the next", async () => {
    await open({ view: "judge" });
    const passage = await screen.findByRole("region", { name: "Passage" });
    const folded = () => within(passage).getByRole("button", { name: "Found by 2 phrasings" });
    expect(within(passage).queryByText("net zero by when")).not.toBeInTheDocument();
    await userEvent.click(folded());
    expect(within(passage).getByRole("link", { name: "net zero by when" })).toBeVisible();
    press("j");
    await waitFor(() => expect(folded()).toHaveAttribute("aria-expanded", "false"));
  });

  it("shows how far two judges agree", async () => {
    await open({ view: "judge" });
    expect(await screen.findByText("0.72")).toBeInTheDocument();
    expect(calls("gold.agreement")).toEqual([{ set: "S2 review", judges: ["Ada", "Ben"] }]);
  });
});

describe("matrix", () => {
  it("tells the cost before it runs, pauses, resumes with what is left, and names the best", async () => {
    const handlers = await fresh();
    let begun = false;
    await open(
      { view: "matrix" },
      {
        ...handlers,
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
    expect(ask).toHaveTextContent("Texts to embed160");
    expect(ask.querySelector("dl")).not.toBeNull();
    expect(ask.querySelector("p dl")).toBeNull();
    expect(calls("eval.matrix_run")).toEqual([]);
    await userEvent.click(screen.getByTestId("confirm"));
    await userEvent.click(await screen.findByRole("button", { name: "Pause" }));
    await userEvent.click(await screen.findByRole("button", { name: "Run 3 combinations" }));
    await userEvent.click(await screen.findByTestId("confirm"));
    expect(
      await screen.findByText(/^Best: As it is now × Hybrid, scores, nDCG@10 0\.\d{3} \(95% interval/),
    ).toHaveTextContent(
      /\)Significantly better than As it is now × Keyword: difference \+0\.\d{3}, p = .+, corrected by Holm’s method for 2 comparisons\. The interval isn’t corrected/,
    );
    await waitFor(() =>
      expect(screen.queryByRole("button", { name: /^(Resume|Run \d)/ })).not.toBeInTheDocument(),
    );
  });

  it("shows the measure that is chosen, and beside every value how many results were judged", async () => {
    await open({ view: "matrix" });
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
    expect(calls("eval.matrix").at(-1)).toMatchObject({ measure: "recall@5" });
  });

  it("falls back to the usual measure where the one that is looked at is none of rankings", async () => {
    await open({ view: "matrix", measure: "not_found_accuracy" });
    await screen.findByRole("button", { name: "Run As it is now × Semantic" });
    expect(calls("eval.matrix")).toMatchObject([{ measure: "ndcg@10" }]);
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
    await open({ view: "matrix" }, { "strategy.list": () => [strategy] });
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
      expect((calls("eval.matrix").at(-1) as MatrixPlan).rows[1]).toEqual({
        name: "Recursive 640 · Keep tables whole: off · Breaks: sentence · Marker: §",
        strategy: "recursive",
        settings,
      }),
    );
  });

  it("draws a curve of what is swept, for each way of searching", async () => {
    const strategies = answered("strategy.list", {}).filter(({ name }) => name === "report");
    await open({ view: "matrix" }, { "strategy.list": () => strategies });
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
    const curves = await screen.findByRole("region", { name: "Sweep of Target tokens" });
    for (const column of ["Keyword", "Semantic", "Hybrid, scores"]) {
      const chart = await within(curves).findByRole("img", { name: `nDCG@10 by Target tokens: ${column}` });
      await waitFor(() => expect(chart.querySelectorAll("circle")).toHaveLength(3));
      // The line, and the ground of the intervals about it.
      expect(chart.querySelectorAll("path").length).toBeGreaterThanOrEqual(2);
    }
  });

  it("says where chance may explain that a combination is the best, corrected for how many were compared", async () => {
    const handlers = await fresh();
    const against = { row: 0, column: 0 };
    await open(
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

  it("applies the chunking of a combination, and says that its search opens in Search Lab instead", async () => {
    await open({ view: "matrix" });
    await userEvent.click(await screen.findByRole("button", { name: "Add chunking" }));
    const sheet = await screen.findByRole("dialog", { name: "Add chunking" });
    await userEvent.click(within(sheet).getByRole("button", { name: "Add" }));
    const added = () => (calls("eval.matrix").at(-1) as MatrixPlan).rows[1];
    await waitFor(() => expect(added()?.strategy).toBeTruthy());
    const { name, strategy, settings } = added() ?? {};
    await userEvent.click(await screen.findByRole("button", { name: `Run ${name} × Semantic` }));
    await userEvent.click(await screen.findByTestId("confirm"));
    await userEvent.click(await screen.findByRole("button", { name: /× Semantic: 0\.\d{3} .*the best$/ }));
    await userEvent.click(screen.getByRole("button", { name: "Apply chunking to corpus…" }));
    const dialog = await screen.findByRole("dialog", { name: /^Apply to / });
    expect(dialog).toHaveTextContent(`Chunks every document of the corpus again as ${name}.`);
    expect(dialog).toHaveTextContent("This applies only the chunking. This combination’s search, Semantic,");
    const opens = within(dialog).getByRole("link", { name: "Open in Search Lab" });
    const { page, query } = parseRoute(opens.getAttribute("href") ?? "");
    expect([page, query.get("mode")]).toEqual(["search-lab", "semantic"]);
    await within(dialog).findByTestId("apply-cost");
    expect(calls("ingest.start")).toEqual([]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Apply and re-embed" }));
    await waitFor(() => expect(calls("ingest.start")).toMatchObject([{ strategy, settings }]));
  });

  it("runs one cell alone", async () => {
    await open({ view: "matrix" });
    await userEvent.click(await screen.findByRole("button", { name: "Run As it is now × Semantic" }));
    await userEvent.click(await screen.findByTestId("confirm"));
    await waitFor(() => expect(calls("eval.matrix_run")).toMatchObject([{ cells: [{ row: 0, column: 1 }] }]));
  });
});

describe("a chat model", () => {
  const chat: GeneratorView = {
    name: "chat",
    description: "",
    remote: true,
    model: "qwen3:8b",
    default: false,
    unavailable: "",
  };

  it("writes a proposed question on request, which a person then decides about", async () => {
    await open({ view: "candidates" }, { "answer.generators": () => [chat] });
    const button = await screen.findByRole("button", { name: "Ask qwen3:8b" });
    expect(button).toHaveAttribute("data-tip", expect.stringContaining("Sends the passage to the provider"));
    expect(calls("gold.suggest")).toEqual([]);
    await userEvent.click(button);
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "Question" })).toHaveValue(
        "Which numbers does the plan stand on?",
      ),
    );
    expect(calls("gold.suggest")).toHaveLength(1);
    expect(screen.getByText(/^Written by qwen3:8b/)).toBeInTheDocument();
    expect(calls("gold.decide")).toEqual([]);
  });

  it("is offered only where one can be used", async () => {
    await open({ view: "candidates" }, { "answer.generators": () => [{ ...chat, unavailable: "no key" }] });
    await screen.findByRole("textbox", { name: "Question" });
    expect(screen.queryByRole("button", { name: /^Ask / })).toBeNull();
  });
});

describe("models of a matrix", () => {
  const served = models.map((model) => ({ ...model, served: true }));
  it("are an axis: each is searched by meaning, words once, and what a provider takes is asked first", async () => {
    await open({ view: "matrix" }, { ...(await fresh()), "model.list": () => served });
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
    expect(calls("eval.matrix_run")).toEqual([]);
    await userEvent.click(screen.getByTestId("confirm"));
    const spaces = () =>
      calls("eval.matrix_run").flatMap((input) =>
        (input as MatrixRun).plan.columns.map(({ search }) => search?.space),
      );
    await waitFor(() => expect(new Set(spaces()).size).toBe(3));
  });
});

describe("proposed questions", () => {
  it("are accepted in changed words, or discarded, and the next one follows", async () => {
    await open({ view: "candidates" });
    const field = await screen.findByRole("textbox", { name: "Question" });
    expect(field).toHaveValue("what does the entity disclose about its transition plan");
    fireEvent.change(field, { target: { value: "" } });
    await write(field, "How will they get there?{Enter}");
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "Question" })).toHaveValue("what is a carbon credit"),
    );
    expect(calls("gold.decide")).toMatchObject([
      { candidate: "p0", accept: { query: "How will they get there?" } },
    ]);
    press("Delete");
    await waitFor(() =>
      expect(screen.getByText("4 questions to review · 1 accepted · 1 discarded")).toBeInTheDocument(),
    );
    expect(calls("gold.decide").at(-1)).toMatchObject({ candidate: "p1", accept: null });
  });
});

describe("gold sets", () => {
  it("tell in a whole sentence why a query or a name was refused", async () => {
    const refuse = (command: string) => () => {
      throw { code: "invalid", message: `${command} was refused; choose another` };
    };
    await open(
      { set: "S2 review" },
      { "gold.rename": refuse("the name"), "gold.put_query": refuse("the query") },
    );
    fireEvent.click(await screen.findByRole("button", { name: "Gold set: S2 review" }));
    fireEvent.click(await screen.findByRole("button", { name: "Rename S2 review" }));
    const dialog = await screen.findByRole("dialog", { name: "Rename “S2 review”" });
    fireEvent.change(within(dialog).getByRole("textbox", { name: "Name" }), { target: { value: "Taken" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Rename" }));
    expect(await within(dialog).findByRole("alert")).toHaveTextContent(
      "The name was refused; choose another.",
    );
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await userEvent.click(await screen.findByRole("button", { name: "Add query" }));
    const adding = await screen.findByRole("dialog", { name: "Add query" });
    fireEvent.change(within(adding).getByRole("textbox", { name: "Query" }), { target: { value: "why" } });
    // Enter in either field adds it.
    await write(within(adding).getByRole("textbox", { name: "Type" }), "{Enter}");
    expect(await within(adding).findByRole("alert")).toHaveTextContent(
      "The query was refused; choose another.",
    );
  });

  it("are made beside those that exist, each by a name of its own and a first query", async () => {
    await open({ set: "S2 review" });
    fireEvent.click(await screen.findByRole("button", { name: "Gold set: S2 review" }));
    fireEvent.click(await screen.findByRole("button", { name: "New gold set…" }));
    const dialog = await screen.findByRole("dialog", { name: "New gold set" });
    const field = (name: string) => within(dialog).getByRole("textbox", { name });
    fireEvent.change(field("First query"), { target: { value: "who oversees climate risk" } });
    fireEvent.change(field("Name"), { target: { value: "S2 review" } });
    expect(within(dialog).getByRole("alert")).toHaveTextContent("“S2 review”");
    fireEvent.change(field("Name"), { target: { value: "Oversight" } });
    await write(field("First query"), "{Enter}");
    await waitFor(() =>
      expect(calls("gold.put_query")).toEqual([{ set: "Oversight", query: "who oversees climate risk" }]),
    );
    await waitFor(() => expect(window.location.hash).toMatch(/set=Oversight/));
  });

  it("are renamed, and stay chosen under the new name", async () => {
    await open({ set: "S2 review" });
    fireEvent.click(await screen.findByRole("button", { name: "Gold set: S2 review" }));
    fireEvent.click(await screen.findByRole("button", { name: "Rename S2 review" }));
    const dialog = await screen.findByRole("dialog", { name: "Rename “S2 review”" });
    const field = within(dialog).getByRole("textbox", { name: "Name" });
    fireEvent.change(field, { target: { value: " Reviewers " } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Rename" }));
    await waitFor(() => expect(calls("gold.rename")).toEqual([{ set: "S2 review", name: "Reviewers" }]));
    await waitFor(() => expect(window.location.hash).toMatch(/set=Reviewers/));
  });

  describe("are exported", () => {
    const choose = async (format: string) => {
      await userEvent.click(await screen.findByRole("button", { name: /^Gold set:/ }));
      await userEvent.click(await screen.findByRole("button", { name: "Export" }));
      await userEvent.click(await screen.findByRole("menuitem", { name: format }));
    };

    it("as a file of lines, where the reader says", async () => {
      await open({}, { "shell.save_text": () => ({ paths: ["/out/s2.jsonl"] }) });
      await choose("JSON Lines…");
      await waitFor(() => expect(calls("shell.save_text")).toHaveLength(1));
      expect(calls("gold.export")).toEqual([{ set: "S2 review", format: "jsonl" }]);
      const { name, text } = calls("shell.save_text")[0] as { name: string; text: string };
      expect(name).toBe("S2 review.jsonl");
      expect(text.split("\n").map((line) => JSON.parse(line).id)).toContain("Q07");
    });

    it.each([
      ["BEIR folder…", "beir"],
      ["TREC qrels…", "trec"],
    ])("as %s into a folder", async (label, format) => {
      await open({}, { "shell.pick_folders": () => ({ paths: ["/out"] }) });
      await choose(label);
      await waitFor(() =>
        expect(calls("gold.export")).toEqual([{ set: "S2 review", format, folder: "/out" }]),
      );
      expect(calls("shell.save_text")).toEqual([]);
    });

    it("as they were, from the list of their versions", async () => {
      await open({}, { "shell.save_text": () => ({ paths: ["/out/s2.jsonl"] }) });
      await userEvent.click(await screen.findByRole("button", { name: "Gold set: S2 review" }));
      await userEvent.click(await screen.findByRole("button", { name: "History of S2 review" }));
      const dialog = await screen.findByRole("dialog", { name: "Versions of “S2 review”" });
      const versions = await within(dialog).findAllByRole("listitem");
      expect(versions.map((each) => /^Version \d/.exec(each.textContent ?? "")?.[0])).toEqual([
        "Version 3",
        "Version 2",
        "Version 1",
      ]);
      expect(versions[0]).toHaveTextContent("2 judgments added · 1 judgment changedQ07, Q09");
      expect(versions[2]).toHaveTextContent("First known version");
      await userEvent.click(within(dialog).getByRole("button", { name: "Export version 2" }));
      await userEvent.click(await screen.findByRole("menuitem", { name: "JSON Lines…" }));
      await waitFor(() => expect(calls("shell.save_text")).toHaveLength(1));
      expect(calls("gold.export")).toEqual([{ set: "S2 review", format: "jsonl", version: 2 }]);
    });

    it("into no folder where none is chosen", async () => {
      await open({}, { "shell.pick_folders": () => ({ paths: [] }) });
      await choose("BEIR folder…");
      await waitFor(() => expect(calls("shell.pick_folders")).toHaveLength(1));
      expect(await screen.findByRole("button", { name: "Export" })).toBeEnabled();
      expect(calls("gold.export")).toEqual([]);
    });
  });

  it("invites to import one where there is none, and says what matched nothing", async () => {
    await open(
      {},
      { "gold.list": () => [], "shell.pick_files": () => ({ paths: ["/gold/standards.jsonl"] }) },
    );
    expect(await screen.findByText("There is no gold set in this workspace.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Import file…" }));
    const dialog = await screen.findByRole("dialog", { name: "“standards” imported" });
    expect(calls("gold.import")).toEqual([{ path: "/gold/standards.jsonl" }]);
    expect(dialog).toHaveTextContent("S2.99");
    expect(dialog).toHaveTextContent("the workspace has no paragraph with this id");
  });

  it("says what an import left open, and what counts", async () => {
    const handlers = await fresh();
    await open(
      {},
      {
        "gold.list": () => [],
        "shell.pick_files": () => ({ paths: ["/gold/c.qrels"] }),
        "gold.import": (input, call) => {
          const taken = (handlers["gold.import"] as (...all: unknown[]) => GoldImported)(input, call);
          const message =
            "`harbour-a` has the grades 3 and 0 for `q1` (lines 1 and 3): the highest, 3, counts";
          return {
            ...taken,
            set: { ...taken.set, unlabelled: 1 },
            notes: [{ kind: "grades" as const, message }],
          };
        },
      },
    );
    await userEvent.click(await screen.findByRole("button", { name: "Import file…" }));
    const dialog = await screen.findByRole("dialog", { name: "“c” imported" });
    expect(dialog).toHaveTextContent("Several grades. `harbour-a` has the grades 3 and 0 for `q1`");
    expect(dialog).toHaveTextContent("Queries without judgments1");
  });

  it("measures a collection that includes its own documents, and lists its runs", async () => {
    await open({}, { "shell.pick_folders": () => ({ paths: ["/collections/scifact"] }) });
    await userEvent.click(await screen.findByRole("button", { name: /^Gold set:/ }));
    await userEvent.click(await screen.findByRole("button", { name: "Import folder…" }));
    const dialog = await screen.findByRole("dialog", { name: "“scifact” imported" });
    expect(dialog).toHaveTextContent("This collection includes its own documents.");
    expect(dialog).not.toHaveTextContent("S2.99");
    await userEvent.click(within(dialog).getByRole("button", { name: "Measure the collection" }));
    await waitFor(() =>
      expect(calls("eval.beir")).toEqual([{ folder: "/collections/scifact", save: "scifact" }]),
    );
    await waitFor(() => expect(document.querySelector("[data-run]")?.textContent).toContain("scifact"));
  });

  it("tells a failure where the list would stand, and asks again", async () => {
    let broken = true;
    const handlers = await fresh();
    await open(
      {},
      {
        "gold.list": (input, call) => {
          if (!broken) return handlers["gold.list"]?.(input, call);
          throw { code: "storage", message: "another process holds the file" };
        },
      },
    );
    broken = false;
    await userEvent.click(await screen.findByRole("button", { name: "Retry" }));
    expect(await rowOf("Q07")).toBeInTheDocument();
  });
});
