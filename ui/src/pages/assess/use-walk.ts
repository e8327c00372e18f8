// The cell in use, the cells that are selected around it, and the keys that move them.

import { type KeyboardEvent, useState } from "react";
import { idOf } from "./deciding";
import type { Line, Model } from "./model";

/** A cell by its place. In the column of names the report stays the one that was used last. */
export type Spot = { row: number; column: number; name: boolean };

/** A cell by what stands in it, so that it stays in use when others come and go. */
type Kept = { row: string; report: string; name: boolean };

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

/** Moving through the grid by keys and pointer. */
export function useWalk({ model, lines, named, onCell, onFold, onReveal }: Options) {
  const { rows, columns } = model;
  const [kept, setKept] = useState<Kept>();
  const [from, setFrom] = useState<Kept>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const placeOf = (given: Kept | undefined): Spot | undefined => {
    const row = rows.findIndex(({ key }) => key === given?.row);
    const column = columns.findIndex(({ report_id }) => report_id === given?.report);
    return !given || row < 0 || column < 0 ? undefined : { row, column, name: given.name };
  };
  const first = lines.find(({ row }) => row.requirement)?.row.index ?? lines[0]?.row.index ?? 0;
  const addressed = placeOf({ row: named.requirement, report: named.report, name: false });
  const at = placeOf(kept) ?? addressed ?? { row: first, column: 0, name: false };
  const lineAt = lines.findIndex(({ row }) => row.index === at.row);
  const keyOf = ({ row, column, name }: Spot): Kept => ({
    row: rows[row]?.key ?? "",
    report: columns[column]?.report_id ?? "",
    name,
  });

  const rangeTo = (to: Spot): Set<string> => {
    const start = placeOf(from) ?? at;
    const [top, end] = [start.row, to.row].sort((a, b) => a - b) as [number, number];
    const [left, right] = [start.column, to.column].sort((a, b) => a - b) as [number, number];
    return new Set(
      lines
        .filter(({ row }) => row.requirement && row.index >= top && row.index <= end)
        .flatMap(({ row }) =>
          columns.slice(left, right + 1).map(({ report_id }) => idOf({ requirement: row.key, report_id })),
        ),
    );
  };

  /** Goes to a cell; with `extend` everything from where it began is selected. */
  const go = (to: Spot, extend = false) => {
    const next = keyOf(to);
    if (extend) {
      if (!from) setFrom(keyOf(at));
      setSelected(rangeTo(to));
    } else {
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
    const { row, report } = keyOf(spot);
    if (!rows[spot.row]?.requirement) return;
    const next = new Set(
      selected.size === 0 && from ? [idOf({ requirement: from.row, report_id: from.report })] : selected,
    );
    const key = idOf({ requirement: row, report_id: report });
    if (next.has(key) && selected.size > 0) next.delete(key);
    else next.add(key);
    setSelected(next);
    setKept({ row, report, name: false });
  };

  const toLine = (line: number, extend: boolean) => {
    const row = lines[clamp(line, lines.length)]?.row;
    if (row) go({ ...at, row: row.index }, extend);
  };

  /** Left and right: through the reports, and in the column of names through the tree. */
  const across = (step: 1 | -1, extend: boolean) => {
    const row = rows[at.row];
    const open = lines[lineAt]?.open ?? false;
    if (!at.name) {
      if (at.column + step < 0 && !extend) go({ ...at, name: true });
      else go({ ...at, column: clamp(at.column + step, columns.length) }, extend);
    } else if (step === 1) {
      if (row?.branch && !open) onFold(row.key, true);
      else go({ ...at, column: 0, name: false });
    } else if (row?.branch && open) onFold(row.key, false);
    else if (row && row.above.length > 0) go({ ...at, row: row.above.at(-1) ?? at.row });
  };

  /** Gives whether the key was used. */
  const onKey = (event: KeyboardEvent): boolean => {
    const { key, shiftKey: extend, ctrlKey, metaKey, altKey } = event;
    const far = ctrlKey || metaKey;
    if (altKey) return false;
    if (far && key === " ") toggle(at);
    else if (far && key === "Home") toLine(0, extend);
    else if (far && key === "End") toLine(lines.length - 1, extend);
    else if (far) return false;
    else if (key === "ArrowDown") toLine(lineAt + 1, extend);
    else if (key === "ArrowUp") toLine(lineAt - 1, extend);
    else if (key === "PageDown") toLine(lineAt + LEAF, extend);
    else if (key === "PageUp") toLine(lineAt - LEAF, extend);
    else if (key === "ArrowRight") across(1, extend);
    else if (key === "ArrowLeft") across(-1, extend);
    else if (key === "Home") go({ ...at, column: 0, name: false }, extend);
    else if (key === "End") go({ ...at, column: columns.length - 1, name: false }, extend);
    else if (key === "Enter" && rows[at.row]?.branch)
      onFold(rows[at.row]?.key ?? "", !(lines[lineAt]?.open ?? false));
    else if (key === "Escape" && selected.size > 0) setSelected(new Set());
    else return false;
    return true;
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
    onKey,
  };
}

export type Walk = ReturnType<typeof useWalk>;
