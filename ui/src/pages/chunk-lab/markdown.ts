// What the marks of Markdown mean for how a line is drawn. The text itself stays: places count every character of it.

import type { Text } from "@codemirror/state";
import { firstWhere } from "./cut";

/** A line of a table. */
const ROW = /^\s*\|/;
const DELIMITER = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const BOLD = /\*\*(\S(?:[^*\n]*\S)?)\*\*/g;
/** Rows that are looked at for the widths of the columns; a longer table goes on as it began. */
const LOOKED = 200;
/** Longer lines are left as they are written. */
const LONGEST = 4_000;
/** Characters that a narrow and a wide column are counted as. */
const NARROWEST = 4;
const WIDEST = 42;
/** Characters that fit into the space on both sides of a cell's words. */
const AROUND = 3;

/** The first character of a cell's words and one past the last, in the line. */
export type Cell = readonly [from: number, to: number];

/** The cells of a row, without the white space around their words. */
export function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  let begin = line.indexOf("|") + 1;
  for (let at = begin; at <= line.length; at += 1) {
    const end = at === line.length;
    if (line[at] === "\\") {
      at += 1;
      continue;
    }
    if (!end && line[at] !== "|") continue;
    const words = line.slice(begin, at);
    if (!end || words.trim() !== "") {
      const from = begin + (words.length - words.trimStart().length);
      cells.push(words.trim() === "" ? [begin, begin] : [from, begin + words.trimEnd().length]);
    }
    begin = at + 1;
  }
  return cells;
}

/** A table of a document. */
export type Table = {
  /** Number of its first line, of the one that parts head and body, and of the last. */
  first: number;
  rule: number;
  last: number;
  /** Share of the width that each column takes, in percent, all together 100. */
  widths: readonly number[];
  /** Columns whose words end at one line, as figures do. */
  ends: readonly boolean[];
};

const FIGURE = /^[-−+~≈<>€$£]?\s?[\d.,\s]*\d(?:\s?[%‰]|\s?\p{L}{1,3})?$/u;
const EMPTY = /^[-–—.]?$/;

function tableAt(doc: Text, number: number): Table | undefined {
  let first = number;
  while (first > 1 && ROW.test(doc.line(first - 1).text)) first -= 1;
  let last = number;
  while (last < doc.lines && ROW.test(doc.line(last + 1).text)) last += 1;
  const rule = first + 1;
  if (rule > last || !DELIMITER.test(doc.line(rule).text)) return undefined;
  const aligned = cellsOf(doc.line(rule).text).map(([from, to]) => doc.line(rule).text.slice(from, to));
  const longest: number[] = aligned.map(() => NARROWEST);
  const figures = aligned.map(() => ({ yes: 0, no: 0 }));
  for (let at = first; at <= Math.min(last, first + LOOKED); at += 1) {
    if (at === rule) continue;
    const { text } = doc.line(at);
    if (text.length > LONGEST) continue;
    cellsOf(text).forEach(([from, to], column) => {
      if (longest[column] === undefined) longest[column] = NARROWEST;
      longest[column] = Math.min(WIDEST, Math.max(longest[column] ?? 0, to - from));
      const words = text.slice(from, to);
      const count = figures[column];
      if (at > rule && count && !EMPTY.test(words)) count[FIGURE.test(words) ? "yes" : "no"] += 1;
    });
  }
  for (const column of longest.keys()) longest[column] = (longest[column] ?? 0) + AROUND;
  const all = longest.reduce((sum, each) => sum + each, 0);
  return {
    first,
    rule,
    last,
    widths: longest.map((each) => (each / all) * 100),
    ends: longest.map((_, column) => {
      const mark = aligned[column] ?? "";
      if (mark.startsWith(":")) return false;
      const count = figures[column];
      return mark.endsWith(":") || (count !== undefined && count.yes > 0 && count.no === 0);
    }),
  };
}

/** Looks tables up, each one once: a long one is in sight again with every turn of the wheel. */
export function tablesOf(doc: Text): (number: number) => Table | undefined {
  const known: { first: number; last: number; table: Table | undefined }[] = [];
  return (number) => {
    const place = firstWhere(known, (each) => each.last >= number);
    const kept = known[place];
    if (kept && kept.first <= number) return kept.table;
    if (!ROW.test(doc.line(number).text)) return undefined;
    const table = tableAt(doc, number);
    known.splice(place, 0, { first: table?.first ?? number, last: table?.last ?? number, table });
    return table;
  };
}

/** Strong words in a line: where their marks and where they themselves begin and end. */
export function strongIn(line: string): { from: number; to: number }[] {
  if (line.length > LONGEST || !line.includes("**")) return [];
  return [...line.matchAll(BOLD)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
}

const EMPHASIS = [
  /(?<![\p{L}\p{N}*\\])\*(?=[^\s*])[^*\n]*(?<=[^\s*\\])\*(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_\\])_(?=[^\s_])[^_\n]*(?<=[^\s_\\])_(?![\p{L}\p{N}_])/gu,
];

/** Emphasised words in a line, each between single stars or underscores: where it begins and ends with its marks. */
export function emphasisIn(line: string): { from: number; to: number }[] {
  if (line.length > LONGEST) return [];
  return EMPHASIS.flatMap((marks) =>
    [...line.matchAll(marks)].map((match) => ({ from: match.index, to: match.index + match[0].length })),
  );
}

/** Whether a row is drawn in columns: one that is very long is left as it is. */
export const inColumns = (line: string): boolean => line.length <= LONGEST;

// What begins a block of its own: a heading, a quotation, a row, an item, a rule, a fence or the mark of another block.
const BEGINS =
  /^\s*(?:#{1,6}\s|>|\||[-*+•](?:\s|$)|\(?(?:\d{1,4}|[a-zA-Z]|[ivxIVX]{1,5})[.)]\s|(?:[-*_=]\s*){3,}$|```|~~~|<)/;
// What ends with its line: a heading, a row, a rule, and a line that asks for its break.
const ENDS = /^\s*(?:#{1,6}\s|\||(?:[-*_=]\s*){3,}$|<)|(?: {2}|\\)$/;
const FENCE = /^\s*(?:```|~~~)/;

/** Lines in which the fields before the text end. */
const FIELDS = 100;

function hasFields(doc: Text): boolean {
  if (doc.line(1).text.trim() !== "---") return false;
  for (let number = 2; number <= Math.min(doc.lines, FIELDS); number += 1)
    if (doc.line(number).text.trim() === "---") return true;
  return false;
}

/** Lines whose break is only how the source was wrapped, by their number: the next line goes on with the paragraph. */
export function softBreaks(doc: Text): ReadonlySet<number> {
  const soft = new Set<number>();
  let number = 0;
  let before = "";
  let length = 0;
  let fenced = false;
  // The fields before the text are no paragraph.
  let fields = hasFields(doc);
  for (const text of doc.iterLines()) {
    number += 1;
    const goes =
      !fenced &&
      !fields &&
      before.trim() !== "" &&
      text.trim() !== "" &&
      !ENDS.test(before) &&
      !BEGINS.test(text);
    length = goes ? length + text.length + 1 : text.length;
    if (goes && length <= LONGEST) soft.add(number - 1);
    else length = text.length;
    if (FENCE.test(text)) {
      fenced = !fenced;
      before = "";
    } else before = text;
    if (fields && number > 1 && text.trim() === "---") {
      fields = false;
      before = "";
    }
  }
  return soft;
}

/** Lines that are read as one. */
export type Paragraph = {
  from: number;
  to: number;
  text: string;
  /** Number of the first line. */
  number: number;
};

/** The lines around a place that are read as one, where those after `soft` go on. */
export function paragraphAt(doc: Text, soft: ReadonlySet<number>, at: number): Paragraph {
  let first = doc.lineAt(at).number;
  let last = first;
  while (soft.has(first - 1)) first -= 1;
  while (soft.has(last)) last += 1;
  const { from } = doc.line(first);
  const { to } = doc.line(last);
  return { from, to, text: doc.sliceString(from, to, "\n"), number: first };
}
