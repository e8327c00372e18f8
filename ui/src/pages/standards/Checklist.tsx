import { IconNote, IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useRef, useState } from "react";
import type { MetricItem, Review, StandardMetric } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Menu } from "@/kit/Menu";
import { Meter } from "@/kit/Meter";
import { Note } from "@/kit/Note";
import { combination, keysOf } from "@/kit/shortcuts";
import { t } from "@/text";
import { inert } from "@/text/visible";
import { coverageOf, coverageParts, coverageText } from "./coverage";
import { Part } from "./Links";
import { useNote } from "./note";
import type { Statuses } from "./outline";
import { Prose, type ProseProps } from "./Prose";
import css from "./requirement.module.css";
import type { Findings, Report } from "./reviews";
import { STATUSES, StatusShape } from "./StatusShape";

export type ChecklistProps = {
  metric: StandardMetric;
  statuses: Statuses;
  /** The findings that can be changed; nothing where no report is under review or they are not known. */
  findings: Findings | undefined;
  report: Report | undefined;
  /** Item whose evidence is shown alone. */
  item: string;
  onItem: (id: string) => void;
};

/** What is also to be discussed: each item with its status, its note and its evidence. */
export function Checklist(props: ChecklistProps & ProseProps) {
  const { metric, statuses, findings, report } = props;
  const items = metric.also_to_be_discussed;
  const gone = findings && report ? findings.gone(report.id, metric) : [];
  if (items.length === 0 && gone.length === 0) return null;
  const coverage = coverageOf(metric, statuses);
  const text = coverageText(coverage);
  const title = t("standards.requirement.also_to_be_discussed");
  return (
    <Part
      title={title}
      detail={
        findings && (
          <span className={`row gap-6 ${css.coverage}`}>
            <Meter label={title} text={text} value={coverageParts(coverage)} width={64} />
            <span className="number">{text}</span>
          </span>
        )
      }
    >
      <ol className={css.checklist}>
        {items.map((item, index) => (
          <Item key={`${report?.id} ${item.id}`} {...props} line={item} number={index + 1} />
        ))}
      </ol>
      {findings && items.length > 0 && (
        <p className="xs mut">
          {t("standards.requirement.keys", { note: keysOf("standards.note").toUpperCase() })}
        </p>
      )}
      {gone.length > 0 && <Gone reviews={gone} />}
    </Part>
  );
}

type ItemProps = ChecklistProps & ProseProps & { line: MetricItem; number: number };

function Item(props: ItemProps) {
  const { line, number, item, onItem, findings, report } = props;
  const chosen = item === line.id;
  return (
    <li className={classes(css.item, chosen && css.on)}>
      <span className={`${css.number} number`} aria-hidden>
        {number}
      </span>
      <div className={css.words} lang="en">
        <Prose {...props} text={line.text} />
      </div>
      <IconButton
        size="small"
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
function Mark({ line, number, findings, report }: MarkProps) {
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
      <div className="row gap-6">
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
          >
            <StatusShape status={review.status} quiet />
            {name}
          </button>
        </Menu>
        {!writing && note === "" && (
          <Button
            size="tiny"
            tone="quiet"
            icon={<IconNote className="xs" aria-hidden />}
            aria-label={`${t("standards.requirement.add_note")}: ${number}`}
            onClick={openNote}
          >
            {t("standards.requirement.add_note")}
          </Button>
        )}
      </div>
      {(writing || note !== "") && (
        <textarea
          ref={field}
          className={css.note}
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
        <Note kind="warn">
          {t("standards.requirement.changed")} “<bdi>{inert(review.words)}</bdi>”{" "}
          <Button size="tiny" onClick={() => keep({})}>
            {t("standards.requirement.keep")}
          </Button>
        </Note>
      )}
      {lost?.error && (
        <div role="alert">
          <Note kind="bad">
            <b>{t("standards.review.not_stored")}</b> {lost.error.message}{" "}
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
function Gone({ reviews }: { reviews: readonly Review[] }) {
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
