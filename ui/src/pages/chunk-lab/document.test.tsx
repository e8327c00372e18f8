import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { handlers } from "@/api/fake";
import { idOf } from "@/api/recording";
import type { DocumentRow, NoticeView } from "@/api/types";
import { connect, fake } from "@/test/page";
import { show } from "@/test/render";
import ChunkLabPage from "./index";
import { enter, list, nearest, open, previewOf, previews } from "./testing";

const HALDEN = idOf<number>("halden");

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
    connect({
      ...handlers,
      "document.list": () => [{ id: HALDEN, title: "Halden" } as DocumentRow],
    });
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
    connect({ ...handlers, "document.list": () => [] });
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
