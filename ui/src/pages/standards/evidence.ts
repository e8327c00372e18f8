// Evidence for a paragraph: when it is looked for, and how often each item found it.

import { useState } from "react";
import { useCommand } from "@/api/queries";
import type { Evidence, Hit, Mode, StandardPage } from "@/api/types";
import { useStill } from "@/kit/still";
import { asksProvider, keptLocal, type Meaning } from "@/parts/provider";
import { hasItem } from "./items";
import type { PlaceControl } from "./place";
import type { Report } from "./reviews";
import { reportsWithin } from "./scope";

/** Milliseconds that a paragraph must stay open before evidence is looked for. */
const PAUSE = 180;
const FIRST = 50;
/** Most passages that are asked for. */
export const MOST = 200;

/** A passage with the id that found it. */
export type Found = { hit: Hit; by: string };

/** Evidence for a paragraph with what changes it. */
export type Finds = ReturnType<typeof useEvidence>;

/**
 * Looks for evidence once a paragraph has been open for a moment; not at all where there is nothing to look in.
 * Words go to a provider only where the person asks for it, once for each paragraph.
 * `reports` are those of the library, where they are known.
 */
export function useEvidence(
  { place }: PlaceControl,
  page: StandardPage | undefined,
  reports: readonly Report[] | undefined,
) {
  const about = page && subject(page, place.item);
  const id = useStill(about ?? "", PAUSE);
  const [depth, setDepth] = useState({ id: "", top: FIRST });
  const top = depth.id === id ? depth.top : FIRST;
  const within = reports ? reportsWithin(reports, place) : place.reports;
  // No report at all would ask for all of them.
  const excluded = within?.length === 0 && reports !== undefined;
  const [agreed, agree] = useState("");
  const meaning = useMeaning(place.mode, agreed === id);
  const query = useCommand(
    "standards.evidence",
    {
      id,
      below: place.below,
      reports: [...(within ?? [])],
      top_k: top,
      ...meaning?.asked,
      ...(place.edition && { edition: place.edition }),
    },
    {
      enabled: meaning !== undefined && reports?.length !== 0 && !excluded && id !== "" && id === about,
      keep: true,
    },
  );
  // Evidence of a former paragraph must not stand beside another one.
  const mine = query.data?.queries[0]?.[0] === about ? query.data : undefined;
  return {
    evidence: excluded ? undefined : mine,
    /** Whether no report is of the chosen issuers and years. */
    excluded,
    /** Whether there are more than were asked for: every count is of the first ones. */
    cut: mine !== undefined && mine.hits.length >= (query.isPlaceholderData ? FIRST : top),
    error: query.error ?? undefined,
    looking: mine === undefined && !query.error && !excluded,
    retry: () => void query.refetch(),
    top,
    /** Asks the provider for this paragraph; nothing where that would change nothing. */
    askProvider: meaning?.held ? () => agree(id) : undefined,
    more: () => setDepth({ id, top: MOST }),
  };
}

/** What evidence is looked for: the page, or the chosen item of a metric, by whose own words the search starts. */
const subject = (page: StandardPage, item: string): string =>
  page.kind === "metric" && hasItem(page, item) ? item : page.id;

/** How meanings are compared, once the models are known; `held` where a provider is left out. */
function useMeaning(mode: Mode, agreed: boolean): { asked: Meaning; held: boolean } | undefined {
  const models = useCommand("model.list", {});
  const wanted: Meaning = { mode, space: null };
  if (models.data) {
    const held = !agreed && asksProvider(wanted, models.data);
    return { asked: held ? keptLocal(wanted, models.data) : wanted, held };
  }
  // Without knowing the models only words are sure to stay here.
  return models.error ? { asked: { mode: "keyword", space: null }, held: false } : undefined;
}

/** Passages by the id that found them, of those that were asked for. */
export function countByFinder(evidence: Evidence): ReadonlyMap<string, number> {
  const counts = new Map(evidence.queries.map(([id]) => [id, 0]));
  for (const id of evidence.found_by) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
