import type { StandardTerm } from "@/api/types";
import { Id } from "@/kit/Id";
import { Tooltip } from "@/kit/Tooltip";
import { Formulas } from "@/parts/Formulas";
import { inert } from "@/text/visible";
import { Open } from "./Links";
import { marks } from "./marks";
import type { PlaceControl } from "./place";
import css from "./prose.module.css";

/** What an explanation needs to lead on. */
export type ProseProps = Pick<PlaceControl, "open"> & {
  terms: readonly StandardTerm[];
  known: (id: string) => boolean;
};

/** A paragraph of an explanation: terms tell their definition, ids open, formulas are set apart. */
export function Prose({ text, ...props }: ProseProps & { text: string }) {
  return <Formulas text={inert(text)} words={(part) => <Words {...props} text={part} />} />;
}

function Words({ text, terms, known, open }: ProseProps & { text: string }) {
  return marks(text, terms, known).map((mark, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: parts keep their place.
    if (mark.kind === "text") return mark.text;
    if (mark.kind === "id")
      return (
        <Open key={index} id={mark.id} open={open} className={css.inline}>
          <Id link>{mark.text}</Id>
        </Open>
      );
    return (
      <Tooltip key={index} label={mark.term.definition}>
        {/* A link, because a button is a block that a line breaks before and after. */}
        <Open
          id={mark.term.id}
          open={open}
          className={css.term}
          // Every occurrence tells its definition; one stop for the Tab key is enough.
          tabIndex={mark.first ? undefined : -1}
        >
          {mark.text}
        </Open>
      </Tooltip>
    );
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above.
  });
}
