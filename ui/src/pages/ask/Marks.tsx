import { IconCheck, IconQuestionMark, IconQuote, IconTilde, IconX } from "@tabler/icons-react";
import type { Answers, Stands } from "@/api/types";
import { classes } from "@/kit/class-names";
import { t } from "@/text";
import css from "./marks.module.css";
import { answersWhy, standsWhy } from "./reasons";
import type { Shown } from "./shown";

type Look = { Icon: typeof IconQuote; tone: "ok" | "warn" | "bad" };

const ANSWERS: Record<Answers, Look> = {
  yes: { Icon: IconCheck, tone: "ok" },
  likely: { Icon: IconTilde, tone: "warn" },
  unsure: { Icon: IconQuestionMark, tone: "warn" },
};
const STANDS: Record<Stands, Look> = {
  word_for_word: { Icon: IconQuote, tone: "ok" },
  in_other_words: { Icon: IconQuote, tone: "ok" },
  in_part: { Icon: IconQuestionMark, tone: "warn" },
  no: { Icon: IconX, tone: "bad" },
};

/** Two marks, by shape and in words: whether the answer answers the question, and whether it stands in its sources. */
export function Marks({ shown }: { shown: Shown }) {
  if (!shown.marks) return null;
  const { answers, stands } = shown.marks;
  return (
    <ul className={css.marks} aria-label={t("ask.marks.title")}>
      <Mark
        look={ANSWERS[answers]}
        words={t(`ask.marks.answers.${answers}`)}
        why={answersWhy(shown, answers)}
      />
      <Mark
        round
        look={STANDS[stands]}
        words={t(`ask.marks.stands.${stands}`)}
        why={standsWhy(shown, stands)}
      />
    </ul>
  );
}

type MarkProps = { look: Look; words: string; why: string; round?: boolean };

function Mark({ look: { Icon, tone }, words, why, round }: MarkProps) {
  return (
    <li>
      <span className={classes(css.shape, css[tone], round && css.round)}>
        <Icon className="small" aria-hidden />
      </span>
      <div>
        <b>{words}</b> <span className="mut">{why}</span>
      </div>
    </li>
  );
}
