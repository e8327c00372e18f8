import type { StandardPage } from "@/api/types";
import { Button } from "@/kit/Button";
import { Pill } from "@/kit/Pill";
import { FilterPill, FilterSheet } from "@/parts/FilterPill";
import { t } from "@/text";
import type { Finds } from "./evidence";
import { shortId } from "./outline";
import type { PlaceControl } from "./place";
import type { Report, Reviews } from "./reviews";

/** What the pane of evidence and its parts are about. */
export type EvidenceProps = PlaceControl & {
  page: StandardPage;
  finds: Finds;
  reports: readonly Report[];
  reportsKnown: boolean;
  report: Report | undefined;
  reviews: Reviews;
};

/** Which of the paragraph and its items evidence is for. */
export function Scope({ place, change, page, item }: EvidenceProps & { item: string }) {
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

/** Which reports are looked in. */
export function ReportsPill({ place, change, reports, report }: EvidenceProps) {
  const label = t("standards.evidence.report");
  const chosen = place.reports;
  const choose = (ids: readonly string[]) => change({ reports: ids });
  return (
    <FilterPill
      label={label}
      values={chosen}
      nameOf={(id) => reports.find((each) => each.id === id)?.title ?? id}
      total={reports.length}
      width={320}
      position="bottom-end"
      onClear={() => choose([])}
    >
      {() => (
        <FilterSheet
          label={label}
          choices={reports.map(({ id, title }) => ({ value: id, label: title }))}
          values={chosen}
          onChange={choose}
        >
          {report && (
            <Button
              size="tiny"
              disabled={chosen.length === 1 && chosen[0] === report.id}
              onClick={() => choose([report.id])}
            >
              {t("standards.evidence.only_reviewed")}
            </Button>
          )}
        </FilterSheet>
      )}
    </FilterPill>
  );
}
