// Settings of a library that is damaged, also where it does not open, and what its backups take up.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { handlers as base } from "@/api/fake";
import { settingsHandlers } from "@/api/fake/settings";
import type { FakeHandlers } from "@/api/transport/fake";
import type { Backup, Condition } from "@/api/types";
import { href } from "@/state/router";
import { connect, sent } from "@/test/page";
import { show } from "@/test/render";
import SettingsPage from "./index";

/** What a library answers that does not open. */
const WITHOUT = ["library.condition", "backup.list", "library.rescue", "backup.restore"];

const backup: Backup = { name: "a.sibyl", made_at: "2026-01-02T08:00:00Z", bytes: 220_000_000 };

function unopened(): FakeHandlers {
  let condition: Condition = {
    state: "damaged",
    message: "the library file is damaged: file is not a database",
    place: null,
    backups: [backup],
    no_backup: "the library does not open",
  };
  const own = settingsHandlers();
  const all = { ...base, ...own };
  const damaged = () => {
    throw { code: "damaged", message: condition.message };
  };
  const replaces =
    (command: string): FakeHandlers[string] =>
    (input, call) => {
      condition = { ...condition, state: "replaced", message: null };
      return own[command]?.(input, call);
    };
  return {
    ...Object.fromEntries(
      Object.keys(all).map((name) => [name, WITHOUT.includes(name) ? all[name] : damaged]),
    ),
    "library.condition": () => condition,
    "library.rescue": replaces("library.rescue"),
    "backup.restore": replaces("backup.restore"),
  } as FakeHandlers;
}

function open(handlers: FakeHandlers) {
  connect(handlers);
  show(<SettingsPage />);
}

const row = async (name: string) => within(await screen.findByRole("group", { name }));

beforeEach(() => {
  window.location.hash = href("settings", ["data", "rescue"]);
});

describe("a library that does not open", () => {
  it("is rescued, and nothing is offered that would fail", async () => {
    open(unopened());
    const rescue = await row("Rescue");
    for (const name of ["Retry", "Back up now", "Compact", "Rebuild"])
      expect(screen.queryByRole("button", { name })).toBeNull();
    const sections = within(screen.getByRole("navigation", { name: "Sections" }));
    expect(sections.getAllByRole("link").map((link) => link.textContent)).toEqual([
      "Data folder",
      "Appearance",
      "Keyboard",
    ]);
    expect(sections.getByRole("link", { name: "Data folder" })).toHaveAttribute("aria-current", "true");
    await userEvent.click(rescue.getByRole("button", { name: "Rescue what can be read" }));
    await rescue.findByText("38,143 rows saved, 12 lost");
  });

  it("goes back to a backup that is listed", async () => {
    open(unopened());
    const backups = await row("Backups");
    backups.getByText("1 backup, 220 MB");
    await userEvent.click(backups.getByRole("button", { name: "Restore" }));
    await userEvent.click(await screen.findByTestId("confirm"));
    await waitFor(() => expect(sent("backup.restore")).toEqual([{ name: "a.sibyl" }]));
    await backups.findByText(/^The backup of .* is used from the next start\.$/);
  });
});

describe("disk use", () => {
  it("is measured again when a backup was made", async () => {
    let parts = [{ name: "text", bytes: 32_000_000 }];
    const own = settingsHandlers();
    open({
      ...base,
      ...own,
      "library.storage": () => ({ folder: "~/sibyl", parts }),
      "backup.make": (input, call) => {
        parts = [...parts, { name: "backups", bytes: 221_000_000 }];
        return own["backup.make"]?.(input, call);
      },
    });
    await screen.findByRole("img", { name: /Text of documents and chunks 32/ });
    await userEvent.click(await screen.findByRole("button", { name: "Back up now" }));
    await screen.findByRole("img", { name: /Backups 221/ });
  });
});
