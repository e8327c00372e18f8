import { useState } from "react";
import type { AnswerCitation, AnswerPassage } from "@/api/types";
import { SwitchRow } from "@/kit/fields";
import { useShortcut } from "@/kit/shortcuts";
import { NotLoaded } from "@/kit/states";
import { GoldSetChoice } from "@/parts/GoldSetChoice";
import { type Grade, Grades, useGradeKeys } from "@/parts/Grades";
import { ownGrade, useGold, useGrading } from "@/parts/gold-panel";
import { shuffled } from "@/parts/shuffled";
import { t } from "@/text";
import css from "./judging.module.css";
import { numberOf, titleOf } from "./names";
import type { Shown } from "./shown";

type Sourced = {
  shown: Shown;
  cited: readonly AnswerCitation[];
  /** Passages that are listed beside the citations. */
  listed: readonly AnswerPassage[];
  /** Number of the selected citation. */
  selected: number | undefined;
};

/** What is judged among the sources of an answer whose question is a gold query, and in which order they stand. */
export function useJudging({ shown, cited, listed, selected }: Sourced) {
  const [blind, setBlind] = useState(false);
  const [picked, setPicked] = useState<{ question: string; cite: number | undefined; chunk: string }>();
  const gold = useGold(shown.question);
  const citation = cited.find((each) => each.n === selected);
  // A passage stays picked until a citation is chosen after it, here or in the answer.
  const stays = picked?.question === shown.question && picked.cite === selected;
  const passage = stays ? listed.find((each) => each.chunk_id === picked.chunk) : undefined;
  const pick =
    gold.panel &&
    ((next: AnswerPassage) => setPicked({ question: shown.question, cite: selected, chunk: next.chunk_id }));
  const inOrder = <Item extends { chunk_id: string }>(items: readonly Item[]): readonly Item[] =>
    blind ? shuffled(shown.question, items) : items;
  const step = (by: number) => {
    const passages = inOrder(listed);
    const at = passage ? passages.indexOf(passage) : -1;
    const next = passages[at < 0 ? (by > 0 ? 0 : passages.length - 1) : at + by];
    if (next) pick?.(next);
  };
  // Where nothing is cited, the keys of the citations walk the passages.
  const walked = pick !== undefined && cited.length === 0;
  useShortcut("ask.next", () => step(1), walked);
  useShortcut("ask.previous", () => step(-1), walked);
  return {
    gold,
    citation,
    passage,
    /** Chunk that is being judged. */
    chosen: passage?.chunk_id ?? citation?.chunk_id,
    /** Takes a passage to be judged; nothing where none can be. */
    pick,
    unpick: () => setPicked(undefined),
    /** Chunks of whatever can be judged. */
    chunks: new Set([...cited, ...listed].map((each) => each.chunk_id)),
    /** Whether nothing tells of ranks and lists. */
    blind,
    setBlind,
    inOrder,
  };
}

type JudgingProps = { judging: ReturnType<typeof useJudging>; shown: Shown };

/** Where the question is a gold query: the judgment of the selected source, and how many have one. */
export function Judging({ judging, shown }: JudgingProps) {
  const { gold, chunks } = judging;
  return (
    <>
      <NotLoaded query={gold.sets} />
      <NotLoaded query={gold.panels} />
      {gold.panel && chunks.size > 0 && <Bar judging={judging} panel={gold.panel} shown={shown} />}
    </>
  );
}

type Panel = NonNullable<ReturnType<typeof useGold>["panel"]>;

function Bar({ judging, panel, shown }: JudgingProps & { panel: Panel }) {
  const { gold, citation, passage, chosen, chunks, blind, setBlind } = judging;
  const grade = useGrading(panel);
  const give = (next: Grade | undefined) =>
    chosen !== undefined && grade({ kind: "chunk", chunk_id: chosen }, next);
  useGradeKeys(give, chosen !== undefined);
  const judged = [...chunks].filter((chunk) => gold.grades.has(chunk)).length;
  const label = passage
    ? t("ask.gold.grade_passage", { name: titleOf(passage) })
    : citation && t("ask.gold.grade", { number: numberOf(citation.n, shown.fromSelection) });
  return (
    <section aria-label={t("search.gold.title")} className={`row gap-10 wrap ${css.judged}`}>
      <GoldSetChoice panels={gold.panels.data} panel={panel} width={150} />
      {chosen !== undefined && label !== undefined ? (
        <Grades
          label={label}
          value={ownGrade(panel, chosen, passage?.document ?? citation?.path)}
          onGrade={give}
        />
      ) : (
        <span className="xs mut">{t("ask.gold.select")}</span>
      )}
      <span className="xs mut push nowrap">
        {t("ask.gold.judged", { set: panel.set, count: judged, all: chunks.size })}
      </span>
      <SwitchRow
        label={t("search.blind.judge")}
        note={t("ask.gold.blind_note")}
        checked={blind}
        onChange={setBlind}
      />
    </section>
  );
}
