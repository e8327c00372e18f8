// What the tests of Settings share.

import { act, configure, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach } from "vitest";
import { handlers as base } from "@/api/fake";
import { type Machine, models, settingsHandlers } from "@/api/fake/settings";
import type { FakeHandlers } from "@/api/transport/fake";
import { DEFAULTS, setPreferences } from "@/state/preferences";
import { connect } from "@/test/page";
import { show } from "@/test/render";
import SettingsPage from "./index";

export function connectSettings(changed: FakeHandlers = {}, machine: Machine = {}) {
  connect({
    ...base,
    ...settingsHandlers(machine),
    "model.list": () => [...models],
    ...changed,
  });
}

export function open(changed: FakeHandlers = {}, machine: Machine = {}) {
  connectSettings(changed, machine);
  return show(<SettingsPage />);
}

export const row = async (name: string) => within(await screen.findByRole("group", { name }));
// In jsdom every edge lies at 0, 0: a click on a field would grab the handle between two panes.
/** Types into a field instead of what it holds. */
export const write = async (field: HTMLElement, keys: string) => {
  act(() => {
    field.focus();
    (field as HTMLInputElement).select();
  });
  await userEvent.keyboard(keys);
};

// Nothing here is hidden, and to find that out for a page this long takes longer than the tests.
configure({ defaultHidden: true });
beforeEach(() => {
  setPreferences(DEFAULTS);
  window.location.hash = "";
});
