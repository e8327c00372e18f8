// What tests of pages share: the engine behind a page, what it was asked, and the window around it.

import { useQueryClient } from "@tanstack/react-query";
import { act } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useEffect } from "react";
import { afterEach, beforeEach } from "vitest";
import { chooseTransport } from "@/api/client";
import { followEvents } from "@/api/queries";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { HeaderContext } from "@/parts/PageHeader";
import type { Page } from "@/state/page";
import { show } from "./render";

/** The engine of the test at hand. */
export let fake: FakeTransport;

/** Has the page ask these handlers from now on. */
export function connect(handlers: FakeHandlers): void {
  fake = fakeTransport(handlers);
  chooseTransport(fake);
}

/** What a command was given, call by call. */
export const sent = <T = unknown>(command: string): T[] =>
  fake.calls.filter((each) => each.command === command).map((each) => each.input as T);

/** Draws a page that puts its actions into the top bar, and what it is about where `context` is a place for it. */
export function showPage(children: ReactNode, context: HTMLElement | null = null) {
  const actions = document.body.appendChild(document.createElement("div"));
  return show(<HeaderContext value={{ context, actions }}>{children}</HeaderContext>);
}

/** Stands beside a page in the window: it hears the events of the engine. */
export function Events() {
  const queries = useQueryClient();
  useEffect(() => followEvents(queries), [queries]);
  return null;
}

/** Lets the keys of a page work in all tests of a file. */
export function withKeys(page: Page): void {
  const keys = (event: KeyboardEvent) => void handleKey(event);
  beforeEach(() => {
    defineShortcuts(page.shortcuts ?? []);
    window.addEventListener("keydown", keys);
  });
  afterEach(() => window.removeEventListener("keydown", keys));
}

// In jsdom every edge lies at 0, 0: a click on a field would grab the handle between two panes.
/** Types into a field. */
export async function write(field: HTMLElement, words: string): Promise<void> {
  act(() => field.focus());
  await userEvent.keyboard(words);
}
