// Where the palette's results come from.

import type { ReactNode } from "react";
import { addressOf } from "./links";

/** Kinds of results, each with its heading; the prefixes `>` `#` `@` pick one kind. */
export type PaletteKind = "paragraphs" | "documents" | "commands" | "settings";

/** A result. */
export type PaletteItem = {
  /** Unique within its kind. */
  key: string;
  /** Words; what matches is marked. */
  label: string;
  /** Below the words, which then take as many lines as they need. */
  about?: string;
  /** An id before the words, such as `S2.14(a)(iv)`. */
  id?: string;
  /** At the end: where it belongs. */
  end?: ReactNode;
  /** Keys that do the same. */
  keys?: string;
  icon?: ReactNode;
  run: () => void;
};

/** Gives results for a query. A newer query aborts the signal; `alone` says that no other kind is asked for. */
export type PaletteSource = {
  kind: PaletteKind;
  find: (
    query: string,
    signal: AbortSignal,
    alone?: boolean,
  ) => readonly PaletteItem[] | Promise<readonly PaletteItem[]>;
};

/** Signs that pick a kind at the start of the query. */
export const PREFIXES: Record<string, PaletteKind> = { ">": "commands", "#": "paragraphs", "@": "documents" };

/** The kind a query asks for, and the rest of it; an address of the window names no kind. */
export function parseQuery(text: string): { kind: PaletteKind | undefined; query: string } {
  if (addressOf(text)) return { kind: undefined, query: text.trim() };
  const kind = PREFIXES[text.charAt(0)];
  return { kind, query: (kind ? text.slice(1) : text).trim() };
}

/** Whether every word of `query` stands in `text`, without regard to case. */
export function matches(text: string, query: string): boolean {
  const hay = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word));
}

const added = new Set<PaletteSource>();

/** Adds a source while a component is on screen. Gives what takes it away. */
export function addPaletteSource(source: PaletteSource): () => void {
  added.add(source);
  return () => added.delete(source);
}

/** Sources beyond those of the screens. */
export const addedSources = (): readonly PaletteSource[] => [...added];
