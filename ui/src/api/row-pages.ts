// Lists of any length, a page at a time: the first page at once, the next ones when the reader comes near the end.

import { useQueries } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useSteady } from "@/kit/steady";
import type { Input } from "./client";
import { queryOf, useCommand, useWorkspace } from "./queries";
import type { DocumentRow, JobFile } from "./types";

/** Rows of a page. */
export const PAGE = 1_000;

/** Commands that give their rows in pages, and what a row of theirs is. */
type Rows = { "job.files": JobFile; "document.list": DocumentRow };

/**
 * The rows of the pages one after the other, up to the first page that is not there yet. A row that moved to another
 * page while both were on their way stands once.
 */
export function inOneList<T>(pages: readonly (readonly T[] | undefined)[], keyOf: (row: T) => number): T[] {
  const rows = new Map<number, T>();
  for (const page of pages) {
    if (!page) break;
    for (const row of page) if (!rows.has(keyOf(row))) rows.set(keyOf(row), row);
  }
  return [...rows.values()];
}

/** Whether another page may follow: the last one is there and full. */
export const goesOn = (pages: readonly (readonly unknown[] | undefined)[]): boolean =>
  pages.at(-1)?.length === PAGE;

type PagesOptions<T> = {
  /** What tells the rows apart. */
  keyOf: (row: T) => number;
  /** Whether to ask at all. */
  enabled?: boolean;
};

/** The pages of a list that were asked for, and how to ask for the next one. */
export function usePages<C extends keyof Rows>(command: C, input: Input<C>, options: PagesOptions<Rows[C]>) {
  const { keyOf, enabled = true } = options;
  const workspace = useWorkspace();
  const list = JSON.stringify([workspace, input]);
  const [asked, setAsked] = useState({ list, pages: 1 });
  const count = asked.list === list ? asked.pages : 1;
  const pageAt = (page: number) => ({ ...(input as object), offset: page * PAGE, limit: PAGE }) as Input<C>;
  const first = useCommand(command, pageAt(0), { keep: true, enabled });
  const others = useQueries({
    queries: Array.from({ length: count - 1 }, (_, index) => ({
      ...queryOf(command, pageAt(index + 1), workspace),
      enabled,
    })),
    combine: (answers) => ({
      pages: answers.map(({ data }) => data),
      failed: answers.find(({ data, error }) => data === undefined && error),
    }),
  });
  const pages = useMemo(
    () => [first.data, ...others.pages] as (readonly Rows[C][] | undefined)[],
    [first.data, others.pages],
  );
  return {
    /** The first page, or the page that could not be loaded. */
    query: others.failed ?? first,
    /** Whether the rows are those of another list, until the first page of this one is there. */
    former: first.isPlaceholderData,
    rows: useMemo(() => inOneList(pages, keyOf), [pages, keyOf]),
    /** Whether there are no more rows than these. */
    complete: !first.isPlaceholderData && pages.every((page) => page !== undefined) && !goesOn(pages),
    /** Asks for the next page, where there may be one. */
    more: useSteady(() => {
      if (!first.isPlaceholderData && goesOn(pages)) setAsked({ list, pages: count + 1 });
    }),
  };
}

/** The reports of the workspace, for a list to choose from: the first page at once, the rest page by page. */
export function useReportDocuments(enabled = true) {
  const { query, rows, complete, more } = usePages(
    "document.list",
    { reports: true },
    { keyOf: idOf, enabled },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that has come is followed by the next.
  useEffect(more, [rows]);
  return { query, rows, complete };
}

const idOf = ({ id }: DocumentRow): number => id;
