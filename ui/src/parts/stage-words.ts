import type { EvaluateProgress } from "@/api/types";
import { t } from "@/text";

/** How far a stage of a run is, also before it is known how much there is to do. */
export function stageWords({
  stage,
  done,
  total,
}: Pick<EvaluateProgress, "stage" | "done" | "total">): string {
  if (total > 0) return t(`evaluate.run.stages.${stage}`, { done, total });
  return done > 0
    ? t(`evaluate.run.stages_so_far.${stage}`, { done })
    : t(`evaluate.run.stages_begun.${stage}`);
}
