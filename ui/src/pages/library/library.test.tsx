import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { chooseTransport, currentWorkspace, enterWorkspace } from "@/api/client";
import { handlers } from "@/api/fake";
import { libraryHandlers, nothingGone, runningJob } from "@/api/fake/library";
import { models } from "@/api/fake/settings";
import { idOf } from "@/api/recording";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type {
  CorpusDetails,
  DocumentRow,
  Glance,
  Job,
  JobFile,
  Overview,
  Preflight,
  StoredChunk,
} from "@/api/types";
import { EmbedQuestion } from "@/app/EmbedQuestion";
import { ErrorDialog } from "@/app/ErrorDialog";
import { HeaderContext } from "@/parts/PageHeader";
import { followJobs } from "@/state/jobs";
import { href } from "@/state/router";
import { expectAccessible, show } from "@/test/render";
import { askToAdd } from "./adding";
import LibraryPage from "./index";
import { canCancel, canResume, jobToShow, stagesOf } from "./job";
import Over from "./Over";

let fake: FakeTransport;

function open(changed: typeof handlers = {}) {
  fake = fakeTransport({ ...handlers, ...libraryHandlers(), ...changed });
  chooseTransport(fake);
  show(
    <>
      <LibraryPage />
      <Over />
      <ErrorDialog />
      <EmbedQuestion />
    </>,
  );
}

const retried = () => fake.calls.filter((each) => each.command === "job.retry").map((each) => each.input);
const started = () => fake.calls.filter((each) => each.command === "ingest.start").map((each) => each.input);

beforeEach(() => {
  localStorage.clear();
  askToAdd([]);
  window.location.hash = href("library");
});

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
  const sent = (command: string) =>
    fake.calls.filter((each) => each.command === command).map((each) => each.input);

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
    expect(fake.calls.filter((each) => each.command === "shell.pick_files")).toHaveLength(1);
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
    fake = fakeTransport({
      ...handlers,
      ...all,
      "library.overview": async (input, call) => {
        const found = structuredClone((await all["library.overview"]?.(input, call)) as Overview);
        for (const { corpus } of found.corpora) corpus.name = names.get(corpus.id) ?? corpus.name;
        return found;
      },
    });
    chooseTransport(fake);
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

const sent = (command: string) =>
  fake.calls.filter((each) => each.command === command).map((each) => each.input);

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
    chooseTransport(fakeTransport({ ...handlers, "library.overview": () => nothing }));
    const actions = document.body.appendChild(document.createElement("div"));
    show(
      <HeaderContext value={{ context: null, actions }}>
        <LibraryPage />
      </HeaderContext>,
    );
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

const file = (ordinal: number, state: JobFile["state"]): JobFile => ({
  ordinal,
  origin: `/${ordinal}.md`,
  path: `${ordinal}.md`,
  moved_from: null,
  corpus: "docs",
  state,
  stage: "store",
  result: state === "done" ? "created" : null,
  chunks: 1,
  pages: null,
  seconds: null,
  code: null,
  error: null,
});

type Asked = { states?: string[]; offset?: number; limit?: number };

/** Rows as the engine gives them: those in one of the states, from the offset on. */
const paged =
  (rows: readonly JobFile[]) =>
  ({ states = [], offset = 0, limit = 1_000 }: Asked) =>
    rows.filter((each) => states.length === 0 || states.includes(each.state)).slice(offset, offset + limit);

/** Scrolls a table to where the row `index` stands and waits for it. */
async function scrollTo(table: string, index: number, name: string, height = 28) {
  const grid = await screen.findByRole("grid", { name: table });
  const region = grid.querySelector(".scrolls") as HTMLElement;
  fireEvent.scroll(region, { target: { scrollTop: index * height } });
  return within(grid).findByText(name);
}

describe("a list of more rows than a page", () => {
  const failures = Array.from({ length: 2_500 }, (_, ordinal) => file(ordinal + 500, "failed"));
  const files = [...Array.from({ length: 500 }, (_, ordinal) => file(ordinal, "done")), ...failures];
  const report = {
    ...job(9, "paused").report,
    failed: failures.map(({ path }) => ({
      path,
      line: null,
      page: null,
      page_label: null,
      code: "io",
      message: "",
    })),
  };
  const many = {
    "job.list": () => [job(9, "paused", { files: 3_200, files_done: 3_000, report })],
    "job.files": paged(files),
  };
  const pagesOf = (command: string) => (sent(command) as Asked[]).map(({ offset }) => offset);

  it("counts all files of a job, and asks for the first page alone", async () => {
    open(many);
    for (const name of ["All 3,200", "Queued 200", "Done 500", "Failed 2,500"])
      expect(await screen.findByRole("radio", { name })).toBeInTheDocument();
    await screen.findByText("0.md");
    expect(new Set(pagesOf("job.files"))).toEqual(new Set([0]));
    expect(screen.getByRole("grid", { name: "Files in the job" })).toHaveAttribute("aria-rowcount", "3201");
  });

  it("reaches each of 2,500 failed files by scrolling", async () => {
    open(many);
    await userEvent.click(await screen.findByRole("radio", { name: "Failed 2,500" }));
    await screen.findByText("500.md");
    await scrollTo("Files in the job", 990, "1490.md");
    await scrollTo("Files in the job", 1_990, "2490.md");
    await scrollTo("Files in the job", 2_490, "2999.md");
    expect(screen.getByRole("grid", { name: "Files in the job" })).toHaveAttribute("aria-rowcount", "2501");
  });

  it("loads all before it is sorted, for the last may be the first", async () => {
    open(many);
    await userEvent.click(await screen.findByRole("radio", { name: "Failed 2,500" }));
    await screen.findByText("500.md");
    const head = screen.getByRole("button", { name: "File" });
    await userEvent.click(head);
    await userEvent.click(head);
    expect(await screen.findByText("2999.md")).toBeInTheDocument();
  });

  it("says so where a further page fails, and tries again", async () => {
    let broken = true;
    open({
      ...many,
      "job.files": (input: Asked) => {
        if (broken && (input.offset ?? 0) > 0) throw { code: "storage", message: "The disk is gone." };
        return paged(files)(input);
      },
    });
    await screen.findByText("0.md");
    const region = screen.getByRole("grid", { name: "Files in the job" }).querySelector(".scrolls");
    fireEvent.scroll(region as HTMLElement, { target: { scrollTop: 990 * 28 } });
    const alert = await screen.findByRole("alert");
    broken = false;
    await userEvent.click(within(alert).getByRole("button", { name: "Retry" }));
    await scrollTo("Files in the job", 1_200, "1200.md");
  });

  it("reaches every document of a corpus", async () => {
    const rows = (await libraryHandlers()["document.list"]?.(
      { corpus: "Transition notes" },
      {} as never,
    )) as DocumentRow[];
    const documents = Array.from({ length: 2_500 }, (_, id) => ({
      ...(rows[0] as DocumentRow),
      id,
      title: `Report ${id}`,
      issuer: id === 1 ? "Northwind Energy plc" : null,
      year: id === 1 ? 2024 : null,
    }));
    window.location.hash = href("library", [], { corpus: "Transition notes" });
    open({
      "document.list": ({ offset = 0, limit }: Asked) =>
        documents.slice(offset, limit === undefined ? undefined : offset + limit),
    });
    await userEvent.click(await screen.findByRole("radio", { name: /^Documents/ }));
    await screen.findByText("Report 0");
    // Titles alone are often the same.
    expect(screen.getByText("Report 1").closest("a")).toHaveTextContent(
      "Report 1Northwind Energy plc · 2024",
    );
    expect(pagesOf("document.list")).toEqual([0]);
    await scrollTo("Documents", 990, "Report 990", 58);
    await scrollTo("Documents", 1_990, "Report 1990", 58);
    await scrollTo("Documents", 2_490, "Report 2499", 58);
  });

  describe("the chunks of a corpus", () => {
    const answered = (command: "document.list" | "chunk.list", input: object) =>
      ({ ...handlers, ...libraryHandlers() })[command]?.(input as never, {} as never) as Promise<unknown[]>;
    /** Opens the chunks of 2,500 documents with two each; `ask` hears of each call for some of them. */
    async function chunks(ask: () => void = () => undefined) {
      const [row] = (await answered("document.list", { corpus: "Transition notes" })) as DocumentRow[];
      const [chunk] = (await answered("chunk.list", {
        document: idOf("northwind"),
        offset: 0,
        limit: 1,
      })) as StoredChunk[];
      if (!row || !chunk) throw new Error("the in-memory library is empty");
      const documents = Array.from({ length: 2_500 }, (_, id) => ({ ...row, id, chunks: 2 }));
      const inspect = libraryHandlers()["corpus.inspect"];
      window.location.hash = href("library", [], { corpus: "Transition notes" });
      open({
        "document.list": ({ offset = 0, limit }: Asked) =>
          documents.slice(offset, limit === undefined ? undefined : offset + limit),
        "chunk.list": ({ document }: { document: number }) => {
          ask();
          return [0, 1].map((ordinal) => ({
            ...chunk,
            row: { ...chunk.row, document_id: document, ordinal },
            passage: `Passage ${document}.${ordinal}`,
          }));
        },
        "corpus.inspect": async (...given: Parameters<NonNullable<typeof inspect>>) => {
          const details = (await inspect?.(...given)) as CorpusDetails;
          return { ...details, overview: { ...details.overview, chunks: 5_000 } };
        },
      });
      await userEvent.click(await screen.findByRole("radio", { name: /^Chunks/ }));
    }

    it("are counted at once, and their documents are loaded page by page", async () => {
      await chunks();
      expect(await screen.findByText("Passage 0.0")).toBeInTheDocument();
      expect(screen.getByText("Passage 0.0").closest("[role=option]")).toHaveAttribute(
        "aria-setsize",
        "5000",
      );
      expect(pagesOf("document.list")).toEqual([0]);
      const region = screen.getByRole("listbox", { name: "Chunks" }).parentElement as HTMLElement;
      fireEvent.scroll(region, { target: { scrollTop: 4_990 * 50 } });
      expect(await screen.findByText("Passage 2495.0")).toBeInTheDocument();
      expect(pagesOf("document.list")).toEqual([0, 1_000, 2_000]);
    });

    it("say so where some could not be loaded, and are loaded again", async () => {
      let broken = true;
      await chunks(() => {
        if (broken) throw { code: "storage", message: "The disk is gone." };
      });
      const alert = await screen.findByRole("alert");
      expect(alert).toHaveTextContent("The disk is gone.");
      broken = false;
      await userEvent.click(within(alert).getByRole("button", { name: "Retry" }));
      expect(await screen.findByText("Passage 0.0")).toBeInTheDocument();
    });
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
    await expectAccessible(dialog);
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

describe("reading again", () => {
  it("asks first, for a corpus and for a document", async () => {
    window.location.hash = href("library", [], { corpus: "Transition notes" });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Ingest again…" }));
    const corpus = await screen.findByRole("alertdialog", { name: "Ingest “Transition notes” again?" });
    expect(started()).toEqual([]);
    await userEvent.click(within(corpus).getByRole("button", { name: "Ingest again" }));
    await waitFor(() => expect(started()).toHaveLength(1));
    await userEvent.click(screen.getByRole("radio", { name: "Documents 12" }));
    const name = "Transition notes, document 2";
    await userEvent.click(await screen.findByRole("button", { name: `Ingest ${name} again` }));
    const document = await screen.findByRole("alertdialog", { name: `Ingest “${name}” again?` });
    await userEvent.click(within(document).getByRole("button", { name: "Ingest again" }));
    await waitFor(() =>
      expect(started()).toEqual([
        { sources: [{ kind: "corpus", name: "Transition notes" }], force: true, embed: "instant" },
        { sources: [{ kind: "document", id: 7001 }], force: true, embed: "instant" },
      ]),
    );
  });
});

const changes = { created: 0, updated: 0, unchanged: 0, deleted: 0 };
const job = (id: number, state: Job["state"], rest: Partial<Job> = {}): Job => ({
  id,
  kind: "ingest",
  state,
  interrupted: false,
  workspace: "default",
  report: {
    status: "unfinished",
    failed_in: null,
    failed_code: null,
    documents: changes,
    chunks: changes,
    failed: [],
    refused: [],
    skipped: [],
    notices: [],
    counts: {},
    gone: nothingGone(),
    embedded: {},
    seconds: 0,
  },
  error: null,
  files: 4,
  files_done: 1,
  pages: 0,
  created_at: "2025-11-19T09:58:00Z",
  updated_at: "2025-11-19T09:58:00Z",
  ...rest,
});

describe("a file that failed", () => {
  const name = "meridian-foods-sustainability.pdf";

  it("is tried again alone from its row", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: `Retry ${name}` }));
    await waitFor(() => expect(retried()).toEqual([{ id: 7, file: 3 }]));
  });

  it("is tried again while the others are still at work", async () => {
    open({ "job.list": () => [job(7, "running")] });
    await userEvent.click(await screen.findByRole("button", { name: `Retry ${name}` }));
    await waitFor(() => expect(retried()).toEqual([{ id: 7, file: 3 }]));
  });

  it("says why in its details, and is tried again from there", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: `Details of ${name}` }));
    const dialog = await screen.findByRole("alertdialog", { name: `${name} couldn’t be ingested` });
    expect(dialog).toHaveTextContent("No text layer on 61 of 88 pages");
    expect(dialog).toHaveTextContent("no_text");
    await userEvent.click(within(dialog).getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(retried()).toEqual([{ id: 7, file: 3 }]));
  });
});

describe("a locked file", () => {
  it("is read again with the password that its row asks for", async () => {
    const locked = { ...file(2, "failed"), code: "password_needed" };
    open({ "job.list": () => [job(9, "done", { files: 1 })], "job.files": () => [locked] });
    await userEvent.click(await screen.findByRole("button", { name: "Enter the password for 2.md" }));
    const dialog = await screen.findByRole("dialog", { name: "Enter the password for 2.md" });
    await expectAccessible(dialog);
    const field = within(dialog).getByLabelText("Password");
    expect(field).toHaveAttribute("type", "password");
    expect(within(dialog).getByRole("button", { name: "Ingest the file" })).toBeDisabled();
    // Every box is at the origin here, so a press of the pointer would go to the edge of a pane.
    await waitFor(() => expect(field).toHaveFocus());
    await userEvent.keyboard("open sesame{Enter}");
    await waitFor(() => expect(retried()).toEqual([{ id: 9, file: 2 }]));
    expect(sent("ingest.unlock")).toEqual([{ passwords: ["open sesame"] }]);
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
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
    await expectAccessible(dialog);
    expect(within(dialog).getByTestId("add-start")).toBeDisabled();
    act(() => field.focus());
    await userEvent.keyboard("open sesame{Enter}");
    await waitFor(() => expect(within(dialog).queryByLabelText("Password")).not.toBeInTheDocument());
    expect(sent("ingest.unlock")).toEqual([{ passwords: ["open sesame"] }]);
    await waitFor(() => expect(within(dialog).getByTestId("add-start")).toBeEnabled());
  });
});

describe("a text that the provider refuses", () => {
  it("is named with its cure, and asked for again from there", async () => {
    const refused = [
      {
        path: "paper.md",
        line: null,
        page: 4,
        page_label: null,
        code: "embedding_refused",
        message: "too long; shorten it",
      },
    ];
    open({ "job.list": () => [job(9, "done", { report: { ...job(9, "done").report, refused } })] });
    const dock = await screen.findByTestId("job-dock");
    expect(within(dock).getByText("The provider refused to embed 1 chunk")).toBeInTheDocument();
    expect(within(dock).getByText("paper.md: too long; shorten it")).toBeInTheDocument();
    await userEvent.click(within(dock).getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(retried()).toEqual([{ id: 9 }]));
  });
});

describe("the stages of a job at work", () => {
  it("tell what they did, how fast and for how much", async () => {
    open({ "job.list": () => [job(7, "running")] });
    const stop = followJobs();
    const dock = await screen.findByTestId("job-dock");
    act(() => fake.emit({ job: runningJob }));
    for (const words of [
      "5 files · 5,914 pages · 1 failed",
      "17,804 chunks · 71 pages/s",
      "11,549 · 92/s · $0.08 of $0.14 · text-embedding-3-small",
      "11,170 rows",
    ])
      expect(await within(dock).findByText(words)).toBeInTheDocument();
    expect(await screen.findByRole("row", { name: /aurelia/ })).toHaveTextContent("Chunking 212 pages");
    expect(screen.getByRole("row", { name: /halden/ })).toHaveTextContent("Stored in 38 s");
    act(() => fake.emit({ job: { ...runningJob, ocr_pages: 40, ocr_done: 3 } }));
    expect(
      await within(dock).findByText("5 files · 5,914 pages · OCR: 3 of 40 pages · 1 failed"),
    ).toBeInTheDocument();
    stop();
  });
});

describe("a job", () => {
  it("goes on where it rests and is given up while it lives", () => {
    const table = [
      ["queued", false, true],
      ["running", false, true],
      ["paused", true, true],
      ["cancelled", true, false],
      ["failed", true, false],
      ["done", false, false],
    ] as const;
    for (const [state, resume, cancel] of table)
      expect([state, canResume(job(1, state)), canCancel(job(1, state))]).toEqual([state, resume, cancel]);
    expect(canResume(job(1, "running", { interrupted: true }))).toBe(true);
  });

  it("counts each stage by the files that are through with it", () => {
    const event = {
      ...runningJob,
      files: 4,
      files_done: 1,
      files_read: 3,
      files_cut: 2,
      embedded: 10,
      to_embed: 40,
    };
    const shares = stagesOf({ job: job(1, "running"), event }).map(({ share }) => share);
    expect(shares).toEqual([0.75, 0.5, 0.25, 0.25]);
    expect(stagesOf({ job: job(1, "done"), event: undefined }).every(({ kind }) => kind === "ok")).toBe(true);
    expect(stagesOf({ job: job(1, "done", { kind: "embed" }), event: undefined })).toHaveLength(1);
  });

  it("that is at work is shown before newer ones that wait", () => {
    const jobs = [job(3, "queued"), job(2, "running"), job(1, "done")];
    expect(jobToShow(jobs, "")?.id).toBe(2);
    expect(jobToShow(jobs, "1")?.id).toBe(1);
    expect(jobToShow([], "")).toBeUndefined();
  });
});
