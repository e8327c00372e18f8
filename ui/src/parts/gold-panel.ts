// The gold query that asks the same as the search on screen, and what is judged for it.

import { useMemo } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { GoldPanel, JudgeTarget, LabelPlace } from "@/api/types";
import { useStill } from "@/kit/still";
import { createStore } from "@/kit/store";
import { type Grade, gradeOf } from "@/parts/Grades";
import { counting, targetKey } from "@/parts/gold";
import { useJudge } from "@/state/judge";

/** Milliseconds that a query stands before it is looked for in the gold sets. */
const STILL = 200;
/** First results whose unjudged ones are counted, as a run counts them. */
export const COUNTED = 10;

/** What stands between the path of a document and the number of its page in the name of a label. */
const PAGE = "#page=";

/** Whether a label names the document at `path` or a page of it. */
const isWhole = ({ label: { target } }: LabelPlace, path: string): boolean =>
  target.kind === "identifier" && (target.id === path || target.id.startsWith(`${path}${PAGE}`));

/** The grade of a page of the document at `path`, or of the whole of it. */
export function wholeGrade(panel: GoldPanel, path: string, page?: number): Grade | undefined {
  const id = page === undefined ? path : `${path}${PAGE}${page}`;
  const found = placesOf(panel).find(
    ({ label: { target } }) => target.kind === "identifier" && target.id === id,
  );
  return gradeOf(found?.label.grade);
}

/** The grade that a chunk of the document at `path` was given itself, beside those of its pages and its document. */
export function ownGrade(panel: GoldPanel, chunk: string, path: string | undefined): Grade | undefined {
  // The highest grade comes first.
  const own = placesOf(panel).find(
    (place) => place.chunks.includes(chunk) && (path === undefined || !isWhole(place, path)),
  );
  return gradeOf(own?.label.grade);
}

/** Grades by chunk: of several labels of a chunk the highest. */
export function gradesOf(panel: GoldPanel | undefined): ReadonlyMap<string, Grade> {
  const grades = new Map<string, Grade>();
  for (const { label, chunks } of placesOf(panel)) {
    const grade = gradeOf(label.grade);
    if (grade === undefined) continue;
    for (const chunk of chunks) grades.set(chunk, gradeOf(Math.max(grade, grades.get(chunk) ?? 0)) ?? grade);
  }
  return grades;
}

/** The labels that count, the highest grade first, each with its chunks. */
export function placesOf(panel: GoldPanel | undefined): LabelPlace[] {
  const places = panel?.labels ?? [];
  return counting(places.map(({ label }) => label)).flatMap(
    (label) =>
      places.find(
        (place) => place.label.at === label.at && targetKey(place.label.target) === targetKey(label.target),
      ) ?? [],
  );
}

/** The gold set that was chosen to judge in, wherever several hold the query. */
const chosenSet = createStore("");

/** Judges in another of the gold sets that hold a query from now on. */
export const judgeIn = chosenSet.set;

/** The gold sets there are, and the gold query with the words of the search: of several sets that hold one, that
 * of the chosen set. Asked once the query stands still. */
export function useGold(query: string) {
  const sets = useCommand("gold.list", {});
  const words = useStill(query.trim(), STILL);
  const known = (sets.data ?? []).length > 0;
  const panels = useCommand("gold.panel", { query: words }, { enabled: known && words !== "" });
  const chosen = chosenSet.use();
  const held = words === query.trim() ? panels.data : undefined;
  const panel = held?.find((each) => each.set === chosen) ?? held?.[0];
  return { sets, panels, panel, grades: useMemo(() => gradesOf(panel), [panel]) };
}

/** What is judged for a query of a gold set; nothing where the set no longer has it. */
export function useGoldQuery(set: string, { id, text }: { id: string; text: string }) {
  const panels = useCommand("gold.panel", { query: text });
  const panel = panels.data?.find((each) => each.set === set && each.query.id === id);
  return { panel, grades: useMemo(() => gradesOf(panel), [panel]) };
}

/** Gives a grade for a gold query, or takes it back. */
export function useGrading(panel: GoldPanel | undefined) {
  const judge = useJudge();
  const give = useAction("gold.judge");
  return (target: JudgeTarget, grade: Grade | undefined) => {
    if (!panel) return;
    give.mutate({ set: panel.set, query: panel.query.id, target, grade: grade ?? null, judge });
  };
}
