import { useState } from "react";
import { Id } from "@/kit/Id";
import { Popover } from "@/kit/Popover";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { VirtualList } from "@/kit/VirtualList";
import { t, text } from "@/text";
import { whole } from "@/text/format";
import css from "./left-out.module.css";
import { reasonOf } from "./reasons";
import shared from "./shared.module.css";
import type { Found } from "./use-lab";

const ROW = 40;
const TALLEST = 320;

type LeftOutProps = { found: Found; selected: string | undefined; onSelect: (chunkId: string) => void };

/** What reached the fused list and is not in the answer: near-duplicates, what is not relevant enough, what lies beyond. */
export function LeftOut(props: LeftOutProps) {
  const { dropped } = props.found.response.trace;
  if (dropped.length === 0) return null;
  return (
    <Popover
      label={t("search.left_out.title")}
      width={400}
      button={(open, toggle) => (
        <button
          type="button"
          className={`number nowrap ${css.leftOutButton}`}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={toggle}
        >
          {t("search.left_out.count", { count: dropped.length })}
        </button>
      )}
    >
      {(close) => <List {...props} close={close} />}
    </Popover>
  );
}

/** Name of a stage that leaves something out. */
const stageName = (stage: string): string => text(`search.left_out.stages.${stage}`) ?? stage;

function List({ found, selected, onSelect, close }: LeftOutProps & { close: () => void }) {
  const { dropped, semantic, keyword } = found.response.trace;
  const stages = [...new Set(dropped.map((each) => each.stage))];
  const [stage, setStage] = useState(stages[0] ?? "");
  const shown = dropped.filter((each) => each.stage === stage);
  const names = new Map([...semantic, ...keyword].map((hit) => [hit.chunk_id, hit.label]));
  return (
    <div className={css.leftOutSheet}>
      {stages.length > 1 && (
        <SegmentedControl
          label={t("search.left_out.stage")}
          size="small"
          value={stage}
          onChange={setStage}
          options={stages.map((each) => ({
            value: each,
            label: `${stageName(each)} ${whole(dropped.filter((one) => one.stage === each).length)}`,
          }))}
        />
      )}
      {stages.length === 1 && <span className={`xs mut ${css.leftOutStage}`}>{stageName(stage)}</span>}
      <div className={shared.runs} style={{ height: Math.min(TALLEST, shown.length * ROW) }}>
        <VirtualList
          label={t("search.left_out.title")}
          count={shown.length}
          rowHeight={ROW}
          selected={shown.findIndex((each) => each.chunk_id === selected)}
          rowKey={(index) => shown[index]?.chunk_id ?? index}
          onSelect={(index) => {
            const each = shown[index];
            if (each) onSelect(each.chunk_id);
          }}
          onOpen={close}
          row={(index) => {
            const each = shown[index];
            return (
              each && (
                <div className={shared.run}>
                  <Id>{names.get(each.chunk_id) || each.chunk_id}</Id>
                  <span className="xs mut ell" data-tip={reasonOf(each)}>
                    {reasonOf(each)}
                  </span>
                </div>
              )
            );
          }}
        />
      </div>
    </div>
  );
}
