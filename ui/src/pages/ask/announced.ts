// What assistive technology is told: the end of an answer, not each word of it.

import { t } from "@/text";
import { visible } from "@/text/visible";
import { holeOf, inWords } from "./figures";
import { standsInWords } from "./reasons";
import { citationsOf, figuresOf, isOfFigures, type Shown } from "./shown";

/** What is said of an answer as it stands. */
export function announced(shown: Shown): string {
  switch (shown.standing) {
    case "pending":
      return t("ask.announce.pending");
    case "not_found": {
      const hole = holeOf(figuresOf(shown));
      return hole ? visible(t("ask.announce.hole", hole)) : t("ask.not_found.title");
    }
    case "answered":
      return isOfFigures(shown) ? figuresInWords(shown) : answeredWith(shown);
    case "greeting":
      return "";
    default:
      return t("ask.incomplete.title");
  }
}

const answeredWith = (shown: Shown): string =>
  t("ask.announce.answered", { count: citationsOf(shown).length });

function figuresInWords(shown: Shown): string {
  if (!shown.marks) return answeredWith(shown);
  const { answers, stands } = shown.marks;
  const told = shown.readings.flatMap(
    ({ name, figures }) => figures && [name, inWords(figures)].filter(Boolean).join(": "),
  );
  return t("ask.announce.figures", {
    figures: visible(told.join("; ")),
    answers: t(`ask.marks.answers.${answers}`),
    stands: standsInWords(shown, stands),
  });
}
