import type { AnswerSentence } from "@/api/types";
import { classes } from "@/kit/class-names";
import { CheckMark } from "./CheckMark";
import { Cite, type Citing } from "./Cite";
import { blocksOf, onTheWay, words } from "./plain";
import css from "./prose.module.css";
import type { ShownReading } from "./shown";

type ProseProps = Citing & {
  reading: ShownReading;
  /** It is still being written. */
  live: boolean;
  small?: boolean;
};

/** An answer in sentences, each with the numbers of its sources and what the check of it found. */
export function Prose({ reading, live, small, ...citing }: ProseProps) {
  const { sentences, citations, tail } = reading;
  const source = (sentence: AnswerSentence) =>
    citations.find((each) => each.n === sentence.citations[0])?.document ?? "";
  const blocks = blocksOf(sentences, source);
  const rest = onTheWay(tail);
  const caret = live && (
    <>
      {rest !== "" && <span>{rest} </span>}
      <span className={css.caret} data-caret aria-hidden />
    </>
  );
  const inParagraph = blocks.at(-1)?.kind === "paragraph";
  return (
    <div className={classes(css.prose, small && css.small)} data-testid="ask-answer">
      {blocks.map((block, index) => {
        const last = index === blocks.length - 1;
        const line = (items: (typeof block.items)[number]) =>
          items.map(({ at, sentence }) => (
            <Sentence key={at} sentence={sentence} reading={reading} {...citing} />
          ));
        const [first] = block.items;
        if (block.kind === "list")
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their place.
            <ul key={index}>
              {block.items.map((items, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: so do items.
                <li key={at}>{line(items)}</li>
              ))}
            </ul>
          );
        if (block.kind === "row")
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their place.
            <div key={index} className={css.rows}>
              {block.items.map((items, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: so do rows.
                <p key={at}>{line(items)}</p>
              ))}
            </div>
          );
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their place.
          <p key={index} className={block.kind === "heading" ? css.heading : undefined}>
            {first && line(first)}
            {last && inParagraph && caret}
          </p>
        );
      })}
      {!inParagraph && caret && <p>{caret}</p>}
    </div>
  );
}

type SentenceProps = Citing & { sentence: AnswerSentence; reading: ShownReading };

function Sentence({ sentence, reading, lit, ...citing }: SentenceProps) {
  const own = sentence.citations;
  const on = own.some((n) => n === (lit ?? citing.selected));
  return (
    <>
      <span className={on ? css.lit : undefined} data-sentence>
        <bdi>{words(sentence.text)}</bdi>
      </span>
      {own.map((n) => (
        <Cite key={n} n={n} citation={reading.citations.find((each) => each.n === n)} {...citing} />
      ))}
      <CheckMark sentence={sentence} />{" "}
    </>
  );
}
