import {
  IconAlignLeft,
  IconExternalLink,
  IconMessageQuestion,
  IconPin,
  IconPinFilled,
} from "@tabler/icons-react";
import { useId, useState } from "react";
import { SEARCH_DEFAULTS } from "@/api/defaults";
import type { Hit } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { LegBadge, ScoreBar } from "@/kit/legs";
import { Name } from "@/kit/Name";
import { Tag } from "@/kit/Pill";
import { tip } from "@/kit/Tooltip";
import { href, navigate } from "@/state/router";
import { askFrom } from "@/state/selection";
import { t } from "@/text";
import { decimal } from "@/text/format";
import { inert, visible } from "@/text/visible";
import { pagesOf } from "./cited";
import { DocumentName, fullName } from "./DocumentName";
import { excerpt } from "./excerpt";
import { marked } from "./marked";
import { OcrTag } from "./OcrTag";
import { ocrOf } from "./ocr";
import { Passage } from "./Passage";
import { inDocument, readable, rowsInLines, saidBy, shownStretch, titleOf, whereIs } from "./passage";
import css from "./passage-card.module.css";
import { ScoreBreakdown } from "./ScoreBreakdown";
import { isRaw, partOf } from "./score";
import type { Stretch } from "./stems";
import { TaggedFacts } from "./TaggedFacts";

const QUOTE = { narrow: 230, wide: 520 };

const bodyOf = (hit: Hit) => inert(rowsInLines(readable(saidBy(hit)))).trim();

/** The stretch of a passage that is shown. */
export const quoteOf = (hit: Hit, wide: boolean) =>
  excerpt(bodyOf(hit), hit.matched_terms, wide ? QUOTE.wide : QUOTE.narrow);

/** Where the sentence `near` of a passage stands in what is shown of it from `from` on. */
function nearIn(hit: Hit, near: Stretch, from: number): Stretch | undefined {
  const stretch = shownStretch(bodyOf(hit), rowsInLines(hit.chunk_text.slice(near.start, near.end)));
  return stretch && { start: stretch.start - from, end: stretch.end - from };
}

/** Whether a passage is pinned, and how to change that. */
export type PinState = {
  on: boolean;
  /** While it changes. */
  busy: boolean;
  toggle: () => void;
  /** What pinning does beyond what the button says. */
  note?: string;
};

type CardProps = {
  hit: Hit;
  /** Its mark at the end of the first line: what found it, or its number. */
  mark?: string;
  /** Who made the report it comes from, and for which year, where that is known. */
  source: { issuer: string | null; year: number | null } | undefined;
  /** Its sentence that is nearest in meaning to what found it. */
  near: Stretch | undefined;
  selected: boolean;
  onSelect: () => void;
  /** The score that fills the bar, where the score is no fused one. */
  scale: number;
  /** Nothing where a passage cannot be pinned. */
  pin?: PinState;
};

const UNKNOWN = { issuer: null, year: null };

/** The score in words: what it is a sum of or measured in, and what is most. */
const scaleOf = (hit: Hit, fused: boolean): string =>
  fused ? t("hit.card.scale.hybrid") : t(`hit.card.scale.${hit.search_method}`);

/** Opens a passage in its document, on the page of the file where that can be drawn. */
const openPassage = (hit: Hit) => navigate(href("chunk-lab", [], inDocument(hit)));

/** A passage: its report and page, its words, its score, and what can be done with it. */
export function PassageCard({ hit, mark, source, near, selected, onSelect, scale, pin }: CardProps) {
  const [opened, setOpened] = useState<"score" | "passage">();
  const details = useId();
  const quote = quoteOf(hit, selected);
  const index = hit.metadata.chunk_index;
  const pages = pagesOf(hit);
  const ocr = ocrOf(hit);
  const toggle = (what: "score" | "passage") => {
    onSelect();
    setOpened((now) => (now === what ? undefined : what));
  };
  return (
    <li className={classes(css.passage, selected && css.on)}>
      <div className="row">
        <button
          type="button"
          data-passage
          tabIndex={selected ? 0 : -1}
          aria-current={selected || undefined}
          className={css.source}
          data-tip={visible(fullName(hit.title, source ?? UNKNOWN))}
          onClick={onSelect}
        >
          <DocumentName title={hit.title} document={source ?? UNKNOWN} />
        </button>
        <span className={classes("mut sm", css.at, pages === undefined && css.path)}>
          {pages ?? <Name>{hit.path}</Name>}
        </span>
        <OcrTag confidence={ocr?.confidence} />
        {mark !== undefined && (
          <span className="push">
            <Tag mono>
              <bdi dir="ltr">{mark}</bdi>
            </Tag>
          </span>
        )}
      </div>
      <blockquote className={css.quote} onClick={onSelect}>
        {quote.before && "… "}
        <bdi>
          {marked(quote.text, hit.matched_terms, near && nearIn(hit, near, quote.start), ocr?.doubtful)}
        </bdi>
        {quote.after && " …"}
      </blockquote>
      <TaggedFacts facts={hit.facts} />
      <div className={css.foot}>
        <Score
          hit={hit}
          scale={scale}
          expanded={selected && opened === "score"}
          controls={details}
          onToggle={() => toggle("score")}
        />
        <span className="row gap-4 push">
          {selected ? (
            <Ways hit={hit} pin={pin} whole={opened === "passage"} onWhole={() => toggle("passage")} />
          ) : (
            <span className="nowrap">
              {pin?.on && <IconPinFilled className={`xs ${css.pinMark}`} aria-label={t("hit.card.pinned")} />}
              {typeof index === "number"
                ? t("hit.card.chunk", { number: String(index) })
                : t("hit.card.rank", { rank: hit.rank })}
            </span>
          )}
        </span>
      </div>
      <div id={details} className={css.details}>
        {selected && opened === "score" && (
          <ScoreBreakdown hit={hit} rrfK={SEARCH_DEFAULTS.rrf_k} scale={scale} />
        )}
        {selected && opened === "passage" && <Passage passage={hit} terms={hit.matched_terms} near={near} />}
      </div>
    </li>
  );
}

type ScoreProps = Pick<CardProps, "hit" | "scale"> & {
  expanded: boolean;
  /** Id of what it unfolds. */
  controls: string;
  onToggle: () => void;
};

/** The score with its parts and the rank in each list; a press unfolds what it is a sum of. */
function Score({ hit, scale, expanded, controls, onToggle }: ScoreProps) {
  const score = decimal(hit.score, hit.score >= 1 ? 2 : 4);
  const fused = !hit.contributions.every(isRaw);
  return (
    <button
      type="button"
      className={`row gap-6 ${css.score}`}
      aria-expanded={expanded}
      aria-controls={controls}
      {...tip(scaleOf(hit, fused))}
      onClick={onToggle}
    >
      <ScoreBar
        label={score}
        scale={scale}
        parts={hit.contributions
          .filter((part) => part.leg !== "reference")
          .map((part) => ({ leg: part.leg, value: Math.max(0, part.value) }))}
        width="var(--score)"
      />
      <span className="mono number">{score}</span>
      {(["semantic", "keyword"] as const).map((leg) => {
        const part = partOf(hit, leg);
        return (
          part && (
            <span key={leg} className="row gap-4">
              <LegBadge leg={leg} />
              <span className="number">{part.rank}</span>
            </span>
          )
        );
      })}
    </button>
  );
}

type WaysProps = Pick<CardProps, "hit" | "pin"> & { whole: boolean; onWhole: () => void };

/** What can be done with the selected passage: read it whole, pin it, ask about it, open it. */
function Ways({ hit, pin, whole, onWhole }: WaysProps) {
  return (
    <>
      <IconButton size="small" label={t("hit.card.whole")} pressed={whole} onClick={onWhole}>
        <IconAlignLeft className="small" aria-hidden />
      </IconButton>
      {pin && <Pin {...pin} />}
      <IconButton
        size="small"
        label={t("ask.about.passage")}
        onClick={() => askFrom({ text: readable(saidBy(hit)), ...whereIs(hit) })}
      >
        <IconMessageQuestion className="small" aria-hidden />
      </IconButton>
      <IconButton
        size="small"
        label={t("hit.card.open", { name: titleOf(hit) })}
        onClick={() => openPassage(hit)}
      >
        <IconExternalLink className="small" aria-hidden />
      </IconButton>
    </>
  );
}

/** Pins the passage, or says that it is pinned. */
function Pin({ on, busy, note, toggle }: PinState) {
  return (
    <Button
      size="tiny"
      aria-pressed={on}
      disabled={busy}
      {...tip(note)}
      icon={on ? <IconPinFilled className="xs" aria-hidden /> : <IconPin className="xs" aria-hidden />}
      onClick={toggle}
    >
      {on ? (
        t("hit.card.pinned")
      ) : (
        <span>
          {t("hit.card.pin")}
          <span className="hide-s"> {t("hit.card.pin_tail")}</span>
        </span>
      )}
    </Button>
  );
}
