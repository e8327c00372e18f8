// The retrieval legs as they look everywhere: letter, shape and colour together.

import { t } from "@/text";
import { decimal } from "@/text/format";
import { classes } from "./class-names";
import css from "./legs.module.css";

/** A leg, or what follows the legs. */
export type LegKind = "semantic" | "keyword" | "fused" | "rerank" | "reference" | "counterpart";

const LOOK: Record<LegKind, { letter: string; className: string | undefined; colour: string }> = {
  semantic: { letter: "S", className: css.semantic, colour: "var(--sem)" },
  keyword: { letter: "K", className: css.keyword, colour: "var(--kw)" },
  fused: { letter: "F", className: css.fused, colour: "var(--fus)" },
  rerank: { letter: "R", className: css.rerank, colour: "var(--rr)" },
  reference: { letter: "#", className: css.reference, colour: "var(--accent)" },
  counterpart: { letter: "=", className: css.counterpart, colour: "var(--fg-3)" },
};

/** The badge of a leg. `struck` says that it gave nothing. */
export function LegBadge({ leg, struck }: { leg: LegKind; struck?: boolean }) {
  const look = LOOK[leg];
  return (
    <span
      role="img"
      className={classes(css.leg, look.className, struck && css.struck)}
      aria-label={t(`kit.leg.${leg}`)}
      data-tip={t(`kit.leg.${leg}`)}
    >
      {look.letter}
    </span>
  );
}

/** Colour of a leg, as a CSS value. */
export const legColour = (leg: LegKind): string => LOOK[leg].colour;

/** A part of a score. */
export type ScorePart = { leg: LegKind; value: number };

type ScoreBarProps = {
  parts: readonly ScorePart[];
  /** The value at full width: the same for every bar that is compared. */
  scale: number;
  /** The score in words, such as `0.0325`. */
  label: string;
  width?: number | string;
  height?: number;
};

/** The parts of a score, stacked on one scale. */
export function ScoreBar({ parts, scale, label, width = 64, height = 5 }: ScoreBarProps) {
  const words = parts.map((part) => `${t(`kit.leg.${part.leg}`)} ${decimal(part.value, 5)}`).join(", ");
  return (
    <div
      role="img"
      aria-label={`${label}: ${words}`}
      className={`bar ${css.score}`}
      style={{ width, height }}
    >
      {parts.map((part) => (
        <i
          key={part.leg}
          style={{ width: `${scale > 0 ? (part.value / scale) * 100 : 0}%`, background: legColour(part.leg) }}
        />
      ))}
    </div>
  );
}
