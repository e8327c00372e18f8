import {
  IconChevronDown,
  IconChevronRight,
  IconExternalLink,
  IconQuote,
  IconShieldCheck,
} from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { AnswerCitation, AnswerPassage } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { PaneHead } from "@/kit/Panes";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { EmptyState, SkeletonPassages } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { ChangedTag } from "@/parts/ChangedTag";
import { FoundBy } from "@/parts/FoundBy";
import { marked } from "@/parts/marked";
import { OcrTag } from "@/parts/OcrTag";
import { rowsInLines, shownStretch } from "@/parts/passage";
import { askable, askFrom } from "@/state/selection";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { holds } from "./CheckMark";
import { AlsoStated, PassedOver } from "./Elsewhere";
import { Judging, useJudging } from "./Judging";
import { nameOf, numberOf, openCitation, placeOf, titleOf } from "./names";
import { bodyOf, Context, type Listed, Nearest, Ranks, SHORT, stepped, Uncited, whereOf } from "./Passages";
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
