import { Fragment, useMemo } from "react";
import type { Hit } from "@/api/types";
import { askable } from "@/state/selection";
import { inert } from "@/text/visible";
import { pagesOf } from "./cited";
import { FoundBy } from "./FoundBy";
import css from "./hits.module.css";
import { marked } from "./marked";
import { OcrTag } from "./OcrTag";
import { ocrOf } from "./ocr";
import { type Named, readable, saidBy, sectionsOf, shownStretch, whereIs } from "./passage";
import type { Stretch } from "./stems";

type PassageProps = {
  passage: Named & Pick<Hit, "chunk_text" | "passage" | "header" | "found_by">;
  /** Stems that matched; their words are marked. */
  terms?: readonly string[];
  /** The sentence of `chunk_text` that is nearest in meaning to what is asked; it is underlined. */
  near?: Stretch;
};

/** A passage as plain text with where it stands and the words that matched; what it is found by is put away. */
export function Passage({ passage, terms = [], near }: PassageProps) {
  const written = saidBy(passage);
  const body = useMemo(() => inert(readable(written)), [written]);
  const where = inert(passage.header ?? [passage.title, ...sectionsOf(passage)].join(" › "));
  const pages = pagesOf(passage);
  const { metadata } = passage;
  const ocr = useMemo(() => ocrOf({ metadata }), [metadata]);
  const lines = useMemo(() => {
    const stretch = near && shownStretch(body, passage.chunk_text.slice(near.start, near.end));
    let at = 0;
    return body.split("\n").map((line) => {
      const within = stretch && { start: stretch.start - at, end: stretch.end - at };
      at += line.length + 1;
      return marked(line, terms, within, ocr?.doubtful);
    });
  }, [body, terms, near, passage.chunk_text, ocr]);
  return (
    <div className={`card ${css.passage}`} {...askable(whereIs(passage))}>
      <div className={`mono micro mut ${css.where}`}>
        <bdi>{where}</bdi>
        {pages && !where.includes(pages) ? ` · ${pages}` : ""}
        {ocr && (
          <>
            {" "}
            <OcrTag confidence={ocr.confidence} />
          </>
        )}
      </div>
      {lines.map((words, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their place.
        <Fragment key={at}>
          {at > 0 && "\n"}
          <bdi>{words}</bdi>
        </Fragment>
      ))}
      <FoundBy phrases={passage.found_by} />
    </div>
  );
}
