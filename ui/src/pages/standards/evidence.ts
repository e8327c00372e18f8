// Evidence for a paragraph: when it is looked for, and how often each item found it.

import { useState } from "react";
import { useCommand } from "@/api/queries";
import type { Evidence, StandardPage } from "@/api/types";
import { useStill } from "@/kit/still";
import type { PlaceControl } from "./place";
import type { Report } from "./reviews";
import { reportsWithin } from "./scope";

/** Milliseconds that a paragraph must stay open before evidence is looked for. */
const PAUSE = 180;
const FIRST = 50;
/** Most passages that are asked for. */
export const MOST = 200;

/** Evidence for a paragraph with what changes it. */
export type Finds = ReturnType<typeof useEvidence>;

/**
 * Looks for evidence once a paragraph has been open for a moment; not at all where there is nothing to look in.
 * `reports` are those of the library, where they are known.
 */
export function useEvidence(
  { place }: PlaceControl,
  page: StandardPage | undefined,
  reports: readonly Report[] | undefined,
) {
  const id = useStill(page?.id ?? "", PAUSE);
  const [depth, setDepth] = useState({ id: "", top: FIRST });
  const top = depth.id === id ? depth.top : FIRST;
  const within = reports ? reportsWithin(reports, place) : place.reports;
  // No report at all would ask for all of them.
  const excluded = within?.length === 0 && reports !== undefined;
  const query = useCommand(
    "standards.evidence",
    { id, below: place.below, mode: place.mode, reports: [...(within ?? [])], top_k: top },
    { enabled: reports?.length !== 0 && !excluded && id !== "" && id === page?.id, keep: true },
  );
  // Evidence of a former paragraph must not stand beside another one.
  const mine = query.data?.queries[0]?.[0] === page?.id ? query.data : undefined;
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
    more: () => setDepth({ id, top: MOST }),
  };
}

/** Passages by the id that found them, of those that were asked for. */
export function countByFinder(evidence: Evidence): ReadonlyMap<string, number> {
  const counts = new Map(evidence.queries.map(([id]) => [id, 0]));
  for (const id of evidence.found_by) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
