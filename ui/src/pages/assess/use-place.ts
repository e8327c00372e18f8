// The page of the report that is open beside the evidence.

import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { EngineError } from "@/api/client";
import { queryOf, useWorkspace } from "@/api/queries";
import { useReportDocuments } from "@/api/row-pages";
import type { DocumentView } from "@/api/types";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { passageAt, type Quoted } from "./passages";
import type { Evidence } from "./use-evidence";

/** A page of a document; none where the selected passage says which. */
export type Place = { document_id: number; page: number | undefined };

/** Whether the pages of a file can be drawn. */
export const isDrawn = (path: string): boolean => /\.pdf$/i.test(path);

const placeOf = ({ document_id, page, pin }: Quoted): Place => ({
  document_id,
  page: isDrawn(pin.path) ? (page ?? 1) : undefined,
});

/**
 * The page that is open: that of the selected passage, or where the reviewer turned to since; where nothing is
 * selected, where the report was last looked at.
 */
export function usePlace({ ready, shown, selection }: Evidence, report: string | undefined) {
  const { rows } = useReportDocuments();
  const documents = useMemo(() => rows.filter(({ report_id }) => report_id === report), [rows, report]);
  const [turned, setTurned] = useState<{ selection: string; place: Place }>();
  const [looked, setLooked] = useState<ReadonlyMap<string, Place>>(new Map());
  const last = report === undefined ? undefined : looked.get(report);
  const [first] = documents;
  const given = turned?.selection === selection ? turned.place : shown && placeOf(shown);
  const place = given ?? last ?? (ready && first ? { document_id: first.id, page: 1 } : undefined);
  if (report !== undefined && given && (given.document_id !== last?.document_id || given.page !== last.page))
    setLooked(new Map(looked).set(report, given));
  const document = documents.find(({ id }) => id === place?.document_id);
  const path = document?.path ?? (shown?.document_id === place?.document_id ? shown?.pin.path : undefined);
  return {
    place,
    /** The documents of the report. */
    documents,
    path,
    /** Pages of the document, where it has any. */
    pages: document?.pages ?? undefined,
    turn: (to: Place) => setTurned({ selection, place: to }),
  };
}

export type Leaf = ReturnType<typeof usePlace>;

/** Selects what stands somewhere in a document, which is asked for first. */
export function useSelecting({ show }: Evidence) {
  const queries = useQueryClient();
  const workspace = useWorkspace();
  return async (
    document_id: number,
    place: (document: DocumentView) => [number, number] | undefined,
  ): Promise<Quoted | undefined> => {
    try {
      const document = await queries.fetchQuery(queryOf("document.get", { id: document_id }, workspace));
      const span = place(document);
      const passage = span && passageAt(document, span);
      if (passage) show(passage);
      else toast({ kind: "warn", title: t("assess.page.no_words") });
      return passage;
    } catch (thrown) {
      reportError(EngineError.from(thrown));
      return undefined;
    }
  };
}
