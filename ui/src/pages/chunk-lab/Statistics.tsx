import { IconAlertTriangle } from "@tabler/icons-react";
import { memo, useMemo } from "react";
import { Button } from "@/kit/Button";
import { Histogram } from "@/kit/Histogram";
import { Pill } from "@/kit/Pill";
import { t } from "@/text";
import { decimal, whole } from "@/text/format";
import { axisOf, binsOf, limitsOf, rulesOf, WARNINGS, type Warning } from "./cut";
import { countWarnings } from "./Minimap";
import type { Only } from "./state";
import css from "./statistics.module.css";
import type { Cut } from "./use-chunking";

/** Words for a line of the histogram. */
export const ruleWords = (name: string, at: number) =>
  t(
    name === "min"
      ? "chunk-lab.stats.min"
      : name === "max"
        ? "chunk-lab.stats.max"
        : "chunk-lab.stats.target",
    { at },
  );

const TONE: Record<Warning, string> = {
  oversize: "c-bad",
  cut_table: "c-warn",
  orphan: "c-warn",
  cut_paragraph: "",
};

type StatisticsProps = {
  cut: Cut;
  only: Only;
  onOnly: (only: Only) => void;
  /** Goes to the next chunk that has a warning. */
  onShow: () => void;
};

/** Figures over all chunks, how their sizes spread, and what is wrong. */
export const Statistics = memo(function Statistics({ cut, only, onOnly, onShow }: StatisticsProps) {
  const { statistics, settings } = cut.view;
  const chart = useMemo(() => {
    const limits = limitsOf(cut.view.settings);
    const most = Math.max(cut.view.statistics.max, (limits.max ?? 0) * 1.08, (limits.target ?? 0) * 1.3);
    const axis = axisOf(most);
    return {
      bins: binsOf(cut.view.chunks, axis, limits),
      end: axis.end,
      rules: rulesOf(cut.view.settings, ruleWords),
    };
  }, [cut]);
  const counts = countWarnings(cut.layout);
  const shown = WARNINGS.filter((warning) => counts[warning] > 0);
  const figures = [
    [whole(statistics.count), t("chunk-lab.stats.chunks")],
    [whole(statistics.median), t("chunk-lab.stats.median")],
    [whole(statistics.p95), t("chunk-lab.stats.p95")],
    [`${decimal(statistics.overlap_percent, 1)}%`, t("chunk-lab.stats.overlap")],
  ] as const;
  const limits = limitsOf(settings);
  return (
    <div className={css.stats} data-testid="chunk-lab-stats">
      <div className={css.figures}>
        {figures.map(([value, name]) => (
          <div key={name}>
            <b>{value}</b> <span className="xs sec">{name}</span>
          </div>
        ))}
      </div>
      <div className={css.histogram}>
        <Histogram
          label={t("chunk-lab.stats.histogram", {
            count: statistics.count,
            min: statistics.min,
            max: statistics.max,
            target: limits.target ?? limits.max ?? 0,
          })}
          bins={chart.bins}
          rules={chart.rules}
          max={chart.end}
          height={118}
        />
      </div>
      <div className={css.warnings}>
        {shown.length === 0 && <span className="xs mut">{t("chunk-lab.stats.clean")}</span>}
        {shown.map((warning) => (
          <Pill
            key={warning}
            className={TONE[warning]}
            active={only === warning}
            icon={<IconAlertTriangle className="xs" aria-hidden />}
            label={t(`chunk-lab.warnings.${warning}`, { count: counts[warning] })}
            onClick={() => onOnly(only === warning ? "all" : warning)}
          />
        ))}
        {shown.length > 0 && (
          <Button size="tiny" tone="quiet" className={css.show} onClick={onShow}>
            {t("chunk-lab.stats.show")}
          </Button>
        )}
      </div>
    </div>
  );
});
