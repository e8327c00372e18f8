// How much of the library each model covers.

import type { ModelView, Overview, Tier } from "@/api/types";

/** A model with its coverage over all corpora of the workspace. */
export type Covered = {
  space: string;
  model: string;
  tier: Tier;
  dimensions: number;
  served: boolean;
  vectors: number;
  /** Chunks with a vector; nothing where the library does not say. */
  covered: number | undefined;
  chunks: number;
};

/** Every model, those of the library's corpora counted together. */
export function coverageOf(models: readonly ModelView[], overview: Overview | undefined): Covered[] {
  const sums = new Map<string, { covered: number; chunks: number }>();
  for (const { coverage } of overview?.corpora ?? [])
    for (const { space, covered, chunks } of coverage) {
      const sum = sums.get(space) ?? { covered: 0, chunks: 0 };
      sums.set(space, { covered: sum.covered + covered, chunks: sum.chunks + chunks });
    }
  return models.map(({ space_id, space, vectors, served }) => {
    const sum = sums.get(space_id);
    return {
      space: space_id,
      model: space.model,
      tier: space.tier,
      dimensions: space.dimensions,
      served,
      vectors,
      covered: sum?.covered,
      chunks: sum?.chunks ?? overview?.chunks ?? 0,
    };
  });
}

/** Whether a model in use leaves chunks without a vector. */
export const isShort = ({ served, covered, chunks }: Covered): boolean =>
  served && covered !== undefined && covered < chunks;
