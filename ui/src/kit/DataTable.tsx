import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useMemo } from "react";
import { classes } from "./class-names";
import css from "./data-table.module.css";
import { useRowHeight } from "./density";
import placed from "./placed-row.module.css";
import { ScrollRegion } from "./ScrollRegion";
import { useVirtualRows } from "./virtual-rows";

/** A column of a {@link DataTable}. */
export type Column<Row> = {
  id: string;
  header: ReactNode;
  /** `active` says that the row is where the arrows stand: what is in it takes a stop of the Tab key there alone. */
  cell: (row: Row, active: boolean) => ReactNode;
  /** Width as a grid track, such as `90px` or `minmax(180px, 1fr)`. */
  width: string;
  /** Numbers stand at the end. */
  numeric?: boolean;
  /** What to sort by; a column without it does not sort. */
  sort?: (row: Row) => string | number;
};

type DataTableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Rows in all, where `rows` are only those loaded so far. */
  total?: number;
  /** Loads further rows: called near the end of those that are there, and, while the table is sorted, as long as rows come. */
  onMore?: () => void;
  selected?: string | null;
  onSelect?: (row: Row) => void;
  onOpen?: (row: Row) => void;
  /** Height of a row in pixels at standard density: 36 as a rule, 28 where many rows matter. */
  rowHeight?: number;
  /** The column that the rows are ordered by at first, the greatest before. */
  ordered?: string;
  /** Hears of the keys of the rows in the order in which they stand. */
  onOrder?: (keys: readonly string[]) => void;
  /** What stands below the row that is expanded. */
  detail?: { of: string | undefined; height: number; content: (row: Row) => ReactNode };
};

/** Rows before the end at which further ones are asked for. */
const AHEAD = 100;

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/** How a column sorts: numbers by their value, words as people order them. */
const sortable = <Row extends object>({ id, sort }: Column<Row>): ColumnDef<typeof features, Row> => ({
  id,
  accessorFn: (row) => sort?.(row) ?? 0,
  enableSorting: sort !== undefined,
  sortFn: (a, b, by) => {
    const left = a.getValue<string | number>(by);
    const right = b.getValue<string | number>(by);
    if (typeof left === "number" && typeof right === "number") return left - right;
    return String(left).localeCompare(String(right), undefined, { numeric: true });
  },
});

/** A table of any length that sorts by its heads and is walked with the arrows. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, selected, onSelect, onOpen, onMore, detail } = props;
  const total = Math.max(rows.length, props.total ?? 0);
  const rowHeight = useRowHeight(props.rowHeight ?? 36);
  const definitions = useMemo(() => columns.map(sortable), [columns]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowKey,
    enableMultiSort: false,
    initialState: props.ordered ? { sorting: [{ id: props.ordered, desc: true }] } : undefined,
  });
  const sorted = table.getRowModel().rows;
  const chosen = selected == null ? -1 : sorted.findIndex((row) => row.id === selected);
  const at = (index: number) => sorted[index]?.original;
  const { scroller, roving, virtual } = useVirtualRows({
    count: sorted.length,
    rowHeight,
    detail: detail && { index: sorted.findIndex(({ id }) => id === detail.of), height: detail.height },
    selected: chosen,
    onSelect: (index) => {
      const row = at(index);
      if (row) onSelect?.(row);
    },
    onOpen: onOpen
      ? (index) => {
          const row = at(index);
          if (row) onOpen(row);
        }
      : undefined,
  });
  const tellOrder = useEffectEvent(() => props.onOrder?.(sorted.map((row) => row.id)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: told again whenever the order changes.
  useEffect(() => tellOrder(), [sorted]);
  const ordered = columns.some(({ id }) => table.getColumn(id)?.getIsSorted());
  const last = virtual.range?.endIndex ?? 0;
  const loadMore = useEffectEvent(() => {
    // An order holds for all rows or for none.
    if (ordered || last + AHEAD >= rows.length) onMore?.();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again whenever the range or the rows change.
  useEffect(() => loadMore(), [last, rows.length, ordered]);
  const template = { gridTemplateColumns: columns.map((column) => column.width).join(" ") };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a grid, or a tree grid where rows expand.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both count their rows.
    <div
      role={detail ? "treegrid" : "grid"}
      aria-label={label}
      aria-rowcount={total + 1}
      className={css.grid}
      onKeyDown={roving.onKeyDown}
    >
      <div role="rowgroup">
        {/* biome-ignore lint/a11y/useFocusableInteractive: the heads that sort are buttons. */}
        <div role="row" aria-rowindex={1} className={css.head} style={template}>
          {columns.map((column) => {
            const model = table.getColumn(column.id);
            const order = model?.getIsSorted() ?? false;
            return <Head key={column.id} {...{ column, order }} onSort={() => model?.toggleSorting()} />;
          })}
        </div>
      </div>
      <ScrollRegion fill ref={scroller}>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: "relative" }}>
          {virtual.getVirtualItems().map((item) => {
            const row = sorted[item.index];
            if (!row) return null;
            return (
              <Line
                key={row.id}
                {...{ columns, detail }}
                row={row.original}
                index={item.index}
                expanded={detail && row.id === detail.of}
                chosen={item.index === chosen}
                active={item.index === roving.active}
                place={{
                  ...template,
                  gridTemplateRows: detail?.of === row.id ? `${rowHeight}px minmax(0, 1fr)` : undefined,
                  height: item.size,
                  transform: `translateY(${item.start}px)`,
                }}
                onPress={() => {
                  roving.setActive(item.index);
                  onSelect?.(row.original);
                }}
                onOpen={() => onOpen?.(row.original)}
              />
            );
          })}
        </div>
      </ScrollRegion>
    </div>
  );
}

type LineProps<Row> = Pick<DataTableProps<Row>, "columns" | "detail"> & {
  row: Row;
  index: number;
  /** Whether what stands below it is shown; nothing where no row has anything below. */
  expanded: boolean | undefined;
  chosen: boolean;
  /** The arrow keys stand on it. */
  active: boolean;
  place: CSSProperties;
  onPress: () => void;
  onOpen: () => void;
};

/** A row with its cells, and what stands below it. */
function Line<Row>(props: LineProps<Row>) {
  const { columns, detail, row, index, expanded, chosen, active, place, onPress, onOpen } = props;
  return (
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={chosen}
      aria-expanded={expanded}
      tabIndex={active ? 0 : -1}
      className={classes(placed.row, css.row, chosen && placed.on)}
      style={place}
      onClick={onPress}
      onDoubleClick={onOpen}
    >
      <Cells {...{ columns, row, active }} />
      {expanded && (
        // biome-ignore lint/a11y/useFocusableInteractive: rows take the focus.
        <div
          role="gridcell"
          aria-colspan={columns.length}
          className={css.detail}
          // Two quick presses on something in it are no wish to fold it away.
          onDoubleClick={(event) => event.stopPropagation()}
        >
          {detail?.content(row)}
        </div>
      )}
    </div>
  );
}

type HeadProps<Row> = { column: Column<Row>; order: false | "asc" | "desc"; onSort: () => void };

/** The head of a column, which says how the rows are ordered. */
function Head<Row>({ column, order, onSort }: HeadProps<Row>) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the heads that sort are buttons.
    <div
      role="columnheader"
      aria-sort={order === "asc" ? "ascending" : order === "desc" ? "descending" : undefined}
      className={column.numeric ? "align-end" : undefined}
    >
      {column.sort ? (
        <button type="button" className={css.sort} onClick={onSort}>
          {column.header}
          {order === "asc" && <IconArrowUp className="xs" aria-hidden />}
          {order === "desc" && <IconArrowDown className="xs" aria-hidden />}
        </button>
      ) : (
        column.header
      )}
    </div>
  );
}

type CellsProps<Row> = Pick<DataTableProps<Row>, "columns"> & { row: Row; active: boolean };

/** The cells of a row. */
function Cells<Row>({ columns, row, active }: CellsProps<Row>) {
  return columns.map((column) => (
    // biome-ignore lint/a11y/useFocusableInteractive: rows take the focus.
    <div key={column.id} role="gridcell" className={column.numeric ? "align-end number" : undefined}>
      {column.cell(row, active)}
    </div>
  ));
}
