import { IconCheck, IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { MouseEvent } from "react";
import { classes } from "@/kit/class-names";
import { Id } from "@/kit/Id";
import { StatusShape } from "@/parts/StatusShape";
import { whole } from "@/text/format";
import { visible } from "@/text/visible";
import { CellBody, cellLook } from "./CellBody";
import type { Deciding } from "./deciding";
import css from "./grid.module.css";
import type { Measures } from "./measures";
import { decidedOf, type Line, type Model, type Row, type Tally } from "./model";
import { Share } from "./Share";
import { cellKey, type Walk } from "./use-walk";
import { cellName, sumName } from "./words";

type LineProps = {
  line: Line;
  /** Its place among the lines; -1 where it only repeats one. */
  at: number;
  /** Pixels from the top. */
  top: number;
  height: number;
  model: Model;
  walk: Walk;
  measures: Measures;
  failed: Deciding["failed"];
  onFold: (key: string, open: boolean) => void;
  /** Columns that are drawn. */
  shown: readonly number[];
};

/** A row of the grid. */
export function LineOf(props: LineProps) {
  const { line, at, top, height, model, walk, measures, shown } = props;
  const { row, open } = line;
  const here = walk.at.row === row.index;
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
        here && css.here,
      )}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <RowName {...props} here={here && walk.at.name && !repeated} />
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
}

function RowName({ line, at, walk, measures, onFold, here }: LineProps & { here: boolean }) {
  const { row, open } = line;
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
        walk.go({ row: row.index, column: walk.at.column, name: true });
        if (row.branch) onFold(row.key, !open);
      }}
    >
      <span className={css.twist}>{row.branch && <Chevron className="xs" aria-hidden />}</span>
      {row.number !== "" && <Id>{row.number}</Id>}
      <span className={`ell ${css.label}`}>{label}</span>
      {row.branch && <span className={`number ${css.count}`}>{whole(row.requirements)}</span>}
    </div>
  );
}

type GridCellProps = LineProps & {
  column: number;
  repeated: boolean;
  place: { insetInlineStart: number; width: number };
};

function GridCell({ line, column, model, walk, measures, failed, repeated, place }: GridCellProps) {
  const { row } = line;
  const report = model.columns[column];
  if (!report) return null;
  const spot = { row: row.index, column, name: false };
  const active = !repeated && walk.at.row === row.index && walk.at.column === column && !walk.at.name;
  const cell = model.cell(row.index, column);
  const tally = model.tally(row.index, column);
  const chosen = walk.selected.has(cellKey(row.key, report.report_id));
  const unsaved =
    row.requirement && failed({ requirement: row.id ?? "", report_id: report.report_id }) !== undefined;
  const press = (event: MouseEvent) =>
    event.ctrlKey || event.metaKey ? walk.toggle(spot) : walk.go(spot, event.shiftKey);
  return (
    <div
      role="gridcell"
      aria-colindex={column + 2}
      aria-label={row.requirement ? cellName(row, report, cell, unsaved) : sumName(row, report, tally)}
      aria-selected={row.requirement ? active || chosen : undefined}
      data-cell={repeated ? undefined : true}
      tabIndex={repeated ? undefined : active ? 0 : -1}
      className={classes(css.cell, active && css.active, chosen && css.chosen)}
      style={place}
      onClick={press}
    >
      {row.requirement ? (
        <span aria-hidden className={classes(css.block, cellLook(cell))}>
          <CellBody cell={cell} wide={measures.wide} unsaved={unsaved} />
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
