import { IconPencil, IconTextScan2 } from "@tabler/icons-react";
import { type Ref, useEffect, useMemo, useRef, useState } from "react";
import type { AnswerCitation } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { PaneHead } from "@/kit/Panes";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { citedPage } from "@/parts/cited";
import { askable, type Selected, setSelected } from "@/state/selection";
import { t } from "@/text";
import { inert, visible } from "@/text/visible";
import { numberOf } from "./names";
import css from "./selection-pane.module.css";

type Part = { text: string; start: number; citation?: AnswerCitation };

/** The text in parts: what is cited, and what stands between. */
export function partsOf(text: string, citations: readonly AnswerCitation[]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const citation of [...citations].sort((a, b) => a.span[0] - b.span[0])) {
    const [start, end] = citation.span;
    if (start < at || end > text.length) continue;
    if (start > at) parts.push({ text: text.slice(at, start), start: at });
    parts.push({ text: text.slice(start, end), start, citation });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), start: at });
  return parts;
}

type SelectionPaneProps = {
  /** What is asked about; what an answer is from, where one is on screen. */
  selected: Selected;
  /** Citations of the answer on screen. */
  citations: readonly AnswerCitation[];
  lit: number | undefined;
  onCite: (n: number) => void;
  /** The text can be changed: it is not that of an answer on screen. */
  own: boolean;
  field: Ref<HTMLTextAreaElement>;
};

/** The text that is answered from alone, with the words that the answer rests on marked in it. */
export function SelectionPane({ selected, citations, lit, onCite, own, field }: SelectionPaneProps) {
  const [editing, setEditing] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const { text, document, section, page, page_label } = selected;
  const parts = useMemo(() => partsOf(text, citations), [text, citations]);
  const writes = own && (editing || text === "");
  useEffect(() => {
    if (lit !== undefined)
      body.current?.querySelector(`[data-n="${lit}"]`)?.scrollIntoView({ block: "nearest" });
  }, [lit]);
  const where = [section, page === null ? "" : t("ask.selection.page", { page: citedPage(page, page_label) })]
    .filter(Boolean)
    .join(" · ");
  return (
    <>
      <PaneHead
        title={visible(document) || t("ask.selection.name")}
        detail={visible(where) || undefined}
        end={
          own &&
          text !== "" && (
            <Button
              size="tiny"
              tone="quiet"
              aria-pressed={editing}
              icon={<IconPencil className="xs" aria-hidden />}
              onClick={() => setEditing((now) => !now)}
            >
              {t(editing ? "ask.selection.done" : "ask.selection.edit")}
            </Button>
          )
        }
      />
      {writes ? (
        <textarea
          ref={field}
          className={css.field}
          aria-label={t("ask.selection.text")}
          placeholder={t("ask.selection.placeholder")}
          value={text}
          onFocus={() => setEditing(true)}
          onChange={(event) => setSelected({ ...selected, text: event.currentTarget.value })}
        />
      ) : (
        <ScrollRegion
          fill
          ways="down"
          ref={body}
          className={css.text}
          label={t("ask.selection.text")}
          {...askable({ document, section, page, page_label })}
        >
          {parts.map((part) =>
            part.citation ? (
              // A button would be a box and not break over lines.
              <span
                key={part.start}
                role="button"
                tabIndex={0}
                data-n={part.citation.n}
                className={classes(css.cited, part.citation.n === lit && css.lit)}
                aria-label={t("ask.selection.cited", {
                  number: numberOf(part.citation.n, true),
                  words: part.text,
                })}
                onClick={() => part.citation && onCite(part.citation.n)}
                onKeyDown={(event) => {
                  if ((event.key !== "Enter" && event.key !== " ") || !part.citation) return;
                  event.preventDefault();
                  onCite(part.citation.n);
                }}
              >
                {inert(part.text)}
              </span>
            ) : (
              <span key={part.start}>{inert(part.text)}</span>
            ),
          )}
        </ScrollRegion>
      )}
    </>
  );
}

/** Says that nothing but the selection is used, above question and answer. */
export function SelectionBanner({ tokens, onLeave }: { tokens: number; onLeave: () => void }) {
  return (
    <div className={css.banner} role="note">
      <IconTextScan2 className="small" aria-hidden />
      <b>{t("ask.selection.title")}</b>
      <span className={`sec number ${css.bannerNote}`}>{t("ask.selection.note", { count: tokens })}</span>
      <Button size="tiny" tone="quiet" onClick={onLeave}>
        {t("ask.selection.leave")}
      </Button>
    </div>
  );
}
