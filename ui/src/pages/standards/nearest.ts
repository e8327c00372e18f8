// The sentence of each passage that is nearest in meaning to what found it, asked for once the list stands.

import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "@/api/client";
import { keyOf, useWorkspace } from "@/api/queries";
import type { PassageSentence } from "@/api/types";
import type { Stretch } from "@/parts/stems";
import type { Finds, Found } from "./evidence";

/** Passages that the engine looks at in one call. */
const AT_ONCE = 50;

/** The nearest sentences by passage, as far as they are known. What was told of a passage is kept, whatever the list. */
export function useNearest(
  found: readonly Found[],
  { evidence }: Pick<Finds, "evidence">,
): ReadonlyMap<string, Stretch> {
  const workspace = useWorkspace();
  const queries = useMemo(() => {
    const words = new Map(evidence?.queries);
    return found.flatMap(({ hit: { chunk_id }, by }) => {
      const query = words.get(by);
      if (query === undefined) return [];
      return {
        queryKey: keyOf("passage.nearest_sentence", { query, chunk_ids: [chunk_id] }, workspace),
        queryFn: ({ signal }: { signal: AbortSignal }) => ask({ query, workspace }, chunk_id, signal),
      };
    });
  }, [found, evidence, workspace]);
  return useQueries({ queries, combine });
}

const combine = (results: UseQueryResult<PassageSentence[]>[]): ReadonlyMap<string, Stretch> =>
  new Map(results.flatMap(({ data }) => data ?? []).map((each) => [each.chunk_id, each]));

type Asked = {
  id: string;
  signal: AbortSignal;
  resolve: (sentences: PassageSentence[]) => void;
  reject: (thrown: unknown) => void;
};

/** Words of a query, and the workspace that they are asked in. */
type Question = { query: string; workspace: string };

/** Passages that were asked about in the present task, by question. */
const waiting = new Map<string, Asked[]>();

/** Asks about a passage. Those that are asked about in one task share their calls. */
const ask = (question: Question, id: string, signal: AbortSignal) =>
  new Promise<PassageSentence[]>((resolve, reject) => {
    const key = JSON.stringify([question.workspace, question.query]);
    const others = waiting.get(key) ?? [];
    if (others.length === 0) queueMicrotask(() => send(key, question));
    waiting.set(key, [...others, { id, signal, resolve, reject }]);
  });

function send(key: string, question: Question) {
  const asked = (waiting.get(key) ?? []).filter(({ signal }) => !signal.aborted);
  waiting.delete(key);
  for (let at = 0; at < asked.length; at += AT_ONCE)
    void sendTogether(question, asked.slice(at, at + AT_ONCE));
}

async function sendTogether({ query, workspace }: Question, asked: readonly Asked[]) {
  const all = new AbortController();
  const leave = () => asked.every(({ signal }) => signal.aborted) && all.abort();
  for (const { signal } of asked) signal.addEventListener("abort", leave, { once: true });
  try {
    const input = { query, chunk_ids: asked.map(({ id }) => id) };
    const sentences = await call("passage.nearest_sentence", input, { signal: all.signal, workspace });
    for (const { id, resolve } of asked) resolve(sentences.filter((each) => each.chunk_id === id));
  } catch (thrown) {
    for (const { reject } of asked) reject(thrown);
  }
}
