// What the screen is set to, and how that stands in the address.

/** What the middle of the screen shows. */
export type View = "queries" | "compare" | "judge" | "matrix" | "candidates";

/** Every view, in the order of the tabs. */
export const VIEWS: readonly View[] = ["queries", "compare", "judge", "matrix", "candidates"];

/** Which queries are listed, by how they fared. */
export type Fared = "all" | "better" | "same" | "worse";

const FARED: readonly Fared[] = ["all", "better", "same", "worse"];

/** The measure that the queries are listed by where none is chosen. */
export const MEASURE = "ndcg@10";

/** Everything a person would want back. */
export type Place = {
  /** Name of the gold set; the first one where none is named. */
  set: string | undefined;
  /** Id of the run that is looked at; the newest of the set where none is named. */
  run: number | undefined;
  /** Id of the run that it is held against; the one before where none is named. */
  against: number | undefined;
  /** Name of the measure that queries are listed by. */
  measure: string;
  view: View;
  fared: Fared;
  /** Words that a listed query contains. */
  find: string;
  /** Id of the selected query. */
  query: string | undefined;
};

const number = (text: string | null): number | undefined =>
  text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;

/** Reads the state from the query of the address; what makes no sense is left at its default. */
export const fromAddress = (query: URLSearchParams): Place => ({
  set: query.get("set") ?? undefined,
  run: number(query.get("run")),
  against: number(query.get("against")),
  measure: query.get("measure") ?? MEASURE,
  view: VIEWS.find((view) => view === query.get("view")) ?? "queries",
  fared: FARED.find((fared) => fared === query.get("fared")) ?? "all",
  find: query.get("find") ?? "",
  query: query.get("query") ?? undefined,
});

/** The state as values for the query of the address; what stands at its default is left out. */
export const toAddress = (place: Place): Record<string, string | undefined> => ({
  set: place.set,
  run: place.run?.toString(),
  against: place.against?.toString(),
  measure: place.measure === MEASURE ? undefined : place.measure,
  view: place.view === "queries" ? undefined : place.view,
  fared: place.fared === "all" ? undefined : place.fared,
  find: place.find,
  query: place.query,
});
