// The cell in use, and the cells that are selected around it.

import { type KeyboardEvent, useState } from "react";
import type { Cell, Column, Row } from "./pivot";
import type { Sheet } from "./sheet";

/** A cell by its place. */
export type Spot = { line: number; column: number };

/** A cell by what stands in it, so that it stays in use when others come and go. */
type Kept = { line: string; column: string };

export type Walk = {
  at: Spot;
  /** Whether the reader chose it: before that nothing scrolls to it. */
  taken: boolean;
  chosen: (spot: Spot) => boolean;
  /** Goes to a cell; with `extend` everything from where it began is selected. */
  go: (to: Spot, extend?: boolean) => void;
  /** Opens the place of the cell in use. */
  open: () => void;
  /** Gives whether the key was used. */
  onKey: (event: KeyboardEvent) => boolean;
};

const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));

type Options = {
  sheet: Sheet;
  /** Row id of the figure that is selected by the address. */
  figure: number | undefined;
  onCell: (cell: Cell | undefined) => void;
  onOpen: (cell: Cell) => void;
  onFold: (group: string) => void;
  onCopy: (rows: readonly Row[], columns: readonly Column[]) => void;
};

const cellAt = ({ lines, columns }: Sheet, { line, column }: Spot): Cell | undefined =>
  lines[line]?.row?.cells.get(columns[column]?.key ?? "");

/** Where a figure stands. */
function spotOf(sheet: Sheet, figure: number): Spot | undefined {
  for (const [line, { row }] of sheet.lines.entries())
    for (const [key, cell] of row?.cells ?? [])
      if (cell.all.some(({ id }) => id === figure))
        return { line, column: sheet.columns.findIndex((column) => column.key === key) };
  return undefined;
}

function spotAt(sheet: Sheet, kept: Kept | undefined): Spot | undefined {
  const line = sheet.lines.findIndex(({ key }) => key === kept?.line);
  const column = sheet.columns.findIndex(({ key }) => key === kept?.column);
  return line < 0 || column < 0 ? undefined : { line, column };
}

/** The next cell for which `fits` holds, line by line, and from the start again. */
function nextCell(sheet: Sheet, from: Spot, fits: (cell: Cell) => boolean): Spot | undefined {
  const across = sheet.columns.length;
  const count = sheet.lines.length * across;
  for (let step = 1; step <= count; step += 1) {
    const place = (from.line * across + from.column + step) % count;
    const spot = { line: Math.floor(place / across), column: place % across };
    const cell = cellAt(sheet, spot);
    if (cell && fits(cell)) return spot;
  }
  return undefined;
}

/** The next given value in a direction; the last cell of all where there is none. */
function nextGiven(sheet: Sheet, from: Spot, [down, across]: readonly [number, number]): Spot {
  let spot = from;
  for (;;) {
    const next = { line: spot.line + down, column: spot.column + across };
    if (!sheet.lines[next.line] || !sheet.columns[next.column]) return spot;
    spot = next;
    if (cellAt(sheet, spot)) return spot;
  }
}

/** Where the walk begins: the first value of the first row. */
function firstGiven(sheet: Sheet): Spot {
  const line = Math.max(
    0,
    sheet.lines.findIndex(({ row }) => row),
  );
  const column = sheet.columns.findIndex(({ key }) => sheet.lines[line]?.row?.cells.has(key));
  return { line, column: Math.max(0, column) };
}

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Lines that a page key moves. */
const LEAF = 15;

function target(sheet: Sheet, at: Spot, { key, ctrlKey, metaKey }: KeyboardEvent): Spot | undefined {
  const far = ctrlKey || metaKey;
  const arrow = ARROWS[key];
  if (arrow && far) return nextGiven(sheet, at, arrow);
  if (arrow) return { line: at.line + arrow[0], column: at.column + arrow[1] };
  if (key === "Home") return { line: far ? 0 : at.line, column: 0 };
  if (key === "End")
    return { line: far ? sheet.lines.length - 1 : at.line, column: sheet.columns.length - 1 };
  if (key === "PageDown") return { line: at.line + LEAF, column: at.column };
  if (key === "PageUp") return { line: at.line - LEAF, column: at.column };
  return undefined;
}

/** Moving through the table by keys and pointer. */
export function useWalk({ sheet, figure, onCell, onOpen, onFold, onCopy }: Options) {
  const { lines, columns } = sheet;
  const [kept, setKept] = useState<Kept>();
  const [from, setFrom] = useState<Kept>();
  const named = figure === undefined ? undefined : spotOf(sheet, figure);
  const at = spotAt(sheet, kept) ?? named ?? firstGiven(sheet);
  const anchor = spotAt(sheet, from) ?? at;
  const between = (value: number, a: number, b: number) => value >= Math.min(a, b) && value <= Math.max(a, b);
  const chosen = ({ line, column }: Spot) =>
    between(line, anchor.line, at.line) && between(column, anchor.column, at.column);
  const go = (to: Spot, extend = false) => {
    const spot = { line: clamp(to.line, lines.length), column: clamp(to.column, columns.length) };
    const next = { line: lines[spot.line]?.key ?? "", column: columns[spot.column]?.key ?? "" };
    setKept(next);
    if (!extend) setFrom(next);
    else if (!from) setFrom({ line: lines[at.line]?.key ?? "", column: columns[at.column]?.key ?? "" });
    onCell(cellAt(sheet, spot));
  };
  const cell = cellAt(sheet, at);
  const open = () => {
    const line = lines[at.line];
    if (cell) onOpen(cell);
    else if (line && !line.row) onFold(line.group.key);
  };
  const copy = () =>
    onCopy(
      lines.flatMap(({ row }, line) => (row && between(line, anchor.line, at.line) ? row : [])),
      columns.filter((_, column) => between(column, anchor.column, at.column)),
    );
  const walk: Walk = {
    at,
    taken: kept !== undefined || named !== undefined,
    chosen,
    go,
    open,
    onKey: (event) => {
      if (event.altKey) return false;
      const to = target(sheet, at, event);
      if (to) go(to, event.shiftKey);
      else if (event.key === "Enter") open();
      else if (event.key.toLowerCase() === "c" && (event.ctrlKey || event.metaKey) && !event.shiftKey) copy();
      else return false;
      return true;
    },
  };
  return {
    walk,
    cell,
    row: lines[at.line]?.row,
    column: columns[at.column],
    /** Goes to the next cell for which `fits` holds. */
    seek: (fits: (cell: Cell) => boolean) => {
      const spot = nextCell(sheet, at, fits);
      if (spot) go(spot);
    },
  };
}
