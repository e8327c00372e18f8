import { lazy, Suspense } from "react";

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
  return (
    <div className="chart" style={{ height: props.height ?? 118 }}>
      <Suspense>
        <Chart {...props} />
      </Suspense>
    </div>
  );
}
