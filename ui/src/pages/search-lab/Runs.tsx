import { IconHistory } from "@tabler/icons-react";
import { memo, useRef, useState } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { SearchRequest, SearchRun } from "@/api/types";
import { Button } from "@/kit/Button";
import { Popover } from "@/kit/Popover";
import { useShortcut } from "@/kit/shortcuts";
import { EmptyState, Loaded } from "@/kit/states";
import { VirtualList } from "@/kit/VirtualList";
import { activeFilters } from "@/state/filters";
import { t } from "@/text";
import { moment, upTo } from "@/text/format";
import css from "./runs.module.css";
import shared from "./shared.module.css";

/** Kept runs that are asked for. */
export const RUNS = 200;

/** The fusion of a request and its first number, in a few signs. */
export const fusionWords = (request: SearchRequest): string =>
  request.fusion === "rrf"
    ? `${t("search.fusions.rrf")} ${request.rrf_k}`
    : `${t("search.fusions.scores")} ${upTo(request.semantic_share, 2)}`;

/** How a run was set, in a few words. */
export function runSummary({ request }: SearchRun): string {
  const filters = activeFilters(request.filters).length;
  return [
    t(`search.modes.${request.mode}`),
    request.mode === "hybrid" ? fusionWords(request) : undefined,
    request.rerank ? t("search.rerank") : undefined,
    filters > 0 ? t("search.runs.filters", { count: filters }) : undefined,
  ]
    .filter(Boolean)
    .join(" · ");
}

type RunsProps = { current: number | undefined; onOpen: (run: SearchRun) => void };

/** The searches that were kept, the newest first; one opens with the answer it had. */
export const Runs = memo(function Runs({ current, onOpen }: RunsProps) {
  const opener = useRef<HTMLButtonElement>(null);
  useShortcut("search-lab.runs", () => opener.current?.click());
  return (
    <Popover
      label={t("search.runs.title")}
      width={420}
      position="bottom-end"
      button={(open, toggle) => (
        <Button
          ref={opener}
          icon={<IconHistory className="small" aria-hidden />}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={toggle}
        >
          {t("search.runs.title")}
        </Button>
      )}
    >
      {(close) => <History current={current} onOpen={onOpen} close={close} />}
    </Popover>
  );
});

function History({ current, onOpen, close }: RunsProps & { close: () => void }) {
  const runs = useCommand("search.runs", { limit: RUNS });
  const clear = useAction("search.clear_runs");
  const [sure, setSure] = useState(false);
  return (
    <Loaded query={runs}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState title={t("search.runs.empty")} detail={t("search.runs.empty_detail")} />
        ) : (
          <>
            <div className={shared.runs} style={{ height: Math.min(380, all.length * 46) }}>
              <VirtualList
                label={t("search.runs.title")}
                count={all.length}
                rowHeight={46}
                selected={all.findIndex((run) => run.id === current)}
                rowKey={(index) => all[index]?.id ?? index}
                onSelect={(index) => {
                  const run = all[index];
                  if (run) onOpen(run);
                }}
                onOpen={close}
                row={(index) => {
                  const run = all[index];
                  return (
                    run && (
                      <div className={shared.run}>
                        <div className="row between">
                          <span className="ell">{run.request.query}</span>
                          <span className="xs mut nowrap">{moment(run.at)}</span>
                        </div>
                        <div className="row between xs mut">
                          <span className="ell">
                            {t("search.runs.run", { id: String(run.id) })} · {runSummary(run)}
                          </span>
                          <span className="number nowrap">
                            {t("search.runs.results", { count: run.results })}
                          </span>
                        </div>
                      </div>
                    )
                  );
                }}
              />
            </div>
            <div className={`row gap-6 ${css.runsFoot}`}>
              <span className="xs mut grow">{t("search.runs.note")}</span>
              {sure ? (
                <>
                  <Button size="tiny" tone="danger" onClick={() => clear.mutate({})}>
                    {t("search.runs.clear_sure", { count: all.length })}
                  </Button>
                  <Button size="tiny" tone="quiet" onClick={() => setSure(false)}>
                    {t("search.runs.keep")}
                  </Button>
                </>
              ) : (
                <Button size="tiny" tone="quiet" onClick={() => setSure(true)}>
                  {t("search.runs.clear")}
                </Button>
              )}
            </div>
          </>
        )
      }
    </Loaded>
  );
}
