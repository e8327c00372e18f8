import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { type Column, DataTable } from "./DataTable";
import { setDensity } from "./density";
import { defineShortcuts, handleKey, useShortcut } from "./shortcuts";
import { flatten, Tree, type TreeNode } from "./Tree";
import { VirtualList } from "./VirtualList";

describe("VirtualList", () => {
  it("holds few rows of very many", () => {
    show(<VirtualList label="Chunks" count={200_000} rowHeight={28} row={(index) => `#${index}`} />);
    const rows = screen.getAllByRole("option");
    expect(rows.length).toBeLessThan(60);
    expect(rows[0]).toHaveAttribute("aria-setsize", "200000");
  });

  it("has one tab stop that the arrows move", async () => {
    const choose = vi.fn();
    const open = vi.fn();
    show(
      <VirtualList
        label="Chunks"
        count={100}
        rowHeight={28}
        row={(index) => `#${index}`}
        onSelect={choose}
        onOpen={open}
      />,
    );
    const user = userEvent.setup();
    await user.tab();
    expect(document.activeElement).toHaveTextContent("#0");
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(document.activeElement).toHaveTextContent("#1"));
    expect(choose).toHaveBeenLastCalledWith(1);
    await user.keyboard("{Enter}");
    expect(open).toHaveBeenCalledWith(1);
    expect(screen.getAllByRole("option").filter((row) => row.tabIndex === 0)).toHaveLength(1);
  });
});

type Row = { name: string; chunks: number };
const columns: Column<Row>[] = [
  { id: "name", header: "Corpus", width: "1fr", cell: (row) => row.name, sort: (row) => row.name },
  {
    id: "chunks",
    header: "Chunks",
    width: "80px",
    numeric: true,
    cell: (row) => row.chunks,
    sort: (row) => row.chunks,
  },
  { id: "note", header: "Note", width: "80px", cell: () => "—" },
];
const corpora: Row[] = [
  { name: "IFRS S2", chunks: 536 },
  { name: "IFRS S10", chunks: 9 },
  { name: "IFRS S1", chunks: 412 },
];
const names = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("gridcell")[0]?.textContent);

describe("DataTable", () => {
  it("sorts by its heads, numbers as numbers", async () => {
    show(<DataTable label="Corpora" columns={columns} rows={corpora} rowKey={(row) => row.name} />);
    expect(names()).toEqual(["IFRS S2", "IFRS S10", "IFRS S1"]);
    await userEvent.click(screen.getByRole("button", { name: "Corpus" }));
    expect(names()).toEqual(["IFRS S1", "IFRS S2", "IFRS S10"]);
    expect(screen.getByRole("columnheader", { name: "Corpus" })).toHaveAttribute("aria-sort", "ascending");
    const byChunks = screen.getByRole("button", { name: "Chunks" });
    await userEvent.click(byChunks);
    const first = names();
    await userEvent.click(byChunks);
    expect(names()).toEqual([...first].reverse());
    expect(screen.queryByRole("button", { name: "Note" })).toBeNull();
  });

  it("closes up and spreads with the density", () => {
    show(<DataTable label="Corpora" columns={columns} rows={corpora} rowKey={(row) => row.name} />);
    const height = () => screen.getAllByRole("row")[1]?.style.height;
    const heights = (["compact", "standard", "comfortable"] as const).map((density) => {
      act(() => setDensity(density));
      return height();
    });
    act(() => setDensity("standard"));
    expect(heights).toEqual(["30px", "36px", "42px"]);
  });

  it("is walked with the arrows", async () => {
    function Chosen() {
      const [chosen, choose] = useState<string | null>(null);
      return (
        <DataTable
          label="Corpora"
          columns={columns}
          rows={corpora}
          rowKey={(row) => row.name}
          selected={chosen}
          onSelect={(row) => choose(row.name)}
        />
      );
    }
    show(<Chosen />);
    const rows = () => screen.getAllByRole("row").slice(1);
    rows()[0]?.focus();
    await userEvent.keyboard("{End}");
    expect(rows()[2]).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{ArrowUp}");
    expect(rows()[1]).toHaveAttribute("aria-selected", "true");
  });
});

const standards: TreeNode[] = [
  { id: "S1", children: [{ id: "33(a)" }, { id: "33(b)" }] },
  { id: "S2", children: [{ id: "Strategy", children: [{ id: "14(a)" }] }] },
];

function Standards({ onActivate }: { onActivate?: (node: TreeNode) => void }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  return (
    <Tree
      label="Standards"
      roots={standards}
      open={open}
      onOpenChange={setOpen}
      onActivate={onActivate}
      row={(node) => node.id}
      words={(node) => node.id}
      arrowLabel={(node) => `Branch ${node.id}`}
    />
  );
}

describe("Tree", () => {
  it("flattens open branches only", () => {
    expect(flatten(standards, new Set(["S2"])).map((row) => [row.node.id, row.depth])).toEqual([
      ["S1", 0],
      ["S2", 0],
      ["Strategy", 1],
    ]);
  });

  it("opens, walks, closes and goes up by keyboard", async () => {
    const activate = vi.fn();
    show(<Standards onActivate={activate} />);
    const items = () => screen.getAllByRole("treeitem").map((item) => item.textContent);
    screen.getAllByRole("treeitem")[0]?.focus();
    await userEvent.keyboard("{ArrowRight}");
    expect(items()).toEqual(["S1", "33(a)", "33(b)", "S2"]);
    await userEvent.keyboard("{ArrowRight}");
    await waitFor(() => expect(document.activeElement).toHaveTextContent("33(a)"));
    await userEvent.keyboard("{Enter}");
    expect(activate).toHaveBeenCalledWith(expect.objectContaining({ id: "33(a)" }));
    await userEvent.keyboard("{ArrowLeft}");
    await waitFor(() => expect(document.activeElement).toHaveTextContent("S1"));
    await userEvent.keyboard("{ArrowLeft}");
    expect(items()).toEqual(["S1", "S2"]);
  });

  it("jumps by typing, and begins no word with a key that is a shortcut", async () => {
    const action = vi.fn();
    const Bound = () => {
      useShortcut("test.two", action);
      return null;
    };
    defineShortcuts([{ id: "test.two", keys: "2", label: "Two", group: "Test" }]);
    window.addEventListener("keydown", handleKey);
    show(
      <>
        <Bound />
        <Standards />
      </>,
    );
    screen.getAllByRole("treeitem")[0]?.focus();
    await userEvent.keyboard("2");
    expect(action).toHaveBeenCalledOnce();
    await userEvent.keyboard("s2");
    await waitFor(() => expect(document.activeElement).toHaveTextContent("S2"));
    expect(action).toHaveBeenCalledOnce();
    window.removeEventListener("keydown", handleKey);
  });

  it("brings what is chosen into sight, and stays where it is when a branch is turned", () => {
    const many: TreeNode[] = Array.from({ length: 100 }, (_, at) => ({
      id: `n${at}`,
      children: [{ id: `c${at}` }],
    }));
    const scrolled = vi.spyOn(Element.prototype, "scrollTo");
    const tree = (selected: string, open: string[]) => (
      <Tree
        label="Many"
        roots={many}
        open={new Set(open)}
        onOpenChange={() => undefined}
        selected={selected}
        row={(node) => node.id}
        arrowLabel={(node) => node.id}
      />
    );
    const { rerender } = render(tree("n2", []));
    scrolled.mockClear();
    rerender(tree("n4", []));
    expect(scrolled).not.toHaveBeenCalled();
    rerender(tree("n90", []));
    expect(scrolled).toHaveBeenCalledTimes(1);
    rerender(tree("n90", ["n1"]));
    expect(scrolled).toHaveBeenCalledTimes(1);
    rerender(tree("c95", ["n1"]));
    expect(scrolled).toHaveBeenCalledTimes(1);
    rerender(tree("c95", ["n1", "n95"]));
    expect(scrolled).toHaveBeenCalledTimes(2);
    scrolled.mockRestore();
  });

  it("jumps to a row by typing", async () => {
    show(<Standards />);
    const first = screen.getAllByRole("treeitem")[0];
    first?.focus();
    fireEvent.keyDown(first as Element, { key: "s" });
    await waitFor(() => expect(document.activeElement).toHaveTextContent("S2"));
  });
});
