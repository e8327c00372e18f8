// Passages below each other: those of which nothing is cited, those that came nearest, all that were given.

import { IconExternalLink } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import type { AnswerPassage } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { LegBadge } from "@/kit/legs";
import { EmptyState } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { FoundBy } from "@/parts/FoundBy";
import { marked } from "@/parts/marked";
import { OcrTag } from "@/parts/OcrTag";
import { readable, rowsInLines } from "@/parts/passage";
import { href, navigate } from "@/state/router";
import { askable } from "@/state/selection";
import { t } from "@/text";
import { decimal, percent } from "@/text/format";
import { inert, visible } from "@/text/visible";
import { nameOf, type Placed, passagePlace, titleOf } from "./names";
import type { Shown } from "./shown";
import css from "./sources.module.css";

/** Signs of a passage that are shown where nothing of it is cited. */
export const SHORT = 320;

export const bodyOf = (text: string): string => inert(rowsInLines(readable(text))).trim();

export const whereOf = (place: Placed & { section?: readonly string[] }) => ({
  document: place.document,
  section: place.section?.at(-1) ?? "",
  page: place.pages?.[0] ?? null,
  page_label: place.page_labels?.[0] ?? null,
});

/** Where an arrow leads from the head of one of `count` sources, which takes the focus. */
export function stepped(event: KeyboardEvent<HTMLElement>, at: number, count: number): number | undefined {
  if (!(event.target as HTMLElement).hasAttribute("data-head")) return undefined;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[event.key];
  if (to === undefined) return undefined;
  event.preventDefault();
  const next = Math.max(0, Math.min(count - 1, to));
  event.currentTarget.querySelectorAll<HTMLElement>("[data-head]")[next]?.focus();
  return next;
}

/** How a score compares with those of questions that the corpus cannot answer. */
const chance = (leg: "semantic_chance" | "keyword_chance", share: number | null) =>
  share === null ? undefined : t(`ask.sources.${leg}`, { share: percent(share) });

/** Where each leg found a passage; its tooltip tells the score from chance. */
export function Ranks({ passage }: { passage: AnswerPassage }) {
  return (
    <>
      {passage.semantic_rank !== null && (
        <span className="row gap-4" {...tip(chance("semantic_chance", passage.semantic_percentile))}>
          <LegBadge leg="semantic" />
          <span className="number">{passage.semantic_rank}</span>
        </span>
      )}
      {passage.keyword_rank !== null && (
        <span className="row gap-4" {...tip(chance("keyword_chance", passage.keyword_percentile))}>
          <LegBadge leg="keyword" />
          <span className="number">{passage.keyword_rank}</span>
        </span>
      )}
      {passage.rerank_score !== null && (
        <span className="row gap-4">
          <LegBadge leg="rerank" />
          <span className="mono">{decimal(passage.rerank_score, 2)}</span>
        </span>
      )}
    </>
  );
}

/** What is the same for every list of passages. */
export type Listed = {
  /** Chunk that is being judged. */
  chosen: string | undefined;
  /** Takes a passage to be judged; nothing where none can be. */
  onPick: ((passage: AnswerPassage) => void) | undefined;
  /** Whether nothing tells of ranks and lists. */
  blind: boolean;
};

type PassagesProps = {
  label: string;
  passages: readonly AnswerPassage[];
  list: Listed;
  whole?: boolean;
  foot: (passage: AnswerPassage) => ReactNode;
};

/** Passages below each other; the head of each picks it where it can be judged. */
function Passages({ label, passages, list: { chosen, onPick, blind }, whole = false, foot }: PassagesProps) {
  const list = useRef<HTMLOListElement>(null);
  const at = Math.max(
    0,
    passages.findIndex((each) => each.chunk_id === chosen),
  );
  useEffect(() => {
    if (chosen) list.current?.querySelector(`[data-chunk="${chosen}"]`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    const next = passages[stepped(event, at, passages.length) ?? -1];
    if (next) onPick?.(next);
  };
  return (
    <ol ref={list} className={css.list} aria-label={label} onKeyDown={keys}>
      {passages.map((passage, index) => {
        const on = onPick !== undefined && passage.chunk_id === chosen;
        const head = <PassageHead passage={passage} blind={blind} />;
        return (
          <li
            key={passage.number}
            className={classes(css.card, on && css.on)}
            data-chunk={passage.chunk_id || undefined}
          >
            {onPick ? (
              <button
                type="button"
                data-head
                tabIndex={index === at ? 0 : -1}
                aria-current={on || undefined}
                className={`row ${css.head}`}
                onClick={() => onPick(passage)}
              >
                {head}
              </button>
            ) : (
              <div className="row">{head}</div>
            )}
            <p className={classes(css.quote, whole && css.whole)} {...askable(whereOf(passage))}>
              <bdi>
                {marked(
                  whole ? bodyOf(passage.text) : shortened(passage),
                  [],
                  undefined,
                  passage.ocr?.doubtful,
                )}
              </bdi>
            </p>
            <FoundBy key={passage.chunk_id} phrases={passage.found_by} />
            {foot(passage)}
          </li>
        );
      })}
    </ol>
  );
}

type ListProps = { passages: readonly AnswerPassage[]; list: Listed };

/** Passages that were at hand and of which nothing is cited. */
export function Uncited({ passages, list }: ListProps) {
  return (
    <Passages
      label={t("ask.sources.uncited")}
      passages={passages}
      list={list}
      foot={(passage) => (
        <div className={`row xs mut gap-10 ${css.foot}`}>
          {!list.blind && <Ranks passage={passage} />}
          <OpenPassage passage={passage} />
        </div>
      )}
    />
  );
}

function shortened(passage: AnswerPassage): string {
  const body = bodyOf(passage.text);
  if (body.length <= SHORT) return body;
  return `${body.slice(0, body.lastIndexOf(" ", SHORT))} …`;
}

function PassageHead({ passage, blind }: { passage: AnswerPassage; blind: boolean }) {
  const { name, end } = nameOf(passage);
  return (
    <>
      {!blind && <span className="tag mono">#{passage.number}</span>}
      <b className="ell" {...tip(visible(titleOf(passage)))}>
        <bdi dir={passage.paragraph_id === null ? undefined : "ltr"}>{visible(name)}</bdi>
      </b>
      <OcrTag confidence={passage.ocr?.confidence} />
      <span className="mut xs nowrap push">{visible(end)}</span>
    </>
  );
}

function OpenPassage({ passage }: { passage: AnswerPassage }) {
  const place = passagePlace(passage);
  if (place === undefined) return null;
  return (
    <span className="push">
      <Button
        size="tiny"
        tone="quiet"
        aria-label={t("ask.sources.open_named", { name: titleOf(passage) })}
        icon={<IconExternalLink className="xs" aria-hidden />}
        onClick={() => navigate(place)}
      >
        {t("ask.sources.open")}
      </Button>
    </span>
  );
}

/** What came nearest to a question that nothing answers, each with how far it is from counting. */
export function Nearest({ shown, passages, list }: ListProps & { shown: Shown }) {
  const threshold = shown.grounds?.threshold ?? 0;
  if (passages.length === 0) return <EmptyState title={t("ask.sources.nothing")} />;
  return (
    <>
      <Passages
        label={t("ask.sources.nearest")}
        passages={passages}
        list={list}
        foot={(passage) => (
          <div className="row xs mut">
            {!list.blind && <Relevance relevance={passage.relevance} threshold={threshold} />}
            <OpenPassage passage={passage} />
          </div>
        )}
      />
      <p className={`xs mut ${css.note}`}>
        {t("ask.sources.mark")}{" "}
        <a href={href("settings", ["advanced", "answer_threshold"])}>{t("ask.sources.change")}</a>
      </p>
    </>
  );
}

/** How far a passage is from the threshold of an answer. */
function Relevance({ relevance, threshold }: { relevance: number; threshold: number }) {
  return (
    <>
      <span
        className={css.relevance}
        role="meter"
        aria-label={t("ask.sources.relevance")}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={relevance}
      >
        <i style={{ width: `${relevance * 100}%` }} />
        <b style={{ insetInlineStart: `${threshold * 100}%` }} />
      </span>
      <span className="mono">{decimal(relevance, 2)}</span>
      {t(relevance < threshold ? "ask.sources.below" : "ask.sources.above", {
        threshold: decimal(threshold, 2),
      })}
    </>
  );
}

/** The passages as whoever wrote the answer was given them. */
export function Context({ passages, list }: ListProps) {
  return (
    <Passages
      label={t("ask.sources.context")}
      passages={passages}
      list={list}
      whole
      foot={(passage) => (
        <span className="xs mut number">{t("ask.trace.tokens", { count: passage.tokens })}</span>
      )}
    />
  );
}
