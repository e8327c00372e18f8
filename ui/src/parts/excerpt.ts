// The stretch of a passage that is shown: whole sentences around what matched.

import { findStems } from "@/parts/stems";
import { sentencesOf } from "./sentences";

/** Part of a text, with whether something was left out on either side. */
export type Excerpt = {
  text: string;
  /** Where it begins in the text without white space around it. */
  start: number;
  before: boolean;
  after: boolean;
};

/** About `length` characters of `body` that hold the most of `stems`. Sentences stay whole where they fit. */
export function excerpt(body: string, stems: readonly string[], length: number): Excerpt {
  const text = body.trim();
  if (text.length <= length) return { text, start: 0, before: false, after: false };
  const sentences = sentencesOf(text);
  const hits = findStems(text, stems);
  let best = { start: 0, end: Math.min(length, text.length), worth: -1 };
  for (const [index, first] of sentences.entries()) {
    let end = first.end;
    for (const next of sentences.slice(index + 1)) {
      if (next.end - first.start > length) break;
      end = next.end;
    }
    const inside = hits.filter((hit) => hit.start >= first.start && hit.end <= end);
    const worth = new Set(inside.map((hit) => text.slice(hit.start, hit.end).toLowerCase())).size;
    if (worth > best.worth) best = { start: first.start, end, worth };
  }
  let end = best.end;
  if (end - best.start > length * 1.4) {
    const space = text.lastIndexOf(" ", best.start + length);
    end = space > best.start ? space : best.start + length;
  }
  const cut = text.slice(best.start, end);
  const start = best.start + cut.length - cut.trimStart().length;
  return { text: cut.trim(), start, before: best.start > 0, after: end < text.trimEnd().length };
}
