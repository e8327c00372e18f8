import { IconSquare, IconX } from "@tabler/icons-react";
import { useCallback, useEffect } from "react";
import { useCommand } from "@/api/queries";
import type { SearchRun } from "@/api/types";
import { PageHeader } from "@/app/page-header";
import { href, navigate } from "@/app/router";
import { Button } from "@/kit/Button";
import { Kbd } from "@/kit/Kbd";
import { Note } from "@/kit/Note";
import { useNarrow } from "@/kit/narrow";
import { Pane, Panes } from "@/kit/Panes";
import { useShortcut } from "@/kit/shortcuts";
import { ErrorState, SkeletonRows } from "@/kit/states";
import { useSteady } from "@/kit/steady";
import { t } from "@/text";
import type { Explained } from "@/text/errors";
import { moment } from "@/text/format";
import { Columns, inFusedOrder } from "./Columns";
import { Compare, useComparisons } from "./Compare";
import { Dock } from "./Dock";
import { Filters } from "./Filters";
import { Inspector, openPassage } from "./Inspector";
import { NoResults, Start } from "./Nothing";
import { ParsedLine } from "./ParsedLine";
import { QueryBar } from "./QueryBar";
import { RUNS, Runs } from "./Runs";
import css from "./search-lab.module.css";
import { type Found, useLab, useRecord, useShown } from "./use-lab";

const ROW = { wide: 45, narrow: 32 };

/** What is degraded in an answer, beyond what its own place tells. */
function notices({ response }: Found): string[] {
  const placed = /^(only the keyword leg|not reranked)/;
  return response.trace.notices.filter((notice) => !placed.test(notice));
}

const cure = (explained: Explained) => {
  if (explained.cure === "library") navigate(href("library"));
  else if (explained.cure.startsWith("settings")) navigate(href("settings"));
};

/** The screen. */
export default function SearchLabPage() {
  const control = useLab();
  const { lab, change } = control;
  const models = useCommand("model.list", {});
  const runs = useCommand("search.runs", { limit: RUNS });
  const known = models.data ?? (models.error ? [] : undefined);
  const shown = useShown(control, known);
  const record = useRecord(control);
  const narrow = useNarrow();
  const { found, provisional } = shown;
  const comparisons = useComparisons(control, found);

  const order = found ? inFusedOrder(found.response.results).map((hit) => hit.chunk_id) : [];
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
  const busy = record.pending || shown.running;
  useShortcut("search-lab.next", () => step(1));
  useShortcut("search-lab.previous", () => step(-1));
  useShortcut("search-lab.stop", () => record.stop(), record.pending);
  const { forget } = record;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed run is forgotten as soon as something else is asked.
  useEffect(() => forget(), [lab.request]);

  const run = runs.data?.find((each) => each.id === lab.run);
  const model = found?.response.trace.space?.model;
  const context = lab.against
    ? t("search.header.comparing")
    : record.pending
      ? t("search.header.running")
      : [
          lab.run !== undefined ? t("search.runs.run", { id: String(lab.run) }) : undefined,
          run ? moment(run.at) : undefined,
          found ? (model ?? t(`search.modes.${found.request.mode}`)) : undefined,
        ]
          .filter(Boolean)
          .join(" · ");
  const openRun = useCallback(
    (each: SearchRun) =>
      change({ request: each.request, run: each.id, selected: undefined, out: [], against: undefined }),
    [change],
  );

  const nothing = found !== undefined && found.response.results.length === 0 && !provisional;
  const asked = lab.request.query.trim() !== "";
  const failure = shown.error ?? record.error;
  return (
    <div className={css.lab}>
      <PageHeader
        context={context}
        actions={
          lab.against ? (
            <Button icon={<IconX className="s" aria-hidden />} onClick={() => change({ against: undefined })}>
              {t("search.compare.close")}
            </Button>
          ) : record.pending ? (
            <Button icon={<IconSquare className="s" aria-hidden />} onClick={record.stop}>
              {t("search.stop")}
              <Kbd keys="escape" />
            </Button>
          ) : (
            <Runs current={lab.run} onOpen={openRun} />
          )
        }
      />
      <QueryBar {...control} onRecord={record.start} compare={comparisons} provider={shown.partial}>
        <Filters request={lab.request} ask={control.ask} paid={shown.partial} />
        <ParsedLine found={asked ? found : undefined} />
      </QueryBar>
      <div className={css.work} aria-busy={busy}>
        {lab.against ? (
          <Compare {...control} found={found} selected={selected} onOpen={open} />
        ) : (
          <Panes id="search-lab">
            <Pane id="centre" min={420}>
              <Panes id="search-lab-centre" direction="column">
                <Pane id="results" label={t("search.results")} min={180}>
                  {found && notices(found).length > 0 && (
                    <div className={css.notices} role="status">
                      {notices(found).map((notice) => (
                        <Note key={notice} kind={found.response.trace.degraded ? "warn" : "plain"}>
                          {notice}
                        </Note>
                      ))}
                    </div>
                  )}
                  {record.error && found && (
                    <div className={css.notices} role="alert">
                      <Note kind="bad">{record.error.message}</Note>
                    </div>
                  )}
                  {!asked ? (
                    <Start {...control} onRecord={record.start} />
                  ) : failure && (shown.error || !found) ? (
                    <ErrorState error={failure} onRetry={shown.retry} onCure={cure} />
                  ) : !found ? (
                    <SkeletonRows rows={10} height={narrow ? ROW.narrow : ROW.wide} />
                  ) : nothing ? (
                    <NoResults {...control} found={found} />
                  ) : (
                    <Columns
                      found={found}
                      provisional={provisional}
                      mode={lab.request.mode}
                      rerank={lab.request.rerank}
                      partial={shown.partial}
                      selected={selected}
                      onSelect={select}
                      onOpen={open}
                      rowHeight={narrow ? ROW.narrow : ROW.wide}
                    />
                  )}
                </Pane>
                {found && asked && !nothing && (
                  <Pane
                    key={narrow ? "low" : "high"}
                    id={narrow ? "dock-low" : "dock"}
                    size={narrow ? 160 : 214}
                    min={90}
                    max={420}
                    fold="start"
                  >
                    <Dock
                      change={change}
                      order={lab.order}
                      budget={lab.budget}
                      out={lab.out}
                      found={found}
                      provisional={provisional}
                      selected={selected}
                      narrow={narrow}
                    />
                  </Pane>
                )}
              </Panes>
            </Pane>
            <Pane
              key={narrow ? "low" : "high"}
              id={narrow ? "inspector-low" : "inspector"}
              label={t("search.inspector.title")}
              size={narrow ? 272 : 348}
              min={240}
              fold="end"
              sunken
            >
              <Inspector
                ask={control.ask}
                change={change}
                pinned={lab.request.pinned}
                found={asked ? found : undefined}
                provisional={provisional}
                rerankWaits={lab.request.rerank}
                selected={selected}
                onStep={step}
              />
            </Pane>
          </Panes>
        )}
      </div>
    </div>
  );
}
