// What the grid holds: requirements down, reports across, and what parents sum of their children.

import type { AssessmentCell, AssessmentGrid, ReportColumn, RequirementRow, ReviewStatus } from "@/api/types";
import type { Only } from "./state";

/** Cells by what was decided. */
export type Tally = Record<ReviewStatus, number> & { total: number };

const none = (): Tally => ({ open: 0, met: 0, partly: 0, gap: 0, not_applicable: 0, total: 0 });

/** Cells that are decided. */
export const decidedOf = ({ total, open }: Tally): number => total - open;

/** A row with its place in the tree. */
export type Row = RequirementRow & {
  index: number;
  /** What it is known by while others come and go. */
  key: string;
  /** Number from its paragraph down, such as `14(a)(iv)`; the label where it has none. */
  name: string;
  /** Rows around it, from the outermost. */
  above: readonly number[];
  /** Whether rows stand below it. */
  branch: boolean;
  /** Rows to decide on at and below it. */
  requirements: number;
};

/** The grid as it is drawn. */
export type Model = {
  rows: readonly Row[];
  columns: readonly ReportColumn[];
  cell: (row: number, column: number) => AssessmentCell | undefined;
  /** Whether a requirement is asked of a report: metrics of an industry are asked of the reports of that industry. */
  asked: (row: number, column: number) => boolean;
  /** What a row and all below it come to in a report. */
  tally: (row: number, column: number) => Tally;
  ofColumn: readonly Tally[];
  whole: Tally;
};

/** What a row is called below `above`: `14(a)(iv)`. A code that stands for itself, such as a metric's, stays alone. */
export const nameOf = ({ number, label }: Pick<RequirementRow, "number" | "label">, above: string): string =>
  number === "" ? label : number.startsWith("(") ? `${above}${number}` : number;

function rowsOf(rows: readonly RequirementRow[]): Row[] {
  const made: Row[] = [];
  rows.forEach((row, index) => {
    const parent = row.parent === null ? undefined : made[row.parent];
    const name = nameOf(row, parent && parent.number !== "" ? parent.name : "");
    const above = parent ? [...parent.above, parent.index] : [];
    made.push({
      ...row,
      index,
      key: row.id ?? `#${index}`,
      name,
      above,
      branch: false,
      requirements: row.requirement ? 1 : 0,
    });
    if (parent) parent.branch = true;
    if (row.requirement) for (const each of above) (made[each] as Row).requirements += 1;
  });
  return made;
}

/** Makes the grid of the engine's answer. */
export function modelOf({ rows: given, columns, cells }: AssessmentGrid): Model {
  const rows = rowsOf(given);
  const across = columns.length;
  const at = (row: number, column: number) => row * across + column;
  const asked = (row: number, column: number) => {
    const reports = rows[row]?.reports ?? null;
    return reports === null || reports.includes(columns[column]?.report_id ?? "");
  };
  const known = new Map(cells.map((cell) => [at(cell.row, cell.column), cell]));
  const tallies = Array.from({ length: rows.length * across }, none);
  const ofColumn = columns.map(none);
  const whole = none();
  for (const { index, requirement, above } of rows) {
    if (!requirement) continue;
    for (let column = 0; column < across; column += 1) {
      if (!asked(index, column)) continue;
      const status = known.get(at(index, column))?.status ?? "open";
      const sums = [index, ...above].map((row) => tallies[at(row, column)]);
      for (const sum of [...sums, ofColumn[column], whole]) {
        if (!sum) continue;
        sum[status] += 1;
        sum.total += 1;
      }
    }
  }
  return {
    rows,
    columns,
    cell: (row, column) => known.get(at(row, column)),
    asked,
    tally: (row, column) => tallies[at(row, column)] ?? none(),
    ofColumn,
    whole,
  };
}

/** Whether a cell is let through by a filter. `me` is the reviewer at this window. */
export function fits(only: Only, row: Row, cell: AssessmentCell | undefined, me: string): boolean {
  switch (only) {
    case "open":
      return (cell?.status ?? "open") === "open";
    case "proposed":
      return (cell?.proposed_by.length ?? 0) > 0;
    case "mandatory":
      return row.mandatory;
    case "mine":
      return cell?.reviewer != null && cell.reviewer === me;
    case "carried":
      return cell?.carried != null;
    default:
      return cell?.[only] ?? false;
  }
}

/** Cells that each filter lets through on its own. */
export function countsOf({ rows, columns, cell, asked }: Model, filters: readonly Only[], me: string) {
  const counts = new Map<Only, number>(filters.map((only) => [only, 0]));
  for (const row of rows) {
    if (!row.requirement) continue;
    for (let column = 0; column < columns.length; column += 1)
      for (const only of filters)
        if (asked(row.index, column) && fits(only, row, cell(row.index, column), me))
          counts.set(only, (counts.get(only) ?? 0) + 1);
  }
  return counts;
}

const holds = (row: Row, words: string): boolean =>
  `${row.id ?? ""} ${row.name} ${row.label}`.toLocaleLowerCase().includes(words);

/** The rows that the filters leave: those with a cell that all of them let through, and what stands around them. */
export function keptBy(model: Model, only: readonly Only[], text: string, me: string): ReadonlySet<number> {
  const { rows, columns, cell, asked } = model;
  const words = text.trim().toLocaleLowerCase();
  const kept = new Set<number>();
  for (const row of rows) {
    if (!row.requirement) continue;
    const named = words === "" || [row.index, ...row.above].some((each) => holds(rows[each] as Row, words));
    const passes = (_: unknown, column: number) =>
      asked(row.index, column) && only.every((each) => fits(each, row, cell(row.index, column), me));
    if (named && columns.some(passes)) for (const each of [row.index, ...row.above]) kept.add(each);
  }
  return kept;
}

/** A row on screen. */
export type Line = { row: Row; open: boolean };

/** The rows that are not below a closed one. */
export function linesOf({ rows }: Model, kept: ReadonlySet<number>, closed: ReadonlySet<string>): Line[] {
  return rows
    .filter(
      ({ index, above }) => kept.has(index) && above.every((each) => !closed.has(rows[each]?.key ?? "")),
    )
    .map((row) => ({ row, open: !closed.has(row.key) }));
}

/** Requirements at and below a row. */
export const below = ({ rows }: Model, { index }: Row): Row[] =>
  rows.filter((row) => row.requirement && (row.index === index || row.above.includes(index)));

/** A run of columns of one issuer. */
export type Issuer = { name: string; first: number; count: number };

/** The issuers over the reports. */
export function issuersOf(
  columns: readonly ReportColumn[],
  nameOf: (column: ReportColumn) => string,
): Issuer[] {
  const found: Issuer[] = [];
  columns.forEach((column, first) => {
    const name = nameOf(column);
    const last = found.at(-1);
    if (last?.name === name) last.count += 1;
    else found.push({ name, first, count: 1 });
  });
  return found;
}

/** The next cell for which `wanted` holds, down a report and then in the next one, and from the start again. */
export function nextCell(
  { rows, columns }: Model,
  from: { row: number; column: number },
  step: 1 | -1,
  wanted: (row: Row, column: number) => boolean,
): { row: number; column: number } | undefined {
  const count = rows.length * columns.length;
  const start = from.column * rows.length + from.row;
  for (let taken = 1; taken <= count; taken += 1) {
    const place = (((start + step * taken) % count) + count) % count;
    const column = Math.floor(place / rows.length);
    const row = rows[place % rows.length];
    if (row?.requirement && wanted(row, column)) return { row: row.index, column };
  }
  return undefined;
}
