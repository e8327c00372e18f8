// The reports that figures may come from, and the documents that they stand in.

import { useMemo } from "react";
import { useReportDocuments } from "@/api/row-pages";
import type { DocumentRow } from "@/api/types";
import { visible } from "@/text/visible";

/** A report to choose. */
export type ReportOf = Pick<DocumentRow, "title" | "issuer" | "year"> & { id: string };

/** The reports by title, and every document of theirs by its row id. */
export function useReports() {
  const { query, rows } = useReportDocuments();
  const reports = useMemo(() => {
    const known = new Map<string, ReportOf>();
    for (const { report_id: id, title, issuer, year } of rows)
      if (id !== null && !known.has(id)) known.set(id, { id, title: visible(title), issuer, year });
    return [...known.values()].sort((a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }));
  }, [rows]);
  const documents = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows]);
  return { query, reports, documents };
}
