// What keys do with an answer: with what its question was understood to set, its figure, its source and its copy.

import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { askHandlers } from "@/api/fake/ask";
import { handlers as library } from "@/api/fake/library";
import { handlers as shell } from "@/api/fake/shell";
import { idOf } from "@/api/recording";
import { href, parseRoute } from "@/state/router";
import { connect } from "@/test/page";
import { show } from "@/test/render";
import AskPage from "./index";
import { page } from "./page";
import { article, ask, asked, PLAN, SCOPE, VALUE } from "./testing";

const write = vi.fn().mockResolvedValue(undefined);

beforeEach(() => write.mockClear());

async function answered(question: string): Promise<HTMLElement> {
  connect({ ...shell, ...library, ...askHandlers() });
  window.location.hash = href("ask");
  show(<AskPage />);
  await ask(question);
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: write } });
  return article("answered");
}

const ignored = () => asked().map(({ ignore }) => ignore.map(({ value }) => value));
const copy = () => fireEvent.keyDown(document.body, { key: "C", ctrlKey: true, shiftKey: true });
const focused = () => document.activeElement?.getAttribute("aria-label");

describe("what a question sets", () => {
  const COMPANY = "Company: Northwind Energy plc, change";
  const YEAR = "Year: 2024, change";
  const PART = "Scope 2, change";
  const FIGURE = "Asks for: a figure, change";
  const ADD = "Add to the question";

  it("is one stop behind the question, with arrows and ends within it", async () => {
    const answer = await answered(SCOPE);
    act(() => within(answer).getByRole("heading", { name: SCOPE }).focus());
    await userEvent.tab();
    expect(focused()).toBe(COMPANY);
    const told: [string, string][] = [
      ["{ArrowRight}", YEAR],
      ["{ArrowRight}", PART],
      ["{ArrowRight}", FIGURE],
      ["{ArrowRight}", ADD],
      ["{ArrowRight}", ADD],
      ["{ArrowLeft}", FIGURE],
      ["{End}", ADD],
      ["{Home}", COMPANY],
      ["{ArrowLeft}", COMPANY],
      ["{ArrowRight}", YEAR],
    ];
    for (const [key, name] of told) {
      await userEvent.keyboard(key);
      expect(focused()).toBe(name);
    }
    await userEvent.tab();
    expect(screen.getByRole("list", { name: "Understood as" })).not.toContainElement(
      document.activeElement as HTMLElement,
    );
    await userEvent.tab({ shift: true });
    expect(focused()).toBe(YEAR);
  });

  it.each(["{Delete}", "{Backspace}"])(
    "is asked without by %s, put back by Enter, and keeps the focus in its place",
    async (key) => {
      const answer = await answered(SCOPE);
      act(() => within(answer).getByRole("button", { name: YEAR }).focus());
      await userEvent.keyboard(key);
      await waitFor(() => expect(focused()).toBe(PART));
      await article("answered");
      expect(ignored()).toEqual([[], ["2024"]]);
      await userEvent.keyboard(`{End}{ArrowLeft}${key}`);
      expect(focused()).toBe("Year: 2024, left out, put back");
      await userEvent.keyboard("{Enter}");
      await waitFor(() => expect(focused()).toBe(FIGURE));
      await article("answered");
      expect(ignored()).toEqual([[], ["2024"], []]);
    },
  );

  it("leaves the focus on what was left out where nothing else is set", async () => {
    const answer = await answered("What must Northwind’s transition plan disclose?");
    act(() => within(answer).getByRole("button", { name: COMPANY }).focus());
    await userEvent.keyboard("{Delete}");
    await waitFor(() => expect(focused()).toBe("Company: Northwind Energy plc, left out, put back"));
  });
});

describe("an answer in figures", () => {
  it("opens among all figures with Alt+1, and its source with Alt+2", async () => {
    await answered(VALUE);
    fireEvent.keyDown(document.body, { key: "1", code: "Digit1", altKey: true });
    expect(window.location.hash).toBe(
      "#/figures?q=Scope+1%2C+total&reports=northwind-energy-climate-report-2024",
    );
    fireEvent.keyDown(document.body, { key: "2", code: "Digit2", altKey: true });
    const { page: place, query } = parseRoute(window.location.hash);
    expect([place, query.get("document")]).toEqual(["chunk-lab", String(idOf("northwind"))]);
  });

  it("is copied with Ctrl+Shift+C as its button copies it", async () => {
    const answer = await answered(VALUE);
    within(answer).getByRole("button", { name: "Copy" }).click();
    copy();
    const [[button], [key]] = write.mock.calls as [[string], [string]];
    expect(button).toMatch(/^2,905,000 t CO2e; Scope 1, total; 2023; Northwind Energy plc/);
    expect(key).toBe(button);
  });
});

it("is copied with its citations where it is in sentences", async () => {
  await answered(PLAN);
  copy();
  expect(write.mock.calls.at(-1)?.[0]).toContain("availability of technology. [Citation 2]");
});

it("stands among the shortcuts that are listed", () => {
  const listed = page.shortcuts?.map(({ keys, label }) => `${keys}: ${label}`);
  expect(listed).toEqual(
    expect.arrayContaining([
      "arrowleft arrowright: Previous or next condition of the question",
      "enter: Change the condition",
      "delete: Ask again without the condition",
      "+: Add a condition",
      "alt+1: Show the figure in Figures",
      "alt+2: Open the first source",
      "mod+shift+c: Copy the figure, or the answer with citations",
    ]),
  );
});
