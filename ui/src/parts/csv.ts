// Tables for other programs.

import { saveText } from "@/api/shell";

/** Tells spreadsheets that the file is UTF-8. */
const MARK = "\ufeff";

const cell = (value: string | number): string => {
  const text = String(value);
  // A cell that begins with one of these would be read as a formula by a spreadsheet.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Rows as comma-separated values. */
export const commaSeparated = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => row.map(cell).join(",")).join("\r\n");

/** Asks where a table is to be saved, and saves it there. Gives the place; nothing where the reader decided against it. */
export const saveCsv = (name: string, table: string): Promise<string | undefined> =>
  saveText(name, MARK + table);
