// The library: corpora with their coverage, one job at work, an import that is looked into first.
//
// Over 500 lines: one table of handlers over one state.

import { answering, recorded } from "../recording";
import type { FakeHandlers } from "../transport/fake";
import type {
  BinnedDocument,
  CorpusOverview,
  Correction,
  DocumentQuery,
  DocumentRow,
  GoneReport,
  Job,
  JobEvent,
  JobFile,
  JobId,
  ModelCoverage,
  WatchedFolder,
} from "../types";

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

const NAMES = [
  "northwind-energy-climate-report-2024.pdf",
  "aurelia-cement-annual-2024.pdf",
  "halden-shipping-esg-2024.pdf",
  "meridian-foods-sustainability.pdf",
  "solace-air-tcfd-2024.docx",
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

/** A folder that is watched for the reports. */
const INBOX: WatchedFolder = {
  id: 1,
  path: "/home/ada/reports/2024",
  corpus: "Reports FY2024",
  gone: "mark",
  every: 300,
  state: "watching",
  looked_at: "2025-11-19T10:02:00Z",
  job: 7,
  code: null,
  message: null,
  settled: null,
};

/** No document whose file is gone. */
export const nothingGone = (): GoneReport => ({
  deleted: { count: 0, documents: [] },
  marked: { count: 0, documents: [] },
  held: { count: 0, documents: [] },
  away: { count: 0, documents: [] },
  until: null,
});

const changes = (created: number) => ({ created, updated: 0, unchanged: 0, deleted: 0 });

const job: Job = {
  id: 7,
  kind: "ingest",
  state: "paused",
  interrupted: false,
  workspace: "default",
  report: {
    status: "unfinished",
    failed_in: null,
    failed_code: null,
    documents: changes(30),
    chunks: changes(11_170),
    failed: [
      {
        path: "meridian-foods-sustainability.pdf",
        line: null,
        page: 61,
        page_label: null,
        code: "no_text",
        message: "No text layer on 61 of 88 pages",
      },
    ],
    refused: [],
    skipped: [],
    notices: [],
    gone: nothingGone(),
    counts: {},
    embedded: { "text-embedding-3-small": 11_549 },
    seconds: 252,
  },
  error: null,
  files: 5,
  files_done: 2,
  pages: 94,
  created_at: "2025-11-19T09:58:00Z",
  updated_at: "2025-11-19T10:02:00Z",
};

const file = (
  ordinal: number,
  state: JobFile["state"],
  stage: JobFile["stage"],
  error: string | null = null,
  code: string | null = null,
): JobFile => ({
  ordinal,
  origin: `/home/ada/reports/2024/${NAMES[ordinal]}`,
  path: NAMES[ordinal] ?? "",
  moved_from: null,
  corpus: "Reports FY2024",
  state,
  stage,
  result: state === "done" ? "created" : null,
  chunks: state === "done" ? 371 : 0,
  pages: state === "done" ? 94 : null,
  seconds: state === "done" ? 38 : null,
  code,
  error,
});

/** What the job tells of itself while it is at work. */
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

export const runningJob: JobEvent = {
  job: job.id,
  workspace: "default",
  state: "running",
  stage: "embed",
  files: 5,
  files_done: 2,
  files_failed: 1,
  files_read: 5,
  files_cut: 4,
  pages: 5_914,
  ocr_pages: 0,
  ocr_done: 0,
  chunks_cut: 17_804,
  chunks: 11_170,
  embedded: 11_549,
  to_embed: 18_932,
  model: "openai/text-embedding-3-small",
  spent: 0.08,
  price: 0.14,
  rate: 92,
  page_rate: 71,
  seconds_left: 160,
  file: { ...file(1, "running", "chunk"), pages: 212 },
  error: null,
  code: null,
};

const files = (): JobFile[] => [
  file(0, "queued", "chunk"),
  file(1, "queued", "read"),
  file(2, "done", "store"),
  file(3, "failed", "read", "No text layer on 61 of 88 pages", "pages_without_text"),
  file(4, "queued", "read"),
];

/** Handlers of a library that can be changed. */
export function libraryHandlers(): FakeHandlers {
  let corpora = start();
  let watched: WatchedFolder[] = [INBOX];
  let gone: number[] = [];
  let lost: number[] = [];
  const inBin = (row: DocumentRow): BinnedDocument => ({
    id: row.id,
    corpus: corpora.find(({ corpus }) => corpus.id === row.corpus_id)?.corpus.name ?? "",
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
  let jobs: Job[] = [job];
  const missing = (what: string) => ({ code: "not_found", message: `${what} does not exist` });
  const enter = (id: number, state: Job["state"]) => {
    jobs = jobs.map((each) => (each.id === id ? { ...each, state } : each));
  };
  const named = (name: string) => {
    const found = corpora.find((each) => each.corpus.name === name);
    if (!found) throw missing(`corpus \`${name}\``);
    return found;
  };
  const begin = (kind: Job["kind"]): JobId => {
    const id = Math.max(0, ...jobs.map((each) => each.id)) + 1;
    jobs = [{ ...job, id, kind, state: "queued", files: 0, files_done: 0 }, ...jobs];
    return { id };
  };
  const sum = (of: (each: CorpusOverview) => number) => corpora.reduce((total, each) => total + of(each), 0);
  return answering({
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
    "document.list": (query) =>
      listed(
        [
          ...(query.corpus ? [] : recorded("document.list", { reports: true }).reverse()),
          ...(query.corpus ? [named(query.corpus)] : corpora).flatMap((each) =>
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
      const of = corpora.find(({ corpus }) => corpus.id === Math.floor(id / 1_000));
      if (!of) return Promise.reject(missing(`document ${id}`));
      corrections.set(id, correction);
      return corrected(document(id % 1_000, of));
    },
    "document.delete": ({ ids }) => {
      gone = [...gone, ...ids];
      return { status: "deleted", deleted_count: ids.length };
    },
    "bin.list": () =>
      corpora
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
    "job.list": () => jobs,
    "job.get": ({ id }) => jobs.find((each) => each.id === id) ?? Promise.reject(missing(`job ${id}`)),
    "job.files": ({ id, states = [], offset = 0, limit = 1_000 }) =>
      id === job.id
        ? files()
            .filter((each) => states.length === 0 || states.includes(each.state))
            .slice(offset, offset + limit)
        : [],
    "job.pause": ({ id }) => enter(id, "paused"),
    "job.cancel": ({ id }) => enter(id, "cancelled"),
    "job.resume": ({ id }) => enter(id, "running"),
    "watch.list": () => [...watched],
    "watch.add": ({ path, corpus, gone, every }) => {
      const id = Math.max(0, ...watched.map((folder) => folder.id)) + 1;
      watched = [...watched, { ...INBOX, id, path, corpus, gone: gone ?? "mark", every: every ?? 300 }];
      return { id };
    },
    "watch.change": ({ id, paused, gone }) => {
      watched = watched.map((folder) =>
        folder.id === id
          ? {
              ...folder,
              state: paused ? "paused" : "watching",
              gone: gone ?? folder.gone,
            }
          : folder,
      );
      return {};
    },
    "watch.remove": ({ id }) => {
      watched = watched.filter((folder) => folder.id !== id);
      return {};
    },
    "watch.run": () => ({ id: begin("ingest").id }),
    "ingest.unlock": () => ({}),
    "job.retry": ({ id }) => enter(id, "running"),
    "sample.open": () => ({
      workspace: "Sample",
      corpus: "Sample reports",
      job: begin("ingest").id,
    }),
    "model.test": ({ space }) => ({ model: space, dimensions: 384, milliseconds: 42 }),
    "ingest.glance": ({ paths }) => {
      const similar: Record<string, number> = { "Reports FY2024": 46, "Reports FY2023": 41 };
      const archives = paths.filter((path) => path.endsWith(".zip"));
      const endings = paths
        .filter((path) => !path.endsWith(".zip"))
        .map((path) => path.split(".").at(-1) ?? "");
      return {
        kinds: [...new Set(endings)].map((ending): [string, number] => [
          ending,
          endings.filter((each) => each === ending).length,
        ]),
        bytes: endings.length * 9_200_000,
        skipped: archives.map((path) => ({
          path: path.split("/").at(-1) ?? path,
          line: null,
          page: null,
          page_label: null,
          code: "archive",
          message: "is an archive; extract it first",
        })),
        more: false,
        similar: endings.includes("pdf") ? similar : {},
      };
    },
    "ingest.preflight": ({ sources = [], strategy, remote, corpus }) => ({
      files: sources.map((source) => ({
        path: source.kind === "path" ? source.path : "",
        bytes: 2_400_000,
        source_type: "report",
        strategy: strategy ?? "recursive",
        failure: null,
        code: null,
      })),
      skipped: [],
      bytes: sources.length * 2_400_000,
      pages: sources.length * 148,
      pages_without_text: 3,
      ocr_seconds: 5,
      ocr_possible: true,
      tokens: sources.length * 160_000,
      chunks: sources.length * 508,
      seconds: 14,
      embedding_seconds: 38,
      cost: (remote ?? corpora.some((each) => each.corpus.name === corpus)) ? 0.02 : null,
      sampled: false,
    }),
    "document.alike": () => [],
    "ingest.start": () => begin("ingest"),
    "embed.start": () => begin("embed"),
    "embed.estimate": () => ({ texts: 12_285, tokens: 5_250_000, cost: 0.11 }),
    "shell.pick_files": () => ({ paths: NAMES.slice(0, 2).map((name) => `/home/ada/reports/2024/${name}`) }),
    "shell.pick_folders": () => ({ paths: ["/home/ada/reports/2024"] }),
  });
}

/** Handlers of the library. */
export const handlers: FakeHandlers = libraryHandlers();
