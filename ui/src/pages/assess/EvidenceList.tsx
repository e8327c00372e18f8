import type { KeyboardEvent } from "react";
import { may } from "@/api/client";
import { classes } from "@/kit/class-names";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { PinButton } from "./PinButton";
import { EvidenceNumber } from "./ProposalFrame";
import css from "./pane.module.css";
import { keyOf, whereOf, wordsOf } from "./passages";
import type { Evidence } from "./use-evidence";

/** The evidence of this report, or the nearest passages: each with its number, section, page and words. */
export function EvidenceList({ evidence }: { evidence: Evidence }) {
  const pins = may("assess.decide");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    evidence.back();
  };
  if (evidence.passages.length === 0) return null;
  const words = evidence.found
    ? ({ pin: "assess.pane.pin_name", unpin: "assess.pane.unpin_name" } as const)
    : ({ pin: "assess.pane.pin_nearest", unpin: "assess.pane.unpin_nearest" } as const);
  return (
    <>
      <div className={css.section}>
        <h3>{t(evidence.found ? "assess.pane.evidence" : "assess.pane.nearest")}</h3>
        <span className="mut number">{evidence.passages.length}</span>
      </div>
      <ul ref={evidence.list} className={css.list} onKeyDown={onKeyDown}>
        {evidence.passages.map((passage, at) => {
          const on = evidence.at === at;
          const pinned = evidence.isPinned(passage);
          return (
            <li
              key={keyOf(passage)}
              data-evidence
              tabIndex={-1}
              aria-current={on ? "true" : undefined}
              className={classes(css.evidence, on && css.on)}
              onClick={() => evidence.choose(at)}
            >
              <div className="row gap-6">
                <EvidenceNumber at={at} evidence={evidence} />
                <b className="nowrap">{whereOf(passage)}</b>
                <span className="mut sm ell">{passage.section.map(visible).join(" › ")}</span>
                {pins && (
                  <span className="push">
                    <PinButton
                      pinned={pinned}
                      name={t(pinned ? words.unpin : words.pin, { count: at + 1 })}
                      onClick={() => evidence.pin(passage)}
                    />
                  </span>
                )}
              </div>
              <p className={on ? undefined : css.cut}>
                <bdi>{wordsOf(passage)}</bdi>
              </p>
            </li>
          );
        })}
      </ul>
    </>
  );
}
