// Every chart can be read as a table; one switch turns them all.

import { useSyncExternalStore } from "react";

let tables = false;
const watchers = new Set<() => void>();

/** Shows all charts as tables, or as pictures again. */
export function toggleChartTables(): void {
  tables = !tables;
  for (const watcher of watchers) watcher();
}

/** Whether charts are shown as tables. */
export const useChartTables = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => tables,
  );
