import { useCommand } from "@/api/queries";
import type { CutDifference } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { KeyValues } from "@/kit/Note";
import { Loaded, SkeletonRows } from "@/kit/states";
import { useStill } from "@/kit/still";
import { VirtualList } from "@/kit/VirtualList";
import { t } from "@/text";
import { cost, whole } from "@/text/format";
import css from "./chunk-lab.module.css";
import { titleOf } from "./cut";
import type { Config } from "./state";
import type { Base, Cut } from "./use-cut";

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
  return { difference: document === undefined ? undefined : asked.data, error: asked.error };
}

/** The difference in a line. */
export function differenceLine({ difference }: CutDifference): string {
  const { added, removed, changed } = difference;
  if (added.length + removed.length + changed === 0) return t("chunk-lab.difference.none");
  return t("chunk-lab.difference.line", { added: added.length, removed: removed.length, changed });
}

/** Stored chunks that the new cut has no more; a page of them is loaded when it comes into sight. */
function Gone({ document, places, text }: { document: number; places: readonly number[]; text: string }) {
  const last = places.at(-1) ?? 0;
  const offset = places[0] ?? 0;
  const stored = useCommand("chunk.list", { document, offset, limit: Math.min(PAGE, last - offset + 1) });
  return (
    <Loaded query={stored} skeleton={<SkeletonRows rows={3} height={ROW} />}>
      {(rows) => {
        const gone = rows.filter(({ row }) => places.includes(row.ordinal));
        return (
          <div className={css.differs}>
            <VirtualList
              label={t("chunk-lab.difference.removed")}
              count={gone.length}
              rowHeight={ROW}
              row={(index) => (
                <Line
                  number={gone[index]?.row.ordinal ?? 0}
                  title={titleOf(gone[index]?.view ?? { range: [0, 0] }, text)}
                  tokens={gone[index]?.view.tokens ?? 0}
                />
              )}
            />
            {places.length > gone.length && (
              <p className="xs mut">
                {t("chunk-lab.difference.more", { count: places.length - gone.length })}
              </p>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function Line({ number, title, tokens }: { number: number; title: string; tokens: number }) {
  return (
    <div className={css.differLine}>
      <span className="m xs">#{number + 1}</span>
      <span className="ell">{title}</span>
      <span className="xs n mut">{t("chunk-lab.tokens_short", { tokens })}</span>
    </div>
  );
}

type DifferenceProps = {
  answer: CutDifference;
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
    <Dialog open onClose={onClose} label={title} width={560}>
      <div className={css.dialog}>
        <h2 className={css.dialogTitle}>{title}</h2>
        <section className={`card ${css.box}`} data-testid="difference">
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
              [
                t("chunk-lab.apply.cost"),
                answer.cost === null ? t("chunk-lab.apply.free") : cost(answer.cost),
              ],
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
            <Gone document={document} places={difference.removed} text={base.text} />
          </section>
        )}
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose} data-autofocus>
          {t("chunk-lab.difference.close")}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
