import { useMemo, useRef } from "react";
import { ChartTable } from "@/kit/ChartTable";
import { useChartTables } from "@/kit/chart-tables";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { t } from "@/text";
import { whole } from "@/text/format";
import { type Layout, type Range, WARNINGS, type Warning } from "./cut";
import css from "./minimap.module.css";

type MinimapProps = {
  layout: Layout;
  /** Characters of the document. */
  length: number;
  selected: number | undefined;
  /** First and last place in sight. */
  sight: Range;
  /** Shows a place. */
  onGo: (at: number) => void;
};

/** How many chunks have each warning. */
export function countWarnings({ warnings }: Layout): Record<Warning, number> {
  const counts: Record<Warning, number> = { oversize: 0, orphan: 0, cut_paragraph: 0, cut_table: 0 };
  for (const each of warnings) for (const warning of each) counts[warning] += 1;
  return counts;
}

const WIDTH = 14;

/** What the strip tells beyond the row of all chunks: those with a warning, the selected one, and those in sight. */
export function told(
  { chunks, warnings }: Layout,
  selected: number | undefined,
  sight: Range,
): (string | number)[][] {
  return chunks.flatMap(({ view }, index) => {
    const [from, to] = view.range;
    const why = [
      ...(warnings[index] ?? []).map((warning) => t(`chunk-lab.warnings.${warning}`, { count: 1 })),
      ...(index === selected ? [t("chunk-lab.source.map_selected")] : []),
      ...(from < sight[1] && to > sight[0] ? [t("chunk-lab.source.map_sight")] : []),
    ];
    return why.length > 0 ? [[view.ordinal + 1, why.join(", "), whole(from), whole(to)]] : [];
  });
}

/** The whole document on a strip: chunks, warnings, what is in sight. */
export function Minimap(props: MinimapProps) {
  const table = useChartTables();
  if (!table) return <Strip {...props} />;
  return (
    <ScrollRegion className={css.mapTable}>
      <ChartTable
        label={t("chunk-lab.source.map")}
        heads={[
          t("chunk-lab.source.map_chunk"),
          t("chunk-lab.source.map_why"),
          t("kit.chart.from"),
          t("kit.chart.to"),
        ]}
        rows={told(props.layout, props.selected, props.sight)}
      />
    </ScrollRegion>
  );
}

function Strip({ layout, length, selected, sight, onGo }: MinimapProps) {
  const root = useRef<SVGSVGElement>(null);
  const drawing = useMemo(() => {
    const tones = { a: "", b: "" };
    for (const { from, to, chunk } of layout.stretches) {
      const tone = layout.tone[chunk] ?? "a";
      tones[tone] += `M3 ${from}H11V${to}H3Z`;
    }
    const lines: Record<Warning, string> = { oversize: "", orphan: "", cut_paragraph: "", cut_table: "" };
    layout.warnings.forEach((warnings, chunk) => {
      const [from = 0, to = 0] = layout.chunks[chunk]?.view.range ?? [];
      for (const warning of warnings)
        lines[warning] +=
          warning === "cut_paragraph"
            ? `M10 ${from}H${WIDTH}`
            : `M0 ${warning === "cut_table" ? from : (from + to) / 2}H${WIDTH}`;
    });
    return { tones, lines };
  }, [layout]);
  const go = (clientY: number) => {
    const box = root.current?.getBoundingClientRect();
    if (box && box.height > 0)
      onGo(Math.round(Math.max(0, Math.min(1, (clientY - box.top) / box.height)) * length));
  };
  const counts = countWarnings(layout);
  const told = WARNINGS.filter((warning) => counts[warning] > 0).map((warning) =>
    t(`chunk-lab.warnings.${warning}`, { count: counts[warning] }),
  );
  const range = selected === undefined ? undefined : layout.chunks[selected]?.view.range;
  return (
    <svg
      ref={root}
      className={css.minimap}
      viewBox={`0 0 ${WIDTH} ${Math.max(1, length)}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={[t("chunk-lab.source.map"), ...told].join(", ")}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event.clientY);
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event.clientY)}
    >
      <path d={drawing.tones.a} className={css.mapA} />
      <path d={drawing.tones.b} className={css.mapB} />
      <rect
        className={css.mapSight}
        x={0}
        width={WIDTH}
        y={sight[0]}
        height={Math.max(0, sight[1] - sight[0])}
      />
      <path d={drawing.lines.cut_paragraph} className={css.mapCut} />
      <path d={drawing.lines.orphan} className={css.mapWarn} />
      <path d={drawing.lines.cut_table} className={css.mapWarn} />
      <path d={drawing.lines.oversize} className={css.mapBad} />
      {range && <path d={`M0 ${(range[0] + range[1]) / 2}H${WIDTH}`} className={css.mapSelected} />}
    </svg>
  );
}
