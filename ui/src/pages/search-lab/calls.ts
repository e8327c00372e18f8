// The search on screen as a call of `rag_lookup` and of the command line.

import type { SearchRequest } from "@/api/types";
import { activeFilters, type FilterName } from "./state";

const OPTION: Record<FilterName, string> = {
  source_types: "source-type",
  corpora: "corpus",
  reports: "report",
  pillars: "pillar",
  standards: "standard",
  sections: "section",
  industries: "industry",
  topics: "topic",
  tags: "tag",
  modules: "module",
  chapters: "chapter",
  content_types: "content-type",
  paths: "path",
};

/** Input of `rag_lookup` that comes nearest, and the settings that it has no field for. */
export function lookupOf(request: SearchRequest): {
  input: { query: string; top_k: number; source_types?: string[]; report_id?: string };
  beyond: string[];
} {
  const { filters } = request;
  const [report, ...others] = filters.reports;
  const beyond: string[] = activeFilters(filters).filter(
    (name) => name !== "source_types" && name !== "reports",
  );
  if (others.length > 0) beyond.push("reports");
  if (request.mode !== "hybrid") beyond.push("mode");
  if (request.rrf_k !== 60) beyond.push("rrf_k");
  if (request.semantic_weight !== 1 || request.keyword_weight !== 1) beyond.push("weights");
  if (request.structured) beyond.push("structured");
  if (!request.correct_spelling) beyond.push("correct_spelling");
  if (!request.thesaurus) beyond.push("thesaurus");
  if (!request.dedupe) beyond.push("dedupe");
  if (request.rerank) beyond.push("rerank");
  if (request.min_relevance !== null) beyond.push("min_relevance");
  if (request.space !== null) beyond.push("space");
  return {
    input: {
      query: request.query,
      top_k: request.top_k,
      ...(filters.source_types.length > 0 && { source_types: filters.source_types }),
      ...(report !== undefined && others.length === 0 && { report_id: report }),
    },
    beyond,
  };
}

/** A word of a POSIX shell, quoted where it must be. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The same search on the command line. */
export function commandOf(request: SearchRequest): string {
  const words = ["sibyl", "search", shellWord(request.query)];
  // A query that begins with a dash would be read as an option.
  if (request.query.startsWith("-")) words.splice(2, 0, "--");
  const options: string[] = [];
  if (request.mode !== "hybrid") options.push(`--mode ${request.mode}`);
  if (request.top_k !== 10) options.push(`--top-k ${request.top_k}`);
  if (request.rrf_k !== 60) options.push(`--rrf-k ${request.rrf_k}`);
  if (request.semantic_weight !== 1) options.push(`--semantic-weight ${request.semantic_weight}`);
  if (request.keyword_weight !== 1) options.push(`--keyword-weight ${request.keyword_weight}`);
  if (request.structured) options.push("--structured");
  if (!request.correct_spelling) options.push("--no-spelling");
  if (!request.thesaurus) options.push("--no-thesaurus");
  if (!request.dedupe) options.push("--no-dedupe");
  if (request.rerank) options.push("--rerank");
  if (request.min_relevance !== null) options.push(`--min-relevance ${request.min_relevance}`);
  if (request.space !== null) options.push(`--space ${shellWord(request.space)}`);
  for (const chunk of request.pinned) options.push(`--why-not ${shellWord(chunk)}`);
  for (const name of activeFilters(request.filters))
    for (const value of request.filters[name]) options.push(`--${OPTION[name]} ${shellWord(value)}`);
  options.push("--explain");
  const [program, command, ...query] = words;
  return [program, command, ...(query[0] === "--" ? [...options, ...query] : [...query, ...options])].join(
    " ",
  );
}
