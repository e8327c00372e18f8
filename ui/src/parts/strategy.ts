// What ways of cutting and their parameters are called.

import { t, text } from "@/text";

/** A value of a parameter. */
export type Value = number | boolean | string;

/** The reader's name for a strategy; its own where the words know none. */
export const strategyName = (name: string): string => text(`chunk-lab.strategies.${name}`) ?? name;

/** Words for a parameter: its own where there are any, else its name. */
export function paramName({ name }: { name: string }): string {
  const plain = name.replaceAll("_", " ");
  return text(`chunk-lab.params.${name}`) ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** A value of a parameter in words. */
export const valueName = (value: Value): string =>
  typeof value === "boolean" ? t(value ? "chunk-lab.form.on" : "chunk-lab.form.off") : String(value);
