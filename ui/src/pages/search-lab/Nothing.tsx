import { useQueries } from "@tanstack/react-query";
import { NO_FILTERS } from "@/api/defaults";
import { useCommand, useWorkspace } from "@/api/queries";
import { Button } from "@/kit/Button";
import { EmptyState } from "@/kit/states";
import { activeFilters, type FilterName, filterLabel, valuesOf } from "@/state/filters";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { whole } from "@/text/format";
import { valueName } from "./Filters";
import css from "./nothing.module.css";
import { type Found, type LabControl, searchOf } from "./use-lab";

const EXAMPLES = ["first", "second", "third"] as const;

/** Before anything is asked. */
export function Start({ ask, onRecord }: Pick<LabControl, "ask"> & { onRecord: () => void }) {
  const overview = useCommand("library.overview", {});
  if (overview.data?.chunks === 0)
    return (
      <EmptyState
        title={t("search.empty.library")}
        detail={t("search.empty.library_detail")}
        action={<Button onClick={() => navigate(href("library"))}>{t("errors.cure.library")}</Button>}
      />
    );
  return (
    <EmptyState
      title={t("search.empty.start")}
      detail={t("search.empty.start_detail")}
      action={
        <span className={css.examples}>
          {EXAMPLES.map((name) => {
            const example = t(`search.empty.examples.${name}`);
            return (
              <Button
                key={name}
                size="small"
                onClick={() => ask({ query: example })}
                onDoubleClick={onRecord}
              >
                {example}
              </Button>
            );
          })}
        </span>
      }
    />
  );
}

/** Nothing was found: names what kept everything out and offers to clear it. */
export function NoResults({ found, ask }: Pick<LabControl, "ask"> & { found: Found }) {
  const { request, response } = found;
  const { trace } = response;
  const active = activeFilters(request.filters);
  const none = trace.candidates_after === 0;
  // Which filter alone keeps everything out: the same search without it, by words, which costs next to nothing.
  const workspace = useWorkspace();
  const without = useQueries({
    queries: (none ? active : []).map((name) => {
      const probe = {
        ...request,
        mode: "keyword" as const,
        rerank: false,
        top_k: 1,
        filters: { ...request.filters, [name]: [] },
      };
      return searchOf(probe, workspace);
    }),
  });
  const guilty = active.filter(
    (_, index) => (without[index]?.data?.response.trace.candidates_after ?? 0) > 0,
  );
  const clear = (names: readonly FilterName[]) =>
    ask({ filters: { ...request.filters, ...Object.fromEntries(names.map((name) => [name, []])) } });
  const below = trace.dropped.filter((each) => each.stage === "min_relevance").length;
  const counts = { after: whole(trace.candidates_after), before: whole(trace.candidates_before) };
  if (none && active.length > 0) {
    const named = guilty.length > 0 ? guilty : active;
    const words = named
      .map(
        (name) =>
          `${filterLabel(name)} ${valuesOf(request.filters, name)
            .map((value) => valueName(name, value))
            .join(", ")}`,
      )
      .join("; ");
    return (
      <EmptyState
        title={t("search.none.filtered", { filters: words })}
        detail={t("search.none.counts", counts)}
        action={
          <>
            {named.map((name) => (
              <Button key={name} size="small" onClick={() => clear([name])}>
                {t("search.filter.clear", { filter: filterLabel(name) })}
              </Button>
            ))}
            {active.length > 1 && (
              <Button size="small" tone="quiet" onClick={() => ask({ filters: NO_FILTERS })}>
                {t("search.none.clear_all")}
              </Button>
            )}
          </>
        }
      />
    );
  }
  if (below > 0)
    return (
      <EmptyState
        title={t("search.none.below", { count: below, least: request.min_relevance ?? 0 })}
        detail={t("search.none.counts", counts)}
        action={
          <Button size="small" onClick={() => ask({ min_relevance: null })}>
            {t("search.none.clear_least")}
          </Button>
        }
      />
    );
  return (
    <EmptyState
      title={t(request.mode === "keyword" ? "search.none.words" : "search.none.any")}
      detail={t("search.none.counts", counts)}
      action={
        request.mode === "keyword" ? (
          <Button size="small" onClick={() => ask({ mode: "hybrid" })}>
            {t("search.none.hybrid")}
          </Button>
        ) : active.length > 0 ? (
          <Button size="small" onClick={() => ask({ filters: NO_FILTERS })}>
            {t("search.none.clear_all")}
          </Button>
        ) : undefined
      }
    />
  );
}
