import { IconExternalLink, IconNote, IconPinFilled, IconX } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import type { PinnedPassage, Review } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { Select } from "@/kit/fields";
import { Kbd } from "@/kit/Kbd";
import { Name } from "@/kit/Name";
import { Note } from "@/kit/Note";
import { useNarrow } from "@/kit/narrow";
import { Popover } from "@/kit/Popover";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { keysOf, useShortcut } from "@/kit/shortcuts";
import { NotLoaded, SkeletonRows } from "@/kit/states";
import { ChangedTag } from "@/parts/ChangedTag";
import { citedPage } from "@/parts/cited";
import { DocumentName, fullName } from "@/parts/DocumentName";
import { OcrTag } from "@/parts/OcrTag";
import { STATUSES } from "@/parts/StatusShape";
import { href } from "@/state/router";
import { t } from "@/text";
import { moment, sentence } from "@/text/format";
import { inert, visible } from "@/text/visible";
import { useNote } from "./note";
import { shortId } from "./outline";
import css from "./review.module.css";
import type { Findings, Report, Reviews } from "./reviews";
import shared from "./shared.module.css";

type ReviewBlockProps = {
  paragraph: string;
  report: Report;
  reports: readonly Report[];
  onReport: (id: string) => void;
  reviews: Reviews;
  /** The document and place of a pinned passage. */
  onOpen: (passage: PinnedPassage) => void;
  /** Goes to the next open item, or the one before. */
  onStep: (step: 1 | -1) => void;
};

type FindingProps = Omit<ReviewBlockProps, "reviews"> & { findings: Findings };

/** The finding on the paragraph in the report: stored as it is changed, once what is stored is known. */
export function ReviewBlock({ reviews, ...props }: ReviewBlockProps) {
  const { paragraph, report } = props;
  const { list, findings } = reviews;
  const narrow = useNarrow();
  const key = JSON.stringify([findings?.workspace, report.id, paragraph]);
  return (
    <section className={css.review} aria-label={t("standards.review.of", { id: shortId(paragraph) })}>
      <div className={`row ${css.reviewHead}`}>
        <h3 className="h2 row gap-6">
          <IconNote className="small" aria-hidden />
          <span>
            {t("standards.review.title")} <bdi dir="ltr">{shortId(paragraph)}</bdi>
          </span>
        </h3>
        {!narrow && <ReportChoice {...props} />}
        {findings && <Status {...props} findings={findings} />}
      </div>
      {findings ? (
        <Finding key={key} {...props} findings={findings}>
          {narrow && <ReportChoice {...props} />}
        </Finding>
      ) : list.error ? (
        <NotLoaded query={list} title={t("standards.review.not_read")} />
      ) : (
        <SkeletonRows rows={2} height={39.5} bare label={t("standards.review.looking")} />
      )}
    </section>
  );
}

function Status(props: FindingProps) {
  return (
    <SegmentedControl
      label={t("standards.review.status")}
      size="small"
      value={latest(props).status}
      onChange={(status) => props.findings.save({ ...latest(props), status })}
      options={STATUSES.map((value) => ({ value, label: t(`standards.status.${value}`) }))}
    />
  );
}

function ReportChoice({
  report,
  reports,
  onReport,
}: Pick<ReviewBlockProps, "report" | "reports" | "onReport">) {
  return (
    <span className={`${css.report} ${shared.quiet}`} data-tip={fullName(report.title, report)}>
      <Select
        label={t("standards.review.report")}
        searchable={reports.length > 8}
        width="100%"
        value={report.id}
        onChange={onReport}
        options={reports.map((each) => ({ value: each.id, label: fullName(each.title, each) }))}
        nothingFound={t("standards.review.no_report")}
        shown={<DocumentName title={report.title} document={report} />}
      />
    </span>
  );
}

const latest = ({ findings, report, paragraph }: FindingProps): Review => findings.find(report.id, paragraph);

function Finding({ children, ...props }: FindingProps & { children?: ReactNode }) {
  const { findings, onStep, onOpen } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const { review, note, write, flush } = useNote(findings, () => latest(props));
  const settle = (step: 1 | -1) => {
    flush();
    onStep(step);
  };
  useShortcut("standards.note", () => field.current?.focus());
  useShortcut("standards.next-open", () => settle(1));
  useShortcut("standards.previous-open", () => settle(-1));
  useShortcut("standards.save-next", () => settle(1));
  const lost = findings.failed(review);
  return (
    <>
      {STATUSES.map((status, index) => (
        <Key
          key={status}
          id={`standards.status-${index + 1}`}
          onPress={() => findings.save({ ...latest(props), note, status })}
        />
      ))}
      <textarea
        ref={field}
        className={css.note}
        aria-label={t("standards.review.note")}
        placeholder={t("standards.review.note_placeholder")}
        rows={2}
        value={note}
        onChange={(event) => write(event.currentTarget.value)}
        onBlur={flush}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      {lost?.error && (
        <div role="alert">
          <Note kind="bad">
            <b>{t("standards.review.not_stored")}</b> {visible(sentence(lost.error.message))}{" "}
            <Button size="tiny" onClick={() => findings.save({ ...lost.review, note })}>
              {t("errors.cure.retry")}
            </Button>
          </Note>
        </div>
      )}
      <div className={`row xs mut ${css.reviewFoot}`}>
        <span className="ell" role="status">
          {review.updated_at === ""
            ? t("standards.review.never")
            : t("standards.review.edited", { when: moment(review.updated_at) })}
        </span>
        {children}
        {review.passages.length > 0 && (
          <Pinned
            passages={review.passages}
            onOpen={onOpen}
            onUnpin={(passage) =>
              findings.save({
                ...latest(props),
                note,
                passages: latest(props).passages.filter((each) => each !== passage),
              })
            }
          />
        )}
        <span className={shared.push}>
          <Button size="tiny" tone="quiet" onClick={() => settle(1)}>
            {t("standards.review.next")} <Kbd keys={keysOf("standards.save-next")} />
          </Button>
        </span>
      </div>
    </>
  );
}

function Key({ id, onPress }: { id: string; onPress: () => void }) {
  useShortcut(id, onPress);
  return null;
}

function Pinned({
  passages,
  onOpen,
  onUnpin,
}: {
  passages: readonly PinnedPassage[];
  onOpen: (passage: PinnedPassage) => void;
  onUnpin: (passage: PinnedPassage) => void;
}) {
  return (
    <Popover
      label={t("standards.review.pinned_title")}
      width={380}
      position="top-start"
      button={(open, toggle) => (
        <button
          type="button"
          className={`row gap-4 nowrap ${css.pinnedButton}`}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={toggle}
        >
          <IconPinFilled className="xs" aria-hidden />
          {t("standards.review.pinned", { count: passages.length })}
        </button>
      )}
    >
      {() => (
        <ScrollRegion as="ul" className={css.pinned}>
          {passages.map((passage) => (
            <li key={`${passage.path} ${passage.start}`} className="row align-top">
              <div className="grow">
                <div className="row xs mut">
                  <Name>{passage.path}</Name>
                  {passage.page !== null && (
                    <span className="nowrap">
                      {t("standards.page", { page: citedPage(passage.page, passage.page_label) })}
                    </span>
                  )}
                  <OcrTag confidence={passage.ocr} />
                  <ChangedTag source={passage.source} />
                </div>
                <div className="sm">
                  “<bdi>{inert(passage.quote)}</bdi>”
                </div>
              </div>
              <IconButton
                size="small"
                label={t("hit.card.open", { name: passage.path })}
                onClick={() => onOpen(passage)}
              >
                <IconExternalLink className="xs" aria-hidden />
              </IconButton>
              <IconButton size="small" label={t("standards.review.unpin")} onClick={() => onUnpin(passage)}>
                <IconX className="xs" aria-hidden />
              </IconButton>
            </li>
          ))}
        </ScrollRegion>
      )}
    </Popover>
  );
}

/** What stands in place of the finding where there is no report to review. */
export function NothingToReview() {
  return (
    <section className={css.review} aria-label={t("standards.review.title")}>
      <div className="row sm sec">
        <IconNote className="small" aria-hidden />
        {t("standards.review.no_reports")} <a href={href("library")}>{t("errors.cure.library")}</a>
      </div>
    </section>
  );
}

/** Where it is not known yet which report is under review. */
export function ReviewToCome() {
  return (
    <section className={css.review} aria-label={t("standards.review.title")}>
      <SkeletonRows rows={2} height={39.5} bare label={t("standards.review.looking")} />
    </section>
  );
}
