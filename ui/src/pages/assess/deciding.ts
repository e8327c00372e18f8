// Decisions: they show at once, are stored one after the other, and can be taken back.

import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { call, EngineError } from "@/api/client";
import { keyOf, tagsOf, useWorkspace } from "@/api/queries";
import type { AssessmentGrid, Decide, PinnedPassage, Review, ReviewStatus } from "@/api/types";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { asReviewer, ownName } from "./reviewer";

/** A cell by what stands in it. */
export type CellId = { requirement: string; report_id: string };

/** What a decision changes; what is left out stays. */
export type Change = { status: ReviewStatus; note?: string; passages?: PinnedPassage[] };

/** A decision that is not stored yet, or not yet among those that the grid holds. */
type Unstored = { status: ReviewStatus; done?: boolean; error?: EngineError; again?: () => void };

/** How to put a cell back. */
type Former = CellId & Change;

/** What a cell is called wherever cells are listed. */
export const idOf = ({ requirement, report_id }: CellId) => `${requirement}\n${report_id}`;

/** Calls of one kind together: the cells of a report that get the same. */
function callsFor(formers: readonly Former[]): (Change & { report_id: string; requirements: string[] })[] {
  const calls = new Map<string, Change & { report_id: string; requirements: string[] }>();
  for (const { requirement, report_id, ...change } of formers) {
    const key = JSON.stringify([report_id, change]);
    const known = calls.get(key);
    if (known) known.requirements.push(requirement);
    else calls.set(key, { report_id, ...change, requirements: [requirement] });
  }
  return [...calls.values()];
}

/** The status of a cell in the grid of the engine. */
function statusIn(
  { rows, columns, cells }: AssessmentGrid,
  { requirement, report_id }: CellId,
): ReviewStatus {
  const cell = cells.find(
    (each) => rows[each.row]?.id === requirement && columns[each.column]?.report_id === report_id,
  );
  return cell?.status ?? "open";
}

/** The grid with the decisions that are not stored yet. */
function withUnstored(grid: AssessmentGrid, unstored: ReadonlyMap<string, Unstored>): AssessmentGrid {
  if (unstored.size === 0) return grid;
  const cells = [...grid.cells];
  for (const [id, { status }] of unstored) {
    const [requirement, report_id] = id.split("\n");
    const row = grid.rows.findIndex((each) => each.id === requirement);
    const column = grid.columns.findIndex((each) => each.report_id === report_id);
    if (row < 0 || column < 0) continue;
    const at = cells.findIndex((each) => each.row === row && each.column === column);
    const cell = cells[at];
    if (cell) cells[at] = { ...cell, status, carried: status === "open" ? cell.carried : null };
    else
      cells.push({
        row,
        column,
        status,
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
      });
  }
  return { ...grid, cells };
}

/** Cells that are asked of their reports and not decided. */
const openIn = ({ rows, columns, cells }: AssessmentGrid): number => {
  const asked = rows
    .filter(({ requirement }) => requirement)
    .flatMap(({ reports }) => columns.filter(({ report_id }) => reports?.includes(report_id) ?? true));
  const decided = cells.filter(({ row, column, status }) => {
    const of = rows[row];
    const report = columns[column]?.report_id ?? "";
    return status !== "open" && of?.requirement && (of.reports?.includes(report) ?? true);
  });
  return asked.length - decided.length;
};

/** Stores decisions one after the other; what is not stored yet shows in the grid. */
function useStoring(stored: AssessmentGrid) {
  const queries = useQueryClient();
  const workspace = useWorkspace();
  const [unstored, setUnstored] = useState<ReadonlyMap<string, Unstored>>(new Map());
  const queue = useRef(Promise.resolve());
  const [seen, setSeen] = useState(stored);
  if (seen !== stored) {
    setSeen(stored);
    setUnstored((now) => new Map([...now].filter(([, { done }]) => !done)));
  }
  const grid = useMemo(() => withUnstored(stored, unstored), [stored, unstored]);
  const unsaved = useMemo(
    () => new Set([...unstored].flatMap(([cell, { error }]) => (error ? cell : []))),
    [unstored],
  );

  const put = (change: (map: Map<string, Unstored>) => void) =>
    setUnstored((now) => {
      const next = new Map(now);
      change(next);
      return next;
    });

  /** Stores one call after those before it: a decision, or that a carried one is confirmed. */
  const store = ({ confirms, ...input }: Decide & { confirms?: boolean }) => {
    const cells = input.requirements.map((requirement) => idOf({ requirement, report_id: input.report_id }));
    const entry: Unstored = { status: input.status };
    put((map) => {
      for (const each of cells) map.set(each, entry);
    });
    /** Says what became of it, where no later decision has taken its place. */
    const settle = (become: Unstored) =>
      put((map) => {
        for (const each of cells) if (map.get(each) === entry) map.set(each, become);
      });
    queue.current = queue.current.then(async () => {
      try {
        const { id, report_id, requirements, reviewer } = input;
        const changed = await (confirms
          ? call(
              "assess.carry_over",
              { id, report_id, requirements, ...(reviewer !== undefined && { reviewer }) },
              { workspace },
            )
          : call("assess.decide", input, { workspace }));
        queries.setQueryData<AssessmentGrid>(
          keyOf("assess.show", { id: input.id }, workspace),
          (now) =>
            now && {
              ...now,
              cells: [
                ...now.cells.filter(
                  ({ row, column }) => !changed.some((each) => each.row === row && each.column === column),
                ),
                ...changed,
              ],
            },
        );
        settle({ ...entry, done: true });
        const tags = tagsOf("assess.decide");
        // The grid holds the cells that changed already.
        void queries.invalidateQueries({
          predicate: ({ queryKey: [name] }) =>
            name !== "assess.show" && tagsOf(String(name)).some((tag) => tags.includes(tag)),
        });
      } catch (thrown) {
        settle({
          ...entry,
          error: EngineError.from(thrown),
          again: () => store({ ...input, ...(confirms && { confirms }) }),
        });
      }
    });
  };

  return { grid, unstored, unsaved, store };
}

/** What is said of a decision once it is taken, or taken back: what it is, and how many cells are still open. */
function saidOf(
  words: "decided" | "undone",
  formers: readonly Former[],
  status: ReviewStatus,
  grid: AssessmentGrid,
): string {
  const now = new Map(formers.map((each) => [idOf(each), { status: each.status }]));
  const count = openIn(withUnstored(grid, now));
  if (words === "undone") return t("assess.said.undone", { count });
  const name = t(`assess.status.${status}`);
  return formers.length === 1
    ? t("assess.said.decided", { status: name, count })
    : t("assess.said.several", { decided: formers.length, status: name, count });
}

/** Takes decisions of whoever is at this window in the assessment that `stored` shows. */
export function useDeciding(stored: AssessmentGrid) {
  const workspace = useWorkspace();
  const { grid, unstored, unsaved, store } = useStoring(stored);
  const [said, setSaid] = useState("");
  const last = useRef<Former[]>(undefined);

  const send = (formers: readonly Former[], reviewer: string) => {
    for (const { report_id, requirements, status, note, passages } of callsFor(formers))
      store({
        id: stored.assessment.id,
        report_id,
        requirements,
        status,
        ...(note !== undefined && { note }),
        ...(passages !== undefined && { passages: [...passages] }),
        reviewer,
      });
  };

  const say = (words: "decided" | "undone", formers: readonly Former[], status: ReviewStatus) =>
    setSaid(saidOf(words, formers, status, grid));

  /** Decides on cells. `former` is what stood in a cell whose note or passages change too. */
  const decide = async (
    cells: readonly CellId[],
    change: Change,
    former: Review | null | undefined,
    reviewer: string,
  ) => {
    const kept = former === undefined && change.note !== undefined ? await reviewsOf(cells, workspace) : [];
    last.current = cells.map((cell) => {
      const review = former ?? kept.find((each) => isOf(each, cell));
      return {
        ...cell,
        status: statusIn(grid, cell),
        ...(change.note !== undefined && { note: review?.note ?? "" }),
        ...(change.passages !== undefined && { passages: review?.passages ?? [] }),
      };
    });
    const next = cells.map((cell) => ({ ...cell, ...change }));
    send(next, reviewer);
    if (last.current.some(({ status }) => status !== change.status)) say("decided", next, change.status);
  };

  /** Has the next taking back put `cell` as it was before something else decided on it: with `former`. */
  const remember = (cell: CellId, former: Review | null) => {
    const { status = "open", note = "", passages = [] } = former ?? {};
    last.current = [{ ...cell, status, note, passages }];
  };

  /** Takes back what was decided last. */
  const undo = () => {
    const formers = last.current;
    last.current = undefined;
    if (!formers?.[0]) return setSaid(t("assess.said.nothing_to_undo"));
    send(formers, ownName());
    say("undone", formers, formers[0].status);
  };

  /** Confirms what was decided on the report before; taken back as a decision is. */
  const confirm = ({ requirement, report_id }: CellId, status: ReviewStatus, reviewer: string) => {
    last.current = [{ requirement, report_id, status: "open", note: "", passages: [] }];
    store({
      id: stored.assessment.id,
      report_id,
      requirements: [requirement],
      status,
      reviewer,
      confirms: true,
    });
    say("decided", [{ requirement, report_id, status }], status);
  };

  return {
    grid,
    said,
    confirm: (cell: CellId, status: ReviewStatus) =>
      asReviewer((reviewer) => confirm(cell, status, reviewer)),
    say: setSaid,
    /** Decides; `onSent` is called once somebody has said who decides. */
    decide: (cells: readonly CellId[], change: Change, former?: Review | null, onSent?: () => void) =>
      asReviewer((reviewer) => {
        onSent?.();
        decide(cells, change, former, reviewer).catch((thrown) => reportError(EngineError.from(thrown)));
      }),
    undo,
    remember,
    /** Cells whose decision could not be stored. */
    unsaved,
    /** Why a decision could not be stored, and what tries again. */
    failed: (cell: CellId) => {
      const entry = unstored.get(idOf(cell));
      return entry?.error && { error: entry.error, again: entry.again };
    },
  };
}

export type Deciding = ReturnType<typeof useDeciding>;

const isOf = (review: Review, { requirement, report_id }: CellId): boolean =>
  review.paragraph_id === requirement && review.report_id === report_id;

/** What stands in the cells now, notes and passages included. */
async function reviewsOf(cells: readonly CellId[], workspace: string): Promise<Review[]> {
  const reports = [...new Set(cells.map(({ report_id }) => report_id))];
  const lists = await Promise.all(
    reports.map((report_id) => call("review.list", { report_id }, { workspace })),
  );
  return lists.flat();
}
