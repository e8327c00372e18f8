import { IconAdjustmentsHorizontal, IconCloudUp } from "@tabler/icons-react";
import { useRef } from "react";
import type { Evidence, Mode } from "@/api/types";
import { Button } from "@/kit/Button";
import { Menu } from "@/kit/Menu";
import { Note } from "@/kit/Note";
import { PaneHead } from "@/kit/Panes";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { useShortcut } from "@/kit/shortcuts";
import { EmptyState, ErrorState, SkeletonPassages } from "@/kit/states";
import { openCure } from "@/state/cure";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { percent, sentence, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { type EvidenceProps, IssuerPill, Scope, setFilters, YearPill } from "./EvidenceScope";
import css from "./evidence-pane.module.css";
import { hasItem } from "./items";
import { shortId, spokenId } from "./outline";
import { Passages } from "./Passages";

const MODES: readonly Mode[] = ["hybrid", "semantic", "keyword"];

/** What stands in place of evidence where no paragraph is open. */
export function NoEvidence() {
  return (
    <>
      <PaneHead title={t("standards.evidence.title")} />
      <EmptyState
        title={t("standards.evidence.no_paragraph")}
        detail={t("standards.evidence.no_paragraph_detail")}
      />
    </>
  );
}

/** Passages of reports that speak of the paragraph or item. */
export function EvidencePane(props: EvidenceProps) {
  const { place, change, page, finds, reports, reportsKnown } = props;
  const { evidence } = finds;
  const item = hasItem(page, place.item) ? place.item : "";
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
        detail={
          evidence && (
            <span className="number nowrap">{counted(found.length, evidence.hits.length, finds.cut)}</span>
          )
        }
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
                <button
                  type="button"
                  className="icon-button small"
                  aria-label={t("search.mode")}
                  data-tip={t("search.mode")}
                >
                  <IconAdjustmentsHorizontal className="small" aria-hidden />
                </button>
              </Menu>
            </span>
          </>
        }
      />
      <div className={`row gap-6 wrap ${css.pills}`}>
        <Scope {...props} item={item} />
        <IssuerPill {...props} />
        <YearPill {...props} />
        {finds.askProvider && (
          <Button
            size="tiny"
            tone="quiet"
            icon={<IconCloudUp className="xs" aria-hidden />}
            onClick={finds.askProvider}
          >
            {t("standards.evidence.ask_provider")}
          </Button>
        )}
      </div>
      {evidence && <Notices evidence={evidence} />}
      {finds.error && !evidence ? (
        <ErrorState error={finds.error} onRetry={finds.retry} onCure={openCure} />
      ) : reportsKnown && reports.length === 0 ? (
        <EmptyState
          title={t("standards.evidence.no_reports")}
          detail={t("standards.evidence.no_reports_detail")}
          action={<Button onClick={() => navigate(href("library"))}>{t("errors.cure.library")}</Button>}
        />
      ) : finds.looking ? (
        <SkeletonPassages label={t("standards.evidence.looking")} />
      ) : found.length === 0 ? (
        <Nothing {...props} item={item} />
      ) : (
        <Passages {...props} found={found} item={item} list={list} />
      )}
    </>
  );
}

/** How many passages are listed, and of what. */
function counted(listed: number, all: number, cut: boolean): string {
  if (!cut) return whole(listed);
  return listed === all
    ? t("standards.evidence.first", { count: all })
    : t("standards.evidence.of_first", { count: listed, all });
}

/** Says that the question left this computer, and where it went. */
function Egress({ evidence }: { evidence: Evidence | undefined }) {
  const { tier, space } = evidence?.trace ?? {};
  if (tier !== "remote" || !space) return null;
  const label = t("standards.evidence.egress", { model: space.model, endpoint: space.endpoint });
  return (
    <span className="mut" role="img" aria-label={label} data-tip={label}>
      <IconCloudUp className="small" aria-hidden />
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
        <Note key={notice.message} kind={trace.degraded ? "warn" : "plain"}>
          {visible(sentence(notice.message))}
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

/** No passage: names what narrows the search most, and offers to widen it. */
function Nothing({ place, change, page, finds, reports, item }: EvidenceProps & { item: string }) {
  const filters = setFilters({ place, reports });
  const named = filters.map(({ name, value }) => `${name} ${value}`).join(" · ");
  const clearing = (
    <div className="row gap-6 wrap">
      {filters.map(({ name, cleared }) => (
        <Button key={name} onClick={() => change(cleared)}>
          {t("search.filter.clear", { filter: name })}
        </Button>
      ))}
    </div>
  );
  if (finds.excluded)
    return <EmptyState title={t("standards.evidence.excluded", { filters: named })} action={clearing} />;
  if (item !== "")
    return (
      <EmptyState
        title={t(finds.cut ? "standards.evidence.none_item_first" : "standards.evidence.none_item", {
          id: spokenId(page, item),
          parent: shortId(page.id),
          all: finds.evidence?.hits.length ?? 0,
        })}
        action={<Button onClick={() => change({ item: "" })}>{t("standards.item_all")}</Button>}
      />
    );
  if (filters.length > 0)
    return <EmptyState title={t("standards.evidence.none_filters", { filters: named })} action={clearing} />;
  return (
    <EmptyState
      title={t("standards.evidence.none")}
      detail={place.mode === "hybrid" ? undefined : t("standards.evidence.none_mode")}
      action={
        place.mode === "hybrid" ? (
          <Button onClick={() => navigate(href("search-lab", [], { q: `${page.label} ${page.id}` }))}>
            {t("standards.asked_open")}
          </Button>
        ) : (
          <Button onClick={() => change({ mode: "hybrid" })}>{t("search.modes.hybrid")}</Button>
        )
      }
    />
  );
}
