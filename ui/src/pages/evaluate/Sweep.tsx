import { useMemo } from "react";
import type { Matrix } from "@/api/types";
import { Curve } from "@/kit/Curve";
import { measureName } from "@/parts/measure";
import { paramName } from "@/parts/strategy";
import { t } from "@/text";
import css from "./matrix.module.css";
import { type Axes, sweptBy } from "./matrix-plan";

/** Where the rows differ in one number alone: how the measure follows it, a curve for each way of searching. */
export function Sweep({ axes, found }: { axes: Axes; found: Matrix }) {
  const swept = useMemo(() => sweptBy(axes.rows), [axes.rows]);
  const curves = useMemo(
    () =>
      swept
        ? axes.columns.flatMap((column, index) => {
            const points = found.cells.flatMap(({ place, value, interval }) => {
              const at = swept.values[place.row];
              if (place.column !== index || value === null || at === undefined) return [];
              return [{ at, value, low: interval?.[0], high: interval?.[1] }];
            });
            return points.length > 1 ? [{ column, points }] : [];
          })
        : [],
    [axes.columns, found.cells, swept],
  );
  if (!swept || curves.length === 0) return null;
  const x = paramName({ name: swept.param });
  return (
    <section className={css.sweep} aria-label={t("evaluate.matrix.sweep.title", { param: x })}>
      <h3 className="h2">{t("evaluate.matrix.sweep.title", { param: x })}</h3>
      <div className={css.curves}>
        {curves.map(({ column, points }) => (
          <figure key={column}>
            <figcaption className="xs mut">{t(`evaluate.matrix.columns.${column}`)}</figcaption>
            <Curve
              label={t("evaluate.matrix.sweep.chart", {
                measure: measureName(found.measure),
                param: x,
                column: t(`evaluate.matrix.columns.${column}`),
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
