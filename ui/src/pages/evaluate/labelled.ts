// The corpus in which the labels of a gold set lie: what a new matrix measures.

import { useCommand } from "@/api/queries";
import type { Corpus, DocumentRow, GoldTarget, StandardView } from "@/api/types";
import { sourceTypes } from "@/state/source-types";

/** Queries that are looked at: labels of one set mostly lie together. */
const LOOKED_AT = 50;

const TOPIC = /^[A-Z]{2}-[A-Z]{2}(?:[-.]|$)/;

/** Whether `id` is of a standard: its paragraphs begin with its short name, topics with the code of an industry. */
const partOf = ({ outline, short }: StandardView, id: string): boolean =>
  outline === "topics" ? TOPIC.test(id) : id === short || id.startsWith(`${short}.`);

/** Where a label points: the path of a document, or the kinds of source of a paragraph or topic. */
function placeOf(target: GoldTarget): { path: string } | { sources: readonly string[] } {
  if (target.kind === "nothing") return { sources: [] };
  if (target.kind === "span") return { path: target.path };
  const kinds = sourceTypes().filter(({ standard }) => standard && partOf(standard, target.id));
  if (kinds.length > 0) return { sources: kinds.map(({ name }) => name) };
  return { path: target.id.replace(/#page=\d+$/, "") };
}

/** What most have in common; the first of equals. */
function mostOf<T>(values: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce<[T, number] | undefined>((a, b) => (a && a[1] >= b[1] ? a : b), undefined)?.[0];
}

/** The path that most labels name. */
export const pathOf = (targets: readonly GoldTarget[]): string | undefined =>
  mostOf(
    targets.flatMap((target) => {
      const place = placeOf(target);
      return "path" in place ? place.path : [];
    }),
  );

/** Name of the corpus that most of `targets` lie in, of those whose place is known. */
export function corpusOf(
  targets: readonly GoldTarget[],
  corpora: readonly Corpus[],
  documents: readonly DocumentRow[],
): string | undefined {
  const found = targets.flatMap((target) => {
    const place = placeOf(target);
    const id = "path" in place && documents.find((row) => row.path === place.path)?.corpus_id;
    return (
      corpora.find((each) =>
        "path" in place ? each.id === id : place.sources.some((source) => each.source_type === source),
      )?.name ?? []
    );
  });
  return mostOf(found);
}

/** The corpus in which the labels of a gold set lie. Nothing is looked for unless it is `wanted`. */
export function useLabelled(set: string, corpora: readonly Corpus[], wanted: boolean) {
  const queries = useCommand("gold.get", { set, limit: LOOKED_AT }, { enabled: wanted });
  const targets = (queries.data?.queries ?? []).flatMap(({ labels }) => labels.map(({ target }) => target));
  const path = pathOf(targets);
  const documents = useCommand(
    "document.list",
    { words: path ?? "", limit: LOOKED_AT },
    { enabled: wanted && path !== undefined },
  );
  return {
    /** Whether it is still being looked for. A failure leaves the first corpus. */
    looking: (wanted && queries.isPending) || (wanted && path !== undefined && documents.isPending),
    corpus: corpusOf(targets, corpora, documents.data ?? []),
  };
}
