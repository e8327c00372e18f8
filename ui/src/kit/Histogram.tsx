import { lazy, Suspense } from "react";
import { t } from "@/text";
import { ChartTable } from "./ChartTable";
import { useChartTables } from "./chart-tables";
import css from "./histogram.module.css";

/** A bar of a histogram: values from `from` up to, not including, `to`. */
export type Bin = { from: number; to: number; count: number; tone?: "base" | "warn" | "bad" };

/** A line across a histogram. */
export type Rule = { at: number; label: string; solid?: boolean };

/** What a {@link Histogram} shows. */
export type HistogramProps = {
  /** Says in a sentence what the chart shows. */
  label: string;
  bins: readonly Bin[];
  rules?: readonly Rule[];
  /** End of the axis; the last bin by default. */
  max?: number;
  height?: number;
};

const Chart = lazy(() => import("./HistogramChart"));

/** How often values fall into each bin, with lines for limits. */
export function Histogram(props: HistogramProps) {
  const table = useChartTables();
  return (
    <div className={css.chart} data-chart style={{ height: props.height ?? 118 }}>
      {table ? (
        <ChartTable
          label={props.label}
          heads={[t("kit.chart.from"), t("kit.chart.to"), t("kit.chart.count")]}
          rows={props.bins.map((bin) => [bin.from, bin.to, bin.count])}
        />
      ) : (
        <Suspense>
          <Chart {...props} />
        </Suspense>
      )}
    </div>
  );
}
