// What the tests of Ask share.

import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect } from "vitest";
import { askHandlers } from "@/api/fake/ask";
import { handlers as gold } from "@/api/fake/evaluate";
import { handlers as library } from "@/api/fake/library";
import { handlers as shell } from "@/api/fake/shell";
import { everyRecorded, recorded } from "@/api/recording";
import type { FakeHandlers } from "@/api/transport/fake";
import type { Answer, AskRequest } from "@/api/types";
import { href, parseRoute } from "@/state/router";
import { setSelected } from "@/state/selection";
import { connect, sent, withKeys } from "@/test/page";
import { show } from "@/test/render";
import { forgetAsking } from "./asking";
import AskPage from "./index";
import { page } from "./page";

/** Two sentences of a page quoted; a chat model writes five of it, one altered and one made up. */
export const RESTS = "Which assumptions does Northwind’s transition plan rest on?";
/** Three sentences of the standard are quoted. */
export const PLAN = "What must a transition plan disclose about its dependencies?";
/** Seven stretches of four passages are quoted. */
export const GASES = "Which greenhouse gas emissions must be disclosed?";
/** A cell of a table. */
export const VALUE = "What were Northwind’s Scope 1 emissions in 2023?";
/** Two cells, and what follows from them. */
export const CHANGE = "How did Northwind’s Scope 1 emissions change from 2023 to 2024?";
/** A number in a sentence. */
export const HOMES = "How many homes does Northwind sell electricity and gas to?";
/** A cell whose figure stands in another place, too. */
export const TOGETHER = "What were Northwind’s Scopes 1 and 2 emissions in 2024?";
/** No figure of the year. */
export const MISSING = "What were Northwind’s Scope 1 emissions in 2021?";
/** A company, a year, a scope and a figure are understood. */
export const SCOPE = "What were Northwind’s scope 2 emissions in 2024?";
/** A figure of each of two companies. */
export const BOTH = "What were the Scope 1 emissions of Northwind and Halden in 2024?";
/** Nothing answers it. */
export const PRICE = "What was Northwind’s internal carbon price in 2021?";

/** What the engine answered. */
export const answerTo = (question: string, more: Partial<AskRequest> = {}): Answer =>
  recorded("answer.ask", { question, ...more });
/** The id in the log of the answer to `question`, as an address has it. */
export function keptAs(question: string): string {
  const kept = everyRecorded("answer.log.get").find(({ output }) => output.answer.question === question);
  if (!kept) throw new Error(`the recorded log has no answer to: ${question}`);
  return String(kept.output.entry.id);
}

export function open(
  query: Record<string, string> = {},
  changed: (own: FakeHandlers) => FakeHandlers = () => ({}),
) {
  const own = askHandlers();
  connect({ ...shell, ...library, ...gold, ...own, ...changed(own) });
  window.location.hash = href("ask", [], query);
  return show(<AskPage />);
}
export const asked = () => sent<AskRequest>("answer.ask");
export const question = () => screen.getByRole("textbox", { name: "Question" });
// In jsdom every edge lies at 0, 0: a click on a field would grab the handle between two panes.
export const ask = async (words: string, field = question()) => {
  act(() => field.focus());
  fireEvent.change(field, { target: { value: words } });
  await userEvent.keyboard("{Enter}");
};
export const article = async (standing: string) => {
  const found = await screen.findByTestId("ask-article");
  await waitFor(() => expect(found).toHaveAttribute("data-standing", standing));
  return found;
};
export const answerPane = () => document.querySelector("[data-pane=answer]") as HTMLElement;
export const place = () => parseRoute(window.location.hash);

withKeys(page);
afterEach(() => {
  forgetAsking();
  setSelected({});
  sessionStorage.clear();
});
