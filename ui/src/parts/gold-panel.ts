// The gold query that asks the same as the search on screen, and what is judged for it.

import { useMemo } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { GoldPanel, LabelPlace } from "@/api/types";
import { useStill } from "@/kit/still";
import { createStore } from "@/kit/store";
import { type Grade, gradeOf } from "@/parts/Grades";
import { counting, targetKey } from "@/parts/gold";
import { useJudge } from "@/state/judge";

/** Milliseconds that a query stands before it is looked for in the gold sets. */
const STILL = 200;
/** First results whose unjudged ones are counted, as a run counts them. */
export const COUNTED = 10;

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

/** Judges a chunk for a gold query, or takes the judgment back. */
export function useGrading(panel: GoldPanel | undefined) {
  const judge = useJudge();
  const give = useAction("gold.judge");
  return (chunk_id: string, grade: Grade | undefined) => {
    if (!panel) return;
    give.mutate({
      set: panel.set,
      query: panel.query.id,
      target: { kind: "chunk", chunk_id },
      grade: grade ?? null,
      judge,
    });
  };
}
