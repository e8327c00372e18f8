import { useState } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { IngestRequest, MatrixRow } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { Select } from "@/kit/fields";
import { KeyValues, Note } from "@/kit/Note";
import { Loaded, SkeletonRows } from "@/kit/states";
import { href, navigate } from "@/state/router";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { cost, seconds, whole } from "@/text/format";
import { visible } from "@/text/visible";

type ApplyCellProps = {
  row: MatrixRow | undefined;
  corpora: readonly string[];
  onClose: () => void;
};

/** Cuts a corpus the way that a cell was cut; only the last button spends anything. */
export function ApplyCell({ row, corpora, onClose }: ApplyCellProps) {
  const [name, setName] = useState(corpora[0] ?? "");
  const overview = useCommand("library.overview", {});
  const corpus = overview.data?.corpora.find((each) => each.corpus.name === name)?.corpus;
  const request: Partial<IngestRequest> = {
    sources: [{ kind: "corpus", name }],
    strategy: row?.strategy ?? null,
    settings: row?.settings as IngestRequest["settings"],
    remote: corpus?.remote ?? false,
    force: true,
    embed: "instant",
  };
  const preflight = useCommand("ingest.preflight", request, { enabled: corpus !== undefined });
  const start = useAction("ingest.start");
  const title = t("chunk-lab.apply.title", { name });
  return (
    <Dialog open onClose={onClose} label={title} width={480}>
      <div className="ask">
        <h2>{title}</h2>
        <p className="sm sec">{t("evaluate.matrix.apply_detail", { row: visible(row?.name ?? "") })}</p>
        {corpora.length > 1 && (
          <Select
            label={t("search.filters.corpora")}
            value={name}
            onChange={setName}
            options={corpora.map((each) => ({ value: each, label: each }))}
          />
        )}
        <Loaded query={preflight} skeleton={<SkeletonRows bare rows={4} height={24} />}>
          {(found) => (
            <KeyValues
              rows={[
                [t("chunk-lab.apply.documents"), whole(found.files.length)],
                [t("chunk-lab.apply.chunks"), whole(found.chunks)],
                [t("chunk-lab.apply.tokens"), whole(found.tokens)],
                [t("chunk-lab.apply.time"), seconds(found.seconds)],
                [
                  t("chunk-lab.apply.cost"),
                  found.cost === null ? t("chunk-lab.apply.free") : cost(found.cost),
                ],
              ]}
            />
          )}
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
