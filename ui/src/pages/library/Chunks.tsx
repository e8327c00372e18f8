import { useQueries } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { queryOf, useWorkspace } from "@/api/queries";
import { usePages } from "@/api/row-pages";
import type { DocumentRow, StoredChunk } from "@/api/types";
import { Id } from "@/kit/Id";
import { EmptyState, Loaded, NotLoaded } from "@/kit/states";
import { useStill } from "@/kit/still";
import { VirtualList } from "@/kit/VirtualList";
import { inOneLine, namedChunk, nameOf } from "@/parts/passage";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { whole } from "@/text/format";
import { type Page, pagesBetween, placeOf, type Shelf, shelve } from "./chunk-pages";
import css from "./chunks.module.css";

const ROW = 50;
/** Milliseconds that the list stands still before what is in sight is loaded. */
const PAUSE = 60;
const SNIPPET = 120;
/** Chunks before the end of the known documents at which more are asked for. */
const AHEAD = 100;

const idOf = ({ id }: DocumentRow) => id;

/** The chunks of the pages in sight, by page, and the first page that could not be loaded. */
function useChunkPages(pages: readonly Page[]) {
  const workspace = useWorkspace();
  const answers = useQueries({
    queries: pages.map(({ document, offset, limit }) =>
      queryOf("chunk.list", { document, offset, limit }, workspace),
    ),
  });
  const rows: ReadonlyMap<string, readonly StoredChunk[]> = new Map(
    pages.flatMap(({ key }, index) => {
      const page = answers[index]?.data;
      return page ? [[key, page] as const] : [];
    }),
  );
  return { rows, failed: answers.find(({ data, error }) => data === undefined && error) };
}

function Line({ row, passage }: StoredChunk) {
  const { id, source } = nameOf(namedChunk(row));
  return (
    <div className={css.chunk}>
      <span className="row gap-6">
        <Id>{id}</Id>
        <span className="xs mut ell grow" data-tip={source}>
          {source}
        </span>
        <span className="xs mut number nowrap">{t("library.chunks.tokens", { count: row.tokens })}</span>
      </span>
      <span className="sm sec ell">{inOneLine(passage.slice(0, SNIPPET))}</span>
    </div>
  );
}

type ShelvedProps = {
  shelves: readonly Shelf[];
  /** Chunks that there are, also those of documents that are not known yet. */
  total: number;
  /** Asks for more documents. */
  onMore: () => void;
};

function Shelved({ shelves, total, onMore }: ShelvedProps) {
  const [sight, setSight] = useState<readonly [number, number]>([0, 0]);
  const [selected, select] = useState(-1);
  const still = useStill(sight, PAUSE);
  const pages = useMemo(() => pagesBetween(shelves, still[0], still[1]), [shelves, still]);
  const { rows, failed } = useChunkPages(pages);
  const known = shelves.at(-1)?.end ?? 0;
  // As long as what is in sight lies beyond the documents that are known, the next ones are asked for.
  useEffect(() => {
    if (still[1] + AHEAD >= known) onMore();
  }, [still, known, onMore]);
  const rowAt = (index: number) => {
    const place = placeOf(shelves, index);
    return place && rows.get(place.page)?.[place.at];
  };
  return (
    <>
      {failed && <NotLoaded query={failed} />}
      <VirtualList
        label={t("library.columns.chunks")}
        count={total}
        rowHeight={ROW}
        selected={selected}
        onSelect={select}
        onOpen={(index) => {
          const row = rowAt(index)?.row;
          if (row)
            navigate(href("chunk-lab", [], { document: String(row.document_id), chunk: row.chunk_id }));
        }}
        onVisible={(first, last) => setSight([first, last])}
        row={(index) => {
          const row = rowAt(index);
          return row ? (
            <Line {...row} />
          ) : (
            <span className={`mono xs mut ${css.chunk}`}>#{whole(index + 1)}</span>
          );
        }}
      />
    </>
  );
}

type ChunksProps = {
  /** Name of the corpus. */
  corpus: string;
  /** Chunks in it. */
  total: number;
};

/** Every chunk of a corpus as it is stored, in reading order. However many there are, only those in sight are loaded. */
export function Chunks({ corpus, total }: ChunksProps) {
  const { query, rows, complete, more } = usePages("document.list", { corpus }, { keyOf: idOf });
  const shelves = useMemo(() => shelve(rows), [rows]);
  const known = shelves.at(-1)?.end ?? 0;
  const all = complete ? known : Math.max(known, total);
  return (
    <Loaded query={query}>
      {() =>
        all === 0 ? (
          <EmptyState title={t("library.chunks.none")} />
        ) : (
          <Shelved shelves={shelves} total={all} onMore={more} />
        )
      }
    </Loaded>
  );
}
