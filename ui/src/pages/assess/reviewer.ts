// Who decides at this window.

import { createStore } from "@/kit/store";

const KEY = "sibyl.reviewer";
const own = createStore<string | undefined>(undefined);

type Act = (reviewer: string) => void;

/** What waits until somebody has said who decides here. */
const waiting = createStore<Act | undefined>(undefined);

/** The name of who decides at this window; empty until somebody said it. */
export const ownName = (): string => own.get() ?? localStorage.getItem(KEY) ?? "";

/** The name of who decides at this window, as it changes; empty until somebody said it. */
export const useReviewer = (): string => own.use() ?? ownName();

/** Decides under this name from now on, also what waited for it. */
export function becomeReviewer(name: string): void {
  localStorage.setItem(KEY, name);
  own.set(name);
  const act = waiting.get();
  waiting.set(undefined);
  act?.(name);
}

/** Does what is signed with a name; asks for the name first where nobody has said it. */
export function asReviewer(act: Act): void {
  const name = ownName();
  if (name === "") waiting.set(act);
  else act(name);
}

/** Whether something waits for a name. */
export const useUnnamed = (): boolean => waiting.use() !== undefined;

/** Drops what waits for a name. */
export const staysUnnamed = (): void => waiting.set(undefined);
