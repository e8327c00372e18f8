import { IconNote, IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useRef, useState } from "react";
import type { MetricItem, Review } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Menu } from "@/kit/Menu";
import { Note } from "@/kit/Note";
import { combination, keysOf } from "@/kit/shortcuts";
import { tip } from "@/kit/Tooltip";
import { Stated } from "@/parts/Stated";
import { STATUSES, StatusShape } from "@/parts/StatusShape";
import { t } from "@/text";
import { sentence } from "@/text/format";
import { inert, visible } from "@/text/visible";
import { useNote } from "./note";
import type { Statuses } from "./outline";
import { Prose, type ProseProps } from "./Prose";
import css from "./requirement.module.css";
import type { Findings, Report } from "./reviews";

export type ChecklistProps = {
  statuses: Statuses;
  /** The findings that can be changed; nothing where no report is under review or they are not known. */
  findings: Findings | undefined;
  report: Report | undefined;
  /** Item whose evidence is shown alone. */
  item: string;
  onItem: (id: string) => void;
};

type ItemProps = ChecklistProps & ProseProps & { line: MetricItem };

/** An item of a metric with its evidence, its status and its note. */
export function Item(props: ItemProps) {
  const { line, item, onItem, findings, report } = props;
  const chosen = item === line.id;
  const term = line.term !== null && line.text.startsWith(line.term) ? line.term : "";
  return (
    <li className={classes(css.item, chosen && css.on)}>
      <span className={`${css.number} number`} aria-hidden>
        {line.number}
      </span>
      <div className={css.words} lang="en">
        {term !== "" && <b>{term}</b>}
        <Prose {...props} text={line.text.slice(term.length)} />
        <Stated number={line.number} states={line.states} />
      </div>
      <IconButton
        size="small"
        className={css.find}
        label={t(chosen ? "standards.requirement.find_all" : "standards.requirement.find")}
        aria-pressed={chosen}
        onClick={() => onItem(chosen ? "" : line.id)}
      >
        <IconSearch className="xs" aria-hidden />
      </IconButton>
      {findings && report && <Mark {...props} findings={findings} report={report} />}
    </li>
  );
}

type MarkProps = ItemProps & { findings: Findings; report: Report };

/** The status and the note of an item. */
function Mark({ line, findings, report }: MarkProps) {
  const { number } = line;
  const latest = (): Review => findings.find(report.id, line.id);
  const { review, note, write, flush } = useNote(findings, latest);
  const [writing, setWriting] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const lost = findings.failed(review);
  // What is kept from now on is about the words that are on screen.
  const keep = (part: Partial<Review>) => findings.save({ ...latest(), note, words: line.text, ...part });
  const openNote = () => {
    setWriting(true);
    // The field is drawn first.
    requestAnimationFrame(() => field.current?.focus());
  };
  const keys = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLTextAreaElement) return;
    const pressed = combination(event.nativeEvent);
    const status = STATUSES.find((_, index) => keysOf(`standards.status-${index + 1}`) === pressed);
    if (status) keep({ status });
    else if (keysOf("standards.note") === pressed) openNote();
    else return;
    // The same keys set the status and open the note of the metric itself.
    event.stopPropagation();
    event.preventDefault();
  };
  const name = t(`standards.status.${review.status}`);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work on every control of the item.
    <div className={css.mark} onKeyDown={keys}>
      <div className={css.tools}>
        <Menu
          label={t("standards.requirement.status_of", { number })}
          position="bottom-start"
          entries={STATUSES.map((status) => ({
            label: t(`standards.status.${status}`),
            checked: status === review.status,
            onClick: () => keep({ status }),
          }))}
        >
          <button
            type="button"
            className={`chip ${css.status}`}
            aria-label={`${t("standards.requirement.status_of", { number })}: ${name}`}
            {...tip(name)}
          >
            <StatusShape status={review.status} quiet />
            {review.status !== "open" && name}
          </button>
        </Menu>
        {!writing && note === "" && (
          <IconButton
            size="small"
            label={`${t("standards.requirement.add_note")}: ${number}`}
            onClick={openNote}
          >
            <IconNote className="xs" aria-hidden />
          </IconButton>
        )}
      </div>
      {(writing || note !== "") && (
        <textarea
          ref={field}
          className={`${css.note} ${css.below}`}
          aria-label={t("standards.requirement.note_of", { number })}
          placeholder={t("standards.review.note_placeholder")}
          rows={1}
          value={note}
          onChange={(event) => write(event.currentTarget.value)}
          onBlur={() => {
            flush();
            setWriting(false);
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
      )}
      {review.words !== "" && review.words !== line.text && (
        <div className={css.below}>
          <Note kind="warn">
            {t("standards.requirement.changed")} “<bdi>{inert(review.words)}</bdi>”{" "}
            <Button size="tiny" onClick={() => keep({})}>
              {t("standards.requirement.keep")}
            </Button>
          </Note>
        </div>
      )}
      {lost?.error && (
        <div role="alert" className={css.below}>
          <Note kind="bad">
            <b>{t("standards.review.not_stored")}</b> {visible(sentence(lost.error.message))}{" "}
            <Button size="tiny" onClick={() => findings.save({ ...lost.review, note })}>
              {t("errors.cure.retry")}
            </Button>
          </Note>
        </div>
      )}
    </div>
  );
}

/** Findings on items that the metric no longer has. */
export function Gone({ reviews }: { reviews: readonly Review[] }) {
  return (
    <div className={css.gone}>
      <div className="xs mut">{t("standards.requirement.gone")}</div>
      <ul className={css.list}>
        {reviews.map((review) => (
          <li key={review.paragraph_id}>
            <StatusShape status={review.status} /> “<bdi>{inert(review.words)}</bdi>”
            {review.note !== "" && <div className="sec">{inert(review.note)}</div>}
          </li>
        ))}
      </ul>
    </div>
  );
}
