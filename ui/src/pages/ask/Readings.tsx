import { IconGitMerge } from "@tabler/icons-react";
import { Button } from "@/kit/Button";
import { pagesOf } from "@/parts/cited";
import { t } from "@/text";
import { decimal } from "@/text/format";
import { visible } from "@/text/visible";
import type { Citing } from "./Cite";
import { FigureAnswer } from "./FigureAnswer";
import { Prose } from "./Prose";
import css from "./readings.module.css";
import type { Shown, ShownReading } from "./shown";

type ReadingsProps = Citing & {
  shown: Shown;
  live: boolean;
  /** Asks the question again in one of its readings. */
  onNarrow: (reading: string) => void;
};

const documentsOf = ({ citations }: ShownReading): string =>
  [...new Set(citations.map((each) => each.title || each.document))].map(visible).join(", ");
const placesOf = ({ citations }: ShownReading): string =>
  [...new Set(citations.map((each) => each.paragraph_id ?? pagesOf(each) ?? ""))]
    .filter(Boolean)
    .map(visible)
    .join(", ");

/** The readings of an ambiguous question, each with its own answer, side by side. */
export function Readings({ shown, live, onNarrow, ...citing }: ReadingsProps) {
  const { readings } = shown;
  // Several companies are no ambiguity: the question names each.
  const sides = shown.understood.filter((each) => each.kind === "issuer").length > 1;
  const rows: [string, (reading: ShownReading) => string][] = [
    [t("ask.readings.documents"), documentsOf],
    [t("ask.readings.places"), placesOf],
    [t("ask.confidence.title"), ({ confidence }) => (confidence === undefined ? "" : decimal(confidence, 2))],
  ];
  return (
    <>
      <div className={sides ? "note plain" : "note warn"}>
        <IconGitMerge className="small" aria-hidden />
        <div className="grow">
          <b>{t(sides ? "ask.readings.sides_title" : "ask.readings.title", { count: readings.length })}</b>{" "}
          {t(sides ? "ask.readings.sides_detail" : "ask.readings.detail")}
        </div>
      </div>
      <div className={css.readings}>
        {readings.map((reading, at) => (
          <section key={reading.name} className={`card ${css.reading}`} aria-label={visible(reading.name)}>
            <h3>{visible(reading.name)}</h3>
            {reading.figures && reading.figures.figures.length > 0 ? (
              <FigureAnswer figures={reading.figures} reading={reading} small {...citing} />
            ) : (
              <Prose reading={reading} live={live && at === readings.length - 1} small {...citing} />
            )}
            <div className={`row between ${css.foot}`}>
              <Button size="small" onClick={() => onNarrow(reading.name)}>
                {t("ask.readings.narrow")}
              </Button>
              {reading.confidence !== undefined && (
                <span className="xs mut number">
                  {t("ask.not_found.confidence", { value: decimal(reading.confidence, 2) })}
                </span>
              )}
            </div>
          </section>
        ))}
      </div>
      {!live && (
        <div>
          <h3 className="h2">{t("ask.readings.differ")}</h3>
          <table className="compact">
            <thead>
              <tr>
                <td />
                {readings.map((reading) => (
                  <th key={reading.name} scope="col" className="align-end">
                    {visible(reading.name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, of]) => (
                <tr key={name}>
                  <th scope="row" className={css.row}>
                    {name}
                  </th>
                  {readings.map((reading) => (
                    <td key={reading.name} className="align-end number">
                      {of(reading)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
