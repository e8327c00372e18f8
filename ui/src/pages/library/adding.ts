// What the reader wants to add: chosen in a dialog, or dropped on the window.

import type { CorpusOverview } from "@/api/types";
import { createStore } from "@/kit/store";
import { allows } from "@/state/source-types";
import { t } from "@/text";

/** Where files go: a corpus by name, a new one with the name it may get, or each where it belongs. */
export type Destination =
  | { kind: "files" }
  | { kind: "corpus"; name: string }
  | { kind: "new"; name: string };

/** Files and folders with the place that was chosen for them. */
export type Adding = { paths: readonly string[]; place: Destination };

/** Each file goes where it belongs. */
export const BY_FILES: Destination = { kind: "files" };

const adding = createStore<Adding | undefined>(undefined);

/** Asks about some files before they are added; nothing where none are named. */
export function askToAdd(paths: readonly string[], place: Destination = BY_FILES): void {
  adding.set(paths.length > 0 ? { paths, place } : undefined);
}

/** What is asked about now. */
export const useAdding = adding.use;

const last = (path: string) => path.replace(/[/\\]+$/, "").split(/[/\\]/);

/** The ending of a file's name in capitals; nothing where it has none, as with folders. */
export function ending(path: string): string | undefined {
  const name = last(path).at(-1) ?? "";
  const dot = name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= 6 ? name.slice(dot + 1).toUpperCase() : undefined;
}

/** Corpora that the reader's own files may go to. */
export const fillable = (corpora: readonly CorpusOverview[]): CorpusOverview[] =>
  corpora.filter(({ corpus }) => allows(corpus.source_type, "fill"));

/** What a new corpus for some paths may be called: after the one folder, else after the folder they lie in. */
export function folderName(paths: readonly string[]): string {
  const parts = last(paths[0] ?? "");
  return (paths.length === 1 && ending(paths[0] ?? "") === undefined ? parts.at(-1) : parts.at(-2)) ?? "";
}

const KINDS = [
  "md",
  "markdown",
  "mdx",
  "docx",
  "docm",
  "xlsx",
  "xlsm",
  "pptx",
  "pptm",
  "htm",
  "xhtml",
  "txt",
] as const;

/** The word for files of an ending, which is in lower case and may be empty. */
export function kindName(ending: string): string {
  const known = KINDS.find((kind) => kind === ending);
  if (ending === "") return t("library.drop.kinds.none");
  return known ? t(`library.drop.kinds.${known}`) : ending.toUpperCase();
}

/** Paths counted by the ending of their names, the most frequent first; folders under an empty ending. */
export function kindsOf(paths: readonly string[]): [ending: string, count: number][] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(ending(path) ?? "", (counts.get(ending(path) ?? "") ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}
