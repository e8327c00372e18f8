// Which searches would ask a provider beyond this computer, and what to search instead.

import type { Mode, ModelView } from "@/api/types";

/** How a search compares meanings. */
export type Meaning = { mode: Mode; space: string | null };

const inUse = (models: readonly ModelView[]) => models.filter((model) => model.served && model.vectors > 0);

/** Whether a search would send its words to a provider. */
export function asksProvider({ mode, space }: Meaning, models: readonly ModelView[]): boolean {
  if (mode === "keyword") return false;
  return inUse(models).some(
    (model) => model.space.tier === "remote" && (space === null || model.space_id === space),
  );
}

/** The search itself where it stays on this computer, else with the best model here, or by words alone. */
export function keptLocal<M extends Meaning>(meaning: M, models: readonly ModelView[]): M {
  if (!asksProvider(meaning, models)) return meaning;
  const own = (["embedded", "instant"] as const).flatMap((tier) =>
    inUse(models).filter((model) => model.space.tier === tier),
  )[0];
  return own ? { ...meaning, space: own.space_id } : { ...meaning, space: null, mode: "keyword" };
}
