// Chunk Lab: three reports as the engine read and cut them. The text of a document and the picture of a
// page are recorded once.

import { answering, idOf, isRecorded, recorded } from "../recording";
import type { ChunkingSource } from "../types";

const DOCUMENTS = ["northwind", "aurelia", "halden"].map((name) => idOf<number>(name));
/** A row of the library that is no report has the chunks of the first one. */
const reportFor = (id: number) => (DOCUMENTS.includes(id) ? id : DOCUMENTS[0]);
/** The page of the first one whose layout is recorded; the others are shown without blocks. */
const READ = 3;
const ALL = { offset: 0, limit: 1_000 };

/** A file on the disk is the report of that name. */
const known = (source: ChunkingSource): ChunkingSource =>
  source.kind === "path"
    ? { kind: "document", id: idOf(source.path.split("/").at(-1)?.split("-")[0] ?? "") }
    : source;

/** Handlers of Chunk Lab: a list is cut into pages, and a chunk is found in its list. */
export const handlers = answering({
  "chunk.preview": ({ chunks_only = false, source: asked, ...configured }) => {
    const source = known(asked);
    const stands = configured.strategy == null && configured.settings == null;
    const { text, structure, ...cut } = recorded("chunk.preview", { source });
    return {
      ...(stands ? cut : recorded("chunk.preview", { source, ...configured, chunks_only: true })),
      text: chunks_only ? null : text,
      structure: chunks_only ? null : structure,
    };
  },
  "document.page_image": ({ document_id, page, ...marked }) => {
    const document = idOf<number>("northwind");
    // The pictures of one document are recorded; they stand for those of all others.
    const drawn = recorded("document.page_image", { document_id: document, page });
    const asked = { document_id, page, ...marked };
    return isRecorded("document.page_image", asked)
      ? { ...recorded("document.page_image", asked), png: drawn.png }
      : drawn;
  },
  "document.get": ({ id }) => {
    if (isRecorded("document.get", { id })) return recorded("document.get", { id });
    const { text, structure } = recorded("chunk.preview", { source: { kind: "document", id } });
    const row = recorded("document.list", { reports: true }).find((each) => each.id === id);
    if (!row || text === null || structure === null)
      throw { code: "not_found", message: `there is no document ${id}` };
    return { row, text, structure };
  },
  "document.page_layout": ({ source, page }) =>
    page === READ && source.kind === "document" && source.id === idOf<number>("northwind")
      ? recorded("document.page_layout", { source, page })
      : { page, pages: page, page_label: null, regions: [], blocks: [], overlay: null },
  "fact.list": () => [],
  "chunk.list": ({ document, offset = 0, limit = ALL.limit }) =>
    recorded("chunk.list", { document: reportFor(document), ...ALL }).slice(offset, offset + limit),
  "chunk.get": (input) =>
    DOCUMENTS.flatMap((document) => recorded("chunk.list", { document, ...ALL })).find(
      ({ row }) => row.chunk_id === input.chunk_id,
    ) ?? recorded("chunk.get", input),
});
