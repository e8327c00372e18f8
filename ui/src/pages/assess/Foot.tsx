import { IconAlertTriangle, IconLoader2, IconPlayerPause } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { may } from "@/api/client";
import type { ReviewerAgreement } from "@/api/types";
import { Button } from "@/kit/Button";
import { pauseRun, startRun, useRun } from "@/state/assessing";
import { t } from "@/text";
import { decimal, sentence } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./assess.module.css";
import type { Model } from "./model";
import type { RunState } from "./run-state";
import { tellRun } from "./told";
import { reportName } from "./words";

type RunProps = { id: number; made: RunState; model: Model };
type FootProps = RunProps & { agreements: readonly ReviewerAgreement[] };

/** How far the proposals are, and what the looks of a cell mean. */
export function Foot({ id, made, model, agreements }: FootProps) {
  return (
    <div className={css.foot}>
      <Run {...{ id, made, model }} />
      {agreements.map(({ reviewers: [one, other], alike, both, kappa }) => (
        <span
          key={`${one} ${other}`}
          className="mut ell"
          data-tip={kappa === null ? undefined : t("assess.run.kappa", { kappa: decimal(kappa, 2) })}
        >
          {t("assess.run.agreement", { one: visible(one), other: visible(other), alike, both })}
        </span>
      ))}
      <span className={css.legend}>
        <span className="row gap-4">
          <i className={css.decided} aria-hidden />
          {t("assess.run.decided")}
        </span>
        <span className="row gap-4">
          <i className={css.proposed} aria-hidden>
            {t("assess.grid.fraction", { found: 1, of: 2 })}
          </i>
          {t("assess.run.proposed")}
        </span>
      </span>
    </div>
  );
}

function Run({ id, made: { kind, made, total, waiting }, model }: RunProps) {
  const queries = useQueryClient();
  const last = useRun();
  const run = last?.assessment === id ? last : undefined;
  const begin = async () => {
    tellRun(await startRun(id, queries));
  };
  if (run && !run.error) {
    const { progress } = run;
    const report = model.columns.find(({ report_id }) => report_id === progress?.report_id);
    return (
      <>
        <span className="row gap-6 nowrap" role="status">
          <IconLoader2 className="small spin" aria-hidden />
          <b>{t("assess.run.proposing")}</b>
          <span className="mut number">
            {progress
              ? t("assess.run.at", {
                  report: report ? reportName(report) : progress.report_id,
                  // Of all, as it is told once it is stopped.
                  done: total - progress.total + progress.done,
                  total,
                })
              : t("assess.run.begins")}
          </span>
        </span>
        <Button
          size="tiny"
          tone="quiet"
          icon={<IconPlayerPause className="small" aria-hidden />}
          onClick={pauseRun}
        >
          {t("assess.run.pause")}
        </Button>
      </>
    );
  }
  if (run?.error)
    return (
      <>
        <span className="row gap-6 ell c-bad" role="alert" data-tip={visible(sentence(run.error.message))}>
          <IconAlertTriangle className="small" aria-hidden />
          {t("assess.run.failed")} <span className="mut ell">{visible(sentence(run.error.message))}</span>
        </span>
        <Button size="tiny" onClick={() => void begin()}>
          {t("assess.run.resume")}
        </Button>
      </>
    );
  return kind !== "done" ? (
    <>
      <span role="status">
        {kind === "stopped"
          ? t("assess.run.stopped", { done: made, total })
          : t(kind === "again" ? "assess.run.again" : "assess.run.waiting", { count: waiting })}
      </span>
      {may("assess.run") && (
        <Button size="tiny" onClick={() => void begin()}>
          {kind === "stopped" ? t("assess.run.resume") : t("assess.run.run", { count: waiting })}
        </Button>
      )}
    </>
  ) : (
    <span className="mut" role="status">
      {t("assess.run.done")}
    </span>
  );
}
