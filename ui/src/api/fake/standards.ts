// Standards, evidence and reviews: phrasings and findings that are put stay; everything else is recorded.

import { answering, isRecorded, recorded } from "../recording";
import type { FakeHandlers } from "../transport/fake";
import type { Evidence, EvidenceRequest, Review } from "../types";

/** The report that the first findings are about. */
export const REPORT = "northwind-energy-climate-report-2024";
/** A metric whose items are marked. */
export const METRIC = "EM-EP-110a.3";
/** The paragraph whose passages stand for those of all that were not asked for. */
const ASKED = "S2.14(a)";
/** Passages that were asked for. */
const TOP = 16;

const finding = (paragraph_id: string, status: Review["status"], note = "", words = ""): Review => ({
  report_id: REPORT,
  paragraph_id,
  words,
  status,
  note,
  passages: [],
  updated_at: "2025-11-19T09:40:00Z",
});

/** What was found at first; the words of the last item have changed since. */
function firstFindings(): Review[] {
  const items = recorded("standards.page", { id: METRIC }).metrics[0]?.also_to_be_discussed ?? [];
  const [one, two, three] = items;
  return [
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
    finding(METRIC, "met"),
    ...[one, two].flatMap((item) => (item ? [finding(item.id, "met", "", item.text)] : [])),
    ...(three
      ? [finding(three.id, "partly", "Only the first two years are costed.", `${three.text} And when.`)]
      : []),
  ];
}

/** The reader's own copy of a paragraph, which the sample has not. */
const LICENSED = {
  chunk_id: "00c0ffee00c0ffee",
  title: "Licensed copy of IFRS S2",
  text: "14(a) The words of the *standard* as the reader’s\nown copy holds them. <b>Nothing in it is markup.</b>",
};

/** The passages of a paragraph, in the reports that are asked for. */
function evidence(asked: Partial<EvidenceRequest>): Evidence {
  const { id = "", below = true, mode = "hybrid", reports = [], edition = null } = asked;
  const wanted = { id, below, mode, edition, top_k: TOP };
  const own = isRecorded("standards.evidence", wanted);
  const found = recorded("standards.evidence", own ? wanted : { ...wanted, id: ASKED, edition: null });
  const within = found.hits.map(({ report_id }) => reports.length === 0 || reports.includes(report_id ?? ""));
  return {
    ...found,
    hits: found.hits.filter((_, at) => within[at]),
    found_by: found.found_by.filter((_, at) => within[at]).map((by) => (own ? by : id)),
    queries: own ? found.queries : [[id, found.queries[0]?.[1] ?? ""]],
  };
}

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Fresh handlers: reviews and phrasings that are put stay in them. */
export function standardsHandlers(): FakeHandlers {
  const added = new Map<string, string[]>();
  const reviews = new Map(firstFindings().map((each) => [`${each.report_id} ${each.paragraph_id}`, each]));
  const listed = (report: string | null | undefined) =>
    [...reviews.values()].filter((each) => !report || each.report_id === report);
  return answering({
    "standards.tree": () => recorded("standards.tree", {}),
    "standards.page": (input) => {
      const found = recorded("standards.page", input);
      const own = added.get(found.chunks[0]?.chunk_id ?? "") ?? [];
      const licensed = input.id === ASKED ? [LICENSED] : [];
      return { ...found, asked_as: [...found.asked_as, ...own], added_phrases: own, licensed };
    },
    "standards.evidence": evidence,
    "passage.nearest_sentence": ({ query, chunk_ids }) =>
      chunk_ids.flatMap((id) => {
        const asked = { query, chunk_ids: [id] };
        return isRecorded("passage.nearest_sentence", asked)
          ? recorded("passage.nearest_sentence", asked)
          : [];
      }),
    "phrasing.add": ({ id, phrase }, { emit }) => {
      added.set(id, [...(added.get(id) ?? []), phrase]);
      emit({ tags: ["chunks"] });
    },
    "phrasing.remove": ({ id, phrase }, { emit }) => {
      added.set(
        id,
        (added.get(id) ?? []).filter((each) => each !== phrase),
      );
      emit({ tags: ["chunks"] });
    },
    "review.list": ({ report_id }) => listed(report_id),
    "review.put": (review, { emit }) => {
      const kept: Review = { words: "", ...review, updated_at: new Date().toISOString() };
      reviews.set(`${review.report_id} ${review.paragraph_id}`, kept);
      emit({ tags: ["reviews"] });
      return kept;
    },
    "review.export": ({ report_id, format }) => {
      const labels = new Map(recorded("standards.tree", {}).map(({ id, label }) => [id, label]));
      const titles = new Map(
        recorded("document.list", { reports: true }).map((row) => [row.report_id, row.title]),
      );
      const found = listed(report_id).map((each) => ({
        report: each.report_id,
        report_title: titles.get(each.report_id) ?? "",
        paragraph: each.paragraph_id,
        label: labels.get(each.paragraph_id) ?? "",
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
  });
}

/** Handlers of the standards. */
export const handlers: FakeHandlers = standardsHandlers();
