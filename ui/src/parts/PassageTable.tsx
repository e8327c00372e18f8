import type { ReactNode } from "react";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { t } from "@/text";
import type { Cell } from "./passage";
import css from "./passage-table.module.css";

type PassageTableProps = {
  rows: readonly (readonly Cell[])[];
  /** Whether the first row names the columns. */
  header: boolean;
  /** Shows the text that begins at a place of the passage. */
  words: (text: string, at: number) => ReactNode;
};

/** Numbers with their signs and units, and what stands where there is none. */
const NUMBER = /^[(\s+−–-]*[$€£]?\s?[\d.,\s]*\d[\d.,\s]*\)?\s?[%‰]?\)?$/;

const NONE = /^(?:[-–—]|n\/?a)?$/i;

/** A table of a passage. What is wider than its pane is scrolled to. */
export function PassageTable({ rows, header, words }: PassageTableProps) {
  const body = header ? rows.slice(1) : rows;
  const [names] = rows;
  // Columns of numbers are set to the right.
  const numbers = names?.map((_, at) => {
    const column = body.flatMap((cells) => cells[at]?.text ?? []);
    return (
      column.some((text) => NUMBER.test(text)) && column.every((text) => NUMBER.test(text) || NONE.test(text))
    );
  });
  const line = (cells: readonly Cell[], Kind: "td" | "th") => (
    <tr key={cells[0]?.start}>
      {cells.map(({ start, text }, at) => (
        <Kind
          key={start}
          {...(Kind === "th" && { scope: "col" })}
          {...(numbers?.[at] && { className: css.number })}
        >
          {words(text, start)}
        </Kind>
      ))}
    </tr>
  );
  return (
    <ScrollRegion label={t("hit.table")} className={css.scroll}>
      <table className={css.table}>
        {header && names && <thead>{line(names, "th")}</thead>}
        <tbody>{body.map((cells) => line(cells, "td"))}</tbody>
      </table>
    </ScrollRegion>
  );
}
