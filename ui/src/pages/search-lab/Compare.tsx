import { IconLoader2 } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import type { EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { Fusion, SearchRequest } from "@/api/types";
import { Button } from "@/kit/Button";
import type { MenuEntry } from "@/kit/Menu";
import { EmptyState, ErrorState, SkeletonRows } from "@/kit/states";
import { useSteady } from "@/kit/steady";
import { t } from "@/text";
import { explain } from "@/text/errors";
import { visible } from "@/text/visible";
import { Compared, ROW, useKnown } from "./Compared";
import css from "./compare.module.css";
import { modelName } from "./Options";
import { RUNS, runSummary } from "./Runs";
import { leavesComputer, sameRequest } from "./state";
import { type Found, type LabControl, useFound } from "./use-lab";

/** What the present search can be compared with: kept runs and other models. */
export function useComparisons({ lab, change }: LabControl, found: Found | undefined): MenuEntry[] {
  const keptRuns = useCommand("search.runs", { limit: RUNS });
  const listed = useCommand("model.list", {});
  const runs = keptRuns.data;
  const models = listed.data;
  const failed = [listed, keptRuns].find(({ data, error }) => data === undefined && error);
  const retry = useSteady(() => void failed?.refetch());
  const failure = failed?.error;
  const { run: current } = lab;
  const { mode, fusion: requestFusion } = lab.request;
  const empty = lab.request.query.trim() === "";
  const answering = found?.response.trace.space;
  return useMemo(() => {
    if (empty) return [];
    const others = (models ?? []).filter(
      ({ space, served, vectors }) =>
        served &&
        vectors > 0 &&
        mode !== "keyword" &&
        !(space.tier === answering?.tier && space.model === answering.model),
    );
    const fusion = otherFusion(requestFusion);
    const fusions = mode === "hybrid" ? [fusion] : [];
    const kept = (runs ?? []).filter((run) => run.id !== current).slice(0, 8);
    return [
      ...fusions.map((each) => ({
        label: t("search.compare.fusion", { fusion: t(`search.fusions.${each}`) }),
        onClick: () => change({ against: `fusion:${each}` }),
      })),
      ...others.map((model) => ({
        label: t("search.compare.model", { model: modelName(model) }),
        onClick: () => change({ against: `space:${model.space_id}` }),
      })),
      ...(others.length + fusions.length > 0 && kept.length > 0 ? ["line" as const] : []),
      ...kept.map((run) => ({
        label: (
          <span className={css.compareEntry}>
            <span>
              {t("search.runs.run", { id: String(run.id) })} · {runSummary(run)}
            </span>
            <span className="xs mut">{run.request.query}</span>
          </span>
        ),
        onClick: () => change({ against: `run:${run.id}` }),
      })),
      ...(failure ? (["line", { label: <Failure error={failure} />, onClick: retry }] as const) : []),
    ];
  }, [
    runs,
    models,
    current,
    mode,
    requestFusion,
    empty,
    answering?.tier,
    answering?.model,
    change,
    failure,
    retry,
  ]);
}

/** What the menu lacks, and that choosing this tries again. */
function Failure({ error }: { error: EngineError }) {
  const { title, message } = explain(error);
  return (
    <span className={css.compareEntry}>
      <span>
        {title} · {t("errors.cure.retry")}
      </span>
      <span className="xs mut">{visible(message)}</span>
    </span>
  );
}

/** The kind of fusion that is not `fusion`. */
const otherFusion = (fusion: Fusion): Fusion => (fusion === "rrf" ? "scores" : "rrf");

/** The other side: a kept run as it was, or the present request with another model or fusion. A provider is asked only on demand. */
function useOther(lab: LabControl["lab"], base: Found | undefined) {
  const [kind = "", id = ""] = (lab.against ?? "").split(/:(.*)/s);
  const run = useCommand("search.run", { id: Number(id) || 0 }, { enabled: kind === "run" });
  const listed = useCommand("model.list", {});
  const models = listed.data;
  const present = base?.request ?? lab.request;
  const request = kind === "fusion" ? { ...present, fusion: id as Fusion } : { ...present, space: id };
  const [agreed, agree] = useState<SearchRequest>();
  const asks = (kind === "space" || kind === "fusion") && base !== undefined && models !== undefined;
  const held =
    asks && leavesComputer(request, models) && !(agreed !== undefined && sameRequest(agreed, request));
  const model = useFound(request, asks && !held, false);
  if (kind === "run") return { ...run, ask: undefined };
  // Without the models nobody knows whether a provider would be asked.
  if (!models && listed.error)
    return { data: undefined, error: listed.error, refetch: listed.refetch, ask: undefined };
  return { ...model, ask: held && !model.data ? () => agree(request) : undefined };
}

type CompareProps = LabControl & {
  found: Found | undefined;
  /** Why there is no answer of this side, and how it is asked for again. */
  error: EngineError | undefined;
  onRetry: () => void;
  selected: string | undefined;
  onOpen: (chunkId: string) => void;
};

/** Two answers beside each other, what moved, and how far they agree. */
export function Compare({ lab, change, found: a, error, onRetry, selected, onOpen }: CompareProps) {
  const other = useOther(lab, a);
  const known = useKnown();
  const [tab, setTab] = useState<"difference" | "map">("difference");
  const b = other.data;
  if (a && b)
    return (
      <Compared
        lab={lab}
        change={change}
        a={a}
        b={b}
        known={known}
        selected={selected}
        onOpen={onOpen}
        tab={tab}
        onTab={setTab}
      />
    );
  return (
    <div className={css.waiting}>
      {error ? (
        <ErrorState error={error} onRetry={onRetry} />
      ) : other.error ? (
        <ErrorState error={other.error} onRetry={() => void other.refetch()} />
      ) : other.ask ? (
        <EmptyState
          title={t("search.compare.provider")}
          detail={t("search.compare.provider_detail")}
          action={
            <Button tone="primary" onClick={other.ask}>
              {t("search.compare.ask")}
            </Button>
          }
        />
      ) : (
        <>
          <span className="row gap-6 sm c-accent">
            <IconLoader2 className="small spin" aria-hidden />
            {t("search.compare.running")}
          </span>
          <SkeletonRows rows={10} height={ROW} />
        </>
      )}
    </div>
  );
}
