import { IconAlignLeft, IconExternalLink, IconPin, IconPinFilled } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { SEARCH_DEFAULTS } from "@/api/defaults";
import type { Hit } from "@/api/types";
import { href, navigate } from "@/app/router";
import { Button, IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { LegBadge, ScoreBar } from "@/kit/legs";
import { Tag } from "@/kit/Pill";
import { Passage } from "@/parts/Passage";
import { headerAndBody, pagesOf, readable, titleOf } from "@/parts/passage";
import { ScoreBreakdown } from "@/parts/ScoreBreakdown";
import { formula, partOf } from "@/parts/score";
import { findStems } from "@/parts/stems";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { excerpt } from "./excerpt";
import { shortId } from "./outline";
import css from "./standards.module.css";

const QUOTE = { narrow: 230, wide: 520 };
/** A passage with the id that found it. */
export type Found = { hit: Hit; by: string };

/** The stretch of a passage that is shown. */
export const quoteOf = (hit: Hit, wide: boolean) =>
  excerpt(readable(headerAndBody(hit.chunk_text).body), hit.matched_terms, wide ? QUOTE.wide : QUOTE.narrow);

type CardProps = Found & {
  selected: boolean;
  onSelect: () => void;
  scale: number;
  pin: { on: boolean; busy: boolean; other: boolean; toggle: () => void } | undefined;
};

/** A passage: its report and page, its words, its score, and what can be done with it. */
export function PassageCard({ hit, by, selected, onSelect, scale, pin }: CardProps) {
  const [opened, setOpened] = useState<"score" | "passage">();
  const details = useId();
  const quote = quoteOf(hit, selected);
  const score = hit.score.toFixed(hit.score >= 1 ? 2 : 4);
  const fused = hit.contributions.some((part) => formula(part, SEARCH_DEFAULTS.rrf_k) !== undefined);
  const index = hit.metadata.chunk_index;
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
          className={`ell ${css.source}`}
          title={visible(hit.title)}
          onClick={onSelect}
        >
          <bdi>{visible(hit.title)}</bdi>
        </button>
        <span className="mut sm nw">{pagesOf(hit.pages) ?? hit.path}</span>
        <span className={css.push}>
          <Tag mono>
            <bdi dir="ltr">{shortId(by)}</bdi>
          </Tag>
        </span>
      </div>
      <blockquote className={css.quote} onClick={onSelect}>
        {quote.before && "… "}
        {marked(quote.text, hit.matched_terms)}
        {quote.after && " …"}
      </blockquote>
      <div className={css.cardFoot}>
        <button
          type="button"
          className={`row g6 ${css.score}`}
          aria-expanded={selected && opened === "score"}
          aria-controls={details}
          title={t("standards.evidence.explain")}
          onClick={() => toggle("score")}
        >
          <ScoreBar
            label={score}
            scale={fused ? 2 / (SEARCH_DEFAULTS.rrf_k + 1) : scale}
            parts={hit.contributions
              .filter((part) => part.leg !== "reference")
              .map((part) => ({ leg: part.leg, value: Math.max(0, part.value) }))}
            width="var(--score)"
          />
          <span className="m n">{score}</span>
          {(["semantic", "keyword"] as const).map((leg) => {
            const part = partOf(hit, leg);
            return (
              part && (
                <span key={leg} className="row g4">
                  <LegBadge leg={leg} />
                  <span className="n">{part.rank}</span>
                </span>
              )
            );
          })}
        </button>
        <span className={`row g4 ${css.push}`}>
          {selected ? (
            <>
              <IconButton
                size="small"
                label={t("standards.evidence.whole")}
                pressed={opened === "passage"}
                onClick={() => toggle("passage")}
              >
                <IconAlignLeft className="s" aria-hidden />
              </IconButton>
              {pin && (
                <Button
                  size="tiny"
                  aria-pressed={pin.on}
                  disabled={pin.busy}
                  title={pin.other ? t("standards.evidence.pin_other") : undefined}
                  icon={
                    pin.on ? (
                      <IconPinFilled className="xs" aria-hidden />
                    ) : (
                      <IconPin className="xs" aria-hidden />
                    )
                  }
                  onClick={pin.toggle}
                >
                  {pin.on ? (
                    t("standards.evidence.pinned")
                  ) : (
                    <span>
                      {t("standards.evidence.pin")}
                      <span className="hide-s"> {t("standards.evidence.pin_tail")}</span>
                    </span>
                  )}
                </Button>
              )}
              <IconButton
                size="small"
                label={t("standards.evidence.open", { name: titleOf(hit) })}
                onClick={() =>
                  navigate(href("chunk-lab", [], { document: String(hit.document_id), chunk: hit.chunk_id }))
                }
              >
                <IconExternalLink className="s" aria-hidden />
              </IconButton>
            </>
          ) : (
            <span className="nw">
              {pin?.on && (
                <IconPinFilled className={`xs ${css.pinMark}`} aria-label={t("standards.evidence.pinned")} />
              )}
              {typeof index === "number"
                ? t("standards.evidence.chunk", { number: String(index) })
                : t("standards.evidence.rank", { rank: hit.rank })}
            </span>
          )}
        </span>
      </div>
      <div id={details} className={css.details}>
        {selected && opened === "score" && (
          <ScoreBreakdown hit={hit} rrfK={SEARCH_DEFAULTS.rrf_k} scale={scale} />
        )}
        {selected && opened === "passage" && <Passage passage={hit} terms={hit.matched_terms} />}
      </div>
    </li>
  );
}

function marked(text: string, stems: readonly string[]): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of findStems(text, stems)) {
    parts.push(text.slice(at, start));
    parts.push(
      <mark key={start} className="k">
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return parts;
}
