import { Fragment, type ReactNode, useMemo } from "react";
import css from "./hits.module.css";
import { headerAndBody, type Named, pagesOf, readable, sectionsOf } from "./passage";
import { findStems } from "./stems";

type PassageProps = {
  passage: Named & { chunk_text: string };
  /** Stems that matched; their words are marked. */
  terms?: readonly string[];
};

/** The line of a shipped explanation that lists what people ask: it is found by it, and nobody reads it first. */
const PHRASINGS = /^\s*Asked as: /;

/** A passage as plain text with where it stands and the words that matched. */
export function Passage({ passage, terms = [] }: PassageProps) {
  const { header, body: written } = headerAndBody(passage.chunk_text);
  const body = useMemo(() => readable(written), [written]);
  const where = header ?? [passage.title, ...sectionsOf(passage)].join(" › ");
  const pages = pagesOf(passage.pages);
  const lines = useMemo(
    () => body.split("\n").map((line) => ({ quiet: PHRASINGS.test(line), words: mark(line, terms) })),
    [body, terms],
  );
  return (
    <div className={`card ${css.passage}`}>
      <div className={`m mi mut ${css.where}`}>
        {where}
        {pages && !where.includes(pages) ? ` · ${pages}` : ""}
      </div>
      {lines.map(({ quiet, words }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their place.
        <Fragment key={at}>
          {at > 0 && "\n"}
          {quiet ? <span className="sec sm">{words}</span> : words}
        </Fragment>
      ))}
    </div>
  );
}

function mark(body: string, terms: readonly string[]): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of findStems(body, terms)) {
    parts.push(body.slice(at, start));
    parts.push(
      <mark key={start} className="k">
        {body.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  parts.push(body.slice(at));
  return parts;
}
