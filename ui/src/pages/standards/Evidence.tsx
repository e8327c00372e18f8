import {
  IconAdjustmentsHorizontal,
  IconAlignLeft,
  IconCheck,
  IconCloudUp,
  IconExternalLink,
  IconPin,
  IconPinFilled,
} from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { Evidence, Hit, Mode, StandardPage } from "@/api/types";
import { reportError } from "@/app/error-dialog";
import { href, navigate } from "@/app/router";
import { toast } from "@/app/toasts";
import { Button, IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { SearchField } from "@/kit/fields";
import { LegBadge, ScoreBar } from "@/kit/legs";
import { Menu } from "@/kit/Menu";
import { Note } from "@/kit/Note";
import { PaneHead } from "@/kit/Panes";
import { Pill, Tag } from "@/kit/Pill";
import { Popover } from "@/kit/Popover";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { useShortcut } from "@/kit/shortcuts";
import { EmptyState, ErrorState, SkeletonRows } from "@/kit/states";
import { useStill } from "@/kit/still";
import { Passage } from "@/parts/Passage";
import { headerAndBody, pagesOf, titleOf } from "@/parts/passage";
import { ScoreBreakdown } from "@/parts/ScoreBreakdown";
import { formula, partOf, rankedSum } from "@/parts/score";
import { findStems } from "@/parts/stems";
import { t } from "@/text";
import type { Explained } from "@/text/errors";
import { percent, whole } from "@/text/format";
import { excerpt } from "./excerpt";
import { shortId } from "./outline";
import { isPinned, pinned } from "./pin";
import type { PlaceControl } from "./place";
import type { Report, Reviews } from "./reviews";
import css from "./standards.module.css";

const MODES: readonly Mode[] = ["hybrid", "semantic", "keyword"];
/** Milliseconds that a paragraph must stay open before evidence is looked for. */
const PAUSE = 180;
const FIRST = 50;
const MOST = 200;
const QUOTE = { narrow: 230, wide: 520 };
/** Constant of the fusion that evidence is searched with: the engine's default. */
const RRF_K = 60;

/** Evidence for a paragraph with what changes it. */
export type Finds = ReturnType<typeof useEvidence>;

/** Looks for evidence once a paragraph has been open for a moment; not at all where there is nothing to look in. */
export function useEvidence({ place }: PlaceControl, page: StandardPage | undefined, any: boolean) {
  const id = useStill(page?.id ?? "", PAUSE);
  const [depth, setDepth] = useState({ id: "", top: FIRST });
  const top = depth.id === id ? depth.top : FIRST;
  const query = useCommand(
    "standards.evidence",
    { id, below: place.below, mode: place.mode, reports: [...place.reports], top_k: top },
    { enabled: any && id !== "" && id === page?.id, keep: true },
  );
  // Evidence of a former paragraph must not stand beside another one.
  const mine = query.data?.queries[0]?.[0] === page?.id ? query.data : undefined;
  return {
    evidence: mine,
    error: query.error ?? undefined,
    looking: mine === undefined && !query.error,
    retry: () => void query.refetch(),
    top,
    more: () => setDepth({ id, top: MOST }),
  };
}

/** Passages in sight by the id that found them. */
export function countByFinder(evidence: Evidence): ReadonlyMap<string, number> {
  const counts = new Map(evidence.queries.map(([id]) => [id, 0]));
  for (const id of evidence.found_by) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

type EvidencePaneProps = PlaceControl & {
  page: StandardPage;
  finds: Finds;
  reports: readonly Report[];
  reportsKnown: boolean;
  report: Report | undefined;
  reviews: Reviews;
};

const cure = (explained: Explained) => {
  if (explained.cure === "library") navigate(href("library"));
  else if (explained.cure.startsWith("settings")) navigate(href("settings"));
};

/** Passages of reports that speak of the paragraph or item. */
export function EvidencePane(props: EvidencePaneProps) {
  const { place, change, page, finds, reports, reportsKnown } = props;
  const { evidence } = finds;
  const item = page.items.some((each) => each.id === place.item) ? place.item : "";
  const found = (evidence?.hits ?? [])
    .map((hit, index) => ({ hit, by: evidence?.found_by[index] ?? page.id }))
    .filter(({ by }) => item === "" || by === item);
  const list = useRef<HTMLUListElement>(null);
  const toList = () => list.current?.querySelector<HTMLElement>("[data-passage][tabindex='0']")?.focus();
  useShortcut("standards.evidence", toList);
  const modes = MODES.map((value) => ({ value, label: t(`search.modes.${value}`) }));
  return (
    <>
      <PaneHead
        title={t("standards.evidence.title")}
        detail={evidence && <span className="n">{whole(found.length)}</span>}
        end={
          <>
            <Egress evidence={evidence} />
            <span className="hide-s">
              <SegmentedControl
                label={t("search.mode")}
                size="small"
                value={place.mode}
                onChange={(mode) => change({ mode })}
                options={modes}
              />
            </span>
            <span className="only-s">
              <Menu
                label={t("search.mode")}
                entries={modes.map(({ value, label }) => ({
                  label,
                  checked: value === place.mode,
                  onClick: () => change({ mode: value }),
                }))}
              >
                <button type="button" className="ib x" aria-label={t("search.mode")} title={t("search.mode")}>
                  <IconAdjustmentsHorizontal className="s" aria-hidden />
                </button>
              </Menu>
            </span>
          </>
        }
      />
      <div className={`row g6 ${css.pills}`}>
        <Scope {...props} item={item} />
        <ReportsPill {...props} />
      </div>
      {evidence && <Notices evidence={evidence} />}
      {finds.error && !evidence ? (
        <ErrorState error={finds.error} onRetry={finds.retry} onCure={cure} />
      ) : reportsKnown && reports.length === 0 ? (
        <EmptyState
          title={t("standards.evidence.no_reports")}
          detail={t("standards.evidence.no_reports_detail")}
          action={<Button onClick={() => navigate(href("library"))}>{t("errors.cure.library")}</Button>}
        />
      ) : finds.looking ? (
        <SkeletonRows rows={6} height={92} label={t("standards.evidence.looking")} />
      ) : found.length === 0 ? (
        <Nothing {...props} item={item} />
      ) : (
        <Passages {...props} found={found} item={item} list={list} />
      )}
    </>
  );
}

/** Says that the question left this computer, and where it went. */
function Egress({ evidence }: { evidence: Evidence | undefined }) {
  const { tier, space } = evidence?.trace ?? {};
  if (tier !== "remote" || !space) return null;
  const label = t("standards.evidence.egress", { model: space.model, endpoint: space.endpoint });
  return (
    <span className="mut" role="img" aria-label={label} title={label}>
      <IconCloudUp className="s" aria-hidden />
    </span>
  );
}

/** What is degraded, and how much of the reports has vectors. */
function Notices({ evidence }: { evidence: Evidence }) {
  const { trace } = evidence;
  const share = trace.candidates_after > 0 ? trace.covered / trace.candidates_after : 1;
  const partial = trace.space !== null && share < 1;
  if (trace.notices.length === 0 && !partial) return null;
  return (
    <div className={css.notices}>
      {trace.notices.map((notice) => (
        <Note key={notice} kind={trace.degraded ? "warn" : "plain"}>
          {notice}
        </Note>
      ))}
      {partial && (
        <Note kind="warn">
          {t("standards.evidence.partial", { share: percent(share), model: trace.space?.model ?? "" })}
        </Note>
      )}
    </div>
  );
}

function Scope({ place, change, page, item }: EvidencePaneProps & { item: string }) {
  const own = shortId(page.id);
  if (item !== "")
    return (
      <Pill
        active
        value={<bdi dir="ltr">{shortId(item)}</bdi>}
        title={t("standards.item_all")}
        onClick={() => change({ item: "" })}
        onRemove={() => change({ item: "" })}
        removeLabel={t("standards.item_all")}
      />
    );
  if (page.items.length === 0) return <Pill active value={<bdi dir="ltr">{own}</bdi>} disabled />;
  if (!place.below)
    return (
      <Pill
        value={t("standards.evidence.alone", { id: own })}
        title={t("standards.evidence.look_below")}
        onClick={() => change({ below: true })}
      />
    );
  return (
    <Pill
      active
      value={t("standards.evidence.below", { id: own })}
      title={t("standards.evidence.look_alone")}
      onClick={() => change({ below: false })}
      onRemove={() => change({ below: false })}
      removeLabel={t("standards.evidence.look_alone")}
    />
  );
}

function ReportsPill(props: EvidencePaneProps) {
  const { place, change, reports } = props;
  const chosen = place.reports;
  const only = reports.find((each) => each.id === chosen[0]);
  const label = t("standards.evidence.report");
  const value =
    chosen.length === 0
      ? t("search.filter.any")
      : chosen.length === 1
        ? (only?.title ?? chosen[0])
        : t("search.filter.of", { count: chosen.length, total: reports.length });
  return (
    <Popover
      label={label}
      width={320}
      position="bottom-end"
      button={(open, toggle) => (
        <Pill
          label={label}
          value={<span className={css.pillValue}>{value}</span>}
          menu
          active={chosen.length > 0}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={toggle}
          onRemove={chosen.length > 0 ? () => change({ reports: [] }) : undefined}
          removeLabel={t("search.filter.clear", { filter: label })}
        />
      )}
    >
      {() => <ReportChoices {...props} />}
    </Popover>
  );
}

function ReportChoices({ place, change, reports, report }: EvidencePaneProps) {
  const [words, setWords] = useState("");
  const chosen = place.reports;
  const wanted = words.trim().toLowerCase();
  const shown = reports.filter((each) => each.title.toLowerCase().includes(wanted));
  const toggle = (id: string) =>
    change({ reports: chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id] });
  return (
    <div className={css.sheet}>
      <SearchField
        label={t("search.filter.find", { filter: t("standards.evidence.report") })}
        placeholder={t("search.filter.find_short")}
        size="small"
        value={words}
        onChange={setWords}
      />
      {report && (
        <Button
          size="tiny"
          tone="quiet"
          disabled={chosen.length === 1 && chosen[0] === report.id}
          onClick={() => change({ reports: [report.id] })}
        >
          {t("standards.evidence.only_reviewed")}
        </Button>
      )}
      <div className={css.choices} role="group" aria-label={t("standards.evidence.report")}>
        {shown.slice(0, 200).map((each) => (
          <button
            key={each.id}
            type="button"
            role="checkbox"
            aria-checked={chosen.includes(each.id)}
            className="k-option"
            onClick={() => toggle(each.id)}
          >
            <span className={chosen.includes(each.id) ? "ck on" : "ck"}>
              <IconCheck className="xs" aria-hidden />
            </span>
            <span className="grow ell" title={each.title}>
              {each.title}
            </span>
          </button>
        ))}
      </div>
    </div>
  );
}

/** No passage: names what narrows the search most, and offers to widen it. */
function Nothing({ place, change, page, item }: EvidencePaneProps & { item: string }) {
  if (item !== "")
    return (
      <EmptyState
        title={t("standards.evidence.none_item", { id: shortId(item), parent: shortId(page.id) })}
        action={<Button onClick={() => change({ item: "" })}>{t("standards.item_all")}</Button>}
      />
    );
  if (place.reports.length > 0)
    return (
      <EmptyState
        title={t("standards.evidence.none_reports")}
        action={
          <Button onClick={() => change({ reports: [] })}>{t("standards.evidence.all_reports")}</Button>
        }
      />
    );
  return (
    <EmptyState
      title={t("standards.evidence.none")}
      detail={place.mode === "hybrid" ? undefined : t("standards.evidence.none_mode")}
      action={
        place.mode !== "hybrid" && (
          <Button onClick={() => change({ mode: "hybrid" })}>{t("search.modes.hybrid")}</Button>
        )
      }
    />
  );
}

type Found = { hit: Hit; by: string };

function Passages(
  props: EvidencePaneProps & {
    found: readonly Found[];
    item: string;
    list: React.RefObject<HTMLUListElement | null>;
  },
) {
  const { place, change, found, finds, page, item, list, report, reviews } = props;
  const at = Math.max(
    0,
    found.findIndex(({ hit }) => hit.chunk_id === place.passage),
  );
  const selected = found[at];
  const scale = Math.max(...found.map(({ hit }) => rankedSum(hit)), Number.EPSILON);
  const pinning = usePinning(props);
  useShortcut("standards.pin", () => selected && pinning.toggle(selected.hit), selected !== undefined);
  const moved = useRef(false);
  const go = (index: number) => {
    const next = found[Math.max(0, Math.min(found.length - 1, index))];
    if (!next) return;
    moved.current = true;
    change({ passage: next.hit.chunk_id });
  };
  useShortcut("standards.next-passage", () => go(at + 1));
  useShortcut("standards.previous-passage", () => go(at - 1));
  useEffect(() => {
    const card = list.current?.children[at];
    if (!moved.current || !card) return;
    moved.current = false;
    card.scrollIntoView({ block: "nearest" });
    if (list.current?.contains(document.activeElement))
      card.querySelector<HTMLElement>("[data-passage]")?.focus();
  }, [at, list]);
  const keys = (event: KeyboardEvent) => {
    if (!(event.target as HTMLElement).hasAttribute("data-passage")) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: found.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  const full = finds.evidence && finds.evidence.hits.length >= finds.top && finds.top < MOST;
  return (
    <div className="scroll-y">
      <ul ref={list} className={css.passages} aria-label={t("standards.evidence.title")} onKeyDown={keys}>
        {found.map(({ hit, by }, index) => (
          <Card
            key={hit.chunk_id}
            hit={hit}
            by={by}
            selected={index === at}
            onSelect={() => change({ passage: hit.chunk_id })}
            scale={scale}
            pin={
              hit.report_id === null
                ? undefined
                : {
                    on: reviews.find(hit.report_id, page.id).passages.some((each) => isPinned(each, hit)),
                    busy: pinning.busy === hit.chunk_id,
                    other: hit.report_id !== report?.id,
                    toggle: () => pinning.toggle(hit),
                  }
            }
          />
        ))}
      </ul>
      {(full || item !== "") && (
        <div className={`row g6 wrap ${css.more}`}>
          {full && (
            <Button size="small" onClick={finds.more}>
              {t("standards.evidence.more")}
            </Button>
          )}
          {item !== "" && (
            <Button size="small" tone="quiet" onClick={() => props.open(item)}>
              {t("standards.evidence.open_item", { id: shortId(item) })}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** Pins passages to the finding on the paragraph in the report that they come from. */
function usePinning({ page, reviews, report }: EvidencePaneProps) {
  const [busy, setBusy] = useState<string>();
  const latest = useRef(reviews);
  latest.current = reviews;
  const toggle = (hit: Hit) => {
    if (hit.report_id === null || busy !== undefined) return;
    const { report_id } = hit;
    const finding = latest.current.find(report_id, page.id);
    const kept = finding.passages.filter((each) => !isPinned(each, hit));
    if (kept.length < finding.passages.length) return latest.current.save({ ...finding, passages: kept });
    setBusy(hit.chunk_id);
    pinned(hit, quoteOf(hit, true).text)
      .then(
        (passage) => {
          const now = latest.current.find(report_id, page.id);
          latest.current.save({ ...now, passages: [...now.passages, passage] });
          if (report_id !== report?.id)
            toast({ kind: "ok", title: t("standards.evidence.pinned_other", { report: hit.title }) });
        },
        (thrown) => reportError(EngineError.from(thrown)),
      )
      .finally(() => setBusy(undefined));
  };
  return { busy, toggle };
}

const quoteOf = (hit: Hit, wide: boolean) =>
  excerpt(headerAndBody(hit.chunk_text).body, hit.matched_terms, wide ? QUOTE.wide : QUOTE.narrow);

type CardProps = Found & {
  selected: boolean;
  onSelect: () => void;
  scale: number;
  pin: { on: boolean; busy: boolean; other: boolean; toggle: () => void } | undefined;
};

function Card({ hit, by, selected, onSelect, scale, pin }: CardProps) {
  const [opened, setOpened] = useState<"score" | "passage">();
  const details = useId();
  const quote = quoteOf(hit, selected);
  const score = hit.score.toFixed(hit.score >= 1 ? 2 : 4);
  const fused = hit.contributions.some((part) => formula(part, RRF_K) !== undefined);
  const index = hit.metadata.chunk_index;
  const toggle = (what: "score" | "passage") => {
    onSelect();
    setOpened((now) => (now === what ? undefined : what));
  };
  return (
    <li className={classes(css.passage, selected && css.on)}>
      <div className="row">
        <button
          type="button"
          data-passage
          tabIndex={selected ? 0 : -1}
          aria-current={selected || undefined}
          className={`ell ${css.source}`}
          title={hit.title}
          onClick={onSelect}
        >
          {hit.title}
        </button>
        <span className="mut sm nw">{pagesOf(hit.pages) ?? hit.path}</span>
        <span className={css.push}>
          <Tag mono>
            <bdi dir="ltr">{shortId(by)}</bdi>
          </Tag>
        </span>
      </div>
      <blockquote className={css.quote} onClick={onSelect}>
        {quote.before && "… "}
        {marked(quote.text, hit.matched_terms)}
        {quote.after && " …"}
      </blockquote>
      <div className={css.cardFoot}>
        <button
          type="button"
          className={`row g6 ${css.score}`}
          aria-expanded={selected && opened === "score"}
          aria-controls={details}
          title={t("standards.evidence.explain")}
          onClick={() => toggle("score")}
        >
          <ScoreBar
            label={score}
            scale={fused ? 2 / (RRF_K + 1) : scale}
            parts={hit.contributions
              .filter((part) => part.leg !== "reference")
              .map((part) => ({ leg: part.leg, value: Math.max(0, part.value) }))}
            width="var(--score)"
          />
          <span className="m n">{score}</span>
          {(["semantic", "keyword"] as const).map((leg) => {
            const part = partOf(hit, leg);
            return (
              part && (
                <span key={leg} className="row g4">
                  <LegBadge leg={leg} />
                  <span className="n">{part.rank}</span>
                </span>
              )
            );
          })}
        </button>
        <span className={`row g4 ${css.push}`}>
          {selected ? (
            <>
              <IconButton
                size="small"
                label={t("standards.evidence.whole")}
                pressed={opened === "passage"}
                onClick={() => toggle("passage")}
              >
                <IconAlignLeft className="s" aria-hidden />
              </IconButton>
              {pin && (
                <Button
                  size="tiny"
                  aria-pressed={pin.on}
                  disabled={pin.busy}
                  title={pin.other ? t("standards.evidence.pin_other") : undefined}
                  icon={
                    pin.on ? (
                      <IconPinFilled className="xs" aria-hidden />
                    ) : (
                      <IconPin className="xs" aria-hidden />
                    )
                  }
                  onClick={pin.toggle}
                >
                  {pin.on ? (
                    t("standards.evidence.pinned")
                  ) : (
                    <span>
                      {t("standards.evidence.pin")}
                      <span className="hide-s"> {t("standards.evidence.pin_tail")}</span>
                    </span>
                  )}
                </Button>
              )}
              <IconButton
                size="small"
                label={t("standards.evidence.open", { name: titleOf(hit) })}
                onClick={() =>
                  navigate(href("chunk-lab", [], { document: String(hit.document_id), chunk: hit.chunk_id }))
                }
              >
                <IconExternalLink className="s" aria-hidden />
              </IconButton>
            </>
          ) : (
            <span className="nw">
              {pin?.on && (
                <IconPinFilled className={`xs ${css.pinMark}`} aria-label={t("standards.evidence.pinned")} />
              )}
              {typeof index === "number"
                ? t("standards.evidence.chunk", { number: String(index) })
                : t("standards.evidence.rank", { rank: hit.rank })}
            </span>
          )}
        </span>
      </div>
      <div id={details} className={css.details}>
        {selected && opened === "score" && <ScoreBreakdown hit={hit} rrfK={RRF_K} scale={scale} />}
        {selected && opened === "passage" && <Passage passage={hit} terms={hit.matched_terms} />}
      </div>
    </li>
  );
}

function marked(text: string, stems: readonly string[]): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of findStems(text, stems)) {
    parts.push(text.slice(at, start));
    parts.push(
      <mark key={start} className="k">
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return parts;
}
