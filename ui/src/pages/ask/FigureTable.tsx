import { Fragment, type ReactNode, useLayoutEffect, useRef } from "react";
import type { FigureTableRow as Row, FigureTable as Table } from "@/api/types";
import { classes } from "@/kit/class-names";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./figure-table.module.css";

/** Pixels behind what is marked that are in sight, so that it is seen to go on there. */
const BEHIND = 24;

type FigureTableProps = {
  table: Table;
  /** What it is, for whom it is read out. */
  label: string;
};

/** Rows and columns around a figure as its source prints them: the figure is marked, or the place where it is missing. */
export function FigureTable({ table, label }: FigureTableProps) {
  const { head, rows } = table;
  const marked = new Set(rows.flatMap((row) => row.marked));
  const isOfWords = head.map((_, at) => rows.every(({ cells }) => /^[^\d]+$/.test(cells[at] ?? "")));
  const foot = [
    table.rows_after > 0 && t("ask.figures.rows_below", { count: table.rows_after }),
    table.columns_left_out > 0 && t("ask.figures.columns", { count: table.columns_left_out }),
  ].filter((each) => each !== false);
  const side = (at: number) => (at === 0 ? undefined : isOfWords[at] ? css.words : "align-end number");
  const region = useRef<HTMLDivElement>(null);
  // A table is shown for what is marked in it: a wide one begins where that is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another table has its mark elsewhere.
  useLayoutEffect(() => {
    const cell = region.current?.querySelector<HTMLElement>("[data-marked]");
    if (region.current && cell)
      region.current.scrollLeft = cell.offsetLeft + cell.offsetWidth + BEHIND - region.current.clientWidth;
  }, [table]);
  return (
    <ScrollRegion ref={region} label={t("ask.figures.table")} ways="across">
      <table className={css.table} aria-label={visible(label)}>
        <thead>
          <tr>
            {head.map((name, at) => {
              const Cell = name === "" ? "td" : "th";
              return (
                <Cell
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their place.
                  key={at}
                  {...(name !== "" && { scope: "col" })}
                  className={classes(side(at), marked.has(at) && css.on)}
                >
                  <bdi>{visible(name)}</bdi>
                </Cell>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their place.
            <Fragment key={index}>
              {row.rows_before > 0 && (
                <Folded columns={head.length}>
                  {t(index === 0 ? "ask.figures.rows_above" : "ask.figures.rows_between", {
                    count: row.rows_before,
                  })}
                </Folded>
              )}
              <tr className={row.marked.some((at) => row.cells[at] !== "") ? css.answers : undefined}>
                {row.cells.map((cell, at) =>
                  at === 0 ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: so do cells.
                    <th key={at} scope="row">
                      <bdi>{visible(cell)}</bdi>
                    </th>
                  ) : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: so do cells.
                    <Cell key={at} row={row} at={at} period={head[at] ?? ""} side={side(at)} />
                  ),
                )}
              </tr>
            </Fragment>
          ))}
          {foot.length > 0 && <Folded columns={head.length}>{foot.join(" · ")}</Folded>}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** What is left out of a table, in the place where it was. */
function Folded({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <tr className={css.folded}>
      <td colSpan={columns}>{children}</td>
    </tr>
  );
}

type CellProps = { row: Row; at: number; period: string; side: string | undefined };

function Cell({ row, at, period, side }: CellProps) {
  const cell = row.cells[at] ?? "";
  if (!row.marked.includes(at))
    return (
      <td className={side}>
        <bdi>{visible(cell)}</bdi>
      </td>
    );
  if (cell === "")
    return (
      <td className={classes(side, css.hole)} data-marked>
        <span className="sr-only">{t("ask.figures.of", { period })} </span>
        {t("figures.not_given")}
      </td>
    );
  return (
    <td className={classes(side, css.marked)} data-marked>
      <bdi>{visible(cell)}</bdi>
      <span className="sr-only">, {t("ask.figures.the_answer")}</span>
    </td>
  );
}
