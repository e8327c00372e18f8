// What the screen is set to, and how that stands in the address.

import type { FigureQuery, FigureStatus } from "@/api/types";
import { joined, listed } from "@/state/router";

/** What units measure. */
export const MEASURES = [
  "share",
  "mass",
  "energy",
  "power",
  "volume",
  "area",
  "distance",
  "money",
  "temperature",
  "time",
  "count",
] as const;
export type Measure = (typeof MEASURES)[number];

/** What a figure says of what it measures. */
export const STATUSES: readonly FigureStatus[] = [
  "actual",
  "restated",
  "estimate",
  "base",
  "target",
  "change",
];

/** Marks that the rows can be narrowed to. */
export const ONLY = ["conflict", "restated"] as const;

/** How values can be shown; at first as they are printed. */
export const UNITS = ["printed", "one"] as const;

/** Most figures that are in the table at once. */
export const MOST = 5_000;

/** Everything a person would want back. */
export type Figures = {
  /** What they are figures of. */
  words: string;
  /** Reports by their ids; all where none is named. */
  reports: readonly string[];
  years: readonly number[];
  measure: Measure | undefined;
  status: FigureStatus | undefined;
  only: (typeof ONLY)[number] | undefined;
  /** How values are shown: as they are printed, or those of each row in one unit. */
  units: (typeof UNITS)[number];
  /** Position of the first figure in the table. */
  from: number;
  /** Row id of the figure that is selected. */
  figure: number | undefined;
};

const whole = (text: string | null | undefined) =>
  text && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

const isYear = (year: number | undefined): year is number => year !== undefined && year <= 65_535;

/** The years among what was chosen or entered. */
export const yearsIn = (values: readonly string[]): number[] => values.map(whole).filter(isYear);

/** Reads the state from the query of the address; what makes no sense is left at its default. */
export const fromAddress = (query: URLSearchParams): Figures => ({
  words: query.get("q") ?? "",
  reports: listed(query.get("reports")),
  years: yearsIn(listed(query.get("years"))),
  measure: MEASURES.find((each) => each === query.get("measure")),
  status: STATUSES.find((each) => each === query.get("status")),
  only: ONLY.find((each) => each === query.get("only")),
  units: UNITS.find((each) => each === query.get("units")) ?? "printed",
  from: whole(query.get("from")) ?? 0,
  figure: whole(query.get("figure")),
});

/** The state as values of the query. */
export const toAddress = (state: Figures): Record<string, string | undefined> => ({
  q: state.words,
  reports: joined(state.reports),
  years: joined(state.years.map(String)),
  measure: state.measure,
  status: state.status,
  only: state.only,
  units: state.units === "printed" ? undefined : state.units,
  from: state.from === 0 ? undefined : String(state.from),
  figure: state.figure?.toString(),
});

/** The state without its filters. */
export const cleared = (state: Figures): Figures => ({
  ...fromAddress(new URLSearchParams()),
  units: state.units,
  figure: state.figure,
});

/** What the engine is asked for. */
export const queryOf = (state: Figures, words: string): Partial<FigureQuery> => ({
  text: words.trim(),
  reports: [...state.reports],
  years: [...state.years],
  measure: state.measure ?? null,
  status: state.status ?? null,
  offset: state.from,
  limit: MOST,
});
