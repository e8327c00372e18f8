// Which reports evidence is looked for in: those of the chosen issuers or chosen by themselves, of the chosen years.

import { t } from "@/text";
import type { Place } from "./place";
import type { Report } from "./reviews";

/** Stands for an issuer or a year that a report does not say. */
export const UNKNOWN = "?";

const issuerOf = (report: Report) => report.issuer ?? UNKNOWN;
const yearOf = (report: Report) => (report.year === null ? UNKNOWN : String(report.year));

/** Ids of the reports to look in; nothing where all of them are. */
export function reportsWithin(
  reports: readonly Report[],
  { issuers, reports: single, years }: Pick<Place, "issuers" | "reports" | "years">,
): readonly string[] | undefined {
  const anyone = issuers.length === 0 && single.length === 0;
  if (anyone && years.length === 0) return undefined;
  const found = reports
    .filter((report) => anyone || single.includes(report.id) || issuers.includes(issuerOf(report)))
    .filter((report) => years.length === 0 || years.includes(yearOf(report)));
  return found.map(({ id }) => id);
}

/** A value with the number of reports that have it. */
export type Counted = { value: string; count: number };

function counted(values: readonly string[], order: (a: string, b: string) => number): Counted[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  // Where no report says it there is nothing to choose.
  if (counts.size === 0 || (counts.size === 1 && counts.has(UNKNOWN))) return [];
  const last = (value: string) => (value === UNKNOWN ? 1 : 0);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => last(a.value) - last(b.value) || order(a.value, b.value));
}

/** The issuers by name, those that are not known last. Empty where none is known. */
export const issuersOf = (reports: readonly Report[]): Counted[] =>
  counted(reports.map(issuerOf), (a, b) => a.localeCompare(b));

/** The years, the latest first, those that are not known last. Empty where none is known. */
export const yearsOf = (reports: readonly Report[]): Counted[] =>
  counted(reports.map(yearOf), (a, b) => Number(b) - Number(a));

/** An issuer or year as it is read. */
export const spokenValue = (value: string): string =>
  value === UNKNOWN ? t("standards.evidence.not_known") : value;

/** Years as they are read: `2021, 2023–24`. */
export function spokenYears(years: readonly string[]): string {
  const runs: [first: number, last: number][] = [];
  const known = years.filter((year) => year !== UNKNOWN).map(Number);
  for (const year of known.sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && year === run[1] + 1) run[1] = year;
    else runs.push([year, year]);
  }
  const written = runs.map(([first, last]) => {
    if (first === last) return String(first);
    const short = Math.floor(first / 100) === Math.floor(last / 100);
    return `${first}–${short ? String(last).slice(2) : last}`;
  });
  if (known.length < years.length) written.push(spokenValue(UNKNOWN));
  return written.join(", ");
}
