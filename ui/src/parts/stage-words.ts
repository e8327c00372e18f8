import type { EvaluateProgress } from "@/api/types";
import { t } from "@/text";

/** How far a stage of a run is, also before it is known how much there is to do. */
export function stageWords({
  stage,
  done,
  total,
}: Pick<EvaluateProgress, "stage" | "done" | "total">): string {
  if (total > 0) return t(`evaluate.run.stages.${stage}`, { done, total });
  if (done === 0) return t(`evaluate.run.stages_begun.${stage}`);
  return stage === "store"
    ? t("evaluate.run.stages_so_far.store", { done })
    : t(`evaluate.run.stages_so_far.${stage}`, { count: done });
}
