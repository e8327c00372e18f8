// What the tests of Standards share.

import { configure, waitFor } from "@testing-library/react";
import userEvent, { PointerEventsCheckLevel } from "@testing-library/user-event";
import { afterEach, beforeEach } from "vitest";
import { handlers } from "@/api/fake";
import { standardsHandlers } from "@/api/fake/standards";
import { recorded } from "@/api/recording";
import type { FakeHandlers } from "@/api/transport/fake";
import { Toasts } from "@/app/Toasts";
import { href, parseRoute } from "@/state/router";
import { connect, showPage, withKeys } from "@/test/page";
import { clearToasts } from "@/test/toasts";
import StandardsPage from "./index";
import { page } from "./page";

export let user: ReturnType<typeof userEvent.setup>;

export function open(id: string, query: Record<string, string> = {}, changed: FakeHandlers = {}) {
  connect({ ...handlers, ...standardsHandlers(), ...changed });
  window.location.hash = href("standards", id === "" ? [] : [id], query);
  return showPage(
    <>
      <StandardsPage />
      <Toasts />
    </>,
  );
}
/** A page of the standards as it was recorded. */
export const pageOf = (id: string) => recorded("standards.page", { id });
export const place = () => parseRoute(window.location.hash);
// Asking for roles costs jsdom a walk through thousands of elements each time; what is waited for is asked for plainly.
export const waitForElement = (selector: string, text = "") =>
  waitFor(() => {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].find((each) =>
      text === "" ? true : each.textContent === text,
    );
    if (!found) throw new Error(`no ${selector} ${text}`);
    return found;
  });
export const heading = (label: string) => waitForElement("h2", label);
export const passages = () => waitForElement("ul[aria-label='Evidence in reports']");
export const rows = () => [...document.querySelectorAll<HTMLElement>("[role=treeitem]")];
export const words = (row: HTMLElement) =>
  [
    row.textContent,
    ...[...row.querySelectorAll("[role=img]")].map(
      (shape) => shape.ariaLabel ?? shape.getAttribute("aria-label"),
    ),
  ].join(" ");
export const treeItem = (name: RegExp) =>
  waitFor(() => {
    const row = rows().find((each) => name.test(words(each)));
    if (!row) throw new Error(`no row of the tree is like ${name}`);
    return row;
  });

// Whether something is hidden costs jsdom a walk to the root for each of a thousand elements; nothing here is.
configure({ defaultHidden: true });
withKeys(page);
beforeEach(() => {
  user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never });
});
afterEach(() => {
  sessionStorage.clear();
  clearToasts();
  document.body.replaceChildren();
});
