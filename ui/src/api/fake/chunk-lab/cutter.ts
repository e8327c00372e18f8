// Cuts a document as the engine would, heeding every setting.

import type {
  ChunkingRequest,
  ChunkingView,
  ChunkView,
  PieceView,
  PreviewedChunk,
  Statistics,
} from "../../types";
import type { Text } from "./report";
import { strategies } from "./strategies";

const tokensOf = (text: string) => Math.ceil(text.length / 4);

/** The next place behind white space. */
function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && text.charCodeAt(next) <= 32) next += 1;
  return next;
}

type Block = { from: number; to: number; heading: number; table: boolean };

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (const match of text.matchAll(/\S(?:(?!\n\s*\n)[\s\S])*/g)) {
    const found = match[0].trimEnd();
    const heading = /^(#{1,6}) /.exec(found)?.[1]?.length ?? 0;
    blocks.push({ from: match.index, to: match.index + found.length, heading, table: found.startsWith("|") });
  }
  return blocks;
}

/** Ends of sentences in `text` between `from` and `to`. */
function sentenceEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = [];
  for (const match of text.slice(from, to).matchAll(/[.!?](?=\s)/g)) ends.push(from + match.index + 1);
  return [...ends, to];
}

type Sizes = {
  target: number;
  min: number;
  max: number;
  overlap: number;
  level: number;
  tables: boolean;
  header: boolean;
};

function pack({ text, structure }: Text, sizes: Sizes): ChunkView[] {
  const views: ChunkView[] = [];
  const blocks = blocksOf(text);
  const { sections } = structure;
  let open: { from: number; to: number } | undefined;
  let place = -1;
  let fresh = true;
  const pathOf = (at: number) => {
    let index = sections.findLastIndex((each) => each.range[0] <= at);
    const path: string[] = [];
    for (; index >= 0; index = sections[index]?.parent ?? -1) path.unshift(sections[index]?.title ?? "");
    return path;
  };
  const close = () => {
    if (!open) return;
    const { from, to } = open;
    const before = views.at(-1);
    const pieces: PieceView[] = [];
    const path = pathOf(from);
    const header = sizes.header && path.length > 0 ? `[${path.join(" > ")}]` : "";
    if (header) pieces.push({ kind: "generated", text: header });
    let repeated = 0;
    if (before && !fresh && sizes.overlap > 0) {
      const ends = sentenceEnds(text, before.range[0], before.range[1]);
      const begin = ends
        .map((end) => skipSpace(text, end))
        .find((at) => at < before.range[1] && tokensOf(text.slice(at, before.range[1])) <= sizes.overlap);
      if (begin !== undefined) {
        pieces.push({ kind: "source", range: [begin, before.range[1]], role: "overlap" });
        repeated = tokensOf(text.slice(begin, before.range[1]));
      }
    }
    pieces.push({ kind: "source", range: [from, to], role: "body" });
    const headed = header ? tokensOf(header) : 0;
    const own = tokensOf(text.slice(from, to));
    const pageAt = (at: number) => structure.pages.find((page) => page.range[1] > at)?.number ?? 1;
    views.push({
      chunk_id: null,
      ordinal: views.length,
      parent: null,
      pieces,
      range: [from, to],
      tokens: headed + repeated + own,
      header_tokens: headed,
      overlap_tokens: repeated,
      aid_tokens: 0,
      oversize: own + repeated + headed > sizes.max,
      pages: structure.pages.length > 0 ? [pageAt(from), pageAt(to)] : null,
      page_labels: null,
      metadata: {
        issuer: "Northwind Energy plc",
        year: 2024,
        page: structure.pages.length > 0 ? [pageAt(from), pageAt(to)] : null,
        pillar: "strategy",
        section: path.at(-1) ?? "",
        industry: "EM-EP",
        refs: text.slice(from, to).includes("transition plan") ? ["S2.14(a)(iv)"] : [],
        token_count: headed + repeated + own,
      },
    });
    open = undefined;
    fresh = false;
  };
  const size = (from: number, to: number) =>
    tokensOf(text.slice(from, to)) + (sizes.header ? 20 : 0) + (fresh ? 0 : sizes.overlap);
  const take = (from: number, to: number) => {
    if (
      open &&
      size(open.from, to) > sizes.target &&
      tokensOf(text.slice(open.from, open.to)) >= Math.min(sizes.min, sizes.target)
    )
      close();
    if (open && size(open.from, to) > sizes.max) close();
    open = open ? { from: open.from, to } : { from, to };
  };
  for (const block of blocks) {
    if (block.heading > 0 && block.heading <= sizes.level) {
      // A heading without text of its own stays with what follows.
      if (open && place !== open.from) {
        close();
        fresh = true;
      }
      if (!open) place = block.from;
      open = open ? { from: open.from, to: block.to } : { from: block.from, to: block.to };
      continue;
    }
    place = -1;
    if ((block.table && sizes.tables) || size(block.from, block.to) <= sizes.target) {
      take(block.from, block.to);
      continue;
    }
    const ends = block.table
      ? [...text.slice(block.from, block.to).matchAll(/\n/g)]
          .map((match) => block.from + match.index)
          .concat(block.to)
      : sentenceEnds(text, block.from, block.to);
    let from = block.from;
    for (const end of ends) {
      take(from, end);
      from = skipSpace(text, end);
    }
  }
  close();
  return views;
}

function windows({ text }: Text, size: number, overlap: number): ChunkView[] {
  const views: ChunkView[] = [];
  let covered = 0;
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + size);
    if (end < text.length) {
      const region = text.slice(end - Math.floor(size * 0.3), end);
      const found = ["\n\n", "\n", ". ", ", ", " "]
        .map((each) => region.lastIndexOf(each) + each.length)
        .find((at) => at > 1);
      if (found) end = end - region.length + found;
    }
    const trim = (from: number, to: number): [number, number] => {
      const part = text.slice(from, to);
      return [from + part.length - part.trimStart().length, to - part.length + part.trimEnd().length];
    };
    const pieces: PieceView[] = [];
    const before = trim(start, Math.max(start, covered));
    if (covered > start && before[1] > before[0])
      pieces.push({ kind: "source", range: before, role: "overlap" });
    const own = trim(Math.max(start, covered), end);
    if (own[1] > own[0]) {
      pieces.push({ kind: "source", range: own, role: "body" });
      const repeated = pieces.length > 1 ? tokensOf(text.slice(...before)) : 0;
      views.push({
        chunk_id: null,
        ordinal: views.length,
        parent: null,
        pieces,
        range: own,
        tokens: tokensOf(text.slice(start, end).trim()),
        header_tokens: 0,
        overlap_tokens: repeated,
        aid_tokens: 0,
        oversize: false,
        pages: null,
        page_labels: null,
        metadata: { chunk_index: views.length, start_char: start, end_char: end },
      });
    }
    if (end >= text.length) break;
    covered = end;
    start = Math.max(start + 1, end - overlap);
  }
  return views;
}

function hashOf(text: string): string {
  let out = "";
  for (let round = 0; round < 8; round += 1) {
    let hash = 0x811c9dc5 ^ round;
    for (let index = 0; index < text.length; index += 1)
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    out += (hash >>> 0).toString(16).padStart(8, "0");
  }
  return out;
}

function statisticsOf(chunks: readonly PreviewedChunk[]): Statistics {
  const tokens = chunks.map(({ view }) => view.tokens).sort((a, b) => a - b);
  const rank = (share: number) => tokens[Math.max(0, Math.ceil(tokens.length * share) - 1)] ?? 0;
  const total = tokens.reduce((sum, each) => sum + each, 0);
  const length = (role: string) =>
    chunks.reduce(
      (sum, { view }) =>
        sum +
        view.pieces.reduce(
          (inner, piece) =>
            inner + (piece.kind === "source" && piece.role === role ? piece.range[1] - piece.range[0] : 0),
          0,
        ),
      0,
    );
  const repeated = length("overlap");
  return {
    count: chunks.length,
    min: tokens[0] ?? 0,
    median: rank(0.5),
    p95: rank(0.95),
    max: tokens.at(-1) ?? 0,
    mean: total / Math.max(1, chunks.length),
    total,
    overlap_percent: (100 * repeated) / Math.max(1, repeated + length("body")),
    orphans: chunks.filter((chunk) => chunk.orphan).length,
    oversize: chunks.filter(({ view }) => view.oversize).length,
  };
}

/** A document as the asked-for strategy cuts it. */
export function cutOf(
  document: Text,
  { strategy, settings, chunks_only }: Partial<ChunkingRequest>,
): ChunkingView {
  const began = performance.now();
  const chosen = strategies.find((each) => each.name === (strategy ?? "report"));
  if (!chosen) throw { code: "unknown_choice", message: `\`${strategy}\` is not a known chunking strategy` };
  const values: Record<string, unknown> = Object.fromEntries(
    chosen.params.map((param) => [param.name, settings?.[param.name] ?? param.default]),
  );
  const number = (name: string) => Number(values[name]);
  if (chosen.name === "recursive" && number("chunk_overlap") * 2 > number("chunk_size"))
    throw { code: "setting", message: "`chunk_overlap` is more than half of `chunk_size`: lower it" };
  if (chosen.name !== "recursive" && number("target_tokens") > number("max_tokens"))
    throw {
      code: "setting",
      message: `\`target_tokens\` (${number("target_tokens")}) is above \`max_tokens\` (${number("max_tokens")}): lower it`,
    };
  const min = number("min_tokens") || 0;
  const views =
    chosen.name === "recursive"
      ? windows(document, number("chunk_size"), number("chunk_overlap"))
      : pack(document, {
          target: number("target_tokens"),
          min,
          max: number("max_tokens"),
          overlap: number("overlap_tokens"),
          level: number("split_at_headings"),
          tables: values.keep_tables === true,
          header: values.context_header === true,
        });
  const chunks = views.map((view): PreviewedChunk => {
    const pieces = view.pieces.map((piece) =>
      piece.kind === "source" ? document.text.slice(...piece.range) : piece.text,
    );
    return { view, orphan: views.length > 1 && view.tokens < min, content_hash: hashOf(pieces.join("\n\n")) };
  });
  return {
    text: chunks_only ? null : document.text,
    structure: chunks_only ? null : document.structure,
    strategy: chosen.name,
    settings: values,
    chunks,
    statistics: statisticsOf(chunks),
    chunking_ms: performance.now() - began,
    config_hash: hashOf(JSON.stringify(values)),
  };
}
