import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { defineAll } from "@/app/shortcuts";
import { keysOf } from "@/kit/shortcuts";
import { preferences, setPreferences, usePreferences } from "@/state/preferences";
import { sent } from "@/test/page";
import { show } from "@/test/render";
import SettingsPage from "./index";
import { page } from "./page";
import { connectSettings, open, row, write } from "./testing";

describe("language", () => {
  it("is English; source labels follow the workspace, numbers and dates the reader", async () => {
    open();
    expect(await screen.findByText("The interface is available in English.")).toBeInTheDocument();
    const labels = await row("Source labels");
    await userEvent.click(await labels.findByRole("radio", { name: "Swedish" }));
    expect(sent("workspace.language")).toEqual([{ name: "default", language: "sv" }]);
    await waitFor(() => expect(labels.getByRole("radio", { name: "Swedish" })).toBeChecked());
    const format = await row("Numbers and dates");
    expect(format.getByText(/^For example 38,114 · \$0\.14/)).toBeInTheDocument();
    setPreferences({ format: "de-DE" });
    await format.findByText(/^For example 38\.114 · 0,14\s\$/);
    setPreferences({ format: "no locale" });
    await format.findByText(/^For example 38,114/);
  });

  it("keeps the focus and the place where another format redraws the window", async () => {
    connectSettings();
    // As the window does it.
    const Window = () => <SettingsPage key={usePreferences().format} />;
    show(<Window />);
    const field = (await row("Numbers and dates")).getByRole("combobox");
    await userEvent.click(field);
    await userEvent.click(await screen.findByRole("option", { name: "German (Germany)" }));
    await waitFor(() => expect(field).not.toBeInTheDocument());
    expect((await row("Numbers and dates")).getByRole("combobox")).toHaveFocus();
    expect(window.location.hash).toBe("#/settings/language/format");
  });
});

describe("appearance and keys", () => {
  it("turn theme, density and text size", async () => {
    open();
    await userEvent.click(await screen.findByRole("radio", { name: "Dark" }));
    await userEvent.click(screen.getByRole("radio", { name: "Compact" }));
    await write(screen.getByRole("textbox", { name: "Text size" }), "110");
    expect(preferences()).toMatchObject({ theme: "dark", density: "compact", textSize: 110 });
    expect(document.documentElement.dataset.density).toBe("compact");
  });

  it("give a letter another key and take it back", async () => {
    defineAll([
      { ...page, shortcuts: [{ id: "x.next", keys: "n", label: "Next imagined item", group: "Standards" }] },
    ]);
    open();
    const cap = await screen.findByRole("button", { name: /Next imagined item/ });
    act(() => cap.focus());
    await userEvent.keyboard("m");
    expect(keysOf("x.next")).toBe("m");
    await userEvent.click(screen.getByRole("button", { name: "Reset all" }));
    expect(keysOf("x.next")).toBe("n");
  });
});
