// The reports of the library, and what was decided about them.

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { call, EngineError } from "@/api/client";
import { keyOf, refresh, tagsOf, useCommand } from "@/api/queries";
import type { DocumentRow, Review, ReviewStatus } from "@/api/types";
import { useWorkspaces } from "@/state/workspace";
import { visible } from "@/text/visible";
import type { Statuses } from "./outline";

/** A report that can be reviewed. */
export type Report = Pick<DocumentRow, "title" | "issuer" | "year"> & { id: string };

const KEY = "sibyl.review";

/** The reports of the library by title, the one under review, and the way to another. */
export function useReports(wanted: string, choose: (report: string) => void) {
  const documents = useCommand("document.list", { corpus: null });
  const { current: workspace } = useWorkspaces();
  const reports = useMemo(() => {
    const known = new Map<string, Report>();
    for (const { report_id: id, title, issuer, year } of documents.data ?? [])
      if (id !== null && !known.has(id))
        known.set(id, { id, title: visible(title), issuer: issuer && visible(issuer), year });
    return [...known.values()].sort((a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }));
  }, [documents.data]);
  const key = `${KEY}.${workspace}`;
  const last = localStorage.getItem(key);
  // Who comes back to a library that was reviewed elsewhere goes on where it was left.
  const latest = useCommand("review.list", ALL).data?.reduce(
    (a, b) => (a.updated_at < b.updated_at ? b : a),
    NONE,
  ).report_id;
  const named = (id: string | null | undefined) => reports.find((report) => report.id === id);
  const report = named(wanted) ?? named(last) ?? named(latest) ?? reports[0];
  const take = (id: string) => {
    localStorage.setItem(key, id);
    choose(id);
  };
  return { reports, report, take, documents };
}

const ALL = { report_id: null };
const NONE = { report_id: "", updated_at: "" };

/** A finding before anything was decided. */
export const undecided = (report_id: string, paragraph_id: string): Review => ({
  report_id,
  paragraph_id,
  status: "open",
  note: "",
  passages: [],
  updated_at: "",
});

const sameFinding = (a: Review, b: Review) =>
  a.report_id === b.report_id && a.paragraph_id === b.paragraph_id;

/** Findings of all reports. A change shows at once; of changes that wait, the latest of each finding is stored. */
export function useReviews(report: string | undefined) {
  const queries = useQueryClient();
  const list = useCommand("review.list", ALL);
  const waiting = useRef(new Map<string, Review>());
  const busy = useRef(false);
  const [failed, setFailed] = useState<{ review: Review; error: EngineError }>();
  const pump = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    for (let next = waiting.current.entries().next(); !next.done; next = waiting.current.entries().next()) {
      const [key, review] = next.value;
      waiting.current.delete(key);
      try {
        await call("review.put", review);
        setFailed((now) => (now && sameFinding(now.review, review) ? undefined : now));
      } catch (thrown) {
        setFailed({ review, error: EngineError.from(thrown) });
      }
    }
    busy.current = false;
    await refresh(queries, tagsOf("review.put"));
  }, [queries]);
  const save = useCallback(
    (review: Review) => {
      const kept = { ...review, updated_at: new Date().toISOString() };
      void queries.cancelQueries({ queryKey: keyOf("review.list", ALL) });
      queries.setQueryData<Review[]>(keyOf("review.list", ALL), (now = []) => [
        ...now.filter((each) => !sameFinding(each, kept)),
        kept,
      ]);
      waiting.current.set(JSON.stringify([kept.report_id, kept.paragraph_id]), kept);
      void pump();
    },
    [queries, pump],
  );
  const reviews = list.data;
  // Before the stored findings are known nothing may be kept: it would stand in place of what they hold.
  const findings = useMemo(
    () =>
      reviews && {
        find: (report_id: string, paragraph_id: string): Review =>
          reviews.find((each) => each.report_id === report_id && each.paragraph_id === paragraph_id) ??
          undecided(report_id, paragraph_id),
        save,
        failed,
      },
    [reviews, save, failed],
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
