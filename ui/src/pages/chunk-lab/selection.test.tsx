import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { handlers } from "@/api/fake";
import { recorded } from "@/api/recording";
import type { FactRow, StoredChunk } from "@/api/types";
import { toggleChartTables } from "@/kit/chart-tables";
import { sent } from "@/test/page";
import { percent } from "@/text/format";
import { writeLike } from "@/text/locale";
import { chunkOf, cutOfDocument, list, NORTHWIND, nearest, open, press, smaller, type } from "./testing";

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
    const asked = sent("fact.list");
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

describe("neighbours", () => {
  it("are there for a chunk that is only tried, of exactly the text that would be embedded", async () => {
    open({ a: "recursive" });
    const embedded = await screen.findByRole("region", { name: "Embedded text" });
    expect(await screen.findByText("not with this text")).toBeInTheDocument();
    expect(await screen.findByRole("list", { name: "Nearest chunks" })).toBeInTheDocument();
    expect(sent("chunk.neighbours_of_text")).toEqual([{ text: embedded.textContent, limit: 5 }]);
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
