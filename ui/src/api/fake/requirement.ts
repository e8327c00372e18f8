// What a metric asks for, told in full for one metric.

import type { RequirementKind, StandardMetric } from "../types";

type Lists = Pick<
  StandardMetric,
  "counts" | "does_not_count" | "definitions" | "also_to_be_discussed" | "may_be_added" | "in_review"
>;

/** The kind of requirement that each list states. */
const KINDS: Record<string, RequirementKind> = {
  counts: "includes",
  does_not_count: "excludes",
  definitions: "terms",
  also_to_be_discussed: "discuss",
  may_be_added: "may",
};

/** Items of a list, numbered from `first`, with ids as the engine makes them. */
const items = (code: string, list: string, first: number, ...texts: string[]) =>
  texts.map((text, at) => {
    const [term, gist] = text.split("**: ").map((part) => part.replace("**", ""));
    const plain = gist === undefined ? text : `${term}: ${gist}`;
    const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    return {
      id: `${code}.${list}.${words.slice(0, 5).join("-")}`,
      number: first + at,
      term: gist === undefined ? null : (term ?? null),
      text: plain,
      states: [{ kind: KINDS[list] ?? "measure", words: plain.toLowerCase().replace(/\.$/, "") }],
    };
  });

/** The metric that is told in full. */
export const PLAN = "EM-EP-110a.3";

/** What the metrics that are told in full ask for. */
const LISTS: Record<string, Lists> = {
  [PLAN]: {
    counts: items(
      PLAN,
      "counts",
      2,
      "Plans for the short and the long term, for every operation that the entity controls.",
      "Activities that were under way or completed in the period.",
    ),
    does_not_count: items(PLAN, "does_not_count", 4, "Offsets bought from others."),
    definitions: items(PLAN, "definitions", 5, "**Flaring**: gas burned at the well because it is not sold."),
    also_to_be_discussed: items(
      PLAN,
      "also_to_be_discussed",
      6,
      "Why the target was set, and whether it is absolute or a rate.",
      "Which assets and regions the plan covers.",
      "Which investments it rests on.",
      "What may keep the entity from its target.",
      "Progress against the target of the year before.",
    ),
    may_be_added: items(PLAN, "may_be_added", 11, "The cost of each tonne avoided."),
    in_review: "Set the target against the budget in the financial statements.",
  },
};

/** What a metric asks for beside what is measured. */
export const listsOf = (code: string): Lists =>
  LISTS[code] ?? {
    counts: [],
    does_not_count: [],
    definitions: [],
    also_to_be_discussed: [],
    may_be_added: [],
    in_review: null,
  };

/** A metric with what it asks for. */
export const metricOf = (code: string, label: string): StandardMetric => ({
  code,
  label,
  category: "Quantitative",
  unit: "Metric tonnes (t) CO₂-e",
  measured: {
    id: `${code}.measured`,
    number: 1,
    term: null,
    text: "The gross worldwide Scope 1 emissions of the seven Kyoto gases.",
    states: [{ kind: "measure", words: "gross global scope 1 emissions, seven gases" }],
  },
  ...listsOf(code),
  counts: items(code, "counts", 2, "The seven gases, each as CO₂ equivalent."),
  does_not_count: items(code, "does_not_count", 3, "Offsets, credits and other mechanisms that reduce them."),
});
