import { IconPin, IconPinFilled } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import { may } from "@/api/client";
import type { EvidencePassage, PinnedPassage } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { useShortcut } from "@/kit/shortcuts";
import { pagesOf } from "@/parts/cited";
import { t } from "@/text";
import { inert, visible } from "@/text/visible";
import { EvidenceNumber } from "./ProposalFrame";
import css from "./pane.module.css";
import type { Evidence } from "./use-evidence";

/** The words of a passage; of a row of a table its cells. */
export const wordsOf = ({ quote }: Pick<EvidencePassage, "quote">): string =>
  inert(
    quote.trimStart().startsWith("|")
      ? quote
          .split("|")
          .map((cell) => cell.trim())
          .filter(Boolean)
          .join(" · ")
      : quote,
  );

/** Page, or the path of what has no pages. */
export const whereOf = ({ page, page_label, pin }: EvidencePassage): string =>
  (page !== null &&
    pagesOf({
      pages: [page, page],
      ...(page_label !== null && { page_labels: [page_label, page_label] }),
    })) ||
  pin.path;

/** Whether a pinned passage stands where the evidence stands. */
export const isSame = (pinned: PinnedPassage, { pin }: EvidencePassage): boolean =>
  pinned.text_version === pin.text_version &&
  pinned.path === pin.path &&
  pinned.start === pin.start &&
  pinned.end === pin.end;

type EvidenceListProps = {
  evidence: Evidence;
  /** What is pinned. */
  passages: readonly PinnedPassage[];
  onPin: (passages: PinnedPassage[]) => void;
};

/** The evidence of this report: each with its number, section, page and words. */
export function EvidenceList({ evidence, passages, onPin }: EvidenceListProps) {
  const turn = (passage: EvidencePassage | undefined) => {
    if (!passage) return;
    const others = passages.filter((each) => !isSame(each, passage));
    onPin(others.length < passages.length ? others : [...passages, passage.pin]);
  };
  const pins = may("assess.decide");
  useShortcut("assess.pin", () => turn(evidence.passages[evidence.at]), pins);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    evidence.back();
  };
  if (evidence.passages.length === 0) return null;
  return (
    <>
      <div className={css.section}>
        <h3>{t("assess.pane.evidence")}</h3>
        <span className="mut number">{evidence.passages.length}</span>
      </div>
      <ul ref={evidence.list} className={css.list} onKeyDown={onKeyDown}>
        {evidence.passages.map((passage, at) => {
          const on = evidence.at === at;
          const pinned = passages.some((each) => isSame(each, passage));
          const count = at + 1;
          return (
            <li
              key={`${passage.document_id} ${passage.span.join("-")}`}
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
                    <Button
                      size="tiny"
                      tone={pinned ? "quiet" : "default"}
                      aria-pressed={pinned}
                      aria-label={t(pinned ? "assess.pane.unpin_name" : "assess.pane.pin_name", { count })}
                      icon={
                        pinned ? (
                          <IconPinFilled className="xs" aria-hidden />
                        ) : (
                          <IconPin className="xs" aria-hidden />
                        )
                      }
                      onClick={() => turn(passage)}
                    >
                      {t(pinned ? "assess.pane.unpin" : "assess.pane.pin")}
                    </Button>
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
