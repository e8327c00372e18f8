import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { IconButton } from "@/kit/Button";
import { t } from "@/text";
import { whole } from "@/text/format";
import css from "./figures.module.css";
import { MarkIcon } from "./Grid";
import { MOST } from "./state";

const MARKS = ["conflict", "restated", "rounded"] as const;

type FootProps = {
  /** Figures in the table. */
  shown: number;
  /** Figures that came, of which the table may show some alone. */
  came: number;
  total: number;
  /** Position of the first of them. */
  from: number;
  onFrom: (from: number) => void;
};

/** What the marks mean, how many figures are shown, and the way to those that are not. */
export function Foot({ shown, came, total, from, onFrom }: FootProps) {
  return (
    <div className={css.foot}>
      {MARKS.map((mark) => (
        <span key={mark} className="row gap-4">
          <span className={`row ${css[mark] ?? "mut"}`}>
            <MarkIcon mark={mark} />
          </span>
          {t(`figures.mark.${mark}`)}
        </span>
      ))}
      <span className="row gap-4">
        <span className="mut">–</span>
        {t("figures.not_given")}
      </span>
      {(from > 0 || total > MOST) && (
        <span role="group" aria-label={t("figures.page.turn")} className="row gap-4 push">
          <IconButton
            size="small"
            label={t("figures.page.previous")}
            aria-disabled={from === 0}
            onClick={() => from > 0 && onFrom(Math.max(0, from - MOST))}
          >
            <IconChevronLeft className="small" aria-hidden />
          </IconButton>
          <span className="number">
            {t("figures.page.range", { from: whole(from + 1), to: whole(from + came) })}
          </span>
          <IconButton
            size="small"
            label={t("figures.page.next")}
            aria-disabled={from + came >= total}
            onClick={() => from + came < total && onFrom(from + MOST)}
          >
            <IconChevronRight className="small" aria-hidden />
          </IconButton>
        </span>
      )}
      <span role="status" className={`mut number ${from > 0 || total > MOST ? "" : "push"}`}>
        {t("figures.shown", { count: shown, total })}
      </span>
    </div>
  );
}
