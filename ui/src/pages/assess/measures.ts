// How wide and high the parts of the grid are.

import { useMediaQuery } from "@mantine/hooks";
import { useMemo } from "react";
import { useNarrow } from "@/kit/narrow";

/** Pixels of issuers, in two lines where they are long, and of years. */
export const HEAD = 62;
/** Fewest pixels of the names: then the years scroll. */
const NAME = 220;
/** Pixels of the names from which on reports become wider. */
const ENOUGH = 380;
/** Most pixels of a report, and those from which on a cell names its page. */
const BROAD = 150;
const PAGED = 112;
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
  const large = useWide();
  const narrow = useNarrow();
  const least = large ? 118 : narrow ? 73 : 74;
  const room = Math.floor((width - ENOUGH - END) / Math.max(1, columns));
  const cell = Math.max(least, Math.min(BROAD, room));
  const wide = cell >= PAGED;
  const name = Math.max(NAME, Math.floor(width) - columns * cell - END);
  return useMemo(
    () => ({ name, cell, row: large ? 28 : 26, columns, wide }),
    [name, cell, columns, large, wide],
  );
}
