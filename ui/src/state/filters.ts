// The lists that restrict a search: those of every kind of source, and those of the fields that kinds list.

import type { Filters } from "@/api/types";
import { t } from "@/text";
import { fieldOf, fields } from "./source-types";

/** A list of restrictions. */
export type FilterName = string;

/** The lists that restrict chunks of every kind: their name in the address, and their option of the command line. */
const OF_EVERY_KIND = {
  corpora: ["corpus", "corpus"],
  reports: ["report", "report"],
  source_types: ["type", "source-type"],
  paths: ["path", "path"],
} as const;
type OfEveryKind = keyof typeof OF_EVERY_KIND;

const isOfEveryKind = (name: FilterName): name is OfEveryKind => Object.hasOwn(OF_EVERY_KIND, name);

/** Names of the lists, in the order of the screen. */
export const filterNames = (): FilterName[] => [
  "corpora",
  "reports",
  ...fields().map(({ list }) => list),
  "source_types",
  "paths",
];

/** The name of a list in the address. */
export const addressOf = (name: FilterName): string => {
  if (isOfEveryKind(name)) return OF_EVERY_KIND[name][0];
  // Links that were made before fields had names say it so.
  return name === "content_types" ? "content" : (fieldOf(name)?.name ?? name);
};

/** The option of the command line that is a list. */
export const optionOf = (name: FilterName): string =>
  isOfEveryKind(name) ? OF_EVERY_KIND[name][1] : (fieldOf(name)?.name ?? name).replaceAll("_", "-");

/** What people call a list. */
export const filterLabel = (name: FilterName): string =>
  isOfEveryKind(name) ? t(`search.filters.${name}`) : (fieldOf(name)?.label ?? name);

/** The values of a list. */
export const valuesOf = (filters: Filters, name: FilterName): readonly string[] =>
  (filters as Partial<Record<FilterName, readonly string[]>>)[name] ?? [];

/** The lists that restrict something. */
export const activeFilters = (filters: Filters): FilterName[] =>
  filterNames().filter((name) => valuesOf(filters, name).length > 0);
