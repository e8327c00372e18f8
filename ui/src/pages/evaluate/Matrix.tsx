import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useCommand, useWorkspace } from "@/api/queries";
import type { CellPlace, Corpus, GoldSet, Matrix as MatrixState } from "@/api/types";
import { Button } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { KeyValues, Note } from "@/kit/Note";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { EmptyState, Loaded, SkeletonRows } from "@/kit/states";
import { measured, measureName } from "@/parts/measure";
import { t } from "@/text";
import { cost, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { ApplyCell } from "./ApplyCell";
import { MatrixAxes } from "./MatrixAxes";
import { MatrixGrid } from "./MatrixGrid";
import css from "./matrix.module.css";
import { type Axes, firstAxes, keepAxes, keptAxes, planOf } from "./matrix-plan";
import { RunProgress } from "./RunProgress";
import { matrixWork } from "./running";
import { Sweep } from "./Sweep";

type MatrixProps = {
  set: GoldSet;
  measure: string;
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
        return <Planned key={props.set.name} {...props} corpora={filled} />;
      }}
    </Loaded>
  );
}

function Planned({ set, measure, onOpen, corpora }: MatrixProps & { corpora: readonly Corpus[] }) {
  const names = useMemo(() => corpora.map((each) => each.name), [corpora]);
  const workspace = useWorkspace();
  const cache = useQueryClient();
  const [axes, setAxes] = useState<Axes>(() => keptAxes(workspace, set.name) ?? firstAxes(names));
  useEffect(() => keepAxes(workspace, set.name, axes), [workspace, set.name, axes]);
  const plan = planOf(set.name, axes, measure);
  const whole = axes.rows.length > 0 && axes.columns.length > 0 && axes.corpora.length > 0;
  const matrix = useCommand("eval.matrix", plan, { enabled: whole, keep: true });
  const [asked, setAsked] = useState<readonly CellPlace[]>();
  const [selected, setSelected] = useState<CellPlace>();
  const [applied, setApplied] = useState<CellPlace>();
  const appliedRow = applied && axes.rows[applied.row];
  const running = matrixWork.use();
  const atWork = running !== undefined && !running.error;
  const start = (cells: readonly CellPlace[]) => void matrixWork.start({ plan, cells: [...cells] }, cache);
  const retry = () => running && void matrixWork.start(running.input, cache);
  return (
    <ScrollRegion className={css.view} label={t("evaluate.views.matrix")}>
      <MatrixAxes axes={axes} corpora={names} disabled={atWork} onChange={setAxes} />
      {running && (
        <RunProgress
          running={running}
          onRetry={retry}
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
      )}
      {!whole ? (
        <EmptyState title={t("evaluate.matrix.empty")} detail={t("evaluate.matrix.empty_detail")} />
      ) : (
        <Loaded query={matrix} skeleton={<SkeletonRows rows={4} height={40} />}>
          {(found) => (
            <>
              <div className={css.head}>
                <Best found={found} axes={axes} />
                <span className="grow" />
                <RunAll found={found} atWork={atWork} onRun={() => setAsked([])} />
              </div>
              <MatrixGrid
                axes={axes}
                found={found}
                selected={selected}
                onSelect={setSelected}
                onRun={(place) => setAsked([place])}
                disabled={atWork}
              />
              {selected && (
                <Chosen
                  place={selected}
                  found={found}
                  axes={axes}
                  onOpen={onOpen}
                  onApply={() => setApplied(selected)}
                />
              )}
              <Sweep axes={axes} found={found} />
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
              {appliedRow && (
                <ApplyCell
                  row={appliedRow}
                  corpora={corpora.filter((each) => axes.corpora.includes(each.name))}
                  onClose={() => setApplied(undefined)}
                />
              )}
            </>
          )}
        </Loaded>
      )}
    </ScrollRegion>
  );
}

const missingOf = (found: MatrixState) => found.cells.filter((cell) => cell.run === null);

/** What a cell is called. */
const cellName = (axes: Axes, { row, column }: CellPlace): string => {
  const search = axes.columns[column];
  return [visible(axes.rows[row]?.name ?? ""), search && t(`evaluate.matrix.columns.${search}`)]
    .filter(Boolean)
    .join(" × ");
};

/** The best cell with its interval. */
function Best({ found, axes }: { found: MatrixState; axes: Axes }) {
  const { best, measure } = found;
  const cell =
    best && found.cells.find(({ place }) => place.row === best.row && place.column === best.column);
  if (!best || !cell) return <span className="sm mut">{t("evaluate.matrix.none_run")}</span>;
  const values = {
    cell: cellName(axes, best),
    measure: measureName(measure),
    value: measured(measure, cell.value),
  };
  return (
    <span className="sm" role="status">
      {cell.interval
        ? t("evaluate.matrix.best", {
            ...values,
            low: measured(measure, cell.interval[0]),
            high: measured(measure, cell.interval[1]),
          })
        : t("evaluate.matrix.best_alone", values)}
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
  const rows = [...new Set(wanted.map((place) => place.row))].flatMap((row) => found.rows[row] ?? []);
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0);
  const paid = rows.some((row) => row.cost_usd !== null);
  return (
    <Confirm
      title={t("evaluate.matrix.ask", { count: wanted.length })}
      detail={
        <KeyValues
          rows={[
            [t("evaluate.matrix.chunks"), whole(sum((row) => row.chunks))],
            [t("evaluate.matrix.new_texts"), whole(sum((row) => row.new_texts))],
            [t("evaluate.matrix.new_tokens"), whole(sum((row) => row.new_tokens))],
            [
              t("evaluate.matrix.cost"),
              paid ? cost(sum((row) => row.cost_usd ?? 0)) : t("evaluate.matrix.free"),
            ],
          ]}
        />
      }
      confirm={t("evaluate.matrix.start")}
      keep={t("evaluate.cancel")}
      onConfirm={onStart}
      onClose={onClose}
    />
  );
}

type ChosenProps = {
  place: CellPlace;
  found: MatrixState;
  axes: Axes;
  onOpen: (run: number) => void;
  onApply: () => void;
};

/** The selected cell, and what can be done with it. */
function Chosen({ place, found, axes, onOpen, onApply }: ChosenProps) {
  const cell = found.cells.find((each) => each.place.row === place.row && each.place.column === place.column);
  const run = cell?.run;
  if (!run) return null;
  const row = axes.rows[place.row];
  return (
    <div className={css.chosen}>
      <Note kind="info">
        <div className={css.actions}>
          <b>{cellName(axes, place)}</b>
          <span className="number">
            {measureName(found.measure)} {measured(found.measure, cell.value)}
            {cell.interval &&
              ` (${measured(found.measure, cell.interval[0])}–${measured(found.measure, cell.interval[1])})`}
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
        </div>
      </Note>
    </div>
  );
}
