import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { EvalRun, MeasureComparison, RunComparison, SignificanceTest } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Interval } from "@/kit/Interval";
import { Note } from "@/kit/Note";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { EmptyState, Loaded, SkeletonRows } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { commaSeparated, saveCsv } from "@/parts/csv";
import { Letter } from "@/parts/Letter";
import {
  isCount,
  isTime,
  LEVEL,
  measured,
  measureName,
  outcomeOf,
  pWords,
  signed,
  verdictOf,
} from "@/parts/measure";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { milliseconds, sentence, whole } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./comparison.module.css";

const TESTS: readonly SignificanceTest[] = ["randomisation", "t_test"];
/** What p-values are corrected for: every run of the set, or nothing but what is looked at. */
type Family = "set" | "alone";
const FAMILIES: readonly Family[] = ["set", "alone"];
const COLOUR = { better: "c-ok", same: "mut", worse: "c-bad" };

/** A difference in the unit of its measure. */
function difference(measure: string, value: number): string {
  if (isTime(measure)) return `${value < 0 ? "−" : "+"}${milliseconds(Math.abs(value))}`;
  return signed(value, isCount(measure) ? 0 : 3);
}

type ComparisonProps = {
  candidate: EvalRun | undefined;
  baseline: EvalRun | undefined;
  measure: string;
  onMeasure: (measure: string) => void;
  narrow: boolean;
};

/** Two runs measure by measure: how much they differ, and whether chance explains it. */
export function Comparison({ candidate, baseline, measure, onMeasure, narrow }: ComparisonProps) {
  const [test, setTest] = useState<SignificanceTest>("randomisation");
  const [family, setFamily] = useState<Family>("set");
  const compared = useCommand(
    "eval.compare",
    {
      baseline: baseline?.id ?? 0,
      candidate: candidate?.id ?? 0,
      test,
      beside: family === "alone" ? [] : null,
    },
    { enabled: candidate !== undefined && baseline !== undefined, keep: true },
  );
  if (!candidate || !baseline)
    return <EmptyState title={t("evaluate.compare.alone")} detail={t("evaluate.compare.alone_detail")} />;
  return (
    <ScrollRegion className={css.view} label={t("evaluate.views.compare")}>
      <div className={css.head}>
        <span className="row gap-6 sm">
          <Letter side="a" />
          <bdi className="ell">{visible(baseline.name)}</bdi>
          <span className="mut">→</span>
          <Letter side="b" />
          <bdi className="ell">{visible(candidate.name)}</bdi>
        </span>
        <span className="grow" />
        <span className="row gap-6 sm sec" {...tip(t("evaluate.compare.family_detail"))}>
          {!narrow && t("evaluate.compare.family")}
          <SegmentedControl
            label={t("evaluate.compare.family")}
            size="small"
            value={family}
            onChange={setFamily}
            options={FAMILIES.map((value) => ({ value, label: t(`evaluate.compare.families.${value}`) }))}
          />
        </span>
        <SegmentedControl
          label={t("evaluate.compare.test")}
          size="small"
          value={test}
          onChange={setTest}
          options={TESTS.map((value) => ({ value, label: t(`evaluate.compare.tests.${value}`) }))}
        />
        <Button
          size="small"
          icon={<IconDownload className="small" aria-hidden />}
          disabled={!compared.data}
          onClick={() => compared.data && save(compared.data)}
        >
          {t("evaluate.runs.csv")}
        </Button>
      </div>
      <Loaded query={compared} skeleton={<SkeletonRows rows={8} height={36} />}>
        {(comparison) => {
          const chosen =
            comparison.measures.find((each) => each.measure === measure) ?? comparison.measures[0];
          return (
            <>
              {chosen && <Verdict {...chosen} />}
              {comparison.notices.map((notice) => (
                <div key={notice} className={css.strap}>
                  <Note kind="warn">{visible(sentence(notice))}</Note>
                </div>
              ))}
              <Measures
                comparison={comparison}
                chosen={chosen?.measure}
                onMeasure={onMeasure}
                narrow={narrow}
              />
              <p className={`xs mut ${css.note}`}>
                {t("evaluate.compare.how", {
                  test: t(`evaluate.compare.tests.${comparison.test}`).toLowerCase(),
                })}{" "}
                {correctionOf(comparison)}
              </p>
              {comparison.unpaired.length > 0 && (
                <p className={`xs mut ${css.note}`}>
                  {t("evaluate.compare.unpaired", { count: comparison.unpaired.length })}
                </p>
              )}
              {chosen && <Types comparison={comparison} measure={chosen.measure} />}
            </>
          );
        }}
      </Loaded>
    </ScrollRegion>
  );
}

/** What the p-values are corrected for, in a sentence. */
function correctionOf({ beside, tests }: RunComparison): string {
  if (tests === 1) return t("evaluate.compare.not_corrected");
  if (beside.length === 0) return t("evaluate.compare.corrected_alone", { count: tests });
  return t("evaluate.compare.corrected_for", { count: beside.length + 1, tests });
}

/** The chosen measure in a sentence. */
function Verdict(each: MeasureComparison) {
  const { measure, corrected, interval } = each;
  return (
    <div className={css.verdict} role="status">
      <b className={corrected < LEVEL ? COLOUR[outcomeOf(each.difference, measure)] : undefined}>
        {verdictOf(each.difference, corrected, measure)}
      </b>{" "}
      <span className="sec number">
        {t("evaluate.compare.sentence", {
          measure: measureName(measure),
          before: measured(measure, each.baseline),
          after: measured(measure, each.candidate),
          difference: difference(measure, each.difference),
          low: difference(measure, interval[0]),
          high: difference(measure, interval[1]),
          p: pWords(corrected),
          count: each.queries,
        })}
      </span>
    </div>
  );
}

type MeasuresProps = {
  comparison: RunComparison;
  chosen: string | undefined;
  onMeasure: (measure: string) => void;
  narrow: boolean;
};

function Measures({ comparison, chosen, onMeasure, narrow }: MeasuresProps) {
  const { measures } = comparison;
  // Shares are drawn on one scale; what is counted or timed has one of its own.
  const shares = measures.filter(({ measure }) => !isTime(measure) && !isCount(measure));
  const widest = Math.max(
    ...shares.map(({ interval: [low, high] }) => Math.max(Math.abs(low), Math.abs(high))),
    0,
  );
  const scale = ({ measure, interval: [low, high] }: MeasureComparison) =>
    isTime(measure) || isCount(measure) ? Math.max(Math.abs(low), Math.abs(high)) : widest;
  return (
    <table className={classes("compact", css.table)} aria-label={t("evaluate.compare.table")}>
      <thead>
        <tr>
          <th>{t("evaluate.compare.measure")}</th>
          <th className="align-end">
            <Letter side="a" />
          </th>
          <th className="align-end">
            <Letter side="b" />
          </th>
          <th className="align-end">{t("evaluate.compare.difference")}</th>
          {!narrow && <th className={css.drawn}>{t("evaluate.compare.interval")}</th>}
          <th className="align-end">{t("evaluate.compare.bounds")}</th>
          <th className="align-end" {...tip(t("evaluate.compare.corrected"))}>
            {t("evaluate.compare.p")}
          </th>
          <th className="align-end" {...tip(t("evaluate.compare.wtl_detail"))}>
            {t("evaluate.compare.wtl")}
          </th>
          <th>{t("evaluate.compare.verdict")}</th>
        </tr>
      </thead>
      <tbody>
        {measures.map((each) => {
          const { measure, interval } = each;
          return (
            <tr key={measure} className={measure === chosen ? "on" : undefined}>
              <td>
                <button type="button" aria-pressed={measure === chosen} onClick={() => onMeasure(measure)}>
                  {measureName(measure)}
                </button>
              </td>
              <td className="align-end number sec">{measured(measure, each.baseline)}</td>
              <td className="align-end number">{measured(measure, each.candidate)}</td>
              <td className={classes("align-end number nowrap", COLOUR[outcomeOf(each.difference, measure)])}>
                {difference(measure, each.difference)}
              </td>
              {!narrow && (
                <td className={css.drawn}>
                  <Interval
                    value={each.difference}
                    low={interval[0]}
                    high={interval[1]}
                    scale={scale(each)}
                  />
                </td>
              )}
              <td className="align-end number nowrap">
                {t("evaluate.compare.range", {
                  low: difference(measure, interval[0]),
                  high: difference(measure, interval[1]),
                })}
              </td>
              <td
                className="align-end number nowrap"
                {...tip(t("evaluate.compare.raw_p", { p: pWords(each.p_value) }))}
              >
                {pWords(each.corrected)}
              </td>
              <td className="align-end number nowrap">
                {whole(each.wins)} / {whole(each.ties)} / {whole(each.losses)}
              </td>
              <td className="nowrap">{verdictOf(each.difference, each.corrected, measure)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The chosen measure over the queries of each type. */
function Types({ comparison, measure }: { comparison: RunComparison; measure: string }) {
  const types = comparison.by_type.filter((each) => each.measure === measure);
  if (types.length === 0) return null;
  return (
    <>
      <h3 className={`h2 ${css.types}`}>
        {t("evaluate.compare.by_type", { measure: measureName(measure) })}
      </h3>
      <table className={classes("compact", css.table)}>
        <thead>
          <tr>
            <th>{t("evaluate.compare.type")}</th>
            <th className="align-end">{t("evaluate.sets.queries")}</th>
            <th className="align-end">
              <Letter side="a" />
            </th>
            <th className="align-end">
              <Letter side="b" />
            </th>
            <th className="align-end">{t("evaluate.compare.difference")}</th>
            <th className="align-end">{t("evaluate.compare.interval")}</th>
            <th className="align-end">{t("evaluate.compare.wtl")}</th>
          </tr>
        </thead>
        <tbody>
          {types.map((each) => {
            const change = each.candidate - each.baseline;
            return (
              <tr key={each.type}>
                <td>{visible(each.type)}</td>
                <td className="align-end number">{whole(each.queries)}</td>
                <td className="align-end number sec">{measured(measure, each.baseline)}</td>
                <td className="align-end number">{measured(measure, each.candidate)}</td>
                <td className={classes("align-end number nowrap", COLOUR[outcomeOf(change, measure)])}>
                  {difference(measure, change)}
                </td>
                <td className="align-end number nowrap">
                  {t("evaluate.compare.range", {
                    low: difference(measure, each.interval[0]),
                    high: difference(measure, each.interval[1]),
                  })}
                </td>
                <td className="align-end number nowrap">
                  {whole(each.wins)} / {whole(each.ties)} / {whole(each.losses)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

/** Writes the comparison as a table. */
function save({ baseline, candidate, measures, test }: RunComparison): void {
  const table = commaSeparated([
    [
      "measure",
      "baseline",
      "candidate",
      "difference",
      "low",
      "high",
      "p",
      "p_holm",
      "wins",
      "ties",
      "losses",
      "test",
    ],
    ...measures.map((each) => [
      each.measure,
      each.baseline,
      each.candidate,
      each.difference,
      each.interval[0],
      each.interval[1],
      each.p_value,
      each.corrected,
      each.wins,
      each.ties,
      each.losses,
      test,
    ]),
  ]);
  void saveCsv(`run-${baseline.id}-${candidate.id}.csv`, table).then(
    (place) => place && toast({ kind: "ok", title: t("evaluate.compare.saved"), detail: place }),
    (thrown) => reportError(EngineError.from(thrown)),
  );
}
