// Who judges: a name that stands beside each judgment; kept between starts.

import { createStore } from "@/kit/store";

const KEY = "sibyl.judge";

const judge = createStore(localStorage.getItem(KEY) ?? "");

/** The name that judgments are given under; empty for the set’s own labels. */
export const useJudge = judge.use;

/** The name that judgments are given under now. */
export const currentJudge = judge.get;

/** Judges under another name from now on. */
export function judgeAs(name: string): void {
  localStorage.setItem(KEY, name.trim());
  judge.set(name);
}
