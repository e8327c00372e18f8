import { useMemo } from "react";
import type { Matrix, MatrixRow } from "@/api/types";
import { Curve } from "@/kit/Curve";
import { measureName } from "@/parts/measure";
import { paramName } from "@/parts/strategy";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./matrix.module.css";
import { type MatrixSearch, sweptBy } from "./matrix-plan";

type SweepProps = { rows: readonly MatrixRow[]; searches: readonly MatrixSearch[]; found: Matrix };

/** Where the rows differ in one number alone: how the measure follows it, a curve for each way of searching. */
export function Sweep({ rows, searches, found }: SweepProps) {
  const swept = useMemo(() => sweptBy(rows), [rows]);
  const curves = useMemo(
    () =>
      swept
        ? searches.flatMap((search, index) => {
            const points = found.cells.flatMap(({ place, value, interval }) => {
              const at = swept.values[place.row];
              if (place.column !== index || value === null || at === undefined) return [];
              return [{ at, value, low: interval?.[0], high: interval?.[1] }];
            });
            return points.length > 1 ? [{ search, points }] : [];
          })
        : [],
    [searches, found.cells, swept],
  );
  if (!swept || curves.length === 0) return null;
  const x = paramName({ name: swept.param });
  return (
    <section className={css.sweep} aria-label={t("evaluate.matrix.sweep.title", { param: x })}>
      <h3 className="h2">{t("evaluate.matrix.sweep.title", { param: x })}</h3>
      <div className={css.curves}>
        {curves.map(({ search, points }) => (
          <figure key={search.id}>
            <figcaption className="xs mut">{visible(search.name)}</figcaption>
            <Curve
              label={t("evaluate.matrix.sweep.chart", {
                measure: measureName(found.measure),
                param: x,
                column: visible(search.name),
              })}
              x={x}
              y={measureName(found.measure)}
              points={points}
            />
          </figure>
        ))}
      </div>
    </section>
  );
}
