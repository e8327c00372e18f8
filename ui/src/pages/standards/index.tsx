import { useEffect, useMemo, useState } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { StandardPage, TreeNode } from "@/api/types";
import { Button } from "@/kit/Button";
import { useNarrow } from "@/kit/narrow";
import { Pane, Panes } from "@/kit/Panes";
import {
  EmptyState,
  ErrorState,
  Loaded,
  NotLoaded,
  SkeletonPassages,
  SkeletonRows,
  SkeletonText,
} from "@/kit/states";
import { fullName } from "@/parts/DocumentName";
import { PageHeader } from "@/parts/PageHeader";
import { openPinned } from "@/parts/pin";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { EvidencePane, NoEvidence } from "./EvidencePane";
import { ExportReview } from "./Export";
import { countByFinder, useEvidence } from "./evidence";
import css from "./layout.module.css";
import { Orientation } from "./Orientation";
import { OutlinePane } from "./Outline";
import { type Outline, openItem, scopeOf, toOutline, wholeBody } from "./outline";
import { useEdition, usePlace } from "./place";
import { Reading } from "./Reading";
import { NothingToReview, ReviewBlock, ReviewToCome } from "./Review";
import { useReports, useReviews } from "./reviews";
import { Unknown } from "./Unknown";

const SIDES = { wide: [292, 404], narrow: [226, 300] } as const;
const BESIDE = "sibyl.standards.beside";

/** The screen. */
export default function StandardsPage() {
  const edition = useEdition();
  const tree = useCommand("standards.tree", edition ? { edition } : {}, { keep: true });
  return (
    <Loaded
      query={tree}
      skeleton={
        <>
          <PageHeader context={t("standards.context")} />
          <Expected />
        </>
      }
    >
      {(rows) => (rows.length === 0 ? <NoStandards /> : <Workbench rows={rows} />)}
    </Loaded>
  );
}

/** The screen before it knows the tree: its panes stand where they will stand. */
function Expected() {
  const narrow = useNarrow();
  const [start, end] = SIDES[narrow ? "narrow" : "wide"];
  return (
    <div className={css.page}>
      <Panes key={narrow ? "narrow" : "wide"} id={narrow ? "standards-narrow" : "standards"}>
        <Pane id="tree" size={start} min={200} max={480} fold="start" sunken>
          <div className={css.unfiltered} />
          <SkeletonRows rows={20} height={25} bare />
        </Pane>
        <Pane id="reading">
          <div className="heading" />
          <SkeletonText quiet />
        </Pane>
        <Pane id="evidence" size={end} min={260} max={640} fold="end">
          <div className="heading" />
          <SkeletonPassages quiet />
        </Pane>
      </Panes>
    </div>
  );
}

/** A library without the standards: one action brings those that ship with the program. */
function NoStandards() {
  const start = useAction("ingest.start");
  const add = () => start.mutate({ sources: [], corpus: "all", embed: "instant" });
  return (
    <>
      <PageHeader context={t("standards.context")} />
      <EmptyState
        title={t("standards.empty.title")}
        detail={t(start.isSuccess ? "standards.empty.running" : "standards.empty.detail")}
        action={
          <Button tone="primary" disabled={start.isPending || start.isSuccess} onClick={add}>
            {t("standards.empty.add")}
          </Button>
        }
      />
    </>
  );
}

/** Whether the licensed text stands beside the explanation, as it was left. */
function useBeside(): [boolean, (beside: boolean) => void] {
  const [beside, setBeside] = useState(() => localStorage.getItem(BESIDE) === "yes");
  const keep = (next: boolean) => {
    localStorage.setItem(BESIDE, next ? "yes" : "no");
    setBeside(next);
  };
  return [beside, keep];
}

/** Goes to the next requirement of the report that is open, or says of what none is. */
function useSteps(
  outline: Outline,
  shown: StandardPage | undefined,
  statuses: ReturnType<typeof useReviews>["statuses"],
  open: (id: string) => void,
) {
  return (by: 1 | -1) => {
    const next = shown && openItem(outline, shown.id, statuses, by);
    if (next?.target !== undefined) return open(next.target);
    const node = shown && outline.byTarget.get(shown.id);
    const scope = node && scopeOf(node);
    toast({
      kind: "ok",
      title: t("standards.review.nothing_open", { name: scope?.target ?? scope?.body ?? "" }),
    });
  };
}

function Workbench({ rows }: { rows: readonly TreeNode[] }) {
  const outline = useMemo(() => toOutline(rows), [rows]);
  const first = outline.order.find((node) => node.target !== undefined)?.target;
  const control = usePlace(first);
  const { place, change, open } = control;
  const whole = useMemo(() => wholeBody(outline, place.id), [outline, place.id]);
  useEffect(() => {
    if (whole) change({ id: whole.first, body: whole.body });
  }, [whole, change]);
  const choice = useReports(place.report, (id) => change({ report: id }));
  const { reports, report, documents } = choice;
  const reviews = useReviews(report?.id);
  const reviewing = report !== undefined && reviews.findings !== undefined;
  const page = useCommand(
    "standards.page",
    { id: place.id, ...(place.edition && { edition: place.edition }) },
    { enabled: place.id !== "" && !whole, keep: true },
  );
  const shown = page.data;
  const finds = useEvidence(control, documents.isPending ? undefined : shown, documents.data && reports);
  const counts = useMemo(() => finds.evidence && countByFinder(finds.evidence), [finds.evidence]);
  const [beside, setBeside] = useBeside();
  const narrow = useNarrow();
  const [start, end] = SIDES[narrow ? "narrow" : "wide"];
  const step = useSteps(outline, shown, reviews.statuses, open);
  const context = [
    t("standards.context"),
    report && t("standards.reviewing", { report: fullName(report.title, report) }),
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <div className={css.page}>
      <PageHeader
        context={context}
        actions={
          <>
            <Orientation edition={place.edition} onEdition={(edition) => change({ edition })} />
            <ExportReview report={report} any={(reviews.list.data?.length ?? 0) > 0} />
          </>
        }
      />
      <Panes key={narrow ? "narrow" : "wide"} id={narrow ? "standards-narrow" : "standards"}>
        <Pane id="tree" label={t("standards.tree")} size={start} min={200} max={480} fold="start" sunken>
          <OutlinePane {...control} outline={outline} statuses={reviews.statuses} reviewing={reviewing} />
        </Pane>
        <Pane id="reading" label={t("standards.text")}>
          {shown ? (
            <>
              <Reading
                {...{ outline, open, reviewing, report, counts, beside }}
                page={shown}
                at={place.id}
                statuses={reviews.statuses}
                findings={report && reviews.findings}
                item={place.item}
                onItem={(item) => change({ item, passage: "" })}
                first={finds.cut ? finds.evidence?.hits.length : undefined}
                onBeside={setBeside}
              />
              <Reviewing {...{ choice, reviews }} paragraph={shown.id} onStep={step} />
            </>
          ) : page.error ? (
            <Trouble {...{ place, outline, open }} error={page.error} retry={() => void page.refetch()} />
          ) : (
            <>
              <div className="heading" />
              <SkeletonText />
            </>
          )}
        </Pane>
        <Pane id="evidence" label={t("standards.evidence.title")} size={end} min={260} max={640} fold="end">
          {shown ? (
            <EvidencePane
              {...control}
              page={shown}
              finds={finds}
              reports={reports}
              reportsKnown={documents.data !== undefined}
              report={report}
              reviews={reviews}
            />
          ) : page.error ? (
            <NoEvidence />
          ) : (
            <>
              <div className="heading" />
              <SkeletonPassages quiet />
            </>
          )}
        </Pane>
      </Panes>
    </div>
  );
}

type ReviewingProps = {
  choice: ReturnType<typeof useReports>;
  reviews: ReturnType<typeof useReviews>;
  paragraph: string;
  onStep: (by: 1 | -1) => void;
};

/** The decision on a paragraph, or why there is none to make. */
function Reviewing({ choice, reviews, paragraph, onStep }: ReviewingProps) {
  const { reports, report, deciding, take, documents, listed } = choice;
  if (report)
    return (
      <ReviewBlock
        {...{ paragraph, report, reports, reviews, onStep }}
        onReport={take}
        onOpen={(passage) => void openPinned(passage, report.id, listed)}
      />
    );
  if (deciding) return <ReviewToCome />;
  return documents.data ? <NothingToReview /> : <NotLoaded query={documents} />;
}

type TroubleProps = {
  place: { id: string };
  outline: Outline;
  open: (id: string) => void;
  error: { code: string; message: string };
  retry: () => void;
};

function Trouble({ place, outline, open, error, retry }: TroubleProps) {
  if (error.code === "not_found") return <Unknown id={place.id} outline={outline} open={open} />;
  return <ErrorState error={error} onRetry={retry} />;
}
