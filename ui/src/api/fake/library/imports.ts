// An import that is looked into first, and what it would embed.

import { answering } from "../../recording";
import type { FakeHandlers } from "../../transport/fake";
import type { Begin } from "./jobs";
import { NAMES } from "./names";

/** Imports begin jobs; `isRemote` says of a corpus by its name whether its texts go to a provider. */
export const importHandlers = (begin: Begin, isRemote: (corpus: string) => boolean): FakeHandlers =>
  answering({
    "ingest.unlock": () => ({}),
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
      cost: (remote ?? isRemote(corpus ?? "")) ? 0.02 : null,
      sampled: false,
    }),
    "ingest.start": () => begin("ingest"),
    "embed.start": () => begin("embed"),
    "embed.estimate": () => ({ texts: 12_285, tokens: 5_250_000, cost: 0.11 }),
    "shell.pick_files": () => ({ paths: NAMES.slice(0, 2).map((name) => `/home/ada/reports/2024/${name}`) }),
    "shell.pick_folders": () => ({ paths: ["/home/ada/reports/2024"] }),
  });
