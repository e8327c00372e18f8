import { IconUsers } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { ReviewStatus } from "@/api/types";
import { Button } from "@/kit/Button";
import { Kbd } from "@/kit/Kbd";
import { keepClear } from "@/kit/keep-clear";
import { Note } from "@/kit/Note";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { keysOf, useShortcut } from "@/kit/shortcuts";
import { STATUSES, StatusShape } from "@/parts/StatusShape";
import { t } from "@/text";
import { moment, sentence } from "@/text/format";
import { inert, visible } from "@/text/visible";
import css from "./assess.module.css";
import { Bars } from "./CellBody";
import { CarriedMark } from "./changed/ChangeMark";
import type { CellId } from "./deciding";
import type { Row } from "./model";
import own from "./pane.module.css";
import type { PaneProps } from "./RequirementPane";
import { foundWords } from "./Rest";

/** Entries of the history that are shown. */
const ENTRIES = 4;

type StatusControlProps = { value: ReviewStatus; onChange: (status: ReviewStatus) => void };

/** The decision: one of five. */
export function StatusControl({ value, onChange }: StatusControlProps) {
  return (
    <SegmentedControl
      label={t("assess.pane.decision")}
      size="small"
      value={value}
      onChange={onChange}
      options={STATUSES.map((status) => ({
        value: status,
        label: (
          <>
            <StatusShape status={status} quiet />
            {t(`assess.short.${status}`)}
          </>
        ),
      }))}
    />
  );
}

type DecisionBlockProps = PaneProps & { here: CellId; row: Row };

/** The words of the note, stored when the field or the cell is left. */
function useNote({ here, cell, deciding, model, walk }: DecisionBlockProps) {
  const [draft, setDraft] = useState<string>();
  const stored = cell.view?.review?.note ?? "";
  const status = model.cell(walk.at.row, walk.at.column)?.status ?? "open";
  const [sent, setSent] = useState<string>();
  const flush = () => {
    if (draft === undefined || draft === (sent ?? stored)) return;
    deciding.decide([here], { status, note: draft }, cell.view?.review ?? null, () => setSent(draft));
  };
  const leave = useEffectEvent(flush);
  useEffect(() => () => leave(), []);
  const unsaved = draft !== undefined && draft !== (sent ?? stored);
  return { status, note: draft ?? stored, unsaved, write: setDraft, flush };
}

/** The decision on the cell in use, its note and its history. */
export function DecisionBlock(props: DecisionBlockProps) {
  const { here, cell, deciding, narrow, onPage, onNext } = props;
  // Without the page beside it, it stands at the end of the window.
  const last = narrow || onPage !== undefined;
  const field = useRef<HTMLTextAreaElement>(null);
  const { status, note, unsaved, write, flush } = useNote(props);
  useShortcut("assess.note", () => field.current?.focus());
  const failed = deciding.failed(here);
  return (
    <section
      className={own.decision}
      aria-label={t("assess.pane.decision")}
      {...(last && { ref: keepClear, "data-keep-clear": true })}
    >
      <Carried {...props} />
      <StatusControl value={status} onChange={(next) => deciding.decide([here], { status: next })} />
      <textarea
        ref={field}
        className={css.note}
        aria-label={t("assess.pane.note")}
        placeholder={t("assess.pane.note_placeholder")}
        rows={2}
        value={note}
        disabled={cell.view === undefined}
        onChange={(event) => write(event.currentTarget.value)}
        onBlur={flush}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          event.currentTarget.blur();
          props.evidence.back();
        }}
      />
      {failed && (
        <div role="alert">
          <Note kind="bad">
            <b>{t("assess.pane.unsaved")}</b> {visible(sentence(failed.error.message))}{" "}
            <Button size="tiny" onClick={failed.again}>
              {t("assess.pane.again")}
            </Button>
          </Note>
        </div>
      )}
      <Disputed {...props} />
      <History {...props} />
      <div className={`row xs mut ${own.keys}`}>
        <span className="row gap-4">
          <kbd className="kbd">1…5</kbd> {t("assess.pane.keys_decide")}
        </span>
        <span className="row gap-4">
          <Kbd keys={keysOf("assess.evidence")} />
          <Kbd keys={keysOf("assess.next-evidence")} />
          <Kbd keys={keysOf("assess.previous-evidence")} /> {t("assess.pane.keys_evidence")}
        </span>
        <span className="row gap-4">
          <Kbd keys={keysOf("assess.pin")} /> {t("assess.pane.keys_pin")}
        </span>
        <span className="row gap-4">
          <Kbd keys={keysOf("assess.note")} /> {t("assess.pane.keys_note")}
        </span>
        <span className="push">
          <Button size="tiny" tone="quiet" onClick={onNext}>
            {t(unsaved ? "assess.pane.save_next_open" : "assess.pane.next_open")}{" "}
            <Kbd keys={keysOf("assess.next-open")} />
          </Button>
        </span>
      </div>
    </section>
  );
}

/** What was decided on the report before, to be confirmed. */
function Carried({ here, cell: { view }, model, walk, onConfirm }: DecisionBlockProps) {
  const carried = model.cell(walk.at.row, walk.at.column)?.carried;
  if (!carried) return null;
  const year = view?.earlier?.year;
  return (
    <div className="row gap-6 sm">
      <CarriedMark status={carried} />
      <span className="sec ell">
        {year == null ? t("assess.pane.carried") : t("assess.pane.carried_from", { year: String(year) })}
      </span>
      <span className="push">
        <Button size="tiny" onClick={() => onConfirm(here)}>
          {t("assess.changed.confirm")} <Kbd keys={keysOf("assess.confirm")} />
        </Button>
      </span>
    </div>
  );
}

/** Says who decided what, where two reviewers decided differently. */
function Disputed({ cell: { view }, model, walk }: DecisionBlockProps) {
  if (!view || !model.cell(walk.at.row, walk.at.column)?.disputed) return null;
  const latest = new Map<string, ReviewStatus>();
  for (const { reviewer, status } of view.history) if (!latest.has(reviewer)) latest.set(reviewer, status);
  const who = [...latest].map(
    ([reviewer, status]) => `${visible(reviewer)}: ${t(`assess.status.${status}`)}`,
  );
  return (
    <div className="row gap-6 sm">
      <IconUsers className="small" aria-hidden />
      {t("assess.pane.disputed", { who: who.join(", ") })}
    </div>
  );
}

/** Who decided what, the newest first; the proposal is one of the entries. */
function History({ cell: { view, proposal }, narrow }: DecisionBlockProps) {
  const decided = (view?.history ?? []).map(
    ({ reviewer, status, note, at, proposed_by: program, imported_at: imported }) => ({
      at,
      who: visible(reviewer),
      what: [
        program === undefined
          ? t(`assess.status.${status}`)
          : t("assess.program.confirmed", {
              status: t(`assess.status.${status}`),
              program: visible(program),
              reviewer: visible(reviewer),
            }),
        inert(note),
        imported && t("assess.pane.imported", { at: moment(imported) }),
      ]
        .filter(Boolean)
        .join(": "),
      sign: <StatusShape status={status} quiet />,
    }),
  );
  const proposed = proposal && {
    at: proposal.made_at,
    who: t("assess.pane.sibyl"),
    what: t("assess.pane.proposed", { what: foundWords(proposal) }),
    sign: (
      <Bars
        found={proposal.items.filter(({ evidence }) => evidence.length > 0).length}
        of={Math.min(3, proposal.items.length)}
      />
    ),
  };
  const entries = [...decided, ...(proposed ? [proposed] : [])]
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, narrow ? 1 : ENTRIES);
  if (entries.length === 0) return null;
  return (
    <ul className={own.history} aria-label={t("assess.pane.history")}>
      {entries.map(({ at, who, what, sign }) => (
        <li key={`${at} ${who} ${what}`}>
          <span className={own.sign}>{sign}</span>
          <b className="ell">{who}</b>
          <span className="mut ell" data-tip={what}>
            {what}
          </span>
          <span className="mut number nowrap">{moment(at)}</span>
        </li>
      ))}
    </ul>
  );
}
