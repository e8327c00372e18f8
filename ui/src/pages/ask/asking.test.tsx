import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { setSelected } from "@/state/selection";
import { answerPane, article, ask, asked, open, PLAN, place, question } from "./testing";

describe("asking", () => {
  it("goes from the question over its stream to a citation and its place", async () => {
    open();
    await ask(PLAN);
    const answer = await article("answered");
    expect(question()).toHaveValue("");
    const sentences = answer.querySelectorAll("[data-sentence]");
    expect(sentences).toHaveLength(4);
    expect(
      within(answer).getAllByRole("button", { name: "Check: In the source word for word" }),
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
