// The reports of the assessment in memory, and what was decided on them.

import type { AssessmentCell, CellView, ReportColumn, Review, ReviewStatus } from "../../types";
import { EVIDENCE } from "./evidence";
import { ROWS } from "./rows";

export const NORTHWIND = "northwind-2024";
const report = (report_id: string, issuer: string, title: string, year: number): ReportColumn => ({
  report_id,
  issuer,
  title: `${issuer}: ${title} ${year}`,
  year,
  documents: 1,
});
export const REPORTS = [
  report(NORTHWIND, "Northwind Energy plc", "climate report", 2024),
  report("northwind-2023", "Northwind Energy plc", "climate report", 2023),
  report("aurelia-2024", "Aurelia Cement S.A.", "sustainability statement", 2024),
  report("halden-2024", "Halden Shipping ASA", "ESG report", 2024),
];

export const ME = "M. Okafor";
const STATUS: Record<string, ReviewStatus> = {
  o: "open",
  m: "met",
  p: "partly",
  g: "gap",
  n: "not_applicable",
};
/** A line for each requirement, a letter for each report: what was decided, or items with evidence, or `-`. */
const BEGUN = [
  "mmg3",
  "mpgp",
  "pmp2",
  "pmm1",
  "mmm2",
  "mm44",
  "pp11",
  "pp21",
  "4p3-",
  "2m--",
  "mn0-",
  "5m6-",
  "m432",
];

/** Letters and digits by requirement and report, then what differs, has moved, is disputed or noted. */
const MARKED: Record<string, Partial<AssessmentCell>> = {
  [`S2.6(a)(ii) ${REPORTS[1]?.report_id}`]: { note: true },
  [`S2.6(a)(iv) ${REPORTS[2]?.report_id}`]: { differs: true },
  [`S2.14(a)(iv) ${NORTHWIND}`]: { differs: true, note: true },
  [`S2.14(a)(v) ${REPORTS[1]?.report_id}`]: { disputed: true },
  [`S2.14(c) ${NORTHWIND}`]: { moved: true },
};

export type Entry = { review: Review; reviewer: string | null; history: CellView["history"] };
export type Cells = Map<string, { entry?: Entry; found?: number; marks: Partial<AssessmentCell> }>;

export const keyOf = (requirement: string, report_id: string) => `${requirement} ${report_id}`;

export function entryOf(
  requirement: string,
  report_id: string,
  status: ReviewStatus,
  note = "",
  disputed = false,
): Entry {
  const at = "2025-11-19T14:12:00Z";
  return {
    reviewer: ME,
    review: {
      report_id,
      paragraph_id: requirement,
      words: "",
      status,
      note,
      passages: requirement === "S2.14(a)(iv)" ? EVIDENCE.slice(0, 2).map(({ pin }) => pin) : [],
      updated_at: at,
    },
    history: [
      { report_id, paragraph_id: requirement, reviewer: ME, status, note, at },
      ...(disputed
        ? [
            {
              report_id,
              paragraph_id: requirement,
              reviewer: "A. Lindqvist",
              status: "gap" as const,
              note: "",
              at,
            },
          ]
        : []),
    ],
  };
}

export function begun(): Cells {
  const cells: Cells = new Map();
  const requirements = ROWS.filter(({ requirement }) => requirement);
  requirements.forEach(({ id, items }, line) => {
    REPORTS.forEach(({ report_id }, column) => {
      const sign = BEGUN[line]?.[column] ?? "-";
      const key = keyOf(id ?? "", report_id);
      const marks = MARKED[key] ?? {};
      const note = marks.note
        ? "Four assumptions are named, but only a slip of connection dates is given a size. Ask what a lower carbon price would cost."
        : "";
      const status = STATUS[sign];
      if (status)
        cells.set(key, {
          entry: entryOf(id ?? "", report_id, status, note, marks.disputed),
          found: items,
          marks,
        });
      else if (sign !== "-") cells.set(key, { found: Number(sign), marks });
    });
  });
  return cells;
}
