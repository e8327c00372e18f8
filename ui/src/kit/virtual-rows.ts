// What is drawn of long lists and wide grids: what is in sight, and where the keys stand.

import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { type RovingOptions, useRoving } from "./list-keys";

// The tab stop stays in the page even when it is scrolled away.
const keeping = (active: number) => (range: Range) => {
  const drawn = defaultRangeExtractor(range);
  if (active >= 0 && active < range.count && !drawn.includes(active)) drawn.push(active);
  return drawn.sort((a, b) => a - b);
};

type ListOptions = Omit<RovingOptions, "page" | "scrollTo"> & {
  /** Height of a row in pixels. */
  rowHeight: number;
  /** The row that is expanded, or -1, and how many pixels stand below it. */
  detail?: { index: number; height: number };
  /** Rows beyond those in sight that are drawn too: 8 unless given. */
  overscan?: number;
  itemKey?: (index: number) => string | number;
};

/** A list of one column: its rows in sight, and the keys that walk it. `scroller` goes on what scrolls. */
export function useVirtualRows(options: ListOptions) {
  const { count, rowHeight, detail, overscan = 8, itemKey } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const roving = useRoving({
    ...options,
    page: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 1),
    scrollTo: (index) => virtual.scrollToIndex(index),
  });
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (index === detail?.index ? rowHeight + detail.height : rowHeight),
    overscan,
    getItemKey: itemKey,
    rangeExtractor: keeping(roving.active),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights invalidate what was measured.
  useEffect(() => virtual.measure(), [rowHeight, detail?.index, detail?.height]);
  return { scroller, roving, virtual };
}

type GridOptions = {
  scroller: RefObject<HTMLElement | null>;
  /** `head` is the height of what stays above the rows, `cover` of what else may cover the first of them, in pixels. */
  rows: { count: number; height: number; active: number; head: number; cover?: number };
  /** `name` is the width of what stays before the columns, in pixels. */
  columns: { count: number; width: (index: number) => number; active: number; name: number };
  /** Changes whenever rows or columns have other sizes. */
  sizes: unknown;
  /** Changes with the cell in use, which is then brought into sight; nothing until a reader has chosen one. */
  cell: string | undefined;
};

/** A grid: rows and columns in sight, and always those of the cell in use. -1 is a row or column that is none. */
export function useVirtualGrid({ scroller, rows, columns, sizes, cell }: GridOptions) {
  const down = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rows.height,
    overscan: 8,
    scrollMargin: rows.head,
    scrollPaddingStart: rows.head + (rows.cover ?? 0),
    rangeExtractor: keeping(rows.active),
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.count,
    getScrollElement: () => scroller.current,
    estimateSize: columns.width,
    overscan: 3,
    paddingStart: columns.name,
    scrollPaddingStart: columns.name,
    rangeExtractor: keeping(columns.active),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other sizes invalidate what was measured.
  useEffect(() => {
    down.measure();
    across.measure();
  }, [rows.height, sizes]);
  const reveal = useEffectEvent(() => {
    if (cell === undefined) return;
    if (rows.active >= 0) down.scrollToIndex(rows.active);
    if (columns.active >= 0) across.scrollToIndex(columns.active);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: brought into sight whenever it is another cell.
  useEffect(() => reveal(), [cell]);
  return { down, across };
}

/** Gives the focus to the cell in use; it may not exist before the grid has scrolled to it. */
export const focusCell = (grid: HTMLElement | null) =>
  requestAnimationFrame(() => grid?.querySelector<HTMLElement>("[data-cell][tabindex='0']")?.focus());
