import { IconCheck, IconInfoCircle } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useAction } from "@/api/queries";
import type { Assessment } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Kbd } from "@/kit/Kbd";
import { keepClear } from "@/kit/keep-clear";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { keysOf, useShortcut } from "@/kit/shortcuts";
import { startRun } from "@/state/assessing";
import { t } from "@/text";
import { seconds, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { type Plan, usePlan } from "./plan";
import { becomeReviewer, ownName } from "./reviewer";
import { NameAndReviewers } from "./StartName";
import { AddReports, chosenWords, StartReports } from "./StartReports";
import { StartRequirements } from "./StartRequirements";
import css from "./start.module.css";
import { TakeIn } from "./TakeIn";
import { tellRun } from "./told";

type NewPlanProps = {
  onStarted: (assessment: number) => void;
  /** Nothing where there is no assessment to go back to. */
  onCancel: (() => void) | undefined;
};

/** Starts an assessment: reports, requirements, name. */
export function NewPlan({ onStarted, onCancel }: NewPlanProps) {
  const plan = usePlan();
  const queries = useQueryClient();
  const create = useAction("assess.new");
  const start = () =>
    create.mutate(plan.plan, {
      onSuccess: ({ id, reviewers }) => {
        if (reviewers[0] !== undefined && ownName() === "") becomeReviewer(reviewers[0]);
        onStarted(id);
        void startRun(id, queries).then(tellRun);
      },
    });
  return (
    <Sheet
      {...{ plan, onCancel }}
      heading={t("assess.start.title")}
      word={t("assess.start.start")}
      pending={create.isPending}
      onDone={start}
      after={<TakeIn about={t("assess.start.or_import")} onTaken={onStarted} />}
    />
  );
}

type ChangePlanProps = { assessment: Assessment; onDone: () => void };

/** Changes the reports, the requirements and the reviewers of an assessment; decisions stay. */
export function ChangePlan({ assessment, onDone }: ChangePlanProps) {
  const plan = usePlan(assessment);
  const change = useAction("assess.change");
  return (
    <Sheet
      plan={plan}
      heading={t("assess.start.change_title", { name: visible(assessment.name) })}
      word={t("assess.start.save")}
      pending={change.isPending}
      onDone={() => change.mutate({ id: assessment.id, ...plan.plan }, { onSuccess: onDone })}
      onCancel={onDone}
    />
  );
}

type SheetProps = {
  plan: Plan;
  heading: string;
  /** Word of the button. */
  word: string;
  pending: boolean;
  onDone: () => void;
  onCancel: (() => void) | undefined;
  /** Stands below the steps. */
  after?: ReactNode;
};

function Sheet({ plan, heading, word, pending, onDone, onCancel, after }: SheetProps) {
  const { preview, counting, missing, decisions, decided } = plan;
  const ready = missing === undefined && !pending;
  useShortcut("assess.start", onDone, ready);
  const { requirements = 0 } = preview.data ?? {};
  const left = plan.plan.scope.left_out;
  return (
    <div className={css.sheet}>
      <ScrollRegion fill label={heading} ways="down" className={css.scroll}>
        <div className={css.page}>
          <h2 className={css.title}>{heading}</h2>
          <p className={css.lead}>{t("assess.start.detail")}</p>
          <Step
            number={1}
            heading={t("assess.start.reports")}
            detail={chosenWords(plan)}
            end={<AddReports />}
            done={plan.reports.chosen.length > 0}
          >
            <StartReports plan={plan} />
          </Step>
          <Step
            number={2}
            heading={t("assess.start.requirements")}
            detail={
              counting || !preview.data
                ? undefined
                : left.length > 0
                  ? t("assess.start.in_scope_left", { count: requirements, left: left.length })
                  : t("assess.start.in_scope", { count: requirements })
            }
            done={requirements > 0}
          >
            <StartRequirements plan={plan} />
          </Step>
          <Step number={3} heading={t("assess.start.name_and_start")} done={plan.plan.name !== ""}>
            <NameAndReviewers plan={plan} />
          </Step>
          {after}
        </div>
      </ScrollRegion>
      <div className={css.page} ref={keepClear} data-keep-clear>
        <div className={css.finish}>
          <div>
            <b className="number">{counting ? "…" : whole(decisions)}</b>
            <span>{t("assess.start.decisions", { count: decisions })}</span>
          </div>
          <div>
            <b className="number">{seconds(preview.data?.seconds ?? 0)}</b>
            <span>{t("assess.start.for_proposals")}</span>
          </div>
          <div>
            <b>{t("assess.start.offline")}</b>
            <span>{t("assess.start.nothing_leaves")}</span>
          </div>
          <span className="push row">
            {onCancel && <Button onClick={onCancel}>{t("dialog.cancel")}</Button>}
            <Button tone="primary" className={css.start} disabled={!ready} onClick={onDone}>
              {word} <Kbd keys={keysOf("assess.start")} />
            </Button>
          </span>
        </div>
        <p className={`mut sm ${css.later}`} role="status">
          <IconInfoCircle className="small" aria-hidden />
          {missing ?? t("assess.start.later")}
        </p>
        <p className={`mut sm ${css.shared}`}>
          {t("assess.start.shared")} {decided > 0 && t("assess.start.decided", { count: decided })}
        </p>
      </div>
    </div>
  );
}

type StepProps = {
  number: number;
  heading: string;
  detail?: string;
  /** Stands at the end of its head. */
  end?: ReactNode;
  done: boolean;
  children: ReactNode;
};

/** A step; its number becomes a tick. */
function Step({ number, heading, detail, end, done, children }: StepProps) {
  const id = `assess-step-${number}`;
  return (
    <section className={css.step} aria-labelledby={id}>
      <span className={classes(css.number, done && css.done)} aria-hidden>
        {done ? <IconCheck className="small" /> : number}
      </span>
      <div className={css.inner}>
        <div className={css.head}>
          <h3 id={id}>{heading}</h3>
          {detail !== undefined && <span className="mut sm ell number">{detail}</span>}
          {end && <span className="push">{end}</span>}
        </div>
        {children}
      </div>
    </section>
  );
}
