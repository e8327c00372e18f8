import { IconArrowRight, IconCheck, IconChevronRight, IconLoader2, IconX } from "@tabler/icons-react";
import { Fragment, type ReactNode, useEffect, useState } from "react";
import { Button } from "@/kit/Button";
import { tip } from "@/kit/Tooltip";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { cost, decimal, milliseconds, sentence, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { figuresOf, type Shown } from "./shown";
import css from "./trace.module.css";

/** Milliseconds between two looks at the clock while an answer is written. */
const BEAT = 200;

/** Milliseconds since `running` began. */
function useClock(running: boolean): number {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    if (!running) return;
    const began = performance.now();
    setPassed(0);
    const timer = setInterval(() => setPassed(performance.now() - began), BEAT);
    return () => clearInterval(timer);
  }, [running]);
  return passed;
}

/** The steps of an answer in words. `passed` are milliseconds since it was asked for. */
function stepsOf(shown: Shown, passed: number): ReactNode[] {
  const { chunks, passages, tokens, searchMs, totalMs, usage, generator, model } = shown;
  const used = passages.filter((each) => each.left_out === "");
  const threshold = shown.grounds?.threshold ?? 0;
  const above = used.filter((each) => each.relevance >= threshold).length;
  const steps: ReactNode[] = [];
  if (shown.fromSelection) steps.push(<b key="selection">{t("ask.trace.selection")}</b>);
  else if (chunks !== undefined) {
    steps.push(
      <span key="searched">
        <b>{t("ask.trace.searched")}</b> {t("ask.trace.chunks", { count: chunks })}
        {searchMs !== undefined && ` · ${milliseconds(searchMs)}`}
      </span>,
    );
    if (shown.standing !== "not_found")
      steps.push(
        <span key="passages">
          <b>{t("ask.trace.passages", { count: used.length })}</b>, {t("ask.trace.tokens", { count: tokens })}
        </span>,
      );
    // Figures are not weighed: no threshold kept one from answering.
    else if (figuresOf(shown).length === 0)
      steps.push(
        <span key="passages">{t("ask.trace.none", { count: above, threshold: decimal(threshold, 2) })}</span>,
      );
  }
  if (shown.standing === "pending")
    steps.push(
      <span key="now" className={`row gap-6 ${css.now}`} aria-hidden>
        <IconLoader2 className="xs spin" />
        {t(
          generator !== undefined
            ? "ask.trace.writing"
            : chunks === undefined && !shown.fromSelection
              ? "ask.trace.searching"
              : "ask.trace.weighing",
          { time: milliseconds(Math.max(passed, 100)) },
        )}
      </span>,
    );
  else if (totalMs !== undefined)
    steps.push(
      <span key="total">
        {generator !== undefined && shown.standing !== "greeting"
          ? t("ask.trace.by", { generator: writer(generator, model), time: milliseconds(totalMs) })
          : milliseconds(totalMs)}
      </span>,
    );
  if (usage)
    steps.push(
      <span key="usage" {...tip(usage.counted ? undefined : t("ask.trace.estimated"))}>
        {t("ask.trace.usage", { count: usage.prompt_tokens + usage.completion_tokens })}
        {usage.cost !== null && ` · ${cost(usage.cost)}`}
      </span>,
    );
  return steps;
}

type TraceProps = {
  shown: Shown;
  /** Asks again without the earlier question; nothing where that is not possible now. */
  onAlone?: () => void;
};

/** What was done for an answer, step by step: what was searched for, how much, how long. */
export function Trace({ shown, onAlone }: TraceProps) {
  const pending = shown.standing === "pending";
  const passed = useClock(pending);
  const { chunks } = shown;
  const steps = stepsOf(shown, passed);
  const degraded = shown.notices.length;
  return (
    <div className={css.trace} data-testid="ask-trace">
      {shown.searchedFor !== undefined && (
        <div className={`row gap-6 ${css.follow}`}>
          <span className={css.query}>
            {t("ask.trace.searched_for")} <q>{visible(shown.searchedFor)}</q>
          </span>
          {onAlone && (
            <Button size="tiny" tone="quiet" icon={<IconX className="xs" aria-hidden />} onClick={onAlone}>
              {t("ask.trace.alone")}
            </Button>
          )}
        </div>
      )}
      {(steps.length > 0 || pending) && (
        <div className={`row ${css.steps}`}>
          {!pending && <IconCheck className="xs" aria-hidden />}
          {steps.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps keep their place.
            <Fragment key={at}>
              {at > 0 && <IconChevronRight className="xs" aria-hidden />}
              {step}
            </Fragment>
          ))}
          {!pending && !shown.fromSelection && chunks !== undefined && (
            <Button
              size="tiny"
              tone="quiet"
              icon={<IconArrowRight className="xs" aria-hidden />}
              aria-label={t("ask.trace.open")}
              onClick={() => navigate(searchOf(shown))}
            >
              {t("pages.search-lab")}
            </Button>
          )}
        </div>
      )}
      {degraded > 0 && (
        <ul className={css.notices}>
          {shown.notices.map((notice) => (
            <li key={notice.message}>{visible(sentence(notice.message))}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Who writes, in a few words. */
export function writer(generator: string, model: string | undefined | null): string {
  if (generator === "extractive") return t("ask.generator.extractive");
  return model ?? generator;
}

/** The same search in Search Lab. */
export const searchOf = (shown: Shown): string =>
  href("search-lab", [], {
    q: shown.searchedFor ?? shown.question,
    k: whole(shown.request.passages).replaceAll(/\D/g, ""),
    corpus: shown.request.filters.corpora.join(","),
    report: shown.request.filters.reports.join(","),
  });
