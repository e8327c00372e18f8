// Sentences of passages in memory: the one that shares the most words with what is asked stands for the nearest.

import { recorded } from "../recording";
import type { FakeHandlers } from "../transport/fake";
import type { PassageSentence, SentenceQuery } from "../types";
import { passageText } from "./standards/evidence";

const words = (text: string) => new Set(text.toLowerCase().match(/\p{L}{4,}/gu));

/** The sentence of `text` behind its header that is nearest to `query`. */
function nearest(query: string, chunk_id: string, text: string): PassageSentence[] {
  const asked = words(query);
  const header = /^\[[^\n]*\]\s*/.exec(text)?.[0].length ?? 0;
  const found = [...text.slice(header).matchAll(/[^.!?;\s][^.!?;]*[.!?;]/g)].map((match) => ({
    chunk_id,
    start: header + match.index,
    end: header + match.index + match[0].length,
    similarity: [...words(match[0])].filter((word) => asked.has(word)).length / 10,
    model: "potion-base-8M",
  }));
  return found.length < 2 ? [] : found.sort((a, b) => b.similarity - a.similarity).slice(0, 1);
}

/** Handlers of passages. */
export const handlers: FakeHandlers = {
  "passage.nearest_sentence": ({ query, chunk_ids }: SentenceQuery): PassageSentence[] =>
    chunk_ids.flatMap((id) => {
      const text = passageText(id);
      if (text !== undefined) return nearest(query, id, text);
      return /^[0-9a-f]{16}$/.test(id)
        ? recorded("passage.nearest_sentence", { query, chunk_ids: [id] })
        : [];
    }),
};
