import type { DocumentRow } from "@/api/types";
import { visible } from "@/text/visible";
import css from "./document-name.module.css";

type Known = Pick<DocumentRow, "issuer" | "year">;

/** Whose a document is and of which year, as far as that is known. */
export const madeBy = ({ issuer, year }: Known): string =>
  [issuer, year].filter((each) => each !== null && each !== "").join(" · ");

/** The whole name of a document in one line: titles alone are often the same. */
export const fullName = (title: string, document: Known): string =>
  [title, madeBy(document)].filter((each) => each !== "").join(" · ");

type DocumentNameProps = {
  title: string;
  document: Known;
  /** What else stands beside issuer and year. */
  also?: readonly (string | undefined)[];
  tip?: string;
};

/** The name of a document in a list: its title in up to two lines, below it issuer and year. */
export function DocumentName({ title, document, also = [], tip }: DocumentNameProps) {
  const about = [madeBy(document), ...also].filter(Boolean).join(" · ");
  return (
    <span className={css.name} data-tip={visible(tip ?? fullName(title, document))}>
      <bdi className={css.title}>{visible(title)}</bdi>
      {about !== "" && <bdi className={`xs mut ${css.about}`}>{visible(about)}</bdi>}
    </span>
  );
}
