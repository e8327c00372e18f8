import { Fragment, useMemo } from "react";
import { inert } from "@/text/visible";
import css from "./hits.module.css";
import { marked } from "./marked";
import { headerAndBody, type Named, pagesOf, readable, sectionsOf, shownStretch } from "./passage";
import type { Stretch } from "./stems";

type PassageProps = {
  passage: Named & { chunk_text: string };
  /** Stems that matched; their words are marked. */
  terms?: readonly string[];
  /** The sentence of `chunk_text` that is nearest in meaning to what is asked; it is underlined. */
  near?: Stretch;
};

/** The line of a shipped explanation that lists what people ask: it is found by it, and nobody reads it first. */
const PHRASINGS = /^\s*Asked as: /;

/** A passage as plain text with where it stands and the words that matched. */
export function Passage({ passage, terms = [], near }: PassageProps) {
  const { header, body: written } = headerAndBody(passage.chunk_text);
  const body = useMemo(() => inert(readable(written)), [written]);
  const where = inert(header ?? [passage.title, ...sectionsOf(passage)].join(" › "));
  const pages = pagesOf(passage.pages);
  const lines = useMemo(() => {
    const stretch = near && shownStretch(body, passage.chunk_text.slice(near.start, near.end));
    let at = 0;
    return body.split("\n").map((line) => {
      const within = stretch && { start: stretch.start - at, end: stretch.end - at };
      at += line.length + 1;
      return { quiet: PHRASINGS.test(line), words: marked(line, terms, within) };
    });
  }, [body, terms, near, passage.chunk_text]);
  return (
    <div className={`card ${css.passage}`}>
      <div className={`m mi mut ${css.where}`}>
        <bdi>{where}</bdi>
        {pages && !where.includes(pages) ? ` · ${pages}` : ""}
      </div>
      {lines.map(({ quiet, words }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their place.
        <Fragment key={at}>
          {at > 0 && "\n"}
          {quiet ? <bdi className="sec sm">{words}</bdi> : <bdi>{words}</bdi>}
        </Fragment>
      ))}
    </div>
  );
}
