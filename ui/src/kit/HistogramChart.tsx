import * as Plot from "@observablehq/plot";
import { useEffect, useRef, useState } from "react";
import type { Bin, HistogramProps } from "./Histogram";
import css from "./histogram.module.css";
import plot from "./plot.module.css";

const FILL = { base: "var(--accent)", warn: "var(--warn)", bad: "var(--bad)" };

/** Pixels of a character of a rule's name, and of a line of names. */
const CHARACTER = 6;
const LINE = 12;

/** The line that each rule's name stands on, the lowest first, so that no two lie on each other. */
export function lines(
  rules: readonly { at: number; label: string }[],
  pixels: (at: number) => number,
): number[] {
  const ends: number[] = [];
  const placed = new Map<number, number>();
  for (const index of [...rules.keys()].sort((a, b) => (rules[a]?.at ?? 0) - (rules[b]?.at ?? 0))) {
    const rule = rules[index];
    if (!rule) continue;
    const middle = pixels(rule.at);
    const half = (rule.label.length * CHARACTER) / 2 + 2;
    const free = ends.findIndex((end) => end <= middle - half);
    const line = free < 0 ? ends.length : free;
    ends[line] = middle + half;
    placed.set(index, line);
  }
  return [...rules.keys()].map((index) => placed.get(index) ?? 0);
}

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
    const line = lines(rules, (at) => (at / end) * width);
    const named = rules.map((rule, index) => ({ ...rule, line: line[index] ?? 0 }));
    const levels = [...new Set(line)];
    const chart = Plot.plot({
      width,
      height,
      marginLeft: 4,
      marginRight: 4,
      marginTop: 8 + LINE * Math.max(1, levels.length),
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
        levels.map((level) =>
          Plot.text(
            named.filter((rule) => rule.line === level),
            { x: "at", text: "label", frameAnchor: "top", dy: -15 - LINE * level, fill: "var(--fg-2)" },
          ),
        ),
      ],
    });
    // Plot's own style element would break the security policy; the same rules stand in the kit's sheet.
    for (const style of chart.querySelectorAll("style")) style.remove();
    // The picture has one name; names of its parts would only be noise.
    for (const part of chart.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    chart.setAttribute("role", "img");
    chart.setAttribute("class", plot.plot ?? "");
    element.replaceChildren(chart);
  }, [bins, rules, max, height, width, label]);
  return <div ref={root} className={css.body} />;
}
