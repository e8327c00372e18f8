// How wide and high the parts of the grid are.

import { useMediaQuery } from "@mantine/hooks";
import { useMemo } from "react";
import { useNarrow } from "@/kit/narrow";

/** Pixels of issuers and years. */
export const HEAD = 47;
/** Fewest pixels of the names: then the years scroll. */
const NAME = 220;
/** Pixels behind the last report. */
const END = 6;

const WIDE = "(min-width: 1680px)";

/** Whether the window is wide enough for cells that name their page. */
export const useWide = (): boolean =>
  useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false }) ?? false;

/** Pixels of the names, of a report and of a row, and how many reports there are. */
export type Measures = { name: number; cell: number; row: number; columns: number; wide: boolean };

/** The measures of a grid of `columns` reports in `width` pixels. */
export function useMeasures(width: number, columns: number): Measures {
  const wide = useWide();
  const narrow = useNarrow();
  const cell = wide ? 118 : narrow ? 73 : 74;
  const name = Math.max(NAME, Math.floor(width) - columns * cell - END);
  return useMemo(() => ({ name, cell, row: wide ? 28 : 26, columns, wide }), [name, cell, columns, wide]);
}
