import { IconChevronLeft, IconChevronRight, IconExternalLink } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { useCommand } from "@/api/queries";
import type { EvidencePassage, Mark } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Kbd } from "@/kit/Kbd";
import { PaneHead } from "@/kit/Panes";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useSize } from "@/kit/size";
import { EmptyState, ErrorState, Loaded, SkeletonRows, useDelayed } from "@/kit/states";
import { citedPage } from "@/parts/cited";
import { Passage } from "@/parts/Passage";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { EvidenceNumber } from "./ProposalFrame";
import css from "./page.module.css";
import type { Evidence } from "./use-evidence";

/** Steps in which a picture grows with its pane, and its limits. */
const STEP = 200;
const LEAST = 400;
const MOST = 2400;
/** The narrowest picture: where only the marks are wanted. */
const MARKS = 100;
/** Height to width of a page that was not seen yet: A4. */
const A4 = Math.SQRT2;
/** Least share of a page's width that is in sight, and what stands free beside its text. */
const SIGHT = 0.6;
const BESIDE = 0.045;
/** Pixels above the marked lines when they are brought into sight. */
const ABOVE = 72;

/** Whether the page of a passage can be drawn. */
const isDrawn = ({ page, pin }: EvidencePassage): boolean => page !== null && /\.pdf$/i.test(pin.path);

type PagePaneProps = {
  evidence: Evidence;
  /** Nothing where it is a tab. */
  onHide: (() => void) | undefined;
};

/** The page of the selected evidence, its lines marked. */
export function PagePane({ evidence, onHide }: PagePaneProps) {
  const passage = evidence.passages[evidence.at];
  if (!passage)
    return (
      <>
        <PaneHead title={t("assess.page.label")} />
        <EmptyState title={t("assess.page.none")} />
      </>
    );
  return (
    <>
      <Title evidence={evidence} passage={passage} />
      {isDrawn(passage) ? (
        <Picture key={passage.document_id} evidence={evidence} passage={passage} />
      ) : (
        <Text key={passage.chunk_id} passage={passage} number={evidence.at + 1} />
      )}
      <Foot evidence={evidence} passage={passage} onHide={onHide} />
    </>
  );
}

/** Which page it is, and the way through the evidence. */
function Title({ evidence: { passages, at, choose }, passage }: PictureProps) {
  const { page, page_label, section } = passage;
  const { data } = useCommand("document.page_image", marksOf(passage), { enabled: isDrawn(passage) });
  const detail = [data && t("assess.page.of", { pages: data.pages }), visible(section.at(-1) ?? "")];
  const open = () => {
    const span = passage.span.join("-");
    navigate(
      href("chunk-lab", [], {
        document: String(passage.document_id),
        view: "read",
        at: span,
        mark: span,
        ...(isDrawn(passage) && { show: "page", page: String(page) }),
      }),
    );
  };
  return (
    <PaneHead
      title={
        page === null
          ? visible(passage.pin.path)
          : t("assess.page.title", { page: citedPage(page, page_label) })
      }
      detail={detail.filter(Boolean).join(" · ")}
      end={
        <>
          <IconButton
            size="small"
            label={t("assess.page.previous")}
            aria-disabled={at === 0}
            onClick={() => choose(at - 1)}
          >
            <IconChevronLeft className="small" aria-hidden />
          </IconButton>
          <IconButton
            size="small"
            label={t("assess.page.next")}
            aria-disabled={at === passages.length - 1}
            onClick={() => choose(at + 1)}
          >
            <IconChevronRight className="small" aria-hidden />
          </IconButton>
          <IconButton size="small" label={t("assess.page.open")} onClick={open}>
            <IconExternalLink className="small" aria-hidden />
          </IconButton>
        </>
      }
    />
  );
}

const onSamePage = (a: EvidencePassage, b: EvidencePassage): boolean =>
  a.document_id === b.document_id && a.page === b.page;

type PictureProps = { evidence: Evidence; passage: EvidencePassage };

const marksOf = ({ document_id, page, span: [start, end] }: EvidencePassage) => ({
  document_id,
  page: page ?? 1,
  width: MARKS,
  start,
  end,
});

/** The page, cut at the sides to its text. */
function Picture({ evidence, passage }: PictureProps) {
  const { root, size } = useSize();
  const page = passage.page ?? 1;
  const wanted = (size?.width ?? 0) * window.devicePixelRatio;
  const width = Math.max(LEAST, Math.min(MOST, Math.ceil(wanted / SIGHT / STEP) * STEP));
  const query = useCommand(
    "document.page_image",
    { document_id: passage.document_id, page, width },
    { enabled: size !== undefined, keep: true },
  );
  const placed = useCommand("document.page_image", marksOf(passage), { enabled: size !== undefined });
  const shown = query.data?.page === page ? query.data : undefined;
  const late = useDelayed(!shown && !query.error);
  const marks = placed.data?.marks ?? [];
  const [left, right] = sightOf(marks);
  const ratio = shown ? shown.height / shown.width : A4;
  const across = (size?.width ?? 0) / (right - left);
  const top = marks[0]?.y;
  const reveal = useEffectEvent(() => {
    if (root.current) root.current.scrollTop = (top ?? 0) * across * ratio - ABOVE;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another passage is shown from its marks on.
  useEffect(() => reveal(), [passage, top, shown !== undefined]);
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const name = visible(passage.pin.path);
  const alt = t("assess.page.alt", { page: citedPage(page, passage.page_label), name });
  return (
    <ScrollRegion ref={root} fill label={alt} className={css.pages}>
      <div
        className={css.paper}
        dir="ltr"
        style={{ width: across, aspectRatio: `1 / ${ratio}`, marginInlineStart: -left * across }}
        {...(!shown && { role: "status", "aria-busy": true, "aria-label": t("kit.loading") })}
      >
        {shown ? (
          <>
            <img
              src={`data:image/png;base64,${shown.png}`}
              alt={alt}
              width={shown.width}
              height={shown.height}
            />
            {evidence.passages.map(
              (each, at) =>
                onSamePage(each, passage) && (
                  <Marks
                    key={each.span.join("-")}
                    passage={each}
                    number={at + 1}
                    on={evidence.at === at}
                    left={left}
                  />
                ),
            )}
          </>
        ) : (
          late && <span className={`skel ${css.toCome}`} />
        )}
      </div>
    </ScrollRegion>
  );
}

/** What the passage says, where its document has no pages that can be drawn. */
function Text({ passage, number }: { passage: EvidencePassage; number: number }) {
  const stored = useCommand("chunk.get", { chunk_id: passage.chunk_id });
  const root = useRef<HTMLDivElement>(null);
  const { row } = stored.data ?? {};
  const start = row?.text.indexOf(passage.quote) ?? -1;
  const near =
    start < 0
      ? undefined
      : { start, end: start + passage.quote.length, says: t("assess.page.evidence", { number }) };
  const reveal = useEffectEvent(() =>
    root.current?.querySelector("mark.near")?.scrollIntoView?.({ block: "center" }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another quote is shown from its mark on.
  useEffect(() => reveal(), [start, row]);
  const name = visible(passage.pin.path);
  return (
    <ScrollRegion ref={root} fill ways="down" label={t("assess.page.text", { name })} className={css.text}>
      <Loaded query={stored} skeleton={<SkeletonRows bare rows={5} height={28} />}>
        {({ row, passage: said, header, found_by }) => (
          <Passage passage={{ ...row, chunk_text: row.text, passage: said, header, found_by }} near={near} />
        )}
      </Loaded>
    </ScrollRegion>
  );
}

/** The left and the right edge of what is in sight, as shares of the page. */
function sightOf(marks: readonly Mark[]): [number, number] {
  if (marks.length === 0) return [0, 1];
  const left = Math.max(0, Math.min(...marks.map(({ x }) => x)) - BESIDE);
  const right = Math.min(1, Math.max(...marks.map(({ x, width }) => x + width)) + BESIDE);
  const end = Math.min(1, Math.max(right, left + SIGHT));
  return [Math.min(left, end - SIGHT), end];
}

type MarksProps = { passage: EvidencePassage; number: number; on: boolean; left: number };

/** The lines of one piece of evidence. */
function Marks({ passage, number, on, left }: MarksProps) {
  const { data } = useCommand("document.page_image", marksOf(passage));
  const [first] = data?.marks ?? [];
  if (!first) return null;
  return (
    <>
      {data?.marks.map(({ x, y, width, height }) => (
        <i
          key={`${x} ${y}`}
          className={classes(css.mark, on && css.on)}
          style={{
            insetInlineStart: `${x * 100}%`,
            insetBlockStart: `${y * 100}%`,
            width: `${width * 100}%`,
            height: `${height * 100}%`,
          }}
        />
      ))}
      <b
        aria-hidden
        className={classes(css.badge, on && css.on)}
        style={{ insetInlineStart: `${left * 100}%`, insetBlockStart: `${first.y * 100}%` }}
      >
        {number}
      </b>
    </>
  );
}

/** Which lines are marked here, and where the others are. */
function Foot({ evidence, passage, onHide }: PictureProps & Pick<PagePaneProps, "onHide">) {
  const all = evidence.passages.map((each, at) => ({ each, at }));
  const here = all.filter(({ each }) => onSamePage(each, passage));
  const pages = new Map<number, number[]>();
  for (const { each, at } of all)
    if (!onSamePage(each, passage) && each.page !== null)
      pages.set(each.page, [...(pages.get(each.page) ?? []), at]);
  return (
    <div className={css.foot}>
      <span className="mut nowrap">{t("assess.page.marked")}</span>
      {here.map(({ at }) => (
        <EvidenceNumber key={at} at={at} evidence={evidence} />
      ))}
      {[...pages].map(([page, places]) => (
        <span key={page} className="row gap-4">
          <span className="mut nowrap number">· {t("assess.page.on", { page: String(page) })}</span>
          {places.map((at) => (
            <EvidenceNumber key={at} at={at} evidence={evidence} />
          ))}
        </span>
      ))}
      {onHide && (
        <span className="push">
          <Button size="tiny" tone="quiet" onClick={onHide}>
            <Kbd keys="space" /> {t("assess.page.hide")}
          </Button>
        </span>
      )}
    </div>
  );
}
