import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { currentWorkspace, enterWorkspace } from "@/api/client";
import { handlers } from "@/api/fake";
import { libraryHandlers } from "@/api/fake/library";
import { models } from "@/api/fake/settings";
import type { FakeHandlers } from "@/api/transport/fake";
import type { CorpusDetails, JobFile, Overview } from "@/api/types";
import { href } from "@/state/router";
import { connect, sent, showPage } from "@/test/page";
import LibraryPage from "./index";
import { open } from "./testing";

describe("the library", () => {
  it("shows totals, corpora, the inspected corpus and the job", async () => {
    open();
    expect(await screen.findByTestId("library-total-chunks")).toHaveTextContent("38,114");
    const rows = within(screen.getByTestId("library-corpora")).getAllByRole("row");
    expect(rows).toHaveLength(10);
    expect(rows.find((row) => row.textContent?.includes("S2 industry guidance"))).toHaveTextContent(
      "Model changed",
    );
    expect(await screen.findByTestId("job-dock")).toHaveTextContent("Paused");
    expect(await screen.findByRole("row", { name: /halden-shipping/ })).toHaveTextContent("94");
    await screen.findByText("311 tokens");
    await screen.findByText("No text layer on 61 of 88 pages");
  });

  it("tells a failure in its place", async () => {
    open({
      "library.overview": () => {
        throw { code: "storage", message: "disk I/O error" };
      },
    });
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
  });

  it("tells what it could not load beside what it shows: strategies in the inspector, jobs in their dock", async () => {
    let broken = true;
    const all: FakeHandlers = { ...handlers, ...libraryHandlers() };
    const breaks = (command: string): FakeHandlers => ({
      [command]: (input, call) => {
        if (broken) throw { code: "storage", message: `${command} failed` };
        return all[command]?.(input, call);
      },
    });
    open({ ...breaks("strategy.list"), ...breaks("job.list") });
    const inspector = screen.findByRole("region", { name: "Overview" });
    expect(await within(await inspector).findByRole("alert")).toHaveTextContent("strategy.list failed");
    await within(await inspector).findByText("311 tokens");
    const dock = screen.getByRole("region", { name: "Jobs" });
    expect(await within(dock).findByRole("alert")).toHaveTextContent("job.list failed");
    expect(screen.getByTestId("library-total-chunks")).toHaveTextContent("38,114");
    broken = false;
    for (const retry of screen.getAllByRole("button", { name: "Retry" })) await userEvent.click(retry);
    expect(await screen.findByTestId("job-dock")).toHaveTextContent("Paused");
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  });
});

describe("watched folders", () => {
  it("are added, set, paused, looked into and let go of", async () => {
    window.location.hash = href("library", [], { corpus: "Reports FY2023" });
    open();
    await screen.findByText(/^No folders are watched\./);
    await userEvent.click(screen.getByRole("button", { name: "Watch a folder…" }));
    await screen.findByText("Watching");
    expect(sent("watch.add")).toEqual([{ path: "/home/ada/reports/2024", corpus: "Reports FY2023" }]);
    expect(screen.getByRole("combobox", { name: "Documents whose file in 2024 is deleted" })).toHaveValue(
      "Mark as missing",
    );
    await userEvent.click(screen.getByRole("combobox", { name: "Documents whose file in 2024 is deleted" }));
    await userEvent.click(await screen.findByRole("option", { name: "Move to the bin" }));
    expect(sent("watch.change")).toEqual([{ id: 2, gone: "delete" }]);
    const choose = async (name: string) => {
      await userEvent.click(screen.getByRole("button", { name: "Actions for the folder 2024" }));
      await userEvent.click(await screen.findByRole("menuitem", { name }));
    };
    await choose("Pause");
    await screen.findByText("Paused", { selector: ".status-mark.pause" });
    await choose("Resume");
    await screen.findByText("Watching");
    await choose("Ingest now");
    await waitFor(() => expect(sent("watch.run")).toEqual([{ id: 2 }]));
    await choose("Stop watching");
    await screen.findByText(/^No folders are watched\./);
  });

  it("say why they can’t be read, and are not offered for what the program itself fills", async () => {
    window.location.hash = href("library", [], { corpus: "Reports FY2024" });
    open({
      "watch.list": () => [
        {
          id: 1,
          path: "/mnt/reports",
          corpus: "Reports FY2024",
          gone: "keep",
          every: 60,
          state: "trouble",
          looked_at: null,
          job: null,
          code: "io",
          message: "/mnt/reports: not found; connect the drive",
          settled: null,
        },
      ],
    });
    await screen.findByText("Can’t be read");
    expect(screen.getByText("/mnt/reports: not found; connect the drive.")).toBeVisible();
    act(() => {
      window.location.hash = href("library", [], { corpus: "IFRS S1" });
    });
    await screen.findByRole("heading", { level: 2, name: "IFRS S1" });
    expect(screen.queryByRole("button", { name: "Watch a folder…" })).not.toBeInTheDocument();
  });
});

describe("names from outside", () => {
  it("are words only, whatever they hold", async () => {
    const name = "<img src=x onerror=alert(1)>\u202efdp.exe";
    open({
      "job.files": async (input, call) => {
        const files = (await libraryHandlers()["job.files"]?.(input, call)) as JobFile[];
        return files.map((file) => ({ ...file, path: name }));
      },
    });
    const shown = await screen.findAllByText("<img src=x onerror=alert(1)>\ufffdfdp.exe");
    expect(shown).toHaveLength(5);
    expect(document.querySelector("img")).toBeNull();
  });
});

const nothing: Overview = {
  corpora: [],
  documents: 0,
  chunks: 0,
  tokens: 0,
  embedded_percent: 0,
  disk_bytes: 92_000,
  folder: "~/.local/share/sibyl",
};

describe("a library with nothing in it", () => {
  it("opens the sample in its own workspace, with the job that reads it", async () => {
    open({ "library.overview": () => nothing });
    await userEvent.click(await screen.findByRole("button", { name: "Open the sample" }));
    await waitFor(() => expect(window.location.hash).toMatch(/corpus=Sample.*job=8/));
    expect(currentWorkspace()).toBe("Sample");
    expect(sent("sample.open")).toHaveLength(1);
    enterWorkspace("default");
  });

  it("offers to start an assessment", async () => {
    connect({ ...handlers, "library.overview": () => nothing });
    showPage(<LibraryPage />);
    await userEvent.click(await screen.findByRole("button", { name: "Start an assessment" }));
    await waitFor(() => expect(window.location.hash).toBe("#/assess"));
  });

  it("says how much room is left, and proves the built-in model", async () => {
    const inside = models.map((each) => ({ ...each, served: each.space.tier === "embedded" }));
    open({ "library.overview": () => nothing, "model.list": () => inside });
    expect(await screen.findByText("~/.local/share/sibyl · 84 GB free")).toBeInTheDocument();
    expect(await screen.findByText(/up to 200 MB per file/)).toBeInTheDocument();
    await userEvent.click(await screen.findByRole("button", { name: "Test" }));
    await waitFor(() => expect(sent("model.test")).toHaveLength(1));
    const space = inside.find((each) => each.served)?.space_id;
    expect(sent("model.test")).toEqual([{ space }]);
  });
});

describe("what is done with a corpus", () => {
  it("stands in its menu too", async () => {
    window.location.hash = href("library", [], { corpus: "Transition notes" });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "More about Transition notes" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Block remote models" }));
    await waitFor(() => expect(sent("corpus.update")).toEqual([{ name: "Transition notes", remote: false }]));
    await userEvent.click(screen.getByRole("button", { name: "More about Transition notes" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    expect(await screen.findByRole("alertdialog", { name: /Delete corpus/ })).toBeInTheDocument();
  });

  it("begins with what it is cut by", async () => {
    window.location.hash = href("library", [], { corpus: "Transition notes" });
    open();
    expect(await screen.findByText("Recursive, 500 / 50")).toBeInTheDocument();
    expect(screen.getByText("402 rows")).toBeInTheDocument();
    expect(screen.getByText("Pillars detected")).toBeInTheDocument();
    expect(screen.getByText("Unclassified")).toBeInTheDocument();
  });
});

describe("the parts of a corpus", () => {
  it("have words where they are known", async () => {
    open({
      "corpus.inspect": async (input, call) => ({
        ...((await libraryHandlers()["corpus.inspect"]?.(input, call)) as CorpusDetails),
        groups: [
          ["metrics_targets", 3],
          ["Our own section", 2],
        ],
      }),
    });
    expect(await screen.findByText("Metrics and targets")).toBeInTheDocument();
    expect(screen.getByText("Our own section")).toBeInTheDocument();
    expect(screen.queryByText("metrics_targets")).toBeNull();
  });
});

describe("the details of a document", () => {
  const of = (name: string) => `Edit details of ${name}…`;
  const edit = async (name: string) => {
    const button = await screen.findByRole("button", { name: of(name) });
    button.focus();
    await userEvent.keyboard("{Enter}");
    return screen.findByRole("dialog", { name: `Edit details of “${name}”` });
  };

  it("are corrected from the keyboard, and go back to what was read", async () => {
    window.location.hash = href("library", [], { corpus: "Transition notes" });
    open();
    await userEvent.click(await screen.findByRole("radio", { name: "Documents 12" }));
    const name = "Transition notes, document 2";
    let dialog = await edit(name);
    const field = (label: string) => within(dialog).getByRole("textbox", { name: label });
    await waitFor(() => expect(field("Title")).toHaveFocus());
    expect(field("Title")).toHaveValue(name);
    expect(within(dialog).queryByText(/Read from the file/)).toBeNull();
    await userEvent.keyboard("{Control>}a{/Control}Annual report");
    expect(field("Title")).toHaveAccessibleDescription(`Read from the file: ${name}`);
    await userEvent.tab();
    await userEvent.keyboard("Halden Shipping");
    expect(field("Issuer")).toHaveAccessibleDescription("Read from the file: no value");
    await userEvent.tab();
    await userEvent.keyboard("24");
    expect(within(dialog).queryByRole("alert")).toBeNull();
    await userEvent.keyboard("{Enter}");
    expect(within(dialog).getByRole("alert")).toHaveTextContent("four digits");
    expect(sent("document.correct")).toEqual([]);
    await userEvent.keyboard("{Control>}a{/Control}1066{Enter}");
    expect(await within(dialog).findByText(/1990 to 2099/)).toBeInTheDocument();
    await userEvent.keyboard("{Control>}a{/Control}2024{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const all = { title: "Annual report", issuer: "Halden Shipping", year: 2024 };
    expect(sent("document.correct").at(-1)).toMatchObject(all);

    dialog = await edit("Annual report");
    expect(field("Title")).toHaveAccessibleDescription(`Read from the file: ${name}`);
    await userEvent.clear(field("Title"));
    await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    expect(await screen.findByRole("button", { name: of(name) })).toBeInTheDocument();
    expect(sent("document.correct").at(-1)).toMatchObject({ ...all, title: null });

    dialog = await edit(name);
    await userEvent.clear(field("Issuer"));
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(sent("document.correct")).toHaveLength(3);
  });
});
