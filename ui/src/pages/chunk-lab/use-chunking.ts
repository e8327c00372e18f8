// The document on screen and its chunks, made again with every change of the configuration.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { call, EngineError } from "@/api/client";
import { useWorkspace } from "@/api/queries";
import type { ChunkingSource, ChunkingView, PreviewedChunk, StructureView } from "@/api/types";
import { type Layout, layoutOf } from "./cut";
import type { Config } from "./state";

/** What is cut, with a short name for it: a text given by hand is too long to be one. */
export type Source = { key: string; source: ChunkingSource };

/** The document as it is cut by the configuration of its own corpus. */
export type Base = { key: string; text: string; structure: StructureView; cut: ChunkingView };

/** A cut of the document on screen. */
export type Cut = {
  key: string;
  config: Config | undefined;
  view: ChunkingView;
  layout: Layout;
  /** When the change was made that it answers, for telling how long that took. */
  asked: number;
};

/** Whether two answers show the same: one text, cut by one configuration, makes the same chunks. */
const isSame = (before: Base | undefined, now: Base): boolean =>
  before !== undefined &&
  before.key === now.key &&
  before.text === now.text &&
  before.cut.strategy === now.cut.strategy &&
  before.cut.chunks.length === now.cut.chunks.length &&
  JSON.stringify(before.cut.settings) === JSON.stringify(now.cut.settings);

/** The document of `source`, with its first cut. */
export function useBase(source: Source | undefined) {
  const workspace = useWorkspace();
  return useQuery<Base, EngineError>({
    queryKey: ["chunk.preview", workspace, { source: source?.key }],
    queryFn: async ({ signal }) => {
      const { source: asked, key } = source as Source;
      const cut = await call("chunk.preview", { source: asked }, { signal, workspace });
      if (cut.text === null || cut.structure === null)
        throw new EngineError("internal", "the engine gave no text with the cut");
      return { key, text: cut.text, structure: cut.structure, cut };
    },
    enabled: source !== undefined,
    // While a job runs the document is asked for again and again: what has not changed keeps its place on screen.
    structuralSharing: (before, now) => (isSame(before as Base | undefined, now as Base) ? before : now),
    gcTime: 30_000,
  });
}

const sameConfig = (a: Config | undefined, b: Config | undefined) => JSON.stringify(a) === JSON.stringify(b);

/**
 * The cut of `base` by `config`. While one call is under way the latest change waits, and those between are never
 * asked for; an answer for another document is dropped. The former cut stays until the new one is there.
 */
export function useChunking(source: Source | undefined, base: Base | undefined, config: Config | undefined) {
  const [answer, setAnswer] = useState<{ base: Base; config: Config; view: ChunkingView; asked: number }>();
  const [failed, setFailed] = useState<{ config: Config; error: EngineError }>();
  const [attempt, setAttempt] = useState(0);
  const wanted = useRef<{ config: Config; asked: number } | undefined>(undefined);
  const busy = useRef<AbortController | undefined>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: with another document everything starts over.
  useEffect(() => {
    setAnswer(undefined);
    setFailed(undefined);
    return () => {
      wanted.current = undefined;
      busy.current?.abort();
      busy.current = undefined;
    };
  }, [base]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks for the same again.
  useEffect(() => {
    if (!base || !source || source.key !== base.key) return;
    if (!config) {
      wanted.current = undefined;
      setFailed(undefined);
      return;
    }
    wanted.current = { config, asked: performance.now() };
    const next = () => {
      const now = wanted.current;
      if (!now || busy.current) return;
      wanted.current = undefined;
      const control = new AbortController();
      busy.current = control;
      const { strategy, values } = now.config;
      const done = () => {
        if (busy.current !== control) return false;
        busy.current = undefined;
        return true;
      };
      call(
        "chunk.preview",
        { source: source.source, strategy, settings: values, chunks_only: true },
        { signal: control.signal },
      ).then(
        (view) => {
          if (!done()) return;
          setAnswer({ base, config: now.config, view, asked: now.asked });
          setFailed(undefined);
          next();
        },
        (thrown) => {
          if (!done()) return;
          setFailed({ config: now.config, error: EngineError.from(thrown) });
          next();
        },
      );
    };
    next();
  }, [source, base, config, attempt]);

  const shown = answer && answer.base === base && config ? answer : undefined;
  const layouts = useRef(new WeakMap<readonly PreviewedChunk[], Layout>());
  const cut = useMemo((): Cut | undefined => {
    if (!base) return undefined;
    const view = shown?.view ?? base.cut;
    const kept = layouts.current.get(view.chunks);
    const layout = kept ?? layoutOf(view.chunks, base.text);
    layouts.current.set(view.chunks, layout);
    return { key: base.key, config: shown?.config, view, layout, asked: shown?.asked ?? 0 };
  }, [base, shown]);
  const error = failed && sameConfig(failed.config, config) ? failed.error : undefined;
  return {
    cut,
    /** The cut on screen is not yet the one of `config`. */
    pending: base !== undefined && !error && !sameConfig(cut?.config, config),
    error,
    retry: () => setAttempt((now) => now + 1),
  };
}
