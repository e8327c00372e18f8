import { useQueryClient } from "@tanstack/react-query";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chooseTransport } from "@/api/client";
import { NO_FILTERS, SEARCH_DEFAULTS } from "@/api/defaults";
import { handlers as all } from "@/api/fake";
import { handlers as gold } from "@/api/fake/evaluate";
import { handlers as lab } from "@/api/fake/search-lab";
import { handlers as settingsHandlers } from "@/api/fake/settings";
import { handlers as shell } from "@/api/fake/shell";
import { followEvents } from "@/api/queries";
import { idOf, recorded } from "@/api/recording";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type {
  GoldPanel,
  Hit,
  KeptSearch,
  LabelPlace,
  ModelView,
  SearchRequest,
  SearchResponse,
} from "@/api/types";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { page as evaluate } from "@/pages/evaluate/page";
import { judgeIn } from "@/parts/gold-panel";
import { shuffled } from "@/parts/shuffled";
import { href, parseRoute } from "@/state/router";
import { show } from "@/test/render";
import { whole } from "@/text/format";
import { writeLike } from "@/text/locale";
import { commandOf } from "./calls";
import SearchLabPage from "./index";
import { page } from "./page";
import { defaultRequest } from "./state";

const EXPENDITURE = idOf<string>("S2.29(e)");
const PARAGRAPH = idOf<string>("S2.14(a)(iv)");
const QUESTION = "transition plan assumptions of Northwind under S2.14(a)(iv)";
const models = recorded("model.list", {});
const [instant, embedded] = models as [ModelView, ModelView];
const found = recorded("search", { query: QUESTION });
/** A passage of a report that stands in all lists for the question. */
const held = found.results.find(
  (hit) => hit.pages && hit.contributions.length === 2 && hit.contributions.every(({ rank }) => rank <= 10),
) as Hit;
const HELD = held.chunk_id;
/** A passage that stands in all lists for a query that is asked while vectors are slow. */
const slowly = recorded("search", { query: "plan", fusion: "rrf" }).results.find(
  ({ contributions }) => contributions.length === 2 && contributions.every(({ rank }) => rank <= 10),
) as Hit;
const rankOf = (leg: string) => slowly.contributions.find((part) => part.leg === leg)?.rank;
const DEPENDS = "What does the transition plan depend on?";
const handlers: FakeHandlers = { ...all, ...shell, ...gold, ...lab };
const REMOTE: ModelView["space"] = {
  tier: "remote",
  model: "far",
  endpoint: "",
  revision: "",
  dimensions: 8,
  window: "",
};
let fake: FakeTransport;

function open(query: Record<string, string>, changed: FakeHandlers = {}) {
  fake = fakeTransport({ ...handlers, ...changed });
  chooseTransport(fake);
  window.location.hash = href("search-lab", [], query);
  return show(
    <>
      <Events />
      <SearchLabPage />
    </>,
  );
}
function Events() {
  const queries = useQueryClient();
  useEffect(() => followEvents(queries), [queries]);
  return null;
}
const requests = () =>
  fake.calls.filter((each) => each.command === "search").map((each) => each.input as SearchRequest);
// In jsdom every edge lies at 0, 0: a click on a field would grab the handle between two panes.
const write = async (field: HTMLElement, keys: string) => {
  act(() => field.focus());
  await userEvent.keyboard(keys);
};
/** A kept run. */
const kept = (id: number) => handlers["search.run"]?.({ id }, undefined as never) as KeptSearch;
const list = (name: string) => screen.findByRole("listbox", { name });
const answering = (change: (answer: SearchResponse) => Partial<SearchResponse["trace"]>): FakeHandlers => ({
  search: async (input, call) => {
    const answer = (await handlers.search?.(input, call)) as SearchResponse;
    return { ...answer, trace: { ...answer.trace, ...change(answer) } };
  },
});
const keys = (event: KeyboardEvent) => void handleKey(event);

beforeEach(() => {
  defineShortcuts(page.shortcuts ?? []);
  window.addEventListener("keydown", keys);
});
afterEach(() => {
  window.removeEventListener("keydown", keys);
  sessionStorage.clear();
});

describe("searching", () => {
  it("answers while typing, and supersedes what is no longer asked", async () => {
    // What is typed on the way is answered as the whole.
    open(
      {},
      {
        search: (input, call) => handlers.search?.({ ...input, query: "transition plan" }, call),
        "passage.nearest_sentence": () => [],
      },
    );
    await write(screen.getByRole("searchbox", { name: "Query" }), "transition plan");
    expect(await list("Fused list")).toBeInTheDocument();
    await waitFor(() => expect(requests().at(-1)?.query).toBe("transition plan"));
    expect(requests().length).toBeLessThanOrEqual("transition plan".length);
    expect(fake.calls.some((each) => each.command === "search.record")).toBe(false);
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("q")).toBe("transition plan"));
  });

  it("keeps a run on Enter, and opens it again by its number alone", async () => {
    const { unmount } = open({ q: QUESTION });
    await list("Fused list");
    await write(screen.getByRole("searchbox", { name: "Query" }), "{Enter}");
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("run")).toMatch(/^\d+$/));
    unmount();
    open({ run: "212" });
    await waitFor(() =>
      expect(screen.getByRole("searchbox", { name: "Query" })).toHaveValue("transition plan assumptions"),
    );
    expect(screen.getByRole("radio", { name: /^Keyword/ })).toBeChecked();
    expect(requests()).toEqual([]);
  });

  it("selects one passage in all three lists, and J and K walk the fused one", async () => {
    open({ q: QUESTION, chunk: HELD });
    await list("Fused list");
    const chosen = () => screen.getAllByRole("option", { selected: true });
    expect(chosen()).toHaveLength(3);
    for (const option of chosen()) expect(option).toHaveTextContent(held.title);
    const place = async () => {
      const fused = within(await list("Fused list")).getByRole("option", { selected: true });
      return Number(fused.getAttribute("aria-posinset"));
    };
    const before = await place();
    fireEvent.keyDown(document.body, { key: "j" });
    expect(await place()).toBe(before + 1);
    fireEvent.keyDown(document.body, { key: "k" });
    expect(chosen()[1]).toHaveTextContent(held.title);
  });

  it("goes from list to list with the arrows, and to the explanation with Space", async () => {
    open({ q: QUESTION, chunk: HELD });
    const fused = within(await list("Fused list")).getByRole("option", { selected: true });
    act(() => fused.focus());
    await userEvent.keyboard("{ArrowRight}");
    const keyword = within(await list("Keyword list")).getByRole("option", { selected: true });
    expect(keyword).toHaveFocus();
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(within(await list("Semantic list")).getByRole("option", { selected: true })).toHaveFocus();
    await userEvent.keyboard(" ");
    expect(await screen.findByRole("region", { name: "Score" })).toHaveFocus();
  });

  it("changes mode and reranking, and compares with the last run, by keys", async () => {
    open({ q: QUESTION });
    await list("Fused list");
    const pressed = (key: string, code: string, more: object) =>
      fireEvent.keyDown(document.body, { key, code, ...more });
    pressed("3", "Digit3", { altKey: true });
    expect(screen.getByRole("radio", { name: /^Keyword/ })).toBeChecked();
    pressed("1", "Digit1", { altKey: true });
    expect(screen.getByRole("radio", { name: /^Hybrid/ })).toBeChecked();
    pressed("r", "KeyR", { altKey: true });
    expect(screen.getByRole("switch", { name: "Rerank" })).toBeChecked();
    pressed("d", "KeyD", { ctrlKey: true });
    expect(await list("Results B")).toBeInTheDocument();
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("against")).toMatch(/^run:\d+$/));
    pressed("d", "KeyD", { ctrlKey: true });
    expect(await list("Fused list")).toBeInTheDocument();
  });

  it("shows a score whose parts add up, and an exact reference as a part of its own", async () => {
    open({ q: QUESTION, chunk: PARAGRAPH });
    const score = await screen.findByRole("region", { name: "Score" });
    const parts = [...(score.textContent?.matchAll(/\+(\d+\.\d+)/g) ?? [])].map((match) => match[1] ?? "");
    const sum = /^Score\s*(\d+\.\d+)/.exec(score.textContent ?? "")?.[1] ?? "";
    const places = sum.split(".")[1]?.length ?? 0;
    const units = (text: string) => BigInt(Number(text).toFixed(places).replace(".", ""));
    expect(parts).toHaveLength(3);
    expect(parts.reduce((total, part) => total + units(part), 0n)).toBe(units(sum));
    expect(within(score).getByRole("img", { name: "Exact reference" })).toBeInTheDocument();
    expect(score).toHaveTextContent(/0\.4·\(0\.\d{3}−0\.\d{3}\)\/0\.\d{3}/);
  });

  it("counts by ranks where it is asked to", async () => {
    open({ q: QUESTION, chunk: PARAGRAPH, fusion: "rrf" });
    const score = await screen.findByRole("region", { name: "Score" });
    expect(score).toHaveTextContent(`/(${SEARCH_DEFAULTS.rrf_k}+1)`);
  });

  it("compares both kinds of fusion", async () => {
    open({ q: QUESTION, against: "fusion:rrf" });
    expect(await list("Results B")).toBeInTheDocument();
    const figures = await screen.findByText("scores → RRF");
    expect(figures).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Swap" }));
    expect(await screen.findByText("RRF → scores")).toBeInTheDocument();
  });
});

describe("the gold query", () => {
  const region = () => screen.findByRole("region", { name: "Gold set" });
  const label = (id: string, grade: number, chunks: string[]): LabelPlace => ({
    label: { target: { kind: "identifier", id }, grade, judge: "", at: "" },
    name: id,
    source: { changed: false, document_id: null, range: null, kept: false },
    document: null,
    range: null,
    chunks,
  });

  it("is saved from the search, and then judged by key", async () => {
    defineShortcuts(evaluate.shortcuts ?? []);
    const [first] = recorded("search", { query: "how far does the plan go" }).results;
    open({ q: "how far does the plan go", chunk: first?.chunk_id ?? "" });
    await userEvent.click(await within(await region()).findByRole("button", { name: "Save as gold query" }));
    const dialog = await screen.findByRole("dialog", { name: "Save as gold query" });
    await within(dialog).findByRole("combobox", { name: "Gold set" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await within(await region()).findByRole("group", { name: "Grade of the selected passage" });
    const given = () => fake.calls.filter((each) => each.command === "gold.judge").map((each) => each.input);
    fireEvent.keyDown(document.body, { key: "2" });
    await waitFor(() =>
      expect(given()).toMatchObject([
        { set: "S2 review", target: { kind: "chunk", chunk_id: first?.chunk_id }, grade: 2 },
      ]),
    );
    const grade = within(await region()).findByRole("button", {
      name: /^2: Strongly related/,
      pressed: true,
    });
    expect(await grade).toBeInTheDocument();
    fireEvent.keyDown(document.body, { key: "Backspace" });
    await waitFor(() => expect(given().at(-1)).toMatchObject({ grade: null }));
  });

  it("judges by key the passage that the lists mark, even before a frame is drawn", async () => {
    defineShortcuts([...(evaluate.shortcuts ?? []), ...(page.shortcuts ?? [])]);
    let asked = 0;
    open(
      { q: QUESTION, chunk: HELD },
      {
        search: async (input, context) => {
          const response = structuredClone((await handlers.search?.(input, context)) as SearchResponse);
          asked += 1;
          for (const timing of response.trace.timings) timing.duration_ms += asked;
          return response;
        },
      },
    );
    await userEvent.click(await within(await region()).findByRole("button", { name: "Save as gold query" }));
    const dialog = await screen.findByRole("dialog", { name: "Save as gold query" });
    await within(dialog).findByRole("combobox", { name: "Gold set" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await within(await region()).findByRole("group", { name: "Grade of the selected passage" });
    const frames = vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
    try {
      const before = asked;
      act(() => fake.emit({ tags: ["vectors"] }));
      await waitFor(() => expect(asked).toBeGreaterThan(before));
      await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
      const marked = () =>
        within(screen.getByRole("listbox", { name: "Fused list" }))
          .getAllByRole("option", { selected: true })
          .map((option) => option.getAttribute("aria-posinset"));
      const [from] = marked();
      fireEvent.keyDown(document.body, { key: "j" });
      await waitFor(() => expect(marked()).not.toEqual([from]));
      fireEvent.keyDown(document.body, { key: "2" });
      const judged = () => fake.calls.findLast((each) => each.command === "gold.judge")?.input;
      await waitFor(() => expect(judged()).toMatchObject({ target: { kind: "chunk" }, grade: 2 }));
      expect(judged()).not.toMatchObject({ target: { chunk_id: HELD } });
    } finally {
      frames.mockRestore();
    }
  });

  it("judges the page and the document of the selected passage, which is judged itself beside them", async () => {
    const corpora = ["Reports FY2024"];
    const [first] = recorded("search", { query: DEPENDS, filters: { ...NO_FILTERS, corpora } }).results;
    open({ q: DEPENDS, corpus: "Reports FY2024", chunk: first?.chunk_id ?? "" });
    await userEvent.click(
      await within(await region()).findByRole("button", { name: "Judge the page or document" }),
    );
    const sheet = await screen.findByRole("dialog", { name: "Judge the page or document" });
    const whole = await within(sheet).findByRole("group", { name: /^Judge the whole page \(p\.\s\d+\)$/ });
    await userEvent.click(within(whole).getByRole("button", { name: /^1:/ }));
    expect(await within(whole).findByRole("button", { name: /^1:/, pressed: true })).toBeInTheDocument();
    expect(fake.calls.findLast((each) => each.command === "gold.judge")?.input).toMatchObject({
      set: "S2 review",
      grade: 1,
      target: { kind: "document", page: expect.any(Number) },
    });
    const own = within(await region()).getByRole("group", { name: "Grade of the selected passage" });
    expect(within(own).queryByRole("button", { pressed: true })).toBeNull();
    expect(within(sheet).getByRole("group", { name: "Judge the whole document" })).toBeInTheDocument();
    await userEvent.click(within(whole).getByRole("button", { name: /^1:/ }));
    await waitFor(() => expect(within(whole).queryByRole("button", { pressed: true })).toBeNull());
  });

  it("lists what is judged with its rank, and says why the rest is missing", async () => {
    open({ q: DEPENDS });
    const judged = await within(await region()).findByRole("list", { name: "Judged passages" });
    const [first, second] = within(judged).getAllByRole("listitem");
    expect(first).toHaveTextContent(/S2\.14\(a\)\(iv\)rank \d+/i);
    expect(second).toHaveTextContent("Nothing in this library matches this judgment.");
  });

  it("says of judged passages of the library why the search left them out, or where it ranks them", async () => {
    const [far, dropped] = ["f".repeat(16), "e".repeat(16)] as const;
    const panel: GoldPanel = {
      set: "S2 review",
      query: { id: "q1", query: QUESTION, type: "", labels: [] },
      labels: [label("S2.22", 3, [far]), label("S2.33", 2, [dropped])],
    };
    open(
      { q: QUESTION },
      {
        "gold.panel": () => [panel],
        search: async (input, call) => {
          const answer = (await handlers.search?.({ ...input, pinned: [] }, call)) as SearchResponse;
          const pinned = (input as SearchRequest).pinned
            .filter((chunk_id) => chunk_id === far)
            .map((chunk_id) => ({
              chunk_id,
              fate: { kind: "ranked_too_low", semantic: 1204, keyword: null },
              verdict: "",
            }));
          const cause = { kind: "beyond_limit", rank: 12, limit: 10 };
          const out = [{ chunk_id: dropped, stage: "limit", cause, reason: "" }];
          return { ...answer, trace: { ...answer.trace, pinned, dropped: out } };
        },
      },
    );
    const judged = await within(await region()).findByRole("list", { name: "Judged passages" });
    await within(judged).findByText(
      "It is too far down both lists: rank 1,204 by meaning, no rank by keyword.",
    );
    const [first, second] = within(judged).getAllByRole("listitem");
    expect(first).toHaveTextContent(/^3?S2\.22not foundIt is too far down both lists/);
    expect(second).toHaveTextContent(/S2\.33not foundRank 12 is beyond the 10 results requested\.$/);
  });

  it("stands above the passage, and its list is folded away and back", async () => {
    open({ q: DEPENDS, chunk: PARAGRAPH });
    const gold = await region();
    const toggle = await within(gold).findByRole("button", { name: "2 judged passages", expanded: true });
    const passage = await screen.findByRole("region", { name: "Text of the passage" });
    expect(gold.compareDocumentPosition(passage) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(passage.closest(".scrolls")).not.toBeNull();
    expect(gold.closest(".scrolls")).toBeNull();
    await userEvent.click(toggle);
    expect(screen.queryByRole("list", { name: "Judged passages" })).toBeNull();
    await userEvent.click(within(gold).getByRole("button", { name: "2 judged passages", expanded: false }));
    expect(await screen.findByRole("list", { name: "Judged passages" })).toBeInTheDocument();
  });

  it("is judged blind: shuffled, without rank, score and list, and always in the same order", async () => {
    open({ q: DEPENDS });
    const fused = await screen.findByRole("listbox", { name: "Fused list" });
    const rows = within(fused).getAllByRole("option").length;
    await userEvent.click(await within(await region()).findByRole("switch", { name: "Judge blind" }));
    const list = await screen.findByRole("listbox", { name: "Results to judge" });
    await waitFor(() => expect(within(list).getAllByRole("option")).toHaveLength(rows));
    for (const gone of ["Fused list", "Semantic list", "Keyword list"])
      expect(screen.queryByRole("listbox", { name: gone })).toBeNull();
    expect(screen.queryByRole("list", { name: "Judged passages" })).toBeNull();
    expect(document.body).not.toHaveTextContent(/fused rank|BM25/);
    await waitFor(() => expect(window.location.hash).toMatch(/blind=1/));
    const hits = ["a", "b", "c", "d", "e", "f"].map((chunk_id) => ({ chunk_id }) as Hit);
    expect(shuffled("q", hits)).toEqual(shuffled("q", [...hits].reverse()));
    expect(shuffled("q", hits)).not.toEqual(shuffled("r", hits));
  });

  it("is that of the chosen set where several hold one", async () => {
    defineShortcuts(evaluate.shortcuts ?? []);
    const panels = [3, 1].map(
      (grade, at): GoldPanel => ({
        set: at === 0 ? "S2 review" : "Second review",
        query: { id: `q${at}`, query: QUESTION, type: "", labels: [] },
        labels: [label("S2.14", grade, [HELD])],
      }),
    );
    open({ q: QUESTION, chunk: HELD }, { "gold.panel": () => panels, "gold.judge": () => ({}) });
    const gold = await region();
    await within(gold).findByRole("button", { name: "3: Exact", pressed: true });
    const choice = within(gold).getByRole("combobox", { name: "Gold set to judge in" });
    expect(choice).toHaveValue("S2 review");
    await userEvent.click(choice);
    await userEvent.click(await screen.findByRole("option", { name: "Second review" }));
    await within(gold).findByRole("button", { name: "1: Related", pressed: true });
    await userEvent.keyboard("2");
    await waitFor(() =>
      expect(
        fake.calls.filter((each) => each.command === "gold.judge").map((each) => each.input),
      ).toMatchObject([{ set: "Second review", query: "q1", target: { chunk_id: HELD }, grade: 2 }]),
    );
    act(() => judgeIn(""));
  });

  it("offers nothing to judge where the search is in no set", async () => {
    open({ q: QUESTION }, { "gold.list": () => [] });
    expect(await within(await region()).findByText(/^No gold query asks this yet/)).toBeInTheDocument();
    expect(fake.calls.some((each) => each.command === "gold.panel")).toBe(false);
  });
});

describe("numbers", () => {
  afterEach(() => writeLike("en-US"));

  it("are written the chosen way where they are read, and with a point where a program reads them", async () => {
    writeLike("sv-SE");
    open({ q: QUESTION, chunk: HELD, fusion: "rrf", sw: "0.5" });
    for (const name of ["Semantic list", "Fused list", "Keyword list"]) {
      const [row] = within(await list(name)).getAllByRole("option");
      expect(row).toHaveTextContent(/\d,\d{2}/);
      expect(row).not.toHaveTextContent(/0\.\d/);
    }
    const score = await screen.findByRole("region", { name: "Score" });
    expect(score).toHaveTextContent(/^Score\s*0,0\d{4}/);
    expect(score).toHaveTextContent(`0,5/(${SEARCH_DEFAULTS.rrf_k}+`);
    expect(score).not.toHaveTextContent(/0\.\d/);
    await userEvent.click(screen.getByRole("radio", { name: "CLI" }));
    expect(screen.getByRole("region", { name: "Call as text" })).toHaveTextContent("--semantic-weight 0.5");
  });
});

describe("the page of a result", () => {
  const opened = () => Object.fromEntries(parseRoute(window.location.hash).query);
  it("opens with its passage marked, where its file is a PDF", async () => {
    open({ q: QUESTION, chunk: HELD });
    await userEvent.click(await screen.findByRole("button", { name: "Open page" }));
    expect(parseRoute(window.location.hash).page).toBe("chunk-lab");
    expect(opened()).toMatchObject({ chunk: HELD, show: "page", page: String(held.pages?.[0]) });
  });

  it("is not offered for what has none", async () => {
    open({ q: QUESTION, chunk: PARAGRAPH });
    await screen.findByRole("region", { name: "Score" });
    expect(screen.queryByRole("button", { name: "Open page" })).toBeNull();
  });
});

describe("reranking", () => {
  const { response } = kept(214);
  const moves = response.results.map((hit) => (hit.fused_rank ?? 0) - hit.rank);

  it("shows how far it moved each passage, and is a part of the score that adds nothing to the sum", async () => {
    const moved = response.results.findIndex(
      (hit, at) => (moves[at] ?? 0) > 0 && hit.contributions.length > 1,
    );
    const hit = response.results[moved];
    open({ run: "214", chunk: hit?.chunk_id ?? "" });
    const fused = within(await list("Fused list"));
    const places = fused.getAllByRole("option").map((row) => row.querySelector(".move")?.textContent);
    const expected = [...response.results]
      .sort((a, b) => (a.fused_rank ?? 0) - (b.fused_rank ?? 0))
      .map((each) => (each.fused_rank ?? 0) - each.rank)
      .map((by) => (by === 0 ? "·" : by > 0 ? `▲${by}` : `▼${-by}`));
    expect(places).toEqual(expected);
    expect(new Set(places).size).toBeGreaterThan(2);
    const score = await screen.findByRole("region", { name: "Score" });
    expect(within(score).getByRole("img", { name: "Rerank" })).toHaveTextContent("R");
    expect(score).toHaveTextContent(`Reranker ${hit?.rerank_score?.toFixed(2)}`);
    expect(score).toHaveTextContent(`${hit?.fused_rank} → ${hit?.rank}▲${moves[moved]}`);
    const parts = [...(score.textContent?.matchAll(/\+(\d+\.\d+)/g) ?? [])].map((match) => match[1] ?? "");
    const sum = /^Score\s*(\d+\.\d+)/.exec(score.textContent ?? "")?.[1] ?? "";
    const digits = sum.split(".")[1]?.length ?? 0;
    const units = (text: string) => BigInt(Number(text).toFixed(digits).replace(".", ""));
    expect(parts).toHaveLength(hit?.contributions.length ?? 0);
    expect(parts.reduce((total, part) => total + units(part), 0n)).toBe(units(sum));
  });

  it("that failed leaves the fused order, strikes its badge through, and says why in Timing", async () => {
    const message = "not reranked; results keep the fused order: no answer within 8 s";
    const cause = { cause: "not_reranked" as const, message };
    open(
      { run: "214" },
      {
        "search.run": () => {
          const { request, response: answer } = kept(214);
          const results = [...answer.results]
            .sort((a, b) => (a.fused_rank ?? 0) - (b.fused_rank ?? 0))
            .map((hit, at) => ({ ...hit, rank: at + 1, rerank_score: null, fused_rank: null }));
          return { request, response: { ...answer, results, trace: { ...answer.trace, notices: [cause] } } };
        },
      },
    );
    await list("Fused list");
    expect(document.querySelector(".move")).toBeNull();
    const badge = document.querySelector(".after .leg.rerank");
    expect(badge).toHaveClass("struck");
    expect(badge?.parentElement).toHaveAttribute(
      "data-tip",
      "Reranking failed; the fused order is shown. See Timing.",
    );
    const said = "Not reranked; results keep the fused order: no answer within 8 s.";
    expect(await screen.findByText(said)).toBeInTheDocument();
    expect(screen.getByRole("region", { name: "Stages" })).toHaveTextContent(said);
  });
});

describe("before the first answer", () => {
  it("all panes stand where they will stand, and what is known shows", async () => {
    open({ q: QUESTION }, { search: () => new Promise(() => undefined) });
    expect(screen.getByRole("heading", { name: "Semantic" })).toBeInTheDocument();
    for (const name of ["Timing", "Context", "Equivalent call"])
      expect(screen.getByRole("heading", { name })).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Score" })).toBeInTheDocument();
    expect(screen.getByRole("region", { name: "Call as text" })).toHaveTextContent(QUESTION);
    expect(document.querySelectorAll(".awaited")).toHaveLength(30);
    await waitFor(() => expect(document.querySelectorAll(".skel").length).toBeGreaterThan(60));
  });
});

describe("paid work", () => {
  const remote: ModelView = {
    space_id: "far",
    served: true,
    vectors: 10,
    space: REMOTE,
  };
  it("begins with Enter, never with typing or a switch", async () => {
    open({ q: QUESTION }, { "model.list": () => [remote, ...models] });
    await list("Fused list");
    await userEvent.click(screen.getByRole("switch", { name: "Rerank" }));
    await screen.findByText("Press Enter to ask the provider", { exact: false });
    await waitFor(() => expect(requests().length).toBeGreaterThan(0));
    for (const request of requests())
      expect(request).toMatchObject({ space: embedded.space_id, rerank: false });
    await write(screen.getByRole("searchbox", { name: "Query" }), "{Enter}");
    await waitFor(() =>
      expect(fake.calls.find((each) => each.command === "search.record")?.input).toMatchObject({
        space: null,
        rerank: true,
      }),
    );
  });
});

describe("why not this one", () => {
  it("tells the fate of a pinned paragraph", async () => {
    open({ q: "transition plan", k: "5" });
    await list("Fused list");
    const why = screen.getByRole("region", { name: "Why isn’t it here?" });
    await write(within(why).getByRole("textbox"), "S9.99{Enter}");
    expect(await within(why).findByRole("alert")).toHaveTextContent("Paragraph `S9.99` does not exist");
    await write(within(why).getByRole("textbox"), "{Control>}a{/Control}{Delete}");
    await write(within(why).getByRole("textbox"), "S2.29(e){Enter}");
    const [fate] = recorded("search", { query: "transition plan", top_k: 5, pinned: [EXPENDITURE] }).trace
      .pinned;
    if (fate?.fate.kind !== "ranked_too_low") throw new Error("the paragraph is not far down");
    await within(why).findByText(new RegExp(`rank ${whole(fate.fate.semantic ?? 0)} by meaning`));
    expect(requests().at(-1)?.pinned).toEqual([EXPENDITURE]);
    expect(screen.getByRole("region", { name: "Score" })).toHaveTextContent("not in the results");
  });
});

describe("the explanation", () => {
  it("splits the score of the words among them", async () => {
    open({ q: QUESTION, chunk: HELD });
    const words = await screen.findByRole("region", { name: "Matched terms" });
    const shares = within(words)
      .getAllByRole("meter")
      .map((meter) => Number(meter.getAttribute("aria-valuetext")));
    expect(shares.length).toBeGreaterThan(2);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(
      held.contributions.find(({ leg }) => leg === "keyword")?.raw ?? 0,
      1,
    );
  });

  it("folds the words that the top results added under their sum", async () => {
    open({ q: "plan" });
    await list("Fused list");
    await userEvent.keyboard("j");
    const words = await screen.findByRole("region", { name: "Matched terms" });
    const folded = within(words).getByRole("button", { name: /words? from the top results$/ });
    const before = within(words).getAllByRole("meter").length;
    await userEvent.click(folded);
    expect(folded).toHaveAttribute("aria-expanded", "true");
    expect(within(words).getAllByRole("meter").length).toBeGreaterThan(before);
    expect(screen.getByText(/^from the top results: /)).toBeVisible();
  });

  it("adds no words where that is switched off, and says so on the command line", async () => {
    open({ q: "plan", feedback: "0" });
    await list("Fused list");
    expect(requests().at(-1)?.feedback).toBe(false);
    expect(screen.queryByText(/^from the top results: /)).toBeNull();
    expect(commandOf({ ...defaultRequest(), query: "plan", feedback: false })).toContain("--no-feedback");
  });

  it("leaves reciprocal rank fusion as documented: without counterparts and without words of the top results", async () => {
    open({ q: "plan", fusion: "rrf" });
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: "Search options" }));
    expect(await screen.findByRole("switch", { name: /^Include counterparts/ })).toBeDisabled();
    expect(screen.getByRole("switch", { name: /^Add words from the top results/ })).toBeDisabled();
  });

  it("becomes the default search of the library, which the address then need not say", async () => {
    open({ q: "plan", feedback: "0" });
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: "Search options" }));
    const make = await screen.findByRole("button", { name: "Make this the default" });
    await userEvent.click(make);
    await waitFor(() => expect(make).toBeDisabled());
    await waitFor(() => expect(parseRoute(window.location.hash).query.has("feedback")).toBe(false));
    const feedback = screen.getByRole("switch", { name: /^Add words from the top results/ });
    expect(feedback).not.toBeChecked();
    await userEvent.click(feedback);
    await userEvent.click(screen.getByRole("button", { name: "Back to the default" }));
    expect(feedback).not.toBeChecked();
    await userEvent.click(feedback);
    await userEvent.click(make);
    await waitFor(() => expect(parseRoute(window.location.hash).query.has("feedback")).toBe(false));
    expect(feedback).toBeChecked();
  });

  it("tells how the query was read, and what was embedded for it", async () => {
    const embedded = "plan (scheme)";
    open(
      { q: "plan" },
      answering(() => ({ embedded })),
    );
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: "Parsed" }));
    const read = await screen.findByRole("region", { name: "How the query was interpreted" });
    expect(within(read).getByText(embedded)).toBeVisible();
  });

  it("lists what was left out of the answer, and why", async () => {
    open({ q: "transition plan", k: "5", least: "0.4" });
    await list("Fused list");
    const { dropped } = recorded("search", { query: "transition plan", top_k: 5, min_relevance: 0.4 }).trace;
    const below = dropped.flatMap(({ cause }) => (cause.kind === "below_minimum" ? [cause.relevance] : []));
    await userEvent.click(screen.getByRole("button", { name: `${dropped.length} left out` }));
    const stages = await screen.findByRole("radiogroup", { name: "Reason" });
    expect(
      within(stages).getByRole("radio", { name: `Below minimum relevance ${below.length}` }),
    ).toBeChecked();
    const rows = within(screen.getByRole("listbox", { name: "Left out of the results" })).getAllByRole(
      "option",
    );
    expect(rows[0]).toHaveTextContent(`Relevance ${below[0]?.toFixed(3)} is below the minimum of 0.4.`);
    await userEvent.click(rows[0] as HTMLElement);
    await waitFor(() => expect(screen.getByText("not in the results")).toBeInTheDocument());
  });
});

describe("states", () => {
  it("begins with examples", async () => {
    open({});
    await userEvent.click(screen.getByRole("button", { name: "Scope 3 emissions S2.29" }));
    expect(screen.getByRole("searchbox", { name: "Query" })).toHaveValue("Scope 3 emissions S2.29");
    await list("Fused list");
  });

  it("names the filter that keeps everything out, and clears it", async () => {
    open({ q: "plan", corpus: "Nowhere", pillar: "strategy" });
    expect(await screen.findByText("No chunks match Corpus Nowhere.")).toBeInTheDocument();
    await userEvent.click(screen.getAllByRole("button", { name: "Clear Corpus" }).at(-1) as HTMLElement);
    await list("Fused list");
    expect(requests().at(-1)?.filters).toMatchObject({ corpora: [], pillars: ["strategy"] });
  });

  it("says what failed, and tries again", async () => {
    let broken = true;
    open(
      { q: "plan" },
      {
        search: (input, call) => {
          if (broken) throw { code: "query_syntax", message: "a quotation mark is open; close it" };
          return handlers.search?.(input, call);
        },
      },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("A quotation mark is open; close it.");
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    await list("Fused list");
  });

  it("says in a comparison too what failed, on either side, and tries again", async () => {
    let broken = true;
    const fails = () => {
      throw { code: "storage", message: "disk I/O error" };
    };
    const { unmount } = open(
      { q: "plan", against: `space:${instant.space_id}` },
      { search: (input, call) => (broken ? fails() : handlers.search?.(input, call)) },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    await list("Results A");
    unmount();
    broken = true;
    open(
      { q: "plan", against: `space:${instant.space_id}` },
      { "model.list": (input, call) => (broken ? fails() : handlers["model.list"]?.(input, call)) },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    await list("Results B");
  });

  it("says in a filter that its values could not be loaded", async () => {
    open(
      { q: "plan" },
      {
        "library.overview": () => {
          throw { code: "storage", message: "disk I/O error" };
        },
      },
    );
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: /^Corpus/ }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
  });

  it("explains nothing beside an error: what stood there explained the answer before", async () => {
    open({ q: "transition plan" });
    await list("Fused list");
    await screen.findByRole("region", { name: "Score" });
    await userEvent.click(screen.getByRole("button", { name: "Search options" }));
    await userEvent.click(await screen.findByRole("switch", { name: /^Operators/ }));
    await userEvent.keyboard("{Escape}");
    await write(screen.getByRole("searchbox", { name: "Query" }), ' "board');
    expect(await screen.findByRole("alert")).toHaveTextContent(/a quotation mark is opened/i);
    expect(screen.queryByRole("region", { name: "Score" })).toBeNull();
    expect(screen.queryByText("FTS5")).toBeNull();
    expect(screen.queryByText("rag_lookup")).toBeNull();
  });

  it("says why a leg is silent, and how much of the scope has vectors", async () => {
    const { unmount } = open(
      { q: "plan" },
      answering(() => ({
        semantic: [],
        space: null,
        tier: null,
        degraded: true,
        notices: [
          {
            cause: "keyword_only",
            message: "only keyword search answered: the provider could not be reached",
          },
        ],
      })),
    );
    expect(await screen.findByText(/the provider could not be reached/)).toBeInTheDocument();
    unmount();
    open(
      { q: "plan" },
      answering(({ trace }) => ({ covered: Math.ceil(trace.candidates_after * 0.61) })),
    );
    expect(await screen.findByText("61% covered")).toBeInTheDocument();
  });

  describe("while the vectors are slow", () => {
    let arrive: (() => void)[] = [];
    const slow: FakeHandlers = {
      search: async (input, call) => {
        if (input.mode === "hybrid") await new Promise<void>((resolve) => arrive.push(resolve));
        return handlers.search?.({ ...input, query: "plan" }, call);
      },
    };
    const arriveAll = () => act(async () => arrive.splice(0).forEach((resolve) => void resolve()));
    const score = () => screen.getByRole("region", { name: "Score" });
    beforeEach(() => {
      arrive = [];
    });

    it("lets words answer first, then replaces them, and keeps the selection", async () => {
      open({ q: "plan", chunk: slowly.chunk_id, fusion: "rrf" }, slow);
      expect(await screen.findByText("keyword results only so far")).toBeInTheDocument();
      expect(score()).toHaveTextContent("provisional");
      const byWords = `${SEARCH_DEFAULTS.keyword_weight}/(${SEARCH_DEFAULTS.rrf_k}+${rankOf("keyword")})`;
      expect(score()).toHaveTextContent(byWords);
      // Keyword mode is the screen's own: the call is that of the search that was asked for.
      expect(screen.getByText(/has no parameter for: fusion\./)).toBeInTheDocument();
      await arriveAll();
      await list("Semantic list");
      expect(screen.queryByText("keyword results only so far")).not.toBeInTheDocument();
      expect(screen.queryByText("embedding the query")).not.toBeInTheDocument();
      // The inspector follows the lists by a frame.
      await waitFor(() => expect(score()).not.toHaveTextContent("provisional"));
      const byMeaning = `${SEARCH_DEFAULTS.semantic_weight}/(${SEARCH_DEFAULTS.rrf_k}+${rankOf("semantic")})`;
      expect(score()).toHaveTextContent(byMeaning);
      expect(screen.getAllByRole("option", { selected: true })).toHaveLength(3);
      for (const option of screen.getAllByRole("option", { selected: true }))
        expect(option).toHaveTextContent(String(slowly.metadata.paragraph_id));
    });

    it("marks the former words as provisional until those of the next query are there", async () => {
      open({ q: "plan" }, slow);
      await screen.findByText("keyword results only so far");
      await write(screen.getByRole("searchbox", { name: "Query" }), " transition");
      expect(screen.getByText("keyword results only so far")).toBeInTheDocument();
      await waitFor(() =>
        expect(requests().at(-1)).toMatchObject({ mode: "keyword", query: "plan transition" }),
      );
      await arriveAll();
      await list("Semantic list");
      expect(screen.queryByText("keyword results only so far")).not.toBeInTheDocument();
    });

    it("keeps a whole answer that is only brought up to date", async () => {
      open({ q: "plan" }, slow);
      await waitFor(() => expect(arrive).toHaveLength(1));
      await arriveAll();
      await list("Semantic list");
      act(() => fake.emit({ tags: ["vectors"] }));
      await waitFor(() => expect(arrive).toHaveLength(1));
      await act(() => new Promise((resolve) => setTimeout(resolve, 600)));
      expect(screen.queryByText("keyword results only so far")).not.toBeInTheDocument();
      expect(screen.getByRole("listbox", { name: "Semantic list" })).toBeInTheDocument();
      expect(requests().every((request) => request.mode === "hybrid")).toBe(true);
    });
  });
});

describe("context", () => {
  it("says in which order its passages come", async () => {
    const { unmount } = open({ q: "plan" });
    expect(await screen.findByText(/^Best first, up to the budget; grouped by document/)).toBeVisible();
    unmount();
    open({ run: "214" });
    expect(await screen.findByText(/^Reranked order, up to the budget; grouped by document/)).toBeVisible();
    await userEvent.click(await screen.findByRole("button", { name: /^Order/ }));
    await userEvent.click(await screen.findByRole("menuitemradio", { name: "fused" }));
    expect(await screen.findByText(/^Fused order, up to the budget; grouped by document/)).toBeVisible();
  });

  it("drops a passage that is tapped, and takes it back", async () => {
    open({ q: "plan" });
    const segments = await screen.findByRole("toolbar", { name: "Passages in the context" });
    const first = (await within(segments).findAllByRole("button"))[0] as HTMLElement;
    const before = within(segments).getAllByRole("button").length;
    act(() => first.focus());
    await userEvent.keyboard("{ArrowRight}");
    expect(within(segments).getAllByRole("button")[1]).toHaveFocus();
    await userEvent.click(first);
    await waitFor(() => expect(within(segments).getAllByRole("button")).toHaveLength(before - 1));
    await userEvent.click(screen.getByRole("button", { name: /^Include .* again$/ }));
    await waitFor(() => expect(within(segments).getAllByRole("button")).toHaveLength(before));
  });
});

describe("comparison", () => {
  it("sets two runs beside each other", async () => {
    open({ run: "214", against: "run:213", chunk: PARAGRAPH });
    await list("Results A");
    await list("Results B");
    expect(screen.getByText("Rank-biased overlap")).toBeInTheDocument();
    expect(screen.getAllByRole("option", { selected: true })).toHaveLength(2);
  });

  it("tells what it could not load, beside what it compares", async () => {
    let broken = true;
    open(
      { run: "214", against: "run:213" },
      {
        "search.runs": (input, call) => {
          if (broken) throw { code: "storage", message: "disk I/O error" };
          return handlers["search.runs"]?.(input, call);
        },
        "settings.get": settingsHandlers["settings.get"] as NonNullable<FakeHandlers[string]>,
      },
    );
    await list("Results B");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Disk I/O error");
    const sides = () =>
      screen.getAllByRole("heading", { level: 2 }).map((head) => head.parentElement?.nextSibling);
    const before = sides()[0]?.textContent;
    broken = false;
    await userEvent.click(within(alert).getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    // When the run was made is told with it.
    expect(sides()[0]?.textContent).not.toBe(before);
  });

  it("offers what there is to compare with, and says what there would be", async () => {
    let broken = true;
    open(
      { q: QUESTION },
      {
        "search.runs": (input, call) => {
          if (broken) throw { code: "storage", message: "disk I/O error" };
          return handlers["search.runs"]?.(input, call);
        },
      },
    );
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: "Compare run" }));
    expect(await screen.findByRole("menuitem", { name: /^This search with potion/ })).toBeInTheDocument();
    broken = false;
    await userEvent.click(screen.getByRole("menuitem", { name: /Retry.*Disk I\/O error/ }));
    await userEvent.click(screen.getByRole("button", { name: "Compare run" }));
    expect(await screen.findByRole("menuitem", { name: /^Run 213/ })).toBeInTheDocument();
    expect(screen.queryByRole("menuitem", { name: /Retry/ })).toBeNull();
  });

  it("sets two models beside each other", async () => {
    open({ q: QUESTION });
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: "Compare run" }));
    expect(screen.queryByRole("menuitem", { name: /^This search with all-MiniLM/ })).not.toBeInTheDocument();
    await userEvent.click(await screen.findByRole("menuitem", { name: /^This search with potion/ }));
    await list("Results B");
    expect(requests().at(-1)).toMatchObject({ space: instant.space_id, query: QUESTION });
    const heads = () => screen.getAllByRole("heading", { level: 2 }).map((head) => head.textContent);
    const [first, second] = heads();
    await userEvent.click(screen.getByRole("button", { name: "Swap" }));
    await waitFor(() => expect(heads().slice(0, 2)).toEqual([second, first]));
  });

  it("shows where the query of either side stands among the chunks of its model", async () => {
    open({ q: QUESTION, against: `space:${instant.space_id}`, chunk: HELD });
    await screen.findByRole("application", { name: /^The query of A among/ });
    const maps = () => fake.calls.filter((each) => each.command === "embedding.map");
    expect(maps()[0]?.input).toMatchObject({ space: embedded.space_id, query: QUESTION });
    await waitFor(() => expect(document.querySelectorAll("[data-nearest]")).toHaveLength(6));
    expect(document.querySelector("[data-query]")).toHaveTextContent("query");
    expect(document.querySelector("[data-selected]")).toHaveAttribute("data-selected", HELD);
    const include = found.results.map((hit) => hit.chunk_id);
    const map = recorded("embedding.map", { space: embedded.space_id, query: QUESTION, include });
    const counted = `${map.model}: ${whole(map.points.length)} of ${whole(map.total)} chunks on the first two`;
    expect(screen.getByText(counted, { exact: false })).toBeVisible();
    await userEvent.click(
      within(screen.getByRole("radiogroup", { name: "Side shown on the map" })).getByRole("radio", {
        name: "B",
      }),
    );
    await screen.findByText(/^potion-base-8M.*: /);
    expect(maps().at(-1)?.input).toMatchObject({ space: instant.space_id });
  });

  it("keeps both lists in sight where the window is narrow: difference and map take turns below them", async () => {
    const wide = window.matchMedia;
    window.matchMedia = (query) => ({ ...wide(query), matches: query.includes("max-width") });
    try {
      open({ run: "214", against: "run:213" });
      await list("Results B");
      expect(screen.getByRole("tab", { name: "Difference" })).toHaveAttribute("aria-selected", "true");
      expect(screen.getByText("Rank-biased overlap")).toBeVisible();
      await userEvent.click(screen.getByRole("tab", { name: "Embedding map" }));
      expect(await screen.findByRole("application", { name: /^The query of A/ })).toBeInTheDocument();
      expect(screen.queryByText("Rank-biased overlap")).toBeNull();
      expect(await list("Results A")).toBeInTheDocument();
    } finally {
      window.matchMedia = wide;
    }
  });

  it("says of the cost of a query only what is known", async () => {
    const remote = { ...REMOTE, model: "openai/text-embedding-3-small" };
    const settings = settingsHandlers["settings.get"] as NonNullable<FakeHandlers[string]>;
    const changed: FakeHandlers = {
      "settings.get": settings,
      "search.run": async (input, call) => {
        const kept = (await handlers["search.run"]?.(input, call)) as KeptSearch;
        if (input.id !== 213) return kept;
        const trace = { ...kept.response.trace, space: remote, tier: "remote", embedded: "x".repeat(4_000) };
        return { ...kept, response: { ...kept.response, trace } };
      },
    };
    const { unmount } = open({ run: "213", against: "run:212" }, changed);
    expect(
      await screen.findByRole("row", { name: /^Cost per query \$0\.00002 → \$0(\.00)? local$/ }),
    ).toBeVisible();
    unmount();
    open({ run: "214", against: "run:213" }, changed);
    expect(await screen.findByRole("row", { name: /^Cost per query not known → \$0\.00002$/ })).toBeVisible();
  });

  it("asks a provider only on demand", async () => {
    const far = { space_id: "far", served: true, vectors: 10, space: REMOTE };
    open(
      { q: QUESTION, against: "space:far" },
      {
        "model.list": () => [...models, far],
        search: ({ space, ...input }, call) =>
          handlers.search?.({ ...input, space: space === "far" ? null : space }, call),
      },
    );
    const ask = await screen.findByRole("button", { name: "Ask the provider" });
    expect(requests().some((request) => request.space === "far")).toBe(false);
    await userEvent.click(ask);
    await list("Results B");
    expect(requests().filter((request) => request.space === "far")).toHaveLength(1);
  });
});
