import { IconPlayerPlay, IconSquare } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { call, EngineError } from "@/api/client";
import { SEARCH_DEFAULTS } from "@/api/defaults";
import { refresh, tagsOf, useCommand } from "@/api/queries";
import type {
  ChunkingView,
  ComparedQuery,
  EvalRun,
  EvaluateProgress,
  GoldSet,
  LabelPlace,
  Matrix,
  MatrixPlan,
} from "@/api/types";
import { Button } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { Select } from "@/kit/fields";
import { KeyValues } from "@/kit/Note";
import { ErrorState, Loaded, NotLoaded } from "@/kit/states";
import { createStore } from "@/kit/store";
import { type Figure, Figures } from "@/parts/Figures";
import { Letter } from "@/parts/Letter";
import { billOf, chargeOf } from "@/parts/matrix-cost";
import {
  isCount,
  isTime,
  measured,
  measureName,
  outcomeOf,
  pWords,
  signed,
  verdictOf,
} from "@/parts/measure";
import { searchOf } from "@/parts/run-search";
import { stageWords } from "@/parts/stage-words";
import { href, navigate } from "@/state/router";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { whole } from "@/text/format";
import { visible } from "@/text/visible";
import { holdsWhole, type Range } from "./cut";
import css from "./gold-row.module.css";
import type { ConfigControl } from "./use-config";

/** Queries won or lost that are listed at first. */
const MOST = 12;
const MEASURE = "ndcg@10";

/** Both cuts of a corpus, searched alike. */
const planOf = (set: string, corpus: string, a: ConfigControl, b: ConfigControl): MatrixPlan => ({
  set,
  corpora: [corpus],
  rows: [a, b].map(({ strategy, values }, side) => ({
    name: side === 0 ? "A" : "B",
    strategy: strategy.name,
    settings: values,
  })),
  columns: [
    {
      name: t("search.modes.hybrid"),
      search: searchOf({ ...SEARCH_DEFAULTS, mode: "hybrid", rerank: false, space: null, corpora: [] }),
    },
  ],
  measures: [],
  measure: MEASURE,
});

/** The runs of both cuts; nothing where one of them was not measured. */
function runsOf(matrix: Matrix): [EvalRun, EvalRun] | undefined {
  const [a, b] = [0, 1].map((row) => matrix.cells.find((cell) => cell.place.row === row)?.run);
  return a && b ? [a, b] : undefined;
}

/** Where a labelled passage stands: a document of the library, and UTF-16 code units of its text. */
export type PassagePlace = { document: number; range: Range };

/** Labels of a query whose documents are cut to find one that a border cuts. */
const LOOKED_AT = 12;

/** Of `labels` the first that a border cuts in one of the two cuts alone; else the first that one cuts in both. */
async function cutApart(
  { rows }: MatrixPlan,
  labels: readonly LabelPlace[],
): Promise<LabelPlace | undefined> {
  const cuts = new Map<number, Promise<readonly ChunkingView[]>>();
  const cutsOf = (id: number) => {
    const made =
      cuts.get(id) ??
      Promise.all(
        rows.map(({ strategy, settings }) =>
          call("chunk.preview", { source: { kind: "document", id }, strategy, settings, chunks_only: true }),
        ),
      );
    cuts.set(id, made);
    return made;
  };
  let everywhere: LabelPlace | undefined;
  for (const label of labels.slice(0, LOOKED_AT)) {
    const { document, range } = label;
    if (document === null || range === null) continue;
    const whole = (await cutsOf(document)).filter(({ chunks }) => holdsWhole(chunks, range)).length;
    if (whole > 0 && whole < rows.length) return label;
    if (whole === 0) everywhere ??= label;
  }
  return everywhere;
}

/** The passage of a query that a border cuts, else the one that moved most; nothing where it has none in the library. */
async function fared(
  plan: MatrixPlan,
  pair: [EvalRun, EvalRun],
  { id, query }: ComparedQuery,
): Promise<PassagePlace | undefined> {
  const [{ moves }, panels] = await Promise.all([
    call("eval.compare_query", { baseline: pair[0].id, candidate: pair[1].id, query: id }),
    call("gold.panel", { query }),
  ]);
  const labels = (panels.find((panel) => panel.set === pair[0].set)?.labels ?? []).filter(
    ({ label, document, chunks }) => label.grade > 0 && (document !== null || chunks.length > 0),
  );
  // What moved most stands first, and what did not move last.
  const moved = moves.flatMap(({ name }) => labels.find((each) => each.name === name) ?? []);
  const inOrder = [...new Set([...moved, ...labels])];
  const place = (await cutApart(plan, inOrder)) ?? inOrder[0];
  if (!place) return undefined;
  if (place.document !== null && place.range) return { document: place.document, range: place.range };
  const [chunk_id = ""] = place.chunks;
  const { row, view } = await call("chunk.get", { chunk_id });
  return { document: row.document_id, range: view.range };
}

/** What was asked for last: the passage of a query may stand in another document, and the figures stay beside it. */
const measuredLast = createStore<MatrixPlan | undefined>(undefined);

type GoldRowProps = {
  corpus: string;
  a: ConfigControl;
  b: ConfigControl;
  onPassage: (place: PassagePlace) => void;
};

/** What both cuts measure with a gold set: asked for by a button, for it cuts and searches the whole corpus. */
export function GoldRow(props: GoldRowProps) {
  const sets = useCommand("gold.list", {});
  return (
    <section className={css.gold} aria-label={t("chunk-lab.gold.title")}>
      <h3 className="h2">{t("chunk-lab.gold.title")}</h3>
      <NotLoaded query={sets} />
      {sets.data?.length === 0 ? (
        <p className="xs mut">{t("chunk-lab.gold.none")}</p>
      ) : (
        sets.data && <Measuring {...props} sets={sets.data} />
      )}
    </section>
  );
}

/** Measures both cuts of a plan: how far it is, why it failed, and what stops it. */
function useMeasuring(plan: MatrixPlan | undefined) {
  const cache = useQueryClient();
  const [progress, setProgress] = useState<EvaluateProgress>();
  const [error, setError] = useState<EngineError>();
  const [atWork, setAtWork] = useState(false);
  const control = useRef<AbortController>(undefined);
  useEffect(() => () => control.current?.abort(), []);
  const start = async () => {
    if (!plan) return;
    const own = new AbortController();
    control.current = own;
    setError(undefined);
    setAtWork(true);
    try {
      await call(
        "eval.matrix_run",
        { plan },
        {
          signal: own.signal,
          onProgress: (told) => told.kind === "evaluating" && setProgress(told),
        },
      );
    } catch (thrown) {
      const failure = EngineError.from(thrown);
      if (!failure.cancelled) setError(failure);
    } finally {
      setAtWork(false);
      setProgress(undefined);
      void refresh(cache, tagsOf("eval.matrix_run"));
    }
  };
  return { progress, error, atWork, start, stop: () => control.current?.abort() };
}

function Measuring({ corpus, a, b, onPassage, sets }: GoldRowProps & { sets: readonly GoldSet[] }) {
  const asked = measuredLast.use();
  const plan = asked?.corpora[0] === corpus ? asked : undefined;
  const setPlan = measuredLast.set;
  const [name, setName] = useState(plan?.set ?? sets[0]?.name ?? "");
  const { progress, error, atWork, start, stop } = useMeasuring(plan);
  const wanted = planOf(name, corpus, a, b);
  const current = plan && JSON.stringify(plan) === JSON.stringify(wanted);
  const matrix = useCommand("eval.matrix", plan ?? wanted, { enabled: plan !== undefined });
  const runs = matrix.data && runsOf(matrix.data);
  return (
    <>
      <div className="row gap-6">
        {sets.length > 1 && (
          <Select
            label={t("evaluate.sets.title")}
            value={name}
            onChange={setName}
            options={sets.map((set) => ({ value: set.name, label: set.name }))}
          />
        )}
        {atWork ? (
          <>
            <Button size="small" icon={<IconSquare className="small" aria-hidden />} onClick={stop}>
              {t("evaluate.run.stop")}
            </Button>
            <span className="xs mut number" role="status">
              {progress ? stageWords(progress) : t("evaluate.run.begins")}
            </span>
          </>
        ) : (
          !(current && runs) && (
            <Button
              size="small"
              icon={<IconPlayerPlay className="small" aria-hidden />}
              onClick={() => setPlan(wanted)}
            >
              {t("chunk-lab.gold.measure", { name: visible(name) })}
            </Button>
          )
        )}
      </div>
      {error && <ErrorState error={error} onRetry={() => void start()} />}
      {plan && (
        <Loaded query={matrix}>
          {(found) =>
            runs ? (
              <Measured
                key={runs.map((run) => run.id).join()}
                plan={plan}
                runs={runs}
                stale={!current}
                onPassage={onPassage}
              />
            ) : (
              !atWork &&
              !error && (
                <Confirm
                  title={t("chunk-lab.gold.ask")}
                  detail={<Cost matrix={found} />}
                  confirm={t("evaluate.matrix.start")}
                  keep={t("dialog.cancel")}
                  onConfirm={() => void start()}
                  onClose={() => setPlan(undefined)}
                />
              )
            )
          }
        </Loaded>
      )}
    </>
  );
}

function Cost({ matrix }: { matrix: Matrix }) {
  const bill = billOf(
    matrix,
    matrix.cells.map(({ place }) => place),
  );
  return (
    <KeyValues
      rows={[
        [t("evaluate.matrix.chunks"), whole(bill.chunks)],
        [t("evaluate.matrix.new_texts"), whole(bill.texts)],
        [t("evaluate.matrix.cost"), chargeOf(bill)],
      ]}
    />
  );
}

type MeasuredProps = Pick<GoldRowProps, "onPassage"> & {
  plan: MatrixPlan;
  runs: [EvalRun, EvalRun];
  stale: boolean;
};

/** Measures of A and B, and the queries that changed most: pressing one shows its passage in both cuts. */
function Measured({ plan, runs: [a, b], stale, onPassage }: MeasuredProps) {
  const pair = { baseline: a.id, candidate: b.id };
  const compared = useCommand("eval.compare", pair);
  const [limit, setLimit] = useState(MOST);
  const queries = useCommand("eval.compare_queries", { ...pair, measure: MEASURE, limit }, { keep: true });
  const open = (query?: string) =>
    navigate(href("evaluate", [], { set: b.set, run: String(b.id), against: String(a.id), query }));
  const show = (query: ComparedQuery) =>
    void fared(plan, [a, b], query).then(
      (place) => (place ? onPassage(place) : open(query.id)),
      (thrown) => reportError(EngineError.from(thrown)),
    );
  return (
    <>
      {stale && <p className="xs c-warn">{t("chunk-lab.gold.stale")}</p>}
      <Loaded query={compared}>
        {({ measures }) => {
          const chosen = measures.find((each) => each.measure === MEASURE);
          return (
            <>
              <Figures
                head={[
                  t("evaluate.compare.measure"),
                  <Letter key="a" side="a" />,
                  <Letter key="b" side="b" />,
                  t("evaluate.compare.difference"),
                ]}
                rows={measures
                  .filter(({ measure }) => !isTime(measure) && !isCount(measure))
                  .map((each): Figure => {
                    const outcome = outcomeOf(each.difference, each.measure);
                    return {
                      name: measureName(each.measure),
                      title: `${verdictOf(each.difference, each.corrected, each.measure)}, ${pWords(each.corrected)}`,
                      values: [measured(each.measure, each.baseline), measured(each.measure, each.candidate)],
                      change: signed(each.difference),
                      better: outcome === "same" ? undefined : outcome === "better",
                    };
                  })}
              />
              {chosen && (
                <p className="xs sec">
                  {t("chunk-lab.gold.fared", {
                    measure: measureName(MEASURE),
                    verdict: verdictOf(chosen.difference, chosen.corrected),
                    p: pWords(chosen.corrected),
                    wins: chosen.wins,
                    ties: chosen.ties,
                    losses: chosen.losses,
                  })}
                </p>
              )}
            </>
          );
        }}
      </Loaded>
      <Loaded query={queries}>
        {(found) => (
          <>
            <ul className={css.queries} aria-label={t("chunk-lab.gold.changed")}>
              {found.queries
                .filter((each) => outcomeOf(each.difference) !== "same")
                .map((each) => (
                  <li key={each.id}>
                    <button type="button" className={css.query} onClick={() => show(each)}>
                      <bdi className="ell">{visible(each.query)}</bdi>
                      <span className={each.difference > 0 ? "number c-ok" : "number c-bad"}>
                        {signed(each.difference, 2)}
                      </span>
                    </button>
                  </li>
                ))}
            </ul>
            {found.better + found.worse > found.queries.length && (
              <div>
                <Button size="small" tone="quiet" onClick={() => setLimit(found.better + found.worse)}>
                  {t("chunk-lab.gold.all", { count: found.better + found.worse })}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
      <div>
        <Button size="small" onClick={() => open()}>
          {t("chunk-lab.gold.open")}
        </Button>
      </div>
    </>
  );
}
