// What a cut means for the reader: which chunk owns which stretch, what a chunk embeds, where a boundary hurts.

import type { ChunkView, PageView, PreviewedChunk } from "@/api/types";
import type { Bin, Rule } from "@/kit/Histogram";

/** First UTF-16 code unit and one past the last. */
export type Range = readonly [number, number];

/** A stretch of the document that one chunk owns; `over` is the chunk that repeats it. */
export type Stretch = { from: number; to: number; chunk: number; over: number | undefined };

/** What is wrong with a chunk. */
export type Warning = "orphan" | "oversize" | "cut_paragraph" | "cut_table";

/** Every {@link Warning}, the gravest first. */
export const WARNINGS: readonly Warning[] = ["oversize", "cut_table", "orphan", "cut_paragraph"];

/** A cut with what the screen looks up in it. */
export type Layout = {
  chunks: readonly PreviewedChunk[];
  /** Stretches in order, without overlap. White space after a chunk belongs to it. */
  stretches: readonly Stretch[];
  /** Of each chunk, the place among the outermost chunks: even and odd ones are tinted apart. */
  tone: readonly ("a" | "b")[];
  /** Positions of the chunks, by where they begin. */
  starts: readonly { at: number; chunk: number }[];
  warnings: readonly (readonly Warning[])[];
};

/** A layout with no chunk. */
export const EMPTY: Layout = { chunks: [], stretches: [], tone: [], starts: [], warnings: [] };

/** Index of the first element of `list` for which `past` holds; `past` holds from there on. */
export function firstWhere<T>(list: readonly T[], past: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (past(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * First and last of `pages` that `place` of the text can be on. There are two if a paragraph continues on the next page
 * and notes are in between.
 */
export function pagesAt(pages: readonly PageView[], place: number): [PageView, PageView] | undefined {
  const first = firstWhere(pages, (each) => each.range[1] > place);
  const [one, next] = [pages[first], pages[first + 1]];
  return one && [one, next && next.range[0] <= place ? next : one];
}

const BLANK = /^\s*$/;

/** Ranges of the text before that a chunk repeats. */
export const overlapsOf = (view: ChunkView): Range[] =>
  view.pieces.flatMap((piece) => (piece.kind === "source" && piece.role === "overlap" ? [piece.range] : []));

/** Whether one of `chunks` holds all of a passage, with what it repeats of the text before it. */
export const holdsWhole = (chunks: readonly PreviewedChunk[], [from, to]: Range): boolean =>
  chunks.some(
    ({ view }) =>
      view.range[1] >= to && Math.min(view.range[0], ...overlapsOf(view).map(([start]) => start)) <= from,
  );

/** Looks through `chunks` of `text` once. */
export function layoutOf(chunks: readonly PreviewedChunk[], text: string): Layout {
  const outer = chunks
    .flatMap(({ view }, index) =>
      view.parent === null ? [{ from: view.range[0], to: view.range[1], index }] : [],
    )
    .sort((a, b) => a.from - b.from || b.to - a.to);
  const tone: ("a" | "b")[] = new Array(chunks.length);
  const owned: Stretch[] = [];
  outer.forEach(({ from, to, index }, place) => {
    tone[index] = place % 2 === 0 ? "a" : "b";
    const begin = Math.max(from, owned.at(-1)?.to ?? 0);
    if (to > begin) owned.push({ from: begin, to, chunk: index, over: undefined });
  });
  chunks.forEach(({ view }, index) => {
    let root = index;
    for (let up = view.parent; up !== null && up < chunks.length; up = chunks[up]?.view.parent ?? null)
      root = up;
    tone[index] = tone[root] ?? "a";
  });
  owned.forEach((stretch, place) => {
    const next = owned[place + 1]?.from ?? text.length;
    if (BLANK.test(text.slice(stretch.to, next))) stretch.to = next;
  });
  const repeated = chunks
    .flatMap(({ view }, over) => overlapsOf(view).map(([from, to]) => ({ from, to, over })))
    .sort((a, b) => a.from - b.from);
  return {
    chunks,
    stretches: split(owned, repeated),
    tone,
    starts: chunks
      .map(({ view }, chunk) => ({ at: view.range[0], chunk }))
      .sort((a, b) => a.at - b.at || a.chunk - b.chunk),
    warnings: warningsOf(chunks, outer, text),
  };
}

function split(
  owned: readonly Stretch[],
  repeated: readonly { from: number; to: number; over: number }[],
): Stretch[] {
  const out: Stretch[] = [];
  let next = 0;
  for (const stretch of owned) {
    let at = stretch.from;
    while (next < repeated.length && (repeated[next]?.to ?? 0) <= at) next += 1;
    for (let look = next; look < repeated.length; look += 1) {
      const { from, to, over } = repeated[look] as (typeof repeated)[number];
      if (from >= stretch.to) break;
      const begin = Math.max(from, at);
      const end = Math.min(to, stretch.to);
      if (end <= begin) continue;
      if (begin > at) out.push({ ...stretch, from: at, to: begin });
      out.push({ from: begin, to: end, chunk: stretch.chunk, over });
      at = end;
    }
    if (at < stretch.to) {
      // White space left behind an overlap would be a row of its own with nothing on it.
      const last = out.at(-1);
      if (last && last.to === at && last.chunk === stretch.chunk && stretch.to - at <= 2)
        last.to = stretch.to;
      else out.push({ ...stretch, from: at });
    }
  }
  return out;
}

const lineBefore = (text: string, at: number) => text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
const lineAfter = (text: string, at: number) => {
  const end = text.indexOf("\n", at);
  return text.slice(at, end < 0 ? text.length : end);
};
const TABLE = /^\s*\|/;
// A heading, an item of a list, a quotation or a table begins a block of its own, even without a blank line before it.
const BLOCK = /^\s*(#{1,6}\s|[-*+•]\s|\(?\w{1,4}[.)]\s|>|\||<!--)/;

/** How the boundary between text ending at `end` and text beginning at `start` cuts what belongs together. */
export function harmOf(text: string, end: number, start: number): Warning | undefined {
  const gap = text.slice(end, start);
  if (!BLANK.test(gap) || /\n[^\S\n]*\n/.test(gap)) return undefined;
  const before = lineBefore(text, end);
  const after = gap.includes("\n")
    ? lineAfter(text, start)
    : text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  if (TABLE.test(before) && TABLE.test(after || before)) return "cut_table";
  if (!gap.includes("\n")) return "cut_paragraph";
  if (BLOCK.test(after) || /^\s*#{1,6}\s/.test(before)) return undefined;
  return "cut_paragraph";
}

function warningsOf(
  chunks: readonly PreviewedChunk[],
  outer: readonly { from: number; to: number; index: number }[],
  text: string,
): (readonly Warning[])[] {
  const harm = new Map<number, Warning>();
  outer.forEach(({ from, index }, place) => {
    const before = outer[place - 1];
    const found = before && before.to <= from ? harmOf(text, before.to, from) : undefined;
    if (found) harm.set(index, found);
  });
  return chunks.map(({ view, orphan }, index) => {
    const found: Warning[] = [];
    if (view.oversize) found.push("oversize");
    if (orphan) found.push("orphan");
    const cut = harm.get(index);
    if (cut) found.push(cut);
    return found;
  });
}

/** The stretch that holds `at`. */
export function stretchAt({ stretches }: Layout, at: number): Stretch | undefined {
  const found = stretches[firstWhere(stretches, (each) => each.to > at)];
  return found && found.from <= at ? found : undefined;
}

/** The innermost chunk at `at`. */
export function chunkAt(layout: Layout, at: number): number | undefined {
  const last = firstWhere(layout.starts, (start) => start.at > at) - 1;
  // A nested chunk begins near: what lies before the owner of the stretch cannot hold `at`.
  const owner = stretchAt(layout, at)?.chunk;
  for (let look = last; look >= 0; look -= 1) {
    const chunk = layout.starts[look]?.chunk ?? 0;
    const range = layout.chunks[chunk]?.view.range;
    if (range && range[0] <= at && at < range[1]) return chunk;
    if (chunk === owner) break;
  }
  return owner;
}

/** The chunk that was selected by `range`: the same one, or the one that now stands in its place. */
export function chunkOf(layout: Layout, range: Range): number | undefined {
  const first = firstWhere(layout.starts, (start) => start.at >= range[0]);
  for (let look = first; layout.starts[look]?.at === range[0]; look += 1) {
    const chunk = layout.starts[look]?.chunk ?? 0;
    if (layout.chunks[chunk]?.view.range[1] === range[1]) return chunk;
  }
  return stretchAt(layout, range[0])?.chunk ?? chunkAt(layout, range[0]);
}

// White space as the engine trims it.
const SPACE = "\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const TRAILING = new RegExp(`[${SPACE}]+$`);
const ONLY_SPACE = new RegExp(`^[${SPACE}]*$`);

/** A stretch of the embedded text and why it is there. */
export type Embedded = {
  role: "generated" | "body" | "aid" | "overlap" | "lead_in" | "table_header" | "gap";
  text: string;
  /** Whether it is an aid that somebody added by hand. */
  byHand?: boolean;
};

/**
 * Exactly what is embedded, stretch by stretch, as `Chunk::text` of the engine joins it. Neighbouring spans keep the
 * white space between them, and rows follow their repeated header on the next line. A blank line sets the rest apart.
 */
export function embeddedText({ pieces }: ChunkView, document: string): Embedded[] {
  const out: Embedded[] = [];
  let previous: number | undefined;
  let afterHeader = false;
  for (const piece of pieces) {
    const source = piece.kind === "source" ? piece : undefined;
    const text = (piece.kind === "source" ? document.slice(...piece.range) : piece.text).replace(
      TRAILING,
      "",
    );
    if (ONLY_SPACE.test(text)) continue;
    if (out.length > 0) {
      const between =
        previous !== undefined && source && previous <= source.range[0]
          ? document.slice(previous, source.range[0])
          : "\n\n";
      const kept = previous !== undefined && ONLY_SPACE.test(between);
      out.push({ role: "gap", text: kept ? between : afterHeader ? "\n" : "\n\n" });
    }
    const role = (piece.kind === "source" ? piece.role : piece.kind) as Embedded["role"];
    out.push(piece.kind === "aid" && piece.by_hand ? { role, text, byHand: true } : { role, text });
    afterHeader = source?.role === "table_header";
    previous = source ? source.range[0] + text.length : undefined;
  }
  return out;
}

/** The phrases in what is embedded: `*Asked as:* one; another.` */
export const phrasesOf = (parts: readonly Embedded[]): string[] =>
  parts
    .filter(({ role }) => role === "aid")
    .flatMap(({ text }) => /^\s*\*Asked as:\*(.*?)\.?$/s.exec(text)?.[1]?.split(";") ?? [])
    .map((phrase) => phrase.trim().replaceAll(/\s+/g, " "))
    .filter(Boolean);

/** What is embedded without what is there only to be found by. */
export const withoutAids = (parts: readonly Embedded[]): Embedded[] =>
  parts.filter(({ role }, index) => role !== "aid" && !(role === "gap" && parts[index + 1]?.role === "aid"));

/** Where a document has stretches that are there only to be found by, in order. */
export const aidsOf = ({ chunks }: Layout): Range[] =>
  chunks
    .filter(({ view }) => view.parent === null)
    .flatMap(({ view }) =>
      view.pieces.flatMap((piece) => (piece.kind === "source" && piece.role === "aid" ? [piece.range] : [])),
    )
    .sort((a, b) => a[0] - b[0]);

/** The generated words before the chunk's own, on one line. */
export function headerOf({ pieces }: ChunkView): string {
  const first = pieces[0];
  return first?.kind === "generated" ? first.text.trim().replace(/\s*\n\s*/g, " · ") : "";
}

/** First words of the chunk's own text, without marks of the format. */
export function titleOf({ range }: { range: Range }, text: string): string {
  const start = text.slice(range[0], Math.min(range[1], range[0] + 240));
  const line = start.split("\n").find((each) => /[\p{L}\p{N}]/u.test(each)) ?? start;
  return line
    .replace(/^[\s#>*|•-]+/, "")
    .replaceAll(/[*`|]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 90);
}

/** Where the outermost chunks begin. */
export const boundariesOf = ({ chunks }: Layout): number[] =>
  [...new Set(chunks.flatMap(({ view }) => (view.parent === null ? [view.range[0]] : [])))].sort(
    (a, b) => a - b,
  );

/** Boundaries of two cuts: those only one of them has, and how many both have. */
export function boundaryChanges(a: readonly number[], b: readonly number[]) {
  const inA = new Set(a);
  const inB = new Set(b);
  return {
    onlyA: a.filter((at) => !inB.has(at)),
    onlyB: b.filter((at) => !inA.has(at)),
    both: a.filter((at) => inB.has(at)).length,
  };
}

/** Characters the engine takes for one token where it has no tokenizer. */
const CHARACTERS_PER_TOKEN = 4;

/** Sizes in tokens that the settings of a cut ask for. */
export function limitsOf(settings: Record<string, unknown>): { min?: number; target?: number; max?: number } {
  const number = (name: string) => (typeof settings[name] === "number" ? settings[name] : undefined);
  const characters = number("chunk_size");
  return {
    min: number("min_tokens") || undefined,
    target: number("target_tokens"),
    max: number("max_tokens") ?? (characters && Math.ceil(characters / CHARACTERS_PER_TOKEN)),
  };
}

/** Lines of the histogram. */
export function rulesOf(
  settings: Record<string, unknown>,
  words: (name: string, at: number) => string,
): Rule[] {
  const limits = limitsOf(settings);
  return (["min", "target", "max"] as const).flatMap((name) => {
    const at = limits[name];
    return at === undefined ? [] : [{ at, label: words(name, at), solid: name === "target" }];
  });
}

/** End of a round axis that holds `most`, and the width of its bins. */
export function axisOf(most: number): { end: number; width: number } {
  const rough = Math.max(most, 30) / 30;
  const power = 10 ** Math.floor(Math.log10(rough));
  const width = Math.max(1, ([1, 2, 5, 10].find((step) => step * power >= rough) ?? 10) * power);
  return { end: (Math.floor(most / width) + 1) * width, width };
}

/** How many chunks have how many tokens. */
export function binsOf(
  chunks: readonly PreviewedChunk[],
  { end, width }: { end: number; width: number },
  limits: { min?: number; max?: number },
): Bin[] {
  const counts = new Array<number>(Math.round(end / width)).fill(0);
  for (const { view } of chunks) {
    const bin = Math.min(counts.length - 1, Math.floor(view.tokens / width));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count, index) => {
    const from = index * width;
    const low = limits.min !== undefined && from + width <= limits.min;
    const high = limits.max !== undefined && from > limits.max;
    return { from, to: from + width, count, tone: low ? "warn" : high ? "bad" : "base" };
  });
}
