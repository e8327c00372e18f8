import type { AnswerCitation } from "@/api/types";
import { classes } from "@/kit/class-names";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import css from "./cite.module.css";
import { numberOf, titleOf } from "./names";

/** What the citations of an answer are marked by and lead to. */
export type Citing = {
  /** Number of the selected citation. */
  selected: number | undefined;
  /** Number of the citation under the pointer. */
  lit: number | undefined;
  onLit: (n: number | undefined) => void;
  /** Selects a citation; a second time opens it. */
  onCite: (n: number) => void;
  /** Numbered by letters. */
  letters: boolean;
};

type CiteProps = Omit<Citing, "lit"> & {
  n: number;
  /** Nothing where the answer has no such citation. */
  citation: AnswerCitation | undefined;
};

/** The number of a citation, which leads to its source. */
export function Cite({ n, citation, selected, onLit, onCite, letters }: CiteProps) {
  const number = numberOf(n, letters);
  const name = citation ? titleOf(citation) : "";
  return (
    <button
      type="button"
      className={classes("cite", css.chip, n === selected && "on")}
      aria-label={t("ask.cite", { number, name })}
      aria-current={n === selected || undefined}
      data-cite={n}
      data-keys
      {...tip(name || undefined)}
      onClick={() => onCite(n)}
      onMouseEnter={() => onLit(n)}
      onMouseLeave={() => onLit(undefined)}
      onFocus={() => onLit(n)}
      onBlur={() => onLit(undefined)}
    >
      {number}
    </button>
  );
}
