// How far the checklist of a metric is covered.

import type { StandardMetric } from "@/api/types";
import type { Section } from "@/kit/Meter";
import { t } from "@/text";
import type { Statuses } from "./outline";

/** Items of a checklist by what was found; those that do not apply are left out of `all`. */
export type Coverage = { met: number; partly: number; gap: number; all: number };

/** Counts the items that a metric asks to be discussed. */
export function coverageOf({ also_to_be_discussed: items }: StandardMetric, statuses: Statuses): Coverage {
  const found = items.map((item) => statuses.get(item.id) ?? "open");
  const of = (status: string) => found.filter((each) => each === status).length;
  return {
    met: of("met"),
    partly: of("partly"),
    gap: of("gap"),
    all: found.length - of("not_applicable"),
  };
}

/** The coverage in words: “3 of 5 items covered”. */
export const coverageText = ({ met, all }: Coverage): string =>
  all === 0
    ? t("standards.requirement.none_apply")
    : t("standards.requirement.covered", { covered: met, count: all });

/** The coverage as parts of a bar. */
export function coverageParts({ met, partly, gap, all }: Coverage): Section[] {
  const share = (part: number) => (all === 0 ? 0 : part / all);
  return [
    { share: share(met), tone: "ok", label: t("standards.status.met") },
    { share: share(partly), tone: "warn", label: t("standards.status.partly") },
    { share: share(gap), tone: "bad", label: t("standards.status.gap") },
  ];
}
