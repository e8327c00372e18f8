import { Fragment, type ReactNode } from "react";
import css from "./formulas.module.css";

/** A formula between backquotes. */
const FORMULA = /`([^`]+)`/;

/** A text whose formulas, which stand between backquotes, are set apart; `words` shows what stands around them. */
export function Formulas({ text, words }: { text: string; words: (text: string) => ReactNode }) {
  return text.split(FORMULA).map((part, index) =>
    // Every other part is a formula.
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their place.
      <code key={index} className={css.formula}>
        {part}
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their place.
      <Fragment key={index}>{words(part)}</Fragment>
    ),
  );
}
