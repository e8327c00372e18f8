import { IconPlayerPlay, IconPlus } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { queryOf, useCommand, useWorkspace } from "@/api/queries";
import type { EvalRun, GoldSet } from "@/api/types";
import { Button } from "@/kit/Button";
import { SearchField } from "@/kit/fields";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { useShortcut } from "@/kit/shortcuts";
import { EmptyState, Loaded, SkeletonRows } from "@/kit/states";
import { t } from "@/text";
import { whole } from "@/text/format";
import { AddQuery } from "./AddQuery";
import { GoldSets, type useImport } from "./GoldSets";
import { QueryDetail, QueryFoot } from "./QueryDetail";
import { QueryTable } from "./QueryTable";
import css from "./queries.module.css";
import { byChange, counted, filtered, historiesOf, rowOfPair, rowOfQuery, rowOfRun } from "./rows";
import type { Fared, Place } from "./state";

/** Queries that are asked for: all of a set, however large. */
const ALL = 100_000;

/** Newest runs that the history of a query shows. */
const LAST = 12;
/** Queries of a set whose histories are read: each run gives the values of all of them. */
const READ = 1_000;

const FARED: readonly Fared[] = ["all", "better", "same", "worse"];

type QueriesProps = {
  sets: readonly GoldSet[];
  set: GoldSet;
  place: Place;
  change: (part: Partial<Place>) => void;
  importing: ReturnType<typeof useImport>;
  measure: string;
  candidate: EvalRun | undefined;
  baseline: EvalRun | undefined;
  runs: ReturnType<typeof useCommand<"eval.runs">>;
  onRun: () => void;
  narrow: boolean;
};

/** The queries of two runs, of one, or of the set alone, whichever there is. */
function useRows({ set, candidate, baseline, measure, runs }: QueriesProps) {
  // Whether there are runs must be known: the queries alone would give way to them a moment later.
  const none = runs.data !== undefined && candidate === undefined;
  const pair = useCommand(
    "eval.compare_queries",
    { baseline: baseline?.id ?? 0, candidate: candidate?.id ?? 0, measure, limit: ALL },
    { enabled: candidate !== undefined && baseline !== undefined, keep: true },
  );
  const alone = useCommand(
    "eval.run_get",
    { id: candidate?.id ?? 0, limit: ALL },
    { enabled: candidate !== undefined && baseline === undefined, keep: true },
  );
  const bare = useCommand("gold.get", { set: set.name, limit: ALL }, { enabled: none });
  const rows = useMemo(() => {
    if (candidate && baseline) return pair.data && byChange(pair.data.queries.map(rowOfPair));
    if (candidate) return alone.data?.queries.map((query) => rowOfRun(query, measure));
    return none ? bare.data?.queries.map((query) => rowOfQuery(query, set.relevant_from)) : undefined;
  }, [none, candidate, baseline, measure, set.relevant_from, pair.data, alone.data, bare.data]);
  const query = candidate ? (baseline ? pair : alone) : none ? bare : runs;
  return {
    query: { ...query, data: rows, isPending: rows === undefined && query.isPending },
    rows: rows ?? [],
  };
}

const dataOf = <Data,>(found: readonly { data: Data | undefined }[]) => found.map(({ data }) => data);

/** How each query went over the newest runs and the two that are looked at; nothing where that is not shown. */
function useHistories({ set, runs, candidate, baseline, measure, narrow }: QueriesProps) {
  const workspace = useWorkspace();
  const told = useMemo(() => {
    const all = runs.data ?? [];
    const one = all.length < 2 || narrow || set.queries > READ;
    return one ? [] : all.filter((run, at) => at < LAST || run === candidate || run === baseline).reverse();
  }, [runs.data, narrow, set.queries, candidate, baseline]);
  const pages = useQueries({
    queries: told.map((run) => queryOf("eval.run_get", { id: run.id, limit: ALL }, workspace)),
    combine: dataOf,
  });
  return useMemo(() => {
    if (told.length === 0) return undefined;
    const at = candidate ? told.indexOf(candidate) : undefined;
    return { at, histories: historiesOf(pages, measure) };
  }, [told, pages, measure, candidate]);
}

/** Every query of the gold set with how it fared. */
export function Queries(props: QueriesProps) {
  const { set, place, change, measure, candidate, baseline, runs, onRun, narrow } = props;
  const { query, rows } = useRows(props);
  const history = useHistories(props);
  const paired = candidate !== undefined && baseline !== undefined;
  const [expanded, setExpanded] = useState<string>();
  const [adding, setAdding] = useState(false);
  const counts = useMemo(() => counted(rows, measure), [rows, measure]);
  const fared = paired ? place.fared : "all";
  const shown = useMemo(
    () => filtered(rows, { fared, find: place.find, measure }),
    [rows, fared, place.find, measure],
  );
  const selected = shown.find((row) => row.id === place.query) ?? shown[0];
  const select = useCallback((id: string) => change({ query: id }), [change]);
  const expand = useCallback(
    (id: string) => {
      setExpanded((now) => (now === id ? undefined : id));
      change({ query: id });
    },
    [change],
  );
  const order = useRef<readonly string[]>([]);
  const keepOrder = useCallback((ids: readonly string[]) => {
    order.current = ids;
  }, []);
  const step = (by: number) => {
    const ids = order.current;
    const at = selected ? ids.indexOf(selected.id) : -1;
    const next = ids[Math.max(0, Math.min(ids.length - 1, at + by))];
    if (next !== undefined) select(next);
  };
  useShortcut("evaluate.next", () => step(1));
  useShortcut("evaluate.previous", () => step(-1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: other runs have other rankings.
  useEffect(() => setExpanded(undefined), [candidate?.id, baseline?.id]);
  return (
    <>
      <Head {...props} fared={paired ? fared : undefined} counts={counts} onAdd={() => setAdding(true)} />
      {runs.data !== undefined && candidate === undefined && (
        <div className={css.invite}>
          <span className="grow">{t("evaluate.table.no_run")}</span>
          <Button size="small" icon={<IconPlayerPlay className="small" aria-hidden />} onClick={onRun}>
            {t("evaluate.run.start")}
          </Button>
        </div>
      )}
      <Loaded query={query} skeleton={<SkeletonRows rows={14} height={28} />}>
        {() =>
          shown.length === 0 ? (
            <Nothing rows={rows.length} onClear={() => change({ find: "", fared: "all" })} />
          ) : (
            <QueryTable
              rows={shown}
              measure={measure}
              runs={candidate ? (baseline ? "pair" : "one") : "none"}
              histories={history?.histories}
              at={history?.at}
              selected={selected?.id}
              onSelect={select}
              onOrder={keepOrder}
              expanded={expanded}
              onExpand={expand}
              detail={(row) => (
                <QueryDetail set={set.name} query={row} candidate={candidate} baseline={baseline} />
              )}
              narrow={narrow}
            />
          )
        }
      </Loaded>
      {selected && candidate && (
        <QueryFoot key={selected.id} row={selected} candidate={candidate} baseline={baseline} />
      )}
      {adding && (
        <AddQuery
          set={set}
          onClose={() => setAdding(false)}
          onAdded={(id) => {
            setAdding(false);
            change({ query: id });
          }}
        />
      )}
    </>
  );
}

type HeadProps = Pick<QueriesProps, "sets" | "set" | "place" | "change" | "importing"> & {
  /** Which queries are shown by how they fared; nothing where no two runs are compared. */
  fared: Place["fared"] | undefined;
  counts: ReturnType<typeof counted>;
  onAdd: () => void;
};

/** The gold set, and what narrows its queries. */
function Head({ sets, set, place, change, importing, fared, counts, onAdd }: HeadProps) {
  return (
    <div className={css.head}>
      <GoldSets
        sets={sets}
        current={set}
        onChoose={(name) => change({ set: name, run: undefined, against: undefined, query: undefined })}
        importing={importing}
      />
      <span className="sm mut number nowrap hide-s">
        {t("evaluate.table.queries", { count: set.queries })}
      </span>
      {fared && (
        <SegmentedControl
          label={t("evaluate.table.fared")}
          size="small"
          value={fared}
          onChange={(next) => change({ fared: next })}
          options={FARED.map((value) => ({
            value,
            label: `${t(`evaluate.fared.${value}`)} ${whole(counts[value])}`,
          }))}
        />
      )}
      <span className={css.end}>
        <SearchField
          label={t("evaluate.table.find")}
          placeholder={t("evaluate.table.find")}
          size="small"
          soft
          value={place.find}
          onChange={(find) => change({ find })}
          className={css.find}
        />
        <Button size="small" icon={<IconPlus className="small" aria-hidden />} onClick={onAdd}>
          {t("evaluate.add.title")}
        </Button>
      </span>
    </div>
  );
}

function Nothing({ rows, onClear }: { rows: number; onClear: () => void }) {
  if (rows === 0)
    return <EmptyState title={t("evaluate.table.empty")} detail={t("evaluate.table.empty_detail")} />;
  return (
    <EmptyState
      title={t("evaluate.table.nothing")}
      action={
        <Button size="small" onClick={onClear}>
          {t("evaluate.table.clear")}
        </Button>
      }
    />
  );
}
