// What is said of a run when it is over.

import type { AssessmentRun } from "@/api/types";
import { toast } from "@/state/toasts";
import { t } from "@/text";

/** Says what came of a run, and in which reports nothing could be matched. */
export function tellRun(run: AssessmentRun | undefined): void {
  if (!run) return;
  toast({ kind: "ok", title: t("assess.run.said", { count: run.made }) });
  for (const { report_id, language } of run.unmatched ?? [])
    toast({ kind: "warn", title: t("assess.run.unmatched", { report: report_id, language }) });
}
