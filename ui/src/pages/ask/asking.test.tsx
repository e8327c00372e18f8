import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { idOf } from "@/api/recording";
import { setSelected } from "@/state/selection";
import {
  answerPane,
  answerTo,
  article,
  ask,
  asked,
  BOTH,
  keptAs,
  open,
  PLAN,
  place,
  question,
  RESTS,
  SCOPE,
} from "./testing";

const KEPT = keptAs(PLAN);

describe("asking", () => {
  it("goes from the question over its stream to a citation and its place", async () => {
    const { chunks_searched, citations } = answerTo(RESTS);
    open();
    await ask(RESTS);
    const answer = await article("answered");
    expect(question()).toHaveValue("");
    const sentences = answer.querySelectorAll("[data-sentence]");
    expect(sentences).toHaveLength(2);
    expect(
      within(answer).getAllByRole("button", { name: "Check: In the source word for word" }),
    ).toHaveLength(2);
    expect(screen.getByTestId("ask-trace")).toHaveTextContent(`Searched ${chunks_searched} chunks · `);
    expect(within(answer).getByRole("meter", { name: "Confidence" })).toHaveAttribute(
      "aria-valuetext",
      "Low, 0.57",
    );
    await waitFor(() => expect(place().query.get("answer")).toBe(String(Number(KEPT) + 1)));
    // A citation of a page of a PDF: pressed once it is chosen, pressed again it opens.
    const chip = within(answer).getByRole("button", { name: /^Citation 2, Northwind Energy plc/ });
    await userEvent.click(chip);
    expect(chip).toHaveAttribute("aria-current", "true");
    const source = within(screen.getByRole("list", { name: "Sources" })).getAllByRole("listitem")[1];
    expect(within(source as HTMLElement).getByRole("button", { name: "Open" })).toBeInTheDocument();
    await userEvent.click(chip);
    expect(place().page).toBe("chunk-lab");
    expect(Object.fromEntries(place().query)).toEqual({
      document: String(idOf("northwind")),
      chunk: citations[1]?.chunk_id,
      view: "read",
      version: citations[1]?.text_version,
      mark: citations[1]?.span.join("-"),
      show: "page",
      page: "7",
    });
  });

  it("lets a model be chosen by its price, for this question and until it is taken back", async () => {
    open({ generator: "chat" });
    const pill = await screen.findByRole("button", { name: /^Model/ });
    await userEvent.click(pill);
    const sheet = await screen.findByRole("dialog", { name: "Chat model" });
    const free = await within(sheet).findByRole("checkbox", { name: /loopback\/free/ });
    expect(free).toHaveTextContent("free · 128K tokens");
    expect(within(sheet).getByRole("checkbox", { name: /loopback\/writer/ })).toBeChecked();
    expect(sheet).toHaveTextContent("$0.4 in, $1.6 out");
    await userEvent.click(free);
    await waitFor(() => expect(place().query.get("model")).toBe("loopback/free"));
    await ask(RESTS);
    await article("answered");
    expect(asked()[0]).toMatchObject({ generator: "chat", model: "loopback/free" });
    await userEvent.click(screen.getByRole("button", { name: "Use the model from Settings" }));
    await waitFor(() => expect(place().query.get("model")).toBeNull());
  });

  it("walks citations with J and K and opens one with O", async () => {
    open({ answer: KEPT });
    await article("answered");
    fireEvent.keyDown(answerPane(), { key: "j" });
    await waitFor(() => expect(place().query.get("cite")).toBe("1"));
    fireEvent.keyDown(answerPane(), { key: "j" });
    fireEvent.keyDown(answerPane(), { key: "k" });
    fireEvent.keyDown(answerPane(), { key: "o" });
    expect(place()).toMatchObject({ page: "standards", path: ["S2.14(a)(iv)"] });
  });

  it("takes the focus when it opens, and what is typed without it as a question", async () => {
    open({ answer: KEPT, cite: "1" });
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
    // A press on a button of the answer leaves the focus there, and what follows is the next question.
    act(() => screen.getByRole("button", { name: "Copy with citations" }).focus());
    await userEvent.keyboard("on");
    expect(place()).toMatchObject({ page: "ask" });
    expect(question()).toHaveValue("How many jokes nobody knows?on");
  });

  it("shows words as they come, and gives up on Escape with what has come", async () => {
    let held: () => void = () => undefined;
    open({ generator: "chat" }, (own) => ({
      "answer.ask": (input, call) => {
        let left = 17;
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
    await waitFor(() => expect(screen.getByText(/are sent to loopback\/writer/)).toBeInTheDocument());
    await ask(RESTS);
    const answer = await article("pending");
    await waitFor(() => expect(answer.querySelector("[data-caret]")).toBeInTheDocument());
    expect(answer).toHaveTextContent("Two things follow from them");
    expect(answer.textContent).not.toContain("[Citation");
    expect(asked()[0]).toMatchObject({ generator: "chat", question: RESTS });
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
        "Searched for And what about its dependencies? must a transition plan disclose",
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

describe("what a question sets", () => {
  it("stands above the answer in words; each is taken out of the question, and put back", async () => {
    open();
    await ask(SCOPE);
    await article("answered");
    const chips = () => screen.getByTestId("ask-understood");
    for (const words of ["Company: Northwind Energy plc", "Year: 2024", "Scope 2"])
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
  const TWO_STANDARDS = "And what about its dependencies?";

  it("have an answer and citations each, side by side", async () => {
    open();
    await ask(TWO_STANDARDS);
    await article("answered");
    const climate = screen.getByRole("region", { name: "IFRS S2" });
    const general = screen.getByRole("region", { name: "IFRS S1" });
    const [first, second] = answerTo(TWO_STANDARDS).readings.map(({ citations }) => citations.length);
    expect(climate).toHaveTextContent("Climate transition plan, assumptions, dependencies.");
    expect(within(climate).getAllByRole("button", { name: /^Citation \d+,/ })).toHaveLength(first ?? 0);
    expect(within(general).getAllByRole("button", { name: /^Citation \d+,/ })).toHaveLength(second ?? 0);
    expect(screen.getByText("2 answers fit.")).toBeInTheDocument();
    await userEvent.click(within(general).getByRole("button", { name: "Ask only this" }));
    await waitFor(() => expect(asked()[1]?.question).toBe(`${TWO_STANDARDS} (IFRS S1)`));
    await article("answered");
  });

  it("of two companies that a question names are no ambiguity", async () => {
    open();
    await ask(BOTH);
    await article("answered");
    for (const [name, printed] of [
      ["Halden Shipping ASA", "1,272 thousand t CO2e"],
      ["Northwind Energy plc", "2,548,000 t CO2e"],
    ] as const)
      expect(screen.getByRole("region", { name })).toHaveTextContent(printed);
    expect(screen.queryByText("2 answers fit.")).toBeNull();
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
