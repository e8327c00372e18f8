// Why an answer has the marks that it has, in a line each.

import type { AnswerCitation, Answers, FigureAlso, Stands } from "@/api/types";
import { citedPage, pagesOf } from "@/parts/cited";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { holds } from "./CheckMark";
import { titleOf } from "./names";
import { citationsOf, figuresOf, isOfFigures, type Shown, sentencesOf } from "./shown";

/** Why it is said to answer its question, or to leave that open. */
export function answersWhy(shown: Shown, answers: Answers): string {
  if (answers !== "yes" || !isOfFigures(shown)) return t(`ask.marks.why.${answers}`);
  const dated = shown.understood.some(({ kind }) => kind === "period" || kind === "relative_period");
  return t(dated ? "ask.marks.why.figures" : "ask.marks.why.undated");
}

/** Other places that state a figure of the answer. */
export const alsoOf = (shown: Shown): FigureAlso[] => figuresOf(shown).flatMap(({ also }) => also);

/** How many other places bear a figure out. */
export const agreeing = (shown: Shown): number =>
  alsoOf(shown).filter(({ agreement }) => agreement !== "differs").length;

/** Why it is said to stand in its sources, or not to. */
export function standsWhy(shown: Shown, stands: Stands): string {
  if (stands === "no") return t("ask.marks.why.no");
  if (stands === "in_part") {
    const sentences = sentencesOf(shown);
    const count = sentences.filter(({ check }) => holds(check)).length;
    return t("ask.marks.why.in_part", { count, all: sentences.length });
  }
  const more = agreeing(shown);
  return [
    t(`ask.marks.why.${howOf(shown, stands)}`, { place: whereOf(shown) }),
    more > 0 && t("ask.marks.why.agree", { count: more }),
  ]
    .filter(Boolean)
    .join(" · ");
}

function howOf(shown: Shown, stands: "word_for_word" | "in_other_words") {
  if (!isOfFigures(shown)) return stands;
  const origins = figuresOf(shown).flatMap(({ figures }) => figures.map(({ origin }) => origin));
  if (origins.every((origin) => origin === "table")) return origins.length > 1 ? "cells" : "cell";
  // What follows from quoted figures is no quotation; they are.
  return stands === "word_for_word" && origins.every((origin) => origin === "sentence") ? stands : "read";
}

/** The page of a citation that stands on one; nothing where pages are not what names its place. */
const onePage = (citation: AnswerCitation): string | undefined => {
  const { pages, about_page, cells, paragraph_id } = citation;
  return about_page === null && cells === null && paragraph_id === null && pages && pages[0] === pages[1]
    ? pagesOf(citation)
    : undefined;
};

/** The places that an answer stands in, each once. */
const placesOf = (shown: Shown): AnswerCitation[] => [
  ...new Map(citationsOf(shown).map((each) => [`${each.document_id} ${titleOf(each)}`, each])).values(),
];

function whereOf(shown: Shown): string {
  if (shown.fromSelection) return t("ask.marks.place.selection");
  const places = placesOf(shown);
  const [first] = places;
  const count = places.length;
  if (first && count === 1) {
    const page = onePage(first);
    return page
      ? t("ask.marks.place.page", { page })
      : t("ask.marks.place.one", { place: visible(titleOf(first)) });
  }
  const paged = places.every((each) => onePage(each) !== undefined);
  return t(paged ? "ask.marks.place.pages" : "ask.marks.place.places", { count });
}

/** Whether it stands in its sources and where, as it is read out: the page alone where it stands on one. */
export function standsInWords(shown: Shown, stands: Stands): string {
  const [first, ...others] = placesOf(shown);
  const page = first && others.length === 0 && onePage(first) && first.pages?.[0];
  const where =
    stands === "no" || stands === "in_part"
      ? standsWhy(shown, stands)
      : page
        ? t("ask.announce.page", { page: citedPage(page, first.page_labels?.[0]) })
        : whereOf(shown);
  return `${t(`ask.marks.stands.${stands}`)}, ${where}`;
}
