import {
  IconAlertTriangle,
  IconArrowForwardUp,
  IconEqualNot,
  IconPlug,
  IconUsers,
} from "@tabler/icons-react";
import type { AssessmentCell } from "@/api/types";
import { classes } from "@/kit/class-names";
import { StatusShape } from "@/parts/StatusShape";
import { t } from "@/text";
import css from "./grid.module.css";
import { MARKS } from "./words";

const ICONS = { disputed: IconUsers, moved: IconArrowForwardUp, differs: IconEqualNot };
/** Most bars: above them they show shares of five. */
const BARS = 5;

/** What was decided; nothing where the cell is open. */
const decisionOf = (cell: AssessmentCell | undefined) =>
  cell === undefined || cell.status === "open" ? undefined : cell.status;

/** Whether a program proposes something for it. */
const isProposed = (cell: AssessmentCell | undefined) => (cell?.proposed_by.length ?? 0) > 0;

/** The look of a cell: colour and fill for decisions alone. */
export const cellLook = (cell: AssessmentCell | undefined): string => {
  const status = decisionOf(cell);
  return classes(
    status ? css[status] : cell?.carried ? css.carried : (cell?.proposal || isProposed(cell)) && css.proposed,
    status && css.filled,
    cell?.note && css.noted,
  );
};

/** A bar for each item of a checklist, filled where evidence was found. */
export function Bars({ found, of }: { found: number; of: number }) {
  const count = Math.min(BARS, of);
  const filled = of > BARS ? Math.round((found / of) * BARS) : found;
  return (
    <span className={css.bars} aria-hidden>
      {Array.from({ length: count }, (_, bar) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars are all alike.
        <i key={bar} className={bar < filled ? css.full : undefined} />
      ))}
    </span>
  );
}

type CellBodyProps = { cell: AssessmentCell | undefined; wide: boolean; unsaved: boolean };

/** What stands in a cell: the decision, else the proposal, else that it waits for one. */
export function CellBody({ cell, wide, unsaved }: CellBodyProps) {
  const mark = MARKS.find((each) => cell?.[each]);
  const Mark = unsaved ? IconAlertTriangle : mark ? ICONS[mark] : isProposed(cell) && IconPlug;
  const page = cell?.proposal?.page ?? null;
  const end = (
    <>
      {Mark && <Mark className={classes("xs", css.mark)} aria-hidden />}
      {wide && page !== null && (
        <span className={`number ${css.page}`}>{t("assess.grid.p", { page: String(page) })}</span>
      )}
    </>
  );
  const status = decisionOf(cell);
  if (status)
    return (
      <>
        <StatusShape status={status} quiet />
        <span className={css.word}>{t(`assess.short.${status}`)}</span>
        {end}
      </>
    );
  if (cell?.carried)
    return (
      <>
        <StatusShape status={cell.carried} quiet />
        <span className={css.word}>
          {t("assess.changed.carried", { status: t(`assess.short.${cell.carried}`) })}
        </span>
        {end}
      </>
    );
  if (!cell?.proposal)
    return (
      <>
        <i className={css.rest} />
        {end}
      </>
    );
  const { found, of, state } = cell.proposal;
  return (
    <>
      <Bars found={found} of={of} />
      <span className={classes("number", cell.outdated && css.outdated)}>
        {state === "nothing" ? t("assess.grid.none") : t("assess.grid.fraction", { found, of })}
      </span>
      {end}
    </>
  );
}
