// Chunk Lab: three reports as the engine read and cut them. The text of a document and the picture of a
// page are recorded once.

import { idOf, recorded } from "../recording";
import type { FakeHandlers } from "../transport/fake";
import type {
  ChunkingRequest,
  ChunkingSource,
  ChunkingView,
  Facsimile,
  PageQuery,
  StoredChunk,
} from "../types";

const DOCUMENTS = ["northwind", "aurelia", "halden"].map((name) => idOf<number>(name));
/** A row of the library that is no report has the chunks of the first one. */
const reportFor = (id: number) => (DOCUMENTS.includes(id) ? id : DOCUMENTS[0]);
const ALL = { offset: 0, limit: 1_000 };

/** A file on the disk is the report of that name. */
const known = (source: ChunkingSource): ChunkingSource =>
  source.kind === "path"
    ? { kind: "document", id: idOf(source.path.split("/").at(-1)?.split("-")[0] ?? "") }
    : source;

/** Handlers of Chunk Lab: a list is cut into pages, and a chunk is found in its list. */
export const handlers: FakeHandlers = {
  "chunk.preview": ({ chunks_only = false, source: asked, ...configured }: ChunkingRequest): ChunkingView => {
    const source = known(asked);
    const stands = configured.strategy == null && configured.settings == null;
    const { text, structure, ...cut } = recorded("chunk.preview", { source });
    return {
      ...(stands ? cut : recorded("chunk.preview", { source, ...configured, chunks_only: true })),
      text: chunks_only ? null : text,
      structure: chunks_only ? null : structure,
    };
  },
  "document.page_image": ({ document_id, page, ...marked }: PageQuery): Facsimile => {
    const drawn = recorded("document.page_image", { document_id, page });
    return marked.end === undefined
      ? drawn
      : { ...recorded("document.page_image", { document_id, page, ...marked }), png: drawn.png };
  },
  "fact.list": () => [],
  "chunk.list": ({ document, offset, limit }) =>
    recorded("chunk.list", { document: reportFor(document), ...ALL }).slice(offset, offset + limit),
  "chunk.get": (input: { chunk_id: string }): StoredChunk =>
    DOCUMENTS.flatMap((document) => recorded("chunk.list", { document, ...ALL })).find(
      ({ row }) => row.chunk_id === input.chunk_id,
    ) ?? recorded("chunk.get", input),
};
