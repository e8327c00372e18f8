import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chooseTransport } from "@/api/client";
import { askHandlers } from "@/api/fake/ask";
import { handlers as gold } from "@/api/fake/evaluate";
import { handlers as library } from "@/api/fake/library";
import { handlers as shell } from "@/api/fake/shell";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type { Answer, AskRequest, GoldPanel } from "@/api/types";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { page as evaluate } from "@/pages/evaluate/page";
import { judgeIn } from "@/parts/gold-panel";
import { href, parseRoute } from "@/state/router";
import { setSelected } from "@/state/selection";
import { show } from "@/test/render";
import { forgetAsking } from "./asking";
import AskPage from "./index";
import { page } from "./page";

const PLAN = "What must a transition plan disclose about its dependencies?";
let fake: FakeTransport;

function open(query: Record<string, string> = {}, changed: (own: FakeHandlers) => FakeHandlers = () => ({})) {
  const own = askHandlers();
  fake = fakeTransport({ ...shell, ...library, ...gold, ...own, ...changed(own) });
  chooseTransport(fake);
  window.location.hash = href("ask", [], query);
  return show(<AskPage />);
}
const asked = () =>
  fake.calls.filter((each) => each.command === "answer.ask").map((each) => each.input as AskRequest);
const question = () => screen.getByRole("textbox", { name: "Question" });
// In jsdom every edge lies at 0, 0: a click on a field would grab the handle between two panes.
const ask = async (words: string, field = question()) => {
  act(() => field.focus());
  fireEvent.change(field, { target: { value: words } });
  await userEvent.keyboard("{Enter}");
};
const article = async (standing: string) => {
  const found = await screen.findByTestId("ask-article");
  await waitFor(() => expect(found).toHaveAttribute("data-standing", standing));
  return found;
};
const place = () => parseRoute(window.location.hash);
const keys = (event: KeyboardEvent) => void handleKey(event);
const answerPane = () => document.querySelector("[data-pane=answer]") as HTMLElement;
const changedAnswer =
  (change: (answer: Answer) => Partial<Answer>) =>
  (own: FakeHandlers): FakeHandlers => ({
    "answer.ask": async (input, call) => {
      const answer = (await own["answer.ask"]?.(input, call)) as Answer;
      return { ...answer, id: null, ...change(answer) };
    },
  });

beforeEach(() => {
  defineShortcuts(page.shortcuts ?? []);
  window.addEventListener("keydown", keys);
});
afterEach(() => {
  window.removeEventListener("keydown", keys);
  forgetAsking();
  setSelected({});
  sessionStorage.clear();
});

describe("a source", () => {
  it("names its page with the label printed on it, and marks what OCR read", async () => {
    const ocr = { confidence: 71, doubtful: ["hydrogen-ready"] };
    const scanned = <T extends { pages: [number, number] | null }>(place: T): T =>
      place.pages ? { ...place, page_labels: ["xii", "xii"], ocr } : place;
    open(
      {},
      changedAnswer((answer) => ({
        citations: answer.citations.map(scanned),
        passages: answer.passages.map(scanned),
      })),
    );
    await ask(PLAN);
    await article("answered");
    const sources = screen.getByRole("list", { name: "Sources" });
    const card = within(sources).getByText("p. 34 (xii)").closest("li") as HTMLElement;
    expect(within(card).getByText("OCR 71%")).toBeInTheDocument();
    expect(card.querySelector("mark.doubtful")).toHaveTextContent("hydrogen-ready");
  });

  it.each([
    [{ about_page: 2 }, "about p. 2"],
    [{ sheet: "Emissions", cells: "C6:E6" }, "Emissions!C6:E6"],
    [{ cells: "A4:B4" }, "A4:B4"],
    [{ anchor: "water" }, "#water"],
  ])(
    "names about a page, the cells of a sheet or an anchor where it has no page: %j",
    async (place, told) => {
      open(
        {},
        changedAnswer((answer) => ({
          citations: answer.citations.map((each) => ({ ...each, paragraph_id: null, pages: null, ...place })),
        })),
      );
      await ask(PLAN);
      await article("answered");
      const sources = screen.getByRole("list", { name: "Sources" });
      expect(within(sources).getAllByText(told).length).toBeGreaterThan(0);
    },
  );

  it("puts what its passage is found by away until it is asked for, cited or in context", async () => {
    const found_by = ["what the plan depends on"];
    const phrased = (answer: Answer) => ({
      passages: answer.passages.map((each) => ({ ...each, found_by })),
    });
    open({}, changedAnswer(phrased));
    await ask(PLAN);
    await article("answered");
    const listed = (name: string) => within(screen.getByRole("list", { name })).getAllByRole("listitem");
    const unfold = async (source: HTMLElement | undefined) => {
      expect(source).not.toHaveTextContent("what the plan depends on");
      await userEvent.click(
        within(source as HTMLElement).getByRole("button", { name: "Found by 1 phrasing", expanded: false }),
      );
      expect(within(source as HTMLElement).getByRole("link", { name: found_by[0] })).toBeVisible();
    };
    await unfold(listed("Sources")[0]);
    await userEvent.click(screen.getByRole("radio", { name: "Context" }));
    await unfold(listed("Context")[0]);
  });
});

describe("what a question sets", () => {
  it("stands above the answer in words; each is taken out of the question, and put back", async () => {
    open();
    await ask("What were Northwind’s scope 2 emissions in 2024?");
    await article("answered");
    const chips = () => screen.getByTestId("ask-understood");
    for (const words of ["Company: Northwind", "Year: 2024", "Scope 2"])
      expect(chips()).toHaveTextContent(words);
    await userEvent.click(within(chips()).getByRole("button", { name: "Year: 2024, remove" }));
    await waitFor(() => expect(asked().at(-1)?.ignore).toEqual([{ kind: "period", value: "2024" }]));
    await article("answered");
    expect(asked().at(-1)?.follow_up).toBe(false);
    await userEvent.click(
      await within(chips()).findByRole("button", { name: "Year: 2024, left out, put back" }),
    );
    await waitFor(() => expect(asked().at(-1)?.ignore).toEqual([]));
  });
});

describe("two marks", () => {
  const marks = async () =>
    within(await article("answered")).getByRole("list", { name: "What is known of the answer" });

  it("say apart whether it answers the question and whether it stands in its sources, each with its reason", async () => {
    open();
    await ask(PLAN);
    const [answers, stands] = within(await marks()).getAllByRole("listitem");
    expect(answers).toHaveTextContent("Answers the question its sources are about all that is asked");
    expect(stands).toHaveTextContent("Stands in the source word for word in 4 places");
  });

  it("may differ: what stands in the source may be about something else", async () => {
    open(
      {},
      changedAnswer(() => ({ answers: "unsure", stands: "word_for_word" })),
    );
    await ask(PLAN);
    const [answers, stands] = within(await marks()).getAllByRole("listitem");
    expect(answers).toHaveTextContent("May not answer the question");
    expect(stands).toHaveTextContent("Stands in the source");
  });
});

describe("asking", () => {
  it("goes from the question over its stream to a citation and its place", async () => {
    open();
    await ask(PLAN);
    const answer = await article("answered");
    expect(question()).toHaveValue("");
    const sentences = answer.querySelectorAll("[data-sentence]");
    expect(sentences).toHaveLength(4);
    expect(
      within(answer).getAllByRole("button", { name: "Check: Stands in the source word for word" }),
    ).toHaveLength(4);
    expect(screen.getByTestId("ask-trace")).toHaveTextContent(/Searched 32,894 chunks · 212 ms/);
    expect(within(answer).getByRole("meter", { name: "Confidence" })).toHaveAttribute(
      "aria-valuetext",
      "High, 0.93",
    );
    await waitFor(() => expect(place().query.get("answer")).toBe("318"));
    // The second citation is a page of a PDF; pressed once it is chosen, pressed again it opens.
    const chip = within(answer).getByRole("button", { name: /^Citation 2, Northwind 2024/ });
    await userEvent.click(chip);
    expect(chip).toHaveAttribute("aria-current", "true");
    const source = within(screen.getByRole("list", { name: "Sources" })).getAllByRole("listitem")[1];
    expect(within(source as HTMLElement).getByRole("button", { name: "Open" })).toBeInTheDocument();
    await userEvent.click(chip);
    expect(place().page).toBe("chunk-lab");
    expect(Object.fromEntries(place().query)).toEqual({
      document: "5000",
      chunk: "c4a9000000000003",
      view: "read",
      mark: "0-157",
      show: "page",
      page: "34",
    });
  });

  it("lets a model be chosen by its price, for this question and until it is taken back", async () => {
    open({ generator: "chat" });
    const pill = await screen.findByRole("button", { name: /^Model/ });
    await userEvent.click(pill);
    const sheet = await screen.findByRole("dialog", { name: "Chat model" });
    const free = await within(sheet).findByRole("checkbox", { name: /qwen3-8b:free/ });
    expect(free).toHaveTextContent("free · 41K tokens");
    expect(within(sheet).getByRole("checkbox", { name: /gpt-4.1-mini/ })).toBeChecked();
    expect(sheet).toHaveTextContent("$0.4 in, $1.6 out");
    await userEvent.click(free);
    await waitFor(() => expect(place().query.get("model")).toBe("qwen/qwen3-8b:free"));
    await ask(PLAN);
    await article("answered");
    expect(asked()[0]).toMatchObject({ generator: "chat", model: "qwen/qwen3-8b:free" });
    await userEvent.click(screen.getByRole("button", { name: "Use the model from Settings" }));
    await waitFor(() => expect(place().query.get("model")).toBeNull());
  });

  it("walks citations with J and K and opens one with O", async () => {
    open({ answer: "317" });
    await article("answered");
    fireEvent.keyDown(answerPane(), { key: "j" });
    await waitFor(() => expect(place().query.get("cite")).toBe("1"));
    fireEvent.keyDown(answerPane(), { key: "j" });
    fireEvent.keyDown(answerPane(), { key: "k" });
    fireEvent.keyDown(answerPane(), { key: "o" });
    expect(place()).toMatchObject({ page: "standards", path: ["S2.14(a)(iv)"] });
  });

  it("takes the focus when it opens, and what is typed without it as a question", async () => {
    open({ answer: "317", cite: "1" });
    await article("answered");
    expect(question()).toHaveFocus();
    act(() => question().blur());
    await userEvent.keyboard("How many jokes nobody knows?");
    expect(question()).toHaveValue("How many jokes nobody knows?");
    expect(place()).toMatchObject({ page: "ask" });
    // Escape leads from the question to the answer, where the letters are keys.
    await userEvent.keyboard("{Escape}");
    expect(answerPane()).toHaveFocus();
    await userEvent.keyboard("j");
    await waitFor(() => expect(place().query.get("cite")).toBe("2"));
  });

  it("shows words as they come, and gives up on Escape with what has come", async () => {
    let held: () => void = () => undefined;
    open({ generator: "chat" }, (own) => ({
      "answer.ask": (input, call) => {
        let left = 9;
        const wait = () =>
          left-- > 0
            ? Promise.resolve()
            : new Promise<void>((resolve, reject) => {
                held = resolve;
                call.signal.addEventListener("abort", () =>
                  reject({ code: "cancelled", message: "cancelled" }),
                );
              });
        return own["answer.ask"]?.(input, { ...call, wait });
      },
    }));
    await waitFor(() => expect(screen.getByText(/are sent to openai\/gpt-4.1-mini/)).toBeInTheDocument());
    await ask(PLAN);
    const answer = await article("pending");
    await waitFor(() => expect(answer.querySelector("[data-caret]")).toBeInTheDocument());
    expect(answer).toHaveTextContent("In the reports reviewed");
    expect(answer.textContent).not.toContain("[Citation");
    expect(asked()[0]).toMatchObject({ generator: "chat", question: PLAN });
    act(() => question().focus());
    await userEvent.keyboard("{Escape}");
    await article("stopped");
    expect(screen.getByRole("alert")).toHaveTextContent("This answer is incomplete. You stopped it");
    expect(answer.querySelectorAll("[data-sentence]").length).toBeGreaterThan(0);
    held();
  });

  it("follows a question up, says what is searched for, and lets go of it", async () => {
    open();
    await ask("What must a transition plan disclose?");
    await article("answered");
    await ask("And what about its dependencies?");
    await waitFor(() =>
      expect(screen.getByTestId("ask-trace")).toHaveTextContent(
        "Searched for And what about its dependencies? What must a transition plan disclose",
      ),
    );
    expect(asked()[1]?.session).toBe(asked()[0]?.session);
    expect(asked()[1]?.session).not.toBe("");
    await userEvent.click(await screen.findByRole("button", { name: "Ask without the earlier question" }));
    await waitFor(() => expect(asked()).toHaveLength(3));
    expect(asked()[2]).toMatchObject({ question: "And what about its dependencies?", follow_up: false });
  });

  it("refuses an empty question in words, and asks nothing", async () => {
    open();
    await ask("  ");
    expect(await screen.findByRole("alert")).toHaveTextContent("Type a question first.");
    expect(asked()).toEqual([]);
  });

  it("begins with questions that the standards answer", async () => {
    open();
    const examples = await screen.findByRole("region", { name: "Ask a question" });
    await userEvent.click(within(examples).getByText(/climate-related transition plan/));
    await article("answered");
  });
});

describe("what is not so", () => {
  it("is not found: the sentence of the source document, and the nearest passages unused", async () => {
    open();
    await ask("Does Halden price methane slip in freight contracts?");
    const answer = await article("not_found");
    expect(answer).toHaveTextContent(
      "I don't have enough information in the provided disclosures to answer that question.",
    );
    expect(answer.querySelector("[data-sentence]")).toBeNull();
    const nearest = screen.getByRole("list", { name: "Nearest passages" });
    expect(within(nearest).getAllByRole("listitem")).toHaveLength(3);
    expect(within(nearest).getAllByText(/below 0.60/)).toHaveLength(3);
    expect(screen.getByText("not used")).toBeInTheDocument();
    // A passage between the two thresholds: the lenient one is offered.
    await userEvent.click(within(answer).getByRole("button", { name: "Try again at 0.50" }));
    await waitFor(() => expect(asked()[1]?.threshold).toBe(0.5));
  });

  it("is marked: altered with what differs, in words and not by colour alone", async () => {
    open({ generator: "chat" });
    await ask(PLAN);
    const answer = await article("answered");
    const mark = within(answer).getByRole("button", { name: "Check: Altered" });
    expect(mark).toHaveTextContent("Altered");
    await userEvent.click(mark);
    const findings = await screen.findByRole("dialog", { name: "What the check found" });
    expect(findings).toHaveTextContent("Answer: €90");
    expect(findings).toHaveTextContent("Source: €80 a tonne");
    expect(screen.getByTestId("ask-checked")).toHaveTextContent(
      "7 sentences, 6 cited: 1 word for word, 3 in other words, 1 altered, 1 not in the source, 1 unsupported.",
    );
  });

  it("leads nowhere: pictures, links and HTML of a model are words", async () => {
    open({ generator: "chat" });
    await ask(PLAN);
    const answer = await article("answered");
    expect(answer).toHaveTextContent("says its chairman pixel <img src=x onerror=alert(1)>.");
    expect(answer.querySelectorAll("a, img, iframe, script")).toHaveLength(0);
    expect(answer.innerHTML).not.toContain("evil.example");
  });

  it("is incomplete where the provider broke off, and what came is kept", async () => {
    open(
      { generator: "chat" },
      changedAnswer((answer) => ({
        outcome: "incomplete",
        sentences: answer.sentences.slice(0, 2),
        fault: { code: "chat_cut", message: "The provider closed the connection." },
      })),
    );
    await ask(PLAN);
    const answer = await article("incomplete");
    expect(within(answer).getByRole("alert")).toHaveTextContent(
      "This answer is incomplete. The provider closed the connection.",
    );
    expect(answer.querySelectorAll("[data-sentence]")).toHaveLength(2);
    // Nothing is asked for again by itself: that may cost.
    expect(asked()).toHaveLength(1);
    await userEvent.click(within(answer).getByRole("button", { name: "Ask again" }));
    await waitFor(() => expect(asked()).toHaveLength(2));
  });

  it("tells what was removed of it, and by how much less sure it is", async () => {
    open(
      { generator: "chat" },
      changedAnswer((answer) => ({
        grounds: { ...answer.grounds, supported: 0.5 },
        removed: [{ kind: "invented_citation", text: "[Citation 42]", sentence: 1 }],
      })),
    );
    await ask(PLAN);
    const answer = await article("answered");
    const removed = within(answer).getByRole("region", { name: "Removed from the answer" });
    expect(removed).toHaveTextContent("[Citation 42]: refers to no passage (sentence 2)");
    expect(answer).toHaveTextContent("The check confirms 50% of the answer, which lowers the confidence.");
  });

  it("is none where the model wrote nothing that cites a passage, and what it wrote is told", async () => {
    const said = "I cannot help with that request.";
    open(
      { generator: "chat" },
      changedAnswer(() => ({
        outcome: "refused",
        refusal: "declined",
        answer: null,
        sentences: [],
        citations: [],
        readings: [],
        removed: [{ kind: "sentence", text: said, sentence: null }],
      })),
    );
    await ask(PLAN);
    const answer = await article("declined");
    expect(answer).toHaveTextContent("The question was not answered.");
    const removed = within(answer).getByRole("region", { name: "Removed from the answer" });
    expect(removed).toHaveTextContent(`${said}: the text cites no passage`);
    expect(answer.querySelectorAll("[data-sentence]")).toHaveLength(0);
  });

  it("fails in its place, and can be asked again", async () => {
    let fails = true;
    open({}, (own) => ({
      "answer.ask": (input, call) => {
        if (fails) throw { code: "storage", message: "The library is busy." };
        return own["answer.ask"]?.(input, call);
      },
    }));
    await ask(PLAN);
    await article("failed");
    fails = false;
    await userEvent.click(await screen.findByRole("button", { name: "Retry" }));
    await article("answered");
  });
});

describe("what writes the answer", () => {
  it("is said to be unknown where it could not be loaded, and loaded again", async () => {
    let broken = true;
    open({}, (own) => ({
      "answer.generators": (input, call) => {
        if (broken) throw { code: "storage", message: "disk I/O error" };
        return own["answer.generators"]?.(input, call);
      },
    }));
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Disk I/O error");
    broken = false;
    await userEvent.click(within(alert).getByRole("button", { name: "Retry" }));
    expect(await screen.findByRole("button", { name: /^Written by/ })).toBeInTheDocument();
  });
});

describe("two readings", () => {
  it("have an answer and citations each, side by side", async () => {
    open();
    await ask("What were Northwind’s scope 2 emissions in 2024?");
    await article("answered");
    const location = screen.getByRole("region", { name: "Location-based" });
    const market = screen.getByRole("region", { name: "Market-based" });
    expect(location).toHaveTextContent("0.41 Mt CO₂e");
    expect(within(location).getAllByRole("button", { name: /^Citation [12],/ })).toHaveLength(2);
    expect(market).toHaveTextContent("0.17 Mt CO₂e");
    expect(within(market).getAllByRole("button", { name: /^Citation 3,/ })).toHaveLength(1);
    expect(screen.getByText("2 answers fit.")).toBeInTheDocument();
    await userEvent.click(within(market).getByRole("button", { name: "Ask only this" }));
    await waitFor(() =>
      expect(asked()[1]?.question).toBe("What were Northwind’s scope 2 emissions in 2024? (Market-based)"),
    );
  });
});

describe("selected text only", () => {
  const TEXT = "Grid dates hold. The milestone moves to 2038 if turbines are late.";

  it("answers from the text that is pasted, with lettered citations marked in it", async () => {
    open({ from: "selection" });
    const field = await screen.findByRole("textbox", { name: "Selected text" });
    fireEvent.change(field, { target: { value: TEXT } });
    await ask("When does the milestone move?");
    const answer = await article("answered");
    expect(asked()[0]?.selection?.text).toBe(TEXT);
    const chip = within(answer).getByRole("button", { name: /^Citation a,/ });
    await userEvent.click(chip);
    const marked = screen.getByRole("button", { name: /^Citation a: The milestone moves to 2038/ });
    expect(marked).toHaveTextContent("The milestone moves to 2038 if turbines are late.");
    expect(screen.queryByRole("list", { name: "Sources" })).toBeNull();
    expect(screen.getByTestId("ask-trace")).toHaveTextContent("Only the selected text");
  });

  it("refuses where nothing is selected, with the reason", async () => {
    open({ from: "selection" });
    await screen.findByRole("textbox", { name: "Selected text" });
    await ask("When does the milestone move?");
    expect(await screen.findByRole("alert")).toHaveTextContent("No text is selected.");
    expect(asked()).toEqual([]);
  });

  it("takes what another screen hands over", async () => {
    setSelected({ text: TEXT, document: "northwind.pdf", page: 34 });
    open({ from: "selection" });
    expect(await screen.findByRole("heading", { name: "northwind.pdf" })).toBeInTheDocument();
    await ask("When does the milestone move?");
    await article("answered");
    expect(asked()[0]?.selection).toEqual({
      text: TEXT,
      document: "northwind.pdf",
      section: "",
      page: 34,
      page_label: null,
    });
  });
});

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
      query: { id: `q${at + 1}`, query: PLAN, type: "", labels: [] },
      labels: [],
    }),
  );
  open({ answer: "317", cite: "1" }, () => ({
    ...gold,
    "gold.panel": () => panels,
    "gold.judge": () => ({}),
  }));
  return screen.findByRole("region", { name: "Gold set" });
}
type Judgment = { target: { chunk_id: string }; grade: number | null };
const judgments = () =>
  fake.calls.filter((each) => each.command === "gold.judge").map(({ input }) => input as Judgment);

describe("the log", () => {
  it("keeps a right answer as a gold query, answered by what it cites", async () => {
    open({ answer: "317" }, () => gold);
    const answer = await article("answered");
    await userEvent.click(within(answer).getByRole("button", { name: "Right" }));
    await waitFor(() =>
      expect(within(answer).getByRole("button", { name: "Right" })).toHaveAttribute("aria-pressed", "true"),
    );
    await userEvent.click(within(answer).getByRole("button", { name: "More" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Save as gold query" }));
    expect(fake.calls.some((each) => each.command === "gold.put_query")).toBe(false);
    await saveIn();
    await waitFor(() => expect(judgments().length).toBeGreaterThan(0));
    const kept = fake.calls.find((each) => each.command === "gold.put_query");
    expect(kept?.input).toEqual({ set: "S2 review", query: PLAN });
    expect(judgments()[0]).toMatchObject({ set: "S2 review", target: { kind: "chunk" }, grade: 3 });
  });

  it("asks which gold set keeps a question, and proposes the one of the last time", async () => {
    open({ answer: "315" }, () => ({ "gold.put_query": () => ({ id: "q1" }) }));
    const save = async () =>
      userEvent.click(
        await within(await article("not_found")).findByRole("button", { name: "Save as gold query" }),
      );
    await save();
    await saveIn("New gold set…");
    const kept = () => fake.calls.filter((each) => each.command === "gold.put_query");
    await waitFor(() => expect(kept()[0]?.input).toMatchObject({ set: "My gold set" }));
    expect(localStorage.getItem("sibyl.gold-set")).toBe("My gold set");
  });

  it("judges its sources by key once the question is a gold query", async () => {
    const bar = await openJudged("S2 review");
    await within(bar).findByRole("group", { name: "Grade of source 1" });
    expect(bar).toHaveTextContent(/S2 review: 0 of \d+ judged/);
    fireEvent.keyDown(document.body, { key: "2" });
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
    open({ answer: "315" });
    const answer = await article("not_found");
    const nearest = screen.getByRole("list", { name: "Nearest passages" });
    expect(within(nearest).queryAllByRole("button", { name: /^#/ })).toEqual([]);
    await userEvent.click(await within(answer).findByRole("button", { name: "Save as gold query" }));
    await saveIn();
    const bar = await screen.findByRole("region", { name: "Gold set" });
    expect(bar).toHaveTextContent("S2 review: 0 of 3 judged");
    expect(within(answer).queryByRole("button", { name: "Save as gold query" })).toBeNull();
    const heads = () => within(nearest).getAllByRole("button", { name: /^#/ });
    const chunks = [...nearest.querySelectorAll("[data-chunk]")].map((each) =>
      each.getAttribute("data-chunk"),
    );
    await userEvent.click(heads()[1] as HTMLElement);
    await userEvent.click(within(bar).getByRole("button", { name: "2: Strongly related" }));
    await waitFor(() => expect(bar).toHaveTextContent("S2 review: 1 of 3 judged"));
    expect(judgments()[0]).toMatchObject({ target: { chunk_id: chunks[1] }, grade: 2 });
    act(() => heads()[1]?.focus());
    await userEvent.keyboard("{ArrowDown}0");
    await waitFor(() => expect(bar).toHaveTextContent("S2 review: 2 of 3 judged"));
    expect(judgments()[1]).toMatchObject({ target: { chunk_id: chunks[2] }, grade: 0 });
    // The keys of the citations walk the passages where nothing is cited.
    fireEvent.keyDown(answerPane(), { key: "k" });
    fireEvent.keyDown(document.body, { key: "Backspace" });
    await waitFor(() => expect(bar).toHaveTextContent("S2 review: 1 of 3 judged"));
    expect(judgments()[2]).toMatchObject({ target: { chunk_id: chunks[1] }, grade: null });
    expect(within(nearest).getAllByRole("meter")).toHaveLength(3);
    await userEvent.click(within(bar).getByRole("switch", { name: "Judge blind" }));
    expect(within(nearest).queryAllByRole("meter")).toEqual([]);
    expect(within(nearest).queryAllByText(/^#/)).toEqual([]);
  });

  it("judges in the gold set that is chosen where several hold the question", async () => {
    const bar = await openJudged("S2 review", "Second review");
    await userEvent.click(within(bar).getByRole("combobox", { name: "Gold set to judge in" }));
    await userEvent.click(await screen.findByRole("option", { name: "Second review" }));
    await waitFor(() => expect(bar).toHaveTextContent(/Second review: 0 of \d+ judged/));
    await userEvent.keyboard("2");
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
    fireEvent.keyDown(document.body, { key: "1" });
    await waitFor(() => expect(given()).toEqual([chunkOf(first)]));
    await userEvent.click(screen.getByRole("radio", { name: "Context" }));
    const heads = within(screen.getByRole("list", { name: "Context" })).getAllByRole("button", {
      name: /^#/,
    });
    expect(heads.filter((head) => head.hasAttribute("aria-current")).map(chunkOf)).toEqual([given()[0]]);
    const other = heads.find((head) => !head.hasAttribute("aria-current")) as HTMLElement;
    await userEvent.click(other);
    fireEvent.keyDown(document.body, { key: "3" });
    await waitFor(() => expect(given()[1]).toBe(chunkOf(other)));
    // A citation chosen after it is what the keys then judge.
    fireEvent.keyDown(answerPane(), { key: "j" });
    await within(bar).findByRole("group", { name: "Grade of source 2" });
  });

  it("is searched, opened and rated", async () => {
    open();
    const find = await screen.findByRole("searchbox", { name: "Search the log" });
    await waitFor(() => expect(find).toHaveAttribute("placeholder", "Search 7 answers"));
    fireEvent.change(find, { target: { value: "halden" } });
    await waitFor(() => expect(document.querySelectorAll("[data-entry]")).toHaveLength(1));
    await userEvent.click(screen.getByRole("button", { name: /^Does Halden price methane slip/ }));
    await article("not_found");
    await waitFor(() => expect(place().query.get("answer")).toBe("315"));
    const rating = await screen.findByRole("group", { name: "Was this answer right?" });
    await userEvent.click(within(rating).getByRole("button", { name: "Wrong" }));
    const reason = await within(rating).findByRole("textbox", { name: "Why? (optional)" });
    fireEvent.change(reason, { target: { value: "It is on page 24" } });
    act(() => reason.focus());
    await userEvent.keyboard("{Enter}");
    await waitFor(() =>
      expect(fake.calls.filter((each) => each.command === "answer.log.rate").at(-1)?.input).toEqual({
        id: 315,
        rating: { verdict: "wrong", reason: "It is on page 24" },
      }),
    );
  });

  it("is deleted one by one and whole, after a question", async () => {
    open({ answer: "317" });
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

  it("is replayed: what has moved, and why", async () => {
    open({ answer: "317" });
    await article("answered");
    await userEvent.click(screen.getByRole("button", { name: "Replay the search" }));
    const dialog = await screen.findByRole("dialog", { name: "The same search today" });
    await waitFor(() =>
      expect(dialog).toHaveTextContent("3 passages have moved. Confidence then 0.93, now 0.91."),
    );
    expect(within(dialog).getAllByRole("img", { name: "Moved up" })).toHaveLength(1);
    expect(within(dialog).getAllByRole("img", { name: "Gone" })).toHaveLength(1);
    expect(dialog).toHaveTextContent("Its document is no longer in the library.");
  });

  it("says of an answer that is gone that it is gone", async () => {
    open({ answer: "9999" });
    expect(await screen.findByText("This answer is no longer in the log")).toBeInTheDocument();
  });

  it("is copied with citations", async () => {
    const write = vi.fn().mockResolvedValue(undefined);
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: write } });
    open({ answer: "317" });
    await article("answered");
    fireEvent.click(screen.getByRole("button", { name: "Copy with citations" }));
    const text = write.mock.calls[0]?.[0] as string;
    expect(text).toContain("depends on. [Citation 1]");
    expect(text).toContain("[Citation 2] Northwind 2024, p.\u00a034");
  });
});
