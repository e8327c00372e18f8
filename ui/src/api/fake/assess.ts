// Assess: an assessment that was begun, recorded before and after the proposals for its last report were made. What is
// decided, proposed, confirmed and run in a window stays in it.

import type { Input } from "../client";
import { answering, everyRecorded, recorded, retold } from "../recording";
import type { FakeHandlers } from "../transport/fake";
import type {
  Assessment,
  AssessmentCell,
  AssessmentDecision,
  AssessmentGrid,
  CellView,
  PinnedPassage,
  ProgramProposal,
  Review,
} from "../types";
import { CLAIMED, CLAIMS } from "./assess/claims";

/** The recorded assessment. */
const ID = 1;
const grids = everyRecorded("assess.show").map(({ output }) => output);
const views = everyRecorded("assess.cell");

/** A requirement of a report. */
type Place = { requirement: string; report_id: string };
const keyOf = ({ requirement, report_id }: Place) => `${requirement} ${report_id}`;
/** What was decided of it here, over what is recorded. */
type Entry = Pick<CellView, "history"> & { reviewer: string | null; review: Review };

const missing = (what: string) => ({ code: "not_found", message: `there is no ${what}` });

/** What one window knows: what is recorded, with what was decided, proposed and run in it. */
function windowState() {
  let hasRun = false;
  let proposed: ProgramProposal[] = [];
  const entries = new Map<string, Entry>();
  const recordedGrid = (): AssessmentGrid => {
    const grid = grids[hasRun ? grids.length - 1 : 0];
    if (!grid) throw missing("recorded assessment");
    return grid;
  };
  const recordedView = ({ requirement, report_id }: Place): CellView => {
    const same = views.filter(
      ({ input }) => input.requirement === requirement && input.report_id === report_id,
    );
    const view = (hasRun ? same.at(-1) : same[0])?.output;
    if (!view) throw missing(`requirement ${requirement} in ${report_id}`);
    return view;
  };
  const programsOf = (place: Place) => proposed.filter((each) => keyOf(each) === keyOf(place));
  /** Takes the proposal `id` out and gives it. */
  const take = (id: number): ProgramProposal => {
    const found = proposed.find((each) => each.id === id);
    if (!found) throw missing(`proposal ${id}`);
    proposed = proposed.filter((each) => each !== found);
    return found;
  };
  /** Puts a proposal in the place of the one that its program made before. */
  const put = (given: Omit<ProgramProposal, "id">): ProgramProposal => {
    const made = { ...given, id: Math.max(0, ...proposed.map((each) => each.id)) + 1 };
    proposed = [
      ...proposed.filter((each) => keyOf(each) !== keyOf(made) || each.program !== made.program),
      made,
    ];
    return made;
  };
  const statusIn = (place: Place) => entries.get(keyOf(place))?.review.status;
  const run = () => {
    hasRun = true;
  };

  /** A cell as it is recorded, with what was decided and proposed here; nothing where it waits and has neither. */
  const cellOf = (row: number, column: number): AssessmentCell | undefined => {
    const { rows, columns, cells } = recordedGrid();
    const place = { requirement: rows[row]?.id ?? "", report_id: columns[column]?.report_id ?? "" };
    const known = cells.find((each) => each.row === row && each.column === column);
    const entry = entries.get(keyOf(place));
    const proposed_by = programsOf(place).map(({ program }) => program);
    if (!entry && proposed_by.length === 0) return known;
    const before: AssessmentCell = known ?? { ...BLANK, row, column };
    if (!entry) return { ...before, proposed_by };
    const { status, note, updated_at } = entry.review;
    return {
      ...before,
      proposed_by,
      status,
      reviewer: entry.reviewer,
      decided_at: updated_at,
      note: note !== "",
      carried: status === "open" ? before.carried : null,
      differs: before.differs && status === before.status,
    };
  };
  const at = ({ requirement, report_id }: Place): AssessmentCell[] => {
    const { rows, columns } = recordedGrid();
    const row = rows.findIndex(({ id }) => id === requirement);
    const column = columns.findIndex((each) => each.report_id === report_id);
    return [cellOf(row, column) ?? []].flat();
  };
  const viewOf = (place: Place): CellView => {
    const view = recordedView(place);
    const programs = programsOf(place);
    const claims = keyOf(place) === keyOf(CLAIMED) ? CLAIMS : view.claims;
    return { ...view, ...entries.get(keyOf(place)), programs, claims };
  };

  /** Keeps a decision; those before it go into its history. */
  const keep = (place: Place, by: string, part: Partial<Review>, proposed_by?: string) => {
    const { review, history } = viewOf(place);
    const { requirement: paragraph_id, report_id } = place;
    const updated_at = new Date().toISOString();
    const next: Review = { ...(review ?? EMPTY), ...part, report_id, paragraph_id, updated_at };
    const { status, note } = next;
    const made: AssessmentDecision = { report_id, paragraph_id, reviewer: by, status, note, at: updated_at };
    entries.set(keyOf(place), {
      reviewer: by || null,
      review: next,
      history: [{ ...made, ...(proposed_by !== undefined && { proposed_by }) }, ...history],
    });
  };
  return { recordedGrid, cellOf, at, viewOf, keep, take, put, statusIn, run };
}

type Known = ReturnType<typeof windowState>;

/** Assessments that are made, changed, deleted and run. */
function planHandlers({ recordedGrid, cellOf, run }: Known): FakeHandlers {
  const all = new Map([[ID, recordedGrid().assessment]]);
  const get = (id: number): Assessment => {
    const found = all.get(id);
    if (!found) throw missing(`assessment ${id}`);
    return found;
  };
  return answering({
    "assess.list": () => {
      const [first] = recorded("assess.list", {});
      return [...all.values()].flatMap(({ id, name, updated_at }) =>
        first ? [{ ...first, id, name, updated_at }] : [],
      );
    },
    "assess.new": (plan) => {
      const id = Math.max(0, ...all.keys()) + 1;
      all.set(id, { ...recordedGrid().assessment, ...plan, id });
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
    "assess.show": ({ id }) => {
      const grid = recordedGrid();
      const cells = grid.rows.flatMap(({ requirement }, row) =>
        requirement ? grid.columns.flatMap((_, column) => cellOf(row, column) ?? []) : [],
      );
      return { ...grid, assessment: get(id), cells };
    },
    "assess.run": async (_, call) => {
      const made = await retold("assess.run", { id: ID }, call);
      run();
      return made;
    },
  });
}

/** Cells that are decided and proposed for. */
function cellHandlers({ at, viewOf, keep, take, put, statusIn }: Known): FakeHandlers {
  const decide = (given: Input<"assess.decide">): AssessmentCell[] =>
    given.requirements.flatMap((requirement) => {
      const place = { requirement, report_id: given.report_id };
      const { status, note, passages } = given;
      keep(place, given.reviewer ?? "", {
        status,
        ...(note != null && { note }),
        ...(passages != null && { passages: passages as PinnedPassage[] }),
      });
      return at(place);
    });

  return answering({
    "assess.cell": viewOf,
    "assess.decide": decide,
    "assess.compare": ({ earlier, later }) => {
      const found = recorded("assess.compare", { id: ID, earlier, later });
      return {
        ...found,
        changes: found.changes.map((change) => {
          const requirement = found.rows[change.row]?.id ?? "";
          const now = statusIn({ requirement, report_id: later }) ?? change.later;
          return {
            ...change,
            earlier: statusIn({ requirement, report_id: earlier }) ?? change.earlier,
            later: now,
            carried: change.carried && now === "open",
          };
        }),
      };
    },
    "assess.propose": (given) => {
      const { quotes } = recorded("assess.propose", everyRecorded("assess.propose")[0]?.input ?? {});
      const { requirement, report_id, program, finding, reason } = given;
      const made_at = new Date().toISOString();
      // The quotes of one proposal stand for those of all.
      return put({ requirement, report_id, program, finding, reason, quotes, made_at });
    },
    "assess.confirm": ({ proposal, reviewer = "", note }) => {
      const given = take(proposal);
      const before = viewOf(given).review ?? EMPTY;
      const passages = [...before.passages, ...given.quotes.map(({ pin }) => pin)];
      const words = note ?? (before.note || given.reason);
      keep(given, reviewer, { status: given.finding, note: words, passages }, given.program);
      return at(given);
    },
    "assess.dismiss": ({ proposal }) => {
      take(proposal);
      return null;
    },
    "assess.carry_over": ({ requirements, ...given }) =>
      requirements.flatMap((requirement) => {
        const [cell] = at({ requirement, report_id: given.report_id });
        if (!cell?.carried) throw missing(`decision to confirm for ${requirement}`);
        return decide({ ...given, requirements: [requirement], status: cell.carried });
      }),
  });
}

/** Packs: one that is made, checked, or taken in. */
const PACKS: FakeHandlers = answering({
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
    assessment: ID,
    made: false,
    taken: 12,
    same: 1,
    conflicts: [
      {
        report_id: CLAIMED.report_id,
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

/** The handlers of one window. */
function state(): FakeHandlers {
  const known = windowState();
  return { ...planHandlers(known), ...cellHandlers(known), ...PACKS };
}

/** What is known of a requirement that nobody has decided and nothing is proposed for. */
const BLANK: Omit<AssessmentCell, "row" | "column"> = {
  status: "open",
  reviewer: null,
  decided_at: null,
  note: false,
  carried: null,
  proposal: null,
  outdated: false,
  differs: false,
  moved: false,
  disputed: false,
  proposed_by: [],
};
const EMPTY: Review = {
  report_id: "",
  paragraph_id: "",
  words: "",
  status: "open",
  note: "",
  passages: [],
  updated_at: "",
};

/** Answers for Assess. */
export const handlers: FakeHandlers = state();

/** Answers of a window of its own, as a test needs them. */
export const freshHandlers = state;
