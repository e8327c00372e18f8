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

/**
 * Every model, the library's corpora counted together. A provider's model is counted over those that may leave this
 * computer; a model in use that has made no vector yet covers nothing of what it may read.
 */
export function coverageOf(models: readonly ModelView[], overview: Overview | undefined): Covered[] {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  return models.map(({ space_id, space, vectors, served }) => {
    const corpora = (overview?.corpora ?? []).filter(
      ({ corpus }) => space.tier !== "remote" || corpus.remote,
    );
    const told = corpora.flatMap(({ coverage }) => coverage.filter((each) => each.space === space_id));
    return {
      space: space_id,
      model: space.model,
      tier: space.tier,
      dimensions: space.dimensions,
      served,
      vectors,
      covered: told.length > 0 || (served && overview) ? sum(told.map(({ covered }) => covered)) : undefined,
      chunks: sum(corpora.map(({ chunks }) => chunks)),
    };
  });
}

/** Whether a model in use leaves chunks without a vector. */
export const isShort = ({ served, covered, chunks }: Covered): boolean =>
  served && covered !== undefined && covered < chunks;
