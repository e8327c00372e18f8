import { useMemo } from "react";
import type { Matrix, MatrixRow } from "@/api/types";
import { Curve } from "@/kit/Curve";
import { measureName } from "@/parts/measure";
import { paramName } from "@/parts/strategy";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./matrix.module.css";
import { type MatrixSearch, type SearchNumber, sweptBy } from "./matrix-plan";

type CurvesProps = {
  title: string;
  x: string;
  measure: string;
  curves: readonly { name: string; points: readonly Point[] }[];
};

type Point = { at: number; value: number; low?: number | undefined; high?: number | undefined };

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
            return points.length > 1 ? [{ name: search.name, points }] : [];
          })
        : [],
    [searches, found.cells, swept],
  );
  if (!swept || curves.length === 0) return null;
  return <Curves {...titled(paramName({ name: swept.param }))} measure={found.measure} curves={curves} />;
}

type SearchSweepProps = SweepProps & { param: SearchNumber | undefined };

/** Where columns sweep a number of the search: how the measure follows it, a curve for each chunking and model. */
export function SearchSweepCurves({ rows, searches, found, param }: SearchSweepProps) {
  const curves = useMemo(() => {
    const models = [...new Set(searches.flatMap(({ swept }) => swept?.model ?? []))];
    return rows.flatMap((row, index) =>
      models.flatMap((model) => {
        const points = found.cells.flatMap(({ place, value, interval }) => {
          const swept = searches[place.column]?.swept;
          if (place.row !== index || swept?.model !== model || value === null) return [];
          return [{ at: swept.at, value, low: interval?.[0], high: interval?.[1] }];
        });
        const name = [row.name, model].filter(Boolean).join(" · ");
        return points.length > 1 ? [{ name, points }] : [];
      }),
    );
  }, [rows, searches, found.cells]);
  if (param === undefined || curves.length === 0) return null;
  return (
    <Curves
      {...titled(t(`evaluate.matrix.search_numbers.${param}`))}
      measure={found.measure}
      curves={curves}
    />
  );
}

const titled = (x: string) => ({ x, title: t("evaluate.matrix.sweep.title", { param: x }) });

function Curves({ title, x, measure, curves }: CurvesProps) {
  return (
    <section className={css.sweep} aria-label={title}>
      <h3 className="h2">{title}</h3>
      <div className={css.curves}>
        {curves.map(({ name, points }) => (
          <figure key={name}>
            <figcaption className="xs mut">{visible(name)}</figcaption>
            <Curve
              label={t("evaluate.matrix.sweep.chart", {
                measure: measureName(measure),
                param: x,
                column: visible(name),
              })}
              x={x}
              y={measureName(measure)}
              points={points}
            />
          </figure>
        ))}
      </div>
    </section>
  );
}
