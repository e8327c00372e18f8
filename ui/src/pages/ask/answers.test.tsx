import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { FakeHandlers } from "@/api/transport/fake";
import type { Answer } from "@/api/types";
import { answerTo, article, ask, asked, open, PLAN, PRICE, RESTS } from "./testing";

const changedAnswer =
  (change: (answer: Answer) => Partial<Answer>) =>
  (own: FakeHandlers): FakeHandlers => ({
    "answer.ask": async (input, call) => {
      const answer = (await own["answer.ask"]?.(input, call)) as Answer;
      return { ...answer, id: null, ...change(answer) };
    },
  });

describe("a source", () => {
  it("names its page with the label printed on it, and marks what OCR read", async () => {
    const ocr = { confidence: 71, doubtful: ["installation"] };
    const scanned = <T extends { pages: [number, number] | null }>(place: T): T =>
      place.pages ? { ...place, page_labels: ["xii", "xii"], ocr } : place;
    open(
      {},
      changedAnswer((answer) => ({
        citations: answer.citations.map(scanned),
        passages: answer.passages.map(scanned),
      })),
    );
    await ask(RESTS);
    await article("answered");
    const sources = screen.getByRole("list", { name: "Sources" });
    const card = within(sources).getAllByText("p. 7 (xii)")[0]?.closest("li") as HTMLElement;
    expect(within(card).getByText("OCR 71%")).toBeInTheDocument();
    expect(card.querySelector("mark.doubtful")).toHaveTextContent("installation");
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
    const found_by = ["plans and what they need"];
    const phrased = (answer: Answer) => ({
      passages: answer.passages.map((each) => ({ ...each, found_by })),
    });
    open({}, changedAnswer(phrased));
    await ask(PLAN);
    await article("answered");
    const listed = (name: string) => within(screen.getByRole("list", { name })).getAllByRole("listitem");
    const unfold = async (source: HTMLElement | undefined) => {
      expect(source).not.toHaveTextContent("plans and what they need");
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

describe("two marks", () => {
  const marks = async () =>
    within(await article("answered")).getByRole("list", { name: "What is known about the answer" });

  it("say apart whether it answers the question and whether it stands in its sources, each with its reason", async () => {
    open();
    await ask(PLAN);
    const [answers, stands] = within(await marks()).getAllByRole("listitem");
    expect(answers).toHaveTextContent("Answers the question its sources are about all that is asked");
    expect(stands).toHaveTextContent("In the source word for word in 2 places");
  });

  it("may differ: what stands in the source may be about something else", async () => {
    open(
      {},
      changedAnswer(() => ({ answers: "unsure", stands: "word_for_word" })),
    );
    await ask(PLAN);
    const [answers, stands] = within(await marks()).getAllByRole("listitem");
    expect(answers).toHaveTextContent("May not answer the question");
    expect(stands).toHaveTextContent("In the source");
  });
});

describe("what is not so", () => {
  it("is not found: the sentence of the source document, and the nearest passages unused", async () => {
    open();
    const { passages, grounds } = answerTo(PRICE);
    const below = passages.filter(({ relevance }) => relevance < grounds.threshold);
    await ask(PRICE);
    const answer = await article("not_found");
    expect(answer).toHaveTextContent(
      "I don't have enough information in the provided disclosures to answer that question.",
    );
    expect(answer.querySelector("[data-sentence]")).toBeNull();
    const nearest = screen.getByRole("list", { name: "Nearest passages" });
    expect(within(nearest).getAllByRole("listitem")).toHaveLength(passages.length);
    expect(within(nearest).getAllByText(/below 0.60/)).toHaveLength(below.length);
    expect(screen.getByText("not used")).toBeInTheDocument();
    // A passage between the two thresholds: the lenient one is offered.
    await userEvent.click(within(answer).getByRole("button", { name: "Try again at 0.50" }));
    await waitFor(() => expect(asked()[1]?.threshold).toBe(0.5));
  });

  it("is marked: altered with what differs, in words and not by colour alone", async () => {
    open({ generator: "chat" });
    await ask(RESTS);
    const answer = await article("answered");
    const mark = within(answer).getByRole("button", { name: "Check: Altered" });
    expect(mark).toHaveTextContent("Altered");
    await userEvent.click(mark);
    const findings = await screen.findByRole("dialog", { name: "What the check found" });
    expect(findings).toHaveTextContent("Answer: 55");
    expect(findings).toHaveTextContent("Source: 45");
    expect(screen.getByTestId("ask-checked")).toHaveTextContent(
      "5 sentences, 5 cited: 1 word for word, 1 in other words, 1 altered, 1 not in the source, 1 unsupported.",
    );
  });

  it("leads nowhere: pictures, links and HTML of a model are words", async () => {
    open({ generator: "chat" });
    await ask(RESTS);
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
    await ask(RESTS);
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
    await ask(RESTS);
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
    await ask(RESTS);
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
