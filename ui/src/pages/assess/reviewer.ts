// Who decides at this window.

import { createStore } from "@/kit/store";

const KEY = "sibyl.reviewer";
const own = createStore<string | undefined>(undefined);

/** The name that was used at this window last; empty where none was. */
export const lastReviewer = (): string => own.get() ?? localStorage.getItem(KEY) ?? "";

/** Decides as another reviewer from now on. */
export function becomeReviewer(name: string): void {
  localStorage.setItem(KEY, name);
  own.set(name);
}

/** The reviewer among those of an assessment; the first of them where the one at this window is none of them. */
export function useReviewer(reviewers: readonly string[]): string {
  const name = own.use() ?? lastReviewer();
  return reviewers.includes(name) ? name : (reviewers[0] ?? name);
}
