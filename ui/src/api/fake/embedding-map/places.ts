// Chunks on a map: each group spreads around a place of its own, always the same way.

import type { EmbeddingMap, MapPoint } from "../../types";

const CENTRES: readonly [number, number][] = [
  [-0.55, 0.5],
  [0.1, 0.42],
  [-0.45, -0.45],
  [0.55, -0.5],
  [0.6, 0.15],
  [-0.05, -0.1],
];
const ORDER = ["governance", "strategy", "risk_management", "metrics_targets"];

/** A number from 0 to 1 for a seed. */
function spread(seed: number): number {
  const value = Math.sin(seed * 12.9898) * 43_758.5453;
  return value - Math.floor(value);
}

/** Where the `at`-th point of `group` stands. */
export function placeOf(group: string, at: number): { x: number; y: number } {
  const known = ORDER.indexOf(group);
  const [x, y] = CENTRES[known < 0 ? 4 + (group.length % 2) : known] ?? [0, 0];
  const far = 0.36 * Math.sqrt(spread(at * 2 + 1)) * (0.5 + spread(at + 7));
  const turn = 2 * Math.PI * spread(at * 3 + 2);
  return { x: x + far * Math.cos(turn), y: y + far * Math.sin(turn) };
}

/** A map of `chunks`. */
export function mapOf(model: string, chunks: readonly Omit<MapPoint, "x" | "y">[]): EmbeddingMap {
  return {
    space: model,
    model,
    dimensions: 384,
    total: chunks.length,
    variance: [0.214, 0.127],
    points: chunks.map((chunk, at) => ({ ...chunk, ...placeOf(chunk.group, at) })),
    query: null,
    nearest: [],
  };
}
