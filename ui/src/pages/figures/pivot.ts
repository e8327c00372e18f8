// Figures as a table: what they are figures of down, reports and their periods across.

import type { FigureRow, FigureStatus } from "@/api/types";
import { visible } from "@/text/visible";
import { agreement, plainUnit } from "./compare";
import { asPrinted, inOneUnit, mostOf, type Shown } from "./one-unit";

/** What is known of the report behind a document. */
export type Known = { title: string; issuer: string | null; year: number | null };

/** The sort of value that a column holds: base years, targets and changes never stand among what was measured. */
export type Kind = "actual" | "base" | "target" | "change";

/** A period of a report. */
export type Column = {
  key: string;
  /** Who made the report, or its title where that is not known. */
  issuer: string;
  /** The report, told apart by title and year. */
  report: string;
  title: string;
  reportYear: number | null;
  year: number | null;
  part: string | null;
  kind: Kind;
};

/** What a cell says beyond its value. */
export type Mark = "conflict" | "restated" | "rounded";

/** The figures that one report gives of one thing and period. */
export type Cell = {
  /** The one whose value is shown. */
  figure: FigureRow;
  /** How it is shown. */
  shown: Shown;
  /** All of them, the shown one first. */
  all: readonly FigureRow[];
  /** Those of the same issuer, thing and period in its other reports. */
  others: readonly FigureRow[];
  mark: Mark | undefined;
};

/** One thing that there are figures of. */
export type Row = {
  key: string;
  /** Its names from the group that it belongs to down. */
  names: readonly string[];
  /** Cells by the key of their column. */
  cells: ReadonlyMap<string, Cell>;
  /** The unit that most of an issuer's cells are shown in, by issuer. */
  units: ReadonlyMap<string, string>;
  /** Issuers some of whose values are converted to that unit. */
  converted: ReadonlySet<string>;
};

/** Rows under a heading of their document. */
export type Group = { key: string; heading: string; path: string; rows: readonly Row[] };

/** Figures in rows and columns. */
export type Table = { columns: readonly Column[]; groups: readonly Group[]; marks: Record<Mark, number> };

const KINDS: Record<FigureStatus, Kind> = {
  actual: "actual",
  restated: "actual",
  estimate: "actual",
  base: "base",
  target: "target",
  change: "change",
};
const ORDER: readonly Kind[] = ["actual", "base", "target", "change"];

const plain = (name: string) => name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

/** Names of a figure: its row from the group down, then its column. */
export const namesOf = ({ label, column }: FigureRow): string[] =>
  [...label, column].filter((name) => name !== "").map(visible);

/** The sign or code of a currency, without how many are counted at once: `€` of `M€`, `US$` of `US$bn`, `EUR` of `MIO EUR`. */
const CURRENCY =
  /(?:US|AU|NZ|HK|SG|NT|[ACRS])?\$|[^\P{Sc}$]|\b[MTK]?(?!MIO|MRD|MLN|MLD|TSD|MIL)([A-Z]{3})(?:m|bn|k)?\b/u;

/** What a figure counts: values of one measure stand in one row whatever unit they are printed in, but money only in its currency. */
function dimension({ measure, per, unit }: FigureRow): string {
  if (measure === null || per) return plainUnit(unit);
  if (measure !== "money") return measure;
  const found = CURRENCY.exec((unit ?? "").normalize("NFKC"));
  return found?.[1] ?? found?.[0] ?? plainUnit(unit);
}

/**
 * What each figure is of: its names and what it counts. One without a unit counts what its neighbours of the same names
 * do, where they agree.
 */
function whats(figures: readonly FigureRow[]): (figure: FigureRow) => string {
  const placeOf = (figure: FigureRow) =>
    [figure.document_id, headingOf(figure), ...namesOf(figure)].map(String).map(plain).join("\n");
  const beside = new Map<string, Set<string>>();
  for (const [place, own] of grouped(figures, placeOf))
    beside.set(place, new Set(own.map(dimension).filter((each) => each !== "")));
  return (figure) => {
    const [only, ...more] = beside.get(placeOf(figure)) ?? [];
    const counted = dimension(figure) || (more.length === 0 ? (only ?? "") : "");
    return [...namesOf(figure).map(plain), counted].join("\n");
  };
}

const headingOf = (figure: FigureRow) => figure.above.at(-1) ?? "";

const reportOf = (figure: FigureRow) => figure.report_id ?? `document ${figure.document_id}`;

function columnOf(figure: FigureRow, known: Known | undefined): Column {
  const { year, part } = figure;
  const kind = KINDS[figure.status];
  const report = reportOf(figure);
  const title = visible(known?.title ?? figure.document);
  return {
    key: [report, year, part, kind].join("\n"),
    issuer: visible(known?.issuer || title),
    report,
    title,
    reportYear: known?.year ?? figure.document_year,
    year,
    part,
    kind,
  };
}

/** Later before earlier; what has no year comes last. */
const latestFirst = (a: number | null, b: number | null) =>
  (b ?? Number.NEGATIVE_INFINITY) - (a ?? Number.NEGATIVE_INFINITY) || 0;

/** Issuers come in the order of their figures, so that the rows at the start find theirs in sight. */
const inOrder = (issuers: readonly string[]) => (a: Column, b: Column) =>
  issuers.indexOf(a.issuer) - issuers.indexOf(b.issuer) ||
  latestFirst(a.reportYear, b.reportYear) ||
  a.report.localeCompare(b.report) ||
  ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
  latestFirst(a.year, b.year) ||
  (a.part ?? "").localeCompare(b.part ?? "", undefined, { numeric: true });

/** Lists by a key, in the order in which they come. */
function grouped<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const lists = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const list = lists.get(key);
    if (list) list.push(item);
    else lists.set(key, [item]);
  }
  return lists;
}

/**
 * Whether two figures with the same names may be told to contradict each other. Those that nothing dates may not, and
 * those of one sentence are of different things.
 */
const comparable = (a: FigureRow, b: FigureRow) =>
  a.year !== null && !(a.origin === "sentence" && b.origin === "sentence" && a.document_id === b.document_id);

/**
 * What a cell is marked with. A difference that a report explains by restating is none; a difference that rounding
 * explains is said, but is no conflict.
 */
function markOf(all: readonly FigureRow[], others: readonly FigureRow[]): Mark | undefined {
  const given = [...all, ...others];
  if (all.some(({ status }) => status === "restated")) return "restated";
  if (given.some(({ status }) => status === "restated")) return undefined;
  const found = all.flatMap((own) =>
    given.filter((other) => comparable(own, other)).map((other) => agreement(own, other)),
  );
  if (found.includes("differs")) return "conflict";
  return found.includes("rounded") ? "rounded" : undefined;
}

function rowOf(key: string, figures: readonly FigureRow[], columnBy: (figure: FigureRow) => Column): Row {
  const cells = new Map<string, Cell>();
  const periodOf = (figure: FigureRow) => {
    const { issuer, year, part, kind } = columnBy(figure);
    return [issuer, year, part, kind].join("\n");
  };
  for (const same of grouped(figures, periodOf).values())
    for (const [column, own] of grouped(same, (figure) => columnBy(figure).key)) {
      // What was restated holds.
      const all = [...own].sort((a, b) => Number(b.status === "restated") - Number(a.status === "restated"));
      const others = same.filter((figure) => columnBy(figure).key !== column);
      const [figure] = all;
      if (figure)
        cells.set(column, { figure, shown: asPrinted(figure), all, others, mark: markOf(all, others) });
    }
  const units = new Map<string, string>();
  for (const [issuer, own] of grouped(figures, (figure) => columnBy(figure).issuer))
    units.set(issuer, mostOf(own.map(({ unit }) => visible(unit ?? ""))));
  const [first] = figures;
  return { key, names: first ? namesOf(first) : [], cells, units, converted: new Set() };
}

/** A row with its values in one unit, as far as they can be converted. */
export function rowInOneUnit(row: Row, issuerOf: (column: string) => string): Row {
  const given = [...row.cells];
  const shown = inOneUnit(given.map(([, { figure }]) => figure));
  const cells = new Map(given.map(([key, cell], at) => [key, { ...cell, shown: shown[at] ?? cell.shown }]));
  const units = new Map<string, string>();
  const converted = new Set<string>();
  for (const [issuer, own] of grouped(cells, ([key]) => issuerOf(key))) {
    const unit = mostOf(own.map(([, cell]) => cell.shown.unit));
    units.set(issuer, unit);
    if (own.some(([, { shown }]) => shown.converted && shown.unit === unit)) converted.add(issuer);
  }
  return { ...row, cells, units, converted };
}

/** The table with the values of each row in one unit. */
export function tableInOneUnit(table: Table): Table {
  const issuers = new Map(table.columns.map(({ key, issuer }) => [key, issuer]));
  const issuerOf = (column: string) => issuers.get(column) ?? "";
  const groups = table.groups.map((group) => ({
    ...group,
    rows: group.rows.map((row) => rowInOneUnit(row, issuerOf)),
  }));
  return { ...table, groups };
}

/**
 * The table of `figures`. The same names and unit of other reports and years fall in one row. Where a document gives the
 * same names under several of its headings they are other things, such as the totals of two tables: the headings then
 * part the rows.
 */
export function pivot(
  figures: readonly FigureRow[],
  knownOf: (figure: FigureRow) => Known | undefined,
): Table {
  const columns = new Map<string, Column>();
  const columnFor = new Map<FigureRow, Column>();
  for (const figure of figures) {
    const made = columnOf(figure, knownOf(figure));
    const column = columns.get(made.key) ?? made;
    columns.set(column.key, column);
    columnFor.set(figure, column);
  }
  const columnBy = (figure: FigureRow) => columnFor.get(figure) ?? columnOf(figure, knownOf(figure));
  const whatOf = whats(figures);
  const parted = new Set<string>();
  for (const [what, own] of grouped(figures, whatOf))
    for (const ofOne of grouped(own, ({ document_id }) => String(document_id)).values())
      if (new Set(ofOne.map((figure) => plain(headingOf(figure)))).size > 1) parted.add(what);
  const rowKey = (figure: FigureRow) => {
    const what = whatOf(figure);
    return parted.has(what) ? `${plain(headingOf(figure))}\n\n${what}` : what;
  };
  const rows = [...grouped(figures, rowKey)].map(([key, own]) => ({
    row: rowOf(key, own, columnBy),
    first: own[0] as FigureRow,
  }));
  const groups = [...grouped(rows, ({ first }) => plain(headingOf(first)))].map(([key, own]) => ({
    key,
    heading: visible(headingOf(own[0]?.first as FigureRow)),
    path: visible((own[0]?.first.above ?? []).join(" › ")),
    rows: own.map(({ row }) => row),
  }));
  const marks = { conflict: 0, restated: 0, rounded: 0 };
  for (const { row } of rows) for (const { mark } of row.cells.values()) if (mark) marks[mark] += 1;
  const issuers = [...new Set([...columns.values()].map(({ issuer }) => issuer))];
  return { columns: [...columns.values()].sort(inOrder(issuers)), groups, marks };
}

/** The rows of a table that hold a mark. */
export const marked = (table: Table, mark: Mark): Table => {
  const groups = table.groups
    .map((group) => ({
      ...group,
      rows: group.rows.filter((row) => [...row.cells.values()].some((cell) => cell.mark === mark)),
    }))
    .filter(({ rows }) => rows.length > 0);
  const used = new Set(groups.flatMap(({ rows }) => rows.flatMap((row) => [...row.cells.keys()])));
  return { ...table, groups, columns: table.columns.filter(({ key }) => used.has(key)) };
};
