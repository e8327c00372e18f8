import { IconChevronDown, IconChevronRight, IconEqualNot, IconHistory, IconTilde } from "@tabler/icons-react";
import { type KeyboardEvent, useRef } from "react";
import { classes } from "@/kit/class-names";
import { useRowHeight } from "@/kit/density";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { focusCell, useVirtualGrid } from "@/kit/virtual-rows";
import { t } from "@/text";
import { whole } from "@/text/format";
import css from "./grid.module.css";
import { cellName, columnName, periodAndKind, periodOf, rowName, severalIn } from "./names";
import type { Cell, Column, Mark, Row } from "./pivot";
import { HEAD, type Line, type Sheet, type Track, unitWords, WHAT } from "./sheet";
import type { Walk } from "./use-walk";

const ICONS = { conflict: IconEqualNot, restated: IconHistory, rounded: IconTilde };

/** The sign of a mark; its word stands in the name of the cell. */
export function MarkIcon({ mark }: { mark: Mark }) {
  const Icon = ICONS[mark];
  return <Icon className="xs" aria-hidden />;
}

type GridProps = {
  sheet: Sheet;
  walk: Walk;
  onFold: (group: string) => void;
};

/** The figures: what they are of down, whose and of when across. */
export function Grid({ sheet, walk, onFold }: GridProps) {
  const { lines, tracks, columns, width } = sheet;
  const height = useRowHeight(29);
  const scroller = useRef<HTMLDivElement>(null);
  const { at } = walk;
  const { down, across } = useVirtualGrid({
    scroller,
    rows: { count: lines.length, height, active: at.line, head: HEAD },
    columns: {
      count: tracks.length,
      width: (index) => tracks[index]?.width ?? 0,
      active: tracks.findIndex(({ column }) => column === at.column),
      name: WHAT,
    },
    sizes: sheet,
    cell: walk.taken ? `${at.line} ${at.column}` : undefined,
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const root = event.currentTarget;
    if (!(event.target as HTMLElement).hasAttribute("data-cell") || !walk.onKey(event)) return;
    event.preventDefault();
    focusCell(root);
  };
  const shown = across.getVirtualItems().flatMap(({ index }) => tracks[index] ?? []);
  return (
    <div
      role="treegrid"
      aria-label={t("figures.table")}
      aria-multiselectable
      aria-rowcount={lines.length + 1}
      aria-colcount={columns.length + 1}
      className={css.grid}
      onKeyDown={onKeyDown}
    >
      <ScrollRegion fill ref={scroller} role="presentation">
        <Head sheet={sheet} at={columns[at.column]?.key} />
        <div
          role="rowgroup"
          className={css.body}
          style={{ width: `max(100%, ${width}px)`, height: down.getTotalSize() }}
        >
          {down.getVirtualItems().map((item) => {
            const line = lines[item.index];
            if (!line) return null;
            const place = { height, transform: `translateY(${item.start - HEAD}px)` };
            return (
              <LineOf
                key={item.key}
                {...{ line, sheet, walk, onFold, place, tracks: shown }}
                index={item.index}
              />
            );
          })}
        </div>
      </ScrollRegion>
    </div>
  );
}

/** Issuers over reports over periods. */
function Head({ sheet, at }: { sheet: Sheet; at: string | undefined }) {
  const { issuers, reports, tracks, columns, width } = sheet;
  return (
    <div role="rowgroup" className={css.head} style={{ width: `max(100%, ${width}px)`, height: HEAD }}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: its cells only name the columns. */}
      <div role="row" aria-rowindex={1} className={css.heads}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: as above. */}
        <div role="columnheader" aria-colindex={1} className={css.corner} style={{ width: WHAT }}>
          {t("figures.what")}
        </div>
        {issuers.map(({ key, name, start, width: across }) => (
          <span
            key={key}
            aria-hidden
            className={css.issuer}
            style={{ insetInlineStart: start, width: across }}
          >
            <b className="ell" style={{ insetInlineStart: WHAT + 8 }} data-tip={name}>
              {name}
            </b>
          </span>
        ))}
        {reports.map(({ key, name, start, width: across }) => (
          <span
            key={key}
            aria-hidden
            className={css.report}
            style={{ insetInlineStart: start, width: across }}
          >
            <span className="ell" data-tip={name}>
              {name}
            </span>
          </span>
        ))}
        {tracks.map(({ key, column, start, width: across }) => {
          const place = { insetInlineStart: start, width: across };
          const of = column === undefined ? undefined : columns[column];
          if (!of || column === undefined)
            return (
              <span key={key} aria-hidden className={`${css.period} ${css.unitHead}`} style={place}>
                {t("figures.unit")}
              </span>
            );
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: as above.
            <div
              key={key}
              role="columnheader"
              aria-colindex={column + 2}
              aria-label={columnName(of)}
              data-tip={`${of.title} · ${periodAndKind(of)}`}
              className={classes(css.period, of.key === at && css.on, of.year === null && "mut")}
              style={place}
            >
              {periodOf(of)}
              {of.kind !== "actual" && <span className={css.kind}>{t(`figures.kind.${of.kind}`)}</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}

type LineProps = {
  line: Line;
  index: number;
  sheet: Sheet;
  walk: Walk;
  onFold: (group: string) => void;
  tracks: readonly Track[];
  place: { height: number; transform: string };
};

function LineOf({ line, index, sheet, walk, onFold, tracks, place }: LineProps) {
  const here = walk.at.line === index;
  const { row, group } = line;
  if (!row)
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: its cell takes the focus.
      <div role="row" aria-rowindex={index + 2} aria-expanded={line.open} className={css.group} style={place}>
        <div
          role="gridcell"
          data-cell
          tabIndex={here ? 0 : -1}
          className={css.what}
          data-tip={group.path || undefined}
          onClick={() => {
            walk.go({ line: index, column: walk.at.column });
            onFold(group.key);
          }}
        >
          {line.open ? (
            <IconChevronDown className="xs" aria-hidden />
          ) : (
            <IconChevronRight className="xs" aria-hidden />
          )}
          <b className="ell">{group.heading || t("figures.no_heading")}</b>
          <span className="micro mut number">{whole(group.rows.length)}</span>
        </div>
      </div>
    );
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus.
    <div role="row" aria-rowindex={index + 2} className={classes(css.row, here && css.here)} style={place}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: it only names the row. */}
      <div
        role="rowheader"
        aria-colindex={1}
        className={css.what}
        style={{ width: WHAT }}
        data-tip={rowName(row)}
      >
        {row.names.length > 1 && (
          <>
            <span className={`mut ell ${css.above}`}>{row.names.slice(0, -1).join(" › ")}</span>
            <span className="mut">›</span>
          </>
        )}
        <span className={`ell ${css.name}`}>{row.names.at(-1)}</span>
      </div>
      {tracks.map((track) => (
        <TrackOf key={track.key} {...{ track, row, sheet, walk, index }} />
      ))}
    </div>
  );
}

type TrackProps = { track: Track; row: Row; sheet: Sheet; walk: Walk; index: number };

function TrackOf({ track, row, sheet, walk, index }: TrackProps) {
  const place = { insetInlineStart: track.start, width: track.width };
  const column = track.column === undefined ? undefined : sheet.columns[track.column];
  const unit = row.units.get(track.issuer) ?? "";
  if (!column || track.column === undefined) {
    const words = unitWords(row, track.issuer);
    return (
      <span aria-hidden className={`${css.unit} ell`} style={place} data-tip={words}>
        {words}
      </span>
    );
  }
  const to = { line: index, column: track.column };
  return (
    <Value
      {...{ row, column, unit, place }}
      cell={row.cells.get(column.key)}
      first={track.first}
      active={walk.at.line === index && walk.at.column === track.column}
      chosen={walk.chosen(to)}
      onGo={(extend) => walk.go(to, extend)}
      onOpen={walk.open}
      at={track.column}
    />
  );
}

type ValueProps = {
  row: Row;
  column: Column;
  cell: Cell | undefined;
  /** The unit that stands before it. */
  unit: string;
  /** Whether its report begins here. */
  first: boolean;
  active: boolean;
  chosen: boolean;
  place: { insetInlineStart: number; width: number };
  at: number;
  onGo: (extend: boolean) => void;
  onOpen: () => void;
};

function Value({ row, column, cell, unit, first, active, chosen, place, at, onGo, onOpen }: ValueProps) {
  const own = cell?.shown.unit ?? "";
  const more = cell && !cell.mark ? severalIn(cell) - 1 : 0;
  return (
    <div
      role="gridcell"
      aria-colindex={at + 2}
      aria-label={cellName(row, column, cell)}
      aria-selected={chosen}
      data-cell
      tabIndex={active ? 0 : -1}
      className={classes(
        css.value,
        first && css.first,
        cell?.mark && css[cell.mark],
        chosen && css.chosen,
        active && css.active,
      )}
      style={place}
      onClick={(event) => onGo(event.shiftKey)}
      onDoubleClick={onOpen}
    >
      {cell ? (
        <>
          {cell.mark && (
            <span className={css.mark}>
              <MarkIcon mark={cell.mark} />
            </span>
          )}
          {cell.figure.status === "estimate" && <span className={css.kind}>≈</span>}
          <bdi className="number">{cell.shown.number}</bdi>
          {more > 0 && <span className={css.kind}>+{more}</span>}
          {own !== unit && <span className={`${css.own} ell`}>{own || "–"}</span>}
        </>
      ) : (
        <span className={css.none}>–</span>
      )}
    </div>
  );
}
