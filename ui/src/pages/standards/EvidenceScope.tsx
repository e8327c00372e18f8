import type { StandardPage } from "@/api/types";
import { Button } from "@/kit/Button";
import { Pill } from "@/kit/Pill";
import { tip } from "@/kit/Tooltip";
import { madeBy } from "@/parts/DocumentName";
import { FilterPill, FilterSheet } from "@/parts/FilterPill";
import { t } from "@/text";
import type { Finds } from "./evidence";
import { shortId, spokenId } from "./outline";
import type { Place, PlaceControl } from "./place";
import type { Report, Reviews } from "./reviews";
import { issuersOf, spokenValue, spokenYears, yearsOf } from "./scope";

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
        value={<bdi dir="ltr">{spokenId(page, item)}</bdi>}
        {...tip(t("standards.item_all"))}
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
        {...tip(t("standards.evidence.look_below"))}
        onClick={() => change({ below: true })}
      />
    );
  return (
    <Pill
      active
      value={t("standards.evidence.below", { id: own })}
      {...tip(t("standards.evidence.look_alone"))}
      onClick={() => change({ below: false })}
      onRemove={() => change({ below: false })}
      removeLabel={t("standards.evidence.look_alone")}
    />
  );
}

/** Whose reports are looked in: those of issuers, where reports name theirs, and single ones. */
export function IssuerPill({ place, change, reports, report }: EvidenceProps) {
  const issuers = issuersOf(reports);
  const label = t(issuers.length > 0 ? "standards.evidence.issuer" : "standards.evidence.report");
  // An issuer may be called as a report is.
  const values = [...place.issuers.map((name) => `i${name}`), ...place.reports.map((id) => `r${id}`)];
  const choose = (chosen: readonly string[]) =>
    change({
      issuers: chosen.filter((each) => each.startsWith("i")).map((each) => each.slice(1)),
      reports: chosen.filter((each) => each.startsWith("r")).map((each) => each.slice(1)),
    });
  const only = report && `r${report.id}`;
  return (
    <FilterPill
      label={label}
      values={values}
      nameOf={(value) =>
        value.startsWith("i") ? spokenValue(value.slice(1)) : titleOf(reports, value.slice(1))
      }
      width={320}
      position="bottom-end"
      onClear={() => choose([])}
    >
      {() => (
        <FilterSheet
          label={label}
          choices={[
            ...issuers.map(({ value, count }) => ({
              value: `i${value}`,
              label: spokenValue(value),
              detail: t("standards.evidence.reports", { count }),
              group: t("standards.evidence.issuers"),
            })),
            ...reports.map((each) => ({
              value: `r${each.id}`,
              label: each.title,
              detail: madeBy(each),
              group: issuers.length > 0 ? t("standards.evidence.single") : undefined,
            })),
          ]}
          values={values}
          onChange={choose}
        >
          {only && (
            <Button
              size="tiny"
              disabled={values.length === 1 && values[0] === only}
              onClick={() => choose([only])}
            >
              {t("standards.evidence.only_reviewed")}
            </Button>
          )}
        </FilterSheet>
      )}
    </FilterPill>
  );
}

const titleOf = (reports: readonly Report[], id: string) =>
  reports.find((each) => each.id === id)?.title ?? id;

/** Of which years reports are looked in; nothing where no report names one. */
export function YearPill({ place, change, reports }: EvidenceProps) {
  const known = yearsOf(reports);
  if (known.length === 0) return null;
  const label = t("standards.evidence.year");
  const choose = (years: readonly string[]) => change({ years });
  return (
    <FilterPill
      label={label}
      values={place.years.length === 0 ? [] : [spokenYears(place.years)]}
      nameOf={(years) => years}
      width={200}
      position="bottom-end"
      onClear={() => choose([])}
    >
      {() => (
        <FilterSheet
          label={label}
          choices={known.map(({ value, count }) => ({
            value,
            label: spokenValue(value),
            detail: t("standards.evidence.reports", { count }),
          }))}
          values={place.years}
          onChange={choose}
        />
      )}
    </FilterPill>
  );
}

/** The filters that are set: what each lets through, and what clears it. */
export function setFilters({ place, reports }: Pick<EvidenceProps, "place" | "reports">) {
  const filters: { name: string; value: string; cleared: Partial<Place> }[] = [];
  const who = [...place.issuers.map(spokenValue), ...place.reports.map((id) => titleOf(reports, id))];
  if (who.length > 0)
    filters.push({
      name: t(place.issuers.length > 0 ? "standards.evidence.issuer" : "standards.evidence.report"),
      value: who.join(", "),
      cleared: { issuers: [], reports: [] },
    });
  if (place.years.length > 0)
    filters.push({
      name: t("standards.evidence.year"),
      value: spokenYears(place.years),
      cleared: { years: [] },
    });
  return filters;
}
