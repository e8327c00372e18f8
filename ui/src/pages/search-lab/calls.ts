// The search on screen as a call of `rag_lookup` and of the command line.

import { LOOKUP_TOP_K, SEARCH_DEFAULTS } from "@/api/defaults";
import type { Edition, SearchRequest } from "@/api/types";
import { shellWord } from "@/parts/shell-word";
import { activeFilters, type FilterName } from "./state";

const OPTION: Record<FilterName, string> = {
  source_types: "source-type",
  corpora: "corpus",
  reports: "report",
  pillars: "pillar",
  standards: "standard",
  editions: "edition",
  sections: "section",
  industries: "industry",
  topics: "topic",
  tags: "tag",
  modules: "module",
  chapters: "chapter",
  content_types: "content-type",
  paths: "path",
};

const NUMBERS = ["top_k", "semantic_share", "rrf_k", "semantic_weight", "keyword_weight"] as const;
const OF_FUSION = {
  scores: ["top_k", "semantic_share"],
  rrf: ["top_k", "rrf_k", "semantic_weight", "keyword_weight"],
};
/** Whether a number that the request's fusion reads stands at another value than the engine's own. */
const differs = (request: SearchRequest, name: (typeof NUMBERS)[number]) =>
  OF_FUSION[request.fusion].includes(name) && request[name] !== SEARCH_DEFAULTS[name];

/** Input of `rag_lookup` that comes nearest, and the settings that it has no field for. */
export function lookupOf(request: SearchRequest): {
  input: {
    query: string;
    top_k?: number;
    source_types?: string[];
    report_id?: string;
    edition?: Edition;
  };
  beyond: string[];
} {
  const { filters } = request;
  const [report, ...others] = filters.reports;
  const [edition, ...otherEditions] = filters.editions;
  const beyond: string[] = activeFilters(filters).filter(
    (name) => name !== "source_types" && name !== "reports" && name !== "editions",
  );
  if (others.length > 0) beyond.push("reports");
  if (otherEditions.length > 0) beyond.push("editions");
  if (request.mode !== "hybrid") beyond.push("mode");
  if (request.fusion !== SEARCH_DEFAULTS.fusion) beyond.push("fusion");
  if (differs(request, "semantic_share")) beyond.push("semantic_share");
  if (differs(request, "rrf_k")) beyond.push("rrf_k");
  if (differs(request, "semantic_weight") || differs(request, "keyword_weight")) beyond.push("weights");
  if (request.structured) beyond.push("structured");
  if (!request.correct_spelling) beyond.push("correct_spelling");
  if (!request.thesaurus) beyond.push("thesaurus");
  if (!request.counterparts) beyond.push("counterparts");
  if (!request.feedback) beyond.push("feedback");
  if (!request.dedupe) beyond.push("dedupe");
  if (request.rerank) beyond.push("rerank");
  if (request.min_relevance !== null) beyond.push("min_relevance");
  if (request.space !== null) beyond.push("space");
  return {
    input: {
      query: request.query,
      ...(request.top_k !== LOOKUP_TOP_K && { top_k: request.top_k }),
      ...(filters.source_types.length > 0 && { source_types: filters.source_types }),
      ...(report !== undefined && others.length === 0 && { report_id: report }),
      ...(edition !== undefined && otherEditions.length === 0 && { edition }),
    },
    beyond,
  };
}

/** The same search on the command line. */
export function commandOf(request: SearchRequest): string {
  const words = ["sibyl", "search", shellWord(request.query)];
  // A query that begins with a dash would be read as an option.
  if (request.query.startsWith("-")) words.splice(2, 0, "--");
  const options: string[] = [];
  if (request.mode !== "hybrid") options.push(`--mode ${request.mode}`);
  if (request.fusion !== SEARCH_DEFAULTS.fusion) options.push(`--fusion ${request.fusion}`);
  for (const name of NUMBERS)
    if (differs(request, name)) options.push(`--${name.replaceAll("_", "-")} ${request[name]}`);
  if (request.structured) options.push("--structured");
  if (!request.correct_spelling) options.push("--no-spelling");
  if (!request.thesaurus) options.push("--no-thesaurus");
  if (!request.counterparts) options.push("--no-counterparts");
  if (!request.feedback) options.push("--no-feedback");
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
