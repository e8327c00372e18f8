import { IconListNumbers } from "@tabler/icons-react";
import type { FigureShown, FigureAnswer as Figures } from "@/api/types";
import { CopyButton } from "@/kit/CopyButton";
import { classes } from "@/kit/class-names";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { Cite, type Citing } from "./Cite";
import { FigureTable } from "./FigureTable";
import css from "./figure-answer.module.css";
import { around, copied, inFigures, type Stand, sourceOf, standsOf, whatOf } from "./figures";
import { titleOf } from "./names";
import { Prose } from "./Prose";
import type { ShownReading } from "./shown";

type FigureAnswerProps = Citing & {
  figures: Figures;
  reading: ShownReading;
  small?: boolean;
};

/** An answer in figures: each as it is printed, what follows from them, and the rows and columns that they stand in. */
export function FigureAnswer({ figures, reading, small, ...citing }: FigureAnswerProps) {
  const { citations, sentences } = reading;
  const several = figures.figures.length > 1;
  // What the values say already is not said again in a sentence; one that is quoted is.
  const said = new Set(
    figures.figures.filter(({ origin }) => origin !== "sentence").map(({ citation }) => citation),
  );
  const quoted = sentences.filter(
    ({ text, citations: own }) =>
      text !== figures.working && !(own.length > 0 && own.every((n) => said.has(n))),
  );
  return (
    <div className={css.answer} data-testid="ask-figures">
      <div className={classes(css.values, (several || small) && css.several)}>
        {figures.figures.map((figure) => (
          <Value key={figure.citation} figure={figure} reading={reading} {...citing} />
        ))}
      </div>
      {figures.working !== null && (
        <p className={`number ${css.working}`}>
          <bdi>{visible(figures.working)}</bdi>
        </p>
      )}
      {quoted.length > 0 && (
        <Prose reading={{ ...reading, sentences: quoted }} live={false} small={small} {...citing} />
      )}
      {standsOf(figures, citations).map((stand) => (
        <Standing key={stand.citation.n} stand={stand} />
      ))}
    </div>
  );
}

type ValueProps = Citing & { figure: FigureShown; reading: ShownReading };

function Value({ figure, reading, lit, ...citing }: ValueProps) {
  const { number, unit } = around(figure);
  const n = figure.citation;
  return (
    <p className={classes(css.value, (lit ?? citing.selected) === n && css.lit)}>
      <bdi>
        <b className="number">{visible(number)}</b> {visible(unit)}
      </bdi>
      <Cite n={n} citation={reading.citations.find((each) => each.n === n)} {...citing} />
      <bdi className={css.what}>{visible(whatOf(figure))}</bdi>
    </p>
  );
}

/** The table that figures stand in, with its source and what can be done with them. */
function Standing({ stand }: { stand: Stand }) {
  const { table, citation, figures } = stand;
  const source = visible(sourceOf(citation));
  return (
    <div className={css.stand}>
      {table && (
        <FigureTable table={table} label={[table.head[0], titleOf(citation)].filter(Boolean).join(", ")} />
      )}
      <div className={css.foot}>
        <span className="mut ell grow" {...tip(source)}>
          <bdi>{source}</bdi>
        </span>
        <a className={`btn quiet small ${css.link}`} href={inFigures(figures, citation)}>
          <IconListNumbers className="small" aria-hidden />
          {t("ask.figures.in_figures")}
        </a>
        <CopyButton words text={() => copied(stand)} />
      </div>
    </div>
  );
}
