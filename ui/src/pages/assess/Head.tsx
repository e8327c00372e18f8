import { IconArrowsVertical, IconCheck } from "@tabler/icons-react";
import { IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { t } from "@/text";
import { percent } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./grid.module.css";
import { HEAD, type Measures } from "./measures";
import { decidedOf, issuersOf, type Model } from "./model";
import type { Walk } from "./use-walk";
import { issuerOf, reportName, yearOf } from "./words";

type HeadProps = {
  model: Model;
  walk: Walk;
  measures: Measures;
  /** Columns that are drawn. */
  shown: readonly number[];
  expanded: boolean;
  onExpand: () => void;
};

/** Issuers over years. */
export function Head({ model, walk, measures, shown, expanded, onExpand }: HeadProps) {
  const { columns, ofColumn } = model;
  const { name, cell, wide } = measures;
  const startOf = (column: number) => name + column * cell;
  return (
    <div
      role="rowgroup"
      className={css.head}
      style={{ width: `max(100%, ${startOf(columns.length)}px)`, height: HEAD }}
    >
      {/* biome-ignore lint/a11y/useFocusableInteractive: its cells only name the columns. */}
      <div role="row" aria-rowindex={1} className={css.heads}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: as above. */}
        <div role="columnheader" aria-colindex={1} className={css.corner} style={{ width: name }}>
          <span className="lab">{t("assess.grid.requirement")}</span>
          <IconButton
            size="small"
            className="push"
            label={t(expanded ? "assess.grid.collapse" : "assess.grid.expand")}
            onClick={onExpand}
          >
            <IconArrowsVertical className="small" aria-hidden />
          </IconButton>
        </div>
        {issuersOf(columns, issuerOf).map(({ name: issuer, first, count }) => (
          <span
            key={first}
            aria-hidden
            className={css.issuer}
            style={{ insetInlineStart: startOf(first), width: count * cell }}
            data-tip={issuer}
          >
            <b style={{ insetInlineStart: name + 6 }}>{issuer}</b>
          </span>
        ))}
        {shown.map((index) => {
          const column = columns[index];
          const tally = ofColumn[index];
          if (!column || !tally) return null;
          const decided = decidedOf(tally);
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: as above.
            <div
              key={column.report_id}
              role="columnheader"
              aria-colindex={index + 2}
              aria-label={t("assess.grid.column", {
                report: reportName(column),
                decided,
                total: tally.total,
              })}
              data-tip={visible(column.title)}
              className={classes(css.year, walk.at.column === index && !walk.at.name && css.on)}
              style={{ insetInlineStart: startOf(index), width: cell }}
            >
              <b className="number">{yearOf(column)}</b>
              <span className="number">
                {decided === tally.total && tally.total > 0 ? (
                  <IconCheck className="xs" aria-hidden />
                ) : wide ? (
                  `${decided}/${tally.total}`
                ) : (
                  percent(tally.total === 0 ? 0 : decided / tally.total)
                )}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
