import { IconChevronDown, IconChevronRight, IconPinFilled, IconX } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { may } from "@/api/client";
import type { AssessmentProposal, EarlierCell, EvidencePassage, FigureRow, PinnedPassage } from "@/api/types";
import { IconButton } from "@/kit/Button";
import { ChangedTag } from "@/parts/ChangedTag";
import { citedPage, pagesOf } from "@/parts/cited";
import { StatusShape } from "@/parts/StatusShape";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { isSame, whereOf, wordsOf } from "./EvidenceList";
import css from "./pane.module.css";

/** What a proposal comes to, in words. */
export function foundWords({ items, state }: AssessmentProposal): string {
  if (state === "nothing") return t("assess.pane.nothing");
  const found = items.filter(({ evidence }) => evidence.length > 0).length;
  return t("assess.pane.found", { found, of: items.length });
}

/** A part of the pane that is put away at first. */
function Folded({ heading, children }: { heading: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      <button
        type="button"
        className={css.section}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Chevron className="xs" aria-hidden />
        {heading}
      </button>
      {open && <div id={id}>{children}</div>}
    </>
  );
}

function Unused({ passage, reason }: { passage: EvidencePassage; reason?: string }) {
  return (
    <li className={css.evidence}>
      <div className="row gap-6">
        <b className="nowrap">{whereOf(passage)}</b>
        <span className="mut sm ell">{passage.section.map(visible).join(" › ")}</span>
        {reason !== undefined && <span className="sm nowrap push">{visible(reason)}</span>}
      </div>
      <p className={css.cut}>
        <bdi>{wordsOf(passage)}</bdi>
      </p>
    </li>
  );
}

const keyOf = ({ document_id, span }: EvidencePassage) => `${document_id} ${span.join("-")}`;

/** Passages that do not count, and why. */
export function NotCounted({ passages }: { passages: AssessmentProposal["not_counted"] }) {
  if (passages.length === 0) return null;
  return (
    <Folded heading={t("assess.pane.not_counted", { count: passages.length })}>
      <ul className={css.list}>
        {passages.map(({ passage, reason }) => (
          <Unused key={keyOf(passage)} passage={passage} reason={reason} />
        ))}
      </ul>
    </Folded>
  );
}

/** The nearest passages where nothing was found. */
export function Nearest({ passages }: { passages: readonly EvidencePassage[] }) {
  if (passages.length === 0) return null;
  return (
    <Folded heading={t("assess.pane.nearest")}>
      <ul className={css.list}>
        {passages.map((passage) => (
          <Unused key={keyOf(passage)} passage={passage} />
        ))}
      </ul>
    </Folded>
  );
}

/** The figures of the proposal as they are printed. */
export function Figures({ figures }: { figures: readonly FigureRow[] }) {
  if (figures.length === 0) return null;
  return (
    <>
      <div className={css.section}>
        <h3>{t("assess.pane.figures")}</h3>
      </div>
      <ul className={css.figures}>
        {figures.map(({ id, label, year, printed, unit, page }) => (
          <li key={id}>
            <span className="ell">{visible(label.join(" › "))}</span>
            <span className="mut number nowrap">{year}</span>
            <bdi className="number nowrap">
              <b>{visible(printed)}</b> {visible(unit ?? "")}
            </bdi>
            <span className="mut nowrap">{page === null ? "" : pagesOf({ pages: [page, page] })}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

type PinnedProps = {
  passages: readonly PinnedPassage[];
  evidence: readonly EvidencePassage[];
  onPin: (passages: PinnedPassage[]) => void;
};

/** Pinned passages that are none of the evidence: of an earlier proposal, or of an earlier text. */
export function Pinned({ passages, evidence, onPin }: PinnedProps) {
  const others = passages.filter((pinned) => !evidence.some((each) => isSame(pinned, each)));
  if (others.length === 0) return null;
  return (
    <>
      <div className={css.section}>
        <h3>{t("assess.pane.pinned")}</h3>
      </div>
      <ul className={css.list}>
        {others.map((passage, at) => (
          <li key={`${passage.path} ${passage.start}`} className={css.evidence}>
            <div className="row gap-6">
              <IconPinFilled className="xs" aria-hidden />
              <b className="nowrap">
                {passage.page === null
                  ? visible(passage.path)
                  : t("assess.grid.p", { page: citedPage(passage.page, passage.page_label) })}
              </b>
              <ChangedTag source={passage.source} />
              {may("assess.decide") && (
                <span className="push">
                  <IconButton
                    size="small"
                    label={t("assess.pane.unpin_other", { count: at + 1 })}
                    onClick={() => onPin(passages.filter((each) => each !== passage))}
                  >
                    <IconX className="xs" aria-hidden />
                  </IconButton>
                </span>
              )}
            </div>
            <p>
              <bdi>{wordsOf(passage)}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What was decided or found a year before. */
export function Earlier({ earlier: { year, review, proposal } }: { earlier: EarlierCell }) {
  const decided = review && review.status !== "open" ? review : undefined;
  const first = decided?.passages[0] ?? proposal?.evidence[0];
  return (
    <div className={css.earlier}>
      <span className="lab">{year === null ? t("assess.pane.last_year") : String(year)}</span>
      <span className="row gap-4 nowrap">
        {decided && <StatusShape status={decided.status} quiet />}
        {decided
          ? t(`assess.status.${decided.status}`)
          : proposal
            ? foundWords(proposal)
            : t("assess.pane.last_none")}
      </span>
      {first && (
        <span className="mut ell" data-tip={visible(first.quote)}>
          {first.page !== null && `${pagesOf({ pages: [first.page, first.page] })} `}“
          <bdi>{wordsOf(first)}</bdi>”
        </span>
      )}
    </div>
  );
}
