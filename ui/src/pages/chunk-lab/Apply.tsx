import type { ChunkingDifference, CorpusOverview, Preflight } from "@/api/types";
import { ApplyCut, type Estimate, lookedInto } from "@/parts/ApplyCut";
import { strategyName } from "@/parts/strategy";
import { t } from "@/text";
import type { Base, Cut } from "./use-chunking";
import type { ConfigControl } from "./use-config";

/** What applying would be: as the engine looked into it, else the corpus in proportion to the document on screen. */
export function estimate(
  preflight: Preflight,
  corpus: CorpusOverview,
  base: Base,
  cut: Cut,
  difference: ChunkingDifference | undefined,
): Estimate {
  if (preflight.files.length > 0) return lookedInto(preflight);
  const share = (now: number, before: number) => (before > 0 ? now / before : 1);
  const tokens = Math.round(corpus.tokens * share(cut.view.statistics.total, base.cut.statistics.total));
  const price = difference?.cost ?? null;
  const embedded = difference?.difference.tokens_to_embed ?? 0;
  return {
    documents: corpus.documents,
    chunks: Math.round(corpus.chunks * share(cut.view.statistics.count, base.cut.statistics.count)),
    tokens,
    seconds: undefined,
    embedding: undefined,
    cost: price !== null && embedded > 0 ? (price / embedded) * tokens : price,
    from: t("apply.from_here"),
  };
}

type ApplyProps = {
  corpus: CorpusOverview;
  control: ConfigControl;
  base: Base;
  cut: Cut;
  difference: ChunkingDifference | undefined;
  onClose: () => void;
};

/** What it costs to cut the corpus of the document this way. */
export function Apply({ corpus, control, base, cut, difference, onClose }: ApplyProps) {
  const { name } = control.strategy;
  return (
    <ApplyCut
      corpus={corpus.corpus}
      strategy={name}
      settings={control.values}
      detail={t("apply.detail", { strategy: strategyName(name) })}
      estimate={(preflight) => estimate(preflight, corpus, base, cut, difference)}
      onClose={onClose}
    />
  );
}
