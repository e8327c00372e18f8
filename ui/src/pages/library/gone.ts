// Documents whose files are gone, as they are told.

import type { GoneDocuments, GoneReport } from "@/api/types";
import { language, type TextKey, t } from "@/text";
import { visible } from "@/text/visible";

/** Documents that are named. */
const NAMED = 3;

const listing = new Intl.ListFormat(language, { type: "conjunction" });

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
