import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { EngineError } from "@/api/client";
import { useCommand, useWorkspace } from "@/api/queries";
import type {
  CellPlace,
  Corpus,
  GoldSet,
  MatrixCell,
  MatrixPlan,
  MatrixRow,
  Matrix as MatrixState,
  MeasureInfo,
} from "@/api/types";
import { Button } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { Select } from "@/kit/fields";
import { KeyValues, Note } from "@/kit/Note";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { EmptyState, Loaded, NotLoaded, SkeletonRows } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { billOf, chargeOf } from "@/parts/matrix-cost";
import {
  intervalWords,
  isCount,
  isOfRankings,
  judgedWords,
  measured,
  measureName,
  pWords,
  signed,
} from "@/parts/measure";
import { searchAddress, usualOf } from "@/parts/run-search";
import { MakeUsual } from "@/parts/UsualSearch";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { milliseconds, seconds, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { ApplyCell } from "./ApplyCell";
import { useLabelled } from "./labelled";
import { MatrixAxes } from "./MatrixAxes";
import { MatrixGrid } from "./MatrixGrid";
import css from "./matrix.module.css";
import {
  type Axes,
  asKnown,
  firstAxes,
  type KnownMatrix,
  keepAxes,
  keptAxes,
  type MatrixSearch,
  planOf,
  searchesOf,
} from "./matrix-plan";
import { RunProgress } from "./RunProgress";
import { matrixWork } from "./running";
import { SearchSweepCurves, Sweep } from "./Sweep";
import { MEASURE } from "./state";

type MatrixProps = {
  set: GoldSet;
  measure: string;
  onMeasure: (measure: string) => void;
  /** Opens the run of a cell. */
  onOpen: (run: number) => void;
};

/** Ways of cutting by ways of searching: what each measures, and what the rest would cost. */
export function Matrix(props: MatrixProps) {
  const overview = useCommand("library.overview", {});
  return (
    <Loaded query={overview}>
      {({ corpora }) => {
        const filled = corpora.filter((each) => each.documents > 0).map((each) => each.corpus);
        if (filled.length === 0) return <EmptyState title={t("evaluate.matrix.no_corpus")} />;
        return <Placed key={props.set.name} {...props} corpora={filled} />;
      }}
    </Loaded>
  );
}

type PlannedProps = MatrixProps & { corpora: readonly Corpus[] };

/** The matrix once it is known what it measures: what was set up last, else the corpus of the labels. */
function Placed(props: PlannedProps) {
  const { set, corpora } = props;
  const kept = keptAxes(useWorkspace(), set.name);
  const { looking, corpus } = useLabelled(set.name, corpora, kept === undefined && corpora.length > 1);
  if (looking) return <SkeletonRows rows={4} height={40} />;
  return <Planned {...props} first={kept ?? firstAxes([corpus ?? corpora[0]?.name ?? ""])} />;
}

/** What is known of the matrix of a plan: `told` is the answer to it, `found` keeps what was told before. */
function useFound(plan: MatrixPlan, matrix: UseQueryResult<MatrixState, EngineError>) {
  const [last, setLast] = useState<KnownMatrix>();
  if (matrix.data && !matrix.isPlaceholderData && last?.found !== matrix.data)
    setLast({ plan, found: matrix.data });
  // An error, or an answer that is still on its way, hides nothing that is known.
  const told = matrix.isPlaceholderData ? undefined : matrix.data;
  return { told, found: told ?? (last || matrix.error ? asKnown(plan, last) : undefined) };
}

/** The cells that are being measured. */
function AtWork() {
  const cache = useQueryClient();
  const running = matrixWork.use();
  if (!running) return null;
  return (
    <>
      <RunProgress
        running={running}
        onRetry={() => void matrixWork.start(running.input, cache)}
        onForget={matrixWork.forget}
        end={
          <Button
            size="small"
            icon={<IconPlayerPause className="small" aria-hidden />}
            onClick={matrixWork.stop}
          >
            {t("evaluate.matrix.pause")}
          </Button>
        }
      />
      <p className="xs mut">{t("evaluate.matrix.pause_note")}</p>
    </>
  );
}

function Planned({ set, measure, onMeasure, onOpen, corpora, first }: PlannedProps & { first: Axes }) {
  const names = useMemo(() => corpora.map((each) => each.name), [corpora]);
  const workspace = useWorkspace();
  const cache = useQueryClient();
  const [axes, setAxes] = useState(first);
  useEffect(() => keepAxes(workspace, set.name, axes), [workspace, set.name, axes]);
  const models = useCommand("model.list", {});
  const served = useMemo(() => (models.data ?? []).filter((each) => each.served), [models.data]);
  // A model that is no longer in use searches nothing.
  const spaces = axes.spaces.filter((space) => served.some((each) => each.space_id === space));
  const searches = searchesOf({ ...axes, spaces }, served);
  const measures = useCommand("eval.measures", {});
  const shown = isOfRankings(measures.data ?? [], measure) ? measure : MEASURE;
  const plan = planOf(set.name, axes, searches, shown);
  const whole = axes.rows.length > 0 && searches.length > 0 && axes.corpora.length > 0;
  const ready = !models.isPending && !measures.isPending;
  const matrix = useCommand("eval.matrix", plan, { enabled: whole && ready, keep: true });
  const { told, found } = useFound(plan, matrix);
  const [asked, setAsked] = useState<readonly CellPlace[]>();
  const [selected, setSelected] = useState<CellPlace>();
  const [applied, setApplied] = useState<CellPlace>();
  const appliedRow = applied && axes.rows[applied.row];
  const appliedSearch = applied && searches[applied.column];
  const running = matrixWork.use();
  const atWork = running !== undefined && !running.error;
  const start = (cells: readonly CellPlace[]) => void matrixWork.start({ plan, cells: [...cells] }, cache);
  return (
    <ScrollRegion ways="down" className={css.view} label={t("evaluate.views.matrix")}>
      <MatrixAxes
        axes={{ ...axes, spaces }}
        corpora={names}
        models={served}
        disabled={atWork}
        onChange={setAxes}
      />
      <NotLoaded query={models} />
      <NotLoaded query={measures} />
      <AtWork />
      {!whole ? (
        <EmptyState title={t("evaluate.matrix.empty")} detail={t("evaluate.matrix.empty_detail")} />
      ) : (
        <>
          <NotLoaded query={matrix} />
          {!found && matrix.isFetching && <SkeletonRows rows={4} height={40} />}
          {found && (
            <>
              <div className={css.head}>
                <Best found={found} rows={axes.rows} searches={searches} />
                <Measure found={found} known={measures.data ?? []} onMeasure={onMeasure} />
                <RunAll found={found} atWork={atWork || !told} onRun={() => setAsked([])} />
              </div>
              <MatrixGrid
                rows={axes.rows}
                searches={searches}
                found={found}
                selected={selected}
                onSelect={setSelected}
                onRun={(place) => setAsked([place])}
                disabled={atWork || !told}
              />
              {selected && (
                <Chosen
                  place={selected}
                  found={found}
                  rows={axes.rows}
                  searches={searches}
                  onOpen={onOpen}
                  onApply={() => setApplied(selected)}
                />
              )}
              <Sweep {...{ searches, found }} rows={axes.rows} />
              <SearchSweepCurves {...{ searches, found }} rows={axes.rows} param={axes.sweep?.param} />
              {asked && (
                <Ask
                  found={found}
                  cells={asked}
                  onStart={() => {
                    start(asked);
                    setAsked(undefined);
                  }}
                  onClose={() => setAsked(undefined)}
                />
              )}
              {appliedRow && appliedSearch && (
                <ApplyCell
                  row={appliedRow}
                  search={appliedSearch}
                  corpora={corpora.filter((each) => axes.corpora.includes(each.name))}
                  onClose={() => setApplied(undefined)}
                />
              )}
            </>
          )}
        </>
      )}
    </ScrollRegion>
  );
}

const missingOf = (found: MatrixState) => found.cells.filter((cell) => cell.run === null);

/** What the cells of a matrix stand for. */
type Heads = { rows: readonly MatrixRow[]; searches: readonly MatrixSearch[] };

/** What a cell is called. */
const cellName = ({ rows, searches }: Heads, { row, column }: CellPlace): string =>
  [visible(rows[row]?.name ?? ""), visible(searches[column]?.name ?? "")].filter(Boolean).join(" × ");

/** The best cell, and how far it can be trusted. */
function Best({ found, ...heads }: Heads & { found: MatrixState }) {
  const { best, verdict, measure } = found;
  const cell =
    best && found.cells.find(({ place }) => place.row === best.row && place.column === best.column);
  if (!best || !cell) return <span className="sm mut grow">{t("evaluate.matrix.none_run")}</span>;
  return (
    <span className="sm grow" role="status">
      {t("evaluate.matrix.best", {
        cell: cellName(heads, best),
        measure: measureName(measure),
        value: measured(measure, cell.value),
      })}
      {doubtOf(cell, measure)}
      {verdict && (
        <span className={`mut ${css.verdict}`}>
          {t(`evaluate.matrix.verdict.${verdict.significant ? "better" : "none"}`, {
            count: verdict.comparisons,
            other: cellName(heads, verdict.against),
            difference: signed(verdict.difference, isCount(measure) ? 0 : 3),
            p: pWords(verdict.corrected),
          })}
        </span>
      )}
    </span>
  );
}

/** How far the value of a cell can be trusted: its interval, and how many results were judged. */
function doubtOf({ run, interval }: MatrixCell, measure: string): string {
  const parts = [intervalWords(interval, measure), run && judgedWords(run, measure)].filter(Boolean);
  return parts.length > 0 ? ` (${parts.join("; ")})` : "";
}

type MeasureProps = {
  found: MatrixState;
  known: readonly MeasureInfo[];
  onMeasure: (measure: string) => void;
};

/** Which measure is shown, of those of rankings that any cell has. */
function Measure({ found, known, onMeasure }: MeasureProps) {
  const held = new Set(
    found.cells
      .flatMap(({ run }) => Object.keys(run?.measures ?? {}))
      .filter((measure) => isOfRankings(known, measure)),
  );
  if (held.size === 0) return null;
  return (
    <span className={css.measure}>
      <Select
        label={t("evaluate.matrix.measure")}
        value={found.measure}
        onChange={onMeasure}
        width={170}
        options={[...held.add(found.measure)].map((value) => ({ value, label: measureName(value) }))}
      />
    </span>
  );
}

function RunAll({ found, atWork, onRun }: { found: MatrixState; atWork: boolean; onRun: () => void }) {
  const missing = missingOf(found).length;
  if (atWork || missing === 0) return null;
  const begun = missing < found.cells.length;
  return (
    <Button
      size="small"
      tone="primary"
      icon={<IconPlayerPlay className="small" aria-hidden />}
      onClick={onRun}
    >
      {t(begun ? "evaluate.matrix.resume" : "evaluate.matrix.run_all", { count: missing })}
    </Button>
  );
}

type AskProps = {
  found: MatrixState;
  /** The cells; all that are missing where none is named. */
  cells: readonly CellPlace[];
  onStart: () => void;
  onClose: () => void;
};

/** What running cells costs, asked before anything is spent. */
function Ask({ found, cells, onStart, onClose }: AskProps) {
  const wanted = cells.length > 0 ? cells : missingOf(found).map((cell) => cell.place);
  const bill = billOf(found, wanted);
  return (
    <Confirm
      title={t("evaluate.matrix.ask", { count: wanted.length })}
      detail={
        <KeyValues
          rows={[
            [t("evaluate.matrix.chunks"), whole(bill.chunks)],
            [t("evaluate.matrix.new_texts"), whole(bill.texts)],
            [t("evaluate.matrix.new_tokens"), whole(bill.tokens)],
            ...(bill.reranked > 0
              ? [[t("evaluate.matrix.reranked"), whole(bill.reranked)] satisfies [string, string]]
              : []),
            [t("evaluate.matrix.cost"), chargeOf(bill)],
          ]}
        />
      }
      confirm={t("evaluate.matrix.start")}
      keep={t("dialog.cancel")}
      onConfirm={onStart}
      onClose={onClose}
    />
  );
}

type ChosenProps = Heads & {
  place: CellPlace;
  found: MatrixState;
  onOpen: (run: number) => void;
  onApply: () => void;
};

/** The selected cell, and what can be done with it. */
function Chosen({ place, found, rows, searches, onOpen, onApply }: ChosenProps) {
  const cell = found.cells.find((each) => each.place.row === place.row && each.place.column === place.column);
  const run = cell?.run;
  if (!run) return null;
  const row = rows[place.row];
  const search = searches[place.column];
  return (
    <div className={css.chosen}>
      <Note kind="info">
        <div className={css.actions}>
          <b>{cellName({ rows, searches }, place)}</b>
          <span className="number">
            {measureName(found.measure)} {measured(found.measure, cell.value)}
            {doubtOf(cell, found.measure)}
          </span>
          <span className="sm mut number">
            {t("evaluate.matrix.took", {
              chunks: whole(found.rows[place.row]?.chunks ?? 0),
              tokens: whole(found.rows[place.row]?.tokens ?? 0),
              query: milliseconds(run.p50_ms),
              time: seconds(run.seconds),
            })}
          </span>
          <span className="grow" />
          <Button size="small" onClick={() => onOpen(run.id)}>
            {t("evaluate.matrix.open")}
          </Button>
          {row?.strategy && (
            <Button size="small" onClick={onApply}>
              {t("evaluate.matrix.apply")}
            </Button>
          )}
          {search && (
            <Button
              size="small"
              {...tip(t("evaluate.matrix.apply_search_detail"))}
              onClick={() => navigate(href("search-lab", [], searchAddress(search.search)))}
            >
              {t("evaluate.matrix.apply_search")}
            </Button>
          )}
          {search && <MakeUsual search={usualOf(search.search)} />}
        </div>
      </Note>
    </div>
  );
}
