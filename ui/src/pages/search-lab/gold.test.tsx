import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { NO_FILTERS } from "@/api/defaults";
import { recorded } from "@/api/recording";
import type { GoldPanel, Hit, LabelPlace, SearchRequest, SearchResponse } from "@/api/types";
import { defineShortcuts } from "@/kit/shortcuts";
import { page as evaluate } from "@/pages/evaluate/page";
import { judgeIn } from "@/parts/gold-panel";
import { shuffled } from "@/parts/shuffled";
import { fake, sent } from "@/test/page";
import { page } from "./page";
import { HELD, handlers, open, PARAGRAPH, QUESTION, results } from "./testing";

const DEPENDS = "What does the transition plan depend on?";

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
    const given = () => sent("gold.judge");
    fireEvent.keyDown(results(), { key: "2" });
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
    fireEvent.keyDown(results(), { key: "Backspace" });
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
      fireEvent.keyDown(results(), { key: "j" });
      await waitFor(() => expect(marked()).not.toEqual([from]));
      fireEvent.keyDown(results(), { key: "2" });
      const judged = () => sent("gold.judge").at(-1);
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
    expect(sent("gold.judge").at(-1)).toMatchObject({
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
    const [held] = recorded("gold.panel", { query: DEPENDS }) as [GoldPanel];
    const labels = held.labels.map((each, at) => (at === 1 ? { ...each, chunks: [] } : each));
    open({ q: DEPENDS }, { "gold.panel": () => [{ ...held, labels }] });
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
    fireEvent.keyDown(choice, { key: "2" });
    await waitFor(() =>
      expect(sent("gold.judge")).toMatchObject([
        { set: "Second review", query: "q1", target: { chunk_id: HELD }, grade: 2 },
      ]),
    );
    act(() => judgeIn(""));
  });

  it("offers nothing to judge where the search is in no set", async () => {
    open({ q: QUESTION }, { "gold.list": () => [] });
    expect(await within(await region()).findByText(/^No gold query asks this yet/)).toBeInTheDocument();
    expect(sent("gold.panel")).toEqual([]);
  });
});
