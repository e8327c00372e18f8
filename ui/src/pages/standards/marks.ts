// What in an explanation can be followed: defined terms and identifiers.

import type { StandardTerm } from "@/api/types";

/** A stretch of text; what it leads to, and whether it is the first of its kind in the text. */
export type Mark =
  | { kind: "text"; text: string }
  | { kind: "id"; text: string; id: string }
  | { kind: "term"; text: string; term: StandardTerm; first: boolean };

const ID =
  /\b(?:S[12]\.(?:A\.\w+|[A-D]?\d+[A-Z]?)(?:\([a-z0-9]+\))*|[A-Z]{2}-[A-Z]{2}(?:-\d{3}[a-z](?:\.\d+)?)?(?![\w-]))/g;

/** Cuts a text at defined terms, written with or without a plural s, and at ids that `known` knows. */
export function marks(text: string, terms: readonly StandardTerm[], known: (id: string) => boolean): Mark[] {
  const byName = new Map(terms.map((term) => [term.name.toLowerCase(), term]));
  const names = [...byName.keys()].filter(Boolean).sort((a, b) => b.length - a.length);
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found: { start: number; end: number; mark: Mark }[] = [];
  for (const match of text.matchAll(ID))
    if (known(match[0]))
      found.push({
        start: match.index,
        end: match.index + match[0].length,
        mark: { kind: "id", text: match[0], id: match[0] },
      });
  if (escaped.length > 0) {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join("|")})s?(?![\\p{L}\\p{N}])`, "giu");
    for (const match of text.matchAll(pattern)) {
      const term = byName.get((match[1] ?? "").toLowerCase());
      if (term)
        found.push({
          start: match.index,
          end: match.index + match[0].length,
          mark: { kind: "term", text: match[0], term, first: false },
        });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const parts: Mark[] = [];
  const met = new Set<string>();
  let at = 0;
  for (const { start, end, mark } of found) {
    if (start < at) continue;
    if (start > at) parts.push({ kind: "text", text: text.slice(at, start) });
    if (mark.kind === "term") {
      parts.push({ ...mark, first: !met.has(mark.term.id) });
      met.add(mark.term.id);
    } else parts.push(mark);
    at = end;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}
