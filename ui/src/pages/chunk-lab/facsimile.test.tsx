import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { DocumentRow, PageBlock, PageLayout, PageQuery } from "@/api/types";
import { sent } from "@/test/page";
import { pageAt } from "./Facsimile";
import { list, NORTHWIND, open, press, previewOf, type } from "./testing";

describe("the document as it looks", () => {
  const images = () => sent<PageQuery>("document.page_image");

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
