// The library: corpora with their coverage, their documents, jobs, and imports that are looked into first.

import { answering, recorded } from "../recording";
import type { FakeHandlers } from "../transport/fake";
import type {
  BinnedDocument,
  CorpusOverview,
  Correction,
  DocumentQuery,
  DocumentRow,
  ModelCoverage,
} from "../types";
import { importHandlers } from "./library/imports";
import { jobHandlers, watchHandlers } from "./library/jobs";
import { missing, NAMES } from "./library/names";

const coverage = (chunks: number, remote: number, embedded = 0): ModelCoverage[] => [
  {
    space: "remote-small",
    model: "text-embedding-3-small",
    tier: "remote",
    dimensions: 1536,
    covered: remote,
    chunks,
    served: true,
  },
  {
    space: "bge-small",
    model: "bge-small-en",
    tier: "embedded",
    dimensions: 384,
    covered: embedded,
    chunks,
    served: false,
  },
];

type Figures = [documents: number, chunks: number, tokens: number, remote: number, embedded: number];

const corpus = (
  id: number,
  name: string,
  source_type: string,
  strategy: string,
  [documents, chunks, tokens, remote, embedded]: Figures,
  last_ingested: string | null,
): CorpusOverview => ({
  corpus: {
    id,
    workspace_id: id < 4 ? null : 1,
    name,
    source_type,
    strategy,
    settings: {},
    base_url: "",
    remote: true,
    created_at: "2025-11-12T09:14:00Z",
  },
  documents,
  missing: 0,
  incomplete: 0,
  chunks,
  tokens,
  bytes: chunks * 6_000,
  last_ingested,
  coverage: coverage(chunks, remote, embedded),
});

const start = (): CorpusOverview[] => [
  corpus(1, "IFRS S1", "ifrs_s1", "ifrs", [1, 412, 58_300, 412, 0], "2025-11-12T09:14:00Z"),
  corpus(2, "IFRS S2", "ifrs_s2", "ifrs", [1, 536, 74_900, 536, 0], "2025-11-12T09:15:00Z"),
  corpus(3, "SASB Standards", "sasb", "sasb", [77, 6_148, 1_020_000, 6_148, 0], "2025-11-12T09:31:00Z"),
  corpus(
    4,
    "S2 industry guidance",
    "docs",
    "recursive",
    [68, 4_902, 811_000, 0, 4_902],
    "2025-03-03T18:02:00Z",
  ),
  corpus(
    5,
    "Reports FY2024",
    "report",
    "recursive",
    [46, 18_932, 6_840_000, 11_549, 18_932],
    "2025-11-19T10:02:00Z",
  ),
  corpus(
    6,
    "Reports FY2023",
    "report",
    "recursive",
    [41, 6_464, 2_310_000, 6_464, 0],
    "2025-11-12T10:26:00Z",
  ),
  corpus(7, "Transition notes", "docs", "recursive", [12, 402, 71_000, 402, 0], "2025-11-18T16:20:00Z"),
  corpus(8, "Reviewed answers", "text", "recursive", [318, 318, 96_400, 318, 0], "2025-11-19T08:02:00Z"),
  corpus(9, "Board papers", "docs", "recursive", [0, 0, 0, 0, 0], null),
];

const document = (index: number, of: CorpusOverview): DocumentRow => ({
  id: of.corpus.id * 1_000 + index,
  corpus_id: of.corpus.id,
  path: NAMES[index % NAMES.length] ?? "report.pdf",
  root: "/home/ada/reports/2024",
  origin: `/home/ada/reports/2024/${NAMES[index % NAMES.length]}`,
  report_id: null,
  source_type: of.corpus.source_type,
  format: "pdf",
  title: `${of.corpus.name}, document ${index + 1}`,
  source_hash: "",
  text_version: "",
  config_hash: "",
  word_count: 12_000,
  token_count: 16_000,
  chunks: Math.floor(of.chunks / of.documents),
  pages: 148,
  ingested_at: "2025-11-19T10:02:00Z",
  issuer: null,
  aliases: [],
  year: null,
  as_read: null,
  ocr: null,
  missing_since: null,
});

/** The documents of `rows` that a query asks for. */
export function listed(
  rows: readonly DocumentRow[],
  { ids = [], words = "", reports = false, offset = 0, limit }: Partial<DocumentQuery>,
): DocumentRow[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return rows
    .filter((row) => ids.length === 0 || ids.includes(row.id))
    .filter((row) => !reports || row.report_id !== null)
    .filter((row) => wanted.every((word) => `${row.title} ${row.path}`.toLowerCase().includes(word)))
    .slice(offset, limit == null ? undefined : offset + limit);
}

/** The corpora of a library that can be changed. */
function corporaOf() {
  let corpora = start();
  const named = (name: string) => {
    const found = corpora.find((each) => each.corpus.name === name);
    if (!found) throw missing(`corpus \`${name}\``);
    return found;
  };
  const sum = (of: (each: CorpusOverview) => number) => corpora.reduce((total, each) => total + of(each), 0);
  const handlers = answering({
    "library.overview": () => ({
      corpora,
      documents: sum((each) => each.documents),
      chunks: sum((each) => each.chunks),
      tokens: sum((each) => each.tokens),
      embedded_percent: 67.8,
      disk_bytes: 231_000_000,
      folder: "~/.local/share/sibyl",
    }),
    "corpus.inspect": ({ name }) => ({
      overview: named(name),
      median_tokens: 311,
      filters: ["report", "pillar", "industry", "year"],
      groups: [
        ["governance", 2_410],
        ["strategy", 5_872],
        ["risk_management", 3_118],
        ["metrics_targets", 5_604],
        ["", 1_928],
      ],
      folder: "/home/ada/reports/2024",
      notices: [],
    }),
    "corpus.update": ({ name, remote }) => {
      const { corpus } = named(name);
      corpora = corpora.map((each) =>
        each.corpus.id === corpus.id
          ? { ...each, corpus: { ...corpus, remote: remote ?? corpus.remote } }
          : each,
      );
      return {};
    },
    "corpus.delete": ({ name }) => {
      const { corpus, chunks } = named(name);
      corpora = corpora.filter((each) => each.corpus.id !== corpus.id);
      return { status: "deleted", deleted_count: chunks };
    },
  });
  return { all: () => corpora, named, handlers };
}

type Corpora = ReturnType<typeof corporaOf>;

/** The documents of its corpora: listed, corrected, deleted and taken back. */
function documentHandlers({ all, named }: Corpora): FakeHandlers {
  let gone: number[] = [];
  let lost: number[] = [];
  const inBin = (row: DocumentRow): BinnedDocument => ({
    id: row.id,
    corpus: all().find(({ corpus }) => corpus.id === row.corpus_id)?.corpus.name ?? "",
    title: row.title,
    path: row.path,
    origin: row.origin,
    report_id: row.report_id,
    reason: "deleted",
    deleted_at: "2025-11-19T10:02:00Z",
    kept_until: "2025-12-19T10:02:00Z",
  });
  const corrections = new Map<number, Correction>();
  /** A document as somebody corrected it. */
  const corrected = (row: DocumentRow): DocumentRow => {
    const said = corrections.get(row.id);
    if (!said) return row;
    const { title, issuer, year } = row;
    return {
      ...row,
      title: said.title ?? title,
      issuer: said.issuer ?? issuer,
      year: said.year ?? year,
      as_read: { title, issuer, year },
    };
  };
  return answering({
    "document.list": (query) =>
      listed(
        [
          ...(query.corpus ? [] : recorded("document.list", { reports: true }).reverse()),
          ...(query.corpus ? [named(query.corpus)] : all()).flatMap((each) =>
            Array.from({ length: each.documents }, (_, index) => document(index, each)),
          ),
        ]
          .filter((each) => !gone.includes(each.id))
          .map(corrected),
        query,
      ),
    "document.correct": (correction) => {
      const { id, year } = correction;
      if (year != null && (year < 1990 || year > 2099))
        return Promise.reject({
          code: "invalid",
          message: `enter a year from 1990 to 2099, not ${year}`,
        });
      const of = all().find(({ corpus }) => corpus.id === Math.floor(id / 1_000));
      if (!of) return Promise.reject(missing(`document ${id}`));
      corrections.set(id, correction);
      return corrected(document(id % 1_000, of));
    },
    "document.delete": ({ ids }) => {
      gone = [...gone, ...ids];
      return { status: "deleted", deleted_count: ids.length };
    },
    "bin.list": () =>
      all()
        .flatMap((each) => Array.from({ length: each.documents }, (_, index) => document(index, each)))
        .filter(({ id }) => gone.includes(id) && !lost.includes(id))
        .map((row) => inBin(corrected(row))),
    "bin.restore": ({ ids }) => {
      gone = gone.filter((id) => !ids.includes(id));
      return { restored: ids, refused: [] };
    },
    "bin.delete": ({ ids }) => {
      lost = [...lost, ...ids];
      return { texts_kept: 0 };
    },
    "held.list": () => [],
    "held.decide": () => ({ deleted: 0, marked: 0, kept: 0 }),
    "document.alike": () => [],
  });
}

/** Handlers of a library that can be changed. */
export function libraryHandlers(): FakeHandlers {
  const corpora = corporaOf();
  const { begin, handlers: jobs } = jobHandlers();
  return {
    ...corpora.handlers,
    ...documentHandlers(corpora),
    ...jobs,
    ...watchHandlers(begin),
    ...importHandlers(begin, (name) => corpora.all().some(({ corpus }) => corpus.name === name)),
  };
}

/** Handlers of the library. */
export const handlers: FakeHandlers = libraryHandlers();
