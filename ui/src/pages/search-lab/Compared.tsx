// Two answers beside each other, both of which are there.

import { IconArrowsExchange, IconDownload } from "@tabler/icons-react";
import { EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { Hit, ModelView, SearchRun, SettingView } from "@/api/types";
import { Button } from "@/kit/Button";
import { CopyButton } from "@/kit/CopyButton";
import { Note } from "@/kit/Note";
import { useNarrow } from "@/kit/narrow";
import { Pane, PaneHead, Panes } from "@/kit/Panes";
import { Tag } from "@/kit/Pill";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { NotLoaded } from "@/kit/states";
import { Tabs } from "@/kit/Tabs";
import { commaSeparated, saveCsv } from "@/parts/csv";
import { type Figure, Figures } from "@/parts/Figures";
import { LegList, type LegRow } from "@/parts/LegList";
import { Letter, type Side as SideName } from "@/parts/Letter";
import { nameOf, snippetOf, titleOf } from "@/parts/passage";
import { DEPTH, overlap, rankBiasedOverlap } from "@/parts/rank-overlap";
import { Move } from "@/parts/ScoreBreakdown";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t, text } from "@/text";
import { cost, decimal, milliseconds, moment, whole } from "@/text/format";
import { changes, costOf, wasOffline } from "./compare";
import css from "./compare.module.css";
import { totalOf } from "./Dock";
import { flowLines } from "./flow";
import { Maps } from "./Maps";
import { fusionWords, RUNS } from "./Runs";
import shared from "./shared.module.css";
import type { Found, LabControl } from "./use-lab";

/** Height of a row in pixels. */
export const ROW = 48;

type SideProps = {
  side: SideName;
  found: Found;
  run: number | undefined;
  runs: readonly SearchRun[];
  models: readonly ModelView[];
};

function sideTitle({ found, run, models }: Pick<SideProps, "found" | "run" | "models">): string {
  const { space } = found.response.trace;
  const model = space?.model ?? t(`search.modes.${found.request.mode}`);
  const name = found.request.rerank ? t("search.compare.reranked", { model }) : model;
  return run === undefined || models.length === 0
    ? name
    : `${t("search.runs.run", { id: String(run) })} · ${name}`;
}

function Side({ side, found, run, runs, models }: SideProps) {
  const { request, response } = found;
  const at = runs.find((each) => each.id === run)?.at;
  const { space } = response.trace;
  const detail = [
    space && t("search.compare.dimensions", { count: space.dimensions }),
    t(`search.modes.${request.mode}`),
    request.mode === "hybrid" && fusionWords(request),
    milliseconds(totalOf(found)),
    at && moment(at),
  ].filter(Boolean);
  return (
    <div className={css.side}>
      <div className="row gap-6">
        <Letter side={side} />
        <h2 className={`ell ${shared.title}`}>{sideTitle({ found, run, models })}</h2>
      </div>
      <div className="xs mut ell">{detail.join(" · ")}</div>
    </div>
  );
}

/** What a query costs on both sides, as far as it is known. */
function priceOf(a: Found, b: Found, settings: readonly SettingView[]): Figure {
  const words = (side: Found) => {
    const dollars = costOf(side, settings);
    return dollars === undefined ? t("search.compare.not_known") : cost(dollars);
  };
  const offline = wasOffline(b);
  return {
    name: t("search.compare.cost"),
    title: t("search.compare.cost_title"),
    values: [`${words(a)} → ${words(b)}`],
    change: offline ? t("search.compare.offline") : "",
    better: offline || undefined,
  };
}

/** The hits of both sides, and which of them only one has. */
function listsOf(a: Found, b: Found) {
  const left = a.response.results;
  const right = b.response.results;
  const idsA = left.map((hit) => hit.chunk_id);
  const idsB = right.map((hit) => hit.chunk_id);
  return {
    left,
    right,
    idsA,
    idsB,
    rows: Math.max(left.length, right.length, 1),
    comesNew: idsB.filter((id) => !idsA.includes(id)),
    goes: idsA.filter((id) => !idsB.includes(id)),
  };
}

type Lists = ReturnType<typeof listsOf>;

function rowsOf(hits: readonly Hit[], others: readonly string[], second: boolean): LegRow[] {
  return hits.map((hit, index) => {
    const there = others.indexOf(hit.chunk_id);
    return {
      chunkId: hit.chunk_id,
      rank: hit.rank,
      ...nameOf(hit),
      snippet: snippetOf(hit),
      dim: there < 0,
      end:
        there < 0 ? (
          <Tag>{t(second ? "search.compare.new" : "search.compare.dropped")}</Tag>
        ) : second ? (
          <Move by={there - index} />
        ) : null,
    };
  });
}

/** Both lists as a table, one chunk a line. */
const tableOf = ({ left, right, idsA, idsB }: Lists) =>
  commaSeparated([
    ["chunk_id", "passage", "rank_a", "score_a", "rank_b", "score_b"],
    ...[...new Set([...idsA, ...idsB])].map((id) => {
      const [inA, inB] = [left, right].map((hits) => hits.find((hit) => hit.chunk_id === id));
      const named = inA ?? inB;
      return [
        id,
        named ? titleOf(named) : "",
        inA?.rank ?? "",
        inA?.score ?? "",
        inB?.rank ?? "",
        inB?.score ?? "",
      ];
    }),
  ]);

/** What joins the places of a chunk in both lists. */
function Lines({ lists, selected }: { lists: Lists; selected: string | undefined }) {
  const { idsA, idsB, rows, comesNew } = lists;
  return (
    <svg
      className={shared.flow}
      style={{ height: rows * ROW }}
      viewBox={`0 0 100 ${rows}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {comesNew.map((id) => {
        const at = idsB.indexOf(id) + 0.5;
        return (
          <path
            key={id}
            d={`M100 ${at}L86 ${at}`}
            stroke={id === selected ? "var(--accent)" : "var(--base)"}
            strokeWidth={id === selected ? 2 : 1.25}
            strokeDasharray="2 2"
            vectorEffect="non-scaling-stroke"
          />
        );
      })}
      {flowLines(idsA, idsB, rows).map((line) => {
        const strong = line.chunkId === selected;
        const [from, to] = [line.from + 0.5, line.to + 0.5];
        const stub = line.kind !== "line";
        return (
          <path
            key={line.chunkId}
            d={stub ? `M0 ${from}L14 ${from}` : `M0 ${from}C50 ${from} 50 ${to} 100 ${to}`}
            stroke={strong ? "var(--accent)" : "var(--base)"}
            strokeWidth={strong ? 2 : 1.25}
            strokeDasharray={stub ? "2 2" : undefined}
            fill="none"
            vectorEffect="non-scaling-stroke"
          />
        );
      })}
    </svg>
  );
}

/** What else is known of searches, for both sides. */
export function useKnown() {
  const listed = useCommand("model.list", {});
  const kept = useCommand("search.runs", { limit: RUNS });
  const settings = useCommand("settings.get", {});
  return {
    models: listed.data ?? [],
    runs: kept.data ?? [],
    settings: settings.data ?? [],
    failed: [listed, kept, settings].find(({ data, error }) => data === undefined && error),
  };
}

type ComparedProps = Pick<LabControl, "lab" | "change"> & {
  a: Found;
  b: Found;
  known: ReturnType<typeof useKnown>;
  selected: string | undefined;
  onOpen: (chunkId: string) => void;
  tab: "difference" | "map";
  onTab: (tab: "difference" | "map") => void;
};

/** The number of the run that is the other side. */
const otherRunOf = ({ against }: LabControl["lab"]) =>
  against?.startsWith("run:") ? Number(against.slice(4)) : undefined;

/** Both lists with what moved between them. */
function Ranked(props: Omit<ComparedProps, "tab" | "onTab"> & { lists: Lists }) {
  const { lab, change, a, b, known, selected, onOpen, lists } = props;
  const { models, runs, failed } = known;
  const { left, right, idsA, idsB, rows } = lists;
  const list = {
    window: [0, rows] as const,
    height: rows,
    rowHeight: ROW,
    selected,
    onSelect: (chunkId: string) => change({ selected: chunkId }),
    onOpen,
    scrollTo: () => undefined,
    className: shared.fused,
  };
  return (
    <ScrollRegion ways="down" className={css.compare}>
      {failed && <NotLoaded query={failed} />}
      <div className={css.compareGrid}>
        <Side side="a" found={a} run={lab.run} runs={runs} models={models} />
        <span />
        <Side side="b" found={b} run={otherRunOf(lab)} runs={runs} models={models} />
        <LegList label={t("search.compare.list", { side: "A" })} rows={rowsOf(left, idsB, false)} {...list} />
        <Lines lists={lists} selected={selected} />
        <LegList label={t("search.compare.list", { side: "B" })} rows={rowsOf(right, idsA, true)} {...list} />
      </div>
      <div className="row gap-12 xs mut wrap">
        <span className="row gap-6">
          <i className={css.keyLine} aria-hidden="true" />
          {t("search.compare.key_selected")}
        </span>
        <span>▲▼ {t("search.compare.key_moved")}</span>
      </div>
    </ScrollRegion>
  );
}

type ActionsProps = Pick<ComparedProps, "lab" | "change" | "a" | "b"> & {
  models: readonly ModelView[];
  lists: Lists;
};

/** Exchanging the sides, and taking the table along. */
function Actions({ lab, change, a, b, models, lists }: ActionsProps) {
  const otherRun = otherRunOf(lab);
  const table = () => tableOf(lists);
  const save = async () => {
    try {
      const place = await saveCsv("comparison.csv", table());
      if (place !== undefined) toast({ kind: "ok", title: t("search.compare.saved"), detail: place });
    } catch (thrown) {
      reportError(EngineError.from(thrown));
    }
  };
  const own = models.find(
    ({ space }) =>
      space.tier === a.response.trace.space?.tier && space.model === a.response.trace.space.model,
  );
  const swap = () => {
    if (lab.against?.startsWith("fusion:"))
      change({
        request: { ...lab.request, fusion: b.request.fusion },
        run: undefined,
        against: `fusion:${a.request.fusion}`,
      });
    else if (otherRun === undefined)
      change({
        request: { ...lab.request, space: b.request.space },
        run: undefined,
        against: `space:${own?.space_id}`,
      });
    else change({ run: otherRun, request: b.request, against: `run:${lab.run}` });
  };
  return (
    <>
      {(otherRun === undefined ? own !== undefined : lab.run !== undefined) && (
        <Button size="small" icon={<IconArrowsExchange className="small" aria-hidden />} onClick={swap}>
          {t("search.compare.swap")}
        </Button>
      )}
      <Button size="small" icon={<IconDownload className="small" aria-hidden />} onClick={() => void save()}>
        {t("search.compare.export")}
      </Button>
      <CopyButton text={table} label={t("search.compare.copy")} />
    </>
  );
}

type DifferencesProps = { a: Found; b: Found; settings: readonly SettingView[]; lists: Lists };

/** How far both agree, in figures. */
function Differences({ a, b, settings, lists }: DifferencesProps) {
  const { idsA, idsB, rows, goes, comesNew } = lists;
  const time = totalOf(b) - totalOf(a);
  return (
    <Figures
      rows={[
        {
          name: t("search.compare.overlap", { depth: DEPTH }),
          values: [t("search.compare.of", { count: overlap(idsA, idsB), all: Math.min(DEPTH, rows) })],
        },
        {
          name: t("search.compare.rbo"),
          title: t("search.compare.rbo_title"),
          values: [decimal(rankBiasedOverlap(idsA, idsB), 2)],
        },
        { name: t("search.compare.only_a"), values: [String(goes.length)] },
        { name: t("search.compare.only_b"), values: [String(comesNew.length)] },
        {
          name: t("search.compare.latency"),
          values: [`${milliseconds(totalOf(a))} → ${milliseconds(totalOf(b))}`],
          change: Math.abs(time) < 1 ? "" : `${time < 0 ? "−" : "+"}${milliseconds(Math.abs(time))}`,
          better: time < 0,
        },
        {
          name: t("search.compare.chunks"),
          values: [
            `${whole(a.response.trace.candidates_after)} → ${whole(b.response.trace.candidates_after)}`,
          ],
        },
        priceOf(a, b, settings),
        ...changes(a.request, b.request).map((each) => ({
          name: text(`search.settings.${each.setting}`) ?? each.setting,
          values: [`${settingWords(each.a)} → ${settingWords(each.b)}`],
        })),
      ]}
    />
  );
}

/** Whether the other side is better, in a sentence. */
function Verdict({ a, b, lists }: Omit<DifferencesProps, "settings">) {
  const { left, idsA, idsB, goes } = lists;
  const lost = left.find((hit) => goes.includes(hit.chunk_id));
  return (
    <div className={css.compareNote}>
      <Note kind="info">
        {a.response.trace.config_hash === b.response.trace.config_hash && idsA.join() === idsB.join()
          ? t("search.compare.same")
          : lost
            ? t("search.compare.loses", { name: titleOf(lost), rank: lost.rank })
            : t("search.compare.keeps")}
      </Note>
    </div>
  );
}

/** Two answers beside each other, what moved, and how far they agree. */
export function Compared(props: ComparedProps) {
  const { lab, change, a, b, known, selected, tab, onTab } = props;
  const narrow = useNarrow();
  const lists = listsOf(a, b);
  const actions = <Actions {...{ lab, change, a, b, lists }} models={known.models} />;
  const figures = <Differences a={a} b={b} settings={known.settings} lists={lists} />;
  const verdict = <Verdict a={a} b={b} lists={lists} />;
  const maps = (
    <Maps
      sides={{ A: a, B: b }}
      models={known.models}
      selected={selected}
      onSelect={(chunkId) => change({ selected: chunkId })}
      low={narrow}
    />
  );
  const ranked = (
    <Pane id="lists" label={t("search.compare.lists")} min={narrow ? 180 : 420}>
      <Ranked {...props} lists={lists} />
    </Pane>
  );
  if (narrow)
    return (
      <Panes id="search-compare-narrow" direction="column">
        {ranked}
        <Pane
          id="difference-low"
          label={t("search.compare.difference")}
          size={232}
          min={120}
          fold="end"
          sunken
        >
          <div className={shared.tabbed}>
            <Tabs
              low
              label={t("search.compare.dock")}
              value={tab}
              onChange={onTab}
              end={<span className="row gap-4">{actions}</span>}
              tabs={[
                {
                  value: "difference",
                  label: t("search.compare.difference"),
                  panel: (
                    <ScrollRegion
                      fill
                      ways="down"
                      className={shared.differences}
                      label={t("search.compare.figures")}
                    >
                      {figures}
                      {verdict}
                    </ScrollRegion>
                  ),
                },
                { value: "map", label: t("search.compare.map"), panel: maps },
              ]}
            />
          </div>
        </Pane>
      </Panes>
    );
  return (
    <Panes id="search-compare">
      {ranked}
      <Pane id="difference" label={t("search.compare.difference")} size={404} min={280} fold="end" sunken>
        <PaneHead title={t("search.compare.difference")} end={actions} />
        <ScrollRegion fill ways="down" className={shared.differences} label={t("search.compare.figures")}>
          {figures}
          {maps}
          {verdict}
        </ScrollRegion>
      </Pane>
    </Panes>
  );
}

const settingWords = (value: string) =>
  value === "true" ? t("search.settings.on") : value === "false" ? t("search.settings.off") : value;
