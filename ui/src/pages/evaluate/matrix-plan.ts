// A matrix of configurations as it is set up: ways of cutting by ways of searching. Kept between starts.

import { SEARCH_DEFAULTS } from "@/api/defaults";
import type { MatrixPlan, MatrixRow, ModelView, ParamView, SearchRequest, StrategyView } from "@/api/types";
import { searchOf } from "@/parts/run-search";
import { strategyName } from "@/parts/strategy";
import { t } from "@/text";
import { cutWords } from "./runs";

/** Ways of searching that a matrix is offered with. */
export const COLUMNS = ["keyword", "semantic", "scores", "rrf", "rerank"] as const;

/** A way of searching. */
export type ColumnName = (typeof COLUMNS)[number];

/** What a matrix is made of. `spaces` are those of its models; the best in use where there is none. */
export type Axes = { corpora: string[]; rows: MatrixRow[]; columns: ColumnName[]; spaces: string[] };

/** A column of a matrix: a way of searching, with a model where it has one of its own. */
export type MatrixSearch = { id: string; name: string; search: SearchRequest };

/** Most rows: a sweep of a thousand steps would be a slip. */
export const MOST_ROWS = 40;

/** The corpora as they are cut now, by the lists of the engine’s own search. */
export const firstAxes = (corpora: readonly string[]): Axes => ({
  corpora: corpora.slice(0, 1),
  rows: [{ name: t("evaluate.matrix.as_stored"), strategy: null, settings: {} }],
  columns: ["keyword", "semantic", "scores"],
  spaces: [],
});

const keyOf = (workspace: string, set: string) => `sibyl.matrix.${JSON.stringify([workspace, set])}`;

/** The matrix that was set up last for a gold set; nothing where there is none. */
export function keptAxes(workspace: string, set: string): Axes | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(workspace, set)) ?? "null");
    // A matrix of an earlier version names no models.
    return kept && typeof kept === "object" && "rows" in kept
      ? { spaces: [], ...(kept as Omit<Axes, "spaces">) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a matrix for the next start. */
export const keepAxes = (workspace: string, set: string, axes: Axes): void =>
  localStorage.setItem(keyOf(workspace, set), JSON.stringify(axes));

const SEARCHES: Record<ColumnName, Partial<SearchRequest>> = {
  keyword: { mode: "keyword" },
  semantic: { mode: "semantic" },
  scores: { mode: "hybrid", fusion: "scores" },
  rrf: { mode: "hybrid", fusion: "rrf" },
  rerank: { mode: "hybrid", fusion: "scores", rerank: true },
};

/** A way of searching with the model of a space, or with the best in use. */
const columnSearch = (column: ColumnName, space: string | null): SearchRequest =>
  searchOf({
    ...SEARCH_DEFAULTS,
    mode: "hybrid",
    rerank: false,
    space,
    corpora: [],
    ...SEARCHES[column],
  });

/** The columns: each way of searching by meaning with each model, and that by words once. */
export const searchesOf = ({ columns, spaces }: Axes, models: readonly ModelView[]): MatrixSearch[] =>
  columns.flatMap((column) => {
    const name = t(`evaluate.matrix.columns.${column}`);
    if (column === "keyword" || spaces.length === 0)
      return [{ id: column, name, search: columnSearch(column, null) }];
    return spaces.map((space) => {
      const model = models.find((each) => each.space_id === space)?.space.model ?? space;
      return {
        id: `${column} ${space}`,
        name: t("evaluate.matrix.with_model", { search: name, model }),
        search: columnSearch(column, space),
      };
    });
  });

/** The matrix as the engine takes it. */
export const planOf = (
  set: string,
  { corpora, rows }: Axes,
  searches: readonly MatrixSearch[],
  measure: string,
): MatrixPlan => ({
  set,
  corpora,
  rows,
  columns: searches.map(({ name, search }) => ({ name, search })),
  measures: [],
  measure,
});

/** A way of cutting with its name: `Recursive 320/48`. */
export function rowOf(strategy: StrategyView, values: Record<string, number | boolean | string>): MatrixRow {
  const usual = Object.fromEntries(strategy.params.map((param) => [param.name, param.default]));
  const settings = { ...usual, ...values };
  return { name: cutWords({ strategy: strategy.name, settings }), strategy: strategy.name, settings };
}

/** Every value of a sweep, the ends included; none where it has no end. */
export function sweepValues(from: number, to: number, step: number): number[] {
  if (!(step > 0) || to < from) return [];
  const values: number[] = [];
  for (let at = 0; at < MOST_ROWS && from + at * step <= to; at += 1) values.push(from + at * step);
  return values;
}

/** The rows that sweep a parameter of a strategy; the name tells the value. */
export const sweepRows = (
  strategy: StrategyView,
  param: ParamView,
  values: readonly number[],
  name: (param: ParamView) => string,
): MatrixRow[] =>
  values.map((value) => ({
    ...rowOf(strategy, { [param.name]: value }),
    name: `${strategyName(strategy.name)} · ${name(param)} ${value}`,
  }));

/** A number that a matrix sweeps: its name, and its value in each row; none in a row of another kind. */
export type Swept = { param: string; values: (number | undefined)[] };

/** The one number in which the rows of a strategy differ, beside the corpus as it is; nothing where they differ otherwise. */
export function sweptBy(rows: readonly MatrixRow[]): Swept | undefined {
  const cut = rows.filter((row) => row.strategy);
  const [first] = cut;
  if (!first || cut.length < 3 || cut.some((row) => row.strategy !== first.strategy)) return undefined;
  const names = new Set(cut.flatMap((row) => Object.keys(row.settings)));
  const varied = [...names].filter((name) => cut.some((row) => row.settings[name] !== first.settings[name]));
  const [param] = varied;
  if (varied.length !== 1 || param === undefined) return undefined;
  const sizeIn = (row: MatrixRow) => {
    const value = row.strategy ? row.settings[param] : undefined;
    return typeof value === "number" ? value : undefined;
  };
  return cut.every((row) => sizeIn(row) !== undefined) ? { param, values: rows.map(sizeIn) } : undefined;
}
