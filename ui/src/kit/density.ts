// How close rows stand. What computes with heights follows it here; the rest by the tokens.

import { createStore } from "./store";

/** From close to wide. */
export type Density = "compact" | "standard" | "comfortable";

/** Share of its standard height that a row has: 36 pixels become 30 or 42, and 28 become 24 or 32. */
const SHARE: Record<Density, number> = { compact: 0.845, standard: 1, comfortable: 1.155 };

const density = createStore<Density>("standard");

/** Sets the density of the window. */
export function setDensity(next: Density): void {
  document.documentElement.dataset.density = next;
  density.set(next);
}

/** The height of a row that has `standard` pixels at standard density; the component follows changes. */
export function useRowHeight(standard: number): number {
  return Math.round(standard * SHARE[density.use()]);
}
