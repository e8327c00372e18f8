// How far the items of a metric are covered.

import type { MetricItem, StandardMetric } from "@/api/types";
import type { Section } from "@/kit/Meter";
import { t } from "@/text";
import { askedItems } from "./items";
import type { Statuses } from "./outline";

/** Items of a metric by what was found; those that do not apply are left out of `all`. */
export type Coverage = { met: number; partly: number; gap: number; all: number };

/** Counts the items of a metric; what may be added counts once something was found about it. */
export function coverageOf(metric: StandardMetric, statuses: Statuses): Coverage {
  const statusOf = (item: MetricItem) => statuses.get(item.id) ?? "open";
  const added = metric.may_be_added.map(statusOf).filter((status) => status !== "open");
  const found = [...askedItems(metric).map(statusOf), ...added];
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
