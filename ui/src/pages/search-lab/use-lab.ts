// The state of the screen, kept in the address, and the searches it leads to.

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { call, currentWorkspace, EngineError } from "@/api/client";
import { sameRanking } from "@/api/defaults";
import { keyOf, refresh, tagsOf, useCommand, useWorkspace } from "@/api/queries";
import type { ModelView, SearchRequest, SearchResponse } from "@/api/types";
import { useDelayed } from "@/kit/states";
import { useSteady } from "@/kit/steady";
import { useStill } from "@/kit/still";
import { asFused } from "@/parts/score";
import { useAddressState } from "@/state/address-state";
import { useSourceTypes } from "@/state/source-types";
import {
  defaultRequest,
  followingUsual,
  fromAddress,
  type Lab,
  leavesComputer,
  sameRequest,
  toAddress,
  understood,
  whileTyping,
} from "./state";

/** Milliseconds that a request stands before words alone answer while the semantic leg is still on its way. */
const PATIENCE = 150;

/** Nothing is taken out of the context: always the same list, so that no letter of a query redraws the last answer. */
const NOTHING: readonly string[] = [];

/** The state with what changes it. */
export type LabControl = {
  lab: Lab;
  change: (part: Partial<Lab>) => void;
  /** Changes what is asked: the answer of a kept run no longer belongs to it. */
  ask: (part: Partial<SearchRequest>) => void;
};

/** The search that this library makes where nobody says how; the engine's own until it is known. */
export function useUsual(): SearchRequest {
  const { data } = useCommand("search.usual", {});
  return useMemo(() => data ?? defaultRequest(), [data]);
}

/** The state of the screen. */
export function useLab(): LabControl {
  const usual = useUsual();
  const read = useCallback((query: URLSearchParams) => fromAddress(query, usual), [usual]);
  const write = useCallback((lab: Lab) => toAddress(lab, usual), [usual]);
  const [lab, setLab] = useAddressState("search-lab", read, write);
  const kinds = useSourceTypes();
  useEffect(() => {
    if (kinds.length > 0) setLab(understood);
  }, [kinds, setLab]);
  const followed = useRef(usual);
  useEffect(() => {
    const before = followed.current;
    followed.current = usual;
    if (!sameRanking(before, usual))
      setLab((now) =>
        now.run === undefined ? { ...now, request: followingUsual(now.request, before, usual) } : now,
      );
  }, [usual, setLab]);
  const change = useCallback((part: Partial<Lab>) => setLab((now) => ({ ...now, ...part })), [setLab]);
  const ask = useCallback(
    (part: Partial<SearchRequest>) =>
      setLab((now) => ({ ...now, request: { ...now.request, ...part }, run: undefined, out: NOTHING })),
    [setLab],
  );
  return { lab, change, ask };
}

/** An answer with what was asked. */
export type Found = { request: SearchRequest; response: SearchResponse };

/** A search that keeps its request beside the answer. */
export const searchOf = (request: SearchRequest, workspace = currentWorkspace()) =>
  queryOptions<Found, EngineError>({
    queryKey: ["search", workspace, request, "found"],
    queryFn: async ({ signal }) => ({
      request,
      response: await call("search", request, { signal, workspace }),
    }),
    gcTime: 60_000,
  });

/** The answer to a request, cached. A newer request cancels it. */
export function useFound(request: SearchRequest, enabled: boolean, keep = true) {
  const workspace = useWorkspace();
  return useQuery({
    ...searchOf(request, workspace),
    enabled,
    placeholderData: keep
      ? (last, query) => (query?.queryKey[1] === workspace ? last : undefined)
      : undefined,
  });
}

/** Asks with each letter of the query, before the letter itself is drawn: the engine answers meanwhile. */
export function useAskAhead({ lab, ask }: LabControl, models: readonly ModelView[] | undefined) {
  const queries = useQueryClient();
  return useSteady((part: Partial<SearchRequest>) => {
    const request = { ...lab.request, ...part };
    if (models && request.query.trim() !== "")
      void queries.prefetchQuery(searchOf(whileTyping(request, models)));
    ask(part);
  });
}

/** What stands on the screen. */
export type Shown = {
  /** The answer, with the request that it answers. */
  found: Found | undefined;
  /** Words answered, the semantic leg is still on its way. */
  provisional: boolean;
  /** Enter asks for more than is shown: a provider's model, or reranking. */
  partial: boolean;
  /** A call has been on its way for long enough to say so. */
  running: boolean;
  error: EngineError | undefined;
  retry: () => void;
};

type Answer = Pick<Shown, "found" | "provisional">;
const nothing: Answer = { found: undefined, provisional: false };

/** The search that the state stands for: the kept run, or an answer while typing. */
export function useShown({ lab, change }: LabControl, models: readonly ModelView[] | undefined): Shown {
  const asked = lab.request;
  const searchable = asked.query.trim() !== "" && models !== undefined;
  const live = useMemo(() => whileTyping(asked, models ?? []), [asked, models]);
  const kept = useCommand("search.run", { id: lab.run ?? 0 }, { enabled: lab.run !== undefined });
  const typed = useFound(live, searchable && lab.run === undefined);
  // An answer that is only brought up to date stays: words alone would be a step back.
  const own = typed.isPlaceholderData ? undefined : typed.data;
  const stood = useStill(live, PATIENCE) === live;
  const late = useDelayed(typed.isFetching && own === undefined && lab.run === undefined, PATIENCE) && stood;
  const quick = useFound({ ...live, mode: "keyword", rerank: false }, late && live.mode === "hybrid", false);
  const running = useDelayed(lab.run === undefined ? typed.isFetching : kept.isFetching);
  const words = useMemo(
    () => quick.data && { request: live, response: withoutMeaning(quick.data) },
    [quick.data, live],
  );
  const last = useRef<Answer>(nothing);
  const before = last.current;
  const failed = lab.run === undefined ? typed : kept;
  let answer: Answer;
  // What explains the last answer would explain nothing beside an error.
  if (failed.error) answer = nothing;
  else if (lab.run !== undefined) answer = kept.data ? { found: kept.data, provisional: false } : before;
  else if (lab.request.query.trim() === "") answer = nothing;
  else if (own) answer = { found: own, provisional: false };
  else if (late && words) answer = { found: words, provisional: true };
  else answer = before.found ? before : { found: typed.data, provisional: false };
  const { found, provisional } = answer;
  useEffect(() => {
    last.current = { found, provisional };
  }, [found, provisional]);
  // A link may name a run alone: the settings follow from it.
  const keptRequest = lab.run === undefined ? undefined : kept.data?.request;
  const adopt = useEffectEvent((request: SearchRequest) => {
    if (!sameRequest(request, lab.request)) change({ request });
  });
  useEffect(() => {
    if (keptRequest) adopt(keptRequest);
  }, [keptRequest]);
  return {
    found,
    provisional,
    partial: lab.run === undefined && leavesComputer(asked, models ?? []),
    running,
    error: failed.error ?? undefined,
    retry: () => void failed.refetch(),
  };
}

/** An answer by words alone, counted as the fusion will count it. */
const withoutMeaning = ({ request, response }: Found): SearchResponse => ({
  ...response,
  results: response.results.map((hit) => asFused(hit, request, response.trace)),
});

/** Searches and keeps the run; the call can be given up. */
export function useRecord({ lab, change }: LabControl) {
  const queries = useQueryClient();
  const workspace = useWorkspace();
  const controller = useRef<AbortController>(undefined);
  const asked = useRef(lab.request);
  asked.current = lab.request;
  const record = useMutation({
    mutationFn: (request: SearchRequest) => {
      controller.current?.abort();
      controller.current = new AbortController();
      return call("search.record", request, { signal: controller.current.signal, workspace });
    },
    meta: { inPlace: true },
    onSuccess: ({ run, response }, request) => {
      // A library that can only be read keeps no searches.
      if (run === null) return;
      queries.setQueryData(keyOf("search.run", { id: run }, workspace), { request, response });
      if (asked.current === request) change({ run, out: NOTHING });
    },
    onSettled: () => refresh(queries, tagsOf("search.record")),
  });
  const failure = record.error ? EngineError.from(record.error) : undefined;
  return {
    start: () => {
      if (lab.request.query.trim() !== "") record.mutate(lab.request);
    },
    stop: () => controller.current?.abort(),
    pending: record.isPending,
    error: failure?.cancelled ? undefined : failure,
    forget: record.reset,
  };
}
