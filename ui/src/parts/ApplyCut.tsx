import type { ReactNode } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { Corpus, IngestRequest, Preflight } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { KeyValues, Note } from "@/kit/Note";
import { Loaded, SkeletonRows } from "@/kit/states";
import { href, navigate } from "@/state/router";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { cost, seconds, whole } from "@/text/format";
import css from "./apply-cut.module.css";

/** What cutting a corpus again would be. */
export type Estimate = {
  documents: number;
  chunks: number;
  tokens: number;
  /** Seconds of reading and chunking; nothing where only the engine could tell. */
  seconds: number | undefined;
  /** Seconds of embedding after that. */
  embedding: number | undefined;
  /** US dollars; nothing where it is free. */
  cost: number | null;
  /** What it was worked out from, in a sentence. */
  from?: string | undefined;
};

/** As the engine looked into the corpus. */
export const lookedInto = (preflight: Preflight): Estimate => ({
  documents: preflight.files.length,
  chunks: preflight.chunks,
  tokens: preflight.tokens,
  seconds: preflight.seconds,
  embedding: preflight.embedding_seconds,
  cost: preflight.cost,
  from: preflight.sampled ? t("apply.sampled") : undefined,
});

type ApplyCutProps = {
  corpus: Pick<Corpus, "name" | "remote">;
  /** Wire name of the strategy. */
  strategy: string;
  /** Every value of the strategy: none at all would leave the values of the corpus as they are. */
  settings: NonNullable<IngestRequest["settings"]>;
  /** What is applied, in a sentence. */
  detail: string;
  estimate?: (preflight: Preflight) => Estimate;
  /** What is chosen before, such as the corpus. */
  children?: ReactNode;
  onClose: () => void;
};

/** What it costs to cut a whole corpus in another way; only the last button spends anything. */
export function ApplyCut(props: ApplyCutProps) {
  const { corpus, strategy, settings, detail, estimate = lookedInto, children, onClose } = props;
  const { name, remote } = corpus;
  const request: Partial<IngestRequest> = {
    sources: [{ kind: "corpus", name }],
    strategy,
    settings,
    remote,
    force: true,
    embed: "instant",
  };
  const preflight = useCommand("ingest.preflight", request);
  const start = useAction("ingest.start");
  const title = t("apply.title", { name });
  return (
    <Dialog open onClose={onClose} label={title} width={480}>
      <div className="ask">
        <h2>{title}</h2>
        <p className="sm sec">{detail}</p>
        {children}
        <Loaded query={preflight} skeleton={<SkeletonRows bare rows={5} height={24} />}>
          {(found) => <Costs {...estimate(found)} />}
        </Loaded>
        <Note kind="warn">{t("apply.warning")}</Note>
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose} data-autofocus>
          {t("dialog.cancel")}
        </Button>
        <Button
          tone="primary"
          disabled={!preflight.data || start.isPending}
          onClick={() =>
            start.mutate(request, {
              onSuccess: ({ id }) => {
                toast({
                  kind: "run",
                  title: t("apply.started", { name }),
                  action: {
                    label: t("apply.show"),
                    onClick: () => navigate(href("library", [], { job: String(id) })),
                  },
                });
                onClose();
              },
            })
          }
        >
          {t("apply.start")}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

function Costs(found: Estimate) {
  const time = (label: string, value: number | undefined) =>
    value === undefined ? [] : [[label, seconds(value)] as const];
  return (
    <>
      <section className={`card ${css.costs}`} data-testid="apply-cost">
        <KeyValues
          rows={[
            [t("apply.documents"), whole(found.documents)],
            [t("apply.chunks"), whole(found.chunks)],
            [t("apply.tokens"), whole(found.tokens)],
            ...time(t("apply.time"), found.seconds),
            ...time(t("apply.embedding"), found.embedding),
            [t("apply.cost"), found.cost === null ? t("apply.free") : cost(found.cost)],
          ]}
        />
      </section>
      {found.from && <p className="xs mut">{found.from}</p>}
    </>
  );
}
