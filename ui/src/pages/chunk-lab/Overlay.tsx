import { ChartTable } from "@/kit/ChartTable";
import { useChartTables } from "@/kit/chart-tables";
import type { Bin } from "@/kit/Histogram";
import { t } from "@/text";
import css from "./overlay.module.css";

const WIDTH = 320;
const HEIGHT = 180;
const LEFT = 4;
const TOP = 20;
const BOTTOM = 164;

type OverlayProps = { label: string; a: readonly Bin[]; b: readonly Bin[]; end: number };

/** How the sizes of two cuts spread: A as bars, B as a line. */
export function Overlay({ label, a, b, end }: OverlayProps) {
  const table = useChartTables();
  if (table)
    return (
      <ChartTable
        label={label}
        heads={[t("kit.chart.from"), t("kit.chart.to"), "A", "B"]}
        rows={a.map((bin, index) => [bin.from, bin.to, bin.count, b[index]?.count ?? 0])}
      />
    );
  const most = Math.max(1, ...a.map((bin) => bin.count), ...b.map((bin) => bin.count));
  const x = (tokens: number) => LEFT + (tokens / end) * (WIDTH - 2 * LEFT);
  const y = (count: number) => BOTTOM - (count / most) * (BOTTOM - TOP);
  const line = b.map((bin) => `L${x(bin.from)} ${y(bin.count)}H${x(bin.to)}`).join("");
  const step = [50, 100, 200, 250, 500, 1000, 2000, 5000].find((each) => end / each <= 5) ?? end / 4;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={css.overlay} role="img" aria-label={label}>
      {[BOTTOM, (TOP + BOTTOM) / 2, TOP].map((at) => (
        <line key={at} x1={LEFT} x2={WIDTH - LEFT} y1={at} y2={at} stroke="var(--grid)" />
      ))}
      {a.map(
        (bin) =>
          bin.count > 0 && (
            <rect
              key={bin.from}
              x={x(bin.from) + 0.5}
              width={Math.max(0.5, x(bin.to) - x(bin.from) - 1)}
              y={y(bin.count)}
              height={BOTTOM - y(bin.count)}
              rx={1}
              fill="var(--base)"
            />
          ),
      )}
      <path d={`M${LEFT} ${BOTTOM}${line}`} fill="none" stroke="var(--accent)" strokeWidth={1.6} />
      {ticks.map((at) => (
        <text
          key={at}
          x={x(at)}
          y={176}
          fontSize={9.5}
          fill="var(--fg-3)"
          textAnchor={at === 0 ? "start" : at > end - step / 2 ? "end" : "middle"}
        >
          {at}
        </text>
      ))}
    </svg>
  );
}
