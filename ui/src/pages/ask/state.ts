// What the screen is set to, and how that stands in the address.

import { NO_FILTERS } from "@/api/defaults";
import type { Filters } from "@/api/types";
import { joined, listed } from "@/state/router";

/** Everything a person would want back. */
export type Place = {
  /** The question as it is being typed. */
  draft: string;
  /** Id in the log of the answer on screen. */
  answer: number | undefined;
  /** Number of the selected citation. */
  cite: number | undefined;
  /** Session that questions belong to. */
  session: string;
  /** Whether an earlier question may complete the next one. */
  follow: boolean;
  /** What writes; nothing means the one of the settings. */
  generator: string | undefined;
  /** Chat model that writes; nothing means the one of the settings. */
  model: string | undefined;
  /** Whether the chat model reads each sentence again. */
  second: boolean;
  corpora: readonly string[];
  reports: readonly string[];
  /** Whether the answer is to come from the selected text alone. */
  selection: boolean;
};

const number = (text: string | null): number | undefined =>
  text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;

/** Reads the state from the query of the address; what makes no sense is left at its default. */
export const fromAddress = (query: URLSearchParams): Place => ({
  draft: query.get("q") ?? "",
  answer: number(query.get("answer")),
  cite: number(query.get("cite")),
  session: query.get("session") ?? "",
  follow: query.get("follow") !== "no",
  generator: query.get("generator") ?? undefined,
  model: query.get("model") ?? undefined,
  second: query.get("second") === "yes",
  corpora: listed(query.get("corpus")),
  reports: listed(query.get("report")),
  selection: query.get("from") === "selection",
});

/** The state as values for the query of the address; what stands at its default is left out. */
export const toAddress = (place: Place): Record<string, string | undefined> => ({
  q: place.draft,
  answer: place.answer?.toString(),
  cite: place.cite?.toString(),
  session: place.session,
  follow: place.follow ? undefined : "no",
  generator: place.generator,
  model: place.model,
  second: place.second ? "yes" : undefined,
  corpus: joined(place.corpora),
  report: joined(place.reports),
  from: place.selection ? "selection" : undefined,
});

/** The search's restrictions of a place. */
export const filtersOf = ({ corpora, reports }: Pick<Place, "corpora" | "reports">): Filters => ({
  ...NO_FILTERS,
  corpora: [...corpora],
  reports: [...reports],
});
