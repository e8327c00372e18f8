import { IconAdjustmentsHorizontal, IconPlus } from "@tabler/icons-react";
import { memo, useMemo, useState } from "react";
import { useCommand } from "@/api/queries";
import { useReportDocuments } from "@/api/row-pages";
import type { Filters as FilterValues, SearchRequest, SourceTypeView } from "@/api/types";
import { NumberField, Switch } from "@/kit/fields";
import { LegBadge } from "@/kit/legs";
import { Pill } from "@/kit/Pill";
import { Popover } from "@/kit/Popover";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { NotLoaded } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { type FilterChoice, FilterPill, FilterSheet } from "@/parts/FilterPill";
import filter from "@/parts/filter.module.css";
import { activeFilters, type FilterName, filterLabel, filterNames, valuesOf } from "@/state/filters";
import { fieldOf, labelOf, useSourceTypes, valueLabel } from "@/state/source-types";
import { t } from "@/text";
import { whole } from "@/text/format";
import { FusionFields } from "./Fusion";
import css from "./filters.module.css";
import { Options } from "./Options";
import type { LabControl } from "./use-lab";

/** Pills that always show; the others come by "+ Filter". */
const FIRST: readonly FilterName[] = ["corpora", "reports", "pillars", "industries", "tags"];

/** What can always be chosen, nothing where that follows from the library. */
function fixed(name: FilterName, kinds: readonly SourceTypeView[]): readonly FilterChoice[] {
  if (name === "source_types") return kinds.map((each) => ({ value: each.name, label: each.label }));
  return fieldOf(name)?.values ?? [];
}

/** A value as the reader knows it. */
export const valueName = (name: FilterName, value: string): string =>
  name === "source_types" ? labelOf(value) : (valueLabel(name, value) ?? value);

/** What can be chosen in a list of restrictions, nothing where any text may be entered, and the answer that it is from. */
function useChoices(name: FilterName) {
  const overview = useCommand("library.overview", {}, { enabled: name === "corpora" });
  const documents = useReportDocuments(name === "reports");
  const tree = useCommand("standards.tree", {}, { enabled: name === "industries" || name === "topics" });
  const kinds = useSourceTypes();
  const choices = useMemo((): readonly FilterChoice[] => {
    const always = fixed(name, kinds);
    if (always.length > 0) return always;
    if (name === "corpora")
      return (overview.data?.corpora ?? []).map(({ corpus, chunks }) => ({
        value: corpus.name,
        label: corpus.name,
        detail: whole(chunks),
      }));
    if (name === "reports") {
      const ids = documents.rows.map((row) => row.report_id).filter((id) => id !== null);
      return [...new Set(ids)].sort().map((value) => ({ value, label: value }));
    }
    if (name === "industries" || name === "topics") {
      const kind = name === "industries" ? "industry" : "topic";
      return (tree.data ?? [])
        .filter((node) => node.kind === kind && node.id)
        .map((node) => ({ value: node.id ?? "", label: node.label, detail: node.id ?? "" }));
    }
    return [];
  }, [name, kinds, overview.data, documents.rows, tree.data]);
  return { choices, query: [overview, documents.query, tree].find(({ error }) => error) };
}

type SheetProps = { name: FilterName; values: readonly string[]; onChange: (values: string[]) => void };

/** The values of one filter, and any that were entered. */
function Sheet({ name, values, onChange }: SheetProps) {
  const { choices, query } = useChoices(name);
  const known = new Set(choices.map((choice) => choice.value));
  const entered = values.filter((value) => !known.has(value));
  return (
    <FilterSheet
      label={filterLabel(name)}
      choices={[...entered.map((value) => ({ value, label: valueName(name, value) })), ...choices]}
      values={values}
      onChange={onChange}
      free
    >
      {query && <NotLoaded query={query} />}
    </FilterSheet>
  );
}

function FilterOf({ name, values, onChange, hidden }: SheetProps & { hidden?: boolean }) {
  const total = useCommand("library.overview", {}, { enabled: name === "corpora" }).data?.corpora.length ?? 0;
  return (
    <FilterPill
      label={filterLabel(name)}
      values={values}
      nameOf={(value) => valueName(name, value)}
      total={total}
      className={hidden && values.length === 0 ? "hide-s" : undefined}
      onClear={() => onChange([])}
    >
      {() => <Sheet name={name} values={values} onChange={onChange} />}
    </FilterPill>
  );
}

type FiltersProps = Pick<LabControl, "ask"> & { request: SearchRequest; paid: boolean };

// Typing changes the query alone, and nothing here tells it.
const sameSettings = (a: FiltersProps, b: FiltersProps): boolean =>
  a.ask === b.ask &&
  a.paid === b.paid &&
  (Object.keys(a.request) as (keyof SearchRequest)[]).every(
    (name) => name === "query" || a.request[name] === b.request[name],
  );

/** Restrictions and the numbers of the ranking, in one line. */
export const Filters = memo(function Filters({ request, ask, paid }: FiltersProps) {
  // The names and labels below follow from them, and no property tells when they come.
  useSourceTypes();
  const set = (name: FilterName, values: string[]) =>
    ask({ filters: { ...request.filters, [name]: values } as FilterValues });
  const active = activeFilters(request.filters);
  const shown = [...FIRST, ...active.filter((name) => !FIRST.includes(name))];
  return (
    <div className={`row gap-6 ${css.settings}`}>
      <ScrollRegion ways="across" className={css.pills}>
        {shown.map((name) => (
          <FilterOf
            key={name}
            name={name}
            values={valuesOf(request.filters, name)}
            hidden={name === "tags"}
            onChange={(values) => set(name, values)}
          />
        ))}
        <AddFilter
          names={filterNames().filter(
            (name) => !active.includes(name) && (name === "tags" || !FIRST.includes(name)),
          )}
          onTake={(name, values) => set(name, values)}
        />
      </ScrollRegion>
      <span className="grow" />
      <span className="row gap-6 sm sec nowrap">
        {t("search.top_k")}
        <NumberField
          label={t("search.top_k")}
          value={request.top_k}
          onChange={(top_k) => ask({ top_k })}
          min={1}
          max={1000}
          width={42}
          size="small"
        />
      </span>
      <FusionFields request={request} ask={ask} />
      <span className="row gap-6 sm sec nowrap" {...tip(paid ? t("search.rerank_enter") : undefined)}>
        <LegBadge leg="rerank" />
        {t("search.rerank")}
        <Switch label={t("search.rerank")} checked={request.rerank} onChange={(rerank) => ask({ rerank })} />
      </span>
      <Popover
        label={t("search.options.title")}
        width={300}
        position="bottom-end"
        button={(open, toggle) => (
          <button
            type="button"
            className="icon-button"
            aria-label={t("search.options.title")}
            {...tip(t("search.options.title"))}
            aria-expanded={open}
            aria-haspopup="dialog"
            onClick={toggle}
          >
            <IconAdjustmentsHorizontal className="small" aria-hidden />
          </button>
        )}
      >
        {(close) => <Options request={request} ask={ask} close={close} />}
      </Popover>
    </div>
  );
}, sameSettings);

function AddFilter({
  names,
  onTake,
}: {
  names: readonly FilterName[];
  onTake: (name: FilterName, values: string[]) => void;
}) {
  const [name, setName] = useState<FilterName>();
  return (
    <Popover
      label={t("search.filter.add")}
      width={264}
      button={(open, toggle) => (
        <Pill
          dashed
          menu={undefined}
          icon={<IconPlus className="xs" aria-hidden />}
          label={t("search.filter.add")}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => {
            setName(undefined);
            toggle();
          }}
        />
      )}
    >
      {(close) =>
        name === undefined ? (
          <div className={filter.choices}>
            {names.map((each) => (
              <button key={each} type="button" className="k-option" onClick={() => setName(each)}>
                {filterLabel(each)}
              </button>
            ))}
          </div>
        ) : (
          <Sheet
            name={name}
            values={[]}
            onChange={(values) => {
              onTake(name, values);
              close();
            }}
          />
        )
      }
    </Popover>
  );
}
