import type { CellPlace, Matrix, MatrixCell, MatrixRow } from "@/api/types";
import { classes } from "@/kit/class-names";
import { LegBadge } from "@/kit/legs";
import { Name } from "@/kit/Name";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { tip } from "@/kit/Tooltip";
import {
  intervalWords,
  judgedMeasure,
  judgedWords,
  lessIsBetter,
  measured,
  measureName,
} from "@/parts/measure";
import { t } from "@/text";
import { percent, whole } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./matrix.module.css";
import type { MatrixSearch } from "./matrix-plan";
import { legsOf } from "./runs";

/** Share of the accent in the ground of the worst and of the best cell. */
const FAINT = 5;
const FULL = 40;

type MatrixGridProps = {
  rows: readonly MatrixRow[];
  searches: readonly MatrixSearch[];
  found: Matrix;
  selected: CellPlace | undefined;
  onSelect: (place: CellPlace) => void;
  /** Asks for a cell to be run. */
  onRun: (place: CellPlace) => void;
  disabled: boolean;
};

const same = (a: CellPlace | null | undefined, b: CellPlace) => a?.row === b.row && a.column === b.column;

/** The cells: the better the stronger their ground; an empty one is run by pressing it. */
export function MatrixGrid(props: MatrixGridProps) {
  const { rows, searches, found, selected, onSelect, onRun, disabled } = props;
  const values = found.cells.flatMap(({ value }) => value ?? []);
  const least = Math.min(...values);
  const span = Math.max(...values) - least;
  const strength = (value: number) => {
    if (span === 0) return FAINT + FULL / 2;
    const share = (value - least) / span;
    return FAINT + (lessIsBetter(found.measure) ? 1 - share : share) * (FULL - FAINT);
  };
  const cellAt = (row: number, column: number) =>
    found.cells.find(({ place }) => place.row === row && place.column === column);
  return (
    <ScrollRegion ways="across" className={css.scroller}>
      <table
        className={css.grid}
        aria-label={t("evaluate.matrix.title", { measure: measureName(found.measure) })}
      >
        <thead>
          <tr>
            <th className={css.corner}>{measureName(found.measure)}</th>
            {searches.map(({ id, name, search }) => (
              <th key={id} scope="col">
                <span className={css.column}>
                  <span className="row gap-2">
                    {legsOf(search).map((leg) => (
                      <LegBadge key={leg} leg={leg} />
                    ))}
                  </span>
                  <span className="xs">{visible(name)}</span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.name}>
              <th scope="row">
                <span className={css.row}>
                  <Name>{row.name}</Name>
                  <span className="xs mut">
                    {t("evaluate.matrix.row_chunks", { count: found.rows[at]?.chunks ?? 0 })}
                  </span>
                </span>
              </th>
              {searches.map((search, index) => (
                <td key={search.id}>
                  <Cell
                    cell={cellAt(at, index)}
                    place={{ row: at, column: index }}
                    name={`${visible(row.name)} × ${visible(search.name)}`}
                    measure={found.measure}
                    best={same(found.best, { row: at, column: index })}
                    selected={same(selected, { row: at, column: index })}
                    strength={strength}
                    disabled={disabled}
                    onSelect={onSelect}
                    onRun={onRun}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="xs mut">
        {t("evaluate.matrix.key", { run: whole(values.length), all: whole(found.cells.length) })}
      </p>
    </ScrollRegion>
  );
}

type CellProps = Pick<MatrixGridProps, "onSelect" | "onRun" | "disabled"> & {
  cell: MatrixCell | undefined;
  place: CellPlace;
  name: string;
  measure: string;
  best: boolean;
  selected: boolean;
  strength: (value: number) => number;
};

function Cell({
  cell,
  place,
  name,
  measure,
  best,
  selected,
  strength,
  disabled,
  onSelect,
  onRun,
}: CellProps) {
  const value = cell?.value ?? null;
  if (!cell?.run)
    return (
      <button
        type="button"
        className={classes(css.cell, css.missing)}
        aria-label={t("evaluate.matrix.run_cell", { name })}
        disabled={disabled}
        onClick={() => onRun(place)}
      >
        {t("evaluate.matrix.run")}
      </button>
    );
  const shown = measured(measure, value);
  const doubt = [intervalWords(cell.interval, measure), judgedWords(cell.run, measure)];
  const share = cell.run.measures[judgedMeasure(cell.run.measures, measure) ?? ""];
  const judged = share === undefined ? "" : t("evaluate.matrix.cell_judged", { share: percent(share) });
  const words = { name, value: `${shown} ${judged}`.trim() };
  return (
    <button
      type="button"
      className={classes(css.cell, best && css.best, selected && css.selected)}
      aria-label={t(best ? "evaluate.matrix.best_cell" : "evaluate.matrix.cell", words)}
      aria-pressed={selected}
      style={
        value === null
          ? undefined
          : { background: `color-mix(in oklab, var(--accent) ${strength(value).toFixed(0)}%, var(--sunken))` }
      }
      onClick={() => onSelect(place)}
      {...tip(doubt.filter(Boolean).join("; "))}
    >
      {shown} <span className={css.judged}>{judged}</span>
    </button>
  );
}
