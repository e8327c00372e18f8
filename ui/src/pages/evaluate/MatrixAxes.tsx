import { IconPlus } from "@tabler/icons-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { useCommand } from "@/api/queries";
import type { ModelView, StrategyView } from "@/api/types";
import { Button } from "@/kit/Button";
import { NumberField, Select } from "@/kit/fields";
import { Pill } from "@/kit/Pill";
import { Popover } from "@/kit/Popover";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { NotLoaded } from "@/kit/states";
import { useSteady } from "@/kit/steady";
import { FilterPill, FilterSheet } from "@/parts/FilterPill";
import { ParamField } from "@/parts/ParamField";
import { paramName, strategyName, type Value } from "@/parts/strategy";
import { t } from "@/text";
import { upTo } from "@/text/format";
import css from "./matrix.module.css";
import {
  type Axes,
  COLUMNS,
  MOST_ROWS,
  rowOf,
  SEARCH_NUMBERS,
  type SearchNumber,
  type SearchSweep,
  sweepRows,
  sweepValues,
  usualSweep,
} from "./matrix-plan";

type MatrixAxesProps = {
  axes: Axes;
  /** Corpora that hold documents. */
  corpora: readonly string[];
  /** Embedding models in use. */
  models: readonly ModelView[];
  disabled: boolean;
  onChange: (axes: Axes) => void;
};

/** What the matrix is made of: corpora, ways of cutting, ways of searching, models. */
export function MatrixAxes({ axes, corpora, models, disabled, onChange }: MatrixAxesProps) {
  const strategies = useCommand("strategy.list", {});
  const change = (part: Partial<Axes>) => onChange({ ...axes, ...part });
  const add = (rows: Axes["rows"]) => {
    const known = new Set(axes.rows.map((row) => row.name));
    change({ rows: [...axes.rows, ...rows.filter((row) => !known.has(row.name))].slice(0, MOST_ROWS) });
  };
  const toggle = (column: Axes["columns"][number]) =>
    change({ columns: COLUMNS.filter((each) => (each === column) !== axes.columns.includes(each)) });
  const toggleModel = (space: string) => {
    const chosen = (each: string) => (each === space) !== axes.spaces.includes(each);
    change({ spaces: models.map((each) => each.space_id).filter(chosen) });
  };
  const label = t("search.filters.corpora");
  return (
    <fieldset className={css.axes} disabled={disabled}>
      <legend className="sr-only">{t("evaluate.matrix.axes")}</legend>
      <span className="sm sec">{label}</span>
      <span className={css.axis}>
        <FilterPill
          label={label}
          values={axes.corpora}
          nameOf={(value) => value}
          total={corpora.length}
          onClear={() => change({ corpora: [] })}
        >
          {() => (
            <FilterSheet
              label={label}
              choices={corpora.map((value) => ({ value, label: value }))}
              values={axes.corpora}
              onChange={(next) => change({ corpora: next })}
            />
          )}
        </FilterPill>
      </span>
      <span className="sm sec">{t("evaluate.matrix.cuts")}</span>
      <span className={css.axis}>
        {axes.rows.map((row) => (
          <Pill
            key={row.name}
            label={row.name}
            active
            onRemove={() => change({ rows: axes.rows.filter((each) => each !== row) })}
            removeLabel={t("evaluate.matrix.remove", { name: row.name })}
          />
        ))}
        {strategies.data && <AddRow strategies={strategies.data} onAdd={add} />}
        {!axes.rows.some((row) => !row.strategy) && (
          <Pill
            dashed
            label={t("evaluate.matrix.as_stored")}
            onClick={() => add([{ name: t("evaluate.matrix.as_stored"), strategy: null, settings: {} }])}
          />
        )}
        <NotLoaded query={strategies} />
      </span>
      <span className="sm sec">{t("evaluate.matrix.searches")}</span>
      <span className={css.axis}>
        {COLUMNS.map((column) => (
          <Pill
            key={column}
            label={t(`evaluate.matrix.columns.${column}`)}
            active={axes.columns.includes(column)}
            onClick={() => toggle(column)}
          />
        ))}
        <Swept sweep={axes.sweep} onChange={(sweep) => change({ sweep })} />
      </span>
      <span className="sm sec">{t("evaluate.matrix.models")}</span>
      <span className={css.axis}>
        <Pill
          label={t("evaluate.matrix.best_model")}
          active={axes.spaces.length === 0}
          onClick={() => change({ spaces: [] })}
        />
        {models.map(({ space_id, space }) => (
          <Pill
            key={space_id}
            label={`${space.model} · ${t(`search.tiers.${space.tier}`)}`}
            active={axes.spaces.includes(space_id)}
            onClick={() => toggleModel(space_id)}
          />
        ))}
      </span>
    </fieldset>
  );
}

type SweptProps = { sweep: SearchSweep | undefined; onChange: (sweep: SearchSweep | undefined) => void };

/** The number of the search that is tried with several values, or the way to name one. */
function Swept({ sweep, onChange }: SweptProps) {
  if (!sweep) return <AddSweep onAdd={onChange} />;
  const param = t(`evaluate.matrix.search_numbers.${sweep.param}`);
  return (
    <Pill
      label={t("evaluate.matrix.search_sweep", {
        param,
        from: upTo(sweep.values[0] ?? 0, 2),
        to: upTo(sweep.values.at(-1) ?? 0, 2),
      })}
      active
      onRemove={() => onChange(undefined)}
      removeLabel={t("evaluate.matrix.remove", { name: param })}
    />
  );
}

type AddingProps = { label: string; children: (close: () => void) => ReactNode };

/** A button that opens the form of something to be added. */
function Adding({ label, children }: AddingProps) {
  return (
    <Popover
      label={label}
      width={300}
      button={(open, toggle) => (
        <Pill
          dashed
          icon={<IconPlus className="xs" aria-hidden />}
          label={label}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={toggle}
        />
      )}
    >
      {children}
    </Popover>
  );
}

const ENDS = ["from", "to", "step"] as const;
type End = (typeof ENDS)[number];

type RangeFieldsProps = {
  range: Record<End, number>;
  onChange: (range: Record<End, number>) => void;
  /** What each field takes. */
  limits: (end: End) => Pick<ComponentProps<typeof NumberField>, "min" | "max" | "step" | "digits">;
};

/** From where to where a sweep goes, and in which steps. */
const RangeFields = ({ range, onChange, limits }: RangeFieldsProps) =>
  ENDS.map((end) => (
    <div key={end} className="row between sm">
      <span className="sec">{t(`evaluate.matrix.sweep.${end}`)}</span>
      <NumberField
        label={t(`evaluate.matrix.sweep.${end}`)}
        value={range[end]}
        onChange={(value) => onChange({ ...range, [end]: value })}
        size="small"
        {...limits(end)}
      />
    </div>
  ));

const NUMBERS = Object.keys(SEARCH_NUMBERS) as SearchNumber[];

/** A sweep over a number of the search: each value is a column. */
function AddSweep({ onAdd }: { onAdd: (sweep: SearchSweep) => void }) {
  return (
    <Adding label={t("evaluate.matrix.add_search_sweep")}>
      {(close) => (
        <SearchSweepForm
          onAdd={(sweep) => {
            onAdd(sweep);
            close();
          }}
        />
      )}
    </Adding>
  );
}

function SearchSweepForm({ onAdd }: { onAdd: (sweep: SearchSweep) => void }) {
  const [param, setParam] = useState<SearchNumber>("semantic_share");
  const [range, setRange] = useState<Record<"from" | "to" | "step", number>>(SEARCH_NUMBERS[param]);
  const { max, digits } = SEARCH_NUMBERS[param];
  const values = sweepValues(range.from, Math.min(range.to, max), range.step);
  return (
    <ScrollRegion ways="down" className={css.sheet}>
      <Select
        label={t("evaluate.matrix.sweep.param")}
        value={param}
        onChange={(next) => {
          const number = NUMBERS.find((each) => each === next);
          if (number === undefined) return;
          setParam(number);
          setRange(SEARCH_NUMBERS[number]);
        }}
        options={NUMBERS.map((value) => ({ value, label: t(`evaluate.matrix.search_numbers.${value}`) }))}
      />
      <RangeFields
        range={range}
        onChange={setRange}
        limits={() => ({ min: 0, max, step: SEARCH_NUMBERS[param].step, digits })}
      />
      <Button
        size="small"
        tone="primary"
        disabled={values.length === 0}
        onClick={() => onAdd({ param, values })}
      >
        {t("evaluate.matrix.sweep.add_columns", { count: values.length })}
      </Button>
    </ScrollRegion>
  );
}

type AddRowProps = { strategies: readonly StrategyView[]; onAdd: (rows: Axes["rows"]) => void };

/** A way of cutting, or a sweep over one of its numbers. */
function AddRow({ strategies, onAdd }: AddRowProps) {
  return (
    <Adding label={t("evaluate.matrix.add")}>
      {(close) => (
        <RowForm
          strategies={strategies}
          onAdd={(rows) => {
            onAdd(rows);
            close();
          }}
        />
      )}
    </Adding>
  );
}

type Kind = "one" | "sweep";

function RowForm({ strategies, onAdd }: AddRowProps) {
  const [name, setName] = useState(strategies[0]?.name ?? "");
  const [kind, setKind] = useState<Kind>("one");
  const [values, setValues] = useState<Record<string, Value>>({});
  const set = useSteady((param: string, value: Value) => setValues((now) => ({ ...now, [param]: value })));
  const strategy = strategies.find((each) => each.name === name);
  if (!strategy) return null;
  const numbers = strategy.params.filter((param) => typeof param.default === "number");
  return (
    <ScrollRegion ways="down" className={css.sheet}>
      <Select
        label={t("chunk-lab.form.strategy")}
        value={name}
        onChange={(next) => {
          setName(next);
          setValues({});
        }}
        options={strategies.map((each) => ({ value: each.name, label: strategyName(each.name) }))}
      />
      <SegmentedControl
        label={t("evaluate.matrix.kind")}
        size="small"
        value={kind}
        onChange={setKind}
        options={(["one", "sweep"] as const).map((value) => ({
          value,
          label: t(`evaluate.matrix.kinds.${value}`),
          unavailable: value === "sweep" && numbers.length === 0 ? t("evaluate.matrix.no_number") : undefined,
        }))}
      />
      {kind === "sweep" && numbers.length > 0 ? (
        <SweepForm key={name} strategy={strategy} onAdd={onAdd} />
      ) : (
        <>
          {strategy.params.map((param) => (
            <ParamField
              key={param.name}
              param={param}
              value={values[param.name] ?? param.default}
              onSet={set}
            />
          ))}
          <Button size="small" tone="primary" onClick={() => onAdd([rowOf(strategy, values)])}>
            {t("evaluate.matrix.add_one")}
          </Button>
        </>
      )}
    </ScrollRegion>
  );
}

/** One number of a strategy from here to there; the rest stay at their defaults. */
function SweepForm({ strategy, onAdd }: { strategy: StrategyView; onAdd: AddRowProps["onAdd"] }) {
  const numbers = strategy.params.filter((param) => typeof param.default === "number");
  const [name, setName] = useState(numbers[0]?.name ?? "");
  const param = numbers.find((each) => each.name === name);
  const [range, setRange] = useState(param ? usualSweep(strategy, param) : { from: 0, to: 0, step: 1 });
  if (!param) return null;
  const values = sweepValues(range.from, range.to, range.step);
  return (
    <>
      <Select
        label={t("evaluate.matrix.sweep.param")}
        value={name}
        onChange={(next) => {
          setName(next);
          const other = numbers.find((each) => each.name === next);
          if (other) setRange(usualSweep(strategy, other));
        }}
        options={numbers.map((each) => ({ value: each.name, label: paramName(each) }))}
      />
      <RangeFields
        range={range}
        onChange={setRange}
        limits={(end) => ({ min: end === "step" ? 1 : (param.min ?? 0), max: param.max ?? undefined })}
      />
      <Button
        size="small"
        tone="primary"
        disabled={values.length === 0}
        onClick={() => onAdd(sweepRows(strategy, param, values, paramName))}
      >
        {t("evaluate.matrix.sweep.add", { count: values.length })}
      </Button>
    </>
  );
}
