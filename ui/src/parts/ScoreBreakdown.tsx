import { Fragment } from "react";
import type { Contribution, Hit } from "@/api/types";
import { classes } from "@/kit/class-names";
import { LegBadge, legColour } from "@/kit/legs";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import { decimal } from "@/text/format";
import css from "./hits.module.css";
import { formula, fusedPlace, isRaw, limit, rankedSum, rawText, writtenSum } from "./score";

type ScoreBreakdownProps = {
  hit: Hit;
  /** Constant of the fusion that ran. */
  rrfK: number;
  /** Ranked sum at full width: the best of the list, so that bars can be compared. */
  scale: number;
  /** More is on its way: legs that will still answer. */
  waiting?: readonly ("semantic" | "rerank")[];
};

const CLASS = {
  semantic: "c-semantic",
  keyword: "c-keyword",
  reference: "c-accent",
  counterpart: "",
} as const;

/** The score of a hit as the sum of what each list gave, adding up in the digits shown. */
export function ScoreBreakdown({ hit, rrfK, scale, waiting = [] }: ScoreBreakdownProps) {
  const written = writtenSum(hit.contributions.map((part) => part.value));
  // What does not fit beside its value in a narrow pane stands below its name there.
  const long =
    written.sum.length > 8 ||
    hit.contributions.some((part) => wayOf(part, hit.contributions, rrfK).length > 14);
  const raw = hit.contributions.every(isRaw);
  const alone = raw ? hit.contributions[0] : undefined;
  // One list's own score is no sum: it is written as that list writes it.
  if (alone?.raw != null) written.sum = written.parts[0] = rawText(alone.leg, alone.raw);
  const place = fusedPlace(hit);
  const moved = hit.rerank_score === null ? 0 : place - hit.rank;
  return (
    <section aria-label={t("hit.score")} data-explains tabIndex={-1}>
      <div className="row between">
        <span className="h2">{t("hit.score")}</span>
        <span className="mono sm">
          {written.sum}{" "}
          <span className="mut">
            {waiting.length > 0
              ? t("hit.provisional")
              : raw
                ? t("hit.rank", { rank: place })
                : t("hit.fused_rank", { rank: place })}
          </span>
        </span>
      </div>
      <Bar {...{ hit, scale }} parts={written.parts} />
      <div className={classes(css.parts, long && css.manyDigits)}>
        {waiting.includes("semantic") && (
          <>
            <LegBadge leg="semantic" />
            <span className="mut">{t("hit.waiting_vector")}</span>
            <span />
            <span className="skel" style={{ width: 52 }} />
          </>
        )}
        {hit.contributions.map((part, index) => (
          <Fragment key={part.leg}>
            <LegBadge leg={part.leg} />
            <span className={isNameAlone(part, hit.contributions, rrfK) ? css.name : undefined}>
              {t(`hit.raw.${part.leg}`)}{" "}
              <span className="mono">{part.raw === null ? part.label : rawText(part.leg, part.raw)}</span>
            </span>
            <span className="mut number nowrap">{wayOf(part, hit.contributions, rrfK)}</span>
            <span className={`mono align-end ${CLASS[part.leg]}`}>
              {hit.contributions.length > 1 || !raw ? "+" : ""}
              {written.parts[index]}
            </span>
          </Fragment>
        ))}
        {!raw && (
          <>
            <LegBadge leg="fused" />
            <span>{t("hit.fused")}</span>
            <span className="mut number nowrap">{t("hit.rank", { rank: place })}</span>
            <span className="mono align-end c-fused">{written.sum}</span>
          </>
        )}
        {hit.rerank_score !== null && (
          <>
            <LegBadge leg="rerank" />
            <span>
              {t("hit.reranker")} <span className="mono">{decimal(hit.rerank_score, 2)}</span>
            </span>
            <span className="mut number nowrap">
              {place} → {hit.rank}
            </span>
            <span className="mono align-end c-rerank">
              <Move by={moved} />
            </span>
          </>
        )}
        {waiting.includes("rerank") && (
          <>
            <LegBadge leg="rerank" />
            <span className="mut">{t("hit.waiting_rerank")}</span>
            <span />
            <span className="skel" style={{ width: 52 }} />
          </>
        )}
      </div>
    </section>
  );
}

type BarProps = Pick<ScoreBreakdownProps, "hit" | "scale"> & {
  /** The contributions in the digits shown. */
  parts: readonly string[];
};

/** The contributions as lengths. */
function Bar({ hit, scale, parts }: BarProps) {
  const named = hit.contributions.some((part) => part.leg === "reference");
  // A weight far above the others' would leave them a hair's breadth: the part of a reference is cut short.
  const width = Math.max(scale, rankedSum(hit)) / (named ? 0.8 : 1);
  return (
    <div
      className={css.bar}
      style={{ marginTop: 7 }}
      role="img"
      aria-label={hit.contributions
        .map((part, index) => `${t(`kit.leg.${part.leg}`)} ${parts[index]}`)
        .join(" + ")}
    >
      {hit.contributions.map((part) =>
        part.leg === "reference" ? (
          <i key={part.leg} className={css.cap} style={{ width: "20%" }} {...tip(t("hit.cut_short"))} />
        ) : (
          <i
            key={part.leg}
            style={{
              width: `${width > 0 ? Math.max(0, part.value / width) * 100 : 0}%`,
              background: legColour(part.leg),
            }}
          />
        ),
      )}
    </div>
  );
}

/** How a contribution came about, as far as it can be written out. */
function wayOf(part: Contribution, parts: readonly Contribution[], rrfK: number): string {
  return writtenOut(part, parts, rrfK) ?? t("hit.rank", { rank: part.rank });
}

function writtenOut(part: Contribution, parts: readonly Contribution[], rrfK: number): string | undefined {
  const most = limit(part, parts, rrfK);
  return formula(part, rrfK) ?? (most && t("hit.at_most", { formula: most }));
}

/** Whether a part is told by a paragraph's id, and no formula says more of it. */
function isNameAlone(part: Contribution, parts: readonly Contribution[], rrfK: number): boolean {
  return part.raw === null && writtenOut(part, parts, rrfK) === undefined;
}

/** Places moved: `▲2`, `▼1`, or a point. */
export function Move({ by }: { by: number }) {
  const words =
    by === 0 ? t("hit.unmoved") : t(by > 0 ? "hit.moved_up" : "hit.moved_down", { count: Math.abs(by) });
  return (
    <span className="nowrap" role="img" aria-label={words} {...tip(words)}>
      {by === 0 ? "·" : `${by > 0 ? "▲" : "▼"}${Math.abs(by)}`}
    </span>
  );
}
