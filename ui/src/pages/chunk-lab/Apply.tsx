import { useAction, useCommand } from "@/api/queries";
import type { ChunkingDifference, CorpusOverview, IngestRequest, Preflight } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { KeyValues, Note } from "@/kit/Note";
import { Loaded, SkeletonRows } from "@/kit/states";
import { strategyName } from "@/parts/strategy";
import { href, navigate } from "@/state/router";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { cost, seconds, whole } from "@/text/format";
import shared from "./shared.module.css";
import type { Base, Cut } from "./use-chunking";
import type { ConfigControl } from "./use-config";

type Estimate = {
  documents: number;
  chunks: number;
  tokens: number;
  seconds: number | undefined;
  embedding: number | undefined;
  cost: number | null;
  /** It was worked out from the document on screen. */
  fromHere: boolean;
};

/** What applying would be: as the engine looked into it, else the corpus in proportion to the document on screen. */
export function estimate(
  preflight: Preflight,
  corpus: CorpusOverview,
  base: Base,
  cut: Cut,
  difference: ChunkingDifference | undefined,
): Estimate {
  if (preflight.files.length > 0)
    return {
      documents: preflight.files.length,
      chunks: preflight.chunks,
      tokens: preflight.tokens,
      seconds: preflight.seconds,
      embedding: preflight.embedding_seconds,
      cost: preflight.cost,
      fromHere: false,
    };
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
    fromHere: true,
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

/** What it costs to cut a whole corpus this way; only the last button spends anything. */
export function Apply({ corpus, control, base, cut, difference, onClose }: ApplyProps) {
  const { name, remote } = corpus.corpus;
  const request: Partial<IngestRequest> = {
    sources: [{ kind: "corpus", name }],
    strategy: control.strategy.name,
    // Every value: none at all would leave the values of the corpus as they are.
    settings: control.values,
    remote,
    force: true,
    embed: "instant",
  };
  const preflight = useCommand("ingest.preflight", request);
  const start = useAction("ingest.start");
  const title = t("chunk-lab.apply.title", { name });
  return (
    <Dialog open onClose={onClose} label={title} width={480}>
      <div className={shared.dialog}>
        <div>
          <h2 className={shared.dialogTitle}>{title}</h2>
          <p className="sm sec">
            {t("chunk-lab.apply.detail", { strategy: strategyName(control.strategy.name) })}
          </p>
        </div>
        <Loaded query={preflight} skeleton={<SkeletonRows bare rows={5} height={24} />}>
          {(data) => {
            const now = estimate(data, corpus, base, cut, difference);
            return (
              <>
                <section className={`card ${shared.box}`} data-testid="apply-cost">
                  <KeyValues
                    rows={[
                      [t("chunk-lab.apply.documents"), whole(now.documents)],
                      [t("chunk-lab.apply.chunks"), whole(now.chunks)],
                      [t("chunk-lab.apply.tokens"), whole(now.tokens)],
                      ...(now.seconds === undefined
                        ? []
                        : [[t("chunk-lab.apply.time"), seconds(now.seconds)] as const]),
                      ...(now.embedding === undefined
                        ? []
                        : [[t("chunk-lab.apply.embedding"), seconds(now.embedding)] as const]),
                      [
                        t("chunk-lab.apply.cost"),
                        now.cost === null ? t("chunk-lab.apply.free") : cost(now.cost),
                      ],
                    ]}
                  />
                </section>
                {(now.fromHere || data.sampled) && (
                  <p className="xs mut">
                    {t(now.fromHere ? "chunk-lab.apply.from_here" : "chunk-lab.apply.sampled")}
                  </p>
                )}
              </>
            );
          }}
        </Loaded>
        <Note kind="warn">{t("chunk-lab.apply.warning")}</Note>
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose} data-autofocus>
          {t("chunk-lab.apply.keep")}
        </Button>
        <Button
          tone="primary"
          disabled={!preflight.data || start.isPending}
          onClick={() =>
            start.mutate(request, {
              onSuccess: ({ id }) => {
                toast({
                  kind: "run",
                  title: t("chunk-lab.apply.started", { name }),
                  action: {
                    label: t("chunk-lab.apply.show"),
                    onClick: () => navigate(href("library", [], { job: String(id) })),
                  },
                });
                onClose();
              },
            })
          }
        >
          {t("chunk-lab.apply.start")}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
