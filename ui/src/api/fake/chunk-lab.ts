// Chunk Lab: a long report, the strategies as they declare themselves, and a cutter that heeds their settings.

import type { FakeHandlers } from "../transport/fake";
import type {
  ChunkRow,
  ChunkView,
  CutChunk,
  CutDifference,
  CutRequest,
  CutView,
  Neighbours,
  PageView,
  ParamView,
  PieceView,
  SectionView,
  Statistics,
  StoredChunk,
  StrategyView,
  StructureView,
} from "../types";

const integer = (
  name: string,
  min: number,
  max: number,
  value: number,
  unit: string,
  description: string,
): ParamView => ({ name, kind: "integer", min, max, options: [], default: value, unit, description });

const toggle = (name: string, value: boolean, description: string): ParamView => ({
  name,
  kind: "switch",
  min: null,
  max: null,
  options: [],
  default: value,
  unit: "",
  description,
});

const packing = (target: number, min: number, max: number, overlap: number, tables: boolean): ParamView[] => [
  integer(
    "target_tokens",
    20,
    8000,
    target,
    "tokens",
    "Size a chunk aims at, with its context header and overlap.",
  ),
  integer(
    "min_tokens",
    0,
    8000,
    min,
    "tokens",
    "A chunk with less text of its own is joined with its neighbour under the same heading.",
  ),
  integer(
    "max_tokens",
    40,
    8000,
    max,
    "tokens",
    "No chunk is longer, unless one block that must not be cut is.",
  ),
  integer(
    "overlap_tokens",
    0,
    8000,
    overlap,
    "tokens",
    "Whole sentences repeated from the chunk before under the same heading; at most half the target.",
  ),
  integer(
    "split_at_headings",
    0,
    6,
    6,
    "level",
    "Deepest heading level that starts a new chunk; 0 lets chunks run across all headings.",
  ),
  toggle("keep_tables", tables, "Keep a table in one piece even where it is longer than the maximum."),
  toggle("merge_orphans", false, "Join a heading without text of its own with the section that follows."),
  toggle("context_header", true, "Start each chunk with its place in the document."),
];

/** Every strategy, as the engine declares it. */
export const strategies: StrategyView[] = [
  {
    name: "report",
    summary:
      "Sustainability reports: by section hierarchy, with section path, pages and an overlap of whole sentences.",
    params: packing(320, 80, 512, 48, true),
  },
  {
    name: "docs",
    summary:
      "Documentation trees: by heading, with breadcrumb and link; code, tables and admonitions stay whole.",
    params: packing(460, 120, 700, 0, true),
  },
  {
    name: "recursive",
    summary:
      "Any text: windows of a fixed number of characters, cut at paragraph, line, sentence, clause or word.",
    params: [
      integer("chunk_size", 20, 32_000, 500, "characters", "Longest chunk, with its overlap."),
      integer(
        "chunk_overlap",
        0,
        16_000,
        50,
        "characters",
        "Characters repeated from the chunk before; at most half the chunk size.",
      ),
    ],
  },
];

const HEADINGS = [
  "Board oversight of climate matters",
  "Quarterly review and pay link",
  "Late network, milestones",
  "Physical damage at coastal sites",
  "Scenario inputs",
  "Assumptions by region",
  "Capital allocation",
  "Internal carbon price",
  "Just transition",
  "Supplier engagement",
  "Scope 3 emissions",
  "Water and waste heat",
];
const SENTENCES = [
  "The committee reviews progress against the plan each quarter and reports its view to the full board.",
  "Sites with a grid connection before 2028 move to electric drive first.",
  "We report emissions on a location basis and on a market basis.",
  "Two contracts were renegotiated so that curtailment is shared with the buyer.",
  "The carbon price used in decisions rises from €80 to €140 a tonne by 2035.",
  "An independent body assured the figures for scope 1 and scope 2.",
  "Suppliers that stand for two thirds of purchased emissions have set targets of their own.",
  "Flooding closed one depot for nine days, and the cost was below the threshold for disclosure.",
  "The plan depends on permits that have been applied for and not yet granted.",
  "Heat recovered from compressors warms two neighbouring schools.",
  "Capital is released in stages once each milestone has been met.",
  "No credit is taken for avoided emissions in any target.",
];

const PAGE_34 = `Each quarter the board’s sustainability committee reviews progress against the plan and reports its view to the full board. Pay for executive directors has been tied to gross scope 1 intensity since 2022. The weighting rose from 10% to 20% of the annual award in the reporting year, and the same measure now applies to forty senior managers.

## 3.2 Transition plan

Our transition plan covers operated assets to 2035 and rests on three premises: grid connection dates hold, the carbon price stays above €80 a tonne, and hydrogen-ready turbines reach the market by 2029. If any one slips by more than two years, the 2035 milestone moves to 2038. We have set aside €1.9 billion through 2030, about a third of planned growth capital, to retire or convert 2.4 GW of gas capacity. Two of the five sites depend on a regional hydrogen network that has planning consent but no final investment decision.

Where the network is late we would run the converted units on a 30% blend, which keeps 640 jobs on site but adds roughly 0.4 Mt of CO₂e a year. Suppliers of turbines and switchgear were asked for lead times in March; eleven of fourteen replied.

| Milestone | 2027 | 2030 | 2035 |
|---|---|---|---|
| Gas converted, GW | 0.3 | 1.1 | 2.4 |
| Scope 1, Mt CO₂e | 9.8 | 6.1 | 1.7 |

### Joint ventures

Figures exclude joint ventures we do not operate; see note 14.

## 3.3 Resilience of the strategy

We tested the portfolio against a 1.5 °C pathway and a delayed-action pathway. Under the first, coal-to-gas spreads close by 2031 and impairments of €0.7–1.1 billion would follow. Under the second, physical damage at two coastal sites dominates, and insurance cover falls away for one of them after 2034.`;

function random(seed: number) {
  let state = seed;
  return (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % most;
  };
}

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

function section(number: string, next: (most: number) => number): string {
  const parts = [`## ${number} ${pick(HEADINGS, next(HEADINGS.length))}`];
  for (let paragraph = 2 + next(3); paragraph > 0; paragraph -= 1)
    parts.push(Array.from({ length: 3 + next(6) }, () => pick(SENTENCES, next(SENTENCES.length))).join(" "));
  if (next(6) === 0) {
    const rows = Array.from(
      { length: 4 + next(40) },
      (_, row) => `| Site ${row + 1} | ${next(90)} | ${next(90)} | ${next(90)} |`,
    );
    parts.push(["| Site | 2023 | 2024 | 2030 |", "|---|---|---|---|", ...rows].join("\n"));
  }
  return parts.join("\n\n");
}

type Text = { text: string; structure: StructureView };

function structureOf(text: string, pages: number): StructureView {
  const sections: SectionView[] = [];
  const open: number[] = [];
  for (const match of text.matchAll(/^(#{1,6}) (.*)$/gm)) {
    const level = (match[1] ?? "").length;
    while (open.length > 0 && (sections[open.at(-1) ?? 0]?.level ?? 0) >= level) {
      const closed = sections[open.pop() ?? 0];
      if (closed) closed.range[1] = match.index;
    }
    sections.push({
      level,
      title: match[2] ?? "",
      range: [match.index, text.length],
      parent: open.at(-1) ?? null,
    });
    open.push(sections.length - 1);
  }
  const list: PageView[] = Array.from({ length: pages }, (_, index) => ({
    number: index + 1,
    label: null,
    range: [Math.floor((text.length * index) / pages), Math.floor((text.length * (index + 1)) / pages)],
  }));
  return { sections, pages: list, notices: [] };
}

/** A report of `chapters` chapters. */
export function reportText(chapters: number): string {
  const next = random(7);
  const parts = ["# Northwind Energy plc climate report 2024"];
  for (let chapter = 1; chapter <= chapters; chapter += 1) {
    parts.push(
      `# ${chapter} ${pick(["Strategy", "Governance", "Risk management", "Metrics and targets"], chapter)}`,
    );
    for (let each = 1; each <= 12; each += 1) {
      if (chapter === 3 && each === 2) parts.push(PAGE_34);
      else if (!(chapter === 3 && each === 3)) parts.push(section(`${chapter}.${each}`, next));
    }
  }
  return parts.join("\n\n");
}

/** The second report is long: a megabyte. */
export const LONG_DOCUMENT = 5_001;

const reports = new Map<number, Text>();

function northwind(chapters: number): Text {
  let report = reports.get(chapters);
  if (!report) {
    const text = reportText(chapters);
    report = { text, structure: structureOf(text, chapters * 11 - 6) };
    reports.set(chapters, report);
  }
  return report;
}

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
      oversize: own + repeated + headed > sizes.max,
      pages: structure.pages.length > 0 ? [pageAt(from), pageAt(to)] : null,
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
        oversize: false,
        pages: null,
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

function statisticsOf(chunks: readonly CutChunk[]): Statistics {
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

function cutOf(document: Text, { strategy, settings, chunks_only }: Partial<CutRequest>): CutView {
  const began = performance.now();
  const chosen = strategies.find((each) => each.name === (strategy ?? "report"));
  if (!chosen) throw { code: "invalid", message: `\`${strategy}\` is no chunking strategy` };
  const values: Record<string, unknown> = Object.fromEntries(
    chosen.params.map((param) => [param.name, settings?.[param.name] ?? param.default]),
  );
  const number = (name: string) => Number(values[name]);
  if (chosen.name === "recursive" && number("chunk_overlap") * 2 > number("chunk_size"))
    throw { code: "invalid", message: "`chunk_overlap` is more than half of `chunk_size`: lower it" };
  if (chosen.name !== "recursive" && number("target_tokens") > number("max_tokens"))
    throw {
      code: "invalid",
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
  const chunks = views.map((view): CutChunk => {
    const pieces = view.pieces.map((piece) =>
      piece.kind === "generated" ? piece.text : document.text.slice(...piece.range),
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

const idOf = (ordinal: number) => `c4a9${ordinal.toString(16).padStart(12, "0")}`;

function storedAs(document: number, text: string, chunk: CutChunk): StoredChunk {
  const { view } = chunk;
  const parts = view.pieces.map((piece) =>
    piece.kind === "generated" ? piece.text : text.slice(...piece.range),
  );
  const found: ChunkRow = {
    id: view.ordinal,
    chunk_id: idOf(view.ordinal),
    document_id: document,
    corpus: "Reports FY2024",
    title: "Northwind Energy plc climate report 2024",
    path: "northwind-energy-climate-report-2024.pdf",
    ordinal: view.ordinal,
    parent: null,
    source_type: "report",
    report_id: null,
    text: parts.join("\n\n"),
    metadata: view.metadata,
    pages: view.pages,
    tokens: view.tokens,
    word_count: Math.round(view.tokens * 0.75),
    oversize: view.oversize,
    content_hash: chunk.content_hash,
    ingested_at: "2025-11-19T10:02:00Z",
  };
  return { view: { ...view, chunk_id: found.chunk_id }, row: found };
}

const NEAR: [ordinal: number, title: string, similarity: number][] = [
  [42, "Northwind 2024", 0.912],
  [112, "Aurelia 2024", 0.847],
  [37, "Northwind 2023", 0.839],
  [88, "Kestrel 2024", 0.801],
  [63, "Halden 2024", 0.788],
];

/** Handlers on a report of `chapters` chapters; the third holds what the design shows. */
export function chunkLabHandlers(chapters: number): FakeHandlers {
  const textOf = (source: CutRequest["source"] | undefined): Text => {
    if (source?.kind === "text") return { text: source.text, structure: structureOf(source.text, 0) };
    return northwind(source?.kind === "document" && source.id === LONG_DOCUMENT ? 4 * chapters : chapters);
  };
  // The engine takes milliseconds where this takes a tenth of a second.
  const cuts = new Map<string, CutView>();
  const cut = (request: Partial<CutRequest>): CutView => {
    const key = JSON.stringify(request);
    const kept = cuts.get(key) ?? cutOf(textOf(request.source), request);
    cuts.set(key, kept);
    return kept;
  };
  const stored = () => cut({});
  const row = (document: number, chunk: CutChunk) => storedAs(document, northwind(chapters).text, chunk);
  return {
    "strategy.list": () => strategies,
    "chunk.preview": cut,
    "chunk.list": ({ document, offset, limit }: { document: number; offset: number; limit: number }) =>
      stored()
        .chunks.slice(offset, offset + limit)
        .map((chunk) => row(document, chunk)),
    "chunk.get": ({ chunk_id }: { chunk_id: string }) => {
      const chunk = stored().chunks.find(({ view }) => idOf(view.ordinal) === chunk_id);
      if (!chunk) throw { code: "not_found", message: `there is no chunk \`${chunk_id}\`` };
      return row(5_000, chunk);
    },
    "chunk.neighbours": ({ limit }: { chunk_id: string; limit: number }): Neighbours => ({
      space: "remote-small",
      chunks: NEAR.slice(0, limit).flatMap(([ordinal, title, similarity]) => {
        const chunk = stored().chunks[ordinal];
        return chunk ? [{ chunk: row(5_000, chunk), title, similarity }] : [];
      }),
    }),
    "chunk.difference": (request: CutRequest): CutDifference => {
      const now = cut({ ...request, chunks_only: true }).chunks;
      const before = stored().chunks;
      const known = new Set(before.map((chunk) => chunk.content_hash));
      const kept = new Set(now.map((chunk) => chunk.content_hash));
      const places = new Map(before.map(({ view }) => [view.range.join(), view.ordinal]));
      const fresh = now.filter((chunk) => !known.has(chunk.content_hash));
      const changed = fresh.filter(({ view }) => places.has(view.range.join()));
      const changedPlaces = new Set(changed.map(({ view }) => view.range.join()));
      const starts = (chunks: readonly CutChunk[]) => new Set(chunks.map(({ view }) => view.range[0]));
      const [old, next] = [starts(before), starts(now)];
      const tokens = fresh.reduce((sum, { view }) => sum + view.tokens, 0);
      return {
        difference: {
          same: now.length - fresh.length,
          changed: changed.length,
          added: fresh.filter((chunk) => !changed.includes(chunk)).map(({ view }) => view.ordinal),
          removed: before
            .filter((chunk) => !kept.has(chunk.content_hash) && !changedPlaces.has(chunk.view.range.join()))
            .map(({ view }) => view.ordinal),
          boundaries_added: [...next].filter((at) => !old.has(at)),
          boundaries_removed: [...old].filter((at) => !next.has(at)),
          tokens_to_embed: tokens,
        },
        cost: (tokens / 1_000_000) * 0.02,
      };
    },
  };
}

/** Handlers of Chunk Lab. */
export const handlers: FakeHandlers = chunkLabHandlers(14);
