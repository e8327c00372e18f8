import { useCommand } from "@/api/queries";
import type { ChunkingDifference } from "@/api/types";
import { Dialog } from "@/kit/Dialog";
import { KeyValues } from "@/kit/Note";
import { useStill } from "@/kit/still";
import { VirtualList } from "@/kit/VirtualList";
import { t } from "@/text";
import { cost, whole } from "@/text/format";
import { titleOf } from "./cut";
import css from "./difference.module.css";
import shared from "./shared.module.css";
import type { Config } from "./state";
import type { Base, Cut } from "./use-chunking";

const PAUSE = 250;
const ROW = 28;
const PAGE = 200;

/** How a configuration differs from what is stored; asked once the configuration stands still. */
export function useDifference(document: number | undefined, config: Config | undefined) {
  const still = useStill(config, PAUSE);
  const asked = useCommand(
    "chunk.difference",
    {
      source: { kind: "document", id: document ?? 0 },
      strategy: still?.strategy ?? null,
      settings: still?.values ?? null,
    },
    { enabled: document !== undefined, keep: true },
  );
  return {
    difference: document === undefined ? undefined : asked.data,
    error: asked.error ?? undefined,
    retry: () => void asked.refetch(),
  };
}

/** The difference in a line. */
export function differenceLine({ difference }: ChunkingDifference): string {
  const { added, removed, changed } = difference;
  if (added.length + removed.length + changed === 0) return t("chunk-lab.difference.none");
  return t("chunk-lab.difference.line", { added: added.length, removed: removed.length, changed });
}

/** A stored chunk that the new cut has no more; its page is loaded when it comes into sight. */
function Gone({ document, place, text }: { document: number; place: number; text: string }) {
  const offset = Math.floor(place / PAGE) * PAGE;
  const stored = useCommand("chunk.list", { document, offset, limit: PAGE });
  const view = stored.data?.find(({ row }) => row.ordinal === place)?.view;
  const waits = stored.error ? t("chunk-lab.difference.not_loaded") : "…";
  return <Line number={place} title={view ? titleOf(view, text) : waits} tokens={view?.tokens} />;
}

function Line({ number, title, tokens }: { number: number; title: string; tokens: number | undefined }) {
  return (
    <div className={css.differLine}>
      <span className="mono xs">#{number + 1}</span>
      <span className="ell">{title}</span>
      <span className="xs number mut">{tokens !== undefined && t("chunk-lab.tokens_short", { tokens })}</span>
    </div>
  );
}

type DifferenceProps = {
  answer: ChunkingDifference;
  document: number;
  base: Base;
  cut: Cut;
  onSelect: (chunk: number) => void;
  onClose: () => void;
};

/** What would change in the library: chunks that come, chunks that go, boundaries, tokens and cost. */
export function Difference({ answer, document, base, cut, onSelect, onClose }: DifferenceProps) {
  const { difference } = answer;
  const title = t("chunk-lab.difference.title");
  const added = difference.added.filter((place) => place < cut.layout.chunks.length);
  return (
    <Dialog open closes onClose={onClose} label={title} width={560}>
      <div className={shared.dialog}>
        <h2 className={shared.dialogTitle}>{title}</h2>
        <section className={`card ${shared.box}`} data-testid="difference">
          <KeyValues
            rows={[
              [t("chunk-lab.difference.same"), whole(difference.same)],
              [t("chunk-lab.difference.changed"), whole(difference.changed)],
              [t("chunk-lab.difference.added"), whole(difference.added.length)],
              [t("chunk-lab.difference.removed"), whole(difference.removed.length)],
              [
                t("chunk-lab.difference.boundaries"),
                `+${whole(difference.boundaries_added.length)} −${whole(difference.boundaries_removed.length)}`,
              ],
              [t("chunk-lab.difference.embed"), whole(difference.tokens_to_embed)],
              [t("apply.cost"), answer.cost === null ? t("apply.free") : cost(answer.cost)],
            ]}
          />
        </section>
        {added.length > 0 && (
          <section>
            <h3 className="h2">{t("chunk-lab.difference.added")}</h3>
            <div className={css.differs}>
              <VirtualList
                label={t("chunk-lab.difference.added")}
                count={added.length}
                rowHeight={ROW}
                onOpen={(index) => {
                  onSelect(added[index] ?? 0);
                  onClose();
                }}
                onSelect={(index) => onSelect(added[index] ?? 0)}
                row={(index) => {
                  const view = cut.layout.chunks[added[index] ?? 0]?.view;
                  return (
                    view && (
                      <Line number={view.ordinal} title={titleOf(view, base.text)} tokens={view.tokens} />
                    )
                  );
                }}
              />
            </div>
          </section>
        )}
        {difference.removed.length > 0 && (
          <section>
            <h3 className="h2">{t("chunk-lab.difference.removed")}</h3>
            <div className={css.differs}>
              <VirtualList
                label={t("chunk-lab.difference.removed")}
                count={difference.removed.length}
                rowHeight={ROW}
                row={(index) => (
                  <Gone document={document} place={difference.removed[index] ?? 0} text={base.text} />
                )}
              />
            </div>
          </section>
        )}
      </div>
    </Dialog>
  );
}
