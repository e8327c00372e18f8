import type { AssessmentProposal } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./pane.module.css";
import type { Evidence } from "./use-evidence";

type ProposalFrameProps = {
  proposal: AssessmentProposal | null;
  evidence: Evidence;
  outdated: boolean;
  /** Shows the new proposal, where one waits. */
  showNew: (() => void) | undefined;
};

/** The number that stands for a piece of evidence wherever it is named. */
export function EvidenceNumber({ at, evidence }: { at: number; evidence: Evidence }) {
  return (
    <button
      type="button"
      className={classes("cite", css.number, evidence.at === at && "on")}
      aria-label={t(evidence.found ? "assess.pane.number" : "assess.pane.number_nearest", { count: at + 1 })}
      aria-pressed={evidence.at === at}
      onClick={() => evidence.choose(at)}
    >
      {at + 1}
    </button>
  );
}

/** The checklist with where the report meets it. It is a proposal, and looks like one. */
export function ProposalFrame({ proposal, evidence, outdated, showNew }: ProposalFrameProps) {
  if (!proposal)
    return (
      <fieldset className={css.proposal}>
        <legend>{t("assess.pane.proposal")}</legend>
        <span className="mut">{t("assess.pane.not_yet")}</span>
      </fieldset>
    );
  const { items, state, error_rate: rate, unmatched } = proposal;
  return (
    <fieldset className={css.proposal}>
      <legend>{t("assess.pane.proposal")}</legend>
      {rate !== null && (
        <span className={css.rate}>{t("assess.pane.rate", { count: Math.round(rate * 100) })}</span>
      )}
      {state === "nothing" && <div className={css.nothing}>{t("assess.pane.nothing")}</div>}
      {unmatched && <p className="mut sm">{t("assess.pane.unmatched", { language: unmatched })}</p>}
      <ul>
        {items.map(({ id, text, evidence: places }) => (
          <li key={id}>
            <i className={classes(css.bar, places.length > 0 && css.full)} aria-hidden />
            <span className="grow">{visible(text)}</span>
            {places.length === 0 && <span className="sr-only">{t("assess.pane.item_none")}</span>}
            {places.map((at) => (
              <EvidenceNumber key={at} at={at} evidence={evidence} />
            ))}
          </li>
        ))}
      </ul>
      {outdated && <div className={`mut xs ${css.outdated}`}>{t("assess.pane.outdated")}</div>}
      {showNew && (
        <div className="row gap-6 sm">
          {t("assess.pane.new")}
          <Button size="tiny" onClick={showNew}>
            {t("assess.pane.show_new")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
