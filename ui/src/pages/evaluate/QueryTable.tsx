import { memo, type ReactNode, useMemo } from "react";
import { classes } from "@/kit/class-names";
import { type Column, DataTable } from "@/kit/DataTable";
import { Dumbbell } from "@/kit/Dumbbell";
import { Id } from "@/kit/Id";
import { Name } from "@/kit/Name";
import { Tag } from "@/kit/Pill";
import { Sparkline } from "@/kit/Sparkline";
import { tip } from "@/kit/Tooltip";
import { labelName } from "@/parts/gold";
import { isCount, isTime, measured, measureName, outcomeOf, signed } from "@/parts/measure";
import { t } from "@/text";
import css from "./query-table.module.css";
import type { Histories, QueryRow } from "./rows";

const COLOUR = { better: "c-ok", same: "mut", worse: "c-bad" };
const ROW = 28;
/** Pixels of an expanded row below its line: two rankings of ten, with their head. */
const DETAIL = 292;

/** Ranks that nothing reaches: rows without a hit are sorted behind all others. */
const NOWHERE = 1e9;

type QueryTableProps = {
  rows: readonly QueryRow[];
  measure: string;
  /** How many runs there are values of. */
  runs: "none" | "one" | "pair";
  /** How each query went over the runs of the set; nothing where that is not shown. */
  histories: Histories | undefined;
  /** Place in the histories of the run that is looked at. */
  at: number | undefined;
  selected: string | undefined;
  onSelect: (id: string) => void;
  expanded: string | undefined;
  onExpand: (id: string) => void;
  detail: (row: QueryRow) => ReactNode;
  /** Hears of the ids in the order of the table. */
  onOrder: (ids: readonly string[]) => void;
  narrow: boolean;
};

/** Every query with both values, those that changed most first; a row expands to both rankings. */
export const QueryTable = memo(function QueryTable(props: QueryTableProps) {
  const { rows, measure, runs, histories, at, selected, onSelect, expanded, onExpand, detail, narrow } =
    props;
  const columns = useMemo(
    () => [
      ...columnsOf(measure, runs, narrow),
      ...(histories ? [historyColumn(histories, at, measure)] : []),
    ],
    [measure, runs, narrow, histories, at],
  );
  return (
    <DataTable
      // Another order needs another table: a run alone has no change to sort by.
      key={runs}
      label={t("evaluate.table.title", { measure: measureName(measure) })}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      rowHeight={ROW}
      ordered={runs === "pair" ? "change" : undefined}
      selected={selected}
      onSelect={(row) => onSelect(row.id)}
      onOrder={props.onOrder}
      onOpen={runs === "none" ? undefined : (row) => onExpand(row.id)}
      detail={runs === "none" ? undefined : { of: expanded, height: DETAIL, content: detail }}
    />
  );
});

function columnsOf(measure: string, runs: QueryTableProps["runs"], narrow: boolean): Column<QueryRow>[] {
  const paired = runs === "pair";
  const ran = runs !== "none";
  const share = !isTime(measure) && !isCount(measure);
  const value = (each: number | null) => measured(measure, each, 2);
  const columns: (Column<QueryRow> | false)[] = [
    {
      id: "id",
      header: t("evaluate.table.id"),
      width: "72px",
      sort: (row) => row.id,
      cell: (row) => <Id className="mut">{row.id}</Id>,
    },
    {
      id: "query",
      header: t("evaluate.table.query"),
      width: "minmax(150px, 1.6fr)",
      sort: (row) => row.text,
      cell: (row) => <Name className={css.query}>{row.text}</Name>,
    },
    (!narrow || !ran) && {
      id: "expected",
      header: t("evaluate.table.expected"),
      width: "minmax(90px, 1fr)",
      cell: (row) => <Expected row={row} />,
    },
    ran && {
      id: "first",
      header: t("evaluate.table.first"),
      // A rank goes to a thousand and more; two of them stand here.
      width: paired ? "92px" : "76px",
      numeric: true,
      sort: (row) => row.firstAfter ?? NOWHERE,
      cell: (row) => <FirstHit row={row} paired={paired} />,
    },
    ran &&
      share && {
        id: "line",
        header: (
          <span className="row gap-10" aria-hidden>
            {paired && (
              <span className="row gap-4">
                <i className={css.before} />
                {t("evaluate.pair.a")}
              </span>
            )}
            <span className="row gap-4">
              <i className={css.after} />
              {t("evaluate.pair.b")}
            </span>
          </span>
        ),
        width: narrow ? "104px" : "138px",
        cell: (row) => <Dumbbell before={paired ? row.before : null} after={row.after} />,
      },
    paired && {
      id: "before",
      header: t("evaluate.table.before"),
      width: "66px",
      numeric: true,
      sort: (row) => row.before ?? -1,
      cell: (row) => <span className="sec">{value(row.before)}</span>,
    },
    ran && {
      id: "after",
      header: t(paired ? "evaluate.table.after" : "evaluate.table.value"),
      width: "62px",
      numeric: true,
      sort: (row) => row.after ?? -1,
      cell: (row) => <b className={css.value}>{value(row.after)}</b>,
    },
    paired && {
      id: "change",
      header: t("evaluate.table.change"),
      width: "84px",
      numeric: true,
      sort: (row) => Math.abs(row.change ?? 0),
      cell: (row) =>
        row.change === null ? (
          <span className="mut">—</span>
        ) : (
          <span className={classes(css.value, COLOUR[outcomeOf(row.change, measure)])}>
            {signed(row.change, 2)}
          </span>
        ),
    },
  ];
  return columns.filter((column) => column !== false);
}

/** How each query went over the runs. */
const historyColumn = (histories: Histories, at: number | undefined, measure: string): Column<QueryRow> => ({
  id: "runs",
  header: t("evaluate.table.runs"),
  width: "72px",
  cell: (row) => {
    const values = histories.get(row.id) ?? [];
    const words = t("evaluate.table.history", {
      values: values.map((value) => measured(measure, value, 2)).join(", "),
    });
    return (
      <span role="img" aria-label={words} {...tip(words)}>
        <Sparkline values={values} at={at} width={56} height={ROW - 8} />
      </span>
    );
  },
});

/** What is expected: the first names, and how many more there are. */
function Expected({ row }: { row: QueryRow }) {
  if (row.expected.length === 0) return <Tag>{t("evaluate.table.not_found")}</Tag>;
  return (
    <span className={classes("row gap-4", css.expected)} {...tip(row.expected.map(labelName).join(", "))}>
      {row.expected.slice(0, 2).map((name, index) => (
        <span key={name} className="ell">
          <Id>{labelName(name)}</Id>
          {index === 0 && row.expected.length > 1 && <span className="mut">,</span>}
        </span>
      ))}
      {row.expected.length > 2 && <span className="xs mut nowrap">+{row.expected.length - 2}</span>}
    </span>
  );
}

/** Rank of the first relevant hit before and after. */
function FirstHit({ row, paired }: { row: QueryRow; paired: boolean }) {
  const rank = (each: number | null) => (each === null ? "—" : String(each));
  if (row.expected.length === 0) return <span className="mut">—</span>;
  return (
    <>
      {paired && <span className="mut">{rank(row.firstBefore)} → </span>}
      {rank(row.firstAfter)}
    </>
  );
}
