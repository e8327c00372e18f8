// The sentence of each passage that is nearest in meaning to what found it, asked for once the list stands.

import { useMemo } from "react";
import type { Input } from "@/api/client";
import { useAnswers } from "@/api/queries";
import type { Stretch } from "@/parts/stems";
import type { Finds } from "./evidence";
import type { Found } from "./PassageCard";

/** Passages that the engine looks at in one call. */
const AT_ONCE = 50;

/** The nearest sentences by passage, as far as they are known. */
export function useNearest(
  found: readonly Found[],
  { evidence }: Pick<Finds, "evidence">,
): ReadonlyMap<string, Stretch> {
  const asked = useMemo(() => {
    const calls: Input<"passage.nearest_sentence">[] = [];
    for (const [id, query] of evidence?.queries ?? []) {
      const ids = found.filter(({ by }) => by === id).map(({ hit }) => hit.chunk_id);
      for (let at = 0; at < ids.length; at += AT_ONCE)
        calls.push({ query, chunk_ids: ids.slice(at, at + AT_ONCE) });
    }
    return calls;
  }, [found, evidence]);
  const answers = useAnswers("passage.nearest_sentence", asked);
  return useMemo(() => new Map(answers.flat().map((each) => [each.chunk_id, each])), [answers]);
}
