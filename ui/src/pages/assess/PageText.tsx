import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import type { EngineError } from "@/api/client";
import type { DocumentView } from "@/api/types";
import { classes } from "@/kit/class-names";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { Loaded, SkeletonRows } from "@/kit/states";
import { type Turning, turning as turningKeys } from "@/parts/PageField";
import { t } from "@/text";
import { inert, visible } from "@/text/visible";
import css from "./page.module.css";
import { wordsOf } from "./passages";
import type { Evidence } from "./use-evidence";

type Span = [number, number];

/** Fewest signs of a part of the text. */
const PART = 4000;

/** The parts of a text that are shown one at a time; each ends with a paragraph. */
export function leavesOf(text: string): Span[] {
  const leaves: Span[] = [];
  for (let start = 0; start < text.length; ) {
    const blank = text.indexOf("\n\n", start + PART);
    const end = blank < 0 ? text.length : blank;
    leaves.push([start, end]);
    start = blank < 0 ? text.length : blank + 2;
  }
  return leaves.length > 0 ? leaves : [[0, 0]];
}

/** The part that a place of the text stands in, from 1. */
export const leafAt = (text: string, at: number): number =>
  Math.max(1, leavesOf(text).findLastIndex(([start]) => start <= at) + 1);

/** The paragraphs and the rows of tables between two places. */
function paragraphsOf(text: string, [first, last]: Span): Span[] {
  const found: Span[] = [];
  let at = first;
  for (const line of text.slice(first, last).split("\n")) {
    if (line.trim() !== "") found.push([at, at + line.trimEnd().length]);
    at += line.length + 1;
  }
  return found;
}

type PageTextProps = {
  query: UseQueryResult<DocumentView, EngineError>;
  path: string;
  turning: Turning;
  evidence: Evidence;
  /** The selected passage, where it is of this document. */
  span: Span | undefined;
  onSelect: (span: Span) => void;
};

/** A part of the text of a document that has no pages to draw; each paragraph can be selected. */
export function PageText({ query, path, turning, evidence, span, onSelect }: PageTextProps) {
  const root = useRef<HTMLDivElement>(null);
  const { page } = turning;
  const reveal = useEffectEvent(() => {
    const mark = root.current?.querySelector("mark");
    if (mark) mark.scrollIntoView?.({ block: "center" });
    else if (root.current) root.current.scrollTop = 0;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part or passage is shown from its mark on.
  useEffect(() => reveal(), [evidence.selection, span?.[0], query.data, page]);
  return (
    <ScrollRegion
      ref={root}
      fill
      ways="down"
      label={t("assess.page.text", { name: visible(path) })}
      className={css.text}
      onKeyDown={turningKeys(turning)}
    >
      <Loaded query={query} skeleton={<SkeletonRows bare rows={5} height={28} />}>
        {({ text }) =>
          paragraphsOf(text, leavesOf(text)[page - 1] ?? [0, 0]).map((each) => (
            <button key={each[0]} type="button" className={css.paragraph} onClick={() => onSelect(each)}>
              <Marked text={text} span={each} marked={span} />
            </button>
          ))
        }
      </Loaded>
    </ScrollRegion>
  );
}

/** The words of a paragraph, with those of the selected passage marked. */
function Marked({
  text,
  span: [start, end],
  marked,
}: {
  text: string;
  span: Span;
  marked: Span | undefined;
}) {
  const from = Math.max(start, marked?.[0] ?? end);
  const to = Math.min(end, marked?.[1] ?? start);
  if (from >= to) return <bdi>{wordsOf({ quote: text.slice(start, end) })}</bdi>;
  return (
    <bdi>
      {inert(text.slice(start, from))}
      <mark className={classes("near", css.words)}>{inert(text.slice(from, to))}</mark>
      {inert(text.slice(to, end))}
    </bdi>
  );
}
