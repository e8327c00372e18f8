// How a passage is named, and its text without its context header.

import type { ChunkRow, Hit } from "@/api/types";
import type { Selected } from "@/state/selection";
import { standardOf } from "@/state/source-types";
import { inert } from "@/text/visible";
import { pagesOf } from "./cited";
import type { Stretch } from "./stems";

/** What names a passage: hits and stored chunks have it. */
export type Named = Pick<Hit, "metadata" | "source_type" | "title" | "pages" | "page_labels" | "path">;

const words = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
const listed = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];

/** Paragraph id, topic or metric code: what the standards' screen opens. */
export const standardId = (passage: Pick<Named, "metadata">): string | undefined =>
  words(passage.metadata.paragraph_id) ?? words(passage.metadata.topic_code);

/** Names of the sections that a passage lies in, from the outermost. */
export function sectionsOf(passage: Pick<Named, "metadata">): string[] {
  const path = listed(passage.metadata.section_path);
  if (path.length > 0) return path;
  const section = words(passage.metadata.section) ?? words(passage.metadata.section_heading);
  return section ? [section] : [];
}

/** What stands first in a list, an id or a title, and what it belongs to. An id is never cut short. */
export function nameOf(passage: Named): { id: string; title?: string; source: string } {
  const id = standardId(passage);
  if (id) return { id, source: standardOf(passage.source_type)?.body ?? passage.title };
  const pages = pagesOf(passage);
  if (pages) return { id: pages, source: passage.title };
  const section = sectionsOf(passage).at(-1);
  if (section === undefined) return { id: "", title: passage.title, source: passage.path };
  return { id: "", title: section, source: passage.title };
}

/** One name for a passage, such as `S2.14(a)` or `Aurelia 2024, p. 58`. */
export function titleOf(passage: Named): string {
  const id = standardId(passage);
  if (id) return id;
  const pages = pagesOf(passage);
  return pages ? `${passage.title}, ${pages}` : passage.title;
}

/** What a hit says. A search that was kept before hits told it has only the whole text. */
export const saidBy = ({ passage, chunk_text }: Pick<Hit, "passage" | "chunk_text">): string =>
  passage === "" ? chunk_text : passage;

// What numbers an item: 12, a, iv, B42.
const NUMBER = "\\(?(?:\\d{1,4}|[a-zA-Z]\\d{0,3}|[ivxIVX]{1,5})[.)]";
// A line that begins a block of its own: an item, a heading, a quotation, a row of a table.
const BLOCK = new RegExp(`^\\s*(?:[-*+•](?:\\s|$)|[>|]|#{1,6}\\s|${NUMBER}(?:\\s|\\()|\\*[^*\\n]+:\\*)`);
const ALONE = /^\s*(?:#{1,6}\s|\|)/;
const ITEM = /^(\s*)[-*+•]\s+(.*)$/;
// An item that has a number or letter of its own needs no mark in front.
const NUMBERED = new RegExp(`^${NUMBER}(?:\\s|\\(|$)`);
const FENCE = /^\s*(?:```|~~~)/;
const RULE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
const ROW = /^\s*\|(.*)\|\s*$/;

/** A stretch of Markdown without the marks of emphasis, code and links. In a row of a table a bar that is no border keeps its mark. */
const plain = (words: string): string =>
  words
    .replaceAll(/!?\[([^\][\n]+)\]\([^()\s]*\)/g, "$1")
    .replaceAll(/`([^`\n]+)`/g, "$1")
    .replaceAll(/\*\*(\S(?:[^*]*\S)?)\*\*/g, "$1")
    .replaceAll(/(?<![\p{L}\p{N}*\\])\*(\S|\S[^*\n]*[^\s*\\])\*(?![\p{L}\p{N}*])/gu, "$1")
    .replaceAll(/(?<![\p{L}\p{N}_\\])_{1,2}(\S|\S[^_\n]*[^\s_\\])_{1,2}(?![\p{L}\p{N}_])/gu, "$1")
    .replaceAll(ROW.test(words) ? /\\([*_`#[\]>])/g : /\\([*_`#[\]|>])/g, "$1");

/** Text as it is read: without the marks of Markdown, lines of one paragraph joined. Tables stay as they are. */
export function readable(body: string): string {
  const lines: string[] = [];
  for (const line of body.split("\n")) {
    if (FENCE.test(line)) continue;
    const before = lines.at(-1);
    if (before?.trim() && line.trim() && !BLOCK.test(line) && !ALONE.test(before))
      lines[lines.length - 1] = `${before.trimEnd()} ${line.trim()}`;
    else lines.push(line);
  }
  // How far the items around a line are moved in, the innermost last.
  const levels: number[] = [];
  return lines
    .map((line) => {
      if (!line.trim()) return "";
      const depth = /^\s*/.exec(line)?.[0].length ?? 0;
      while (levels.length > 0 && depth <= (levels.at(-1) ?? 0)) levels.pop();
      const inset = "  ".repeat(levels.length);
      const item = ITEM.exec(line);
      if (!item) return inset + plain(line.trim().replace(/^(?:#{1,6}|>)\s+/, ""));
      levels.push(depth);
      const words = plain(item[2] ?? "");
      return inset + (NUMBERED.test(words) ? words : `• ${words}`);
    })
    .join("\n")
    .trim();
}

/** A cell of a table and where it begins in the text. */
export type Cell = { start: number; text: string };
/** A line of text, or the rows of a table, the first of which may name its columns. */
export type Block = { start: number; line: string } | { start: number; rows: Cell[][]; header: boolean };

/** Text that {@link readable} gave in lines and tables, each with where it begins. */
export function blocksOf(body: string): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  for (const line of body.split("\n")) {
    const before = blocks.at(-1);
    const table = before && "rows" in before ? before : undefined;
    if (table && RULE.test(line)) table.header ||= table.rows.length === 1;
    else if (!ROW.test(line)) blocks.push({ start, line });
    else if (table) table.rows.push(cellsOf(line, start));
    else if (!RULE.test(line)) blocks.push({ start, rows: [cellsOf(line, start)], header: false });
    start += line.length + 1;
  }
  return blocks;
}

function cellsOf(line: string, start: number): Cell[] {
  const cells: Cell[] = [];
  let at = line.indexOf("|") + 1;
  for (const part of line.slice(at, line.lastIndexOf("|")).split(/(?<!\\)\|/)) {
    const from = start + at + (part.length - part.trimStart().length);
    cells.push({ start: from, text: part.trim().replaceAll("\\|", "|") });
    at += part.length + 1;
  }
  return cells;
}

/**
 * Where a stretch of a passage's text stands in `shown`, what is shown of it; nothing where it is not found there.
 * Line breaks and marks of Markdown do not count.
 */
export function shownStretch(shown: string, written: string): Stretch | undefined {
  const words = inert(readable(written))
    .replaceAll(/^\s*•|\*\*/g, "")
    .split(/\s+/)
    .filter(Boolean);
  if (words.length === 0) return undefined;
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
  const found = new RegExp(pattern, "u").exec(shown);
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}

/** The page of its file on which a passage begins, where pages of such a file can be drawn. */
export const drawnPage = ({ path, pages }: Pick<Named, "path" | "pages">): number | undefined =>
  pages !== null && /\.pdf$/i.test(path) ? pages[0] : undefined;

/** What asks Chunk Lab to read a passage: on the page of its file where that can be drawn, else in its text. */
export function inDocument(
  passage: Pick<Hit, "document_id" | "chunk_id" | "path" | "pages">,
): Record<string, string> {
  const page = drawnPage(passage);
  return {
    document: String(passage.document_id),
    chunk: passage.chunk_id,
    view: "read",
    ...(page !== undefined && { show: "page", page: String(page) }),
  };
}

/** Text whose tables are lines of cells with a dot between them. */
export const rowsInLines = (body: string): string =>
  body
    .split("\n")
    .filter((line) => !RULE.test(line))
    .map((line) => {
      const cells = ROW.exec(line)?.[1]
        ?.split("|")
        .map((cell) => cell.trim());
      return cells?.filter(Boolean).join(" · ") ?? line;
    })
    .join("\n");

/** The beginning of a text on one line, without marks of Markdown. */
export const inOneLine = (body: string): string =>
  plain(rowsInLines(body).replaceAll(/^\s*(?:#{1,6}|[-*+•>])\s+/gm, ""))
    .replaceAll("**", "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Characters of a passage that a list shows, and how far into it the words of an item are looked for. */
const SNIPPET = 160;
const LEAD = 800;

/** First words of a passage on one line. An item's own words come before what it shares with its neighbours. */
export function snippetOf(hit: Pick<Hit, "passage" | "chunk_text" | "metadata">): string {
  const line = inOneLine(saidBy(hit).slice(0, LEAD));
  const label = words(hit.metadata.label);
  const at = label === undefined ? 0 : Math.max(0, line.indexOf(label));
  return line.slice(at, at + SNIPPET);
}

/** A stored chunk with the fields of a hit that name it. */
export const namedChunk = (row: ChunkRow): Named & Pick<Hit, "chunk_id" | "document_id" | "tokens"> => row;

/** Where a passage stands, as a text that is asked about alone is cited. */
export const whereIs = (passage: Named): Omit<Selected, "text"> => ({
  document: standardId(passage) ?? passage.title,
  section: sectionsOf(passage).at(-1) ?? "",
  page: passage.pages?.[0] ?? null,
  page_label: passage.page_labels?.[0] ?? null,
});
