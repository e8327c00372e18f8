import { IconCircleDashed, IconFilterOff, IconRefresh, IconSearch, IconTarget } from "@tabler/icons-react";
import { useState } from "react";
import { may } from "@/api/client";
import { Button } from "@/kit/Button";
import { useGold } from "@/parts/gold-panel";
import { SaveInGoldSet } from "@/parts/SaveInGoldSet";
import { StatusShape } from "@/parts/StatusShape";
import { navigate } from "@/state/router";
import { t } from "@/text";
import { decimal } from "@/text/format";
import { PassedOver } from "./Elsewhere";
import { FigureTable } from "./FigureTable";
import { holeIn } from "./figures";
import { useSaveAsGold } from "./gold";
import css from "./not-found.module.css";
import { Offers } from "./Offers";
import { RecordGap } from "./RecordGap";
import { figuresOf, type Shown } from "./shown";
import { searchOf } from "./Trace";

/** The more lenient of the thresholds that are offered. */
const LENIENT = 0.5;

type NotFoundProps = {
  shown: Shown;
  /** Asks the same without restrictions or with another threshold, or another question. */
  onAgain: (change: { question?: string; everywhere?: boolean; threshold?: number }) => void;
};

/** Nothing answers the question: it is said, and nothing is made up. */
export function NotFound({ shown, onAgain }: NotFoundProps) {
  const { grounds, request } = shown;
  const { sets, panels } = useGold(shown.question);
  const save = useSaveAsGold();
  const [saving, setSaving] = useState(false);
  const [recording, setRecording] = useState(false);
  const narrowed = request.filters.corpora.length + request.filters.reports.length > 0;
  const [figures] = figuresOf(shown);
  // Figures are not weighed: no threshold lets one of another period answer.
  const near =
    figures === undefined &&
    grounds !== undefined &&
    grounds.threshold > LENIENT &&
    shown.passages.some((each) => each.relevance >= LENIENT && each.relevance < grounds.threshold);
  const unsaved = sets.data?.length === 0 || panels.data?.length === 0;
  const table = figures?.tables[0];
  const hole = table && holeIn(table);
  const title = hole ? t("ask.not_found.period", { period: hole.period }) : t("ask.not_found.title");
  const judges = unsaved && !hole && !shown.fromSelection && shown.passages.length > 0;
  return (
    <section className={`card ${css.card}`} aria-label={title}>
      <div className="row">
        <IconCircleDashed className="small" aria-hidden />
        <b className={css.title}>{title}</b>
        {grounds && !figures && (
          <span className={`mono xs mut ${css.end}`}>
            {t("ask.not_found.confidence", { value: decimal(grounds.value, 2) })}
          </span>
        )}
      </div>
      {shown.remarks.map((remark) => (
        <p key={remark} className={css.words}>
          {remark}
        </p>
      ))}
      {table && hole && (
        <div className={css.table}>
          <FigureTable table={table} label={t("ask.figures.by_period", { name: hole.name })} />
        </div>
      )}
      {!hole && (
        <p className={`sec ${css.words}`}>
          {t(shown.fromSelection ? "ask.not_found.selection" : "ask.not_found.knowledge")}
        </p>
      )}
      {judges && <p className={`sec ${css.words}`}>{t("ask.not_found.judge")}</p>}
      <div className="row gap-6 wrap">
        {narrowed && (
          <Button
            tone="primary"
            icon={<IconFilterOff className="small" aria-hidden />}
            onClick={() => onAgain({ everywhere: true })}
          >
            {t("ask.not_found.everywhere")}
          </Button>
        )}
        {near && (
          <Button
            icon={<IconRefresh className="small" aria-hidden />}
            onClick={() => onAgain({ threshold: LENIENT })}
          >
            {t("ask.not_found.lenient", { threshold: decimal(LENIENT, 2) })}
          </Button>
        )}
        {table && hole && <Offers shown={shown} table={table} onAgain={onAgain} />}
        {!shown.fromSelection && !hole && (
          <Button
            icon={<IconSearch className="small" aria-hidden />}
            onClick={() => navigate(searchOf(shown))}
          >
            {t("ask.trace.open")}
          </Button>
        )}
        {may("review.put") && !shown.fromSelection && (
          <Button icon={<StatusShape status="gap" quiet />} onClick={() => setRecording(true)}>
            {t("ask.gap.open")}
          </Button>
        )}
        {judges && (
          <Button icon={<IconTarget className="small" aria-hidden />} onClick={() => setSaving(true)}>
            {t("search.gold.save")}
          </Button>
        )}
      </div>
      {figures && (
        <div className={css.over}>
          <PassedOver over={figures.passed_over} />
        </div>
      )}
      {recording && <RecordGap shown={shown} onClose={() => setRecording(false)} />}
      {saving && (
        <SaveInGoldSet
          query={shown.question}
          onSave={(set) => save(set, shown, false)}
          onClose={() => setSaving(false)}
        />
      )}
    </section>
  );
}
