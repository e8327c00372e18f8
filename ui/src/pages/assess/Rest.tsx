import { IconChevronDown, IconChevronRight, IconPinFilled, IconX } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { may } from "@/api/client";
import type { AssessmentProposal, EarlierCell, FigureRow, PinnedPassage } from "@/api/types";
import { IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { ChangedTag } from "@/parts/ChangedTag";
import { citedPage, pagesOf } from "@/parts/cited";
import { rangeOf } from "@/parts/pin";
import { StatusShape } from "@/parts/StatusShape";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { PinButton } from "./PinButton";
import css from "./pane.module.css";
import { aroundFigure, isSame, keyOf, type Quoted, whereOf, wordsOf } from "./passages";
import type { Evidence } from "./use-evidence";
import { type Leaf, useSelecting } from "./use-place";

/** What a proposal comes to, in words. */
export function foundWords({ items, state, unmatched }: AssessmentProposal): string {
  if (state === "nothing")
    return unmatched ? t("assess.pane.not_matched", { language: unmatched }) : t("assess.pane.nothing");
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

/** The place of a passage, which shows it on its page. */
function Place({ where, onShow }: { where: string; onShow: () => void }) {
  return (
    <button type="button" className={`nowrap ${css.place}`} onClick={onShow}>
      <b>{where}</b>
    </button>
  );
}

type UnusedProps = { passage: Quoted; reason: string; count: number; evidence: Evidence };

function Unused({ passage, reason, count, evidence }: UnusedProps) {
  const pinned = evidence.isPinned(passage);
  const on = evidence.at < 0 && evidence.shown !== undefined && keyOf(evidence.shown) === keyOf(passage);
  return (
    <li className={classes(css.evidence, on && css.on)}>
      <div className="row gap-6">
        <Place where={whereOf(passage)} onShow={() => evidence.show(passage)} />
        <span className="mut sm ell">{passage.section.map(visible).join(" › ")}</span>
        <span className="sm nowrap push">{visible(reason)}</span>
        {may("assess.decide") && (
          <PinButton
            pinned={pinned}
            name={t(pinned ? "assess.pane.unpin_unused" : "assess.pane.pin_unused", { count })}
            onClick={() => evidence.pin(passage)}
          />
        )}
      </div>
      <p className={on ? undefined : css.cut}>
        <bdi>{wordsOf(passage)}</bdi>
      </p>
    </li>
  );
}

type NotCountedProps = { passages: AssessmentProposal["not_counted"]; evidence: Evidence };

/** Passages that do not count, and why. */
export function NotCounted({ passages, evidence }: NotCountedProps) {
  if (passages.length === 0) return null;
  return (
    <Folded heading={t("assess.pane.not_counted", { count: passages.length })}>
      <ul className={css.list}>
        {passages.map(({ passage, reason }, at) => (
          <Unused key={keyOf(passage)} count={at + 1} {...{ passage, reason, evidence }} />
        ))}
      </ul>
    </Folded>
  );
}

const DIGIT = /[\p{L}\p{N}]/u;

/** Whether a pinned passage of the same page holds a figure as it is printed, and no longer number in its place. */
function holdsFigure({ quote, page, source }: PinnedPassage, figure: FigureRow): boolean {
  if (page !== figure.page || (source?.document_id ?? figure.document_id) !== figure.document_id)
    return false;
  const { printed } = figure;
  for (let at = quote.indexOf(printed); at >= 0; at = quote.indexOf(printed, at + 1)) {
    const [before = "", after = "", next = ""] = [
      quote[at - 1],
      quote[at + printed.length],
      quote[at + printed.length + 1],
    ];
    const inside = DIGIT.test(before) || (/[.,]/.test(before) && DIGIT.test(quote[at - 2] ?? ""));
    if (!inside && !DIGIT.test(after) && !(/[.,]/.test(after) && DIGIT.test(next))) return true;
  }
  return false;
}

/** The figures of the proposal as they are printed; each can be shown and pinned with what stands around it. */
export function Figures({ figures, evidence }: { figures: readonly FigureRow[]; evidence: Evidence }) {
  const select = useSelecting(evidence);
  if (figures.length === 0) return null;
  const show = (figure: FigureRow) =>
    select(figure.document_id, (document) => aroundFigure(document, figure));
  const pin = async (figure: FigureRow) => {
    const passage = await show(figure);
    if (passage) evidence.pin(passage);
  };
  return (
    <>
      <div className={css.section}>
        <h3>{t("assess.pane.figures")}</h3>
      </div>
      <ul className={css.figures}>
        {figures.map((figure) => {
          const { id, label, year, printed, unit, page } = figure;
          const stands = evidence.pinned.find((each) => holdsFigure(each, figure));
          const pinned = stands !== undefined;
          const name = [...label, year, printed].filter((each) => each !== null).join(", ");
          return (
            <li key={id}>
              <span className="ell">{visible(label.filter(Boolean).join(" › "))}</span>
              <span className="mut number nowrap">{year}</span>
              <bdi className="number nowrap">
                <b>{visible(printed)}</b> {visible(unit ?? "")}
              </bdi>
              <Place
                where={pagesOf({ pages: page === null ? null : [page, page] }) ?? t("assess.pane.show")}
                onShow={() => void show(figure)}
              />
              {may("assess.decide") && (
                <PinButton
                  pinned={pinned}
                  name={t(pinned ? "assess.pane.unpin_figure" : "assess.pane.pin_figure", { name })}
                  onClick={() => (stands ? evidence.unpin(stands) : void pin(figure))}
                />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

type PinnedProps = { evidence: Evidence; leaf: Leaf };

/** Pinned passages that are none of the evidence: of an earlier proposal, or of an earlier text. */
export function Pinned({ evidence, leaf: { documents } }: PinnedProps) {
  const select = useSelecting(evidence);
  const others = evidence.pinned.filter((pinned) => !evidence.passages.some((each) => isSame(pinned, each)));
  const show = (passage: PinnedPassage) => {
    const document = passage.source?.document_id ?? documents.find(({ path }) => path === passage.path)?.id;
    if (document != null) void select(document, (view) => rangeOf(passage, view));
  };
  if (others.length === 0) return null;
  return (
    <>
      <div className={css.section}>
        <h3>{t("assess.pane.pinned")}</h3>
      </div>
      <ul className={css.list}>
        {others.map((passage, at) => (
          <li
            key={`${passage.text_version} ${passage.path} ${passage.start}-${passage.end}`}
            className={css.evidence}
          >
            <div className="row gap-6">
              <IconPinFilled className="xs" aria-hidden />
              <Place
                where={
                  passage.page === null
                    ? visible(passage.path)
                    : t("assess.grid.p", { page: citedPage(passage.page, passage.page_label) })
                }
                onShow={() => show(passage)}
              />
              <ChangedTag source={passage.source} />
              {may("assess.decide") && (
                <span className="push">
                  <IconButton
                    size="small"
                    label={t("assess.pane.unpin_other", { count: at + 1 })}
                    onClick={() => evidence.unpin(passage)}
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
