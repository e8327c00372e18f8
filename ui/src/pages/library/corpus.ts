// What the figures of a corpus mean to the reader.

import type { CorpusOverview, JobEvent, ModelCoverage, StrategyView } from "@/api/types";
import type { StatusKind } from "@/kit/Status";
import { sourceType as kindOf, valueLabel } from "@/state/source-types";
import type { TextKey } from "@/text";

const TIERS = ["remote", "embedded", "instant"] as const;

/** Coverage by the models that a corpus may be given to; the others only where they have vectors of it still. */
export const coverageOf = ({ corpus, coverage }: CorpusOverview): ModelCoverage[] =>
  coverage.filter((each) => each.covered > 0 || corpus.remote || each.tier !== "remote");

/** Coverage by the best model that can be used now and that the corpus may be given to. */
export const activeCoverage = ({ corpus, coverage }: CorpusOverview): ModelCoverage | undefined =>
  TIERS.filter((tier) => corpus.remote || tier !== "remote").flatMap((tier) =>
    coverage.filter((each) => each.served && each.tier === tier),
  )[0];

/** Covered chunks as a share of 1. */
export const shareOf = ({ covered, chunks }: ModelCoverage): number => (chunks > 0 ? covered / chunks : 0);

/** The model that answers searches while the active one covers a part only; nothing where words alone do. */
export function meanwhileOf(overview: CorpusOverview): ModelCoverage | undefined {
  const active = activeCoverage(overview);
  // A remote model answers for all of it or not at all.
  const least = active?.tier === "remote" ? 0 : (active?.covered ?? 0);
  return coverageOf(overview)
    .filter((each) => each.served && each.space !== active?.space && each.tier !== "remote")
    .filter(({ covered }) => covered > least)
    .sort((a, b) => b.covered - a.covered || TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier))[0];
}

/** Sizes that a corpus is cut by, each where its strategy knows one. */
export type Sizes = { target?: number; overlap?: number; max?: number };

/** Sizes of a corpus: its own, else the defaults of its strategy. */
export function sizesOf({ settings }: CorpusOverview["corpus"], strategy: StrategyView | undefined): Sizes {
  const size = (...names: string[]) => {
    const param = strategy?.params.find(({ name }) => names.includes(name));
    const value = param && (settings[param.name] ?? param.default);
    return typeof value === "number" ? value : undefined;
  };
  return {
    target: size("target_tokens", "chunk_size"),
    overlap: size("overlap_tokens", "chunk_overlap"),
    max: size("max_tokens"),
  };
}

/** Whether chunks of a corpus begin with their place; nothing where its strategy knows no such thing. */
export function headedOf({ settings }: CorpusOverview["corpus"], strategy: StrategyView | undefined) {
  const param = strategy?.params.find(({ name }) => name === "context_header");
  return param && (settings[param.name] ?? param.default) === true;
}

/** The name of a model without who publishes it. */
export const shortModel = (model: string): string => model.split("/").at(-1) || model;

/** What running jobs do just now. */
export type Work = {
  /** Names of the corpora they write. */
  written: ReadonlySet<string>;
  /** Models whose vectors they make. */
  models: ReadonlySet<string>;
};

/** How a corpus stands, as icon and words. */
export function statusOf(corpus: CorpusOverview, work: Work): { kind: StatusKind; word: TextKey } {
  if (work.written.has(corpus.corpus.name)) return { kind: "run", word: "library.status.ingesting" };
  if (corpus.chunks === 0) return { kind: "off", word: "library.status.empty" };
  const active = activeCoverage(corpus);
  if (!active) return { kind: "warn", word: "library.status.words" };
  if (active.covered >= active.chunks) return { kind: "ok", word: "library.status.ready" };
  if (work.models.has(active.model)) return { kind: "run", word: "library.status.embedding" };
  // The instant model fills in while the active one is at work: its vectors tell of no change.
  const otherwise = corpus.coverage.some(
    (each) => each.space !== active.space && each.tier !== "instant" && each.covered > 0,
  );
  if (active.covered === 0 && otherwise) return { kind: "warn", word: "library.status.changed" };
  return { kind: "warn", word: "library.status.partly" };
}

/** What the jobs that run do just now. */
export function workOf(jobs: ReadonlyMap<number, JobEvent>): Work {
  const running = [...jobs.values()].filter((job) => job.state === "running");
  return {
    written: new Set(running.flatMap((job) => (job.file ? [job.file.corpus] : []))),
    models: new Set(running.flatMap((job) => (!job.file && job.model !== null ? [job.model] : []))),
  };
}

/** Two letters for a source type. */
export const codeOf = (sourceType: string): string =>
  kindOf(sourceType)?.mark ?? sourceType.slice(0, 2).toUpperCase();

/** Words for a part of a corpus: a pillar or a kind of content has some, a section is its own. */
export const groupName = (name: string): string =>
  valueLabel("pillars", name) ?? valueLabel("content_types", name) ?? name;

/** Words for a source type. */
export const typeName = (sourceType: string): string => kindOf(sourceType)?.about ?? sourceType;
