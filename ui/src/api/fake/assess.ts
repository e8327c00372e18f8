// Assessments: one that was begun, over the three reports of the sample and an earlier one of the first.

import type { Input } from "../client";
import { answering, recorded } from "../recording";
import type { FakeHandlers } from "../transport/fake";
import type {
  Assessment,
  AssessmentCell,
  AssessmentGrid,
  AssessmentPlan,
  EvidencePassage,
  ProgramProposal,
  RequirementRow,
  ReviewStatus,
} from "../types";
import { begun, type Entry, entryOf, keyOf, ME, NORTHWIND, REPORTS } from "./assess/begun";
import { comparedOf } from "./assess/changes";
import { CLAIMS, DOCUMENT, EVIDENCE, proposalOf } from "./assess/evidence";
import { ROWS } from "./assess/rows";
import { scopeOf } from "./assess/scope";

const PLAN: AssessmentPlan = {
  name: "FY2024 climate review",
  reports: REPORTS.map(({ report_id }) => report_id),
  scope: {
    standards: ["ifrs_s2"],
    industries: [{ code: "IF-EU", reports: [] }],
    level: "item",
    mandatory: false,
    edition: null,
    left_out: [],
  },
  reviewers: [ME, "A. Lindqvist"],
};
const made = (id: number, plan: AssessmentPlan): Assessment => ({
  id,
  ...plan,
  created_at: "2025-11-18T09:00:00Z",
  updated_at: `2025-11-19T14:31:0${id}Z`,
});

/** What is kept of a requirement once it is decided; the decisions before it go into its history. */
function decided(given: Input<"assess.decide">, requirement: string, kept: Entry | undefined): Entry {
  const { review } = kept ?? entryOf(requirement, given.report_id, "open");
  const at = new Date().toISOString();
  const note = given.note ?? review.note;
  const { report_id, status } = given;
  return {
    reviewer: given.reviewer ?? null,
    review: { ...review, status, note, passages: given.passages ?? review.passages, updated_at: at },
    history: [
      { report_id, paragraph_id: requirement, reviewer: given.reviewer ?? "", status, note, at },
      ...(kept?.history ?? []),
    ],
  };
}

/** The state of one window. */
function state(): FakeHandlers {
  const cells = begun();
  let proposed: ProgramProposal[] = [];
  const programsOf = (requirement: string, report_id: string) =>
    proposed.filter((each) => each.requirement === requirement && each.report_id === report_id);
  const proposalAt = (id: number): ProgramProposal => {
    const found = proposed.find((each) => each.id === id);
    if (!found)
      throw {
        code: "not_found",
        message: `there is no proposal ${id}; its program has proposed again, or somebody has confirmed or dismissed it: read the requirement again`,
      };
    return found;
  };
  const all = new Map([[1, made(1, PLAN)]]);
  const get = (id: number): Assessment => {
    const found = all.get(id);
    if (!found) throw { code: "not_found", message: `there is no assessment ${id}` };
    return found;
  };
  const columnsOf = ({ reports }: Assessment) =>
    REPORTS.filter(({ report_id }) => reports.includes(report_id));

  /** What was decided on the report of the year before, where a report of this year is open. */
  const carriedOf = (requirement: string, report_id: string): ReviewStatus | null => {
    if (report_id !== NORTHWIND) return null;
    const now = cells.get(keyOf(requirement, report_id))?.entry?.review.status ?? "open";
    const before = cells.get(keyOf(requirement, "northwind-2023"))?.entry?.review.status ?? "open";
    return now === "open" && before !== "open" ? before : null;
  };
  const cellOf = (row: number, column: number, report_id: string): AssessmentCell | undefined => {
    const { id, items } = ROWS[row] as RequirementRow;
    const programs = programsOf(id ?? "", report_id);
    const known = cells.get(keyOf(id ?? "", report_id));
    if (!known && programs.length === 0) return undefined;
    const { entry, found, marks } = known ?? { marks: {} as Partial<AssessmentCell> };
    const carried = carriedOf(id ?? "", report_id);
    return {
      row,
      column,
      status: entry?.review.status ?? "open",
      reviewer: entry?.reviewer ?? null,
      decided_at: entry?.review.updated_at ?? null,
      note: (entry?.review.note ?? "") !== "",
      carried,
      proposal:
        found === undefined
          ? null
          : {
              state: proposalOf(found, items).state,
              found,
              of: items,
              page: found === 0 ? null : 28 + ((row * 7 + column * 3) % 60),
            },
      outdated: false,
      differs: marks.differs ?? false,
      moved: marks.moved ?? false,
      disputed: marks.disputed ?? false,
      proposed_by: programs.map(({ program }) => program),
    };
  };
  const cellsOf = (assessment: Assessment): AssessmentCell[] =>
    ROWS.flatMap(({ requirement }, row) =>
      requirement
        ? columnsOf(assessment).flatMap(({ report_id }, column) => cellOf(row, column, report_id) ?? [])
        : [],
    );
  const grid = (id: number): AssessmentGrid => {
    const assessment = get(id);
    const columns = columnsOf(assessment);
    const own = cellsOf(assessment);
    const requirements = ROWS.filter(({ requirement }) => requirement).length;
    return {
      assessment,
      rows: ROWS,
      columns,
      cells: own,
      waiting: requirements * columns.length - own.filter(({ proposal }) => proposal).length,
      agreements: own.some(({ disputed }) => disputed)
        ? [{ reviewers: [ME, "A. Lindqvist"], both: 12, alike: 11, kappa: 0.81 }]
        : [],
    };
  };

  const decide = (given: Input<"assess.decide">): AssessmentCell[] => {
    const columns = columnsOf(get(given.id));
    const column = columns.findIndex(({ report_id }) => report_id === given.report_id);
    return given.requirements.flatMap((requirement) => {
      const key = keyOf(requirement, given.report_id);
      const known = cells.get(key) ?? { marks: {} };
      const entry = decided(given, requirement, known.entry);
      cells.set(key, { ...known, entry });
      const row = ROWS.findIndex(({ id }) => id === requirement);
      return cellOf(row, column, given.report_id) ?? [];
    });
  };

  return answering({
    "assess.list": () =>
      [...all.values()].map((each) => {
        const { cells: own, columns } = grid(each.id);
        const requirements = ROWS.filter(({ requirement }) => requirement).length;
        return {
          id: each.id,
          name: each.name,
          reports: columns.length,
          requirements,
          decided: own.filter(({ status }) => status !== "open").length,
          cells: requirements * columns.length,
          updated_at: each.updated_at,
        };
      }),
    "assess.new": (plan) => {
      const id = Math.max(0, ...all.keys()) + 1;
      all.set(id, made(id, { ...PLAN, ...plan }));
      return get(id);
    },
    "assess.change": ({ id, ...plan }) => {
      all.set(id, { ...get(id), ...plan });
      return get(id);
    },
    "assess.delete": ({ id }) => {
      all.delete(id);
      return null;
    },
    "assess.scope": scopeOf,
    "assess.show": ({ id }) => grid(id),
    "assess.run": async ({ id }, { tell, wait }) => {
      const assessment = get(id);
      const missing = ROWS.flatMap((row) =>
        row.requirement
          ? columnsOf(assessment)
              .filter(({ report_id }) => cells.get(keyOf(row.id ?? "", report_id))?.found === undefined)
              .map(({ report_id }) => ({ row, report_id }))
          : [],
      );
      for (const [done, { row, report_id }] of missing.entries()) {
        tell({
          kind: "assessing",
          done,
          total: missing.length,
          report_id,
        });
        await wait(20);
        const key = keyOf(row.id ?? "", report_id);
        cells.set(key, { marks: {}, ...cells.get(key), found: row.items - 1 });
      }
      return {
        made: missing.length,
        unchanged: 0,
        nothing: 0,
        partial: missing.length,
        evidence: 0,
      };
    },
    "assess.cell": ({ requirement, report_id }) => {
      const row = ROWS.find(({ id }) => id === requirement);
      const { entry, found } = cells.get(keyOf(requirement, report_id)) ?? {};
      const last = cells.get(keyOf(requirement, REPORTS[1]?.report_id ?? ""));
      return {
        requirement,
        label: row?.label ?? "",
        prose:
          "If the entity has a transition plan, the report shows it, with the main assumptions behind it and what it depends on. Nobody has to have a plan.",
        modality: row?.mandatory ? "mandatory" : "explanatory",
        kind: "requirement",
        in_review: null,
        metric: requirement.includes("-")
          ? (recorded("standards.page", { id: requirement }).metrics[0] ?? null)
          : null,
        report_id,
        proposal: found === undefined ? null : proposalOf(found, row?.items ?? 0),
        programs: programsOf(requirement, report_id),
        claims: requirement === "S2.14(a)(iv)" && report_id === NORTHWIND ? CLAIMS : [],
        review: entry?.review ?? null,
        history: entry?.history ?? [],
        earlier:
          report_id === NORTHWIND
            ? {
                report_id: REPORTS[1]?.report_id ?? "",
                year: 2023,
                review: last?.entry?.review ?? null,
                proposal: null,
              }
            : null,
      };
    },
    "assess.decide": decide,
    "assess.compare": ({ id, earlier, later }) => {
      const columns = columnsOf(get(id));
      const statusIn = (requirement: string, report_id: string) =>
        cells.get(keyOf(requirement, report_id))?.entry?.review.status ?? "open";
      return comparedOf(columns, earlier, later, statusIn);
    },
    "assess.propose": ({ program, finding, reason, quotes, ...cell }) => {
      const { requirement, report_id } = cell;
      const id = Math.max(0, ...proposed.map((each) => each.id)) + 1;
      const made: ProgramProposal = {
        id,
        requirement,
        report_id,
        program,
        finding,
        reason,
        quotes: (quotes ?? []).map(({ quote, page = 3 }, at) => ({
          document_id: DOCUMENT,
          span: [1411 + at, 1411 + at + quote.length],
          pin: {
            ...(EVIDENCE[1] as EvidencePassage).pin,
            start: 1411 + at,
            end: 1411 + at + quote.length,
            quote,
            page,
            source: {
              changed: false,
              document_id: DOCUMENT,
              range: [1411 + at, 1411 + at + quote.length],
              kept: true,
            },
          },
        })),
        made_at: "2025-11-19T16:20:00Z",
      };
      const same = ({ program: by, requirement: of, report_id: within }: ProgramProposal) =>
        by === program && of === requirement && within === report_id;
      proposed = [...proposed.filter((each) => !same(each)), made];
      return made;
    },
    "assess.confirm": ({ id, proposal, reviewer = "", note }) => {
      const given = proposalAt(proposal);
      const { requirement, report_id, finding: status, program } = given;
      const key = keyOf(requirement, report_id);
      const known = cells.get(key) ?? { marks: {} };
      const before = known.entry ?? entryOf(requirement, report_id, "open");
      const at = new Date().toISOString();
      const words = note ?? (before.review.note || given.reason);
      const passages = [...before.review.passages, ...given.quotes.map(({ pin }) => pin)];
      const entry: Entry = {
        reviewer,
        review: { ...before.review, status, note: words, passages, updated_at: at },
        history: [
          { report_id, paragraph_id: requirement, reviewer, status, note: words, at, proposed_by: program },
          ...(known.entry?.history ?? []),
        ],
      };
      cells.set(key, { ...known, entry });
      proposed = proposed.filter((each) => each !== given);
      const row = ROWS.findIndex((each) => each.id === requirement);
      const column = columnsOf(get(id)).findIndex((each) => each.report_id === report_id);
      return [cellOf(row, column, report_id) ?? []].flat();
    },
    "assess.dismiss": ({ proposal }) => {
      const given = proposalAt(proposal);
      proposed = proposed.filter((each) => each !== given);
      return null;
    },
    "assess.carry_over": ({ requirements, ...given }) =>
      requirements.flatMap((requirement) => {
        const status = carriedOf(requirement, given.report_id);
        if (!status)
          throw {
            code: "invalid",
            message: `there is nothing to confirm for ${requirement}; decide instead`,
          };
        return decide({ ...given, requirements: [requirement], status });
      }),
    "assess.export": ({ format }) => ({
      name: `fy2024-climate-review.${format}`,
      media_type: "application/octet-stream",
      content: btoa("pack"),
    }),
    "assess.verify": () => ({ agrees: true, checked: 52, faults: [] }),
    "assess.signature": () => ({
      state: "matches",
      origin: "stated",
      public_key: "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3",
      key_id: "E7620F1842B4E81F",
    }),
    "assess.import": () => ({
      assessment: 1,
      made: false,
      taken: 12,
      same: 1,
      conflicts: [
        {
          report_id: "northwind-2024",
          requirement: "S2.14(a)(iv)",
          here: "met",
          here_note: "",
          there: "gap",
          there_note: "",
          reviewer: "Ben",
        },
      ],
      missing: [],
    }),
  });
}

/** Answers for Assess. */
export const handlers: FakeHandlers = state();

/** Answers of a window of its own, as a test needs them. */
export const freshHandlers = state;
