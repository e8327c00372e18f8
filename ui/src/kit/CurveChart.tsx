import * as Plot from "@observablehq/plot";
import { useEffect } from "react";
import type { CurveProps } from "./Curve";
import css from "./histogram.module.css";
import plot from "./plot.module.css";
import { useSize } from "./size";

/** The drawing, in a part of the program that is loaded when first needed. */
export default function CurveChart({ label, x, y, points, height = 180 }: CurveProps) {
  const { root, size } = useSize();
  const width = Math.round(size?.width ?? 0);
  useEffect(() => {
    const element = root.current;
    if (!element || width === 0) return;
    const sorted = [...points].sort((a, b) => a.at - b.at);
    const ranged = sorted.filter(({ low, high }) => low !== undefined && high !== undefined);
    const chart = Plot.plot({
      width,
      height,
      marginLeft: 44,
      marginRight: 10,
      marginTop: 22,
      marginBottom: 32,
      ariaLabel: label,
      x: { label: x, tickSize: 0, tickPadding: 5, ticks: Math.max(2, Math.floor(width / 80)), inset: 8 },
      y: { label: y, tickSize: 0, ticks: 4, nice: true },
      marks: [
        Plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1, ticks: 4 }),
        Plot.areaY(ranged, { x: "at", y1: "low", y2: "high", fill: "var(--accent)", fillOpacity: 0.12 }),
        Plot.lineY(sorted, { x: "at", y: "value", stroke: "var(--accent)", strokeWidth: 1.6 }),
        Plot.dot(sorted, { x: "at", y: "value", r: 3, fill: "var(--accent)" }),
      ],
    });
    // Plot's own style element would break the security policy; the same rules stand in the kit's sheet.
    for (const style of chart.querySelectorAll("style")) style.remove();
    // The picture has one name; names of its parts would only be noise.
    for (const part of chart.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    chart.setAttribute("role", "img");
    chart.setAttribute("class", plot.plot ?? "");
    element.replaceChildren(chart);
  }, [root, points, height, width, label, x, y]);
  return <div ref={root} className={css.body} />;
}
