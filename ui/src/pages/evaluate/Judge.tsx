import { IconArrowDown, IconArrowUp, IconCheck } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { EvalRun, GoldSet, PoolItem } from "@/api/types";
import { IconButton } from "@/kit/Button";
import { NumberField, Select, TextField } from "@/kit/fields";
import { Id } from "@/kit/Id";
import { Meter } from "@/kit/Meter";
import { KeyValues, Note } from "@/kit/Note";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useShortcut } from "@/kit/shortcuts";
import { EmptyState, Loaded, NotLoaded, SkeletonText } from "@/kit/states";
import { pagesOf } from "@/parts/cited";
import { FoundBy } from "@/parts/FoundBy";
import { type Grade, Grades, useGradeKeys } from "@/parts/Grades";
import { marked } from "@/parts/marked";
import { OcrTag } from "@/parts/OcrTag";
import { readable, rowsInLines } from "@/parts/passage";
import { judgeAs, useJudge } from "@/state/judge";
import { t } from "@/text";
import { decimal, percent, whole } from "@/text/format";
import { inert, visible } from "@/text/visible";
import css from "./judge.module.css";

/** First results of each run that are pooled where nothing else is asked for. */
const DEPTH = 10;
/** Decides the order of the pool: the same for everyone, so that two judges see the same passages first. */
const SEED = 1;
/** Passages that are loaded at a time. */
const PAGE = 100;

const keyOf = (item: PoolItem) => `${item.query_id}\n${item.unit ?? item.chunk_id}`;

type JudgeProps = { set: GoldSet; runs: readonly EvalRun[] };

/** The passages that runs found and nobody has judged, one at a time, without rank and list. */
export function Judge({ set, runs }: JudgeProps) {
  const judge = useJudge();
  const [depth, setDepth] = useState(DEPTH);
  if (runs.length === 0) return <EmptyState title={t("judge.no_runs")} detail={t("judge.no_runs_detail")} />;
  return (
    <div className={css.judging}>
      <Pooled key={`${set.name} ${judge} ${depth}`} set={set} runs={runs} judge={judge} depth={depth} />
      <ScrollRegion ways="down" className={css.side} label={t("judge.side")}>
        <section>
          <h3 className="h2">{t("judge.settings")}</h3>
          <JudgeName />
          <div className="row between sm">
            <span className="sec">{t("judge.depth")}</span>
            <NumberField
              label={t("judge.depth")}
              value={depth}
              min={1}
              max={100}
              pause={400}
              onChange={setDepth}
            />
          </div>
          <p className="xs mut">{t("judge.pool_note", { count: runs.length })}</p>
        </section>
        <Agreement set={set} />
      </ScrollRegion>
    </div>
  );
}

/** The name that judgments are given under; it counts once the field is left. */
function JudgeName() {
  const judge = useJudge();
  const [draft, setDraft] = useState(judge);
  const keep = () => judgeAs(draft);
  return (
    <div className="row between sm">
      <span className="sec">{t("judge.name")}</span>
      <TextField
        label={t("judge.name")}
        placeholder={t("judge.name_placeholder")}
        size="small"
        soft
        className={css.name}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={keep}
        onKeyDown={(event) => event.key === "Enter" && keep()}
      />
    </div>
  );
}

/** The passages to be judged one after the other, and the grades that they are given. */
function useJudging(fresh: readonly PoolItem[] | undefined, set: string, judge: string) {
  const give = useAction("gold.judge");
  const [items, setItems] = useState<readonly PoolItem[]>([]);
  const [grades, setGrades] = useState<ReadonlyMap<string, Grade>>(new Map());
  const [at, setAt] = useState(0);
  // What was judged stays within reach of the way back; what is new follows.
  useEffect(() => {
    setItems((now) => {
      const known = new Set(now.map(keyOf));
      return [...now, ...(fresh ?? []).filter((item) => !known.has(keyOf(item)))];
    });
  }, [fresh]);
  const item = items[at];
  const step = (by: number) => setAt((now) => Math.max(0, Math.min(items.length, now + by)));
  const grade = (next: Grade | undefined) => {
    if (!item) return;
    const key = keyOf(item);
    setGrades((now) => {
      const changed = new Map(now);
      if (next === undefined) changed.delete(key);
      else changed.set(key, next);
      return changed;
    });
    give.mutate(
      {
        set,
        query: item.query_id,
        target:
          item.unit === null
            ? { kind: "chunk", chunk_id: item.chunk_id }
            : { kind: "identifier", id: item.unit },
        grade: next ?? null,
        judge,
      },
      {
        onError: () => {
          setGrades((now) => new Map([...now].filter(([each]) => each !== key)));
          setAt(items.indexOf(item));
        },
      },
    );
    if (next !== undefined) step(1);
  };
  return { item, grades, grade, at, step, last: at >= items.length };
}

type PooledProps = JudgeProps & { judge: string; depth: number };

function Pooled({ set, runs, judge, depth }: PooledProps) {
  const pool = useCommand(
    "gold.pool",
    {
      set: set.name,
      runs: runs.map((run) => run.id),
      k: depth,
      judge: judge || null,
      seed: SEED,
      limit: PAGE,
    },
    { keep: true },
  );
  const { item, grades, grade, at, step, last } = useJudging(pool.data?.items, set.name, judge);
  useGradeKeys(grade, item !== undefined);
  useShortcut("evaluate.next", () => step(1));
  useShortcut("evaluate.previous", () => step(-1));
  return (
    <section className={css.pool} aria-label={t("judge.title")}>
      <NotLoaded query={pool} />
      <Loaded query={pool} skeleton={<SkeletonText lines={[2, 4]} />}>
        {(found) => {
          const done = Math.max(found.judged, grades.size);
          const all = found.judged + found.total;
          return (
            <>
              <div className={css.head}>
                <Meter
                  progress
                  label={t("judge.progress")}
                  value={all > 0 ? done / all : 1}
                  tone="accent"
                  width={140}
                  text={t("judge.done", { done, all })}
                />
                <span className="sm sec number" role="status">
                  {t("judge.done", { done, all })}
                </span>
                {found.gone > 0 && <span className="sm mut">{t("judge.gone", { count: found.gone })}</span>}
                <span className="grow" />
                <IconButton label={t("judge.previous")} keys="k" disabled={at === 0} onClick={() => step(-1)}>
                  <IconArrowUp className="small" aria-hidden />
                </IconButton>
                <IconButton label={t("judge.next")} keys="j" disabled={last} onClick={() => step(1)}>
                  <IconArrowDown className="small" aria-hidden />
                </IconButton>
              </div>
              {item ? (
                <Passage item={item} grade={grades.get(keyOf(item))} onGrade={grade} />
              ) : (
                <EmptyState
                  title={t("judge.all")}
                  detail={t("judge.all_detail")}
                  icon={<IconCheck aria-hidden />}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

type PassageProps = {
  item: PoolItem;
  grade: Grade | undefined;
  onGrade: (grade: Grade | undefined) => void;
};

function Passage({ item, grade, onGrade }: PassageProps) {
  const pages = pagesOf(item);
  return (
    <>
      <div className={css.asked}>
        <Id className="mut">{item.query_id}</Id>
        <bdi className={css.query}>{inert(item.query)}</bdi>
      </div>
      <div className={css.grading}>
        <Grades label={t("judge.grade_of", { query: item.query })} value={grade} onGrade={onGrade} />
        <span className="xs mut">{t("judge.scale")}</span>
      </div>
      <ScrollRegion ways="down" className={css.passage} label={t("judge.passage")}>
        <div className="mono micro mut">
          <bdi>{inert(item.header ?? item.title)}</bdi>
          {pages && ` · ${pages}`} <OcrTag confidence={item.ocr?.confidence} />
        </div>
        {item.unit !== null && <p className="xs mut">{t("judge.whole", { unit: visible(item.unit) })}</p>}
        <p className={css.words}>
          <bdi>{marked(inert(rowsInLines(readable(item.passage))), [], undefined, item.ocr?.doubtful)}</bdi>
        </p>
        <FoundBy key={keyOf(item)} phrases={item.found_by} />
      </ScrollRegion>
    </>
  );
}

/** How far two judges agree. */
function Agreement({ set }: { set: GoldSet }) {
  const names = Object.keys(set.judges);
  const [first, setFirst] = useState<string>();
  const [second, setSecond] = useState<string>();
  const a = first ?? names[0];
  const b = second ?? names.find((name) => name !== a);
  const agreement = useCommand(
    "gold.agreement",
    { set: set.name, judges: [a ?? "", b ?? ""] },
    { enabled: a !== undefined && b !== undefined && a !== b },
  );
  const options = names.map((name) => ({ value: name, label: name }));
  return (
    <section>
      <h3 className="h2">{t("judge.agreement.title")}</h3>
      {names.length < 2 ? (
        <p className="sm mut">{t("judge.agreement.alone")}</p>
      ) : (
        <>
          <div className="row gap-6">
            <Select
              label={t("judge.agreement.first")}
              value={a ?? null}
              onChange={setFirst}
              options={options}
            />
            <Select
              label={t("judge.agreement.second")}
              value={b ?? null}
              onChange={setSecond}
              options={options}
            />
          </div>
          {a === b ? (
            <Note>{t("judge.agreement.same")}</Note>
          ) : (
            <Loaded query={agreement}>
              {({ kappa, weighted, agreed, pairs }) => (
                <KeyValues
                  rows={[
                    [t("judge.agreement.kappa"), kappa === null ? "—" : decimal(kappa, 2)],
                    [t("judge.agreement.weighted"), weighted === null ? "—" : decimal(weighted, 2)],
                    [t("judge.agreement.agreed"), pairs > 0 ? percent(agreed) : "—"],
                    [t("judge.agreement.pairs"), whole(pairs)],
                  ]}
                />
              )}
            </Loaded>
          )}
        </>
      )}
    </section>
  );
}
