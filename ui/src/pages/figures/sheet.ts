// Where rows and columns of the table stand.

import { t } from "@/text";
import { periodAndKind, reportName, severalIn } from "./names";
import type { Column, Group, Row, Table } from "./pivot";

/** Pixels of the column of names. */
export const WHAT = 280;
/** Pixels of issuers, reports and periods. */
export const HEAD = 66;
/** Pixels of the units of an issuer, and of a letter of them: beyond the most a tip shows the rest. */
const UNIT = { least: 64, most: 132, letter: 6.2, beside: 14 };
const VALUE = 82;
/** Pixels of a digit, and of what stands beside the digits. */
const DIGIT = 7;
const BESIDE = 28;
/** Pixels of a unit that a cell has to itself. */
const OWN = 52;

/** A line of the table: a heading, or a row below one. */
export type Line = { key: string; group: Group; row: Row | undefined; open: boolean };

/** A column of the sheet: values, or the units of an issuer. */
export type Track = {
  key: string;
  issuer: string;
  /** Position of the values among all columns; nothing for units. */
  column: number | undefined;
  /** Whether a report begins with it. */
  first: boolean;
  start: number;
  width: number;
};

/** A name above several columns. */
type Span = { key: string; name: string; start: number; width: number };

/** Lines and columns with their places. */
export type Sheet = {
  lines: readonly Line[];
  columns: readonly Column[];
  tracks: readonly Track[];
  issuers: readonly Span[];
  reports: readonly Span[];
  /** Pixels across. */
  width: number;
};

/** Pixels that the longest value of a column needs: numbers are never cut. */
function widthOf(column: Column, rows: readonly Row[]): number {
  let most = Math.max(VALUE, periodAndKind(column).length * DIGIT + BESIDE / 2);
  for (const row of rows) {
    const cell = row.cells.get(column.key);
    if (!cell) continue;
    const own = cell.shown.unit === row.units.get(column.issuer) ? 0 : OWN;
    const more = severalIn(cell) > 1 ? 14 : 0;
    most = Math.max(most, cell.shown.number.length * DIGIT + BESIDE + own + more);
  }
  return most;
}

/** The unit of a row for an issuer; where its values are converted to it, that is said. */
export function unitWords(row: Row, issuer: string): string {
  const unit = row.units.get(issuer) ?? "";
  return row.converted.has(issuer) ? t("figures.in_unit", { unit }) : unit;
}

/** Pixels that the longest unit of an issuer needs, within bounds. */
function unitWidth(issuer: string, rows: readonly Row[]): number {
  const letters = rows.reduce((most, row) => Math.max(most, unitWords(row, issuer).length), 0);
  return Math.min(UNIT.most, Math.max(UNIT.least, Math.ceil(letters * UNIT.letter) + UNIT.beside));
}

function widen(spans: Span[], key: string, name: string, start: number, width: number) {
  const last = spans.at(-1);
  if (last?.key === key) last.width = start + width - last.start;
  else spans.push({ key, name, start, width });
}

/** The sheet of a table, where the groups in `folded` show their heading only. */
export function sheetOf({ columns, groups }: Table, folded: ReadonlySet<string>): Sheet {
  const rows = groups.flatMap((group) => group.rows);
  const tracks: Track[] = [];
  const issuers: Span[] = [];
  const reports: Span[] = [];
  let start = WHAT;
  const add = (key: string, issuer: string, column: number | undefined, first: boolean, width: number) => {
    tracks.push({ key, issuer, column, first, start, width });
    widen(issuers, issuer, issuer, start, width);
    start += width;
  };
  columns.forEach((column, index) => {
    const before = columns[index - 1];
    const opens = before?.issuer !== column.issuer;
    const at = start;
    if (opens) add(`unit ${column.issuer}`, column.issuer, undefined, false, unitWidth(column.issuer, rows));
    add(column.key, column.issuer, index, !opens && before?.report !== column.report, widthOf(column, rows));
    widen(reports, column.report, reportName(column), at, start - at);
  });
  const lines = groups.flatMap((group): Line[] => {
    const open = !folded.has(group.key);
    const heading = { key: `heading ${group.key}`, group, row: undefined, open };
    return [heading, ...(open ? group.rows.map((row) => ({ key: row.key, group, row, open })) : [])];
  });
  return { lines, columns, tracks, issuers, reports, width: start };
}
