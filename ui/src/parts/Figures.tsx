import type { ReactNode } from "react";
import { classes } from "@/kit/class-names";
import { tip } from "@/kit/Tooltip";
import css from "./figures.module.css";

/** A figure of what is compared. */
export type Figure = {
  name: string;
  /** What the name means. */
  title?: string;
  /** One cell each: both sides, or one that names both. */
  values: readonly string[];
  change?: string;
  /** Whether the change is for the better. */
  better?: boolean;
};

type FiguresProps = {
  rows: readonly Figure[];
  /** Heads of the columns: name, values, change. */
  head?: readonly ReactNode[];
};

/** Figures of two things that are compared, one a line, with how they changed. */
export function Figures({ rows, head }: FiguresProps) {
  return (
    <table className="compact">
      {head && (
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places.
              <th key={index} className={index > 0 ? "align-end" : undefined}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(({ name, title, values, change, better }) => (
          <tr key={name}>
            <td {...tip(title)}>{name}</td>
            {values.map((value, index) => (
              <td
                // biome-ignore lint/suspicious/noArrayIndexKey: values keep their columns.
                key={index}
                className={classes(
                  "align-end number",
                  values.length === 1 && css.only,
                  values.length > 1 && index === 0 && "sec",
                )}
              >
                {value}
              </td>
            ))}
            <td
              className={classes(
                "align-end number nowrap",
                better !== undefined && (better ? "c-ok" : "c-bad"),
              )}
            >
              {change}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
