import css from "./chart-table.module.css";
import { ScrollRegion } from "./ScrollRegion";

type ChartTableProps = {
  /** What the chart shows. */
  label: string;
  heads: readonly string[];
  rows: readonly (readonly (string | number)[])[];
};

/** The numbers of a chart. */
export function ChartTable({ label, heads, rows }: ChartTableProps) {
  return (
    <ScrollRegion className={css.table} label={label}>
      <table className="compact">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join()}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells keep their place.
                <td key={index} className="number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
