// The items of a metric that a reviewer marks.

import type { MetricItem, StandardMetric, StandardPage } from "@/api/types";

/** The parts of a metric whose items a report has to answer. */
const ASKED = ["counts", "does_not_count", "definitions", "also_to_be_discussed"] as const;

/** The lists of a metric, in the order in which they are shown. */
export const LISTS = [...ASKED, "may_be_added"] as const;

/** What a report has to answer: what is measured, and the items of all lists but of what may be added. */
export const askedItems = (metric: StandardMetric): MetricItem[] => [
  metric.measured,
  ...ASKED.flatMap((list) => metric[list]),
];

/** What is measured, and the items of all lists. */
export const itemsOf = (metric: StandardMetric): MetricItem[] => [
  ...askedItems(metric),
  ...metric.may_be_added,
];

/** Whether `id` is an item that the page shows. */
export const hasItem = ({ items, metrics, kind }: StandardPage, id: string): boolean =>
  items.some((item) => item.id === id) ||
  (kind === "metric" && metrics.flatMap(itemsOf).some((item) => item.id === id));

/** The code of the metric that `id` names an item of. */
export const metricOf = (id: string): string | undefined => /^([A-Z]{2}-[A-Z]{2}-\w+\.\w+)\./.exec(id)?.[1];
