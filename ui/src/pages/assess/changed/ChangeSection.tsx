import { memo } from "react";
import { may } from "@/api/client";
import type { ReportComparison, ReviewStatus } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Id } from "@/kit/Id";
import { Kbd } from "@/kit/Kbd";
import { keysOf } from "@/kit/shortcuts";
import { StatusShape } from "@/parts/StatusShape";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { CarriedMark, ChangeTag } from "./ChangeMark";
import css from "./changed.module.css";
import { type Changed, headOf, isConfirmed } from "./changes";
import { Sides } from "./Sides";

type ChangeSectionProps = {
  changed: Changed;
  comparison: ReportComparison;
  /** What is decided on the later report now. */
  status: ReviewStatus;
  selected: boolean;
  onSelect: (id: string) => void;
  onConfirm: (changed: Changed) => void;
  onDecide: (changed: Changed) => void;
};

/** A requirement: what changed, both reports side by side, and the decision. */
export const ChangeSection = memo(function ChangeSection(props: ChangeSectionProps) {
  const { changed, comparison, selected, onSelect } = props;
  const { id, label, kind } = changed;
  return (
    <section
      id={`change-${id}`}
      aria-label={`${id} ${visible(label)}`}
      className={classes(css.section, selected && css.selected)}
      onFocus={() => onSelect(id)}
    >
      <header className={css.head}>
        <Id>{id}</Id>
        <h3 className="ell">{visible(label)}</h3>
        <ChangeTag kind={kind} compared={comparison.compared_as} />
        <Decision {...props} />
      </header>
      {changed.pairs.length > 0 && <Sides {...{ changed, comparison }} />}
    </section>
  );
});

/** What was decided on the earlier report and what becomes of it. */
function Decision({ changed, comparison, status, selected, onConfirm, onDecide }: ChangeSectionProps) {
  const { earlier, carried } = changed;
  const { head } = headOf(comparison.earlier, comparison.compared_as);
  const waits = carried && status === "open";
  if (earlier === "open" && status === "open" && !selected) return null;
  return (
    <span className={css.decision}>
      {earlier !== "open" && (
        <>
          <span className="mut">{visible(head)}</span>
          <span className="row gap-4 nowrap">
            <StatusShape status={earlier} quiet />
            {t(`assess.short.${earlier}`)}
          </span>
          <span className="mut" aria-hidden>
            →
          </span>
        </>
      )}
      {waits ? (
        <CarriedMark status={earlier} />
      ) : (
        <span className="row gap-4 nowrap">
          <StatusShape status={status} quiet />
          {t(`assess.short.${status}`)}
        </span>
      )}
      {waits && isConfirmed(changed) && may("assess.carry_over") ? (
        <Button size="small" onClick={() => onConfirm(changed)}>
          {t("assess.changed.confirm")}
          {selected && (
            <>
              {" "}
              <Kbd keys={keysOf("assess.confirm")} />
            </>
          )}
        </Button>
      ) : (
        may("assess.decide") && (
          <Button size="small" onClick={() => onDecide(changed)}>
            {status === "open" && !waits ? t("assess.changed.decide") : t("assess.changed.decide_again")}
          </Button>
        )
      )}
    </span>
  );
}
