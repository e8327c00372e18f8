// The engine's log as it is listed and copied.

import type { LogLine } from "@/api/types";

/** What the reader wants to see, and the level that asks the engine for it. */
export const LEVELS = { all: "trace", warnings: "warn", errors: "error" } as const;

/** One of {@link LEVELS}. */
export type LevelFilter = keyof typeof LEVELS;

/** The time of day of a line, in the reader's zone. */
export function clock(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : date.toTimeString().slice(0, 8);
}

const written = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** Fields as `name=value`. */
export const fieldsOf = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${written(value)}`)
    .join(" ");

/** A line as text. */
export const lineText = (line: LogLine): string =>
  [line.at, line.level.toUpperCase(), line.target, line.message, fieldsOf(line.fields)]
    .filter(Boolean)
    .join(" ");

/** The lines with the newest first, whatever order they came in. */
export const newestFirst = (lines: readonly LogLine[]): LogLine[] =>
  lines
    .map((line, index) => ({ line, index }))
    .sort((a, b) => b.line.at.localeCompare(a.line.at) || b.index - a.index)
    .map(({ line }) => line);
