import { Fragment, type ReactNode } from "react";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import { findDoubtful } from "./ocr";
import type { Stretch } from "./stems";
import { findStems } from "./stems";

/** A stretch with what its underline says; that it is nearest in meaning where nothing is given. */
export type Underlined = Stretch & { says?: string };

/** A stretch with the kind of its mark: a word that matched, or one of which OCR is not sure. */
type Word = Stretch & { kind: "keyword" | "doubtful" };

/**
 * `text` with the words of `stems` marked, the stretch `near` underlined as what it says, the words in `doubtful` as those of
 * which OCR is not sure.
 */
export function marked(
  text: string,
  stems: readonly string[],
  near?: Underlined,
  doubtful: readonly string[] = [],
): ReactNode[] {
  const unsure = findDoubtful(text, doubtful).map((word): Word => ({ ...word, kind: "doubtful" }));
  const apart = (word: Stretch) => unsure.every(({ start, end }) => word.end <= start || end <= word.start);
  const sure = findStems(text, stems)
    .filter(apart)
    .map((word): Word => ({ ...word, kind: "keyword" }));
  const words = [...unsure, ...sure].sort((a, b) => a.start - b.start);
  const part = (from: number, to: number) => marksWithin(text, words, from, to);
  const start = Math.max(0, near?.start ?? 0);
  const end = Math.min(text.length, near?.end ?? 0);
  if (!near || start >= end) return part(0, text.length);
  return [
    <Fragment key="before">{part(0, start)}</Fragment>,
    <mark key="near" className="near" {...tip(near.says ?? t("hit.near"))}>
      {part(start, end)}
    </mark>,
    <Fragment key="after">{part(end, text.length)}</Fragment>,
  ];
}

/** The part of `text` from `from` to `to`, with what of `words` stands in it marked. */
function marksWithin(text: string, words: readonly Word[], from: number, to: number): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = from;
  for (const word of words) {
    const start = Math.max(word.start, from);
    const end = Math.min(word.end, to);
    if (start >= end) continue;
    parts.push(text.slice(at, start));
    parts.push(
      <mark key={start} className={word.kind} {...(word.kind === "doubtful" && tip(t("hit.ocr.doubtful")))}>
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  parts.push(text.slice(at, to));
  return parts;
}
