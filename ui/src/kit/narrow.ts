import { useSyncExternalStore } from "react";

const NARROW = "(max-width: 1180px)";

function watch(watcher: () => void) {
  const query = window.matchMedia(NARROW);
  query.addEventListener("change", watcher);
  return () => query.removeEventListener("change", watcher);
}

/** Whether the window is narrow; the component follows it. */
export const useNarrow = (): boolean => useSyncExternalStore(watch, () => window.matchMedia(NARROW).matches);
