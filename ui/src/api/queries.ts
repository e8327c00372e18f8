// Calls as cached queries. The command list declares as tags what each query shows and each mutation changes. A
// finished mutation, or an event of the engine, refreshes every query that shares a tag with it.

import {
  CancelledError,
  MutationCache,
  QueryClient as Queries,
  type Query,
  QueryCache,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import {
  type Command,
  call,
  currentWorkspace,
  EngineError,
  type Input,
  may,
  type Output,
  subscribe,
  watchWorkspace,
} from "./client";
import { commandTags } from "./types";

const declared: Record<string, { kind: string; tags: readonly string[] }> = commandTags;

/** Tags of a command: what a query shows, what a mutation changes. */
export const tagsOf = (command: string): readonly string[] => declared[command]?.tags ?? [];

/**
 * The cache of one window. `onFailure` receives every failed action, except those shown in their place. It also
 * receives every answer on screen that could not be updated: once, until that works again.
 */
export function createQueries(onFailure: (error: EngineError) => void = () => undefined): QueryClient {
  const told = new WeakMap<object, string>();
  return new Queries({
    queryCache: new QueryCache({
      onError: (thrown, query) => {
        // A first answer that fails is told where it would stand.
        if (query.state.data === undefined || thrown instanceof CancelledError) return;
        const error = EngineError.from(thrown);
        if (error.cancelled || told.get(query) === error.message) return;
        told.set(query, error.message);
        onFailure(error);
      },
      onSuccess: (_, query) => void told.delete(query),
    }),
    mutationCache: new MutationCache({
      onError: (error, _input, _context, mutation) => {
        if (!mutation.meta?.inPlace) onFailure(EngineError.from(error));
      },
    }),
    defaultOptions: {
      queries: {
        // The engine tells when something changes: time alone makes nothing stale.
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // A local engine that refuses once refuses again.
        retry: false,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/** Queries that are asked once more as soon as their first answer is there. */
const askedAgain = new WeakSet<Query>();

/** Refreshes every query that shows one of `tags`. The tag `*` refreshes all. */
export function refresh(queries: QueryClient, tags: readonly string[]): Promise<void> {
  const all = tags.includes("*");
  const touched = ({ queryKey }: Query) =>
    all || tagsOf(String(queryKey[0])).some((tag) => tags.includes(tag));
  for (const query of queries.getQueryCache().findAll({ predicate: touched, fetchStatus: "fetching" })) {
    // A first answer on its way may be of before the change, and counts as fresh when it comes.
    if (query.state.data !== undefined || askedAgain.has(query)) continue;
    askedAgain.add(query);
    const again = () => {
      askedAgain.delete(query);
      return queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    void query.fetch().then(again, again);
  }
  return queries.invalidateQueries({ predicate: touched });
}

const PAUSE = 250;

/** Refreshes what the engine's events touch, until stopped. A job tells much: it is heard four times a second. */
export function followEvents(queries: QueryClient): () => void {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.size === 0) return;
    void refresh(queries, [...waiting]);
    waiting.clear();
    timer = setTimeout(flush, PAUSE);
  };
  const stop = subscribe((event) => {
    for (const tag of event.tags ?? []) waiting.add(tag);
    if (timer === undefined) flush();
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Name of the workspace that the window works in; the component follows it. */
export const useWorkspace = (): string => useSyncExternalStore(watchWorkspace, currentWorkspace);

/** Key of a query in the cache: an answer belongs to the workspace that it was asked for in. */
export const keyOf = <C extends Command>(command: C, input: Input<C>, workspace = currentWorkspace()) =>
  [command, workspace, input] as const;

/** A query command as the cache takes it, bound to one workspace from the key to the call. */
export const queryOf = <C extends Command>(command: C, input: Input<C>, workspace = currentWorkspace()) =>
  queryOptions<Output<C>, EngineError>({
    queryKey: keyOf(command, input, workspace),
    queryFn: ({ signal }) => call(command, input, { signal, workspace }),
  });

/** Options of {@link useCommand}. */
export type QueryOptions = {
  /** Whether to ask at all. */
  enabled?: boolean;
  /** Keep showing the last answer of the same workspace while the next one is on its way. */
  keep?: boolean;
  /** Milliseconds after which it is asked for once more, for what no command and no job tells of. */
  again?: number;
};

/** Asks before anything is drawn that shows the answer. */
export function askAhead<C extends Command>(queries: QueryClient, command: C, input: Input<C>): void {
  if (!may(command)) return;
  // A failure is told where the answer is shown: that asks again.
  void queries.prefetchQuery(queryOf(command, input));
}

/** The answer of a query command. A newer input cancels the call for an older one. */
export function useCommand<C extends Command>(command: C, input: Input<C>, options: QueryOptions = {}) {
  const workspace = useWorkspace();
  return useQuery({
    ...queryOf(command, input, workspace),
    enabled: (options.enabled ?? true) && may(command),
    refetchInterval: options.again ?? false,
    placeholderData: options.keep
      ? (last, query) => (query?.queryKey[1] === workspace ? last : undefined)
      : undefined,
  });
}

/**
 * A command that changes something; what shares its tags is refreshed when it has run. A failure is told as a toast
 * or dialog, unless the caller shows it `inPlace`. It works in the workspace that was on screen when it was asked for.
 */
export function useAction<C extends Command>(command: C, options: { inPlace?: boolean } = {}) {
  const queries = useQueryClient();
  const workspace = useWorkspace();
  return useMutation<Output<C>, EngineError, Input<C>>({
    mutationFn: (input) => call(command, input, { workspace }),
    meta: { inPlace: options.inPlace },
    // Not waited for: while a job tells of itself, what it touches is refreshed again and again.
    onSettled: () => void refresh(queries, tagsOf(command)),
  });
}
