import { lazy, Suspense } from "react";
import { decimal } from "@/text/format";
import { ChartTable } from "./ChartTable";
import { useChartTables } from "./chart-tables";
import css from "./histogram.module.css";

/** A measured point: where, how much, and the interval about it where one is known. */
export type CurvePoint = { at: number; value: number; low?: number; high?: number };

/** What a {@link Curve} shows. */
export type CurveProps = {
  /** Says in a sentence what the chart shows. */
  label: string;
  /** Names of the axes. */
  x: string;
  y: string;
  points: readonly CurvePoint[];
  height?: number;
};

const Chart = lazy(() => import("./CurveChart"));

/** How a number follows another one. */
export function Curve(props: CurveProps) {
  const table = useChartTables();
  return (
    <div className={css.chart} data-chart style={{ minHeight: props.height ?? 180 }}>
      {table ? (
        <ChartTable
          label={props.label}
          heads={[props.x, props.y]}
          rows={props.points.map(({ at, value }) => [at, decimal(value, 3)])}
        />
      ) : (
        <Suspense>
          <Chart {...props} />
        </Suspense>
      )}
    </div>
  );
}
