import { act, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { handlers } from "@/api/fake";
import { idOf, recorded } from "@/api/recording";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type {
  ChunkingDifference,
  ChunkingRequest,
  DocumentRow,
  FactRow,
  LabelPlace,
  MatrixPlan,
  NoticeView,
  PageBlock,
  PageLayout,
  PageQuery,
  StoredChunk,
} from "@/api/types";
import { toggleChartTables } from "@/kit/chart-tables";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { HeaderContext } from "@/parts/PageHeader";
import { href } from "@/state/router";
import { show } from "@/test/render";
import { percent } from "@/text/format";
import { writeLike } from "@/text/locale";
import { holdsWhole } from "./cut";
import { pageAt } from "./Facsimile";
import ChunkLabPage from "./index";
import { page } from "./page";

// CodeMirror measures text, which jsdom cannot.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();

// Whether something is hidden is dear to find out in a large page, and nothing here hides.
configure({ defaultHidden: true });

const NORTHWIND = idOf<number>("northwind");
const HALDEN = idOf<number>("halden");
const chunkOf = (place: number) => idOf<string>(`northwind#${place}`);
/** A configuration in the address that cuts smaller chunks than the reports have. */
const smaller = (tokens: number) => `report~target_tokens~${tokens}~min_tokens~80~overlap_tokens~48`;
/** The nearest chunk of the first one. */
const [nearest] = recorded("chunk.neighbours", { chunk_id: chunkOf(0), limit: 5 }).chunks;
const strategies = recorded("strategy.list", {});
let fake: FakeTransport;

function open(query: Record<string, string> = {}, changed: typeof handlers = {}) {
  window.location.hash = href("chunk-lab", [], { document: String(NORTHWIND), ...query });
  fake = fakeTransport({ ...handlers, ...changed });
  chooseTransport(fake);
  const slots = {
    context: document.createElement("div"),
    actions: document.body.appendChild(document.createElement("div")),
  };
  return show(
    <HeaderContext value={slots}>
      <ChunkLabPage />
    </HeaderContext>,
  );
}

const previews = () =>
  fake.calls
    .filter((each) => each.command === "chunk.preview")
    .map((each) => each.input as Partial<ChunkingRequest>);
const list = () => screen.findByRole("listbox", { name: "Chunks" });
const chunks = async () => (await screen.findByTestId("chunk-lab-stats")).textContent?.match(/^[\d,]+/)?.[0];
/** A cut of the document, as the engine made it. */
const cutOfDocument = (request: Partial<ChunkingRequest>) => recorded("chunk.preview", request);
/** The stored cut of the document. */
const previewOf = () => cutOfDocument({ source: { kind: "document", id: NORTHWIND } });
const enter = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const type = (name: string, value: string) => enter(screen.getByRole("textbox", { name }), value);
const press = (key: string) => act(() => void handleKey(new KeyboardEvent("keydown", { key })));

beforeEach(() => {
  sessionStorage.clear();
  defineShortcuts(page.shortcuts ?? []);
});

describe("the document", () => {
  it("shows source, figures, list and inspector", async () => {
    open();
    const rows = within(await list()).getAllByRole("option");
    expect(rows[0]).toHaveAttribute("aria-selected", "true");
    const source = screen.getByRole("textbox", { name: "Source" });
    expect(source).toHaveTextContent("Northwind Energy plc: climate report 2024");
    expect(source).toHaveTextContent("#1");
    expect(await screen.findByRole("list", { name: "Nearest chunks" })).toHaveTextContent(
      nearest?.similarity.toFixed(3).slice(1) ?? "",
    );
    expect(screen.getByRole("heading", { name: "Chunk 1" })).toBeInTheDocument();
  });

  it("takes the first document of the library where none is named", async () => {
    window.location.hash = "";
    fake = fakeTransport({
      ...handlers,
      "document.list": () => [{ id: HALDEN, title: "Halden" } as DocumentRow],
    });
    chooseTransport(fake);
    show(<ChunkLabPage />);
    await list();
    expect(previews()[0]?.source).toEqual({ kind: "document", id: HALDEN });
  });

  it("shows everything that was noticed while reading", async () => {
    const preview = previewOf();
    const notice: NoticeView = {
      severity: "info",
      code: "icon_glyphs",
      line: null,
      page: 2,
      page_label: "ii",
      message: "3 icons were left out",
    };
    const { structure } = preview;
    const noticed = structure && {
      ...structure,
      notices: [notice, { ...notice, severity: "warning", page: null, message: "A page has no text" }],
    };
    open({}, { "chunk.preview": () => ({ ...preview, structure: noticed }) });
    expect(await screen.findByText("A page has no text.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "2 notices" }));
    const shown = await screen.findByRole("list", { name: "Notices from reading" });
    expect(
      within(shown)
        .getAllByRole("listitem")
        .map((each) => each.textContent),
    ).toEqual(["p. 2\u00a0(ii): 3 icons were left out.", "A page has no text."]);
  });

  it("says that there is none", async () => {
    window.location.hash = "";
    chooseTransport(fakeTransport({ ...handlers, "document.list": () => [] }));
    show(<ChunkLabPage />);
    expect(await screen.findByText("No document to chunk yet.")).toBeInTheDocument();
  });

  it("tells a failure in its place and tries again", async () => {
    let broken = true;
    open(
      {},
      {
        "chunk.preview": (input, call) => {
          if (broken) throw { code: "storage", message: "disk I/O error" };
          return handlers["chunk.preview"]?.(input, call);
        },
      },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    await list();
  });

  it("claims nothing of a chunk whose stored copy could not be loaded", async () => {
    open(
      {},
      {
        "chunk.list": () => {
          throw { code: "storage", message: "disk I/O error" };
        },
      },
    );
    await list();
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
    expect(screen.queryByText("not with this text")).toBeNull();
  });

  it("is chosen from a list that narrows while typing", async () => {
    open();
    await list();
    await userEvent.click(screen.getByRole("button", { name: /^Document:/ }));
    enter(await screen.findByRole("searchbox", { name: "Find a document" }), "halden");
    const found = within(await screen.findByRole("listbox", { name: "Documents" }));
    await userEvent.click(await found.findByText(/^Halden Shipping.*fictional/));
    await waitFor(() => expect(previews().at(-1)?.source).toEqual({ kind: "document", id: HALDEN }));
  });

  it("can be a text that is pasted, or a file that is dropped", async () => {
    open();
    await list();
    fireEvent.paste(document.body, { clipboardData: { getData: () => "# Mine\n\nA text of my own." } });
    await waitFor(() =>
      expect(previews().at(-1)?.source).toMatchObject({ kind: "text", text: "# Mine\n\nA text of my own." }),
    );
    expect(
      await screen.findByText("Not in the library, so there is nothing to apply this to."),
    ).toBeInTheDocument();
    act(() => fake.drag({ kind: "drop", paths: ["/tmp/halden-shipping-esg-2024.md"], x: 0, y: 0 }));
    await waitFor(() =>
      expect(previews().at(-1)?.source).toEqual({ kind: "path", path: "/tmp/halden-shipping-esg-2024.md" }),
    );
  });
});

describe("the source", () => {
  const MEMO = "# Memo\n\nA **strong** word.\n\n| Site | Use |\n|---|---|\n| Ostend | 1,200 |\n| Lyon |  |\n";

  it("lays tables out in columns and hides marks, with every character still there to be copied", async () => {
    open();
    await list();
    fireEvent.paste(document.body, { clipboardData: { getData: () => MEMO } });
    await waitFor(() => expect(document.querySelector(".strong")).toHaveTextContent("strong"));
    const source = screen.getByRole("textbox", { name: "Source" });
    const content = document.querySelector(".cm-content") as HTMLElement;
    const cells = [...content.querySelectorAll<HTMLElement>(".cell")];
    expect(cells.map((cell) => cell.textContent)).toEqual(["Site", "Use", "Ostend", "1,200", "Lyon", ""]);
    expect(new Set(cells.filter((_, at) => at % 2 === 0).map((cell) => cell.style.width)).size).toBe(1);
    expect(cells[3]).toHaveClass("figure");
    expect(content.querySelector(".rule")).toHaveTextContent("|---|---|");
    expect(content.querySelector(".heading1 .hidden")).toHaveTextContent("#");
    const lines = [...content.querySelectorAll(".cm-line")].map((line) => {
      const copy = line.cloneNode(true) as HTMLElement;
      for (const drawn of copy.querySelectorAll(".start")) drawn.remove();
      return copy.textContent;
    });
    expect(lines.join("\n")).toBe(MEMO);
    const range = document.createRange();
    range.setStart(cells[0]?.firstChild as Node, 0);
    range.setEnd(cells[3]?.firstChild as Node, 5);
    const selection = document.getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
    const copied: Record<string, string> = {};
    fireEvent.copy(source, {
      clipboardData: { setData: (kind: string, text: string) => (copied[kind] = text) },
    });
    expect(copied["text/plain"]).toBe("Site | Use |\n|---|---|\n| Ostend | 1,200");
    selection?.removeAllRanges();
  });

  it("lets the lines of a paragraph flow, with every break still there to be copied", async () => {
    open();
    await list();
    const WRAPPED = "# Memo\n\nA paragraph that\nsomebody wrapped\nby hand.\n\nAnother.\n";
    fireEvent.paste(document.body, { clipboardData: { getData: () => WRAPPED } });
    const line = await waitFor(() => {
      const found = [...document.querySelectorAll<HTMLElement>(".cm-content .cm-line")].find((each) =>
        each.textContent?.includes("A paragraph"),
      );
      expect(found).toHaveTextContent(/A paragraph that somebody wrapped by hand\.$/);
      return found as HTMLElement;
    });
    const words = [...line.childNodes].flatMap((node) => {
      const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      for (let at: Node | null = walk.currentNode; at; at = walk.nextNode())
        if (at.nodeType === Node.TEXT_NODE) texts.push(at);
      return texts;
    });
    const range = document.createRange();
    range.setStart(words.find((each) => each.textContent?.includes("A paragraph")) as Node, 0);
    range.setEnd(words.find((each) => each.textContent?.includes("by hand")) as Node, 7);
    const selection = document.getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
    const copied: Record<string, string> = {};
    fireEvent.copy(screen.getByRole("textbox", { name: "Source" }), {
      clipboardData: { setData: (kind: string, text: string) => (copied[kind] = text) },
    });
    expect(copied["text/plain"]).toBe("A paragraph that\nsomebody wrapped\nby hand");
    selection?.removeAllRanges();
  });
});

describe("parameters", () => {
  it("that cannot be listed say so, and are asked for again", async () => {
    let broken = true;
    open(
      {},
      {
        "strategy.list": () => {
          if (broken) throw { code: "storage", message: "disk I/O error" };
          return strategies;
        },
      },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
    broken = false;
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    await list();
  });

  it("are drawn from the strategy's own declaration", async () => {
    open(
      {},
      {
        "strategy.list": () => [
          ...strategies,
          {
            name: "novel",
            summary: "Cuts novels.",
            params: [
              {
                name: "pages_each",
                kind: "integer",
                min: 1,
                max: 9,
                options: [],
                default: 3,
                unit: "pages",
                description: "How many.",
              },
              {
                name: "by",
                kind: "choice",
                min: null,
                max: null,
                options: ["scene", "chapter"],
                default: "scene",
                unit: "",
                description: "",
              },
              {
                name: "mark",
                kind: "text",
                min: null,
                max: null,
                options: [],
                default: "***",
                unit: "",
                description: "",
              },
            ],
          },
        ],
        "chunk.preview": (input: ChunkingRequest, call) =>
          handlers["chunk.preview"]?.(
            input.strategy === "novel" ? { ...input, strategy: null, settings: null } : input,
            call,
          ),
      },
    );
    await list();
    await userEvent.click(screen.getByRole("combobox", { name: "Strategy" }));
    await userEvent.click(await screen.findByRole("option", { name: "novel" }));
    expect(await screen.findByRole("slider", { name: "Pages each" })).toHaveAttribute("aria-valuemax", "9");
    expect(screen.getByRole("combobox", { name: "By" })).toHaveValue("scene");
    expect(screen.getByRole("textbox", { name: "Mark" })).toHaveValue("***");
  });

  it("chunked again while typing, without asking for the text again, and stand in the address", async () => {
    open();
    await list();
    const before = await chunks();
    type("Target tokens", "160");
    await waitFor(async () => expect(await chunks()).not.toBe(before));
    expect(previews().at(-1)).toMatchObject({
      strategy: "report",
      settings: { target_tokens: 160 },
      chunks_only: true,
    });
    await waitFor(() => expect(window.location.hash).toContain("a=report%7Etarget_tokens%7E160"));
    expect(await screen.findByTestId("chunk-lab-difference")).toHaveTextContent(/^Library \+\d+ −\d+/);
  });

  it("lets the latest change win and drops those between", async () => {
    const waiting: (() => void)[] = [];
    open(
      {},
      {
        "chunk.preview": async (input: ChunkingRequest, call) => {
          if (input.settings) await new Promise<void>((resolve) => waiting.push(resolve));
          return handlers["chunk.preview"]?.(input, call);
        },
      },
    );
    await list();
    const less = screen.getByRole("slider", { name: "Target tokens" });
    less.focus();
    for (let count = 0; count < 5; count += 1) await userEvent.keyboard("{ArrowLeft}");
    expect(waiting).toHaveLength(1);
    await act(async () => waiting[0]?.());
    await waitFor(() => expect(waiting).toHaveLength(2));
    await act(async () => waiting[1]?.());
    const asked = previews().flatMap(({ settings }) => settings?.target_tokens ?? []);
    expect(asked).toEqual([319, 315]);
    await waitFor(() =>
      expect(screen.getByTestId("chunk-lab-rebuilt")).toHaveAttribute("data-pending", "false"),
    );
  });

  it("that contradict each other are refused in place, and the last cut stays", async () => {
    open();
    await list();
    const before = await chunks();
    type("Maximum", "200");
    expect(await screen.findByRole("alert")).toHaveTextContent("is above `max_tokens`");
    expect(await chunks()).toBe(before);
  });

  it("have keys: nudge, overlap, the other configuration", async () => {
    open();
    await list();
    press("]");
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Target tokens" })).toHaveValue("330"));
    press("o");
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Overlap" })).toHaveValue("0"));
    press("x");
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Overlap" })).toHaveValue("48"));
  });
});

describe("selection", () => {
  it("is one in list, source and inspector, and moves with J and K", async () => {
    open();
    const rows = within(await list()).getAllByRole("option");
    await userEvent.click(rows[2] as HTMLElement);
    expect(await screen.findByRole("heading", { name: "Chunk 3" })).toBeInTheDocument();
    press("j");
    expect(await screen.findByRole("heading", { name: "Chunk 4" })).toBeInTheDocument();
    press("k");
    press("k");
    expect(await screen.findByRole("heading", { name: "Chunk 2" })).toBeInTheDocument();
    await waitFor(() =>
      expect(
        within(screen.getByRole("listbox", { name: "Chunks" })).getByRole("option", { selected: true }),
      ).toHaveTextContent("2"),
    );
  });

  it("follows a link to a stored chunk, and stays at its place when the cut changes", async () => {
    open({ chunk: chunkOf(5) });
    expect(await screen.findByRole("heading", { name: "Chunk 6" })).toBeInTheDocument();
    const text = screen.getByRole("region", { name: "Embedded text" }).textContent ?? "";
    type("Target tokens", "150");
    await waitFor(() => expect(screen.queryByRole("heading", { name: "Chunk 6" })).not.toBeInTheDocument());
    expect(text).toContain(
      (screen.getByRole("region", { name: "Embedded text" }).textContent ?? "")
        .split("\n\n")
        .at(-1)
        ?.slice(0, 40),
    );
  });

  it("shows the values that the report tags in a stored chunk", async () => {
    const fact: FactRow = {
      document_id: NORTHWIND,
      ordinal: 4,
      document: "Northwind",
      concept: "esrs:GrossScope1",
      value: "1032600",
      numeric: true,
      unit: "esrs:tCO2e",
      decimals: "0",
      period: "2024-01-01/2024-12-31",
      entity: "0000123",
      dimensions: [["esrs:SiteAxis", "mill:North"]],
      anchor: "f1",
      chunk_id: chunkOf(5),
    };
    open({ chunk: chunkOf(5) }, { "fact.list": () => [fact] });
    const facts = await screen.findByRole("list", { name: "Tagged values" });
    expect(facts).toHaveTextContent("esrs:GrossScope1");
    expect(facts).toHaveTextContent("1032600 esrs:tCO2e");
    expect(facts).toHaveTextContent("2024-01-01 – 2024-12-31 · 0000123 · esrs:SiteAxis = mill:North · #f1");
    const asked = fake.calls.filter((each) => each.command === "fact.list").map((each) => each.input);
    expect(asked).toContainEqual({ chunk_id: chunkOf(5), limit: 200 });
  });

  it("says where a link doesn’t match anything any more", async () => {
    open({ chunk: "feedfeedfeedfeed" });
    await list();
    await waitFor(() => expect(window.location.hash).not.toContain("feedfeed"));
    expect(screen.getByRole("heading", { name: "Chunk 1" })).toBeInTheDocument();
  });

  it("shows exactly what is embedded, with what is repeated apart", async () => {
    open({ a: smaller(150) });
    const rows = within(await list()).getAllByRole("option");
    await userEvent.click(rows[1] as HTMLElement);
    const stored = cutOfDocument({
      source: { kind: "document", id: NORTHWIND },
      strategy: "report",
      settings: { target_tokens: 150, min_tokens: 80, overlap_tokens: 48 },
      chunks_only: true,
    });
    const header = stored.chunks[1]?.view.pieces[0];
    const text = screen.getByRole("region", { name: "Embedded text" });
    expect(header?.kind === "generated" && text.textContent?.startsWith(`${header.text}\n\n`)).toBe(true);
    expect(text.querySelector("[data-role=overlap]")).not.toBeNull();
  });
});

describe("warnings", () => {
  it("narrow the list and lead from one to the next", async () => {
    open();
    await list();
    await userEvent.click(screen.getByRole("button", { name: "1 orphan" }));
    const row = within(await list()).getByRole("option");
    expect(row).toHaveTextContent("orphan");
    await userEvent.click(
      within(screen.getByTestId("chunk-lab-stats")).getByRole("button", { name: "Show" }),
    );
    const number = /^(\d+)/.exec(row.textContent ?? "")?.[1];
    expect(await screen.findByRole("heading", { name: `Chunk ${number}` })).toBeInTheDocument();
    expect(screen.getByRole("img", { name: /^Map of the document, 1 orphan/ })).toBeInTheDocument();
  });
});

describe("the map beside the source", () => {
  it("is a table too, of what it tells beyond the list", async () => {
    open();
    await list();
    act(() => toggleChartTables());
    const table = await screen.findByRole("region", { name: "Map of the document" });
    expect(within(table).getByRole("row", { name: /1 orphan/ })).toBeInTheDocument();
    expect(within(table).getByRole("row", { name: /^1 selected.* 0 / })).toBeInTheDocument();
    act(() => toggleChartTables());
    expect(await screen.findByRole("img", { name: /^Map of the document/ })).toBeInTheDocument();
  });
});

describe("the price below Apply", () => {
  it("says that it counts this document alone", async () => {
    const priced: FakeHandlers = {
      "chunk.difference": async (...given) => ({
        ...((await handlers["chunk.difference"]?.(...given)) as ChunkingDifference),
        cost: 0.0001,
      }),
    };
    open({ a: smaller(200) }, priced);
    expect(
      await screen.findByText(/^In this document: re-embeds \d+ chunks, about \$0\.\d+$/),
    ).toBeInTheDocument();
  });
});

describe("the library", () => {
  it("is changed only after the cost was shown and confirmed", async () => {
    open({ a: smaller(200) });
    await list();
    await userEvent.click(screen.getByRole("button", { name: "Apply to corpus…" }));
    const dialog = await screen.findByRole("dialog", { name: "Apply to Reports FY2024" });
    expect(await within(dialog).findByTestId("apply-cost")).toHaveTextContent("$0.02");
    expect(fake.calls.some((each) => each.command === "ingest.start")).toBe(false);
    await userEvent.click(within(dialog).getByRole("button", { name: "Apply and re-embed" }));
    await waitFor(() =>
      expect(fake.calls.find((each) => each.command === "ingest.start")?.input).toMatchObject({
        sources: [{ kind: "corpus", name: "Reports FY2024" }],
        strategy: "report",
        settings: { target_tokens: 200, min_tokens: 80 },
        force: true,
      }),
    );
  });

  it("is estimated from the document on screen where nothing was looked into", async () => {
    open(
      { a: smaller(200) },
      {
        "ingest.preflight": () => ({
          files: [],
          skipped: [],
          bytes: 0,
          pages: 0,
          tokens: 0,
          chunks: 0,
          seconds: 0,
          embedding_seconds: 0,
          cost: null,
          sampled: false,
        }),
      },
    );
    await screen.findByText(/^Library \+/);
    await userEvent.click(screen.getByRole("button", { name: "Apply to corpus…" }));
    expect(await screen.findByText("Estimated from the document shown.")).toBeInTheDocument();
    expect(screen.getByTestId("apply-cost")).toHaveTextContent("Documents46");
  });

  it("is compared with the cut, chunk by chunk", async () => {
    open({ a: smaller(200) });
    await screen.findByText(/^Library \+/);
    await userEvent.click(
      within(screen.getByTestId("chunk-lab-difference").parentElement as HTMLElement).getByRole("button", {
        name: "Show",
      }),
    );
    const dialog = await screen.findByRole("dialog", { name: "Compared with the library" });
    expect(within(dialog).getByTestId("difference")).toHaveTextContent("New chunks");
    expect(await within(dialog).findByRole("listbox", { name: "Removed chunks" })).toBeInTheDocument();
  });
});

describe("comparison", () => {
  it("sets two configurations side by side, with figures and the boundaries that changed", async () => {
    open({ b: "docs~target_tokens~460" });
    await list();
    await userEvent.click(screen.getByRole("radio", { name: "Compare A/B" }));
    expect(await screen.findByRole("textbox", { name: "Source chunked with A" })).toBeInTheDocument();
    expect(screen.getByRole("textbox", { name: "Source chunked with B" })).toBeInTheDocument();
    const row = screen.getByRole("row", { name: /^Chunks/ });
    const [a, b, change] = within(row)
      .getAllByRole("cell")
      .slice(1)
      .map((cell) => Number(cell.textContent?.replace("−", "-").replace(",", "")));
    expect((b ?? 0) - (a ?? 0)).toBe(change);
    const changed = within(screen.getByRole("listbox", { name: "Boundaries changed" })).getAllByRole(
      "option",
    );
    await userEvent.click(changed[0] as HTMLElement);
    await waitFor(() => expect(window.location.hash).toMatch(/view=compare.*|at=/));
    await userEvent.click(screen.getByRole("button", { name: "Edit configuration B" }));
    expect(await screen.findByRole("slider", { name: "Target tokens" })).toBeInTheDocument();
  });
});

describe("words", () => {
  it("are found in the document", async () => {
    open();
    await list();
    await userEvent.click(screen.getByRole("button", { name: "Find in the document" }));
    enter(screen.getByRole("searchbox", { name: "Find in the document" }), "Tomas Reyl");
    expect(await screen.findByText("1 of 1")).toBeInTheDocument();
    fireEvent.keyDown(screen.getByRole("searchbox", { name: "Find in the document" }), { key: "Escape" });
    expect(screen.getByRole("button", { name: "Find in the document" })).toHaveFocus();
  });
});

describe("neighbours", () => {
  it("are there for a chunk that is only tried, of exactly the text that would be embedded", async () => {
    open({ a: "recursive" });
    const embedded = await screen.findByRole("region", { name: "Embedded text" });
    expect(await screen.findByText("not with this text")).toBeInTheDocument();
    expect(await screen.findByRole("list", { name: "Nearest chunks" })).toBeInTheDocument();
    const asked = fake.calls.filter((each) => each.command === "chunk.neighbours_of_text");
    expect(asked.map((each) => each.input)).toEqual([{ text: embedded.textContent, limit: 5 }]);
  });

  it("tell how near they are, the chosen way", async () => {
    writeLike("sv-SE");
    open();
    expect(await screen.findByRole("list", { name: "Nearest chunks" })).toHaveTextContent(
      `,${nearest?.similarity.toFixed(3).slice(2)}`,
    );
    writeLike("en-US");
  });

  it("lead to their own document", async () => {
    const asked: string[] = [];
    open(
      {},
      {
        "chunk.get": (input: { chunk_id: string }, call) => {
          asked.push(input.chunk_id);
          return handlers["chunk.get"]?.(input, call) as StoredChunk;
        },
      },
    );
    const near = await screen.findByRole("list", { name: "Nearest chunks" });
    await userEvent.click(within(near).getAllByRole("button")[0] as HTMLElement);
    await waitFor(() => expect(asked).toEqual([nearest?.chunk.row.chunk_id]));
    expect(
      await screen.findByRole("heading", {
        name: `Chunk ${(nearest?.chunk.row.ordinal ?? 0) + 1}`,
      }),
    ).toBeInTheDocument();
  });
});

describe("the document as it looks", () => {
  const images = () =>
    fake.calls
      .filter((each) => each.command === "document.page_image")
      .map((each) => each.input as PageQuery);

  it("shows the page of the selected chunk with its lines marked, and turns pages by key and number", async () => {
    open({ show: "page" });
    const page = await screen.findByRole("img", { name: /^Page 1 of .*, with chunk 1 marked$/ });
    expect(page).toHaveAttribute("src", expect.stringMatching(/^data:image\/png;base64,/));
    expect(document.querySelectorAll("[data-mark]").length).toBeGreaterThan(0);
    fireEvent.keyDown(screen.getByRole("region", { name: "Page of the document" }), { key: "PageDown" });
    await waitFor(() => expect(images().at(-1)?.page).toBe(2));
    await waitFor(() => expect(window.location.hash).toContain("page=2"));
    type("Page", "5");
    expect(await screen.findByRole("img", { name: /^Page 5 of / })).toBeInTheDocument();
    expect(await screen.findByText("Chunk 1 is not on this page.")).toBeInTheDocument();
  });

  it("reads a document without what cuts it, to the width of the pane, and zooms", async () => {
    open({ show: "page", view: "read" });
    const page = await screen.findByRole("img", { name: /^Page 1 of / });
    expect(screen.queryByRole("listbox", { name: "Chunks" })).toBeNull();
    expect(screen.queryByRole("button", { name: /^Apply/ })).toBeNull();
    const width = () => Number.parseFloat((page.closest("[data-paper]") as HTMLElement).style.width);
    const whole = width();
    const region = screen.getByRole("region", { name: "Page of the document" });
    expect(fireEvent.wheel(region, { deltaY: -100 })).toBe(true);
    expect(width()).toBe(whole);
    expect(fireEvent.wheel(region, { deltaY: -100, ctrlKey: true })).toBe(false);
    expect(width()).toBeCloseTo(whole * 1.25);
    press("+");
    press("-");
    press("-");
    expect(width()).toBeCloseTo(whole);
    await userEvent.click(screen.getByRole("button", { name: "Zoom in" }));
    expect(width()).toBeCloseTo(whole * 1.25);
    await userEvent.click(screen.getByRole("button", { name: "Zoom to width" }));
    expect(width()).toBeCloseTo(whole);
    // No key of the cutting works where it is not shown.
    press("]");
    press("o");
    await waitFor(() => expect(window.location.hash).toContain("view=read"));
    expect(window.location.hash).not.toMatch(/[?&]a=/);
    await userEvent.click(screen.getByRole("radio", { name: "Inspect" }));
    expect(await list()).toBeInTheDocument();
  });

  it("asks for a page once its number is typed, not at each digit", async () => {
    open({ show: "page", page: "5" });
    await screen.findByRole("img", { name: /^Page 5 of / });
    type("Page", "1");
    type("Page", "12");
    await screen.findByRole("img", { name: /^Page 12 of / });
    expect(images().map(({ page }) => page)).toEqual([5, 12]);
  });

  it("follows the selection to the first page of the chunk", async () => {
    open({ show: "page", page: "9" });
    await screen.findByRole("img", { name: /^Page 9 of / });
    const rows = within(await list()).getAllByRole("option");
    await userEvent.click(rows[4] as HTMLElement);
    const marked = await screen.findByRole("img", { name: /, with chunk 5 marked$/ });
    expect(marked).not.toHaveAttribute("alt", expect.stringMatching(/^Page 9 /));
    const stored = previewOf();
    expect(images().at(-1)).toMatchObject({
      document_id: NORTHWIND,
      start: stored.chunks[4]?.view.range[0],
      end: stored.chunks[4]?.view.range[1],
    });
    await waitFor(() => expect(window.location.hash).not.toContain("page=9"));
  });

  it("turns back to the first page without losing the focus", async () => {
    open({ show: "page", page: "2" });
    await screen.findByRole("img", { name: /^Page 2 of / });
    const previous = screen.getByRole("button", { name: "Previous page" });
    previous.focus();
    await userEvent.keyboard("{PageUp}");
    await screen.findByRole("img", { name: /^Page 1 of / });
    expect(previous).toHaveFocus();
    expect(previous).toHaveAttribute("aria-disabled", "true");
    await userEvent.keyboard("{Enter}{PageDown}");
    await screen.findByRole("img", { name: /^Page 2 of / });
    expect(previous).toHaveFocus();
  });

  it("moves once to another chunk of the same page, and not before its lines are known", async () => {
    const { chunks: stored, structure } = previewOf();
    const begins = stored.map(({ view }) => pageAt(structure?.pages ?? [], view.range[0]));
    const first = begins.findIndex(
      (page, at) => at > 0 && begins[at - 1] !== page && begins[at + 1] === page,
    );
    open({ show: "page" });
    const rows = within(await list()).getAllByRole("option");
    await userEvent.click(rows[first] as HTMLElement);
    await screen.findByRole("img", { name: new RegExp(`, with chunk ${first + 1} marked$`) });
    const region = screen.getByRole("region", { name: "Page of the document" });
    const moves: number[] = [];
    Object.defineProperty(region, "scrollTop", { set: (to: number) => moves.push(to), get: () => 0 });
    await userEvent.click(rows[first + 1] as HTMLElement);
    await screen.findByRole("img", { name: new RegExp(`, with chunk ${first + 2} marked$`) });
    expect(moves).toHaveLength(1);
  });

  const mark = { x: 0.1, y: 0.1, width: 0.4, height: 0.05 };
  const block: PageBlock = {
    kind: "paragraph",
    level: null,
    depth: 0,
    text: "Coal was burnt.",
    boxes: [mark],
    rows: [],
    header_rows: 0,
  };
  const laid = (blocks: PageBlock[]) => ({
    "document.page_layout": (): PageLayout => ({
      page: 1,
      pages: 1,
      page_label: null,
      regions: blocks.length > 0 ? [mark, mark] : [],
      blocks,
      overlay: null,
    }),
  });

  it("draws its blocks and their order over it by key", async () => {
    const table: PageBlock = { ...block, kind: "table", text: "Site", rows: [mark, mark], header_rows: 1 };
    const heading: PageBlock = { ...block, kind: "heading", level: 2, text: "Coal" };
    open({ show: "page" }, laid([heading, { ...block, boxes: [mark, mark] }, table]));
    await screen.findByRole("img", { name: /^Page 1 of / });
    expect(screen.queryByRole("list", { name: "Blocks of this page in reading order" })).toBeNull();
    press("b");
    const order = await screen.findByRole("list", { name: "Blocks of this page in reading order" });
    expect(
      within(order)
        .getAllByRole("listitem")
        .map((each) => each.textContent),
    ).toEqual([
      "1 Heading 2Heading 2: Coal",
      "22, continuedText: Coal was burnt.",
      "3 TableTable, 2 rows: Site",
    ]);
    expect(order.querySelectorAll("[data-row]")).toHaveLength(2);
    const legend = screen.getByRole("list", { name: "Kinds of blocks" });
    expect(legend).toHaveTextContent("Region 2Heading 1Text 1Table 1");
    expect(document.querySelectorAll("[data-region]")).toHaveLength(2);
    await waitFor(() => expect(window.location.hash).toContain("blocks=1"));
    await userEvent.click(screen.getByRole("button", { name: "Blocks and reading order", pressed: true }));
    await waitFor(() => expect(window.location.hash).not.toContain("blocks=1"));
    expect(screen.queryByRole("list", { name: "Kinds of blocks" })).toBeNull();
  });

  it("says where no text was read, and what went wrong with the blocks", async () => {
    open({ show: "page", blocks: "1" }, laid([]));
    expect(await screen.findByText("No text was found on this page.")).toBeInTheDocument();
  });

  it("is called by its printed label, too", async () => {
    const preview = previewOf();
    const pages = preview.structure?.pages.map((each, index) =>
      index === 2 ? { ...each, label: "iv" } : each,
    );
    const labelled = {
      ...preview,
      structure: { sections: [], notices: [], about_pages: false, pages: pages ?? [] },
    };
    open({ show: "page", page: "3" }, { "chunk.preview": () => labelled });
    expect(await screen.findByRole("img", { name: /^Page 3\u00a0\(iv\) of / })).toBeInTheDocument();
    expect(screen.getByRole("group", { name: "Turn pages" })).toHaveTextContent("(iv) of");
  });

  it("says in its place what cannot be drawn", async () => {
    open(
      { show: "page" },
      {
        "document.page_image": () => {
          throw {
            code: "page_not_drawn",
            message: "page 1 could not be drawn: the file ends in the middle of it",
          };
        },
      },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Page 1 could not be drawn: the file ends in the middle of it.",
    );
    expect(await list()).toBeInTheDocument();
  });

  it("is its text alone where the format has no pages, and says why", async () => {
    open(
      { show: "page" },
      {
        "document.list": () => [
          { id: NORTHWIND, title: "Notes", format: "markdown", corpus_id: 1 } as DocumentRow,
        ],
      },
    );
    expect(await screen.findByRole("textbox", { name: "Source" })).toBeInTheDocument();
    const page = screen.getByRole("radio", { name: "Page" });
    expect(page).toHaveAttribute("aria-description", "Markdown has no pages to show; only PDF files do");
    await userEvent.click(page);
    expect(screen.getByRole("radio", { name: "Text" })).toBeChecked();
    expect(images()).toEqual([]);
  });
});

describe("the map of the document", () => {
  it("shows its chunks by group, and selects by arrows and by list", async () => {
    open({ show: "map" });
    const map = await screen.findByRole("application", { name: /^Chunks of this document, by meaning/ });
    expect(document.querySelectorAll("[data-group]").length).toBeGreaterThan(1);
    const { model, points, variance } = recorded("embedding.map", { document_id: NORTHWIND, sample: 10_000 });
    const share = percent(variance[0] + variance[1]);
    const caption = `${model}: ${points.length} chunks on the first two principal components, ${share}`;
    expect(screen.getByText(caption, { exact: false })).toBeInTheDocument();
    const ringed = () => document.querySelector("[data-selected]")?.getAttribute("data-selected");
    expect(ringed()).toBe(chunkOf(0));
    fireEvent.keyDown(map, { key: "ArrowDown" });
    fireEvent.keyDown(map, { key: "ArrowRight" });
    await waitFor(() => expect(ringed()).not.toBe(chunkOf(0)));
    const number = (points.find(({ chunk_id }) => chunk_id === ringed())?.ordinal ?? 0) + 1;
    expect(await screen.findByRole("heading", { name: `Chunk ${number}` })).toBeInTheDocument();
    const rows = within(await list()).getAllByRole("option");
    await userEvent.click(rows[1] as HTMLElement);
    await waitFor(() => expect(ringed()).toBe(chunkOf(1)));
  });

  it("is a table too", async () => {
    open({ show: "map" });
    await screen.findByRole("application", { name: /^Chunks of this document/ });
    act(() => toggleChartTables());
    const table = await screen.findByRole("region", { name: "Chunks of this document, by meaning" });
    expect(within(table).getAllByRole("row").length).toBeGreaterThan(10);
    act(() => toggleChartTables());
  });

  it("says so where nothing has a vector", async () => {
    open(
      { show: "map" },
      {
        "embedding.map": () => ({
          space: "",
          model: "",
          dimensions: 0,
          total: 0,
          variance: [0, 0],
          points: [],
          query: null,
          nearest: [],
        }),
      },
    );
    expect(await screen.findByText("No chunk in this document has a vector yet.")).toBeInTheDocument();
  });
});

describe("the gold set below a comparison", () => {
  it("measures A and B once the cost was agreed to, and tells who won", async () => {
    const label = { grade: 3, judge: "", at: "2026-01-01T00:00:00Z" };
    const target = { kind: "span", path: "a.md", quote: "words", before: "", after: "" } as const;
    const place = {
      label: { ...label, target },
      name: "a.md#1 words",
      document: NORTHWIND,
      range: [120, 480],
      chunks: [],
    };
    open(
      { view: "compare", b: "recursive" },
      {
        "gold.panel": ({ query }: { query: string }) => [
          {
            set: "S2 review",
            query: { id: "Q", query, type: "", answerable: true, labels: [] },
            labels: [place],
          },
        ],
      },
    );
    const gold = await screen.findByRole("region", { name: "Gold set" });
    fireEvent.click(await within(gold).findByRole("button", { name: "Measure A and B with S2 review" }));
    const ask = await screen.findByRole("alertdialog", { name: "Measure both ways of chunking?" });
    expect(ask).toHaveTextContent("Texts to embed");
    const runs = () => fake.calls.filter((each) => each.command === "eval.matrix_run");
    expect(runs()).toEqual([]);
    fireEvent.click(screen.getByTestId("confirm"));
    expect(await within(gold).findByText(/^nDCG@10: .* B wins \d+ quer/)).toBeInTheDocument();
    const [{ plan }] = runs().map((each) => each.input) as [{ plan: MatrixPlan }];
    expect(plan.rows.map((row) => row.name)).toEqual(["A", "B"]);
    expect(plan.rows[1]?.strategy).toBe("recursive");
    expect(plan.columns).toHaveLength(1);
    const changed = await within(gold).findByRole("list", { name: "Queries that changed most" });
    fireEvent.click(within(changed).getAllByRole("button")[0] as HTMLElement);
    // The passage is shown in both cuts, and the figures stay.
    await waitFor(() =>
      expect(window.location.hash).toMatch(new RegExp(`document=${NORTHWIND}&.*mark=120-480`)),
    );
    expect(window.location.hash).toMatch(/view=compare/);
    fireEvent.click(await screen.findByRole("button", { name: "Compare in Evaluate" }));
    expect(window.location.hash).toMatch(/^#\/evaluate\?set=S2\+review&run=\d+&against=\d+$/);
  });

  /** Measures A and B with `changed` parts of the engine, and gives the queries that differ. */
  const measured = async (changed: typeof handlers) => {
    open({ view: "compare", b: "recursive" }, changed);
    const gold = await screen.findByRole("region", { name: "Gold set" });
    fireEvent.click(await within(gold).findByRole("button", { name: /^Measure A and B/ }));
    const confirm = () => screen.queryByTestId("confirm");
    const found = () => within(gold).queryByRole("list", { name: "Queries that changed most" });
    // What was measured before is kept by the engine, and nothing is asked again.
    await waitFor(() => expect(confirm() ?? found()).not.toBeNull());
    const button = confirm();
    if (button) fireEvent.click(button);
    return { gold, changed: await waitFor(() => found() as HTMLElement) };
  };

  it("shows the passage that a border cuts in one of both, not the one that moved most", async () => {
    const cutOf = (strategy?: string) =>
      cutOfDocument({
        source: { kind: "document", id: NORTHWIND },
        ...(strategy && { strategy, chunks_only: true }),
      }).chunks;
    const a = cutOf();
    const b = cutOf("recursive");
    // A passage longer than what a chunk repeats of the one before it, at a border of B alone.
    const cut = b
      .map(({ view }): [number, number] => [view.range[0] - 500, view.range[0] + 100])
      .find((range) => holdsWhole(a, range) && !holdsWhole(b, range));
    const whole: [number, number] = [2, 9];
    expect(cut).toBeDefined();
    expect([a, b].map((chunks) => holdsWhole(chunks, whole))).toEqual([true, true]);
    const place = (name: string, range: [number, number] | undefined): LabelPlace => ({
      label: {
        target: { kind: "span", path: "a.md", quote: name, before: "", after: "" },
        grade: 3,
        judge: "",
        at: "2026-01-01T00:00:00Z",
      },
      name,
      source: { changed: false, document_id: null, range: null, kept: false },
      document: NORTHWIND,
      range: range ?? null,
      chunks: [],
    });
    const move = (name: string) => ({ name, grade: 3, before: 1, after: null, why: "" });
    const { changed } = await measured({
      "gold.panel": () => [
        {
          set: "S2 review",
          query: { id: "Q", query: "", type: "", labels: [] },
          labels: [place("whole", whole), place("cut", cut)],
        },
      ],
      "eval.compare_query": () => ({ before: [], after: [], moves: [move("whole"), move("cut")] }),
    });
    fireEvent.click(within(changed).getAllByRole("button")[0] as HTMLElement);
    await waitFor(() => expect(window.location.hash).toMatch(/mark=/));
    expect(window.location.hash).toContain(`mark=${cut?.join("-")}`);
  });

  it("lists twelve of the queries that differ, and all of them once asked", async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      id: `Q${at}`,
      query: `Query ${at}`,
      type: "",
      expected: [],
      baseline: 0.5,
      candidate: 0.5,
      difference: at < 20 ? 0.4 - at / 100 : 0,
      first_hit: [1, 1],
    }));
    const { gold, changed } = await measured({
      "eval.compare_queries": ({ limit }: { limit: number }) => ({
        queries: many.slice(0, limit),
        total: 30,
        all: 30,
        better: 20,
        worse: 0,
        same: 10,
      }),
    });
    expect(within(changed).getAllByRole("button")).toHaveLength(12);
    fireEvent.click(within(gold).getByRole("button", { name: "Show all 20" }));
    await waitFor(() => expect(within(changed).getAllByRole("button")).toHaveLength(20));
    expect(within(gold).queryByRole("button", { name: /^Show all/ })).toBeNull();
  });
});
