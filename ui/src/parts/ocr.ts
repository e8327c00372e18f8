// What OCR read of a passage: how sure it was, and which words are doubtful.

import type { Hit } from "@/api/types";
import type { Stretch } from "./stems";

/** What OCR read of a passage. */
export type Ocr = { confidence: number; doubtful: readonly string[] };

/** What OCR read of a chunk with these fields; nothing where it read none of it. */
export function ocrOf({ metadata }: Pick<Hit, "metadata">): Ocr | undefined {
  const { ocr } = metadata;
  if (typeof ocr !== "object" || ocr === null || !("confidence" in ocr)) return undefined;
  const { confidence } = ocr;
  if (typeof confidence !== "number") return undefined;
  const words: unknown[] = "doubtful" in ocr && Array.isArray(ocr.doubtful) ? ocr.doubtful : [];
  return { confidence, doubtful: words.filter((word): word is string => typeof word === "string") };
}

const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);

/** Where doubtful words stand in a text as whole words, in order. */
export function findDoubtful(text: string, words: readonly string[]): Stretch[] {
  const found: Stretch[] = [];
  for (const word of new Set(words)) {
    if (word === "") continue;
    for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + word.length)) {
      const end = start + word.length;
      const inside =
        (isLetter(word[0]) && isLetter(text[start - 1])) || (isLetter(word.at(-1)) && isLetter(text[end]));
      if (!inside) found.push({ start, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}
