import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queryOf, useCommand, useWorkspace } from "@/api/queries";
import type { StoredChunk } from "@/api/types";
import { Id } from "@/kit/Id";
import { EmptyState, Loaded } from "@/kit/states";
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

/** The chunks of the pages in sight, by page. Pages that were seen are kept for a while. */
function usePages(pages: readonly Page[]): ReadonlyMap<string, readonly StoredChunk[]> {
  const workspace = useWorkspace();
  const answers = useQueries({
    queries: pages.map(({ document, offset, limit }) =>
      queryOf("chunk.list", { document, offset, limit }, workspace),
    ),
  });
  return new Map(
    pages.flatMap(({ key }, index) => {
      const rows = answers[index]?.data;
      return rows ? [[key, rows] as const] : [];
    }),
  );
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

function Shelved({ shelves, total }: { shelves: readonly Shelf[]; total: number }) {
  const [sight, setSight] = useState<readonly [number, number]>([0, 0]);
  const [selected, select] = useState(-1);
  const still = useStill(sight, PAUSE);
  const pages = useMemo(() => pagesBetween(shelves, still[0], still[1]), [shelves, still]);
  const loaded = usePages(pages);
  const rowAt = (index: number) => {
    const place = placeOf(shelves, index);
    return place && loaded.get(place.page)?.[place.at];
  };
  return (
    <VirtualList
      label={t("library.columns.chunks")}
      count={total}
      rowHeight={ROW}
      selected={selected}
      onSelect={select}
      onOpen={(index) => {
        const row = rowAt(index)?.row;
        if (row) navigate(href("chunk-lab", [], { document: String(row.document_id), chunk: row.chunk_id }));
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
  );
}

/** Every chunk of a corpus as it is stored, in reading order. However many there are, only those in sight are loaded. */
export function Chunks({ corpus }: { corpus: string }) {
  const documents = useCommand("document.list", { corpus });
  const shelves = useMemo(() => shelve(documents.data ?? []), [documents.data]);
  const total = shelves.at(-1)?.end ?? 0;
  return (
    <Loaded query={documents}>
      {() =>
        total === 0 ? (
          <EmptyState title={t("library.chunks.none")} />
        ) : (
          <Shelved shelves={shelves} total={total} />
        )
      }
    </Loaded>
  );
}
