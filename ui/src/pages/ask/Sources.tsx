import {
  IconChevronDown,
  IconChevronRight,
  IconExternalLink,
  IconQuote,
  IconShieldCheck,
} from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { AnswerCitation, AnswerPassage } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { LegBadge } from "@/kit/legs";
import { PaneHead } from "@/kit/Panes";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { EmptyState, SkeletonPassages } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { ChangedTag } from "@/parts/ChangedTag";
import { FoundBy } from "@/parts/FoundBy";
import { marked } from "@/parts/marked";
import { OcrTag } from "@/parts/OcrTag";
import { readable, rowsInLines, shownStretch } from "@/parts/passage";
import { href, navigate } from "@/state/router";
import { askable, askFrom } from "@/state/selection";
import { t } from "@/text";
import { decimal, percent } from "@/text/format";
import { inert, visible } from "@/text/visible";
import { holds } from "./CheckMark";
import { AlsoStated, PassedOver } from "./Elsewhere";
import { Judging, useJudging } from "./Judging";
import { nameOf, numberOf, openCitation, type Placed, passagePlace, placeOf, titleOf } from "./names";
import { agreeing, alsoOf } from "./reasons";
import { citationsOf, figuresOf, type Shown, sentencesOf } from "./shown";
import css from "./sources.module.css";

type SourcesProps = {
  shown: Shown;
  selected: number | undefined;
  lit: number | undefined;
  onLit: (n: number | undefined) => void;
  onSelect: (n: number) => void;
};

/** Signs of a passage that are shown where nothing of it is cited. */
const SHORT = 320;

const bodyOf = (text: string): string => inert(rowsInLines(readable(text))).trim();

const whereOf = (place: Placed & { section?: readonly string[] }) => ({
  document: place.document,
  section: place.section?.at(-1) ?? "",
  page: place.pages?.[0] ?? null,
  page_label: place.page_labels?.[0] ?? null,
});

/** What an answer rests on, in the order of its citations; where there is none, what came nearest. */
export function Sources({ shown, selected, lit, onLit, onSelect }: SourcesProps) {
  const [view, setView] = useState<"cards" | "context">("cards");
  const cited = citationsOf(shown);
  const nearest = shown.standing === "not_found" || shown.standing === "failed";
  const context = shown.passages.filter((each) => each.left_out === "");
  const listed = nearest ? shown.passages : context;
  const judging = useJudging({ shown, cited, listed, selected });
  const { passage, pick, blind, inOrder } = judging;
  const agree = agreeing(shown);
  const select = (n: number) => {
    judging.unpick();
    onSelect(n);
  };
  const passages = inOrder(listed);
  if (shown.standing === "greeting") return <PaneHead title={t("ask.sources.title")} />;
  const list = { chosen: judging.chosen, onPick: pick, blind };
  return (
    <>
      <PaneHead
        title={t(nearest ? "ask.sources.nearest" : "ask.sources.title")}
        detail={
          nearest
            ? t("ask.sources.unused")
            : agree > 0
              ? t("ask.sources.agree", { count: agree, cited: cited.length })
              : context.length > 0
                ? t("ask.sources.count", { count: cited.length, all: context.length })
                : undefined
        }
        end={
          !nearest &&
          context.length > 0 && (
            <SegmentedControl
              label={t("ask.sources.view")}
              size="small"
              value={view}
              onChange={setView}
              options={[
                { value: "cards", label: t("ask.sources.cards") },
                { value: "context", label: t("ask.sources.context") },
              ]}
            />
          )
        }
      />
      <ScrollRegion fill ways="down">
        <Judging judging={judging} shown={shown} />
        {nearest ? (
          <Nearest shown={shown} passages={passages} list={list} />
        ) : view === "context" ? (
          <Context passages={passages} list={list} />
        ) : cited.length > 0 ? (
          <Cited
            shown={shown}
            selected={passage ? undefined : selected}
            lit={lit}
            onLit={onLit}
            onSelect={select}
            citations={inOrder(cited)}
            passages={passages}
            list={list}
          />
        ) : shown.standing === "pending" ? (
          context.length > 0 ? (
            <Uncited passages={passages} list={list} />
          ) : (
            <SkeletonPassages quiet />
          )
        ) : (
          <EmptyState title={t("ask.sources.none")} />
        )}
      </ScrollRegion>
    </>
  );
}

/** Where an arrow leads from the head of one of `count` sources, which takes the focus. */
function stepped(event: KeyboardEvent<HTMLElement>, at: number, count: number): number | undefined {
  if (!(event.target as HTMLElement).hasAttribute("data-head")) return undefined;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[event.key];
  if (to === undefined) return undefined;
  event.preventDefault();
  const next = Math.max(0, Math.min(count - 1, to));
  event.currentTarget.querySelectorAll<HTMLElement>("[data-head]")[next]?.focus();
  return next;
}

type CitedProps = SourcesProps & {
  citations: readonly AnswerCitation[];
  passages: readonly AnswerPassage[];
  list: Listed;
};

function Cited({ shown, selected, lit, onLit, onSelect, citations, passages, list }: CitedProps) {
  const cards = useRef<HTMLUListElement>(null);
  const [more, setMore] = useState(false);
  const at = Math.max(
    0,
    citations.findIndex((each) => each.n === selected),
  );
  const sentences = sentencesOf(shown);
  const uncited = passages.filter((each) => !citations.some((citation) => citation.passage === each.number));
  useEffect(() => {
    if (selected !== undefined)
      cards.current?.querySelector(`[data-source="${selected}"]`)?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    const next = citations[stepped(event, at, citations.length) ?? -1];
    if (next) onSelect(next.n);
  };
  return (
    <>
      <ul ref={cards} className={css.list} aria-label={t("ask.sources.title")} onKeyDown={keys}>
        {citations.map((citation, index) => (
          <Card
            key={citation.n}
            citation={citation}
            passage={passages.find((each) => each.number === citation.passage)}
            uses={sentences.filter((each) => each.citations.includes(citation.n)).length}
            letters={shown.fromSelection}
            blind={list.blind}
            selected={citation.n === selected}
            lit={citation.n === lit}
            stop={index === at}
            onLit={onLit}
            onSelect={onSelect}
          />
        ))}
      </ul>
      <AlsoStated also={alsoOf(shown)} />
      <PassedOver over={figuresOf(shown).flatMap(({ passed_over }) => passed_over)} />
      {uncited.length > 0 && !shown.fromSelection && (
        <>
          <button
            type="button"
            className={`row gap-6 sm mut ${css.more}`}
            aria-expanded={more}
            onClick={() => setMore((now) => !now)}
          >
            {more ? (
              <IconChevronDown className="small" aria-hidden />
            ) : (
              <IconChevronRight className="small" aria-hidden />
            )}
            {t("ask.sources.more", { count: uncited.length })}
          </button>
          {more && <Uncited passages={uncited} list={list} />}
        </>
      )}
      <Checked shown={shown} />
    </>
  );
}

type CardProps = {
  citation: AnswerCitation;
  passage: AnswerPassage | undefined;
  /** Sentences that cite it. */
  uses: number;
  letters: boolean;
  /** Whether it is judged without ranks and lists. */
  blind: boolean;
  selected: boolean;
  lit: boolean;
  /** The stop of the Tab key in the list. */
  stop: boolean;
  onLit: (n: number | undefined) => void;
  onSelect: (n: number) => void;
};

/** `stretch` of `text` with up to `beside` characters on either side, without parts of words. */
function widened(text: string, stretch: { start: number; end: number }, beside: number) {
  const first = stretch.start - beside;
  const last = stretch.end + beside;
  const space = text.indexOf(" ", first - 1) + 1;
  const start = first <= 0 ? 0 : space > 0 && space <= stretch.start ? space : stretch.start;
  const end = last >= text.length ? text.length : Math.max(stretch.end, text.lastIndexOf(" ", last));
  return { start, end };
}

/** A source: where it stands, its words with those that are quoted marked, and how it was found. */
function Card({ citation, passage, uses, letters, blind, selected, lit, stop, onLit, onSelect }: CardProps) {
  const { n, quote, snippet } = citation;
  const { name, end } = nameOf(citation);
  const words = bodyOf(quote || snippet);
  const around = passage ? bodyOf(passage.text) : words;
  const stretch = shownStretch(around, rowsInLines(quote));
  // What stands around a short quote helps to read it; a long one speaks for itself.
  const beside = words.length < SHORT / 2 ? 80 : 0;
  const { start: from, end: to } = stretch ? widened(around, stretch, beside) : { start: 0, end: SHORT };
  const body = stretch ? around.slice(from, to) : words;
  const near = stretch ? { start: stretch.start - from, end: stretch.end - from } : undefined;
  const opens = placeOf(citation) !== undefined;
  return (
    <li
      className={classes(css.card, selected && css.on, lit && css.lit)}
      data-source={n}
      onMouseEnter={() => onLit(n)}
      onMouseLeave={() => onLit(undefined)}
    >
      <button
        type="button"
        data-head
        tabIndex={stop ? 0 : -1}
        aria-current={selected || undefined}
        className={`row ${css.head}`}
        onClick={() => onSelect(n)}
        onDoubleClick={() => openCitation(citation)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && selected) {
            event.preventDefault();
            openCitation(citation);
          }
        }}
      >
        <span className={classes("cite", selected && "on")}>{numberOf(n, letters)}</span>
        <b className="ell" {...tip(visible(titleOf(citation)))}>
          <bdi dir={citation.paragraph_id === null ? undefined : "ltr"}>{visible(name)}</bdi>
        </b>
        <OcrTag confidence={citation.ocr?.confidence} />
        <ChangedTag source={citation.source} />
        <span className="mut xs nowrap push">{visible(end)}</span>
      </button>
      {citation.section.length > 0 && (
        <span className={`xs mut ell`} {...tip(visible(citation.section.join(" › ")))}>
          {visible(citation.section.join(" › "))}
        </span>
      )}
      <blockquote className={css.quote} {...askable(whereOf(citation))}>
        {from > 0 && "… "}
        <bdi>{marked(body, [], near, (passage ?? citation).ocr?.doubtful)}</bdi>
        {stretch !== undefined && to < around.length && " …"}
      </blockquote>
      {passage && <FoundBy key={passage.chunk_id} phrases={passage.found_by} />}
      <div className={`row xs mut gap-10 ${css.foot}`}>
        {passage && !blind && <Ranks passage={passage} />}
        <span className="row gap-4 push">
          {selected ? (
            <>
              <Button
                size="tiny"
                tone="quiet"
                icon={<IconQuote className="xs" aria-hidden />}
                onClick={() => askFrom({ text: passage?.text ?? quote, ...whereOf(citation) })}
              >
                {t("ask.sources.only")}
              </Button>
              {opens && (
                <Button
                  size="tiny"
                  icon={<IconExternalLink className="xs" aria-hidden />}
                  onClick={() => openCitation(citation)}
                >
                  {t("ask.sources.open")}
                </Button>
              )}
            </>
          ) : (
            <span className="nowrap">{t("ask.sources.uses", { count: uses })}</span>
          )}
        </span>
      </div>
    </li>
  );
}

/** How a score compares with those of questions that the corpus cannot answer. */
const chance = (leg: "semantic_chance" | "keyword_chance", share: number | null) =>
  share === null ? undefined : t(`ask.sources.${leg}`, { share: percent(share) });

/** Where each leg found a passage; its tooltip tells the score from chance. */
function Ranks({ passage }: { passage: AnswerPassage }) {
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
type Listed = {
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
function Uncited({ passages, list }: ListProps) {
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
function Nearest({ shown, passages, list }: ListProps & { shown: Shown }) {
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
function Context({ passages, list }: ListProps) {
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

/** What the check found over all sentences. */
function Checked({ shown }: { shown: Shown }) {
  const sentences = sentencesOf(shown);
  if (sentences.length === 0 || shown.standing === "pending") return null;
  const cited = sentences.filter((each) => each.citations.length > 0).length;
  const count = (check: (typeof sentences)[number]["check"]) =>
    sentences.filter((each) => each.check === check).length;
  const found = (["verified", "supported", "altered", "not_found", "unsupported"] as const)
    .filter((check) => count(check) > 0)
    .map((check) => t(`ask.check.count.${check}`, { count: count(check) }));
  const fine = sentences.every((each) => holds(each.check));
  return (
    <div className={css.checked} data-testid="ask-checked">
      <div className={`note ${fine ? "plain" : "warn"}`}>
        <IconShieldCheck className="small" aria-hidden />
        <div className="grow">
          {t("ask.check.sum", { count: sentences.length, cited })} {found.join(", ")}.
        </div>
      </div>
    </div>
  );
}
