import { IconArrowsLeftRight, IconChevronDown, IconPlayerPlay, IconSquare } from "@tabler/icons-react";
import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { EvalRun, GoldSet } from "@/api/types";
import { Button } from "@/kit/Button";
import { Kbd } from "@/kit/Kbd";
import { Menu } from "@/kit/Menu";
import { useNarrow } from "@/kit/narrow";
import { Pane, Panes } from "@/kit/Panes";
import { useShortcut } from "@/kit/shortcuts";
import { Loaded } from "@/kit/states";
import { Tabs } from "@/kit/Tabs";
import { definitionOf } from "@/parts/measure";
import { PageHeader } from "@/parts/PageHeader";
import { useAddressState } from "@/state/address-state";
import { t } from "@/text";
import { seconds } from "@/text/format";
import { Candidates } from "./Candidates";
import { Comparison } from "./Comparison";
import { useImport } from "./GoldSets";
import { Judge } from "./Judge";
import css from "./layout.module.css";
import { Matrix } from "./Matrix";
import { Queries } from "./Queries";
import { RunForm } from "./RunForm";
import { RunList } from "./RunList";
import { RunProgress } from "./RunProgress";
import { collectionWork, runWork } from "./running";
import { pairOf, tilesOf } from "./runs";
import { Start } from "./Start";
import { fromAddress, type Place, toAddress, VIEWS } from "./state";
import { type Tile, Tiles } from "./Tiles";

/** The screen. */
export default function EvaluatePage() {
  const [place, setPlace] = useAddressState("evaluate", fromAddress, toAddress);
  const change = useCallback((part: Partial<Place>) => setPlace((now) => ({ ...now, ...part })), [setPlace]);
  const sets = useCommand("gold.list", {});
  const importing = useImport((set) => change({ set: set.name, run: undefined, against: undefined }));
  return (
    <div className={css.page}>
      <Loaded query={sets}>
        {(all) => {
          const set = all.find((each) => each.name === place.set) ?? all[0];
          return set ? (
            <Evaluate sets={all} set={set} place={place} change={change} importing={importing} />
          ) : (
            <Start importing={importing} onMade={(name) => change({ set: name, view: "candidates" })} />
          );
        }}
      </Loaded>
      {importing.report}
    </div>
  );
}

type EvaluateProps = {
  sets: readonly GoldSet[];
  set: GoldSet;
  place: Place;
  change: (part: Partial<Place>) => void;
  importing: ReturnType<typeof useImport>;
};

function Evaluate(props: EvaluateProps) {
  const { set, place, change } = props;
  const narrow = useNarrow();
  const cache = useQueryClient();
  const runs = useCommand("eval.runs", { set: set.name });
  const [asking, setAsking] = useState(false);
  const running = runWork.use();
  const atWork = running !== undefined && !running.error;
  const all = useMemo(() => runs.data ?? [], [runs.data]);
  const { candidate, baseline } = pairOf(all, place);
  const paired = candidate !== undefined && baseline !== undefined;
  const measure = candidate && !(place.measure in candidate.measures) ? tilesOf(candidate)[0] : place.measure;
  const listed = measure ?? place.measure;
  const swap = () => paired && change({ run: baseline.id, against: candidate.id });
  const ask = () => setAsking(true);
  const start = (request: Parameters<typeof runWork.start>[0]) =>
    runWork
      .start(request, cache)
      .then((run) => run && change({ run: run.id, against: candidate?.id, view: "queries" }));
  useShortcut("evaluate.run", ask, !atWork);
  useShortcut("evaluate.stop", runWork.stop, atWork);
  useShortcut("evaluate.swap", swap, paired);
  const tiles = useTiles(runs, all, candidate, baseline);
  return (
    <>
      <PageHeader
        context={context(candidate, baseline)}
        actions={
          <Actions
            {...{ atWork, candidate, baseline }}
            runs={all}
            onRun={ask}
            onSwap={swap}
            change={change}
          />
        }
      />
      <AtWork />
      {(!tiles || tiles.length > 0) && (
        <Tiles tiles={tiles} chosen={listed} onChoose={(next) => change({ measure: next })} />
      )}
      <div className={css.work}>
        <Panes id="evaluate">
          <Pane id="work" label={t("evaluate.views.title")}>
            <Tabs
              label={t("evaluate.views.title")}
              value={place.view}
              onChange={(view) => change({ view })}
              tabs={VIEWS.map((view) => ({
                value: view,
                label: t(`evaluate.views.${view}`),
                // Only the view in sight asks for what it shows.
                panel: view === place.view && (
                  <InView
                    {...props}
                    {...{ runs, candidate, baseline, narrow }}
                    measure={listed}
                    onRun={ask}
                  />
                ),
              }))}
            />
          </Pane>
          <Pane
            key={narrow ? "narrow" : "wide"}
            id={narrow ? "runs-narrow" : "runs"}
            label={t("evaluate.runs.title")}
            size={narrow ? 290 : 392}
            min={240}
            fold="end"
            sunken
          >
            <RunList
              {...{ set, runs, candidate, baseline }}
              measure={listed}
              onCandidate={(id) => change({ run: id, against: baseline?.id })}
              onBaseline={(id) => change({ against: id, run: candidate?.id })}
            />
          </Pane>
        </Panes>
      </div>
      {asking && (
        <RunForm
          set={set}
          last={all[0]?.configuration.search ?? undefined}
          onClose={() => setAsking(false)}
          onStart={(request) => {
            setAsking(false);
            void start(request);
          }}
        />
      )}
    </>
  );
}

type ActionsProps = Pick<EvaluateProps, "change"> & {
  /** Something is being measured. */
  atWork: boolean;
  runs: readonly EvalRun[];
  candidate: EvalRun | undefined;
  baseline: EvalRun | undefined;
  onRun: () => void;
  onSwap: () => void;
};

/** The actions of the screen: an end to what is measured, else what is compared and a new run. */
function Actions({ atWork, runs, candidate, baseline, onRun, onSwap, change }: ActionsProps) {
  if (atWork)
    return (
      <Button icon={<IconSquare className="small" aria-hidden />} onClick={runWork.stop}>
        {t("evaluate.run.stop")}
        <Kbd keys="escape" />
      </Button>
    );
  return (
    <>
      {candidate && baseline && (
        <PairMenu
          {...{ runs, candidate, baseline, onSwap }}
          onBaseline={(id) => change({ against: id, run: candidate.id })}
        />
      )}
      <Button tone="primary" icon={<IconPlayerPlay className="small" aria-hidden />} onClick={onRun}>
        {t("evaluate.run.start")}
      </Button>
    </>
  );
}

/** What is being measured, and what is being taken in from a collection. */
function AtWork() {
  const cache = useQueryClient();
  const running = runWork.use();
  const collection = collectionWork.use();
  return (
    <>
      {running && (
        <RunProgress
          running={running}
          onRetry={() => void runWork.start(running.input, cache)}
          onForget={runWork.forget}
        />
      )}
      {collection && (
        <RunProgress
          running={collection}
          onRetry={() => void collectionWork.start(collection.input, cache)}
          onForget={collectionWork.forget}
          end={
            <Button
              size="small"
              icon={<IconSquare className="small" aria-hidden />}
              onClick={collectionWork.stop}
            >
              {t("evaluate.run.stop")}
            </Button>
          }
        />
      )}
    </>
  );
}

type Runs = UseQueryResult<EvalRun[], EngineError>;

/** A tile for each measure of the run in sight; nothing until the runs are there. */
function useTiles(
  runs: Runs,
  all: readonly EvalRun[],
  candidate: EvalRun | undefined,
  baseline: EvalRun | undefined,
): Tile[] | undefined {
  const measures = useCommand("eval.measures", {});
  return useMemo(() => {
    if (!candidate) return runs.data ? [] : undefined;
    const oldest = [...all].reverse();
    return tilesOf(candidate).map((name) => ({
      measure: name,
      definition: definitionOf(measures.data, name),
      value: candidate.measures[name] ?? null,
      before: baseline && (baseline.measures[name] ?? null),
      history: oldest.map((each) => each.measures[name] ?? null),
      at: oldest.indexOf(candidate),
      base: baseline && oldest.indexOf(baseline),
    }));
  }, [all, baseline, candidate, measures.data, runs.data]);
}

type InViewProps = EvaluateProps & {
  runs: Runs;
  candidate: EvalRun | undefined;
  baseline: EvalRun | undefined;
  /** The measure that is listed: the one of the place, or the first that the run has. */
  measure: string;
  onRun: () => void;
  narrow: boolean;
};

/** The view of the place. */
function InView(props: InViewProps) {
  const { set, place, change, runs, candidate, baseline, measure, narrow } = props;
  const onMeasure = (next: string) => change({ measure: next });
  switch (place.view) {
    case "queries":
      return <Queries {...props} />;
    case "compare":
      return (
        <Comparison
          candidate={candidate}
          baseline={baseline}
          measure={measure}
          onMeasure={onMeasure}
          narrow={narrow}
        />
      );
    case "judge":
      return <Judge key={set.name} set={set} runs={runs.data ?? []} />;
    case "matrix":
      return (
        <Matrix
          set={set}
          measure={place.measure}
          onMeasure={onMeasure}
          onOpen={(id) => change({ run: id, view: "queries" })}
        />
      );
    case "candidates":
      return <Candidates set={set} />;
  }
}

/** What the screen is about just now. */
function context(candidate: EvalRun | undefined, baseline: EvalRun | undefined): string {
  if (!candidate) return t("evaluate.context.none");
  return [
    baseline
      ? t("evaluate.context.pair", { run: candidate.name, against: baseline.name })
      : t("evaluate.context.alone", { run: candidate.name }),
    candidate.seconds > 0 ? t("evaluate.context.took", { time: seconds(candidate.seconds) }) : undefined,
    candidate.unjudged > 0 ? t("evaluate.context.unjudged", { count: candidate.unjudged }) : undefined,
  ]
    .filter(Boolean)
    .join(" · ");
}

type PairMenuProps = {
  runs: readonly EvalRun[];
  candidate: EvalRun;
  baseline: EvalRun;
  onBaseline: (id: number) => void;
  onSwap: () => void;
};

/** Runs that the menu offers as a baseline. */
const OFFERED = 12;

/** Which run the other one is held against. */
function PairMenu({ runs, candidate, baseline, onBaseline, onSwap }: PairMenuProps) {
  const others = runs.filter((each) => each.id !== candidate.id).slice(0, OFFERED);
  return (
    <Menu
      label={t("evaluate.pair.title")}
      entries={[
        {
          label: t("evaluate.keys.swap"),
          keys: "x",
          icon: <IconArrowsLeftRight className="small" aria-hidden />,
          onClick: onSwap,
        },
        "line",
        ...others.map((each) => ({
          label: t("evaluate.pair.against", { name: each.name }),
          checked: each.id === baseline.id,
          onClick: () => onBaseline(each.id),
        })),
      ]}
    >
      <Button
        aria-label={t("evaluate.pair.label", { run: String(candidate.id), against: String(baseline.id) })}
      >
        <IconArrowsLeftRight className="small" aria-hidden />
        <span className="number">
          {baseline.id} → {candidate.id}
        </span>
        <IconChevronDown className="xs" aria-hidden />
      </Button>
    </Menu>
  );
}
