// How rows, reports and cells are called.

import type { AssessmentCell, ReportColumn } from "@/api/types";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { decidedOf, type Row, type Tally } from "./model";

/** The year of a report, as its column is headed. */
export const yearOf = ({ year }: Pick<ReportColumn, "year">): string =>
  year === null ? t("assess.grid.no_year") : String(year);

type Named = Pick<ReportColumn, "issuer" | "title" | "year">;

/** Who made a report; its title where nobody is named. */
export const issuerOf = ({ issuer, title }: Omit<Named, "year">): string => visible(issuer ?? title);

/** A report by issuer and year; its title alone where that names the year. */
export const reportName = (report: Named): string => {
  const name = issuerOf(report);
  return report.year !== null && name.includes(String(report.year)) ? name : `${name} ${yearOf(report)}`;
};

/** What a proposal comes to. */
export const proposalWords = ({ found, of, state }: NonNullable<AssessmentCell["proposal"]>): string =>
  t(state === "nothing" ? "assess.grid.proposal.none" : "assess.grid.proposal.evidence", { found, of });

/** What a row is called aloud, its levels parted by commas. */
export const rowWords = ({ number, name, label, branch, requirements }: Row): string =>
  [
    number === "" ? "" : visible(name),
    visible(label),
    branch ? t("assess.requirements", { count: requirements }) : "",
  ]
    .filter(Boolean)
    .join(", ");

/** What the short words of a cell mean. */
export function cellTip(cell: AssessmentCell | undefined): string {
  const { status = "open", proposal = null } = cell ?? {};
  if (status !== "open") return t(`assess.status.${status}`);
  return [
    t(proposal ? "assess.grid.undecided_tip" : "assess.grid.waiting_tip"),
    proposal && proposalWords(proposal),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Marks at the end of a cell, the weightiest first. */
export const MARKS = ["disputed", "moved", "differs"] as const;

/** Everything about a cell in words. */
export function cellName(
  row: Row,
  column: ReportColumn,
  cell: AssessmentCell | "not_in_scope" | undefined,
  unsaved: boolean,
): string {
  if (cell === "not_in_scope")
    return t("assess.grid.cell", {
      requirement: row.name,
      report: reportName(column),
      what: t("assess.grid.not_in_scope"),
    });
  const { status = "open", proposal = null } = cell ?? {};
  const open = status === "open";
  const what = [
    open && cell?.carried
      ? t("assess.changed.waits", { status: t(`assess.status.${cell.carried}`) })
      : open
        ? proposal
          ? t("assess.grid.undecided")
          : t("assess.grid.waiting")
        : t(`assess.status.${status}`),
    ...MARKS.filter((mark) => cell?.[mark]).map((mark) => t(`assess.grid.${mark}`)),
    cell && cell.proposed_by.length > 0
      ? t("assess.grid.proposed_by", { names: cell.proposed_by.map(visible).join(", ") })
      : undefined,
    cell?.note && t("assess.grid.note"),
    unsaved && t("assess.grid.unsaved"),
    proposal && proposal.page !== null && t("assess.grid.page", { page: String(proposal.page) }),
  ];
  const words = what.filter((each) => typeof each === "string").join(", ");
  return t("assess.grid.cell", {
    requirement: row.name,
    report: reportName(column),
    what: open && proposal ? `${words}. ${proposalWords(proposal)}` : words,
  });
}

/** What a row sums, in words. */
export function sumName(row: Row, column: ReportColumn, tally: Tally): string {
  const words = t("assess.grid.sum", {
    requirement: row.name,
    report: reportName(column),
    decided: decidedOf(tally),
    total: tally.total,
  });
  return tally.gap > 0 ? `${words}, ${t("assess.grid.gaps", { count: tally.gap })}` : words;
}
