import { IconMessageQuestion, IconSquare, IconX } from "@tabler/icons-react";
import { useCallback, useEffect } from "react";
import { useCommand } from "@/api/queries";
import type { SearchRun } from "@/api/types";
import { Button } from "@/kit/Button";
import { Kbd } from "@/kit/Kbd";
import { useShortcut } from "@/kit/shortcuts";
import { useSteady } from "@/kit/steady";
import { PageHeader } from "@/parts/PageHeader";
import { shuffled } from "@/parts/shuffled";
import { askAbout } from "@/state/selection";
import { t } from "@/text";
import { moment } from "@/text/format";
import { inFusedOrder } from "./Columns";
import { Compare, useComparisons } from "./Compare";
import { totalOf } from "./Dock";
import { Filters } from "./Filters";
import { openPassage } from "./Inspector";
import css from "./layout.module.css";
import { ParsedLine } from "./ParsedLine";
import { QueryBar } from "./QueryBar";
import { RUNS, Runs } from "./Runs";
import type { Lab } from "./state";
import { type Found, type LabControl, useAskAhead, useLab, useRecord, useShown } from "./use-lab";
import { Work } from "./Work";

/** The passage that is selected, of those in sight, and how another one is. */
function useSelected({ lab, change }: LabControl, found: Found | undefined) {
  const results = found?.response.results ?? [];
  const hits = lab.blind && found ? shuffled(found.request.query, results) : inFusedOrder(results);
  const order = hits.map((hit) => hit.chunk_id);
  const trace = found?.response.trace;
  const inTrace = (id: string) =>
    [trace?.semantic, trace?.keyword, trace?.dropped].some((list) =>
      list?.some((each) => each.chunk_id === id),
    );
  const wanted = lab.selected;
  const stays =
    wanted !== undefined &&
    (order.includes(wanted) || lab.request.pinned.includes(wanted) || inTrace(wanted));
  const selected = stays ? wanted : order[0];
  const select = useCallback((chunkId: string) => change({ selected: chunkId }), [change]);
  const step = useSteady((by: number) => {
    const at = selected === undefined ? -1 : order.indexOf(selected);
    const next = order[Math.max(0, Math.min(order.length - 1, at + by))];
    if (next !== undefined) select(next);
  });
  const open = useSteady((chunkId: string) => {
    const hit = found?.response.results.find((each) => each.chunk_id === chunkId);
    if (hit) openPassage(hit);
  });
  return { selected, select, step, open };
}

/** The keys that search in another way and compare. */
function useLabKeys(
  { lab, change, ask }: LabControl,
  runs: readonly SearchRun[] | undefined,
  found: Found | undefined,
) {
  useShortcut("search-lab.hybrid", () => ask({ mode: "hybrid" }));
  useShortcut("search-lab.semantic", () => ask({ mode: "semantic" }));
  useShortcut("search-lab.keyword", () => ask({ mode: "keyword" }));
  useShortcut("search-lab.rerank", () => ask({ rerank: !lab.request.rerank }));
  const before = runs?.find((each) => each.id !== lab.run);
  useShortcut(
    "search-lab.compare",
    () => change({ against: lab.against ? undefined : `run:${before?.id}` }),
    lab.against !== undefined || (before !== undefined && found !== undefined),
  );
}

/** The screen. */
export default function SearchLabPage() {
  const control = useLab();
  const { lab, change } = control;
  const models = useCommand("model.list", {});
  const runs = useCommand("search.runs", { limit: RUNS });
  const known = models.data ?? (models.error ? [] : undefined);
  const shown = useShown(control, known);
  const record = useRecord(control);
  const askAhead = useAskAhead(control, known);
  const { found, provisional } = shown;
  const comparisons = useComparisons(control, found);

  const { selected, select, step, open } = useSelected(control, found);
  const busy = record.pending || shown.running;
  useShortcut("search-lab.next", () => step(1));
  useShortcut("search-lab.previous", () => step(-1));
  useLabKeys(control, runs.data, found);
  useShortcut("search-lab.stop", () => record.stop(), record.pending);
  const { forget } = record;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed run is forgotten as soon as something else is asked.
  useEffect(() => forget(), [lab.request]);

  const asked = lab.request.query.trim() !== "";
  const run = runs.data?.find((each) => each.id === lab.run);
  const context = contextOf(lab, record.pending, run, found);
  const start = useSteady(record.start);
  const retry = useSteady(shown.retry);
  return (
    <div className={css.lab}>
      <PageHeader context={context} actions={<Actions {...{ lab, change, record }} />} />
      <QueryBar {...control} ask={askAhead} onRecord={start} compare={comparisons} provider={shown.partial}>
        <Filters request={lab.request} ask={control.ask} paid={shown.partial} />
        <ParsedLine found={asked ? found : undefined} />
      </QueryBar>
      <div
        className={css.work}
        aria-busy={busy}
        data-testid="search-lab-work"
        data-answered={found && !provisional ? found.request.query : undefined}
        data-engine={found && totalOf(found)}
      >
        {lab.against ? (
          <Compare
            {...control}
            found={found}
            error={shown.error}
            onRetry={retry}
            selected={selected}
            onOpen={open}
          />
        ) : (
          <Work
            ask={control.ask}
            change={change}
            asked={asked}
            mode={lab.request.mode}
            rerank={lab.request.rerank}
            pinned={lab.request.pinned}
            order={lab.order}
            budget={lab.budget}
            out={lab.out}
            blind={lab.blind}
            found={found}
            awaited={found ? undefined : lab.request}
            provisional={provisional}
            partial={shown.partial}
            error={shown.error}
            notKept={record.error}
            selected={selected}
            onRetry={retry}
            onRecord={start}
            onSelect={select}
            onOpen={open}
            onStep={step}
          />
        )}
      </div>
    </div>
  );
}

type ActionsProps = Pick<LabControl, "lab" | "change"> & { record: ReturnType<typeof useRecord> };

/** The actions of the screen: an end to what runs or is compared, else a question to Ask and the former runs. */
function Actions({ lab, change, record }: ActionsProps) {
  const openRun = useCallback(
    (each: SearchRun) =>
      change({ request: each.request, run: each.id, selected: undefined, out: [], against: undefined }),
    [change],
  );
  if (lab.against)
    return (
      <Button icon={<IconX className="small" aria-hidden />} onClick={() => change({ against: undefined })}>
        {t("search.compare.close")}
      </Button>
    );
  if (record.pending)
    return (
      <Button icon={<IconSquare className="small" aria-hidden />} onClick={record.stop}>
        {t("search.stop")}
        <Kbd keys="escape" />
      </Button>
    );
  return (
    <>
      {lab.request.query.trim() !== "" && (
        <Button
          icon={<IconMessageQuestion className="small" aria-hidden />}
          onClick={() => askAbout(lab.request.query)}
        >
          {t("ask.about.question")}
        </Button>
      )}
      <Runs current={lab.run} onOpen={openRun} />
    </>
  );
}

/** What the screen is about just now: a comparison, a run, or when and with what it was searched. */
function contextOf(lab: Lab, running: boolean, run: SearchRun | undefined, found: Found | undefined): string {
  if (lab.against) return t("search.header.comparing");
  if (running) return t("search.header.running");
  const model = found?.response.trace.space?.model;
  return [
    lab.run !== undefined ? t("search.runs.run", { id: String(lab.run) }) : undefined,
    run ? moment(run.at) : undefined,
    found ? (model ?? t(`search.modes.${found.request.mode}`)) : undefined,
  ]
    .filter(Boolean)
    .join(" · ");
}
