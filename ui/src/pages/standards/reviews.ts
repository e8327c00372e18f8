// The reports of the library, and what was decided about them.

import { useEffect, useMemo, useRef } from "react";
import { useCommand, useWorkspace } from "@/api/queries";
import { useReportDocuments } from "@/api/row-pages";
import type { DocumentRow, Review, ReviewStatus, StandardMetric } from "@/api/types";
import { visible } from "@/text/visible";
import { itemsOf } from "./items";
import type { Statuses } from "./outline";
import { ALL, type FindingId, sameFinding, useSaving } from "./saving";

/** A report that can be reviewed. */
export type Report = Pick<DocumentRow, "title" | "issuer" | "year"> & { id: string };

const KEY = "sibyl.review";

/** The reports of the library by title, the one under review, and the way to another. */
export function useReports(wanted: string, choose: (report: string) => void) {
  const { query: documents, rows, complete } = useReportDocuments();
  const workspace = useWorkspace();
  const reports = useMemo(() => {
    const known = new Map<string, Report>();
    for (const { report_id: id, title, issuer, year } of rows)
      if (id !== null && !known.has(id))
        known.set(id, { id, title: visible(title), issuer: issuer && visible(issuer), year });
    return [...known.values()].sort((a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }));
  }, [rows]);
  const key = `${KEY}.${workspace}`;
  const last = localStorage.getItem(key);
  // Who comes back to a library that was reviewed elsewhere goes on where it was left.
  const reviewed = useCommand("review.list", ALL);
  const latest = reviewed.data?.reduce((a, b) => (a.updated_at < b.updated_at ? b : a), NONE).report_id;
  const named = (id: string | null | undefined) => reports.find((report) => report.id === id);
  // Each may be on a page that is still to come, and another one must not be reviewed in its place.
  const other = wanted === "" || complete ? named(last) : undefined;
  const known = complete && !reviewed.isPending;
  const report = named(wanted) ?? other ?? (known ? (named(latest) ?? reports[0]) : undefined);
  const take = (id: string) => {
    localStorage.setItem(key, id);
    choose(id);
  };
  return {
    reports,
    report,
    /** Whether there are reports, and it is not known yet which of them. */
    deciding: report === undefined && reports.length > 0,
    take,
    documents,
    listed: rows,
  };
}

const NONE = { report_id: "", updated_at: "" };

/** A finding before anything was decided. */
export const undecided = (report_id: string, paragraph_id: string): Review => ({
  report_id,
  paragraph_id,
  words: "",
  status: "open",
  note: "",
  passages: [],
  updated_at: "",
});

/** Findings of all reports. A change shows at once, and stays on screen until it is stored. */
export function useReviews(report: string | undefined) {
  const workspace = useWorkspace();
  const list = useCommand("review.list", ALL);
  const { saving, unsaved } = useSaving();
  const reviews = useMemo(() => {
    const own = unsaved.filter((each) => each.workspace === workspace).map(({ review }) => review);
    return (
      list.data && [...list.data.filter((each) => !own.some((review) => sameFinding(each, review))), ...own]
    );
  }, [list.data, unsaved, workspace]);
  // Before the stored findings are known nothing may be kept: it would stand in place of what they hold.
  const findings = useMemo(
    () =>
      reviews && {
        workspace,
        find: (report_id: string, paragraph_id: string): Review =>
          reviews.find((each) => each.report_id === report_id && each.paragraph_id === paragraph_id) ??
          undecided(report_id, paragraph_id),
        /** Findings on items that a metric had and has no longer. */
        gone: (report_id: string, metric: StandardMetric): readonly Review[] =>
          reviews.filter(
            (each) =>
              each.report_id === report_id &&
              each.words !== "" &&
              each.paragraph_id.startsWith(`${metric.code}.`) &&
              !itemsOf(metric).some((item) => item.id === each.paragraph_id),
          ),
        save: (review: Review) => saving.save(workspace, review),
        show: (id: FindingId) => saving.show(workspace, id),
        /** The finding with the reason why it could not be stored, where it could not. */
        failed: (review: Review) =>
          unsaved.find(
            (each) => each.error && each.workspace === workspace && sameFinding(each.review, review),
          ),
      },
    [reviews, saving, unsaved, workspace],
  );
  const statuses: Statuses = useMemo(
    () =>
      new Map<string, ReviewStatus>(
        (reviews ?? [])
          .filter((each) => each.report_id === report)
          .map((each) => [each.paragraph_id, each.status]),
      ),
    [reviews, report],
  );
  return { list, findings, statuses };
}

/** The answer for all findings, and the findings once they are known. */
export type Reviews = ReturnType<typeof useReviews>;
/** Findings with what stores them. */
export type Findings = NonNullable<Reviews["findings"]>;

/** Calls `flush` when what shows it goes away. */
export function useLeaving(flush: () => void): void {
  const latest = useRef(flush);
  useEffect(() => {
    latest.current = flush;
  });
  useEffect(() => () => latest.current(), []);
}

/** Says that the finding is on screen, where it shows what becomes of it. */
export function useShown({ show }: Findings, { report_id, paragraph_id }: FindingId): void {
  const latest = useRef(show);
  useEffect(() => {
    latest.current = show;
  }, [show]);
  useEffect(() => latest.current({ report_id, paragraph_id }), [report_id, paragraph_id]);
}
