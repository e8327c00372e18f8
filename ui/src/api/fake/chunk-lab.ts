// Chunk Lab: two reports, what is stored of them, and a cutter that heeds the settings.

import type { FakeHandlers } from "../transport/fake";
import type {
  ChunkingDifference,
  ChunkingRequest,
  ChunkingView,
  ChunkRow,
  EmbeddingMap,
  Facsimile,
  FactRow,
  LayoutQuery,
  MapRequest,
  Neighbours,
  PageLayout,
  PageQuery,
  PreviewedChunk,
  StoredChunk,
} from "../types";
import { cutOf } from "./chunk-lab/cutter";
import { pageImage, pageLayout } from "./chunk-lab/page-image";
import { northwind, structureOf, type Text } from "./chunk-lab/report";
import { strategies } from "./chunk-lab/strategies";
import { mapOf } from "./embedding-map/places";
import { headerAndBody } from "./header";

export { strategies };

/** The second report is long: a megabyte. */
const LONG_DOCUMENT = 5_001;

const idOf = (ordinal: number) => `c4a9${ordinal.toString(16).padStart(12, "0")}`;

function storedAs(document: number, text: string, chunk: PreviewedChunk): StoredChunk {
  const { view } = chunk;
  const parts = view.pieces.map((piece) =>
    piece.kind === "source" ? text.slice(...piece.range) : piece.text,
  );
  const found: ChunkRow = {
    id: view.ordinal,
    chunk_id: idOf(view.ordinal),
    document_id: document,
    corpus: "Reports FY2024",
    title: "Northwind Energy plc climate report 2024",
    path: "northwind-energy-climate-report-2024.pdf",
    ordinal: view.ordinal,
    parent: null,
    source_type: "report",
    report_id: null,
    text: parts.join("\n\n"),
    metadata: view.metadata,
    pages: view.pages,
    page_labels: view.page_labels,
    tokens: view.tokens,
    word_count: Math.round(view.tokens * 0.75),
    oversize: view.oversize,
    content_hash: chunk.content_hash,
    ingested_at: "2025-11-19T10:02:00Z",
  };
  return {
    view: { ...view, chunk_id: found.chunk_id },
    row: found,
    passage: parts.join("\n\n"),
    header:
      headerAndBody(`${view.pieces[0]?.kind === "generated" ? view.pieces[0].text : ""}\n`).header ?? null,
    found_by: [],
    added_phrases: [],
  };
}

const NEAR: [ordinal: number, title: string, similarity: number][] = [
  [42, "Northwind 2024", 0.912],
  [112, "Aurelia 2024", 0.847],
  [37, "Northwind 2023", 0.839],
  [88, "Kestrel 2024", 0.801],
  [63, "Halden 2024", 0.788],
];

const PILLARS = ["strategy", "governance", "risk_management", "metrics_targets"];

/** The chunks of the report on a map, each chapter with the pillar that it is about. */
export function documentMap(chapters: number, { document_id = 0 }: MapRequest): EmbeddingMap {
  const { text, structure } = northwind(chapters);
  const { chunks } = cutOf({ text, structure }, {});
  const begins = [...text.matchAll(/^# (\d+) /gm)].map((match) => match.index);
  return mapOf(
    "bge-small-en-v1.5",
    chunks.map(({ view }) => ({
      chunk_id: idOf(view.ordinal),
      document_id,
      ordinal: view.ordinal,
      group:
        PILLARS[
          Math.max(
            0,
            begins.findLastIndex((at) => at <= view.range[0]),
          ) % PILLARS.length
        ] ?? "",
      title: "Northwind Energy plc climate report 2024",
    })),
  );
}

/** Handlers on a report of `chapters` chapters; the third holds what the design shows. */
export function chunkLabHandlers(chapters: number): FakeHandlers {
  const textOf = (source: ChunkingRequest["source"] | undefined): Text => {
    if (source?.kind === "text") return { text: source.text, structure: structureOf(source.text, 0) };
    return northwind(source?.kind === "document" && source.id === LONG_DOCUMENT ? 4 * chapters : chapters);
  };
  // The engine takes milliseconds where this takes a tenth of a second.
  const cuts = new Map<string, ChunkingView>();
  const cut = (request: Partial<ChunkingRequest>): ChunkingView => {
    const key = JSON.stringify(request);
    const kept = cuts.get(key) ?? cutOf(textOf(request.source), request);
    cuts.set(key, kept);
    return kept;
  };
  const stored = () => cut({});
  const row = (document: number, chunk: PreviewedChunk) =>
    storedAs(document, northwind(chapters).text, chunk);
  const near = (limit: number, space: string): Neighbours => ({
    space,
    chunks: NEAR.slice(0, limit).flatMap(([ordinal, title, similarity]) => {
      const chunk = stored().chunks[ordinal];
      return chunk ? [{ chunk: row(5_000, chunk), title, similarity }] : [];
    }),
  });
  return {
    "strategy.list": () => strategies,
    "chunk.preview": cut,
    "chunk.list": ({ document, offset, limit }: { document: number; offset: number; limit: number }) =>
      stored()
        .chunks.slice(offset, offset + limit)
        .map((chunk) => row(document, chunk)),
    "chunk.get": ({ chunk_id }: { chunk_id: string }) => {
      const chunk = stored().chunks.find(({ view }) => idOf(view.ordinal) === chunk_id);
      if (!chunk) throw { code: "not_found", message: `chunk \`${chunk_id}\` does not exist` };
      return row(5_000, chunk);
    },
    "fact.list": (): FactRow[] => [],
    "chunk.neighbours": ({ limit }: { chunk_id: string; limit: number }) => near(limit, "remote-small"),
    "chunk.neighbours_of_text": ({ limit }: { text: string; limit: number }) => near(limit, "MiniLM"),
    "embedding.map": (request: MapRequest): EmbeddingMap => documentMap(chapters, request),
    "document.page_image": (query: PageQuery): Facsimile => pageImage(northwind(chapters), query),
    "document.page_layout": (query: LayoutQuery): PageLayout => pageLayout(northwind(chapters), query),
    "chunk.difference": (request: ChunkingRequest): ChunkingDifference => {
      const now = cut({ ...request, chunks_only: true }).chunks;
      const before = stored().chunks;
      const known = new Set(before.map((chunk) => chunk.content_hash));
      const kept = new Set(now.map((chunk) => chunk.content_hash));
      const places = new Map(before.map(({ view }) => [view.range.join(), view.ordinal]));
      const fresh = now.filter((chunk) => !known.has(chunk.content_hash));
      const changed = fresh.filter(({ view }) => places.has(view.range.join()));
      const changedPlaces = new Set(changed.map(({ view }) => view.range.join()));
      const starts = (chunks: readonly PreviewedChunk[]) => new Set(chunks.map(({ view }) => view.range[0]));
      const [old, next] = [starts(before), starts(now)];
      const tokens = fresh.reduce((sum, { view }) => sum + view.tokens, 0);
      return {
        difference: {
          same: now.length - fresh.length,
          changed: changed.length,
          added: fresh.filter((chunk) => !changed.includes(chunk)).map(({ view }) => view.ordinal),
          removed: before
            .filter((chunk) => !kept.has(chunk.content_hash) && !changedPlaces.has(chunk.view.range.join()))
            .map(({ view }) => view.ordinal),
          boundaries_added: [...next].filter((at) => !old.has(at)),
          boundaries_removed: [...old].filter((at) => !next.has(at)),
          tokens_to_embed: tokens,
        },
        cost: (tokens / 1_000_000) * 0.02,
      };
    },
  };
}

/** Handlers of Chunk Lab. */
export const handlers: FakeHandlers = chunkLabHandlers(14);
