import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { settingsHandlers } from "@/api/fake/settings";
import type { FakeHandlers } from "@/api/transport/fake";
import type { AppInfo } from "@/api/types";
import { sent } from "@/test/page";
import { lockedNow } from "../../../licences.mjs";
import licences from "./licences.json";
import { newestFirst } from "./log";
import { open, row, write } from "./testing";

describe("the library", () => {
  it("is backed up where the dialog says", async () => {
    open();
    const backup = await row("Back up");
    await userEvent.click(backup.getByRole("button", { name: "Back up…" }));
    expect(await backup.findByText(/221 MB written to \/home\/ada\/sibyl-/)).toBeInTheDocument();
  });

  it("is left alone where the dialog was closed", async () => {
    open({ "shell.save_file": () => ({ paths: [] }) });
    const backup = await row("Back up");
    await userEvent.click(backup.getByRole("button", { name: "Back up…" }));
    expect(sent("library.back_up")).toEqual([]);
  });

  it("makes a backup, lists it, and asks before it goes back to one", async () => {
    open();
    const backups = await row("Backups");
    await backups.findByText("1 backup, 220 MB");
    await userEvent.click(backups.getByRole("button", { name: "Back up now" }));
    await backups.findByText("221 MB written and checked");
    await backups.findByText("2 backups, 441 MB");
    await userEvent.click(backups.getAllByRole("button", { name: "Restore" })[1] as HTMLElement);
    await screen.findByText(/becomes your library when you next start Sibyl/);
    await userEvent.click(screen.getByTestId("confirm"));
    await waitFor(() => expect(sent("backup.restore")).toEqual([{ name: "2026-01-02T08-00-00Z.sibyl" }]));
  });

  it("rescues what can be read and names what was lost", async () => {
    open();
    const rescue = await row("Rescue");
    await userEvent.click(rescue.getByRole("button", { name: "Rescue what can be read" }));
    await rescue.findByText("38,143 rows saved, 12 lost");
    rescue.getByText("chunk: 38,102 saved, 12 lost");
    rescue.getByText("Ingest these documents again: acme/2024.pdf");
  });

  it("asks before the library moves to a folder that another program writes to", async () => {
    open({ "shell.pick_folders": () => ({ paths: ["/home/ann/Dropbox/sibyl"] }) });
    const folder = await row("Data folder");
    await userEvent.click(await folder.findByRole("button", { name: "Move…" }));
    await screen.findByText(/synchronised by Dropbox/);
    expect(sent("library.move")).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Choose another folder" }));
    expect(sent("library.move")).toEqual([]);
  });

  it("is checked and rebuilt with readable reports", async () => {
    open();
    const check = await row("Check");
    await userEvent.click(check.getByRole("button", { name: "Check now" }));
    expect(await check.findByText("1 finding")).toBeInTheDocument();
    expect(check.getByText(/2 words of chunks are missing from the keyword index/)).toBeInTheDocument();
    expect(check.getByText("Choose Rebuild below to recreate the derived data.")).toBeInTheDocument();
    const rebuild = await row("Rebuild");
    await userEvent.click(rebuild.getByRole("button", { name: "Rebuild" }));
    expect(await rebuild.findByText("Rebuilt in 4.2 s")).toBeInTheDocument();
    expect(rebuild.getByText("38,114")).toBeInTheDocument();
  });
});

describe("disk use", () => {
  it("is told by what takes the room, and what is free is given back", async () => {
    open();
    const bar = await screen.findByRole("img", { name: /Disk use by part/ });
    expect(bar).toHaveAccessibleName(/Vectors 96.*Keyword index 34.*Unused space 4/);
    await userEvent.click(screen.getByRole("button", { name: "Compact" }));
    expect(await screen.findByText("4 MB freed")).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText("Unused space")).toBeNull());
    await userEvent.click(screen.getByRole("button", { name: "Compact" }));
    expect(await screen.findByText("There was no unused space")).toBeInTheDocument();
  });
});

describe("licences", () => {
  it("are those of what ships now; `npm run licences` rewrites them", () => {
    expect(licences.locked).toBe(lockedNow());
    expect(licences.parts.filter((each) => each.licence === "")).toEqual([]);
  });

  it("are filtered by name or licence and show their text", async () => {
    open();
    const filter = await screen.findByRole("textbox", { name: "Filter by name or licence" });
    await write(filter, "mpl");
    const list = screen.getByRole("listbox", { name: "Crates and packages" });
    const [first] = await within(list).findAllByRole("option");
    expect(first).toHaveTextContent("MPL-2.0");
    await write(filter, "react-dom");
    fireEvent.click(await within(list).findByText("react-dom"));
    expect(screen.getByRole("region", { name: /Licence of react-dom/ })).toHaveTextContent(
      "Permission is hereby granted",
    );
    await write(filter, "no such part");
    expect(await screen.findByText("No component matches “no such part”.")).toBeInTheDocument();
  });
});

describe("the log", () => {
  it("has the newest first, narrows to a level and opens a line", async () => {
    open();
    const list = await screen.findByRole("listbox", { name: "Log lines" });
    expect(within(list).getAllByRole("option")[0]).toHaveTextContent("search mode=hybrid ms=409");
    await userEvent.click(screen.getByRole("radio", { name: "Errors 1" }));
    await waitFor(() => expect(within(list).getAllByRole("option")).toHaveLength(1));
    fireEvent.click(within(list).getByRole("option"));
    expect(screen.getByRole("region", { name: "Log line" })).toHaveTextContent("job=7");
  });

  it("has the newest line first, whatever order they came in", () => {
    const line = (at: string) => ({ at, level: "info" as const, target: "a", message: at, fields: {} });
    const times = ["2025-11-19T14:00:00Z", "2025-11-19T15:00:00Z"];
    expect(newestFirst(times.map(line)).map(({ at }) => at)).toEqual([...times].reverse());
  });

  it("is copied as the engine gathers it, with the word that nothing private is in it", async () => {
    const user = userEvent.setup();
    open({ "library.diagnostics": () => ({ text: "Sibyl 0.1.0\ndoctor: sound" }) });
    await user.click(await screen.findByRole("button", { name: "Copy diagnostics" }));
    await screen.findByText("Copied");
    expect(await navigator.clipboard.readText()).toBe("Sibyl 0.1.0\ndoctor: sound");
    expect(screen.getByText("keys and document text removed")).toBeInTheDocument();
  });
});

describe("the data folder", () => {
  const moving = (to: string): FakeHandlers => ({ "shell.pick_folders": () => ({ paths: [to] }) });

  it("moves, says where the library lies next and what stays, and offers to quit", async () => {
    open(moving("/mnt/drive/sibyl"));
    const folder = await row("Data folder");
    await userEvent.click(await folder.findByRole("button", { name: "Move…" }));
    await folder.findByText("From the next start, the library will be in /mnt/drive/sibyl.");
    expect(folder.getByRole("status")).toHaveTextContent(
      "The previous copy stays in ~/.local/share/sibyl until you delete it. Restart Sibyl to search and make changes again.",
    );
    expect(sent("library.move")).toEqual([{ path: "/mnt/drive/sibyl" }]);
    await userEvent.click(folder.getByRole("button", { name: "Quit Sibyl now" }));
    expect(sent("shell.quit")).toHaveLength(1);
  });

  it("says why it cannot be moved", async () => {
    const { unmount } = open(moving("/mnt/full"));
    const folder = await row("Data folder");
    await userEvent.click(await folder.findByRole("button", { name: "Move…" }));
    expect(await folder.findByRole("alert")).toHaveTextContent(
      "/mnt/full is not empty; choose an empty folder",
    );
    unmount();
    const info = settingsHandlers()["app.info"];
    open({ "app.info": async (...given) => ({ ...((await info?.(...given)) as AppInfo), movable: false }) });
    await (await row("Data folder")).findByText(/set when Sibyl was started/);
    expect(screen.queryByRole("button", { name: "Move…" })).toBeNull();
  });
});

describe("what the program says of itself", () => {
  it("tells that it could not be loaded, in its place", async () => {
    open({
      "app.info": () => {
        throw { code: "storage", message: "disk I/O error" };
      },
    });
    expect(await (await row("Data folder")).findByRole("alert")).toHaveTextContent("Disk I/O error");
    expect(await (await row("Version")).findByRole("alert")).toHaveTextContent("Disk I/O error");
    expect(screen.queryByRole("button", { name: "Copy version" })).toBeNull();
  });
});
