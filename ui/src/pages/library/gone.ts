// Documents whose files are gone, as they are told.

import { useCommand } from "@/api/queries";
import type { CorpusOverview, GoneDocuments, GoneReport, HeldDocuments } from "@/api/types";
import { language, type TextKey, t } from "@/text";
import { visible } from "@/text/visible";

/** Documents that are named. */
const NAMED = 3;

const listing = new Intl.ListFormat(language, { type: "conjunction" });

/** Milliseconds after which it is asked for again: a check of a folder is no command of this window. */
const AGAIN = 5_000;

/** Documents whose files are gone, as long as somebody has to decide about them. */
export const useHeld = () => useCommand("held.list", {}, { again: AGAIN });

/** The first of some documents by their paths, and how many more there are. */
export function named({ count, documents }: GoneDocuments): string {
  const paths = documents.slice(0, NAMED).map(({ path }) => visible(path));
  const rest = count - paths.length;
  return listing.format(rest > 0 ? [...paths, t("library.held.more", { count: rest })] : paths);
}

const DONE = { deleted: "library.watch.deleted", marked: "library.watch.marked" } as const satisfies Record<
  string,
  TextKey
>;

/** What the last check of a folder did to documents whose files are gone, a line each. */
export function doneBy(settled: GoneReport | null): { what: keyof typeof DONE; words: string }[] {
  if (settled === null) return [];
  return (["deleted", "marked"] as const)
    .filter((what) => settled[what].count > 0)
    .map((what) => ({
      what,
      words: t(DONE[what], { count: settled[what].count, documents: named(settled[what]) }),
    }));
}

/** How many documents of a corpus lost a part, are held back, away or missing, in words; nothing where none is. */
export function heldWords(
  held: readonly HeldDocuments[],
  { corpus, incomplete, missing }: Pick<CorpusOverview, "corpus" | "incomplete" | "missing">,
): string | undefined {
  const waiting = (because: HeldDocuments["reason"]) =>
    held
      .filter((each) => each.corpus === corpus.name && each.reason === because)
      .reduce((sum, { files }) => sum + files.count, 0);
  const counts = { incomplete, many: waiting("many"), away: waiting("away"), missing };
  const parts = (["incomplete", "many", "away", "missing"] as const)
    .filter((what) => counts[what] > 0)
    .map((what) => t(`library.held.row.${what}`, { count: counts[what] }));
  return parts.length > 0 ? parts.join(" · ") : undefined;
}
