// Every chart can be read as a table; one switch turns them all.

import { createStore } from "./store";

const tables = createStore(false);

/** Shows all charts as tables, or as pictures again. */
export const toggleChartTables = (): void => tables.set(!tables.get());

/** Whether charts are shown as tables. */
export const useChartTables = tables.use;
