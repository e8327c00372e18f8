import type { Confidence as Grounds } from "@/api/types";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import { decimal, percent } from "@/text/format";
import css from "./confidence.module.css";

/** Where the bands begin: very low, low, medium, high. */
const LIMITS = [0, 0.4, 0.6, 0.8, 1] as const;

type ConfidenceProps = {
  grounds: Grounds;
  /** What is said of it; the caveat of its band otherwise. */
  note?: string;
};

/** How sure an answer is: its band in words, its number on the scale of the bands, and what that means. */
export function Confidence({ grounds, note }: ConfidenceProps) {
  const { value, band, relevance, supported, percentile, error_rate, caveat } = grounds;
  const words = t(`ask.band.${band}`);
  const calibrated =
    error_rate > 0
      ? t("ask.confidence.calibrated", { share: percent(percentile), error: percent(error_rate) })
      : undefined;
  const limits = t("ask.confidence.limits", {
    low: decimal(LIMITS[1], 1),
    medium: decimal(LIMITS[2], 1),
    high: decimal(LIMITS[3], 1),
  });
  const best = Math.max(0, ...relevance);
  return (
    <section className={`card ${css.card}`} aria-label={t("ask.confidence.title")}>
      <span className="nowrap">
        <b>{words}</b> <span className="mono">{decimal(value, 2)}</span>
      </span>
      <div
        className={css.bar}
        role="meter"
        aria-label={t("ask.confidence.title")}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={value}
        aria-valuetext={`${words}, ${decimal(value, 2)}`}
        {...tip([limits, calibrated].filter(Boolean).join(" "))}
      >
        {LIMITS.slice(1).map((end, at) => {
          const start = LIMITS[at] ?? 0;
          const share = Math.max(0, Math.min(1, (value - start) / (end - start)));
          return (
            <i key={end} style={{ flexGrow: (end - start) * 10 }}>
              <i style={{ width: `${share * 100}%` }} />
            </i>
          );
        })}
        <b style={{ insetInlineStart: `calc(${value * 100}% - 1px)` }} />
      </div>
      <span className={`sec ${css.note}`}>
        {supported < 1 && `${t("ask.confidence.supported", { share: percent(supported) })} `}
        {note ?? caveat ?? t("ask.confidence.grounds", { count: relevance.length, best: decimal(best, 2) })}
      </span>
    </section>
  );
}
