// Words of an answer as they are shown: whatever marks a model sets, nothing of them leads anywhere or is loaded.

import { Fragment, type ReactNode } from "react";
import type { AnswerSentence } from "@/api/types";
import { inOneLine } from "@/parts/passage";
import { inert } from "@/text/visible";

/** How a sentence stands in an answer. */
export type BlockKind = "paragraph" | "list" | "row" | "heading";

/** Sentences that stand together. Each item of a list holds the sentences of that item. */
export type Block = { kind: BlockKind; items: { at: number; sentence: AnswerSentence }[][] };

const ITEM = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
const ROW = /^\|.*\|$/;
const HEADING = /^#{1,6}\s+/;
/** The words that lead an item in, such as `**Named premises.**`. */
const LEAD = /(?:\*\*|:)$/;

const kindOf = (text: string): BlockKind => {
  if (ROW.test(text)) return "row";
  if (ITEM.test(text)) return "list";
  return HEADING.test(text) ? "heading" : "paragraph";
};

/** Sentences in paragraphs, lists, rows and headings, each with its place among all. */
export function blocksOf(
  sentences: readonly AnswerSentence[],
  place: (sentence: AnswerSentence) => string,
): Block[] {
  const blocks: Block[] = [];
  let before: AnswerSentence | undefined;
  for (const [at, sentence] of sentences.entries()) {
    const kind = kindOf(sentence.text);
    const last = blocks.at(-1);
    const one = { at, sentence };
    const goesOn = before !== undefined && kind === "paragraph" && LEAD.test(before.text);
    if (last?.kind === "list" && goesOn) last.items.at(-1)?.push(one);
    else if (last?.kind === kind && kind === "list") last.items.push([one]);
    else if (last?.kind === kind && kind === "row") last.items.push([one]);
    else if (
      last?.kind === "paragraph" &&
      kind === "paragraph" &&
      before &&
      place(before) === place(sentence)
    )
      last.items[0]?.push(one);
    else blocks.push({ kind, items: [[one]] });
    before = sentence;
  }
  return blocks;
}

/** A sentence without the marks of Markdown, but for what is strong in it. */
export function words(text: string): ReactNode[] {
  const bare = text.replace(HEADING, "").replace(/^[-*+•]\s+/, "");
  return bare.split(/(\*\*[^*]+\*\*)/).map((part, at) => {
    const strong = /^\*\*([^*]+)\*\*$/.exec(part)?.[1];
    const shown = inert(strong === undefined ? keepEdges(part) : inOneLine(strong));
    // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their place.
    return strong === undefined ? <Fragment key={at}>{shown}</Fragment> : <b key={at}>{shown}</b>;
  });
}

/** A part on one line with the space at its ends. */
function keepEdges(part: string): string {
  const line = inOneLine(part);
  if (line === "") return part === "" ? "" : " ";
  return `${/^\s/.test(part) ? " " : ""}${line}${/\s$/.test(part) ? " " : ""}`;
}

/** Words that are still on their way, without marks of citation that are whole or half there. */
export const onTheWay = (tail: string): string =>
  inert(inOneLine(tail.replaceAll(/\s*\[[^\]]*(?:\]|$)/g, "")));
