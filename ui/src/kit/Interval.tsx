import { classes } from "./class-names";
import css from "./interval.module.css";

type IntervalProps = {
  value: number;
  low: number;
  high: number;
  /** The distance from zero at the edge: the same for every interval that is compared. */
  scale: number;
};

/** A difference with its interval on a line about zero; the numbers stand beside it. */
export function Interval({ value, low, high, scale }: IntervalProps) {
  const place = (at: number) => `${50 + 50 * Math.max(-1, Math.min(1, scale > 0 ? at / scale : 0))}%`;
  const clear = low > 0 || high < 0;
  return (
    <svg className={classes(css.interval, clear && css.clear)} aria-hidden>
      <line x1="50%" x2="50%" y1="0" y2="100%" className={css.zero} />
      <line x1={place(low)} x2={place(high)} y1="50%" y2="50%" className={css.span} />
      <circle cx={place(value)} cy="50%" r="3.5" className={css.value} />
    </svg>
  );
}
