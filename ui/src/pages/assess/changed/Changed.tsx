import { IconArrowLeft } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { may } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { AssessmentGrid, ChangeKind, ReportComparison, ReviewStatus } from "@/api/types";
import { Button } from "@/kit/Button";
import { Select } from "@/kit/fields";
import { Note } from "@/kit/Note";
import { Pane, Panes } from "@/kit/Panes";
import { Pill } from "@/kit/Pill";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { combination, inField, useShortcut } from "@/kit/shortcuts";
import { EmptyState, ErrorState, SkeletonPassages } from "@/kit/states";
import { PageHeader } from "@/parts/PageHeader";
import { STATUSES } from "@/parts/StatusShape";
import { t } from "@/text";
import { whole } from "@/text/format";
import { visible } from "@/text/visible";
import type { Assess } from "../state";
import { WhoDecidesFirst } from "../WhoDecides";
import { reportName } from "../words";
import { ChangeList } from "./ChangeList";
import { ChangeIcon, kindName } from "./ChangeMark";
import { ChangeSection } from "./ChangeSection";
import css from "./changed.module.css";
import {
  areOfTwo,
  changedOf,
  countsOf,
  headOf,
  holds,
  isConfirmed,
  isSettled,
  KINDS,
  type Changed as One,
} from "./changes";
import { type Changing, useChanging } from "./use-changing";

type ChangedProps = {
  grid: AssessmentGrid;
  state: Assess;
  change: (part: Partial<Assess>) => void;
};

/** Two reports side by side: what changed of each requirement. */
export function Changed({ grid, state, change }: ChangedProps) {
  const { from, to } = state;
  const query = useCommand("assess.compare", { id: grid.assessment.id, earlier: from, later: to });
  const comparison = query.data;
  const choices = grid.columns.map((column) => ({
    value: column.report_id,
    label: visible(reportName(column)),
  }));
  const back = () => change({ from: "", to: "" });
  const columnOf = (id: string) => grid.columns.find(({ report_id }) => report_id === id);
  const two = areOfTwo(columnOf(from), columnOf(to));
  const title = t(two ? "assess.changed.title_two" : "assess.changed.title");
  return (
    <>
      <PageHeader
        context={
          <span className="row gap-10">
            <b className="nowrap hide-s">{title}</b>
            <Select
              label={t(two ? "assess.changed.first" : "assess.changed.earlier")}
              value={from}
              options={choices.filter(({ value }) => value !== to)}
              onChange={(next) => change({ from: next })}
            />
            <span className="mut" aria-hidden>
              {two ? "·" : "→"}
            </span>
            <Select
              label={t(two ? "assess.changed.second" : "assess.changed.later")}
              value={to}
              options={choices.filter(({ value }) => value !== from)}
              onChange={(next) => change({ to: next })}
            />
          </span>
        }
        actions={
          <Button icon={<IconArrowLeft className="small" aria-hidden />} onClick={back}>
            {t("assess.changed.back")}
          </Button>
        }
      />
      {comparison ? (
        <Shown key={`${from} ${to}`} {...{ grid, state, change, title, comparison }} />
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonPassages />
      )}
    </>
  );
}

/** Moves through the requirements and decides, by keys. */
function useKeys(
  shown: readonly One[],
  all: readonly One[],
  here: One | undefined,
  changing: Changing,
  go: (id: string) => void,
) {
  const step = (by: 1 | -1) => {
    const at = here ? shown.indexOf(here) : -1;
    const next = shown[at < 0 ? 0 : at + by];
    if (next) go(next.id);
  };
  const decide = (status: ReviewStatus | undefined) => {
    if (here && status && may("assess.decide")) changing.decide(here, status);
  };
  const waits = (one: One) => one.carried && changing.statusOf(one) === "open";
  const confirms = may("assess.carry_over");
  useShortcut("assess.next-evidence", () => step(1));
  useShortcut("assess.previous-evidence", () => step(-1));
  const press = useEffectEvent((event: KeyboardEvent) => {
    const pressed = combination(event);
    const target = event.target instanceof Element ? event.target : null;
    if (inField(target) || document.querySelector("[aria-modal=true]")) return;
    // Enter presses the button that has the focus.
    const free = confirms && target?.closest("button, a") == null;
    if (pressed === "mod+z") changing.undo();
    else if (pressed === "enter" && free && here && waits(here) && isConfirmed(here))
      changing.confirm([here]);
    else if (pressed === "shift+enter" && free)
      changing.confirm(all.filter((one) => isSettled(one) && waits(one)));
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
  useShortcut("assess.status-1", () => decide(STATUSES[0]));
  useShortcut("assess.status-2", () => decide(STATUSES[1]));
  useShortcut("assess.status-3", () => decide(STATUSES[2]));
  useShortcut("assess.status-4", () => decide(STATUSES[3]));
  useShortcut("assess.status-5", () => decide(STATUSES[4]));
}

type ShownProps = ChangedProps & { comparison: ReportComparison; title: string };

function Shown({ grid, state, change, comparison, title }: ShownProps) {
  const { assessment } = grid;
  const { later, compared_as, waiting } = comparison;
  const changing = useChanging({ id: assessment.id, report: later.report_id });
  const [kind, setKind] = useState<ChangeKind | "all">("all");
  const all = useMemo(() => changedOf(comparison), [comparison]);
  const counts = useMemo(() => countsOf(all), [all]);
  const shown = useMemo(
    () => all.filter((one) => (kind === "all" || one.kind === kind) && holds(one, state.words)),
    [all, kind, state.words],
  );
  const here = shown.find(({ id }) => id === state.requirement);
  const scroller = useRef<HTMLDivElement>(null);
  const go = (requirement: string) => {
    change({ requirement });
    document.getElementById(`change-${requirement}`)?.scrollIntoView({ block: "nearest" });
  };
  useKeys(shown, all, here, changing, go);
  const begin = useEffectEvent(() => {
    if (here) document.getElementById(`change-${here.id}`)?.scrollIntoView({ block: "nearest" });
  });
  useEffect(() => begin(), []);
  const decide = (one: One) => change({ from: "", to: "", requirement: one.id, report: later.report_id });
  return (
    <>
      <WhoDecidesFirst />
      <div role="status" className="sr-only">
        {changing.said}
      </div>
      <Panes id="assess-changed">
        <Pane
          id="changes"
          label={t("assess.changed.list")}
          size={312}
          min={240}
          max={520}
          fold="start"
          sunken
        >
          <ChangeList
            {...{ shown, all, changing }}
            compared={compared_as}
            selected={state.requirement}
            words={state.words}
            onSelect={go}
            onWords={(words) => change({ words })}
          />
        </Pane>
        <Pane id="sides" label={title}>
          <Kinds {...{ counts, kind, compared_as }} total={all.length} onKind={setKind} />
          {waiting > 0 && (
            <div className={css.waiting}>
              <Note kind="warn">{t("assess.changed.waiting", { count: waiting })}</Note>
            </div>
          )}
          <div className={css.columns}>
            {[comparison.earlier, later].map((report) => {
              const { head, rest } = headOf(report, compared_as);
              return (
                <span key={report.report_id} className="ell">
                  <b>{visible(head)}</b> <span className="mut sm">{visible(rest)}</span>
                </span>
              );
            })}
          </div>
          {shown.length === 0 ? (
            <EmptyState title={t("assess.changed.nothing_left")} />
          ) : (
            <ScrollRegion fill ref={scroller} label={title} ways="down">
              {shown.map((one) => (
                <ChangeSection
                  key={one.id}
                  changed={one}
                  comparison={comparison}
                  status={changing.statusOf(one)}
                  selected={one.id === state.requirement}
                  onSelect={(requirement) => requirement !== state.requirement && change({ requirement })}
                  onConfirm={() => changing.confirm([one])}
                  onDecide={decide}
                />
              ))}
            </ScrollRegion>
          )}
        </Pane>
      </Panes>
    </>
  );
}

type KindsProps = {
  counts: ReadonlyMap<ChangeKind, number>;
  total: number;
  kind: ChangeKind | "all";
  compared_as: ReportComparison["compared_as"];
  onKind: (kind: ChangeKind | "all") => void;
};

/** What the requirements are narrowed to. */
function Kinds({ counts, total, kind, compared_as, onKind }: KindsProps) {
  return (
    <div role="group" aria-label={t("assess.changed.kinds")} className={css.kinds}>
      <Pill
        label={t("assess.changed.all")}
        value={whole(total)}
        active={kind === "all"}
        onClick={() => onKind("all")}
      />
      {KINDS.filter((each) => (counts.get(each) ?? 0) > 0 || each === kind).map((each) => (
        <Pill
          key={each}
          icon={<ChangeIcon kind={each} />}
          label={kindName(each, compared_as)}
          value={whole(counts.get(each) ?? 0)}
          active={kind === each}
          onClick={() => onKind(kind === each ? "all" : each)}
        />
      ))}
    </div>
  );
}
