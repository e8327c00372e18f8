// How close rows stand. What computes with heights follows it here; the rest by the tokens.

import { useSyncExternalStore } from "react";

/** From close to wide. */
export type Density = "compact" | "standard" | "comfortable";

/** Share of its standard height that a row has: 36 pixels become 30 or 42, and 28 become 24 or 32. */
const SHARE: Record<Density, number> = { compact: 0.845, standard: 1, comfortable: 1.155 };

let current: Density = "standard";
const watchers = new Set<() => void>();

/** Sets the density of the window. */
export function setDensity(density: Density): void {
  document.documentElement.dataset.density = density;
  if (density === current) return;
  current = density;
  for (const watcher of watchers) watcher();
}

/** The height of a row that has `standard` pixels at standard density; the component follows changes. */
export function useRowHeight(standard: number): number {
  const density = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => current,
  );
  return Math.round(standard * SHARE[density]);
}
