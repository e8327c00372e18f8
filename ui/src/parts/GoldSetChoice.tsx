import type { GoldPanel } from "@/api/types";
import { Select } from "@/kit/fields";
import { t } from "@/text";
import { judgeIn } from "./gold-panel";

type GoldSetChoiceProps = {
  /** The gold queries that ask the same, from whatever sets hold one. */
  panels: readonly GoldPanel[] | undefined;
  panel: GoldPanel;
  width?: number;
};

/** The gold set that a passage is judged in, where several hold the query. */
export function GoldSetChoice({ panels = [], panel, width }: GoldSetChoiceProps) {
  const sets = [...new Set(panels.map((each) => each.set))];
  if (sets.length < 2) return null;
  return (
    <Select
      label={t("judge.set")}
      size="small"
      value={panel.set}
      onChange={judgeIn}
      options={sets.map((set) => ({ value: set, label: set }))}
      {...(width !== undefined && { width })}
    />
  );
}
