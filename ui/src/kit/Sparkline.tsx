import css from "./sparkline.module.css";

type SparklineProps = {
  /** Values from left to right; a gap where there is none. */
  values: readonly (number | null)[];
  /** Place of the value that others are held against; a ring. */
  base?: number;
  /** Place of the value that is looked at; a dot. */
  at?: number;
  width?: number;
  height?: number;
};

/** Pixels that a dot needs at the edges. */
const EDGE = 4;

/** Where each value stands, in pixels from the upper left; nothing for a gap. A level line stands in the middle. */
export function sparkPoints(
  values: readonly (number | null)[],
  width: number,
  height: number,
): ([x: number, y: number] | undefined)[] {
  const known = values.filter((value) => value !== null);
  const least = Math.min(...known);
  const span = Math.max(...known) - least;
  const step = values.length > 1 ? (width - 2 * EDGE) / (values.length - 1) : 0;
  return values.map((value, index) =>
    value === null
      ? undefined
      : [EDGE + index * step, EDGE + (height - 2 * EDGE) * (span > 0 ? 1 - (value - least) / span : 0.5)],
  );
}

/** A line through its points; it breaks at gaps. */
function path(points: readonly ([number, number] | undefined)[]): string {
  return points
    .map((point, index) => {
      if (!point) return "";
      const [x, y] = point;
      return `${points[index - 1] ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}

/** How a number went, without axes; the number itself stands beside it. */
export function Sparkline({ values, base, at, width = 72, height = 40 }: SparklineProps) {
  const points = sparkPoints(values, width, height);
  const ring = base === undefined ? undefined : points[base];
  const dot = at === undefined ? undefined : points[at];
  return (
    <svg width={width} height={height} className={css.spark} aria-hidden>
      <path d={path(points)} className={css.line} vectorEffect="non-scaling-stroke" />
      {ring && <circle cx={ring[0]} cy={ring[1]} r="2.4" className={css.ring} />}
      {dot && <circle cx={dot[0]} cy={dot[1]} r="2.8" className={css.dot} />}
    </svg>
  );
}
