import { StatusShape } from "@/parts/StatusShape";
import { t } from "@/text";
import { whole } from "@/text/format";
import css from "./assess.module.css";
import { decidedOf, type Tally } from "./model";
import { Share } from "./Share";

const PARTS = ["met", "partly", "gap", "not_applicable"] as const;

/** What is decided of all. */
export function Progress({ whole: tally }: { whole: Tally }) {
  const decided = decidedOf(tally);
  const words =
    decided === tally.total
      ? t("assess.progress.all", { total: tally.total })
      : t("assess.progress.decided", { decided, total: tally.total });
  return (
    <div className={css.progress}>
      <b className="number nowrap">{words}</b>
      <span
        role="meter"
        className={css.meter}
        aria-label={t("assess.progress.label")}
        aria-valuemin={0}
        aria-valuemax={tally.total}
        aria-valuenow={decided}
        aria-valuetext={words}
      >
        <Share tally={tally} />
      </span>
      {PARTS.map((status) => (
        <span key={status} className="row gap-4">
          <StatusShape status={status} quiet />
          {t(`assess.short.${status}`)} <b className="number">{whole(tally[status])}</b>
        </span>
      ))}
    </div>
  );
}
