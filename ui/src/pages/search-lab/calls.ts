// The search on screen as a call of `rag_lookup` and of the command line.

import { LOOKUP_TOP_K, sameRanking } from "@/api/defaults";
import type { Edition, SearchRequest } from "@/api/types";
import { shellWord } from "@/parts/shell-word";
import { activeFilters, optionOf, valuesOf } from "@/state/filters";
import { defaultRequest } from "./state";

const NUMBERS = ["top_k", "semantic_share", "rrf_k", "semantic_weight", "keyword_weight"] as const;
const OF_FUSION = {
  scores: ["top_k", "semantic_share"],
  rrf: ["top_k", "rrf_k", "semantic_weight", "keyword_weight"],
};
/** Whether a number that the request's fusion reads stands at another value than in `usual`. */
const differs = (request: SearchRequest, usual: SearchRequest, name: (typeof NUMBERS)[number]) =>
  OF_FUSION[request.fusion].includes(name) && request[name] !== usual[name];

/** What a search is ranked by beside its numbers. */
const WAYS = [
  "mode",
  "fusion",
  "structured",
  "correct_spelling",
  "thesaurus",
  "counterparts",
  "feedback",
  "dedupe",
  "rerank",
] as const;

/** Input of `rag_lookup` that comes nearest, and the settings that it has no field for; it ranks like `usual`. */
export function lookupOf(
  request: SearchRequest,
  usual: SearchRequest = defaultRequest(),
): {
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
  beyond.push(...WAYS.filter((name) => request[name] !== usual[name]));
  if (differs(request, usual, "semantic_share")) beyond.push("semantic_share");
  if (differs(request, usual, "rrf_k")) beyond.push("rrf_k");
  if (differs(request, usual, "semantic_weight") || differs(request, usual, "keyword_weight"))
    beyond.push("weights");
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

/** The same search on the command line, which ranks like `usual` where it is told nothing. */
export function commandOf(request: SearchRequest, usual: SearchRequest = defaultRequest()): string {
  const words = ["sibyl", "search", shellWord(request.query)];
  // A query that begins with a dash would be read as an option.
  if (request.query.startsWith("-")) words.splice(2, 0, "--");
  const builtIn = defaultRequest();
  const options: string[] = sameRanking(usual, builtIn) ? [] : ["--built-in"];
  if (request.mode !== "hybrid") options.push(`--mode ${request.mode}`);
  if (request.fusion !== builtIn.fusion) options.push(`--fusion ${request.fusion}`);
  for (const name of NUMBERS)
    if (differs(request, builtIn, name)) options.push(`--${name.replaceAll("_", "-")} ${request[name]}`);
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
    for (const value of valuesOf(request.filters, name))
      options.push(`--${optionOf(name)} ${shellWord(value)}`);
  options.push("--explain");
  const [program, command, ...query] = words;
  return [program, command, ...(query[0] === "--" ? [...options, ...query] : [...query, ...options])].join(
    " ",
  );
}
