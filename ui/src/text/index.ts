// Every word the window shows. `t` reads `en.json` by a dotted key that the compiler checks; a value with
// `one` and `other` is chosen by `count`; `{name}` is filled in from the arguments.

import en from "./en.json";
import { following } from "./locale";
import { visible } from "./visible";

type Plural = { one: string; other: string };

type Leaves<T, Prefix extends string = ""> = {
  [K in keyof T & string]: T[K] extends string | Plural ? `${Prefix}${K}` : Leaves<T[K], `${Prefix}${K}.`>;
}[keyof T & string];

/** A key of the text file. */
export type TextKey = Leaves<typeof en>;

/** What is filled into `{…}`. Numbers are written the reader's way. */
export type TextArguments = Record<string, string | number>;

const flat = new Map<string, string | Plural>();

function collect(node: object, prefix: string) {
  for (const [key, value] of Object.entries(node)) {
    const path = prefix + key;
    if (typeof value === "string") flat.set(path, value);
    else if (typeof value.one === "string" && typeof value.other === "string") flat.set(path, value);
    else collect(value, `${path}.`);
  }
}
collect(en, "");

/** Language of the words. */
export const language = "en";

const plural = new Intl.PluralRules(language);
const integer = following((locale) => new Intl.NumberFormat(locale));

/** The words for `key`. */
export function t(key: TextKey, values?: TextArguments): string {
  return text(key, values) ?? key;
}

/** The words for a key that is only known at run time, or nothing. */
export function text(key: string, values?: TextArguments): string | undefined {
  const entry = flat.get(key);
  if (entry === undefined) return undefined;
  const count = values?.count;
  const chosen =
    typeof entry === "string"
      ? entry
      : entry[typeof count === "number" && plural.select(count) === "one" ? "one" : "other"];
  if (!values) return chosen;
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? integer().format(value) : visible(value);
  });
}
