import { IconCircleDashed } from "@tabler/icons-react";
import { Fragment } from "react";
import type { ComparedFigure, ComparedPair, ComparedPassage, FigureRow, ReportComparison } from "@/api/types";
import { pagesOf } from "@/parts/cited";
import { href } from "@/state/router";
import { t } from "@/text";
import { upTo } from "@/text/format";
import { inert, visible } from "@/text/visible";
import css from "./changed.module.css";
import type { Changed } from "./changes";
import { headOf } from "./changes";

/** The page of a passage, which opens it in its document. */
function Place({ passage, told }: { passage: ComparedPassage; told: string }) {
  const { page, page_label, document_id, span, section } = passage;
  const where =
    page === null
      ? t("assess.changed.open")
      : pagesOf({
          pages: [page, page],
          ...(page_label !== null && { page_labels: [page_label, page_label] }),
        });
  return (
    <div className={css.place}>
      <a
        className="nowrap"
        href={href("chunk-lab", [], {
          document: String(document_id),
          view: "read",
          at: span.join("-"),
          mark: span.join("-"),
          ...(page !== null && { show: "page", page: String(page) }),
        })}
      >
        <b>{where}</b>
      </a>
      <span className="mut sm ell">{section.map(visible).join(" › ")}</span>
      <span className="mut xs nowrap push">{told}</span>
    </div>
  );
}

/** The words of a passage, with those that the other one lacks marked. */
function Words({ passage, side }: { passage: ComparedPassage; side: "earlier" | "later" }) {
  const Mark = side === "earlier" ? "del" : "ins";
  return (
    <p className={css.words}>
      <bdi>
        {passage.words.map(({ text, changed }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stretches stand in their order.
          <Fragment key={at}>
            {at > 0 && " "}
            {changed ? <Mark>{inert(text)}</Mark> : inert(text)}
          </Fragment>
        ))}
      </bdi>
    </p>
  );
}

/** How far the words of both sides differ, told once beside the later. */
function differenceWords({ kind, earlier, later }: ComparedPair): string {
  if (kind === "same" || kind === "moved") return t("assess.changed.same_words");
  if (kind !== "reworded") return "";
  const changed = (side: ComparedPassage | null) => side?.words.filter((part) => part.changed).length ?? 0;
  return t("assess.changed.differ", { added: changed(later), removed: changed(earlier) });
}

/** One report's side of a pair; a dashed box where it says nothing. */
function Side({
  passage,
  side,
  pair,
  report,
  silent,
  nearest,
}: {
  passage: ComparedPassage | null;
  side: "earlier" | "later";
  pair: ComparedPair;
  report: string;
  /** Whether nothing at all was found in it. */
  silent: boolean;
  nearest: ComparedPassage | null;
}) {
  if (!passage)
    return (
      <div className={css.nothing}>
        <IconCircleDashed className="small" aria-hidden />
        <span>
          <b>{t(silent ? "assess.changed.nothing" : "assess.changed.alone", { report: visible(report) })}</b>{" "}
          {nearest && (
            <span className="sec">
              {t("assess.changed.nearest")} “
              <bdi>{inert(nearest.words.map(({ text }) => text).join(" "))}</bdi>”
            </span>
          )}
        </span>
      </div>
    );
  // Words that stand alone, or in which nothing differs, need no marks.
  const bare = pair.kind !== "reworded";
  return (
    <>
      <Place passage={passage} told={side === "later" ? differenceWords(pair) : ""} />
      <Words
        side={side}
        passage={
          bare ? { ...passage, words: passage.words.map((part) => ({ ...part, changed: false })) } : passage
        }
      />
    </>
  );
}

/** What both reports say, side by side. */
export function Sides({ changed, comparison }: { changed: Changed; comparison: ReportComparison }) {
  const { earlier, later, compared_as } = comparison;
  const names = { earlier: headOf(earlier, compared_as).head, later: headOf(later, compared_as).head };
  const { pairs, kind, nearest, figures } = changed;
  return (
    <>
      {pairs.map((pair, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pairs stand in their order.
        <div key={at} className={css.pair}>
          {(["earlier", "later"] as const).map((side) => (
            <div key={side} className={css.side}>
              <Side
                {...{ side, pair }}
                passage={pair[side]}
                report={names[side]}
                silent={pairs.every((each) => each[side] === null)}
                nearest={at === 0 && (kind === "new" || kind === "gone") ? nearest : null}
              />
            </div>
          ))}
        </div>
      ))}
      {figures.length > 0 && <Figures figures={figures} comparison={comparison} />}
    </>
  );
}

const printed = (row: FigureRow | null): string =>
  row ? visible([row.printed, row.unit].filter(Boolean).join(" ")) : "–";

/** The difference of two figures in the unit that both are printed in. */
function differenceOf({ earlier, again, agreement }: ComparedFigure): string {
  if (!earlier || !again) return "";
  if (agreement === "agrees") return t("assess.changed.figures.same");
  if (agreement === "rounded") return t("assess.changed.figures.rounded");
  if (agreement === null) return t("assess.changed.figures.several");
  if (earlier.unit !== again.unit) return t("assess.changed.figures.restated");
  const by = again.value - earlier.value;
  return t("assess.changed.figures.restated_by", { by: `${by > 0 ? "+" : "−"}${upTo(Math.abs(by), 3)}` });
}

/** Figures of the metric, each as both reports give it. */
function Figures({
  figures,
  comparison,
}: {
  figures: readonly ComparedFigure[];
  comparison: ReportComparison;
}) {
  const { earlier, later, compared_as } = comparison;
  const [then, now] = [earlier, later].map((each) => headOf(each, compared_as).head);
  const years = compared_as === "years";
  return (
    <div className={css.figures}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("assess.changed.figures.what")}</th>
            <th scope="col">
              {t("assess.changed.figures.in", {
                year: String(earlier.year ?? ""),
                report: visible(then ?? ""),
              })}
            </th>
            {years && (
              <>
                <th scope="col">
                  {t("assess.changed.figures.in", {
                    year: String(earlier.year ?? ""),
                    report: visible(now ?? ""),
                  })}
                </th>
                <th scope="col">{t("assess.changed.figures.difference")}</th>
              </>
            )}
            <th scope="col">
              {t("assess.changed.figures.in", { year: String(later.year ?? ""), report: visible(now ?? "") })}
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.map((figure) => (
            <tr key={figure.names.join(" › ")}>
              <th scope="row">
                <bdi>{visible(figure.names.join(" › "))}</bdi>
              </th>
              <td className="number">{printed(figure.earlier)}</td>
              {years && (
                <>
                  <td className="number">{printed(figure.again)}</td>
                  <td className={figure.agreement === "differs" ? css.restated : "mut"}>
                    {differenceOf(figure)}
                  </td>
                </>
              )}
              <td className="number">{printed(figure.later)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
