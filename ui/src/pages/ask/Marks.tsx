import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconHelpCircle,
  IconQuote,
} from "@tabler/icons-react";
import type { Answers, Stands } from "@/api/types";
import { t } from "@/text";
import css from "./marks.module.css";

type Look = { Icon: typeof IconQuote; tone: string };

const ANSWERS: Record<Answers, Look> = {
  yes: { Icon: IconCircleCheck, tone: "c-ok" },
  likely: { Icon: IconCircleDashed, tone: "c-warn" },
  unsure: { Icon: IconHelpCircle, tone: "c-bad" },
};
const STANDS: Record<Stands, Look> = {
  word_for_word: { Icon: IconQuote, tone: "c-ok" },
  in_other_words: { Icon: IconQuote, tone: "c-ok" },
  in_part: { Icon: IconHelpCircle, tone: "c-warn" },
  no: { Icon: IconCircleX, tone: "c-bad" },
};

type MarksProps = { answers: Answers; stands: Stands };

/** Two marks, in words: whether the answer answers the question, and whether it stands in its sources. */
export function Marks({ answers, stands }: MarksProps) {
  const one = ANSWERS[answers];
  const other = STANDS[stands];
  return (
    <ul className={css.marks} aria-label={t("ask.marks.title")}>
      <li data-answers={answers}>
        <one.Icon className={`small ${one.tone}`} aria-hidden />
        {t(`ask.marks.answers.${answers}`)}
      </li>
      <li data-stands={stands}>
        <other.Icon className={`small ${other.tone}`} aria-hidden />
        {t(`ask.marks.stands.${stands}`)}
      </li>
    </ul>
  );
}
