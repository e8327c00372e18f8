// Columns, cells and places of figures in words, and as tables for other programs.

import type { DocumentRow, FigureRow } from "@/api/types";
import { pagesOf } from "@/parts/cited";
import { href } from "@/state/router";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { asPrinted, type Shown } from "./one-unit";
import type { Cell, Column, Row, Table } from "./pivot";

/** `2023`, `H1 2023`, or that nothing dates it. */
export const periodOf = ({ year, part }: Pick<Column, "year" | "part">): string =>
  year === null
    ? t("figures.no_year")
    : [part, year]
        .filter((each) => each !== null)
        .map(String)
        .join(" ");

/** The period with what sort of value it is, such as `2030, target`. */
export const periodAndKind = (column: Column): string =>
  column.kind === "actual"
    ? periodOf(column)
    : t("figures.of_kind", { period: periodOf(column), kind: t(`figures.kind.${column.kind}`) });

/** A report as it stands below its issuer: its year, and its title where that is not the name above. */
export const reportName = ({ issuer, title, reportYear }: Column): string =>
  [
    reportYear === null ? undefined : t("figures.report_year", { year: String(reportYear) }),
    issuer === title ? undefined : title,
  ]
    .filter(Boolean)
    .join(" · ");

/** Column in one line: whose, which report, which period. */
export const columnName = (column: Column): string =>
  [column.issuer, reportName(column), periodAndKind(column)].filter((each) => each !== "").join(", ");

/** What a row is, in one line. */
export const rowName = ({ names }: Row): string => names.join(" › ");

/** A value with its unit. */
export const written = ({ number, unit }: Shown): string => [number, unit].join(" ").trim();

/** A value with its unit, as both are printed. */
export const printedOf = (figure: FigureRow): string => written(asPrinted(figure));

/** Whether a cell holds values that its names do not tell apart. */
export const severalIn = ({ all }: Cell): number => new Set(all.map(({ value }) => value)).size;

/** A cell as it is read out. */
export function cellName(row: Row, column: Column, cell: Cell | undefined): string {
  const value = cell ? written(cell.shown) : t("figures.not_given");
  const printed = cell?.shown.converted
    ? t("figures.printed_as", { printed: printedOf(cell.figure) })
    : undefined;
  const mark = cell?.mark && t(`figures.mark.${cell.mark}`);
  const status = cell?.figure.status === "estimate" ? t("figures.status.estimate") : undefined;
  const more =
    cell && !cell.mark && severalIn(cell) > 1
      ? t("figures.several", { count: severalIn(cell) - 1 })
      : undefined;
  return `${rowName(row)}; ${columnName(column)}: ${[value, printed, status, mark, more].filter(Boolean).join(", ")}`;
}

/** Page, or sheet and cells, that a figure stands on. */
export const placeOf = ({ page, sheet, cells }: FigureRow): string =>
  [
    page === null ? undefined : pagesOf({ pages: [page, page] }),
    sheet && visible(sheet),
    cells && visible(cells),
  ]
    .filter(Boolean)
    .join(" · ");

/** Whether the page of a figure can be drawn: the file has pages that are pictures. */
export const isDrawn = (figure: FigureRow, document: DocumentRow | undefined): boolean =>
  figure.page !== null && document !== undefined && /\.pdf$/i.test(document.path);

/** The address of a figure in its document, on the page of the file where that can be drawn. */
export function placeHref(figure: FigureRow, document: DocumentRow | undefined): string {
  const span = figure.span.join("-");
  return href("chunk-lab", [], {
    document: String(figure.document_id),
    view: "read",
    at: span,
    mark: span,
    ...(isDrawn(figure, document) && { show: "page", page: String(figure.page) }),
  });
}

/**
 * Rows and columns for other programs, as they are shown: each column with its unit and place, and with what is printed
 * where values are converted.
 */
export function plainTable(rows: readonly Row[], columns: readonly Column[]): string[][] {
  const converts = rows.some(({ cells }) => columns.some(({ key }) => cells.get(key)?.shown.converted));
  const facts = [t("figures.unit"), t("figures.place"), ...(converts ? [t("figures.as_printed")] : [])];
  const head = columns.flatMap((column) => [columnName(column), ...facts]);
  const body = rows.map((row) => [
    rowName(row),
    ...columns.flatMap(({ key }) => {
      const cell = row.cells.get(key);
      if (!cell) return ["", ...facts.map(() => "")];
      const { shown, figure } = cell;
      return [shown.number, shown.unit, placeOf(figure), ...(converts ? [printedOf(figure)] : [])];
    }),
  ]);
  return [[t("figures.what"), ...head], ...body];
}

/** A table as text whose cells a spreadsheet takes apart again. */
export const tabSeparated = (table: readonly (readonly string[])[]): string =>
  table.map((row) => row.map((cell) => cell.replace(/\s+/g, " ")).join("\t")).join("\n");

/** Every row of a table, without the headings. */
export const rowsOf = ({ groups }: Table): Row[] => groups.flatMap(({ rows }) => rows);
