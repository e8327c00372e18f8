import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { handlers } from "@/api/fake";
import { libraryHandlers } from "@/api/fake/library";
import { models } from "@/api/fake/settings";
import type { FakeHandlers } from "@/api/transport/fake";
import type { Glance, Overview, Preflight } from "@/api/types";
import { href } from "@/state/router";
import { connect, fake, sent } from "@/test/page";
import { show } from "@/test/render";
import { askToAdd } from "./adding";
import Over from "./Over";
import { open, started } from "./testing";

describe("what the address asks for", () => {
  it("imports a licensed copy as a private corpus that never leaves the machine", async () => {
    window.location.hash = href("library", [], { add: "licensed" });
    open();
    const dialog = await screen.findByRole("dialog", { name: "Import a licensed copy" });
    expect(within(dialog).getByRole("button", { name: "Import IFRS S2" })).toBeDisabled();
    await userEvent.click(within(dialog).getByRole("radio", { name: "IFRS S1" }));
    await userEvent.click(within(dialog).getByRole("button", { name: "Choose file…" }));
    expect(await within(dialog).findByText("What will be added")).toBeInTheDocument();
    const go = within(dialog).getByRole("button", { name: "Import IFRS S1" });
    await waitFor(() => expect(go).toBeEnabled());
    await userEvent.click(go);
    await waitFor(() => expect(started()).toHaveLength(1));
    expect(started()[0]).toMatchObject({
      sources: [{ kind: "path", path: "/home/ada/reports/2024/northwind-energy-climate-report-2024.pdf" }],
      corpus: "licensed-s1",
      source_type: "licensed",
      licensed_standard: "S1",
      shared: false,
      remote: false,
    });
    expect(window.location.hash).not.toContain("licensed");
  });

  it("opens the dialog for files, once", async () => {
    window.location.hash = href("library", [], { add: "files" });
    open();
    expect(await screen.findByRole("dialog", { name: "Add documents" })).toBeInTheDocument();
    expect(sent("shell.pick_files")).toHaveLength(1);
    expect(window.location.hash).toBe("#/library");
  });
});

describe("files that are dropped", () => {
  const paths = ["/home/ada/reports/2024/a.pdf", "/home/ada/reports/2024/b.pdf"];
  const drag = (kind: "enter" | "drop") => act(() => fake.drag({ kind, paths, x: 0, y: 0 }));

  it("choose their corpus as they hang over the window, and are looked into before anything starts", async () => {
    document.elementFromPoint = () => null;
    open();
    await screen.findByTestId("library-total-chunks");
    drag("enter");
    const hanging = (await screen.findByText("Drop 2 files to ingest")).closest("[role=status]");
    expect(hanging).toHaveTextContent("2 PDF · 18.4 MB");
    expect(hanging).toHaveTextContent("46 similar files");
    await userEvent.keyboard("2");
    expect(
      within(hanging as HTMLElement)
        .getByText("Release to add")
        .closest("li"),
    ).toHaveTextContent("Reports FY2024");
    drag("drop");
    expect(screen.queryByText("Release to add")).toBeNull();
    const dialog = await screen.findByRole("dialog", { name: "Add documents" });
    expect(within(dialog).getByRole("combobox", { name: "Corpus" })).toHaveValue("Reports FY2024");
    const go = await within(dialog).findByRole("button", { name: "Add 2 files" });
    await waitFor(() => expect(go).toBeEnabled());
    const scans = within(dialog).getByRole("switch", { name: "Read 3 pages without text by OCR" });
    expect(scans).toBeChecked();
    await userEvent.click(scans);
    expect(started()).toEqual([]);
    await userEvent.click(go);
    await waitFor(() => expect(started()[0]).toMatchObject({ corpus: "Reports FY2024" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("can be added while they are looked into once more", async () => {
    document.elementFromPoint = () => null;
    let looks = 0;
    open({
      "ingest.preflight": async (input, call) => {
        looks += 1;
        if (looks > 1) await new Promise(() => undefined);
        return libraryHandlers()["ingest.preflight"]?.(input, call);
      },
    });
    await screen.findByTestId("library-total-chunks");
    drag("enter");
    drag("drop");
    const go = await screen.findByRole("button", { name: "Add 2 files" });
    await waitFor(() => expect(go).toBeEnabled());
    act(() => fake.emit({ tags: ["corpora"] }));
    await waitFor(() => expect(looks).toBe(2));
    expect(go).toBeEnabled();
    await userEvent.click(go);
    await waitFor(() => expect(started()).toHaveLength(1));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("say what is left out and what leaves the computer", async () => {
    const remote = models.map((each) => ({ ...each, served: true }));
    open({ "model.list": () => remote });
    await screen.findByTestId("library-total-chunks");
    const hung = [...paths, "/home/ada/reports/2024/old.zip"];
    act(() => fake.drag({ kind: "enter", paths: hung, x: 0, y: 0 }));
    const hanging = (await screen.findByText("Drop 2 files to ingest")).closest("[role=status]");
    expect(hanging).toHaveTextContent("Will be skipped: old.zip is an archive; extract it first");
    await waitFor(() =>
      expect(hanging).toHaveTextContent("Nothing leaves this computer until chunks are embedded."),
    );
    await userEvent.keyboard("2");
    expect(hanging).toHaveTextContent(/until .* embeds the chunks. You will see the cost first/);
    await userEvent.keyboard("{Escape}");
  });

  it.each(["library.overview", "ingest.glance", "model.list"])(
    "say why %s is not known, and promise nothing on account of it",
    async (command) => {
      document.elementFromPoint = () => null;
      open({
        [command]: () => {
          throw { code: "storage", message: "disk I/O error" };
        },
      });
      drag("enter");
      const hanging = (await screen.findByText("Choose by file type")).closest<HTMLElement>("[role=status]");
      if (!hanging) throw new Error("nothing hangs over the window");
      expect(await within(hanging).findByRole("alert")).toHaveTextContent("Disk I/O error");
      // What hangs over the window holds the pointer.
      expect(within(hanging).queryByRole("button")).toBeNull();
      if (command === "model.list")
        expect(hanging).toHaveTextContent("Nothing leaves this computer until chunks are embedded.");
      drag("drop");
      const dialog = await screen.findByRole("dialog", { name: "Add documents" });
      if (command === "library.overview")
        expect((await within(dialog).findAllByRole("alert"))[0]).toHaveTextContent("Disk I/O error");
    },
  );

  it("say where there is more than was looked at", async () => {
    document.elementFromPoint = () => null;
    const files = ["/home/ada/a.md", "/home/ada/b.md"];
    open({
      "ingest.glance": async (input, call) => ({
        ...((await libraryHandlers()["ingest.glance"]?.(input, call)) as Glance),
        more: true,
      }),
    });
    await screen.findByTestId("library-total-chunks");
    act(() => fake.drag({ kind: "enter", paths: files, x: 0, y: 0 }));
    const hanging = (await screen.findByText("Drop at least 2 files to ingest")).closest("[role=status]");
    expect(hanging).toHaveTextContent("There are more files than could be checked here.");
    await userEvent.keyboard("{Escape}");
    act(() => fake.drag({ kind: "enter", paths: ["/home/ada/old.zip"], x: 0, y: 0 }));
    await screen.findByText("No supported files found so far");
    await userEvent.keyboard("{Escape}");
  });

  it("are looked at each time, and go by their names before that", async () => {
    document.elementFromPoint = () => null;
    let bytes = 1_000_000;
    open({
      "ingest.glance": async (input, call) => {
        await call.wait(50);
        return { ...(libraryHandlers()["ingest.glance"]?.(input, call) as Glance), bytes };
      },
    });
    await screen.findByTestId("library-total-chunks");
    const hung = ["/home/ada/notes.md", "/home/ada/more.md"];
    const hang = () => act(() => fake.drag({ kind: "enter", paths: hung, x: 0, y: 0 }));
    hang();
    expect(screen.getByText("2 Markdown")).toBeInTheDocument();
    expect(await screen.findByText(/1 MB$/)).toBeInTheDocument();
    await userEvent.keyboard("{Escape}");
    bytes = 2_000_000;
    hang();
    expect(await screen.findByText(/2 MB$/)).toBeInTheDocument();
    await userEvent.keyboard("{Escape}");
  });

  it("keep corpora apart that are called alike, or like a new one", async () => {
    document.elementFromPoint = () => null;
    const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const names = new Map([
      [5, "Reports"],
      [6, "Reports"],
      [7, "New corpus…"],
    ]);
    const all = libraryHandlers();
    connect({
      ...handlers,
      ...all,
      "library.overview": async (input, call) => {
        const found = structuredClone((await all["library.overview"]?.(input, call)) as Overview);
        for (const { corpus } of found.corpora) corpus.name = names.get(corpus.id) ?? corpus.name;
        return found;
      },
    });
    show(<Over />);
    drag("enter");
    expect(await screen.findAllByText("Reports")).toHaveLength(2);
    expect(screen.getAllByText("New corpus…")).toHaveLength(2);
    expect(complaints).not.toHaveBeenCalled();
    complaints.mockRestore();
    await userEvent.keyboard("{Escape}");
  });

  it("are left alone after Escape", async () => {
    document.elementFromPoint = () => null;
    open();
    await screen.findByTestId("library-total-chunks");
    drag("enter");
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByText("Release to add")).toBeNull();
    drag("drop");
    expect(screen.queryByRole("dialog")).toBeNull();
    drag("drop");
    expect(await screen.findByRole("dialog", { name: "Add documents" })).toBeInTheDocument();
  });

  it("are left to Chunk Lab, which cuts them", async () => {
    window.location.hash = href("chunk-lab");
    open();
    await screen.findByTestId("library-total-chunks");
    drag("enter");
    drag("drop");
    expect(screen.queryByText("Release to add")).toBeNull();
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("what may be sent to a provider", () => {
  it("is switched for a corpus", async () => {
    window.location.hash = href("library", [], { corpus: "Transition notes" });
    open();
    const remote = await screen.findByRole("switch", { name: "Remote models" });
    expect(remote).toBeChecked();
    await userEvent.click(remote);
    await waitFor(() => expect(sent("corpus.update")).toEqual([{ name: "Transition notes", remote: false }]));
    await waitFor(() => expect(screen.getByRole("switch", { name: "Remote models" })).not.toBeChecked());
    expect(screen.getByText(/^Never sent\./)).toBeInTheDocument();
  });

  it("is asked for a new corpus, which changes the price", async () => {
    const remote = models.map((each) => ({ ...each, served: true }));
    open({ "model.list": () => remote });
    await screen.findByTestId("library-total-chunks");
    act(() => askToAdd(["/home/ada/new/a.pdf"], { kind: "new", name: "Reports FY2024" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Add documents" }));
    expect(dialog.getByRole("alert")).toHaveTextContent("A corpus called “Reports FY2024” already exists");
    const go = await dialog.findByRole("button", { name: "Add 1 file" });
    expect(go).toBeDisabled();
    const name = dialog.getByRole("textbox", { name: "Name of the new corpus" });
    await userEvent.type(name, " drafts");
    expect(dialog.queryByRole("alert")).toBeNull();
    expect(dialog.queryByText("Embedding cost")).toBeNull();
    await userEvent.click(await dialog.findByRole("switch", { name: "Remote models" }));
    expect(await dialog.findByText("Embedding cost")).toBeInTheDocument();
    await waitFor(() => expect(go).toBeEnabled());
    await userEvent.click(go);
    await waitFor(() =>
      expect(started()[0]).toMatchObject({ corpus: "Reports FY2024 drafts", remote: true }),
    );
  });

  it("is not looked into again once it has begun, for its files may be with the engine", async () => {
    let begun = () => {};
    open({
      "ingest.start": () =>
        new Promise((done) => {
          begun = () => done({ id: 9 });
        }),
    });
    await screen.findByTestId("library-total-chunks");
    act(() => askToAdd(["/home/ada/new/a.pdf"]));
    const dialog = within(await screen.findByRole("dialog", { name: "Add documents" }));
    const go = await dialog.findByRole("button", { name: "Add 1 file" });
    await waitFor(() => expect(go).toBeEnabled());
    const looks = sent("ingest.preflight").length;
    await userEvent.click(go);
    await waitFor(() => expect(started()).toHaveLength(1));
    begun();
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Add documents" })).toBeNull());
    expect(sent("ingest.preflight")).toHaveLength(looks);
  });

  it("never goes to corpora that the program fills", async () => {
    open();
    await screen.findByTestId("library-total-chunks");
    act(() => askToAdd(["/home/ada/new/a.pdf"]));
    const dialog = within(await screen.findByRole("dialog", { name: "Add documents" }));
    await userEvent.click(dialog.getByRole("combobox", { name: "Corpus" }));
    expect(await screen.findByRole("option", { name: "Reports FY2024" })).toBeInTheDocument();
    expect(screen.queryByRole("option", { name: "IFRS S1" })).toBeNull();
  });

  it("shows its price before anything is sent", async () => {
    window.location.hash = href("library", [], { corpus: "Reports FY2024" });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Embed the rest" }));
    const question = await screen.findByRole("alertdialog", {
      name: "Embed the remaining texts for about $0.11?",
    });
    expect(question).toHaveTextContent("12,285 texts (about 5,250,000 tokens)");
    expect(sent("embed.start")).toEqual([]);
    await userEvent.click(within(question).getByRole("button", { name: "Embed" }));
    await waitFor(() => expect(sent("embed.start")).toHaveLength(1));
  });

  it("is not asked about where the work is free", async () => {
    window.location.hash = href("library", [], { corpus: "Reports FY2024" });
    open({ "embed.estimate": () => ({ texts: 0, tokens: 0, cost: null }) });
    await userEvent.click(await screen.findByRole("button", { name: "Embed the rest" }));
    await waitFor(() => expect(sent("embed.start")).toHaveLength(1));
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });
});

describe("pages without text that are about to be added", () => {
  it.each([
    [true, "3 pages contain a picture but no text. OCR is off in Settings."],
    [
      false,
      "3 pages contain a picture but no text. To read such pages by OCR, install it with sudo apt install tesseract-ocr.",
    ],
  ])("say why they stay unread, Tesseract installed: %s", async (installed, words) => {
    const own = libraryHandlers();
    open({
      "ingest.preflight": async (input, call) => ({
        ...((await own["ingest.preflight"]?.(input, call)) as Preflight),
        ocr_possible: false,
      }),
      "ocr.state": () => ({
        installed,
        languages: [],
        install: "install it with `sudo apt install tesseract-ocr`",
      }),
    });
    await screen.findByTestId("library-total-chunks");
    act(() => askToAdd(["/home/ada/scan.pdf"]));
    const dialog = await screen.findByRole("dialog", { name: "Add documents" });
    await waitFor(() => expect(dialog).toHaveTextContent(words));
    expect(within(dialog).queryByRole("switch", { name: /by OCR$/ })).toBeNull();
  });
});

describe("locked files that are about to be added", () => {
  it("ask for their password at once", async () => {
    let opened = false;
    const own: FakeHandlers = { ...handlers, ...libraryHandlers() };
    open({
      "ingest.preflight": async (input, call) => {
        const found = (await own["ingest.preflight"]?.(input, call)) as Preflight;
        const locked = { failure: "is locked with a password", code: "password_needed" };
        return opened ? found : { ...found, files: found.files.map((file) => ({ ...file, ...locked })) };
      },
      "ingest.unlock": () => {
        opened = true;
      },
    });
    await screen.findByTestId("library-total-chunks");
    act(() => askToAdd(["/home/ada/board.pdf"]));
    const dialog = await screen.findByRole("dialog", { name: "Add documents" });
    const field = await within(dialog).findByLabelText("Password");
    expect(field).toHaveAttribute("type", "password");
    expect(within(dialog).getByTestId("add-start")).toBeDisabled();
    act(() => field.focus());
    await userEvent.keyboard("open sesame{Enter}");
    await waitFor(() => expect(within(dialog).queryByLabelText("Password")).not.toBeInTheDocument());
    expect(sent("ingest.unlock")).toEqual([{ passwords: ["open sesame"] }]);
    await waitFor(() => expect(within(dialog).getByTestId("add-start")).toBeEnabled());
  });
});
