// How many chips stand in two rows. What they are wide does not depend on it, so that one look is enough.

import { type RefObject, useLayoutEffect, useState } from "react";
import type { Constraint } from "@/api/types";

const ROWS = 2;
/** Width of the button that adds one, and the space between two, in pixels. */
const ADD = 24;
const GAP = 6;
/** Width of the button that shows the rest. */
const MORE = 36;

function rowsOf(widths: readonly number[], available: number): number {
  let rows = 1;
  let taken = 0;
  for (const width of widths) {
    const wanted = taken > 0 ? taken + GAP + width : width;
    if (taken > 0 && wanted > available) rows += 1;
    taken = taken > 0 && wanted > available ? width : wanted;
  }
  return rows;
}

/** How many of chips with these widths stand in two rows, with room for the buttons behind them. */
export function fitting(widths: readonly number[], available: number): number {
  if (rowsOf([...widths, ADD], available) <= ROWS) return widths.length;
  const fits = (count: number) => rowsOf([...widths.slice(0, count), MORE, ADD], available) <= ROWS;
  let count = widths.length - 1;
  while (count > 1 && !fits(count)) count -= 1;
  return count;
}

type Rows = {
  /** How many chips are seen; all of them until they are laid out. */
  seen: number;
  laidOut: boolean;
  /** Shows all of them, until something else is understood. */
  unfold: () => void;
};

/** How many chips of `list` are seen: those of what is `understood`, then those `ignored`. While `held`, as many as before. */
export function useRows(
  list: RefObject<HTMLElement | null>,
  understood: readonly Constraint[],
  ignored: readonly Constraint[],
  held: boolean,
): Rows {
  const [fit, setFit] = useState<{ count: number; of: readonly Constraint[] }>();
  const [unfolded, setUnfolded] = useState<readonly Constraint[]>();
  const count = understood.length + ignored.length;
  useLayoutEffect(() => {
    const element = list.current;
    if (!element || held || understood.length + ignored.length === 0) return;
    const look = () => {
      const chips = [...element.querySelectorAll("[data-constraint], [data-ignored]")];
      const widths = chips.map((each) => each.getBoundingClientRect().width);
      const count = fitting(widths, element.clientWidth);
      setFit((now) => (now?.of === understood && now.count === count ? now : { count, of: understood }));
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(element);
    return () => watch.disconnect();
  }, [list, understood, ignored, held]);
  const laidOut = fit?.of === understood;
  return {
    seen: laidOut && unfolded !== understood ? Math.min(fit.count, count) : count,
    laidOut,
    unfold: () => setUnfolded(understood),
  };
}
