// What two reports have for each requirement, as the page lists it.

import type {
  AssessmentGrid,
  ChangeKind,
  ComparedAs,
  ReportColumn,
  ReportComparison,
  RequirementChange,
} from "@/api/types";

/** The kinds in the order of their filters. */
export const KINDS: readonly ChangeKind[] = [
  "new",
  "gone",
  "different",
  "reworded",
  "moved",
  "restated",
  "same",
  "none",
  "waiting",
];

/** A requirement with what became of it. */
export type Changed = RequirementChange & {
  /** Identifier of the requirement. */
  id: string;
  /** Number from its paragraph down, such as `14(a)(iv)`. */
  name: string;
  label: string;
};

/** The requirements that are asked of both reports. */
export function changedOf({ rows, changes }: ReportComparison): Changed[] {
  return changes.map((change) => {
    const row = rows[change.row];
    let name = row?.number ?? "";
    let at = row?.parent ?? null;
    while (at !== null) {
      const parent = rows[at];
      // A code that stands for itself, such as a metric's, has no part of its parent before it.
      if (parent?.number && name.startsWith("(")) name = parent.number + name;
      at = parent?.parent ?? null;
    }
    return {
      ...change,
      id: row?.id ?? "",
      name: name === "" ? (row?.label ?? "") : name,
      label: row?.label ?? "",
    };
  });
}

/** How many there are of each kind. */
export const countsOf = (all: readonly Changed[]): ReadonlyMap<ChangeKind, number> =>
  new Map(KINDS.map((kind) => [kind, all.filter((each) => each.kind === kind).length]));

/** Whether its words or identifier hold `words`. */
export const holds = ({ id, name, label }: Changed, words: string): boolean =>
  `${id} ${name} ${label}`.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase());

/** Whether a carried decision may be confirmed unseen: nothing of what it rests on changed. */
export const isSettled = ({ carried, kind }: Changed): boolean => carried && kind === "same";

/** Whether a carried decision may be confirmed at all: where something came or went, it is decided again. */
export const isConfirmed = ({ carried, kind }: Changed): boolean =>
  carried && kind !== "new" && kind !== "gone" && kind !== "none" && kind !== "waiting";

/** The reports that a comparison begins with, the older one first: two of an issuer, else the first two. */
export function firstPair({ columns }: AssessmentGrid): { from: string; to: string } | undefined {
  const at = columns.findIndex(({ issuer }, each) => issuer !== null && issuer === columns[each + 1]?.issuer);
  const pair = columns.slice(Math.max(0, at), Math.max(0, at) + 2);
  const [first, second] = pair.sort((a, b) => (a.year ?? 0) - (b.year ?? 0));
  return first && second ? { from: first.report_id, to: second.report_id } : undefined;
}

/** The words of a title, without the years and signs in which two reports of one issuer differ. */
const wordsIn = (title: string): string =>
  title
    .toLocaleLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim();

/** Whether two reports seem to be of two issuers: by their issuers, else by their titles. */
export const areOfTwo = (one: ReportColumn | undefined, other: ReportColumn | undefined): boolean =>
  one?.issuer != null && other?.issuer != null
    ? one.issuer !== other.issuer
    : wordsIn(one?.title ?? "") !== wordsIn(other?.title ?? "");

/** What stands for a report above its passages: the year, where years are compared. */
export const headOf = (
  { year, issuer, title }: ReportColumn,
  compared: ComparedAs,
): { head: string; rest: string } =>
  compared === "years" && year !== null
    ? { head: String(year), rest: title }
    : { head: issuer ?? title, rest: issuer === null ? "" : title };
