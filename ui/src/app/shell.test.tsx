import { act, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { chooseTransport, enterWorkspace } from "@/api/client";
import { handlers } from "@/api/fake";
import { idOf } from "@/api/recording";
import { type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type { Condition, JobEvent } from "@/api/types";
import { pages } from "@/pages";
import { PageHeader } from "@/parts/PageHeader";
import { enterJobs, followJobs } from "@/state/jobs";
import type { Page } from "@/state/page";
import { applyPreferences, DEFAULTS, setPreferences } from "@/state/preferences";
import { href, navigate } from "@/state/router";
import { toast } from "@/state/toasts";
import { reportError, showTrouble } from "@/state/trouble";
import { show } from "@/test/render";
import { clearToasts } from "@/test/toasts";
import { Shell } from "./Shell";
import { defineAll } from "./shortcuts";

// To find out what is hidden takes longer than the tests, and what is hidden is asserted on by nothing here.
configure({ defaultHidden: true });

let fake: FakeTransport;

beforeEach(() => {
  fake = fakeTransport(handlers);
  chooseTransport(fake);
  setPreferences(DEFAULTS);
  defineAll(pages);
  clearToasts();
});

const settled = () => screen.findByText(/38,114 chunks/);

const job = (id: number, state: JobEvent["state"]): JobEvent => ({
  job: id,
  workspace: "default",
  state,
  stage: "embed",
  files: 4,
  files_done: 4,
  files_failed: 0,
  files_read: 4,
  files_cut: 4,
  pages: 0,
  ocr_pages: 0,
  ocr_done: 0,
  chunks_cut: 100,
  chunks: 100,
  embedded: 61,
  to_embed: 100,
  model: "m",
  spent: null,
  price: null,
  rate: 92,
  page_rate: 0,
  seconds_left: 1,
  file: null,
  error: null,
  code: null,
});

const tipped = (words: string) => document.querySelector(`[data-tip="${words}"]`) as HTMLElement;

describe("the window", () => {
  it("goes to a screen by its number and by its address", async () => {
    show(<Shell pages={pages} />);
    await settled();
    fireEvent.keyDown(document.body, { key: "7", ctrlKey: true });
    expect(await screen.findByRole("heading", { level: 1, name: "Search Lab" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Search Lab" })).toHaveAttribute("aria-current", "page");
    act(() => navigate(href("standards")));
    expect(await screen.findByRole("heading", { level: 1, name: "Standards" })).toBeInTheDocument();
  });

  it("says at once that the library is damaged, and leads to what mends it", async () => {
    const condition: Condition = {
      state: "damaged",
      message: "the library file is damaged: page 7 is malformed; run `sibyl rescue`",
      place: null,
      backups: [],
      no_backup: null,
    };
    fake = fakeTransport({ ...handlers, "library.condition": () => condition });
    chooseTransport(fake);
    window.location.hash = href("library");
    show(<Shell pages={pages} />);
    const region = await screen.findByTestId("condition");
    const told = within(region);
    told.getByText("The library file is damaged.");
    told.getByText(/page 7 is malformed/);
    await userEvent.click(told.getByRole("button", { name: "Rescue or restore…" }));
    expect(window.location.hash).toBe(href("settings", ["data", "rescue"]));
  });

  it("says that what another program rescued is ready, although the library does not open", async () => {
    const damaged: Condition = {
      state: "damaged",
      message: "the library file is damaged: file is not a database; run `sibyl rescue`",
      place: null,
      backups: [],
      no_backup: "the library does not open",
    };
    let condition = damaged;
    fake = fakeTransport({ ...handlers, "library.condition": () => condition });
    chooseTransport(fake);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      show(<Shell pages={pages} />);
      await screen.findByText("The library file is damaged.");
      condition = {
        ...damaged,
        state: "replaced",
        message: "a rescued library or a backup replaces this one",
      };
      await act(() => vi.advanceTimersByTimeAsync(5_000));
      const told = within(screen.getByTestId("condition"));
      await told.findByText("A rescued library or a backup is ready.");
      told.getByText(/Close every Sibyl program and open Sibyl again/);
      expect(told.queryByRole("button", { name: "Rescue or restore…" })).toBeNull();
      fireEvent.click(told.getByRole("button", { name: "Quit Sibyl now" }));
      await waitFor(() => expect(fake.calls.map(({ command }) => command)).toContain("shell.quit"));
    } finally {
      vi.useRealTimers();
    }
  });

  it("says that a folder is a risky place, until it is put off", async () => {
    const place = "/home/ann/Dropbox/sibyl is synchronised by Dropbox; move the library";
    const condition: Condition = { state: "sound", message: null, place, backups: [], no_backup: null };
    fake = fakeTransport({ ...handlers, "library.condition": () => condition });
    chooseTransport(fake);
    show(<Shell pages={pages} />);
    await screen.findByText(/synchronised by Dropbox/);
    await userEvent.click(screen.getByRole("button", { name: "Not now" }));
    expect(screen.queryByText(/synchronised by Dropbox/)).toBeNull();
  });

  it("goes back to where one came from, and on again, by key", async () => {
    show(<Shell pages={pages} />);
    await settled();
    const [back, forward] = [vi.spyOn(window.history, "back"), vi.spyOn(window.history, "forward")];
    expect(fireEvent.keyDown(document.body, { key: "ArrowLeft", altKey: true })).toBe(false);
    expect(back).toHaveBeenCalledOnce();
    expect(fireEvent.keyDown(document.body, { key: "ArrowRight", altKey: true })).toBe(false);
    expect(forward).toHaveBeenCalledOnce();
  });

  it("keeps the web view from reloading, searching and printing", async () => {
    show(<Shell pages={pages} />);
    await settled();
    for (const key of ["r", "f", "d", "j", "p"])
      expect(fireEvent.keyDown(document.body, { key, ctrlKey: true }), key).toBe(false);
    expect(fireEvent.keyDown(document.body, { key: "c", ctrlKey: true })).toBe(true);
  });

  it("shows a running job and where it fails", async () => {
    const stop = followJobs();
    show(<Shell pages={pages} />);
    await settled();
    act(() => fake.emit({ job: job(7, "running") }));
    const bar = await screen.findByRole("progressbar", { name: "Job 7: embed" });
    expect(bar).toHaveAttribute("aria-valuenow", "61");
    expect(screen.getByRole("img", { name: "Job running" })).toBeInTheDocument();
    act(() => fake.emit({ job: { ...job(7, "failed"), error: "the provider rejected the key" } }));
    const dialog = await screen.findByRole("alertdialog", { name: "Embedding stopped at 61%" });
    expect(dialog).toHaveTextContent("The provider rejected the key. The 61 texts already embedded are kept");
    await userEvent.click(within(dialog).getByRole("button", { name: "Leave it stopped" }));
    expect(await screen.findByRole("button", { name: "Job 7 stopped" })).toBeInTheDocument();
    act(() => fake.emit({ job: job(7, "done") }));
    expect(await screen.findByText("4 files added")).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText(/Job 7/)).toBeNull());
    stop();
  });

  it("draws no page again for the word of a job", async () => {
    const stop = followJobs();
    let drawn = 0;
    const Body = () => {
      drawn += 1;
      return <p>Body</p>;
    };
    const [first] = pages;
    if (!first) throw new Error("no page");
    show(<Shell pages={[{ ...first, load: async () => ({ default: Body }) }]} />);
    await screen.findByText("Body");
    await settled();
    const before = drawn;
    act(() => fake.emit({ job: job(7, "running") }));
    expect(await screen.findByRole("progressbar", { name: "Job 7: embed" })).toBeInTheDocument();
    expect(drawn).toBe(before);
    stop();
  });

  it("keeps the jobs of another workspace away", async () => {
    const stop = followJobs();
    show(<Shell pages={pages} />);
    await settled();
    act(() => fake.emit({ job: { ...job(7, "running"), workspace: "elsewhere" } }));
    expect(screen.queryByText(/Job 7/)).toBeNull();
    act(() => fake.emit({ job: job(7, "running") }));
    expect(await screen.findByRole("progressbar", { name: "Job 7: embed" })).toBeInTheDocument();
    enterWorkspace("elsewhere");
    act(() => enterJobs());
    expect(screen.queryByText(/Job 7/)).toBeNull();
    enterWorkspace("default");
    stop();
  });

  it("offers a way out of what stopped the work", async () => {
    show(<Shell pages={pages} />);
    await settled();
    act(() => reportError({ code: "internal", message: "a worker thread has stopped" }));
    await userEvent.click(await screen.findByRole("button", { name: "Open the log" }));
    expect(window.location.hash).toBe("#/settings/logs");
  });

  it("resumes a stopped job from its dialog, and pauses it by keys", async () => {
    const stop = followJobs();
    show(<Shell pages={pages} />);
    await settled();
    act(() => fake.emit({ job: job(8, "failed") }));
    await userEvent.click(await screen.findByRole("button", { name: "Resume" }));
    expect(fake.calls.at(-1)).toMatchObject({ command: "job.resume", input: { id: 8 } });
    act(() => fake.emit({ job: job(8, "running") }));
    await screen.findByRole("progressbar", { name: /^Job 8/ });
    fireEvent.keyDown(document.body, { key: "P", ctrlKey: true, shiftKey: true });
    await waitFor(() =>
      expect(fake.calls).toContainEqual(expect.objectContaining({ command: "job.pause", input: { id: 8 } })),
    );
    act(() => fake.emit({ job: { ...job(8, "done"), files_failed: 2 } }));
    await userEvent.click(await screen.findByRole("button", { name: "Review" }));
    expect(window.location.hash).toContain("job=8");
    stop();
  });

  it("offers first what helps where a provider refuses, with what is left to pay", async () => {
    show(<Shell pages={pages} />);
    await settled();
    const refused = {
      ...job(9, "failed"),
      code: "embedding_refused",
      error: "no credit",
      spent: 0.08,
      price: 0.14,
    };
    act(() => fake.emit({ job: refused }));
    const dialog = await screen.findByRole("alertdialog", { name: /^Embedding stopped at 61/ });
    expect(dialog).toHaveTextContent(
      "No credit. The 61 texts already embedded are kept, and everything stored remains searchable.",
    );
    expect(dialog).toHaveTextContent("39 texts remain, at a cost of about $0.06.");
    expect(dialog).toHaveTextContent("embedding_refused");
    await userEvent.click(within(dialog).getByRole("button", { name: "Use built-in model" }));
    expect(fake.calls).toContainEqual(
      expect.objectContaining({
        command: "settings.set",
        input: { values: { remote_embedding: false } },
      }),
    );
  });

  it("has a menu, and a status bar that leads to what it shows", async () => {
    show(<Shell pages={pages} />);
    await settled();
    await userEvent.click(screen.getByRole("button", { name: "Menu" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: /About Sibyl/ }));
    expect(window.location.hash).toBe("#/settings/about");
    await userEvent.click(tipped("Open models and keys"));
    expect(window.location.hash).toBe("#/settings/models");
    await userEvent.click(tipped("Open data and disk use"));
    expect(window.location.hash).toBe("#/settings/data");
  });

  it("keeps standing when a screen breaks", async () => {
    const quiet = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken: Page = {
      ...(pages[0] as Page),
      load: async () => ({
        default: () => {
          throw new Error("no such column");
        },
      }),
    };
    show(<Shell pages={[broken, ...pages.slice(1)]} />);
    expect(await screen.findByRole("alert")).toHaveTextContent("no such column");
    expect(screen.getByRole("navigation")).toBeInTheDocument();
    act(() => navigate(href("standards")));
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    quiet.mockRestore();
  });

  it("takes context and actions of the page into its top bar", async () => {
    const page: Page = {
      ...(pages[0] as Page),
      load: async () => ({
        default: () => <PageHeader context="FY2025 assurance" actions={<button type="button">Add</button>} />,
      }),
    };
    show(<Shell pages={[page]} />);
    const banner = await screen.findByRole("banner");
    expect(await within(banner).findByText("FY2025 assurance")).toBeInTheDocument();
    expect(within(banner).getByRole("button", { name: "Add" })).toBeInTheDocument();
  });

  it("turns its theme and text size", () => {
    setPreferences({ theme: "dark", textSize: 120, density: "compact" });
    applyPreferences();
    const root = document.documentElement;
    expect(root.dataset.mantineColorScheme).toBe("dark");
    expect(root.dataset.density).toBe("compact");
    expect(root.style.getPropertyValue("--text")).toBe("1.2");
    expect(JSON.parse(localStorage.getItem("sibyl.preferences") ?? "")).toMatchObject({ theme: "dark" });
  });
});

describe("the palette", () => {
  it("finds by words, moves with arrows and runs", async () => {
    show(<Shell pages={pages} />);
    await settled();
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    const field = await screen.findByRole("combobox");
    await userEvent.type(field, ">go lab");
    await waitFor(() => expect(screen.getAllByRole("option").length).toBeGreaterThan(1));
    await userEvent.keyboard("{ArrowDown}");
    expect(field.getAttribute("aria-activedescendant")).toBe(screen.getAllByRole("option")[1]?.id);
    await userEvent.click(screen.getByRole("option", { name: /Go to Search Lab/ }));
    expect(await screen.findByRole("heading", { level: 1, name: "Search Lab" })).toBeInTheDocument();
  });

  it("opens an address that was copied from the window", async () => {
    show(<Shell pages={pages} />);
    await settled();
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    fireEvent.change(await screen.findByRole("combobox"), { target: { value: " #/standards/S2.14(a)" } });
    await userEvent.click(await screen.findByRole("option", { name: "Open Standards · S2.14(a)" }));
    expect(window.location.hash).toBe("#/standards/S2.14(a)");
  });

  it("finds documents and corpora of the library", async () => {
    show(<Shell pages={pages} />);
    await settled();
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    const field = () => screen.findByRole("combobox", { name: /^Find a paragraph/ });
    fireEvent.change(await field(), { target: { value: "@halden esg" } });
    const halden = await screen.findByRole("option", { name: /Halden Shipping ASA.*· 2024/ });
    await userEvent.click(halden);
    expect(window.location.hash).toBe(`#/chunk-lab?document=${idOf("halden")}`);
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    fireEvent.change(await field(), { target: { value: "transition notes" } });
    await userEvent.click(await screen.findByRole("option", { name: /corpus, 12 documents/ }));
    expect(window.location.hash).toBe("#/library?corpus=Transition+notes");
  });

  it("asks only the kind that a prefix names, and drops late answers", async () => {
    const paragraphs = vi.fn(async (query: string) => [
      { key: query, label: `Paragraph ${query}`, run: () => undefined },
    ]);
    const documents = vi.fn(() => []);
    const page: Page = {
      ...(pages[0] as Page),
      sources: [
        { kind: "paragraphs", find: paragraphs },
        { kind: "documents", find: documents },
      ],
    };
    show(<Shell pages={[page]} />);
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    const field = await screen.findByRole("combobox");
    documents.mockClear();
    fireEvent.change(field, { target: { value: "#1" } });
    fireEvent.change(field, { target: { value: "#14" } });
    expect(await screen.findByRole("option")).toHaveTextContent("Paragraph 14");
    expect(documents).not.toHaveBeenCalled();
  });
});

describe("the keyboard map", () => {
  it("lists every shortcut and remaps a letter", async () => {
    defineAll([
      {
        ...(pages[1] as Page),
        shortcuts: [{ id: "x.next", keys: "n", label: "Next imagined item", group: "Standards" }],
      },
    ]);
    show(<Shell pages={pages} />);
    await settled();
    // Ends what an earlier test typed in a field.
    fireEvent.keyDown(document.body, { key: "Escape" });
    fireEvent.keyDown(document.body, { key: "?", shiftKey: true });
    const map = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    expect(within(map).getByText("Command palette")).toBeInTheDocument();
    await userEvent.type(within(map).getByRole("searchbox"), "imagined item");
    expect(within(map).queryByText("Command palette")).toBeNull();
    await userEvent.click(within(map).getByRole("button", { name: "Customise" }));
    within(map)
      .getByRole("button", { name: /Next imagined item/ })
      .focus();
    await userEvent.keyboard("w");
    expect(within(map).getByRole("button", { name: /Next imagined item/ })).toHaveTextContent("W");
  });
});

describe("messages", () => {
  it("shows three toasts at most and drops them after six seconds unless they ask", async () => {
    vi.useFakeTimers();
    show(<Shell pages={pages} />);
    act(() => {
      for (const title of ["one", "two", "three"]) toast({ kind: "ok", title });
      toast({ kind: "warn", title: "asks", action: { label: "Review", onClick: () => undefined } });
    });
    const list = screen.getByRole("list", { name: "Notifications" });
    expect(within(list).getAllByRole("listitem")).toHaveLength(3);
    expect(within(list).queryByText("one")).toBeNull();
    act(() => void vi.advanceTimersByTime(6100));
    expect(within(list).getAllByRole("listitem")).toHaveLength(1);
    expect(within(list).getByText("asks")).toBeInTheDocument();
    vi.useRealTimers();
  });

  it("opens the dialog for what stopped the work, with choices by number", async () => {
    const resume = vi.fn();
    show(<Shell pages={pages} />);
    act(() =>
      showTrouble({
        title: "Embedding stopped at 61%",
        message: "What is embedded stays searchable.",
        code: "embedding_provider",
        choices: [
          { label: "Use the built-in model", action: "Use built-in model", run: () => undefined },
          { label: "Resume later", action: "Leave queued", run: resume },
        ],
      }),
    );
    const dialog = await screen.findByRole("alertdialog", { name: "Embedding stopped at 61%" });
    const [first, second] = within(dialog).getAllByRole("radio");
    first?.focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(second).toHaveFocus();
    expect(second).toBeChecked();
    await userEvent.keyboard("1");
    expect(first).toBeChecked();
    fireEvent.keyDown(within(dialog).getByRole("radiogroup"), { key: "2" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Leave queued" }));
    expect(resume).toHaveBeenCalledOnce();
  });

  it("chooses toast or dialog by how grave an error is", async () => {
    show(<Shell pages={pages} />);
    act(() => reportError({ code: "cancelled", message: "cancelled" }));
    act(() => reportError({ code: "io", message: "report.pdf: permission denied" }));
    expect(await screen.findByText("report.pdf: permission denied.")).toBeInTheDocument();
    expect(screen.queryByRole("alertdialog")).toBeNull();
    act(() => reportError({ code: "damaged", message: "the library is damaged" }));
    expect(await screen.findByRole("alertdialog")).toBeInTheDocument();
  });
});
