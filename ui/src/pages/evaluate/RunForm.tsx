import { useState } from "react";
import type { Input } from "@/api/client";
import { SEARCH_DEFAULTS } from "@/api/defaults";
import { useCommand } from "@/api/queries";
import type { Fusion, GoldSet, Mode, SearchRequest } from "@/api/types";
import { FormDialog } from "@/kit/FormDialog";
import { NumberField, Select, Switch, TextField } from "@/kit/fields";
import { Note } from "@/kit/Note";
import { Pill } from "@/kit/Pill";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { NotLoaded } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { FilterPill, FilterSheet } from "@/parts/FilterPill";
import { definitionOf, isOfRankings, measureName } from "@/parts/measure";
import { asksProvider } from "@/parts/provider";
import { type RunSettings, searchOf } from "@/parts/run-search";
import { t } from "@/text";
import { whole } from "@/text/format";
import css from "./forms.module.css";

const MODES: readonly Mode[] = ["hybrid", "semantic", "keyword"];
const FUSIONS: readonly Fusion[] = ["scores", "rrf"];

/** Results that are counted at first by the measures that are not usual, and the most that a person may choose. */
const COUNTED = 10;
const MOST_COUNTED = 100;

/** What a run starts from: the search of the last one, or the engine’s own defaults. */
const settingsOf = (last: SearchRequest | undefined): RunSettings => ({
  mode: last?.mode ?? "hybrid",
  fusion: last?.fusion ?? SEARCH_DEFAULTS.fusion,
  semantic_share: last?.semantic_share ?? SEARCH_DEFAULTS.semantic_share,
  rrf_k: last?.rrf_k ?? SEARCH_DEFAULTS.rrf_k,
  semantic_weight: last?.semantic_weight ?? SEARCH_DEFAULTS.semantic_weight,
  keyword_weight: last?.keyword_weight ?? SEARCH_DEFAULTS.keyword_weight,
  rerank: last?.rerank ?? false,
  space: last?.space ?? null,
  corpora: last?.filters.corpora ?? [],
});

type RunFormProps = {
  set: GoldSet;
  /** The search of the last run. */
  last: SearchRequest | undefined;
  onClose: () => void;
  onStart: (request: Input<"eval.run">) => void;
};

/** What is to be run: how it searches, where, and what is measured. */
export function RunForm({ set, last, onClose, onStart }: RunFormProps) {
  const [settings, setSettings] = useState(() => settingsOf(last));
  const [name, setName] = useState("");
  const [measures, setMeasures] = useState<readonly string[]>();
  const models = useCommand("model.list", {});
  const change = (part: Partial<RunSettings>) => setSettings((now) => ({ ...now, ...part }));
  const paid = settings.rerank || asksProvider(settings, models.data ?? []);
  const title = t("evaluate.run.title", { name: set.name });
  const start = () =>
    onStart({
      set: set.name,
      name: name.trim() || null,
      search: searchOf(settings),
      measures: [...(measures ?? [])],
    });
  return (
    <FormDialog
      title={title}
      width={560}
      top={64}
      confirm={t("evaluate.run.confirm", { count: set.queries })}
      ready={measures?.length !== 0}
      onConfirm={start}
      onClose={onClose}
    >
      <div className={css.fields}>
        <span className="sm sec">{t("evaluate.runs.name")}</span>
        <TextField
          label={t("evaluate.runs.name")}
          placeholder={t("evaluate.run.name_hint")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <span className="sm sec">{t("evaluate.run.lists")}</span>
        <span>
          <SegmentedControl
            label={t("evaluate.run.lists")}
            value={settings.mode}
            onChange={(mode) => change({ mode })}
            options={MODES.map((value) => ({ value, label: t(`search.modes.${value}`) }))}
          />
        </span>
        {settings.mode !== "keyword" && (
          <>
            <span className="sm sec">{t("search.options.space")}</span>
            <Select
              label={t("search.options.space")}
              value={settings.space ?? ""}
              onChange={(space) => change({ space: space === "" ? null : space })}
              options={[
                { value: "", label: t("search.options.best_space") },
                ...(models.data ?? []).map((model) => ({
                  value: model.space_id,
                  label: `${model.space.model} · ${t(`search.tiers.${model.space.tier}`)}`,
                  disabled: !model.served || model.vectors === 0,
                })),
              ]}
            />
          </>
        )}
        {settings.mode === "hybrid" && (
          <>
            <span className="sm sec">{t("evaluate.run.fusion")}</span>
            <Fused settings={settings} change={change} />
          </>
        )}
        <span className="sm sec">{t("search.rerank")}</span>
        <Switch
          label={t("search.rerank")}
          checked={settings.rerank}
          onChange={(rerank) => change({ rerank })}
        />
        <span className="sm sec">{t("evaluate.run.corpora")}</span>
        <span>
          <Corpora values={settings.corpora} onChange={(corpora) => change({ corpora })} />
        </span>
        <span className="sm sec">{t("evaluate.run.measures")}</span>
        <Measures onChange={setMeasures} />
      </div>
      <NotLoaded query={models} />
      <p className="sm mut">{t("evaluate.run.cut_note")}</p>
      {paid && <Note kind="warn">{t("evaluate.run.paid", { count: set.queries })}</Note>}
    </FormDialog>
  );
}

type SettingsProps = { settings: RunSettings; change: (part: Partial<RunSettings>) => void };

/** How both lists become one, with the numbers of that fusion. */
function Fused({ settings, change }: SettingsProps) {
  const number = (
    label: string,
    value: number,
    set: (next: number) => void,
    [min, max, step, digits]: [number, number, number, number],
  ) => (
    <span className="row gap-6 sm sec">
      {label}
      <NumberField
        label={label}
        value={value}
        onChange={set}
        min={min}
        max={max}
        step={step}
        digits={digits}
      />
    </span>
  );
  return (
    <span className={css.fusion}>
      <SegmentedControl
        label={t("evaluate.run.fusion")}
        value={settings.fusion}
        onChange={(fusion) => change({ fusion })}
        options={FUSIONS.map((value) => ({ value, label: t(`search.fusions.${value}`) }))}
      />
      {settings.fusion === "scores"
        ? number(
            t("evaluate.run.share"),
            settings.semantic_share,
            (semantic_share) => change({ semantic_share }),
            [0, 1, 0.1, 2],
          )
        : number(t("search.rrf_k"), settings.rrf_k, (rrf_k) => change({ rrf_k }), [0, 1000, 1, 0])}
    </span>
  );
}

/** The corpora that are searched; all where none is named. */
function Corpora({ values, onChange }: { values: readonly string[]; onChange: (values: string[]) => void }) {
  const overview = useCommand("library.overview", {});
  const corpora = overview.data?.corpora ?? [];
  const label = t("search.filters.corpora");
  return (
    <FilterPill
      label={label}
      values={values}
      nameOf={(value) => value}
      total={corpora.length}
      onClear={() => onChange([])}
    >
      {() => (
        <FilterSheet
          label={label}
          choices={corpora.map(({ corpus, chunks }) => ({
            value: corpus.name,
            label: corpus.name,
            detail: whole(chunks),
          }))}
          values={values}
          onChange={onChange}
        >
          <NotLoaded query={overview} />
        </FilterSheet>
      )}
    </FilterPill>
  );
}

/** Which measures are asked for: the usual ones but for some, and others by their names without a cutoff. */
type Chosen = { leftOut: readonly string[]; others: readonly string[]; counted: number };

/** What is measured: the usual measures, and each of the engine’s with as many results as one chooses. */
function Measures({ onChange }: { onChange: (values: string[]) => void }) {
  const measures = useCommand("eval.measures", {});
  const [chosen, setChosen] = useState<Chosen>({ leftOut: [], others: [], counted: COUNTED });
  const known = measures.data ?? [];
  const usual = known.flatMap((each) => each.usual).filter((name) => isOfRankings(known, name));
  const change = (part: Partial<Chosen>) => {
    const next = { ...chosen, ...part };
    const others = next.others.map((name) => `${name}@${next.counted}`);
    setChosen(next);
    onChange([
      ...usual.filter((name) => !next.leftOut.includes(name)),
      ...others.filter((name) => !usual.includes(name)),
    ]);
  };
  const toggled = (names: readonly string[], name: string) =>
    names.includes(name) ? names.filter((each) => each !== name) : [...names, name];
  const pill = (name: string, active: boolean, onClick: () => void) => (
    <Pill
      key={name}
      label={measureName(name)}
      active={active}
      onClick={onClick}
      {...tip(definitionOf(known, name))}
    />
  );
  return (
    <div role="group" aria-label={t("evaluate.run.measures")}>
      <NotLoaded query={measures} />
      <div className={css.measures}>
        {usual.map((name) =>
          pill(name, !chosen.leftOut.includes(name), () =>
            change({ leftOut: toggled(chosen.leftOut, name) }),
          ),
        )}
      </div>
      <div className={`row gap-6 sm sec ${css.counted}`}>
        {t("evaluate.run.counted")}
        <NumberField
          label={t("evaluate.run.counted")}
          value={chosen.counted}
          min={1}
          max={MOST_COUNTED}
          onChange={(counted) => change({ counted })}
        />
      </div>
      <div className={css.measures}>
        {known
          .filter(({ name, cutoff }) => cutoff !== "none" && !usual.includes(`${name}@${chosen.counted}`))
          .map(({ name }) =>
            pill(`${name}@${chosen.counted}`, chosen.others.includes(name), () =>
              change({ others: toggled(chosen.others, name) }),
            ),
          )}
      </div>
    </div>
  );
}
