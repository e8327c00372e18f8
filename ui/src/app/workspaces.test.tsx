import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { chooseTransport, currentWorkspace, enterWorkspace } from "@/api/client";
import { settingsHandlers } from "@/api/fake/settings";
import { type FakeTransport, fakeTransport } from "@/api/transport/fake";
import { useLostWorkspace } from "@/state/workspace";
import { show } from "@/test/render";
import { showWorkspaces, WorkspaceMenu, Workspaces } from "./workspaces";

let fake: FakeTransport;

beforeEach(() => {
  fake = fakeTransport(settingsHandlers());
  chooseTransport(fake);
  enterWorkspace("default");
});

const sent = (command: string) =>
  fake.calls.filter((each) => each.command === command).map((each) => each.input);

async function open() {
  show(
    <>
      <WorkspaceMenu>
        <button type="button">Choose</button>
      </WorkspaceMenu>
      <Workspaces />
    </>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Choose" }));
}

describe("workspaces", () => {
  it("are switched from the menu", async () => {
    await open();
    await userEvent.click(await screen.findByRole("menuitemradio", { name: "FY2025 assurance" }));
    expect(currentWorkspace()).toBe("FY2025 assurance");
    expect(localStorage.getItem("sibyl.workspace")).toBe("FY2025 assurance");
  });

  it("are made and entered; a name is taken once", async () => {
    await open();
    await userEvent.click(await screen.findByRole("menuitem", { name: "New workspace…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Workspaces" }));
    expect(
      await dialog.findByRole("button", { name: "The default workspace can’t be deleted" }),
    ).toBeDisabled();
    const name = dialog.getByRole("textbox", { name: "Name" });
    await userEvent.type(name, "default");
    expect(dialog.getByRole("alert")).toHaveTextContent("A workspace with this name already exists");
    await userEvent.clear(name);
    await userEvent.type(name, "Bank review{Enter}");
    await waitFor(() => expect(currentWorkspace()).toBe("Bank review"));
    expect(sent("workspace.create")).toEqual([{ name: "Bank review", language: "en" }]);
  });

  it("go after a question, and the present one is left first", async () => {
    enterWorkspace("FY2025 assurance");
    show(<Workspaces />);
    showWorkspaces();
    await userEvent.click(await screen.findByRole("button", { name: "Delete FY2025 assurance" }));
    const question = await screen.findByRole("alertdialog", { name: /Delete workspace “FY2025 assurance”/ });
    expect(question).toHaveTextContent("licensed copies and reviews are permanently deleted");
    await userEvent.click(within(question).getByRole("button", { name: "Delete workspace" }));
    await waitFor(() => expect(currentWorkspace()).toBe("default"));
    expect(sent("workspace.delete")).toEqual([{ name: "FY2025 assurance" }]);
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
  });

  it("that are gone are left for the default one", async () => {
    enterWorkspace("elsewhere");
    const lost = vi.fn();
    function Watch() {
      useLostWorkspace(lost);
      return null;
    }
    show(<Watch />);
    await waitFor(() => expect(lost).toHaveBeenCalledWith("elsewhere"));
    expect(currentWorkspace()).toBe("default");
  });
});
