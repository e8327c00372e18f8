// Whether two figures of the same thing agree.

import type { FigureRow } from "@/api/types";

/** How two figures of the same thing stand to each other. */
export type Agreement = "same" | "rounded" | "differs" | "incomparable";

type Measured = { value: number /** Size of the last place that was printed. */; step: number };

/** Digits that a number keeps at least, where zeros at its end may come from rounding. */
const KEPT = 2;

/** The size of the last place that `printed` gives, in the unit that it is printed in. */
export function lastPlace(printed: string, value: number): number {
  const digits = printed.replace(/\D/g, "");
  // Which sign parts the decimals differs by language: the value tells how many digits stand before it.
  const before = Math.trunc(Math.abs(value)).toString().length;
  const leading = /^0+/.exec(digits)?.[0].length ?? 0;
  const whole = Math.abs(value) < 1 ? Math.min(1, leading) : before;
  const decimals = /\d[.,]\d/.test(printed) ? Math.max(0, digits.length - whole) : 0;
  if (decimals > 0) return 10 ** -decimals;
  const zeros = /0*$/.exec(digits)?.[0].length ?? 0;
  return 10 ** Math.max(0, Math.min(zeros, digits.length - KEPT));
}

/** What both figures are compared by: the unit of what they measure, or the unit that both are printed in. */
function measured(figure: FigureRow, normal: boolean): Measured {
  const step = lastPlace(figure.printed, figure.value);
  if (!normal || figure.normal === null) return { value: figure.value, step };
  const factor = figure.value === 0 ? 1 : Math.abs(figure.normal / figure.value);
  return { value: figure.normal, step: step * factor };
}

/** A unit without what only writes it otherwise. */
export const plainUnit = (unit: string | null): string =>
  (unit ?? "").normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

/** A hair more than nothing: values were multiplied on the way. */
const HAIR = 1e-9;

/** The greater of both with their difference, in a unit that they share; nothing where they share none. */
function differenceOf(a: FigureRow, b: FigureRow) {
  const alike = plainUnit(a.unit) === plainUnit(b.unit);
  const normal = !alike && a.normal !== null && b.normal !== null && a.measure === b.measure;
  if (!alike && !normal) return undefined;
  const [left, right] = [measured(a, normal), measured(b, normal)];
  const size = Math.max(Math.abs(left.value), Math.abs(right.value));
  return { gap: Math.abs(left.value - right.value), step: Math.max(left.step, right.step), size };
}

/** Whether two figures of the same thing and period say the same. */
export function agreement(a: FigureRow, b: FigureRow): Agreement {
  const difference = differenceOf(a, b);
  if (!difference) return "incomparable";
  const { gap, step, size } = difference;
  if (gap <= size * HAIR) return "same";
  return gap <= step / 2 + size * HAIR ? "rounded" : "differs";
}

/** The difference of two figures as a share of the greater one; nothing where they cannot be compared. */
export function share(a: FigureRow, b: FigureRow): number | undefined {
  const difference = differenceOf(a, b);
  return difference && (difference.size === 0 ? 0 : difference.gap / difference.size);
}
