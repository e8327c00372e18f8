import { Fragment, useMemo } from "react";
import type { Hit } from "@/api/types";
import { askable } from "@/state/selection";
import { inert } from "@/text/visible";
import { pagesOf } from "./cited";
import { FoundBy } from "./FoundBy";
import css from "./hits.module.css";
import { marked, type Underlined } from "./marked";
import { OcrTag } from "./OcrTag";
import { ocrOf } from "./ocr";
import { PassageTable } from "./PassageTable";
import { blocksOf, type Named, readable, saidBy, sectionsOf, shownStretch, whereIs } from "./passage";

type PassageProps = {
  passage: Named & Pick<Hit, "chunk_text" | "passage" | "header" | "found_by">;
  /** Stems that matched; their words are marked. */
  terms?: readonly string[];
  /** What of `chunk_text` is underlined: the sentence that is nearest in meaning to what is asked, unless it says otherwise. */
  near?: Underlined;
};

/** A passage as it is read, with where it stands and the words that matched; what it is found by is put away. */
export function Passage({ passage, terms = [], near }: PassageProps) {
  const written = saidBy(passage);
  const body = useMemo(() => inert(readable(written)), [written]);
  const where = inert(passage.header ?? [passage.title, ...sectionsOf(passage)].join(" › "));
  const pages = pagesOf(passage);
  const { metadata } = passage;
  const ocr = useMemo(() => ocrOf({ metadata }), [metadata]);
  const blocks = useMemo(() => {
    const stretch = near && shownStretch(body, passage.chunk_text.slice(near.start, near.end));
    const words = (text: string, at: number) => {
      const within = stretch && { start: stretch.start - at, end: stretch.end - at, says: near?.says };
      return <bdi>{marked(text, terms, within, ocr?.doubtful)}</bdi>;
    };
    return blocksOf(body).map((block, at, all) => {
      if ("rows" in block) return <PassageTable key={block.start} {...block} words={words} />;
      const before = all[at - 1];
      return (
        <Fragment key={block.start}>
          {before && "line" in before && "\n"}
          {words(block.line, block.start)}
        </Fragment>
      );
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
      {blocks}
      <FoundBy phrases={passage.found_by} />
    </div>
  );
}
