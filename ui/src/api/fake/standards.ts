// Standards, evidence and reviews in memory.

import type { FakeHandlers } from "../transport/fake";
import type {
  DocumentQuery,
  DocumentRow,
  PhrasingInput,
  Review,
  ReviewExportQuery,
  ReviewTable,
  StandardId,
  StandardPage,
  TreeNode,
} from "../types";
import { handlers as library, listed as listedDocuments } from "./library";
import { listsOf, PLAN } from "./requirement";
import { documents, evidence } from "./standards/evidence";
import { page } from "./standards/page";
import { at, tree } from "./standards/tree";

const NORTHWIND = "northwind-2024";
const finding = (paragraph_id: string, status: Review["status"], note = "", words = ""): Review => ({
  report_id: NORTHWIND,
  paragraph_id,
  words,
  status,
  note,
  passages: [],
  updated_at: "2025-11-19T09:40:00Z",
});

const FIRST: readonly Review[] = [
  finding(
    "S2.14(a)",
    "partly",
    "Assumptions are named on p. 34, but dependencies on grid connection are not quantified. Ask management for the sensitivity used in the 2035 case.",
  ),
  finding("S2.14(a)(i)", "met"),
  finding("S2.14(a)(ii)", "met"),
  finding("S2.14(a)(iii)", "partly"),
  finding("S2.14(a)(iv)", "gap", "No dependencies."),
  finding("S2.14(c)", "partly"),
  finding("S2.13(a)", "not_applicable"),
  finding("S2.6(a)", "met"),
  finding("S1.33(a)", "met"),
  finding("S1.33(b)", "partly"),
  finding("EM-EP-110a.3", "met"),
  ...listsOf(PLAN)
    .also_to_be_discussed.slice(0, 2)
    .map((item) => finding(item.id, "met", "", item.text)),
  finding(
    `${PLAN}.also_to_be_discussed.which-investments-it-rests-on`,
    "partly",
    "Only the first two years are costed.",
    "Which investments the plan rests on, and when.",
  ),
];

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Fresh handlers: reviews and phrasings that are put stay in them. */
export function standardsHandlers(): FakeHandlers {
  const added = new Map<string, string[]>();
  const withAdded = (found: StandardPage): StandardPage => {
    const own = added.get(found.chunks[0]?.chunk_id ?? "") ?? [];
    return { ...found, asked_as: [...found.asked_as, ...own], added_phrases: own };
  };
  const reviews = new Map(FIRST.map((each) => [`${each.report_id} ${each.paragraph_id}`, each]));
  const listed = (report: string | null | undefined) =>
    [...reviews.values()].filter((each) => !report || each.report_id === report);
  return {
    "standards.tree": (): TreeNode[] => [...tree],
    "standards.page": ({ id }: StandardId): StandardPage => withAdded(page(id)),
    "standards.evidence": evidence,
    "phrasing.add": ({ id, phrase }: PhrasingInput, { emit }): void => {
      added.set(id, [...(added.get(id) ?? []), phrase]);
      emit({ tags: ["chunks"] });
    },
    "phrasing.remove": ({ id, phrase }: PhrasingInput, { emit }): void => {
      added.set(
        id,
        (added.get(id) ?? []).filter((each) => each !== phrase),
      );
      emit({ tags: ["chunks"] });
    },
    "document.list": async (input: DocumentQuery, call): Promise<DocumentRow[]> => {
      if (input.corpus) return (await library["document.list"]?.(input, call)) as DocumentRow[];
      const others = (await library["document.list"]?.({ reports: input.reports }, call)) as DocumentRow[];
      return listedDocuments([...others, ...documents], input);
    },
    "review.list": ({ report_id }: { report_id: string | null }): Review[] => listed(report_id),
    "review.put": (review: Review, { emit }): Review => {
      const kept = { ...review, updated_at: new Date().toISOString() };
      reviews.set(`${review.report_id} ${review.paragraph_id}`, kept);
      emit({ tags: ["reviews"] });
      return kept;
    },
    "review.export": ({ report_id, format }: ReviewExportQuery): ReviewTable => {
      const found = listed(report_id).map((each) => ({
        report: each.report_id,
        report_title: documents.find((row) => row.report_id === each.report_id)?.title ?? "",
        paragraph: each.paragraph_id,
        label: at(each.paragraph_id).label,
        status: each.status,
        note: each.note,
      }));
      if (format === "json") return { text: JSON.stringify(found, null, 2), rows: found.length };
      const lines = found.map((each) => Object.values(each).map(cell).join(","));
      return {
        text: ["report,report_title,paragraph,label,status,note", ...lines, ""].join("\r\n"),
        rows: found.length,
      };
    },
  };
}

/** Handlers of the standards. */
export const handlers: FakeHandlers = standardsHandlers();
