import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { handlers as gold } from "@/api/fake/evaluate";
import { recorded } from "@/api/recording";
import type { GoldPanel, MovedPassage } from "@/api/types";
import { defineShortcuts } from "@/kit/shortcuts";
import { page as evaluate } from "@/pages/evaluate/page";
import { judgeIn } from "@/parts/gold-panel";
import { sent } from "@/test/page";
import { answerPane, answerTo, article, GASES, keptAs, open, PLAN, PRICE, place } from "./testing";

const KEPT = keptAs(PLAN);
const OPEN = keptAs(PRICE);
/** Passages nearest to a question that nothing answers. */
const NEAREST = answerTo(PRICE).passages.length;

/** Confirms the gold set that is proposed, or another. */
async function saveIn(set?: string) {
  const dialog = await screen.findByRole("dialog", { name: "Save as gold query" });
  const choice = await within(dialog).findByRole("combobox", { name: "Gold set" });
  if (set !== undefined) {
    await userEvent.click(choice);
    await userEvent.click(await screen.findByRole("option", { name: set }));
  }
  await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
}

/** Opens an answer whose question is a query of each of `sets`; gives the bar in which its sources are judged. */
function openJudged(...sets: string[]): Promise<HTMLElement> {
  defineShortcuts(evaluate.shortcuts ?? []);
  const panels = sets.map(
    (set, at): GoldPanel => ({
      set,
      query: { id: `q${at + 1}`, query: GASES, type: "", labels: [] },
      labels: [],
    }),
  );
  open({ answer: keptAs(GASES), cite: "1" }, () => ({
    ...gold,
    "gold.panel": () => panels,
    "gold.judge": () => ({}),
  }));
  return screen.findByRole("region", { name: "Gold set" });
}
type Judgment = { target: { chunk_id: string }; grade: number | null };
const judgments = () => sent<Judgment>("gold.judge");

describe("the log", () => {
  it("keeps a right answer as a gold query, answered by what it cites", async () => {
    open({ answer: KEPT }, () => gold);
    const answer = await article("answered");
    await userEvent.click(within(answer).getByRole("button", { name: "Right" }));
    await waitFor(() =>
      expect(within(answer).getByRole("button", { name: "Right" })).toHaveAttribute("aria-pressed", "true"),
    );
    await userEvent.click(within(answer).getByRole("button", { name: "More" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Save as gold query" }));
    expect(sent("gold.put_query")).toEqual([]);
    await saveIn();
    await waitFor(() => expect(judgments().length).toBeGreaterThan(0));
    expect(sent("gold.put_query")[0]).toEqual({ set: "S2 review", query: PLAN });
    expect(judgments()[0]).toMatchObject({ set: "S2 review", target: { kind: "chunk" }, grade: 3 });
  });

  it("asks which gold set keeps a question, and proposes the one of the last time", async () => {
    open({ answer: OPEN }, () => ({ "gold.put_query": () => ({ id: "q1" }) }));
    const save = async () =>
      userEvent.click(
        await within(await article("not_found")).findByRole("button", { name: "Save as gold query" }),
      );
    await save();
    await saveIn("New gold set…");
    await waitFor(() => expect(sent("gold.put_query")[0]).toMatchObject({ set: "My gold set" }));
    expect(localStorage.getItem("sibyl.gold-set")).toBe("My gold set");
  });

  it("judges its sources by key once the question is a gold query", async () => {
    const bar = await openJudged("S2 review");
    await within(bar).findByRole("group", { name: "Grade of source 1" });
    expect(bar).toHaveTextContent(/S2 review: 0 of \d+ judged/);
    fireEvent.keyDown(answerPane(), { key: "2" });
    await waitFor(() =>
      expect(judgments()).toMatchObject([
        { set: "S2 review", query: "q1", target: { kind: "chunk" }, grade: 2 },
      ]),
    );
    // Blind: the same sources in another order, without ranks and lists.
    const sources = screen.getByRole("list", { name: "Sources" });
    const order = () =>
      [...sources.querySelectorAll("[data-source]")].map((each) => each.getAttribute("data-source"));
    const legs = () => within(sources).queryAllByRole("img");
    const before = order();
    expect(legs().length).toBeGreaterThan(0);
    await userEvent.click(within(bar).getByRole("switch", { name: "Judge blind" }));
    expect(legs()).toEqual([]);
    expect(order()).not.toEqual(before);
    expect([...order()].sort()).toEqual([...before].sort());
    await userEvent.click(within(bar).getByRole("switch", { name: "Judge blind" }));
    expect(order()).toEqual(before);
  });

  it("judges the passages nearest to a question without an answer, by mouse and by key", async () => {
    defineShortcuts(evaluate.shortcuts ?? []);
    open({ answer: OPEN });
    const answer = await article("not_found");
    const nearest = screen.getByRole("list", { name: "Nearest passages" });
    expect(within(nearest).queryAllByRole("button", { name: /^#/ })).toEqual([]);
    await userEvent.click(await within(answer).findByRole("button", { name: "Save as gold query" }));
    await saveIn();
    const bar = await screen.findByRole("region", { name: "Gold set" });
    expect(bar).toHaveTextContent(`S2 review: 0 of ${NEAREST} judged`);
    expect(within(answer).queryByRole("button", { name: "Save as gold query" })).toBeNull();
    const heads = () => within(nearest).getAllByRole("button", { name: /^#/ });
    const chunks = [...nearest.querySelectorAll("[data-chunk]")].map((each) =>
      each.getAttribute("data-chunk"),
    );
    await userEvent.click(heads()[1] as HTMLElement);
    await userEvent.click(within(bar).getByRole("button", { name: "2: Strongly related" }));
    await waitFor(() => expect(bar).toHaveTextContent(`S2 review: 1 of ${NEAREST} judged`));
    expect(judgments()[0]).toMatchObject({ target: { chunk_id: chunks[1] }, grade: 2 });
    act(() => heads()[1]?.focus());
    await userEvent.keyboard("{ArrowDown}0");
    await waitFor(() => expect(bar).toHaveTextContent(`S2 review: 2 of ${NEAREST} judged`));
    expect(judgments()[1]).toMatchObject({ target: { chunk_id: chunks[2] }, grade: 0 });
    // The keys of the citations walk the passages where nothing is cited.
    fireEvent.keyDown(answerPane(), { key: "k" });
    fireEvent.keyDown(answerPane(), { key: "Backspace" });
    await waitFor(() => expect(bar).toHaveTextContent(`S2 review: 1 of ${NEAREST} judged`));
    expect(judgments()[2]).toMatchObject({ target: { chunk_id: chunks[1] }, grade: null });
    expect(within(nearest).getAllByRole("meter")).toHaveLength(NEAREST);
    await userEvent.click(within(bar).getByRole("switch", { name: "Judge blind" }));
    expect(within(nearest).queryAllByRole("meter")).toEqual([]);
    expect(within(nearest).queryAllByText(/^#/)).toEqual([]);
  });

  it("judges in the gold set that is chosen where several hold the question", async () => {
    const bar = await openJudged("S2 review", "Second review");
    const choice = within(bar).getByRole("combobox", { name: "Gold set to judge in" });
    await userEvent.click(choice);
    await userEvent.click(await screen.findByRole("option", { name: "Second review" }));
    await waitFor(() => expect(bar).toHaveTextContent(/Second review: 0 of \d+ judged/));
    fireEvent.keyDown(choice, { key: "2" });
    await waitFor(() => expect(judgments()).toMatchObject([{ set: "Second review", query: "q2", grade: 2 }]));
    act(() => judgeIn(""));
  });

  it("judges what is in context and not cited, and then again what is cited", async () => {
    const bar = await openJudged("S2 review");
    const given = () => judgments().map(({ target }) => target.chunk_id);
    const chunkOf = (head: HTMLElement) => head.closest("[data-chunk]")?.getAttribute("data-chunk");
    await userEvent.click(screen.getByRole("button", { name: /passages? in context, not cited$/ }));
    const uncited = screen.getByRole("list", { name: "Passages that aren’t cited" });
    const first = within(uncited).getAllByRole("button", { name: /^#/ })[0] as HTMLElement;
    await userEvent.click(first);
    fireEvent.keyDown(answerPane(), { key: "1" });
    await waitFor(() => expect(given()).toEqual([chunkOf(first)]));
    await userEvent.click(screen.getByRole("radio", { name: "Context" }));
    const heads = within(screen.getByRole("list", { name: "Context" })).getAllByRole("button", {
      name: /^#/,
    });
    expect(heads.filter((head) => head.hasAttribute("aria-current")).map(chunkOf)).toEqual([given()[0]]);
    const other = heads.find((head) => !head.hasAttribute("aria-current")) as HTMLElement;
    await userEvent.click(other);
    fireEvent.keyDown(answerPane(), { key: "3" });
    await waitFor(() => expect(given()[1]).toBe(chunkOf(other)));
    // A citation chosen after it is what the keys then judge.
    fireEvent.keyDown(answerPane(), { key: "j" });
    await within(bar).findByRole("group", { name: "Grade of source 2" });
  });

  it("is searched, opened and rated", async () => {
    open();
    const find = await screen.findByRole("searchbox", { name: "Search the log" });
    await waitFor(() => expect(find).toHaveAttribute("placeholder", "Search 7 answers"));
    fireEvent.change(find, { target: { value: "internal carbon" } });
    await waitFor(() => expect(document.querySelectorAll("[data-entry]")).toHaveLength(1));
    await userEvent.click(
      screen.getByRole("button", { name: /^What was Northwind’s internal carbon price/ }),
    );
    await article("not_found");
    await waitFor(() => expect(place().query.get("answer")).toBe(OPEN));
    const rating = await screen.findByRole("group", { name: "Was this answer right?" });
    await userEvent.click(within(rating).getByRole("button", { name: "Wrong" }));
    const reason = await within(rating).findByRole("textbox", { name: "Why? (optional)" });
    fireEvent.change(reason, { target: { value: "It is on page 24" } });
    act(() => reason.focus());
    await userEvent.keyboard("{Enter}");
    await waitFor(() =>
      expect(sent("answer.log.rate").at(-1)).toEqual({
        id: Number(OPEN),
        rating: { verdict: "wrong", reason: "It is on page 24" },
      }),
    );
  });

  it("is deleted one by one and whole, after a question", async () => {
    open({ answer: KEPT });
    await article("answered");
    await waitFor(() => expect(document.querySelectorAll("[data-entry]")).toHaveLength(7));
    const entry = document.querySelector<HTMLElement>('[data-entry="0"]');
    act(() => entry?.focus());
    await userEvent.keyboard("{Delete}");
    await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
    await waitFor(() => expect(document.querySelectorAll("[data-entry]")).toHaveLength(6));
    await userEvent.click(screen.getByRole("button", { name: "Log options" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: /^Delete the whole log/ }));
    const question = await screen.findByRole("alertdialog");
    await waitFor(() => expect(question).toHaveTextContent("Delete all 6 answers?"));
    await userEvent.click(screen.getByRole("button", { name: "Delete all" }));
    await waitFor(() => expect(screen.getByText("No questions yet")).toBeInTheDocument());
  });

  it("is replayed: each passage with its ranks then and now, and why it moved", async () => {
    const replayed = recorded("answer.log.replay", { id: Number(KEPT) });
    const passage = (label: string, before: number | null, after: number | null, why = ""): MovedPassage => ({
      chunk_id: label,
      label,
      before,
      after,
      relevance_before: before === null ? null : 0.91,
      relevance_after: after === null ? null : 0.87,
      source_changed: false,
      why,
    });
    const passages = [
      passage("S2.14", 1, 1),
      passage("S2.33", 3, 2, "its words were changed"),
      passage("S1.21", 2, 3),
      passage("S2.36", null, 4, "it was added since"),
      passage("Northwind", 4, null, "its document is no longer in the library"),
    ];
    open({ answer: KEPT }, () => ({
      "answer.log.replay": () => ({ ...replayed, passages, confidence_before: 0.93, confidence_after: 0.64 }),
    }));
    await article("answered");
    await userEvent.click(screen.getByRole("button", { name: "Replay the search" }));
    const dialog = await screen.findByRole("dialog", { name: "The same search today" });
    await waitFor(() =>
      expect(dialog).toHaveTextContent("4 passages have moved. Confidence then 0.93, now 0.64."),
    );
    const rows = within(dialog).getAllByRole("row").slice(1);
    const told = rows.map((row) => [
      within(row).getByRole("img").getAttribute("aria-label"),
      ...within(row)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
    ]);
    expect(told).toEqual([
      ["Unchanged", "S2.14", "1", "1", "0.91 → 0.87", ""],
      ["Moved up", "S2.33", "3", "2", "0.91 → 0.87", "Its words were changed."],
      ["Moved down", "S1.21", "2", "3", "0.91 → 0.87", ""],
      ["New", "S2.36", "–", "4", "– → 0.87", "It was added since."],
      ["Gone", "Northwind", "4", "–", "0.91 → –", "Its document is no longer in the library."],
    ]);
  });

  it("says of an answer that is gone that it is gone", async () => {
    open({ answer: "9999" });
    expect(await screen.findByText("This answer is no longer in the log")).toBeInTheDocument();
  });

  it("is copied with citations", async () => {
    const write = vi.fn().mockResolvedValue(undefined);
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: write } });
    open({ answer: KEPT });
    await article("answered");
    fireEvent.click(screen.getByRole("button", { name: "Copy with citations" }));
    const text = write.mock.calls[0]?.[0] as string;
    expect(text).toContain("availability of technology. [Citation 2]");
    expect(text).toContain("[Citation 2] S2.14(a)(iv), ");
  });
});
