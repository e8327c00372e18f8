import { type RefObject, useMemo } from "react";
import type { FigureRow } from "@/api/types";
import { SearchField } from "@/kit/fields";
import { Pill } from "@/kit/Pill";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { madeBy } from "@/parts/DocumentName";
import { type FilterChoice, FilterPill, FilterSheet } from "@/parts/FilterPill";
import { t } from "@/text";
import { whole } from "@/text/format";
import css from "./figures.module.css";
import { MarkIcon } from "./Grid";
import type { Table } from "./pivot";
import { type Figures, MEASURES, ONLY, STATUSES, UNITS, yearsIn } from "./state";
import type { ReportOf } from "./use-reports";

type FilterBarProps = {
  state: Figures;
  /** Sets some of the filters; the table begins at its start again. */
  onChange: (filters: Partial<Figures>) => void;
  onUnits: (units: Figures["units"]) => void;
  reports: readonly ReportOf[];
  figures: readonly FigureRow[];
  marks: Table["marks"] | undefined;
  field: RefObject<HTMLInputElement | null>;
};

/** What the table is narrowed to. */
export function FilterBar({ state, onChange, onUnits, reports, figures, marks, field }: FilterBarProps) {
  const years = useMemo(() => {
    const known = new Set([...figures.flatMap(({ year }) => year ?? []), ...state.years]);
    return [...known].sort((a, b) => b - a).map((year) => ({ value: String(year), label: String(year) }));
  }, [figures, state.years]);
  const chosen: FilterChoice[] = reports.map(({ id, title, issuer, year }) => ({
    value: id,
    label: title,
    detail: madeBy({ issuer, year }),
  }));
  return (
    <div role="search" aria-label={t("figures.filter.label")} className={css.filters}>
      <SearchField
        ref={field}
        label={t("figures.filter.label")}
        placeholder={t("figures.filter.placeholder")}
        className={css.words}
        value={state.words}
        onChange={(words) => onChange({ words })}
      />
      <Several
        label={t("figures.filter.reports")}
        values={state.reports}
        choices={chosen}
        onChange={(values) => onChange({ reports: values })}
      />
      <Several
        label={t("figures.filter.years")}
        values={state.years.map(String)}
        choices={years}
        free
        onChange={(values) => onChange({ years: yearsIn(values) })}
      />
      <One
        label={t("figures.filter.measure")}
        value={state.measure}
        choices={MEASURES.map((value) => ({ value, label: t(`figures.measure.${value}`) }))}
        onChange={(value) => onChange({ measure: MEASURES.find((each) => each === value) })}
      />
      <One
        label={t("figures.filter.status")}
        value={state.status}
        choices={STATUSES.map((value) => ({ value, label: t(`figures.status.${value}`) }))}
        onChange={(value) => onChange({ status: STATUSES.find((each) => each === value) })}
      />
      <span className="rule" />
      {ONLY.map((mark) => (
        <Pill
          key={mark}
          icon={<MarkIcon mark={mark} />}
          label={t(`figures.filter.${mark}`)}
          value={marks && whole(marks[mark])}
          active={state.only === mark}
          onClick={() => onChange({ only: state.only === mark ? undefined : mark })}
        />
      ))}
      <span className="push">
        <SegmentedControl
          label={t("figures.units.label")}
          size="small"
          value={state.units}
          onChange={onUnits}
          options={UNITS.map((value) => ({ value, label: t(`figures.units.${value}`) }))}
        />
      </span>
    </div>
  );
}

type SeveralProps = {
  label: string;
  values: readonly string[];
  choices: readonly FilterChoice[];
  free?: boolean;
  onChange: (values: string[]) => void;
};

function Several({ label, values, choices, free, onChange }: SeveralProps) {
  return (
    <FilterPill
      label={label}
      values={values}
      nameOf={(value) => choices.find((each) => each.value === value)?.label ?? value}
      total={free ? 0 : choices.length}
      onClear={() => onChange([])}
      width={320}
    >
      {() => <FilterSheet {...{ label, choices, values, free, onChange }} />}
    </FilterPill>
  );
}

type OneProps = {
  label: string;
  value: string | undefined;
  choices: readonly FilterChoice[];
  onChange: (value: string | undefined) => void;
};

/** A filter that lets one value through: another one takes its place. */
function One({ label, value, choices, onChange }: OneProps) {
  const values = value === undefined ? [] : [value];
  return <Several {...{ label, values, choices }} onChange={(next) => onChange(next.at(-1))} />;
}
