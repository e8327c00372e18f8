// An answer as text for other documents: each sentence with its marks, and the list of sources.

import type { AnswerCitation } from "@/api/types";
import { t } from "@/text";
import { holds } from "./CheckMark";
import { titleOf } from "./names";
import { citationsOf, type Shown, type ShownReading } from "./shown";

const prose = ({ sentences }: ShownReading): string =>
  sentences
    .map(({ text, citations, check }) =>
      [
        text,
        ...citations.map((n) => `[Citation ${n}]`),
        ...(holds(check) ? [] : [`[${t(`ask.check.${check}`)}]`]),
      ].join(" "),
    )
    .reduce((all, each) => {
      if (all === "") return each;
      return /^(?:[-*|#]|\d+[.)]\s)/.test(each) ? `${all}\n${each}` : `${all} ${each}`;
    }, "");

const source = (citation: AnswerCitation): string =>
  `[Citation ${citation.n}] ${[titleOf(citation), citation.section.join(" › ")].filter(Boolean).join(", ")}: “${citation.quote.replaceAll(/\s+/g, " ").trim()}”`;

/** The answer with its citations, as it is copied. */
export function withCitations(shown: Shown): string {
  const answers = shown.readings.map((reading) =>
    reading.name === "" ? prose(reading) : `${reading.name}: ${prose(reading)}`,
  );
  const standing =
    shown.standing === "incomplete" || shown.standing === "stopped" ? [t("ask.copy.incomplete")] : [];
  const removed = shown.removed.map(({ kind, text }) => `${t(`ask.removed.${kind}`)}: ${text}`);
  return [
    shown.question,
    ...answers,
    ...standing,
    citationsOf(shown).map(source).join("\n"),
    removed.join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}
