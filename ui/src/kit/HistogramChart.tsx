import * as Plot from "@observablehq/plot";
import { useEffect, useRef, useState } from "react";
import type { Bin, HistogramProps } from "./Histogram";

const FILL = { base: "var(--accent)", warn: "var(--warn)", bad: "var(--bad)" };

/** The drawing, in a part of the program that is loaded when first needed. */
export default function HistogramChart({ label, bins, rules = [], max, height = 118 }: HistogramProps) {
  const root = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setWidth(Math.round(element.clientWidth)));
    watch.observe(element);
    setWidth(Math.round(element.clientWidth));
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const element = root.current;
    if (!element || width === 0) return;
    const end = max ?? Math.max(1, ...bins.map((bin) => bin.to), ...rules.map((rule) => rule.at));
    const shown = bins.filter((bin) => bin.count > 0);
    const chart = Plot.plot({
      width,
      height,
      marginLeft: 4,
      marginRight: 4,
      marginTop: 20,
      marginBottom: 16,
      ariaLabel: label,
      x: {
        domain: [0, end],
        ticks: Math.max(2, Math.floor(width / 70)),
        label: null,
        tickSize: 0,
        tickPadding: 5,
      },
      y: { axis: null, label: null },
      marks: [
        Plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1, ticks: 2 }),
        Plot.rectY(shown, {
          x1: "from",
          x2: "to",
          y: "count",
          insetLeft: 0.5,
          insetRight: 0.5,
          rx: 1,
          fill: (bin: Bin) => FILL[bin.tone ?? "base"],
          fillOpacity: (bin: Bin) => (bin.tone && bin.tone !== "base" ? 1 : 0.82),
        }),
        Plot.ruleX(
          rules.filter((rule) => rule.solid),
          { x: "at", stroke: "var(--fg-2)", insetTop: -6 },
        ),
        Plot.ruleX(
          rules.filter((rule) => !rule.solid),
          { x: "at", stroke: "var(--fg-2)", insetTop: -6, strokeDasharray: "2 2" },
        ),
        Plot.text(rules, { x: "at", text: "label", frameAnchor: "top", dy: -15, fill: "var(--fg-2)" }),
      ],
    });
    // Plot's own style element would break the security policy; the same rules stand in the kit's sheet.
    for (const style of chart.querySelectorAll("style")) style.remove();
    // The picture has one name; names of its parts would only be noise.
    for (const part of chart.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    chart.setAttribute("role", "img");
    chart.setAttribute("class", "plot");
    element.replaceChildren(chart);
  }, [bins, rules, max, height, width, label]);
  return <div ref={root} className="chart-body" />;
}
