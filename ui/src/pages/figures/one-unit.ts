// Figures of one thing in one unit, beside the forms that are printed.

import type { FigureRow } from "@/api/types";
import { decimal } from "@/text/format";
import { visible } from "@/text/visible";
import { lastPlace } from "./compare";

/** A value as the table shows it. */
export type Shown = {
  number: string;
  unit: string;
  /** It is not what is printed: the value was converted. */
  converted: boolean;
};

/** A value with its unit as both are printed. */
export const asPrinted = ({ printed, unit }: FigureRow): Shown => ({
  number: visible(printed),
  unit: visible(unit ?? ""),
  converted: false,
});

/** What stands most often among words, the first of them where several do. */
export function mostOf(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ["", 0])[0];
}

/** Decimals of a converted value at most. */
const MOST_DECIMALS = 9;
/** Digits that tell units apart by their size: values were multiplied on the way. */
const DIGITS = 9;

/** How much of the base unit one of the printed unit is; nothing where that is not known. */
const sizeOf = ({ value, normal }: FigureRow): number | undefined =>
  normal === null || value === 0 ? undefined : Number((normal / value).toPrecision(DIGITS));

/** Carbon dioxide, or what amounts to it, in a unit of mass. */
const CARBON = /\s*(?:of\s+)?CO\s?[2₂²](?:[\s-]*\(?(?:[eéä]q\p{L}*\.?|ekv\p{L}*\.?|e)\)?)?(?!\p{L})/iu;

/** A unit without what is weighed in it. */
const bare = (unit: string): string => unit.replace(CARBON, "").replace(/\s+/g, " ").trim();

/** A number with a sign that says more than the number, as `<5` does, is not calculated with. */
const isPlain = ({ printed }: FigureRow): boolean => !/[<>≤≥~≈±]/.test(printed);

/** A unit that figures are converted to, with its size in the base unit. */
type Target = { unit: string; size: number };

/**
 * The unit for all of `figures`: of those that they are printed in, the largest that leaves no value below one, else the
 * smallest. Nothing where none of their units has a known size.
 */
function targetOf(figures: readonly FigureRow[]): Target | undefined {
  const known = figures.flatMap((figure) => {
    const size = sizeOf(figure);
    const unit = bare(visible(figure.unit ?? ""));
    return size !== undefined && unit !== "" ? [{ normal: Math.abs(figure.normal ?? 0), size, unit }] : [];
  });
  const least = known.reduce((least, { normal }) => Math.min(least, normal), Number.POSITIVE_INFINITY);
  const sizes = [...new Set(known.map(({ size }) => size))].sort((a, b) => b - a);
  const size = sizes.find((each) => Number((least / each).toPrecision(DIGITS)) >= 1) ?? sizes.at(-1);
  if (size === undefined) return undefined;
  return { unit: mostOf(known.flatMap((each) => (each.size === size ? each.unit : []))), size };
}

/** A value in the unit of `target`, of what its own unit says, with as many decimals as its printed digits allow. */
function converted(figure: FigureRow, target: Target): Shown {
  const { printed, value, normal } = figure;
  const own = asPrinted(figure);
  const size = sizeOf(figure);
  // What is counted stands in the unit: FTE are no employees.
  const counted = figure.measure === "count";
  const printedIn = size === target.size || bare(own.unit) === target.unit;
  if (normal === null || own.unit === "" || counted || printedIn || !isPlain(figure)) return own;
  const unit = target.unit + (CARBON.exec(own.unit)?.[0] ?? "");
  if (size === undefined) return { ...own, unit, converted: unit !== own.unit };
  const step = (lastPlace(printed, value) * size) / target.size;
  const decimals = Math.max(0, Math.min(MOST_DECIMALS, Math.ceil(-Math.log10(step) - 10 ** -DIGITS)));
  return { number: decimal(normal / target.size, decimals), unit, converted: true };
}

/** `figures`, which are of one thing, in one unit as far as their values can be converted, each in its place. */
export function inOneUnit(figures: readonly FigureRow[]): Shown[] {
  const target = targetOf(figures);
  return figures.map((figure) => (target ? converted(figure, target) : asPrinted(figure)));
}
