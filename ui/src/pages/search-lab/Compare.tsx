import { IconArrowsExchange, IconDownload, IconLoader2 } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { Fusion, Hit, ModelView, SearchRequest, SearchRun, SettingView } from "@/api/types";
import { Button } from "@/kit/Button";
import { CopyButton } from "@/kit/CopyButton";
import type { MenuEntry } from "@/kit/Menu";
import { Note } from "@/kit/Note";
import { useNarrow } from "@/kit/narrow";
import { Pane, PaneHead, Panes } from "@/kit/Panes";
import { Tag } from "@/kit/Pill";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { EmptyState, ErrorState, NotLoaded, SkeletonRows } from "@/kit/states";
import { useSteady } from "@/kit/steady";
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
import { explain } from "@/text/errors";
import { cost, decimal, milliseconds, moment, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { changes, costOf, wasOffline } from "./compare";
import css from "./compare.module.css";
import { totalOf } from "./Dock";
import { flowLines } from "./flow";
import { Maps } from "./Maps";
import { modelName } from "./Options";
import { fusionWords, RUNS, runSummary } from "./Runs";
import shared from "./shared.module.css";
import { leavesComputer, sameRequest } from "./state";
import { type Found, type LabControl, useFound } from "./use-lab";

const ROW = 48;

/** What the present search can be compared with: kept runs and other models. */
export function useComparisons({ lab, change }: LabControl, found: Found | undefined): MenuEntry[] {
  const keptRuns = useCommand("search.runs", { limit: RUNS });
  const listed = useCommand("model.list", {});
  const runs = keptRuns.data;
  const models = listed.data;
  const failed = [listed, keptRuns].find(({ data, error }) => data === undefined && error);
  const retry = useSteady(() => void failed?.refetch());
  const failure = failed?.error;
  const { run: current } = lab;
  const { mode, fusion: requestFusion } = lab.request;
  const empty = lab.request.query.trim() === "";
  const answering = found?.response.trace.space;
  return useMemo(() => {
    if (empty) return [];
    const others = (models ?? []).filter(
      ({ space, served, vectors }) =>
        served &&
        vectors > 0 &&
        mode !== "keyword" &&
        !(space.tier === answering?.tier && space.model === answering.model),
    );
    const fusion = otherFusion(requestFusion);
    const fusions = mode === "hybrid" ? [fusion] : [];
    const kept = (runs ?? []).filter((run) => run.id !== current).slice(0, 8);
    return [
      ...fusions.map((each) => ({
        label: t("search.compare.fusion", { fusion: t(`search.fusions.${each}`) }),
        onClick: () => change({ against: `fusion:${each}` }),
      })),
      ...others.map((model) => ({
        label: t("search.compare.model", { model: modelName(model) }),
        onClick: () => change({ against: `space:${model.space_id}` }),
      })),
      ...(others.length + fusions.length > 0 && kept.length > 0 ? ["line" as const] : []),
      ...kept.map((run) => ({
        label: (
          <span className={css.compareEntry}>
            <span>
              {t("search.runs.run", { id: String(run.id) })} · {runSummary(run)}
            </span>
            <span className="xs mut">{run.request.query}</span>
          </span>
        ),
        onClick: () => change({ against: `run:${run.id}` }),
      })),
      ...(failure ? (["line", { label: <Failure error={failure} />, onClick: retry }] as const) : []),
    ];
  }, [
    runs,
    models,
    current,
    mode,
    requestFusion,
    empty,
    answering?.tier,
    answering?.model,
    change,
    failure,
    retry,
  ]);
}

/** What the menu lacks, and that choosing this tries again. */
function Failure({ error }: { error: EngineError }) {
  const { title, message } = explain(error);
  return (
    <span className={css.compareEntry}>
      <span>
        {title} · {t("errors.cure.retry")}
      </span>
      <span className="xs mut">{visible(message)}</span>
    </span>
  );
}

/** The kind of fusion that is not `fusion`. */
const otherFusion = (fusion: Fusion): Fusion => (fusion === "rrf" ? "scores" : "rrf");

/** The other side: a kept run as it was, or the present request with another model or fusion. A provider is asked only on demand. */
function useOther(lab: LabControl["lab"], base: Found | undefined) {
  const [kind = "", id = ""] = (lab.against ?? "").split(/:(.*)/s);
  const run = useCommand("search.run", { id: Number(id) || 0 }, { enabled: kind === "run" });
  const listed = useCommand("model.list", {});
  const models = listed.data;
  const present = base?.request ?? lab.request;
  const request = kind === "fusion" ? { ...present, fusion: id as Fusion } : { ...present, space: id };
  const [agreed, agree] = useState<SearchRequest>();
  const asks = (kind === "space" || kind === "fusion") && base !== undefined && models !== undefined;
  const held =
    asks && leavesComputer(request, models) && !(agreed !== undefined && sameRequest(agreed, request));
  const model = useFound(request, asks && !held, false);
  if (kind === "run") return { ...run, ask: undefined };
  // Without the models nobody knows whether a provider would be asked.
  if (!models && listed.error)
    return { data: undefined, error: listed.error, refetch: listed.refetch, ask: undefined };
  return { ...model, ask: held && !model.data ? () => agree(request) : undefined };
}

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

type CompareProps = LabControl & {
  found: Found | undefined;
  /** Why there is no answer of this side, and how it is asked for again. */
  error: EngineError | undefined;
  onRetry: () => void;
  selected: string | undefined;
  onOpen: (chunkId: string) => void;
};

/** Two answers beside each other, what moved, and how far they agree. */
export function Compare({ lab, change, found: a, error, onRetry, selected, onOpen }: CompareProps) {
  const other = useOther(lab, a);
  const listed = useCommand("model.list", {});
  const models = listed.data ?? [];
  const keptRuns = useCommand("search.runs", { limit: RUNS });
  const runs = keptRuns.data ?? [];
  const settings = useCommand("settings.get", {});
  const failed = [listed, keptRuns, settings].find(({ data, error: why }) => data === undefined && why);
  const narrow = useNarrow();
  const [tab, setTab] = useState<"difference" | "map">("difference");
  const b = other.data;
  const otherRun = lab.against?.startsWith("run:") ? Number(lab.against.slice(4)) : undefined;
  if (!a || !b)
    return (
      <div className={css.waiting}>
        {error ? (
          <ErrorState error={error} onRetry={onRetry} />
        ) : other.error ? (
          <ErrorState error={other.error} onRetry={() => void other.refetch()} />
        ) : other.ask ? (
          <EmptyState
            title={t("search.compare.provider")}
            detail={t("search.compare.provider_detail")}
            action={
              <Button tone="primary" onClick={other.ask}>
                {t("search.compare.ask")}
              </Button>
            }
          />
        ) : (
          <>
            <span className="row gap-6 sm c-accent">
              <IconLoader2 className="small spin" aria-hidden />
              {t("search.compare.running")}
            </span>
            <SkeletonRows rows={10} height={ROW} />
          </>
        )}
      </div>
    );
  const price = priceOf(a, b, settings.data ?? []);
  const left = a.response.results;
  const right = b.response.results;
  const idsA = left.map((hit) => hit.chunk_id);
  const idsB = right.map((hit) => hit.chunk_id);
  const rows = Math.max(left.length, right.length, 1);
  const rowsOf = (hits: readonly Hit[], others: readonly string[], second: boolean): LegRow[] =>
    hits.map((hit, index) => {
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
  const lines = flowLines(idsA, idsB, rows);
  const comesNew = idsB.filter((id) => !idsA.includes(id));
  const goes = idsA.filter((id) => !idsB.includes(id));
  const common = overlap(idsA, idsB);
  const scrollTo = () => undefined;
  const list = {
    window: [0, rows] as const,
    height: rows,
    rowHeight: ROW,
    selected,
    onSelect: (chunkId: string) => change({ selected: chunkId }),
    onOpen,
    scrollTo,
  };
  const table = () =>
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
  const time = totalOf(b) - totalOf(a);
  const differences = changes(a.request, b.request);
  const lost = left.find((hit) => goes.includes(hit.chunk_id));
  const lists = (
    <Pane id="lists" label={t("search.compare.lists")} min={narrow ? 180 : 420}>
      <ScrollRegion ways="down" className={css.compare}>
        {failed && <NotLoaded query={failed} />}
        <div className={css.compareGrid}>
          <Side side="a" found={a} run={lab.run} runs={runs} models={models} />
          <span />
          <Side side="b" found={b} run={otherRun} runs={runs} models={models} />
          <LegList
            label={t("search.compare.list", { side: "A" })}
            rows={rowsOf(left, idsB, false)}
            {...list}
            className={shared.fused}
          />
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
            {lines.map((line) => {
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
          <LegList
            label={t("search.compare.list", { side: "B" })}
            rows={rowsOf(right, idsA, true)}
            {...list}
            className={shared.fused}
          />
        </div>
        <div className="row gap-12 xs mut wrap">
          <span className="row gap-6">
            <i className={css.keyLine} aria-hidden="true" />
            {t("search.compare.key_selected")}
          </span>
          <span>▲▼ {t("search.compare.key_moved")}</span>
        </div>
      </ScrollRegion>
    </Pane>
  );
  const actions = (
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
  const figures = (
    <Figures
      rows={[
        {
          name: t("search.compare.overlap", { depth: DEPTH }),
          values: [t("search.compare.of", { count: common, all: Math.min(DEPTH, rows) })],
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
        price,
        ...differences.map((each) => ({
          name: text(`search.settings.${each.setting}`) ?? each.setting,
          values: [`${settingWords(each.a)} → ${settingWords(each.b)}`],
        })),
      ]}
    />
  );
  const verdict = (
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
  const maps = (
    <Maps
      sides={{ A: a, B: b }}
      models={models}
      selected={selected}
      onSelect={(chunkId) => change({ selected: chunkId })}
      low={narrow}
    />
  );
  if (narrow)
    return (
      <Panes id="search-compare-narrow" direction="column">
        {lists}
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
              onChange={setTab}
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
      {lists}
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
