// What a question sets, as chips: changed, added, taken over from the question before, and folded behind two rows.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { askHandlers } from "@/api/fake/ask";
import { handlers as library } from "@/api/fake/library";
import { handlers as shell } from "@/api/fake/shell";
import type { FakeHandlers } from "@/api/transport/fake";
import type { Answer, AskRequest, Constraint } from "@/api/types";
import { href } from "@/state/router";
import { connect } from "@/test/page";
import { show } from "@/test/render";
import { type Chips, inWords, plain, without, withWords } from "./chips";
import AskPage from "./index";
import { fitting } from "./rows";
import { begun } from "./shown";
import { ask as askOnly, asked as requests, SCOPE } from "./testing";

const COMPANY = "Company: Northwind Energy plc";
const YEAR: Constraint = { kind: "period", value: "2024" };

const write = vi.fn().mockResolvedValue(undefined);
beforeEach(() => write.mockClear());
afterEach(() => vi.restoreAllMocks());

const settled = async () => {
  const found = await screen.findByTestId("ask-article");
  await waitFor(() => expect(found).not.toHaveAttribute("data-standing", "pending"));
  return found;
};
const ask = async (words: string) => {
  await askOnly(words);
  return settled();
};
async function answered(question: string, changed: FakeHandlers = {}): Promise<void> {
  connect({ ...shell, ...library, ...askHandlers(), ...changed });
  window.location.hash = href("ask");
  show(<AskPage />);
  await ask(question);
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: write } });
}
const asked = () =>
  requests().map(({ question, ignore, also }) => ({
    question,
    ignore: ignore.map(({ value }) => value),
    also,
  }));
const chips = () => within(screen.getByRole("list", { name: "Understood as" }));
const chip = (name: string) => chips().getByRole("button", { name });
const field = (label: string) => chips().getByRole("textbox", { name: label });
const focused = () => document.activeElement?.getAttribute("aria-label");
const focus = (name: string) => act(() => chip(name).focus());
const heading = () => within(screen.getByTestId("ask-article")).getByRole("heading", { level: 2 });

describe("adding to a question", () => {
  it("asks again with the words, keeps the earlier answer, and shows the question as it reads with them", async () => {
    await answered(SCOPE);
    act(() => chip("Add to the question").click());
    expect(field("Add to the question")).toHaveFocus();
    expect(field("Add to the question")).toHaveAttribute("placeholder", "year, company, scope, …");
    await userEvent.keyboard(" market-based {Enter}");
    await settled();
    expect(asked()).toEqual([
      { question: SCOPE, ignore: [], also: [] },
      { question: SCOPE, ignore: [], also: ["market-based"] },
    ]);
    const full = "What were Northwind’s scope 2 emissions in 2024 market-based?";
    expect(heading()).toHaveTextContent(full);
    const log = within(screen.getByRole("group", { name: "Log" }));
    await waitFor(() => expect(log.getByText(full)).toBeVisible());
    expect(log.getAllByText(SCOPE).length).toBeGreaterThan(0);
    await userEvent.click(screen.getByRole("button", { name: "Copy with citations" }));
    expect(write.mock.calls.at(-1)?.[0]).toContain(full);
  });

  it.each(["{Escape}", "{Enter}", "   {Enter}"])(
    "asks nothing after %j and gives the focus back",
    async (key) => {
      await answered(SCOPE);
      focus("Year: 2024, change");
      await userEvent.keyboard("+");
      await userEvent.keyboard(key);
      expect(chips().queryByRole("textbox")).toBeNull();
      expect(focused()).toBe("Add to the question");
      expect(asked()).toHaveLength(1);
    },
  );

  it("takes what was added out again by no longer adding it", async () => {
    await answered("What were Northwind’s scope 2 emissions?");
    focus(`${COMPANY}, change`);
    await userEvent.keyboard("+2023{Enter}");
    await settled();
    focus("Year: 2023, change");
    await userEvent.keyboard("{Delete}");
    await settled();
    expect(asked().at(-1)).toEqual({ question: asked()[0]?.question, ignore: [], also: [] });
  });
});

describe("changing what a question sets", () => {
  it.each([
    [
      "Enter",
      (name: string) => {
        focus(name);
        return userEvent.keyboard("{Enter}");
      },
    ],
    ["a press on its words", async (name: string) => act(() => chip(name).click())],
  ])("opens its words with %s and asks with others in their place", async (_, open) => {
    await answered(SCOPE);
    await open("Year: 2024, change");
    expect(field("Change “Year: 2024”")).toHaveValue("2024");
    await userEvent.keyboard("2023{Enter}");
    await waitFor(() => expect(focused()).toBe("Year: 2023, change"));
    await settled();
    expect(asked().at(-1)).toEqual({ question: SCOPE, ignore: ["2024"], also: ["2023"] });
    expect(heading()).toHaveTextContent("What were Northwind’s scope 2 emissions in 2023?");
    expect(chip("Year: 2024, left out, put back")).toBeVisible();
    await open("Year: 2023, change");
    await userEvent.keyboard("2024{Enter}");
    await settled();
    expect(asked().at(-1)).toEqual({ question: SCOPE, ignore: [], also: [] });
  });

  it.each(["{Enter}", "{Escape}", "{Delete}{Enter}"])(
    "asks nothing after %j and gives the focus back",
    async (key) => {
      await answered(SCOPE);
      focus("Scope 2, change");
      await userEvent.keyboard("{Enter}");
      expect(field("Change “Scope 2”")).toHaveValue("Scope 2");
      await userEvent.keyboard(key);
      expect(focused()).toBe("Scope 2, change");
      expect(asked()).toHaveLength(1);
    },
  );

  it("leaves keys of the field to it", async () => {
    await answered(SCOPE);
    focus("Year: 2024, change");
    await userEvent.keyboard("{Enter}{End}+{ArrowLeft}{Backspace}");
    expect(field("Change “Year: 2024”")).toHaveValue("202+");
    expect(asked()).toHaveLength(1);
  });
});

describe("what is taken over from the question before", () => {
  it("is dashed and says so, and what the question says itself is not", async () => {
    await answered(SCOPE);
    await ask("And what were they in 2023?");
    for (const [name, dashed] of [
      [`${COMPANY}, from the previous question, change`, true],
      ["Scope 2, from the previous question, change", true],
      ["Year: 2023, change", false],
    ] as const)
      expect(chip(name).closest("li")?.className.includes("inherited")).toBe(dashed);
    expect(screen.getByText("dashed: from the previous question")).toBeVisible();
    focus("Year: 2023, change");
    await userEvent.keyboard("{Delete}");
    await settled();
    const left = chip("Year: 2023, left out, put back");
    expect(left.querySelector("s")).toHaveTextContent("Year: 2023");
    expect(left.closest("li")?.className).not.toContain("inherited");
  });

  it("is nothing in answers of earlier versions", async () => {
    const own = askHandlers();
    await answered(SCOPE, {
      ...own,
      "answer.ask": async (input, call) => {
        const answer = (await own["answer.ask"]?.(input, call)) as Answer;
        return { ...answer, id: null, inherited: undefined };
      },
    });
    expect(chip(`${COMPANY}, change`)).toBeVisible();
    expect(screen.queryByText(/^dashed/)).toBeNull();
  });
});

describe("chips of more than two rows", () => {
  const wide = () =>
    vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue({ width: 500 } as DOMRect);

  it("are folded behind a button that shows the rest", async () => {
    wide();
    await answered(SCOPE);
    const folded = () =>
      [...document.querySelectorAll("[data-constraint]")].map((each) => each.className.includes("folded"));
    expect(folded()).toEqual([false, false, true, true]);
    expect(chip("+2, show the rest")).toHaveTextContent("+2");
    focus(`${COMPANY}, change`);
    await userEvent.keyboard("{End}");
    expect(focused()).toBe("Add to the question");
    await userEvent.keyboard("{ArrowLeft}");
    expect(focused()).toBe("+2, show the rest");
    await userEvent.keyboard("{Enter}");
    expect(folded()).toEqual([false, false, false, false]);
    expect(focused()).toBe("Scope 2, change");
  });

  it("keep the focus in its place where fewer stood while the question was understood", async () => {
    wide();
    await answered(SCOPE);
    focus("Year: 2024, change");
    await userEvent.keyboard("{Delete}");
    await waitFor(() => expect(focused()).toBe("Scope 2, change"));
    await settled();
    expect(chip("+2, show the rest")).toBeVisible();
  });

  it.each([
    [[100, 100, 100], 800, 3],
    [[200, 200, 200, 150], 400, 2],
    [[200, 200, 200, 180], 406, 3],
    [[200, 200, 200, 150], 406, 4],
    [[190, 190, 190, 190, 190], 400, 3],
    [[390, 390, 390], 400, 1],
    [[500, 500, 500], 400, 1],
    [[], 400, 0],
  ])("of widths %j in %d pixels are %d", (widths, available, seen) => {
    expect(fitting(widths, available)).toBe(seen);
  });
});

describe("words of chips", () => {
  it.each<[Constraint, string, string]>([
    [{ kind: "issuer", value: "Northwind" }, "Company: Northwind", "Northwind"],
    [YEAR, "Year: 2024", "2024"],
    [{ kind: "scope", value: "3" }, "Scope 3", "Scope 3"],
    [{ kind: "operation", value: "change" }, "Asks for: a change", "a change"],
    [{ kind: "basis", value: "market" }, "Market-based", "Market-based"],
  ])("%j are %j, and %j where they are typed", (each, words, typed) => {
    expect([inWords(each), plain(each)]).toEqual([words, typed]);
  });

  const none: Chips = { ignore: [], also: [] };
  it("are no longer added where they are what was added, whatever their case", () => {
    const also = ["scope 3", "2022"];
    expect(without({ ...none, also }, { kind: "scope", value: "3" })).toEqual({ ignore: [], also: ["2022"] });
    expect(without({ ...none, also }, YEAR)).toEqual({ ignore: [YEAR], also });
  });

  it("that were left out are put back, and said where the question does not", () => {
    const left = { ...none, ignore: [YEAR] };
    expect(withWords(left, "2024", SCOPE)).toEqual(none);
    expect(withWords(left, "2024", "What were they?")).toEqual({ ignore: [], also: ["2024"] });
    expect(withWords(left, "2022", SCOPE)).toEqual({ ignore: [YEAR], also: ["2022"] });
  });

  it("stand in the question while it is answered", () => {
    const told = (question: string, also?: string[]) =>
      begun({ question, also, selection: null } as unknown as AskRequest).question;
    expect(told(" Why? ", ["2022", "Northwind"])).toBe("Why 2022 Northwind?");
    expect(told("Why", ["2022"])).toBe("Why 2022");
    expect(told("Why?")).toBe("Why?");
  });
});
