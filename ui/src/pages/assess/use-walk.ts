// The cell in use, the cells that are selected around it, and the keys that move them.

import { type KeyboardEvent, useState } from "react";
import { idOf } from "./deciding";
import type { Line, Model } from "./model";

/** A cell by its place. In the column of names the report stays the one that was used last. */
export type Spot = { row: number; column: number; name: boolean };

/** A cell by what stands in it, so that it stays in use when others come and go. */
type Kept = { row: string; report: string; name: boolean };

/** What becomes of the selection: it ends, goes on from where it began, or stays as it is. */
export type How = "move" | "extend" | "keep";

const ARROWS = /^Arrow/;
/** Rows that a page key moves. */
const LEAF = 15;

type Options = {
  model: Model;
  lines: readonly Line[];
  /** The cell that the address names. */
  named: { requirement: string; report: string };
  onCell: (cell: { requirement: string; report: string }) => void;
  onFold: (key: string, open: boolean) => void;
  /** Shows a row that stands below closed ones. */
  onReveal: (keys: readonly string[]) => void;
};

const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));

/** Where a cell stands now; nothing where it is gone. */
function placeOf({ rows, columns }: Model, given: Kept | undefined): Spot | undefined {
  const row = rows.findIndex(({ key }) => key === given?.row);
  const column = columns.findIndex(({ report_id }) => report_id === given?.report);
  return !given || row < 0 || column < 0 ? undefined : { row, column, name: given.name };
}

/** The cell that is in use where `spot` may be hidden: the parent that is closed over it, else the first row shown. */
function inSight({ rows, columns, asked }: Model, lines: readonly Line[], spot: Spot): Spot | undefined {
  const shown = new Map(lines.map((line) => [line.row.index, line]));
  if (shown.has(spot.row) || lines.length === 0) return spot;
  const over = rows[spot.row]?.above.findLast((each) => shown.has(each));
  if (over !== undefined && !shown.get(over)?.open) return { ...spot, row: over };
  const first = lines.find(({ row }) => row.requirement)?.row;
  if (!first) return undefined;
  if (asked(first.index, spot.column)) return { ...spot, row: first.index };
  const column = columns.findIndex((_, each) => asked(first.index, each));
  return { ...spot, row: first.index, column: Math.max(0, column) };
}

const keptAt = ({ rows, columns }: Model, { row, column, name }: Spot): Kept => ({
  row: rows[row]?.key ?? "",
  report: columns[column]?.report_id ?? "",
  name,
});

/** The cells of requirements between two corners. */
function between({ columns }: Model, lines: readonly Line[], a: Spot, b: Spot): Set<string> {
  const [top, end] = [Math.min(a.row, b.row), Math.max(a.row, b.row)];
  const reports = columns.slice(Math.min(a.column, b.column), Math.max(a.column, b.column) + 1);
  return new Set(
    lines
      .filter(({ row }) => row.requirement && row.index >= top && row.index <= end)
      .flatMap(({ row }) => reports.map(({ report_id }) => idOf({ requirement: row.key, report_id }))),
  );
}

/** Moving through the grid by keys and pointer. */
export function useWalk({ model, lines, named, onCell, onFold, onReveal }: Options) {
  const { rows, columns } = model;
  const [kept, setKept] = useState<Kept>();
  const [from, setFrom] = useState<Kept>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const first = lines.find(({ row }) => row.requirement)?.row.index ?? lines[0]?.row.index ?? 0;
  const addressed = placeOf(model, { row: named.requirement, report: named.report, name: false });
  const chosen = placeOf(model, kept) ?? addressed;
  const at = (chosen && inSight(model, lines, chosen)) ?? { row: first, column: 0, name: false };
  const lineAt = lines.findIndex(({ row }) => row.index === at.row);
  const go = (to: Spot, how: How = "move") => {
    const next = keptAt(model, to);
    if (how === "extend") {
      if (!from) setFrom(keptAt(model, at));
      setSelected(between(model, lines, placeOf(model, from) ?? at, to));
    } else if (how === "move") {
      setFrom(next);
      if (selected.size > 0) setSelected(new Set());
    }
    setKept(next);
    const row = rows[to.row];
    if (row?.id) onCell({ requirement: row.id, report: next.report });
  };

  /** Goes to a cell wherever it stands: what is closed above it opens. */
  const jump = (to: { row: number; column: number }) => {
    onReveal((rows[to.row]?.above ?? []).map((each) => rows[each]?.key ?? ""));
    go({ ...to, name: false });
  };

  /** Adds a cell to the selection, or takes it out. */
  const toggle = (spot: Spot) => {
    const { row, report } = keptAt(model, spot);
    if (!rows[spot.row]?.requirement) return;
    const next = new Set(selected);
    const key = idOf({ requirement: row, report_id: report });
    if (next.has(key)) next.delete(key);
    else next.add(key);
    setSelected(next);
    setKept({ row, report, name: false });
  };

  const toLine = (line: number, how: How) => {
    const row = lines[clamp(line, lines.length)]?.row;
    if (row) go({ ...at, row: row.index }, how);
  };

  /** Left and right: through the reports, and in the column of names through the tree. */
  const across = (step: 1 | -1, how: How) => {
    const row = rows[at.row];
    const open = lines[lineAt]?.open ?? false;
    if (!at.name) {
      if (at.column + step < 0 && how === "move") go({ ...at, name: true });
      else go({ ...at, column: clamp(at.column + step, columns.length) }, how);
    } else if (step === 1) {
      if (row?.branch && !open) onFold(row.key, true);
      else go({ ...at, column: 0, name: false });
    } else if (row?.branch && open) onFold(row.key, false);
    else if (row && row.above.length > 0) go({ ...at, row: row.above.at(-1) ?? at.row });
  };

  const enter = () => {
    const row = rows[at.row];
    if (row?.branch) onFold(row.key, !(lines[lineAt]?.open ?? false));
    return row?.branch ?? false;
  };

  return {
    at,
    line: lineAt,
    /** Whether the reader chose it: before that nothing scrolls to it. */
    taken: kept !== undefined || addressed !== undefined,
    selected,
    go,
    jump,
    toggle,
    clear: () => setSelected(new Set()),
    onKey: keysFor({
      line: (step, how) => toLine(lineAt + step, how),
      edge: (last, how) => toLine(last ? lines.length - 1 : 0, how),
      column: (last, how) => go({ ...at, column: last ? columns.length - 1 : 0, name: false }, how),
      across,
      enter,
      add: () => toggle(at),
      clear: () => {
        if (selected.size > 0) setSelected(new Set());
        return selected.size > 0;
      },
    }),
  };
}

type Moves = {
  line: (step: number, how: How) => void;
  /** To the first row, or the last. */
  edge: (last: boolean, how: How) => void;
  /** To the first report, or the last. */
  column: (last: boolean, how: How) => void;
  across: (step: 1 | -1, how: How) => void;
  /** Opens or closes a parent; gives whether it is one. */
  enter: () => boolean;
  add: () => void;
  /** Forgets the selection; gives whether there was one. */
  clear: () => boolean;
};

/** The keys that move; gives whether the key was used. */
function keysFor(moves: Moves) {
  return ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    if (altKey) return false;
    const far = ctrlKey || metaKey;
    const how = shiftKey ? "extend" : far && ARROWS.test(key) ? "keep" : "move";
    if (far && key === " ") moves.add();
    else if (far && (key === "Home" || key === "End")) moves.edge(key === "End", how);
    else if (far && !ARROWS.test(key)) return false;
    else if (key === "ArrowDown") moves.line(1, how);
    else if (key === "ArrowUp") moves.line(-1, how);
    else if (key === "PageDown") moves.line(LEAF, how);
    else if (key === "PageUp") moves.line(-LEAF, how);
    else if (key === "ArrowRight") moves.across(1, how);
    else if (key === "ArrowLeft") moves.across(-1, how);
    else if (key === "Home" || key === "End") moves.column(key === "End", how);
    else if (key === "Enter") return moves.enter();
    else if (key === "Escape") return moves.clear();
    else return false;
    return true;
  };
}

export type Walk = ReturnType<typeof useWalk>;
