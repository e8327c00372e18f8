// Where sentences end in what is shown: as the web view has it, but for the engine's abbreviations and enumerators.

import { abbreviations } from "@/api/types";

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
const leading = new Set<string>(abbreviations.leading);
const numbered = new Set<string>(abbreviations.numbered);

/** The last word before the dot that `text` ends with; nothing where it ends otherwise. */
const lastWord = (text: string) => /(?:^|[\s([“"—–])([^\s([“"—–]*)\.[*_]*\s*$/.exec(text)?.[1];

/** Whether what ends with `before` goes on with `after`. */
function goesOn(before: string, after: string): boolean {
  if (before.endsWith("\n")) return false;
  const word = lastWord(before)?.toLowerCase();
  if (word === undefined) return false;
  if (leading.has(word)) return true;
  // An enumerator is all there is so far; a number elsewhere ends its sentence.
  if (/^(?:\d{1,3}|[ivx]{1,4})$/.test(word)) return before.trim().length <= word.length + 1;
  if (/^\p{Lu}$/u.test(before.trim().at(-2) ?? "") && word.length === 1) return true;
  return numbered.has(word) && /^[§#(]?\p{N}/u.test(after);
}

/** The sentences of `text` with the white space behind each. A line's end ends one, too. */
export function sentencesOf(text: string): { start: number; end: number }[] {
  const out: { start: number; end: number }[] = [];
  let open: number | undefined;
  const parts = [...segmenter.segment(text)].flatMap(({ segment, index }) => {
    const lines = segment.match(/[^\n]*\n+|[^\n]+$/g) ?? [segment];
    let at = index;
    return lines.map((line) => {
      const start = at;
      at += line.length;
      return { start, end: at };
    });
  });
  for (const [at, part] of parts.entries()) {
    const start = open ?? part.start;
    const next = parts[at + 1];
    if (next && goesOn(text.slice(start, part.end), text.slice(next.start, next.end))) {
      open = start;
      continue;
    }
    open = undefined;
    out.push({ start, end: part.end });
  }
  return out;
}
