// A value that a report tags, in words.

import type { FactRow } from "@/api/types";

/** What a fact is about beside its concept: period, entity, members, anchor in its source. */
export const factAbout = ({ period, entity, dimensions, anchor }: FactRow): string =>
  [
    period.replace("/", " – "),
    entity,
    ...dimensions.map(([axis, member]) => `${axis} = ${member}`),
    anchor === null ? undefined : `#${anchor}`,
  ]
    .filter(Boolean)
    .join(" · ");

/** Its value with its unit. */
export const factValue = ({ value, unit }: FactRow): string => (unit === null ? value : `${value} ${unit}`);
