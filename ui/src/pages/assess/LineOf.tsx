import { IconCheck, IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { type MouseEvent, memo } from "react";
import { classes } from "@/kit/class-names";
import { Id } from "@/kit/Id";
import { StatusShape } from "@/parts/StatusShape";
import { whole } from "@/text/format";
import { visible } from "@/text/visible";
import { CellBody, cellLook } from "./CellBody";
import { idOf } from "./deciding";
import css from "./grid.module.css";
import type { Measures } from "./measures";
import { decidedOf, type Line, type Model, type Row, type Tally } from "./model";
import { Share } from "./Share";
import type { How, Spot } from "./use-walk";
import { cellName, cellTip, rowWords, sumName } from "./words";

/** In place of a column: the name of the row is in use. */
export const NAME = -1;

export type LineProps = {
  line: Line;
  /** Its place among the lines; -1 where it only repeats one. */
  at: number;
  /** Pixels from the top. */
  top: number;
  height: number;
  model: Model;
  measures: Measures;
  /** Cells whose decision could not be stored. */
  unsaved: ReadonlySet<string>;
  /** Columns that are drawn. */
  shown: readonly number[];
  /** Cells that are selected. */
  selected: ReadonlySet<string>;
  /** The column in use, where this is the row in use. */
  active: number | undefined;
  go: (to: Spot, how: How) => void;
  goName: (row: number) => void;
  toggle: (spot: Spot) => void;
  fold: (key: string, open: boolean) => void;
};

/** A row of the grid; drawn again for what changes in it alone. */
export const LineOf = memo(function LineOf(props: LineProps) {
  const { line, at, top, height, model, measures, shown, active } = props;
  const { row, open } = line;
  const repeated = at < 0;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus.
    <div
      role="row"
      aria-rowindex={repeated ? undefined : at + 2}
      aria-level={row.above.length + 1}
      aria-expanded={row.branch ? open : undefined}
      className={classes(
        css.row,
        row.number === "" && css.heading,
        row.above.length === 0 && css.first,
        active !== undefined && css.here,
      )}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <RowName {...props} />
      {shown.map((column) => (
        <GridCell
          key={model.columns[column]?.report_id}
          {...props}
          column={column}
          repeated={repeated}
          place={{ insetInlineStart: measures.name + column * measures.cell, width: measures.cell }}
        />
      ))}
    </div>
  );
});

function RowName({ line, at, measures, active, goName, fold }: LineProps) {
  const { row, open } = line;
  const here = active === NAME;
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const label = visible(row.label);
  return (
    <div
      role="rowheader"
      aria-colindex={1}
      data-cell={at < 0 ? undefined : true}
      tabIndex={at < 0 ? undefined : here ? 0 : -1}
      className={classes(css.name, here && css.active)}
      style={{ width: measures.name, paddingInlineStart: 6 + row.above.length * 10 }}
      data-tip={row.id ? `${row.id} ${label}` : label}
      onClick={() => {
        goName(row.index);
        if (row.branch) fold(row.key, !open);
      }}
    >
      <span className={css.twist}>{row.branch && <Chevron className="xs" aria-hidden />}</span>
      <span className="sr-only">{rowWords(row)}</span>
      {row.number !== "" && (
        <span aria-hidden>
          <Id>{row.number}</Id>
        </span>
      )}
      <span aria-hidden className={`ell ${css.label}`}>
        {label}
      </span>
      {row.branch && (
        <span aria-hidden className={`number ${css.count}`}>
          {whole(row.requirements)}
        </span>
      )}
    </div>
  );
}

type GridCellProps = LineProps & {
  column: number;
  repeated: boolean;
  place: { insetInlineStart: number; width: number };
};

function GridCell(props: GridCellProps) {
  const { line, column, model, measures, unsaved, selected, active, go, toggle, repeated, place } = props;
  const { row } = line;
  const report = model.columns[column];
  if (!report) return null;
  const spot = { row: row.index, column, name: false };
  const here = active === column;
  const cell = model.cell(row.index, column);
  const tally = model.tally(row.index, column);
  const asked = model.asked(row.index, column);
  const id = idOf({ requirement: row.key, report_id: report.report_id });
  const chosen = selected.has(id);
  const press = (event: MouseEvent) =>
    event.ctrlKey || event.metaKey ? toggle(spot) : go(spot, event.shiftKey ? "extend" : "move");
  return (
    <div
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={row.requirement ? here || chosen : undefined}
      data-cell={repeated ? undefined : true}
      tabIndex={repeated ? undefined : here ? 0 : -1}
      className={classes(css.cell, here && css.active, chosen && css.chosen)}
      style={place}
      onClick={press}
    >
      <span className="sr-only">
        {row.requirement
          ? cellName(row, report, asked ? cell : "not_in_scope", unsaved.has(id))
          : sumName(row, report, tally)}
      </span>
      {row.requirement && !asked ? null : row.requirement ? (
        <span aria-hidden className={classes(css.block, cellLook(cell))} data-tip={cellTip(cell)}>
          <CellBody cell={cell} wide={measures.wide} unsaved={unsaved.has(id)} />
        </span>
      ) : (
        <Sum row={row} tally={tally} />
      )}
    </div>
  );
}

/** What a parent comes to: decided of all, its gaps, and a bar. */
function Sum({ row, tally }: { row: Row; tally: Tally }) {
  const decided = decidedOf(tally);
  const all = decided === tally.total;
  if (tally.total === 0) return null;
  return (
    <span aria-hidden className={classes(css.sum, row.above.length === 0 && css.tight)}>
      <span className="number row gap-2">
        {all ? (
          <>
            <IconCheck className="xs" aria-hidden />
            {whole(tally.total)}
          </>
        ) : (
          `${whole(decided)}/${whole(tally.total)}`
        )}
      </span>
      {tally.gap > 0 && (
        <span className={`number ${css.gaps}`}>
          <StatusShape status="gap" quiet />
          {whole(tally.gap)}
        </span>
      )}
      <Share tally={tally} />
    </span>
  );
}
