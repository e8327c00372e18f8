// What the screen is set to, and how that stands in the address.

import { joined, listed } from "@/state/router";

/** What the grid can be narrowed to, in the order of its filters. */
export const ONLY = [
  "open",
  "proposed",
  "differs",
  "disputed",
  "moved",
  "carried",
  "mandatory",
  "mine",
] as const;
export type Only = (typeof ONLY)[number];

/** Everything a person would want back. */
export type Assess = {
  /** Row id of the assessment; the latest one where none is named. */
  assessment: number | undefined;
  /** The sheet of reports and requirements in place of the grid: for a new assessment, or for this one. */
  edit: "new" | "change" | undefined;
  words: string;
  only: readonly Only[];
  /** Requirement of the cell in use. */
  requirement: string;
  /** Report of the cell in use. */
  report: string;
  /** Whether the page stands beside the evidence. */
  page: boolean;
  /** The earlier and the later report, where two stand side by side in place of the grid; empty otherwise. */
  from: string;
  to: string;
};

const EDITS = ["new", "change"] as const;

/** Reads the state from the query of the address; what makes no sense is left at its default. */
export function fromAddress(query: URLSearchParams): Assess {
  const id = query.get("id") ?? "";
  const only = listed(query.get("only"));
  return {
    assessment: /^\d{1,9}$/.test(id) ? Number(id) : undefined,
    edit: EDITS.find((each) => each === query.get("edit")),
    words: query.get("q") ?? "",
    only: ONLY.filter((each) => only.includes(each)),
    requirement: query.get("at") ?? "",
    report: query.get("report") ?? "",
    page: query.get("page") !== "hidden",
    from: query.get("from") ?? "",
    to: query.get("to") ?? "",
  };
}

/** The state as values of the query. */
export const toAddress = (state: Assess): Record<string, string | undefined> => ({
  id: state.assessment?.toString(),
  edit: state.edit,
  q: state.words,
  only: joined(state.only),
  at: state.requirement,
  report: state.report,
  page: state.page ? undefined : "hidden",
  from: state.from,
  to: state.to,
});
