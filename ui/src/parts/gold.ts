// Gold sets in words: what a label names, and which of several judgments counts.

import type { GoldLabel, GoldTarget } from "@/api/types";
import { t } from "@/text";

/** Most letters of a quote in a list. */
const QUOTE = 80;

const short = (words: string) => (words.length > QUOTE ? `${words.slice(0, QUOTE).trimEnd()}…` : words);

/** What a label names: its identifier, the beginning of its words, or that nothing answers the query. */
export function targetName(target: GoldTarget): string {
  if (target.kind === "nothing") return t("evaluate.sets.nothing");
  return target.kind === "identifier" ? target.id : `“${short(target.quote.replace(/\s+/g, " ").trim())}”`;
}

/** The name of a passage in a run: path, hash of the passage, its first words. */
const PASSAGE = /^(?:.*\/)?([^/#]+)#[0-9a-f]{8} (.*)$/s;

/** What a run calls a label, as a reader knows it: an identifier, or the file of a passage and its first words. */
export function labelName(name: string): string {
  const [, file, words] = PASSAGE.exec(name) ?? [];
  return file === undefined ? name : `${file} “${words}…”`;
}

/** What tells a target from others of the same query. */
export function targetKey(target: GoldTarget): string {
  if (target.kind === "nothing") return "\nnothing";
  return target.kind === "identifier" ? target.id : `${target.path}\n${target.before}\n${target.quote}`;
}

/** The labels that count, the highest grade first: of several judgments of one target the latest. */
export function counting(labels: readonly GoldLabel[]): GoldLabel[] {
  const latest = new Map<string, GoldLabel>();
  for (const label of labels) {
    const key = targetKey(label.target);
    const kept = latest.get(key);
    if (!kept || label.at >= kept.at) latest.set(key, label);
  }
  return [...latest.values()].sort((a, b) => b.grade - a.grade);
}
