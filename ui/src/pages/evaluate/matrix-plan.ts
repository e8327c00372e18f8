// A matrix of configurations as it is set up: ways of cutting by ways of searching. Kept between starts.

import { SEARCH_DEFAULTS } from "@/api/defaults";
import type {
  Matrix,
  MatrixPlan,
  MatrixRow,
  ModelView,
  ParamView,
  SearchRequest,
  StrategyView,
} from "@/api/types";
import { searchOf } from "@/parts/run-search";
import { paramName, strategyName, type Value, valueName } from "@/parts/strategy";
import { t } from "@/text";
import { upTo } from "@/text/format";
import { cutWords, toldSizes } from "./runs";
import { MEASURE } from "./state";

/** Ways of searching that a matrix is offered with. */
export const COLUMNS = ["keyword", "semantic", "scores", "rrf", "rerank"] as const;

/** A way of searching. */
export type ColumnName = (typeof COLUMNS)[number];

/** What a matrix is made of. `spaces` are those of its models; the best in use where there is none. */
export type Axes = {
  corpora: string[];
  rows: MatrixRow[];
  columns: ColumnName[];
  spaces: string[];
  /** A number of the search that is swept, in columns of its own. */
  sweep?: SearchSweep | undefined;
};

/** A column of a matrix: a way of searching, with a model where it has one of its own. */
export type MatrixSearch = {
  id: string;
  name: string;
  search: SearchRequest;
  /** The value of the swept number, and the model that it is swept with. */
  swept?: { at: number; model: string };
};

/** The numbers of a search that can be swept, each with the fusion that it belongs to and what is usual. */
export const SEARCH_NUMBERS = {
  semantic_share: { column: "scores", from: 0, to: 1, step: 0.1, max: 1, digits: 2 },
  rrf_k: { column: "rrf", from: 20, to: 100, step: 20, max: 1000, digits: 0 },
  semantic_weight: { column: "rrf", from: 0.5, to: 2, step: 0.5, max: 100, digits: 2 },
  keyword_weight: { column: "rrf", from: 0.5, to: 2, step: 0.5, max: 100, digits: 2 },
} as const satisfies Record<
  string,
  { column: ColumnName } & Record<"from" | "to" | "step" | "max" | "digits", number>
>;

/** A number of a search. */
export type SearchNumber = keyof typeof SEARCH_NUMBERS;

/** A number of a search with the values that it takes. */
export type SearchSweep = { param: SearchNumber; values: number[] };

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

/** The columns of a sweep: each value with each model. */
function sweptSearches({ sweep, spaces }: Axes, models: readonly ModelView[]): MatrixSearch[] {
  if (!sweep) return [];
  const { param, values } = sweep;
  const { column } = SEARCH_NUMBERS[param];
  return [...(spaces.length > 0 ? spaces : [null])].flatMap((space) =>
    values.map((at) => {
      const model = modelName(space, models);
      const search = t("evaluate.matrix.swept", {
        search: t(`evaluate.matrix.columns.${column}`),
        param: t(`evaluate.matrix.search_numbers.${param}`),
        value: upTo(at, 2),
      });
      return {
        id: `${param} ${at} ${space ?? ""}`,
        name: model === "" ? search : t("evaluate.matrix.with_model", { search, model }),
        search: { ...columnSearch(column, space), [param]: at },
        swept: { at, model },
      };
    }),
  );
}

const modelName = (space: string | null, models: readonly ModelView[]): string =>
  space === null ? "" : (models.find((each) => each.space_id === space)?.space.model ?? space);

/** The columns: each way of searching by meaning with each model, that by words once, and those of the sweep. */
export const searchesOf = (axes: Axes, models: readonly ModelView[]): MatrixSearch[] => [
  ...waysOf(axes, models),
  ...sweptSearches(axes, models),
];

const waysOf = ({ columns, spaces }: Axes, models: readonly ModelView[]): MatrixSearch[] =>
  columns.flatMap((column) => {
    const name = t(`evaluate.matrix.columns.${column}`);
    if (column === "keyword" || spaces.length === 0)
      return [{ id: column, name, search: columnSearch(column, null) }];
    return spaces.map((space) => {
      const model = modelName(space, models);
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

/** A matrix with the plan that it was told for. */
export type KnownMatrix = { plan: MatrixPlan; found: Matrix };

/** The matrix of `plan` before the engine has told it: what the one before it knew of the same cells. */
export function asKnown(plan: MatrixPlan, before: KnownMatrix | undefined): Matrix {
  const measure = plan.measure ?? MEASURE;
  const places = (of: MatrixPlan) =>
    of.rows.flatMap((each, row) =>
      of.columns.map(({ search }, column) => ({
        place: { row, column },
        key: JSON.stringify([of.set, of.corpora, each.strategy, each.settings, search]),
      })),
    );
  const known = new Map(
    before?.found.measure === measure
      ? places(before.plan).map(({ key, place }) => [
          key,
          before.found.cells.find(
            (cell) => cell.place.row === place.row && cell.place.column === place.column,
          ),
        ])
      : [],
  );
  const costs = new Map(before?.plan.rows.map((row, at) => [row.name, before.found.rows[at]]));
  return {
    rows: plan.rows.map(({ name }) => costs.get(name) ?? { chunks: 0, tokens: 0, models: [] }),
    cells: places(plan).map(({ key, place }) => ({
      space: null,
      reranked: 0,
      run: null,
      value: null,
      interval: null,
      ...known.get(key),
      place,
    })),
    best: null,
    verdict: null,
    measure,
    cost_usd: null,
  };
}

/** A way of cutting with its name: `Recursive 320/48`, and what else is not as usual. */
export function rowOf(strategy: StrategyView, values: Record<string, Value>): MatrixRow {
  const usual = Object.fromEntries(strategy.params.map((param) => [param.name, param.default]));
  const settings = { ...usual, ...values };
  const told = toldSizes(settings);
  const unusual = strategy.params
    .filter(({ name, default: value }) => !told.includes(name) && settings[name] !== value)
    .map((param) =>
      t("evaluate.matrix.setting", {
        name: paramName(param),
        value: valueName(settings[param.name] ?? param.default),
      }),
    );
  return {
    name: [cutWords({ strategy: strategy.name, settings }), ...unusual].join(" · "),
    strategy: strategy.name,
    settings,
  };
}

/** Every value of a sweep, the ends included; none where it has no end. */
export function sweepValues(from: number, to: number, step: number): number[] {
  if (!(step > 0) || to < from) return [];
  const values: number[] = [];
  // A step of a tenth is none of a computer's numbers.
  const at = (steps: number) => Number((from + steps * step).toFixed(6));
  for (let steps = 0; steps < MOST_ROWS && at(steps) <= to; steps += 1) values.push(at(steps));
  return values;
}

/** Sizes of which the engine takes the first only up to a share of the second. */
const BOUND_BY: readonly (readonly [string, string, number])[] = [
  ["min_tokens", "target_tokens", 1],
  ["target_tokens", "max_tokens", 1],
  ["overlap_tokens", "target_tokens", 0.5],
  ["chunk_overlap", "chunk_size", 0.5],
];

/**
 * The sweep that is proposed for a number of a strategy: from half of what is usual to twice as much, within what it
 * takes while the others stay as usual. Where half is too little, it begins with what is usual.
 */
export function usualSweep(
  { params }: Pick<StrategyView, "params">,
  { name, default: usual, min, max }: ParamView,
) {
  const half = Math.round(Number(usual) / 2);
  const bounds = (own: 0 | 1) =>
    BOUND_BY.flatMap((bound) => {
      const other = bound[own] === name && params.find((each) => each.name === bound[1 - own]);
      return other ? Number(other.default) * (own === 0 ? bound[2] : 1 / bound[2]) : [];
    });
  const least = Math.max(min ?? 0, ...bounds(1));
  return {
    from: half < least ? Number(usual) : half,
    to: Math.min(max ?? Number.POSITIVE_INFINITY, Number(usual) * 2, ...bounds(0)),
    step: Math.max(1, half),
  };
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
