// Runs in words, and which two of them are looked at.

import type { EvalRun, RunConfiguration, RunCorpus, SearchRequest } from "@/api/types";
import type { LegKind } from "@/kit/legs";
import { judgedMeasure } from "@/parts/measure";
import { strategyName } from "@/parts/strategy";
import { t } from "@/text";
import { upTo } from "@/text/format";

/** Sizes of a strategy that tell its cuts apart, the first that it has. */
const SIZES = ["target_tokens", "chunk_size", "max_tokens"];
const OVERLAPS = ["overlap_tokens", "chunk_overlap"];

/** Names of the size and the overlap that the words of a cut tell. */
export function toldSizes(settings: RunCorpus["settings"]): (string | undefined)[] {
  const first = (names: readonly string[]) => names.find((name) => typeof settings[name] === "number");
  const size = first(SIZES);
  return [size, size === undefined ? undefined : first(OVERLAPS)];
}

/** How a corpus was cut, in a few words: `Recursive 320/48`. */
export function cutWords({ strategy, settings }: Pick<RunCorpus, "strategy" | "settings">): string {
  const [size, overlap] = toldSizes(settings).map((name) => name && settings[name]);
  const numbers = size === undefined ? "" : overlap ? ` ${size}/${overlap}` : ` ${size}`;
  return `${strategyName(strategy)}${numbers}`;
}

/** How a search was set, in a few words. */
export function searchWords(search: SearchRequest): string {
  return [
    t(`search.modes.${search.mode}`),
    search.mode !== "hybrid"
      ? undefined
      : search.fusion === "rrf"
        ? `${t("search.fusions.rrf")} ${search.rrf_k}`
        : `${t("search.fusions.scores")} ${upTo(search.semantic_share, 2)}`,
    search.rerank ? t("search.rerank").toLowerCase() : undefined,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** How a run was made, in a line: its search, its cuts and its model. */
export function configurationWords({ search, corpora, model }: RunConfiguration): string {
  if (!search) return t("evaluate.runs.other_system");
  const cuts = [...new Set(corpora.map(cutWords))];
  const shown = cuts.length > 2 ? t("evaluate.runs.cuts", { count: cuts.length }) : cuts.join(", ");
  return [searchWords(search), shown, model].filter(Boolean).join(" · ");
}

/** The lists that a search asks, in the order of the legs. */
export function legsOf(search: Pick<SearchRequest, "mode" | "rerank">): LegKind[] {
  const legs: LegKind[] = [];
  if (search.mode !== "semantic") legs.push("keyword");
  if (search.mode !== "keyword") legs.push("semantic");
  if (search.rerank) legs.push("rerank");
  return legs;
}

/** The run that is looked at, and the one that it is held against. */
export type Pair = { candidate: EvalRun | undefined; baseline: EvalRun | undefined };

/** The two runs that an address names; the newest, and the one made before it, where it names none. `runs` are newest first. */
export function pairOf(
  runs: readonly EvalRun[],
  { run, against }: { run: number | undefined; against: number | undefined },
): Pair {
  const named = (id: number | undefined) => runs.find((each) => each.id === id);
  const candidate = named(run) ?? runs.find((each) => each.id !== against);
  const before = runs[runs.findIndex((each) => each.id === candidate?.id) + 1];
  const chosen = named(against);
  const baseline = chosen && chosen.id !== candidate?.id ? chosen : before;
  return { candidate, baseline };
}

/** The measures of the tiles, the first that a run has. */
const TILES = [
  "recall@5",
  "recall@10",
  "precision@5",
  "rr",
  "ndcg@10",
  "not_found_accuracy",
  "success@1",
  "ap",
  "span_recall@5",
  "success@3",
  "recall@100",
];

/** Those that have a tile however many others a run has. */
const ALWAYS = ["rr", "ndcg@10", "not_found_accuracy"];

/** Tiles that there is room for. */
const ROOM = 6;

/** The measures that stand in the tiles of a run. */
export function tilesOf(run: EvalRun): string[] {
  const known = TILES.filter((measure) => run.measures[measure] !== undefined);
  const basis = judgedMeasure(run.measures);
  const always = known.filter((measure) => ALWAYS.includes(measure));
  const room = (basis === undefined ? ROOM : ROOM - 1) - always.length;
  const others = known.filter((measure) => !ALWAYS.includes(measure)).slice(0, room);
  const shown = known.filter((measure) => always.includes(measure) || others.includes(measure));
  // Unjudged results count as wrong in the others, so that their share stands beside them.
  return basis === undefined ? shown : [...shown, basis];
}
