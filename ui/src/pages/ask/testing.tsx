// What the tests of Ask share.

import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect } from "vitest";
import { askHandlers } from "@/api/fake/ask";
import { handlers as gold } from "@/api/fake/evaluate";
import { handlers as library } from "@/api/fake/library";
import { handlers as shell } from "@/api/fake/shell";
import type { FakeHandlers } from "@/api/transport/fake";
import type { AskRequest } from "@/api/types";
import { href, parseRoute } from "@/state/router";
import { setSelected } from "@/state/selection";
import { connect, sent, withKeys } from "@/test/page";
import { show } from "@/test/render";
import { forgetAsking } from "./asking";
import AskPage from "./index";
import { page } from "./page";

export const PLAN = "What must a transition plan disclose about its dependencies?";

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
