import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { recorded } from "@/api/recording";
import type { GeneratorView, Pool } from "@/api/types";
import { judgeAs } from "@/state/judge";
import { sent, write } from "@/test/page";
import { fresh, open, press } from "./testing";

describe("judging", () => {
  it("judges ten passages by keyboard, takes one back, and never shows ranks", async () => {
    judgeAs("Cy");
    open({ view: "judge" });
    await screen.findByRole("region", { name: "Passage" });
    expect(screen.getByText("0 of 24 judged")).toBeInTheDocument();
    for (const key of ["3", "0", "1", "2", "0", "0", "3", "1", "0", "2"]) press(key);
    await waitFor(() => expect(screen.getByText("10 of 24 judged")).toBeInTheDocument());
    const given = sent("gold.judge") as { grade: number; judge: string; query: string; target: object }[];
    expect(given.map((each) => each.grade)).toEqual([3, 0, 1, 2, 0, 0, 3, 1, 0, 2]);
    expect(new Set(given.map((each) => `${each.query}${JSON.stringify(each.target)}`)).size).toBe(10);
    expect(given.every((each) => each.judge === "Cy")).toBe(true);
    press("k");
    expect(screen.getByRole("button", { name: /^2: /, pressed: true })).toBeInTheDocument();
    press("Backspace");
    await waitFor(() => expect(screen.getByText("9 of 24 judged")).toBeInTheDocument());
    expect(sent("gold.judge").at(-1)).toMatchObject({ grade: null });
    expect(screen.queryByText(/Rank \d/)).not.toBeInTheDocument();
  });

  it("folds away what each passage is found by, and folds it again for the next", async () => {
    const handlers = fresh();
    const found_by = ["net zero by when", "decarbonisation timetable"];
    open(
      { view: "judge" },
      {
        ...handlers,
        "gold.pool": async (input, call) => {
          const pool = (await handlers["gold.pool"]?.(input, call)) as Pool;
          return { ...pool, items: pool.items.map((item) => ({ ...item, found_by })) };
        },
      },
    );
    const passage = await screen.findByRole("region", { name: "Passage" });
    const folded = () => within(passage).getByRole("button", { name: "Found by 2 phrasings" });
    expect(within(passage).queryByText("net zero by when")).not.toBeInTheDocument();
    await userEvent.click(folded());
    expect(within(passage).getByRole("link", { name: "net zero by when" })).toBeVisible();
    press("j");
    await waitFor(() => expect(folded()).toHaveAttribute("aria-expanded", "false"));
  });

  it("shows how far two judges agree", async () => {
    const between = { set: "S2 review", judges: ["Ada", "Ben"] as [string, string] };
    // Recorded, both measures are the same.
    open(
      { view: "judge" },
      { "gold.agreement": () => ({ ...recorded("gold.agreement", between), kappa: 0.72 }) },
    );
    expect(await screen.findAllByText("0.72")).toHaveLength(1);
    expect(screen.getAllByText("0.80")).toHaveLength(1);
    expect(sent("gold.agreement")).toEqual([between]);
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
    open({ view: "candidates" }, { "answer.generators": () => [chat] });
    const button = await screen.findByRole("button", { name: "Ask qwen3:8b" });
    expect(button).toHaveAttribute("data-tip", expect.stringContaining("Sends the passage to the provider"));
    expect(sent("gold.suggest")).toEqual([]);
    await userEvent.click(button);
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "Question" })).toHaveValue(
        "Which numbers does the plan stand on?",
      ),
    );
    expect(sent("gold.suggest")).toHaveLength(1);
    expect(screen.getByText(/^Written by qwen3:8b/)).toBeInTheDocument();
    expect(sent("gold.decide")).toEqual([]);
  });

  it("is offered only where one can be used", async () => {
    open({ view: "candidates" }, { "answer.generators": () => [{ ...chat, unavailable: "no key" }] });
    await screen.findByRole("textbox", { name: "Question" });
    expect(screen.queryByRole("button", { name: /^Ask / })).toBeNull();
  });
});

describe("proposed questions", () => {
  it("are accepted in changed words, or discarded, and the next one follows", async () => {
    const { candidates } = recorded("gold.candidates", {
      set: "S2 review",
      corpus: "ifrs-s2",
      source: "term",
      limit: 6,
    });
    open({ view: "candidates" });
    const field = await screen.findByRole("textbox", { name: "Question" });
    expect(field).toHaveValue(candidates[0]?.query);
    fireEvent.change(field, { target: { value: "" } });
    await write(field, "How will they get there?{Enter}");
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "Question" })).toHaveValue(candidates[1]?.query),
    );
    expect(sent("gold.decide")).toMatchObject([
      { candidate: candidates[0]?.id, accept: { query: "How will they get there?" } },
    ]);
    press("Delete");
    await waitFor(() =>
      expect(screen.getByText("4 questions to review · 1 accepted · 1 discarded")).toBeInTheDocument(),
    );
    expect(sent("gold.decide").at(-1)).toMatchObject({ candidate: candidates[1]?.id, accept: null });
  });
});
