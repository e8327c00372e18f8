// How physical pages are called: by their numbers, with the labels printed on them where those differ.

import { visible } from "@/text/visible";

/** A physical page: `12`, or `12 (iv)` where another label is printed on it. */
export const citedPage = (page: number, label: string | null | undefined): string =>
  label == null || label === String(page) ? String(page) : `${page}\u00a0(${visible(label)})`;

type Cited = {
  /** First and last physical page. */
  pages: readonly [number, number] | null;
  /** Labels printed on them, where they differ from the numbers. */
  page_labels?: readonly [string, string] | null;
};

/** `p. 58`, `p. 12 (iv)`, `pp. 58–59` or `pp. 12–13 (iv–v)`; nothing where there are no pages. */
export function pagesOf({ pages, page_labels: labels }: Cited): string | undefined {
  if (!pages) return undefined;
  const [first, last] = pages;
  if (first === last) return `p.\u00a0${citedPage(first, labels?.[0])}`;
  const differ = labels?.some((label, index) => label !== String(pages[index]));
  const printed = differ && labels && (labels[0] === labels[1] ? labels[0] : labels.join("–"));
  return `pp.\u00a0${first}–${last}${printed ? `\u00a0(${visible(printed)})` : ""}`;
}
