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
      if (parent?.number) name = parent.number + name;
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

/** The reports that a comparison begins with: the year before and the latest one of an issuer, else the first two. */
export function firstPair({ columns }: AssessmentGrid): { from: string; to: string } | undefined {
  for (const [at, later] of columns.entries()) {
    const before = columns[at + 1];
    if (before && before.issuer === later.issuer) return { from: before.report_id, to: later.report_id };
  }
  const [first, second] = columns;
  return first && second ? { from: first.report_id, to: second.report_id } : undefined;
}

/** What stands for a report above its passages: the year, where years are compared. */
export const headOf = (
  { year, issuer, title }: ReportColumn,
  compared: ComparedAs,
): { head: string; rest: string } =>
  compared === "years" && year !== null
    ? { head: String(year), rest: title }
    : { head: issuer ?? title, rest: title };
