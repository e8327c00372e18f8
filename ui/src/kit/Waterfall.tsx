import { useId } from "react";
import { t } from "@/text";
import { milliseconds, upTo } from "@/text/format";
import { ChartTable } from "./ChartTable";
import { useChartTables } from "./chart-tables";
import { type LegKind, legColour } from "./legs";
import css from "./plot.module.css";

/** One step of a run. Times in milliseconds from its start. */
export type WaterfallStep = {
  label: string;
  start: number;
  duration: number;
  leg?: LegKind /** Waited for a network. */;
  network?: boolean;
  /** Said after the duration, such as `200 → 10`. */
  note?: string;
};

type WaterfallProps = {
  /** Says in a sentence what the chart shows. */
  label: string;
  steps: readonly WaterfallStep[];
  /** Pixels kept for the names. */
  names?: number;
  width?: number;
  /** Pixels of a step. */
  rowHeight?: number;
};

/** Pixels that a character of a step's figures takes at most, in the units of the drawing. */
const CHARACTER = 6.1;
const GAP = 5;

/** Pixels for the longest figures: they stand behind their bar, and the last bar ends where the chart does. */
const figures = (steps: readonly WaterfallStep[]) =>
  Math.max(
    0,
    ...steps.map(({ duration, note }) => {
      const words = [milliseconds(duration), ...(note === undefined ? [] : [note])];
      return words.reduce((sum, word) => sum + GAP + word.length * CHARACTER, 0);
    }),
  );

/** A round step that divides `end` into about four. */
function tick(end: number): number {
  const raw = Math.max(end, 0.1) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  return ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
}

/** When each step of a run began and how long it took; stripes mark time on the network. */
export function Waterfall({ label, steps, names = 84, width = 296, rowHeight = 21 }: WaterfallProps) {
  const pattern = useId();
  const table = useChartTables();
  const noted = steps.some((step) => step.note !== undefined);
  if (table)
    return (
      <ChartTable
        label={label}
        heads={[
          t("kit.chart.step"),
          t("kit.chart.start"),
          t("kit.chart.duration"),
          ...(noted ? [t("kit.chart.items")] : []),
        ]}
        rows={steps.map((step) => [
          step.label,
          milliseconds(step.start),
          milliseconds(step.duration),
          ...(noted ? [step.note ?? ""] : []),
        ])}
      />
    );
  const end = Math.max(0.1, ...steps.map((step) => step.start + step.duration));
  const plot = width - names - figures(steps);
  const x = (time: number) => names + (time / end) * plot;
  const step = tick(end);
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) =>
    Number((index * step).toFixed(3)),
  );
  const bottom = steps.length * rowHeight;
  return (
    <svg
      className={css.plot}
      viewBox={`0 0 ${width} ${bottom + 18}`}
      width="100%"
      role="img"
      aria-label={label}
    >
      <defs>
        <pattern
          id={pattern}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <line x1="0" y1="0" x2="0" y2="6" stroke="var(--bg)" strokeWidth="2" opacity=".35" />
        </pattern>
      </defs>
      {ticks.map((time) => (
        <g key={time}>
          <line x1={x(time)} x2={x(time)} y1="0" y2={bottom} stroke="var(--grid)" />
          <text x={x(time)} y={bottom + 12} textAnchor="middle" className={css.tick}>
            {upTo(time, 3)}
          </text>
        </g>
      ))}
      {steps.map((each, index) => {
        const y = index * rowHeight;
        const long = Math.max(2.5, (each.duration / end) * plot);
        const bar = { x: x(each.start), y: y + (rowHeight - 13) / 2, width: long, height: 13, rx: 2.5 };
        return (
          <g key={each.label}>
            <text x="0" y={y + rowHeight / 2 + 4} className={css.name}>
              {each.label}
            </text>
            <rect {...bar} fill={each.leg ? legColour(each.leg) : "var(--s-5)"} />
            {each.network && <rect {...bar} fill={`url(#${pattern})`} />}
            <text x={bar.x + long + GAP} y={y + rowHeight / 2 + 4} className={css.value}>
              {milliseconds(each.duration)}
              {each.note && (
                <tspan className={css.note} dx={GAP}>
                  {each.note}
                </tspan>
              )}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
