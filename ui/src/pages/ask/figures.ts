// How the figures of an answer are written in a line, and where they are looked up.

import type {
  AnswerCitation,
  FigureElsewhere,
  FigureShown,
  FigureAnswer as Figures,
  FigureTable as Table,
} from "@/api/types";
import { pagesOf } from "@/parts/cited";
import { href, joined } from "@/state/router";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { titleOf } from "./names";

/** A sign of money, which stands before its number. */
const MONEY = /^\p{Sc}$/u;

/** A number as it is printed, and what is printed around it. */
export function around({ printed, unit }: Pick<FigureShown, "printed" | "unit">): {
  number: string;
  unit: string;
} {
  if (unit === null) return { number: printed, unit: "" };
  return MONEY.test(unit) ? { number: `${unit}${printed}`, unit: "" } : { number: printed, unit };
}

/** A number with its unit, as both are printed. */
export function printedOf(figure: Pick<FigureShown, "printed" | "unit">): string {
  const { number, unit } = around(figure);
  return `${number} ${unit}`.trim();
}

const inARow = (...parts: (string | null | false)[]): string => parts.filter(Boolean).join(", ");

const whenOf = ({ period, status }: FigureShown): string =>
  inARow(period, status !== "actual" && t(`figures.status.${status}`));

/** What a figure is, and of when. The name of one in a sentence is that sentence, which stands below it. */
export const whatOf = (figure: FigureShown): string =>
  inARow(figure.origin !== "sentence" && figure.name, whenOf(figure));

/** What figures say, as it is read out. */
export const inWords = ({ figures, working }: Figures): string =>
  [
    ...figures.map((figure) => inARow(printedOf(figure), figure.name.replace(/\.$/, ""), whenOf(figure))),
    working,
  ]
    .filter(Boolean)
    .join("; ");

/** Document, page and section of a citation. */
export const sourceOf = (citation: AnswerCitation): string =>
  [titleOf(citation), citation.section.join(" › ")].filter(Boolean).join(" · ");

/** A figure with its source, as it is copied. */
export const inOneLine = (figure: FigureShown, citation: AnswerCitation): string =>
  [printedOf(figure), figure.name, whenOf(figure), sourceOf(citation)].filter(Boolean).join("; ");

/** Where figures stand among all of their report: by the words that their names share, or by year where they have none. */
export function inFigures(figures: readonly FigureShown[], citation: AnswerCitation): string {
  const named = figures.filter(({ origin }) => origin !== "sentence");
  const [first = [], ...others] = named.map(({ name }) => name.split(/[\s›]+/));
  const years = figures.flatMap(({ period }) => /\b\d{4}\b/.exec(period ?? "")?.[0] ?? []);
  return href("figures", [], {
    q: first.filter((word) => others.every((each) => each.includes(word))).join(" "),
    reports: citation.report_id === null ? undefined : joined([citation.report_id]),
    years: named.length > 0 ? undefined : joined([...new Set(years)]),
  });
}

/** Where a figure stands in its document. */
export const figurePlace = ({ document_id, page, span }: FigureElsewhere): string =>
  href("chunk-lab", [], {
    document: String(document_id),
    view: "read",
    mark: span.join("-"),
    ...(page !== null && { show: "page", page: String(page) }),
  });

/** The page of a figure; nothing where its document has none. */
export const pageOf = ({ page }: FigureElsewhere): string | undefined =>
  page === null ? undefined : pagesOf({ pages: [page, page] });

/** What `table` leaves empty for the figure that is asked for: whose it is, and of when. Nothing where it leaves none. */
export function holeIn(table: Table): { name: string; period: string } | undefined {
  for (const { cells, marked } of table.rows) {
    const at = marked.find((each) => cells[each] === "");
    if (at !== undefined) return { name: cells[0] ?? "", period: table.head[at] ?? "" };
  }
  return undefined;
}

/** The first hole in what `figures` show in place of a figure. */
export const holeOf = (figures: readonly Figures[]): ReturnType<typeof holeIn> =>
  figures.flatMap(({ tables }) => tables.map(holeIn)).find((each) => each !== undefined);

const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/;
const yearOf = (text: string): string | undefined => YEAR.exec(text)?.[0];

/** A figure that is given in place of one that is not: the years of both, and what is printed. */
export type Instead = { missing: string; year: string; printed: string };

/** The figure of a row with a hole that is nearest to it in years, the later of two that are as near. */
export function nearestIn({ head, rows }: Table): Instead | undefined {
  for (const { cells, marked } of rows) {
    const hole = head[marked.find((at) => cells[at] === "") ?? -1];
    const missing = hole && yearOf(hole);
    if (!missing) continue;
    const form = hole.replace(missing, "");
    const given = cells.flatMap((printed, at) => {
      const year = yearOf(head[at] ?? "");
      if (at === 0 || printed === "" || !year || head[at]?.replace(year, "") !== form) return [];
      return { missing, year, printed: printedOf({ printed, unit: head[0] || null }) };
    });
    const away = ({ year }: Instead) => Math.abs(Number(year) - Number(missing));
    const [nearest] = given.sort((a, b) => away(a) - away(b) || Number(b.year) - Number(a.year));
    if (nearest) return nearest;
  }
  return undefined;
}

/** `question` with the year that is given in place of the missing one; nothing where it would ask for nothing else. */
export function askedInstead(question: string, { missing, year }: Instead): string | undefined {
  const has = (each: string) => new RegExp(`(?<!\\d)${each}(?!\\d)`, "g");
  return has(missing).test(question) && !has(year).test(question)
    ? question.replace(has(missing), year)
    : undefined;
}

/** Figures of one source, with the table that they stand in where they stand in one. */
export type Stand = { table: Table | undefined; citation: AnswerCitation; figures: FigureShown[] };

/** Where the figures of an answer stand: table by table, then those without one, source by source. */
export function standsOf({ figures, tables }: Figures, citations: readonly AnswerCitation[]): Stand[] {
  const cited = (n: number | null) => citations.find((each) => each.n === n);
  const left = new Set(figures);
  const stands: Stand[] = [];
  for (const table of tables) {
    const citation = cited(table.citation);
    if (!citation) continue;
    const marked = table.rows.flatMap((row) => row.marked.map((at) => row.cells[at] ?? ""));
    const own = [...left].filter(
      ({ printed, citation: n }) =>
        n === table.citation ||
        (cited(n)?.document_id === citation.document_id && marked.some((cell) => cell.includes(printed))),
    );
    for (const figure of own) left.delete(figure);
    stands.push({ table, citation, figures: own });
  }
  for (const figure of left) {
    const citation = cited(figure.citation);
    if (!citation) continue;
    const known = stands.find((each) => !each.table && sourceOf(each.citation) === sourceOf(citation));
    if (known) known.figures.push(figure);
    else stands.push({ table: undefined, citation, figures: [figure] });
  }
  return stands;
}

/** The figures of one source, a line each, as they are copied. */
export const copied = ({ figures, citation }: Stand): string =>
  figures.map((figure) => visible(inOneLine(figure, citation))).join("\n");
