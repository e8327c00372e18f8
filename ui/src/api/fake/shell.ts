// The window's own questions. A page that has fixtures of its own for one of them replaces it.

import { answering } from "../recording";

/** Handlers of the shell. */
export const handlers = answering({
  "app.info": () => ({
    version: "0.1.0",
    folder: "~/.local/share/sibyl",
    disk_bytes: 231_000_000,
    free_bytes: 84_000_000_000,
    remote: true,
    movable: true,
    moved_to: null,
  }),
  "library.overview": () => ({
    corpora: [],
    documents: 564,
    chunks: 38_114,
    tokens: 11_300_000,
    embedded_percent: 67.8,
    disk_bytes: 231_000_000,
    folder: "~/.local/share/sibyl",
  }),
  "workspace.list": () =>
    ["default", "FY2025 assurance"].map((name, id) => ({
      id,
      name,
      language: "en",
      created_at: "2025-11-12T09:14:00Z",
    })),
  "job.list": () => [],
});
