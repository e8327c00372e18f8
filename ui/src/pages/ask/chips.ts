// What a question sets as chips: their words, and what a change of them asks for.

import type { AskRequest, Constraint } from "@/api/types";
import { t } from "@/text";
import { visible } from "@/text/visible";

/** What is left out of a question, and the words that are added to it. */
export type Chips = Pick<AskRequest, "ignore" | "also">;

/** Whether two say the same. */
export const same = (one: Constraint, other: Constraint): boolean =>
  one.kind === other.kind && one.value === other.value;

/** Values that have words of their own. */
const WORDED = ["basis", "status", "measure", "operation", "relative_period"] as const;
const isWorded = (kind: Constraint["kind"]): kind is (typeof WORDED)[number] =>
  (WORDED as readonly string[]).includes(kind);

/** What a question sets, as somebody would write it. */
export function plain({ kind, value }: Constraint): string {
  if (isWorded(kind)) return t(`ask.understood.${kind}.${value}` as "ask.understood.basis.market");
  // A number alone says no scope.
  return kind === "scope" ? t("ask.understood.scope", { value }) : value;
}

/** What a question sets, in words. */
export function inWords(each: Constraint): string {
  const { kind, value } = each;
  if (kind === "operation") return t("ask.understood.asks", { value: plain(each) });
  if (isWorded(kind)) return plain(each);
  if (kind === "period" && /^\d+$/.test(value)) return t("ask.understood.year", { value });
  return t(`ask.understood.${kind}`, { value: visible(value) });
}

const alike = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/** The same without `each`: its words are no longer added, or else it is left out. */
export function without({ ignore, also }: Chips, each: Constraint): Chips {
  const rest = also.filter((words) => !alike(words, plain(each)));
  return { ignore: rest.length < also.length ? ignore : [...ignore, each], also: rest };
}

/** The same with `words` added to `question`; what they name is no longer left out, and not said twice. */
export function withWords({ ignore, also }: Chips, words: string, question: string): Chips {
  const rest = ignore.filter((each) => !alike(words, plain(each)));
  const said = rest.length < ignore.length && question.toLowerCase().includes(words.toLowerCase());
  return { ignore: rest, also: said ? also : [...also, words] };
}
