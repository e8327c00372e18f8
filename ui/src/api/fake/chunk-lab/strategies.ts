// The strategies as the engine declares them.

import type { ParamView, StrategyView } from "../../types";

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
    "Target size of a chunk, including its context header and overlap.",
  ),
  integer(
    "min_tokens",
    0,
    8000,
    min,
    "tokens",
    "A chunk with less text than this, leaving out header and overlap, is joined with its neighbour under the same heading.",
  ),
  integer(
    "max_tokens",
    40,
    8000,
    max,
    "tokens",
    "Longest chunk, except for a single block that must stay whole.",
  ),
  integer(
    "overlap_tokens",
    0,
    8000,
    overlap,
    "tokens",
    "Whole sentences repeated from the previous chunk under the same heading; at most half the target.",
  ),
  integer(
    "split_at_headings",
    0,
    6,
    6,
    "level",
    "Deepest heading level that starts a new chunk; 0 lets chunks run across all headings.",
  ),
  toggle("keep_tables", tables, "Keep a table in one piece even if it is longer than the maximum."),
  toggle("merge_orphans", false, "Join a heading that has no text with the section that follows."),
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
      "Any text: windows of a fixed number of characters, split at paragraph, line, sentence, clause or word.",
    params: [
      integer("chunk_size", 20, 32_000, 500, "characters", "Longest chunk, including its overlap."),
      integer(
        "chunk_overlap",
        0,
        16_000,
        50,
        "characters",
        "Characters repeated from the previous chunk; at most half the chunk size.",
      ),
    ],
  },
];
