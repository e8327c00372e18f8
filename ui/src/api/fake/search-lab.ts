// Search Lab: the log of runs, the usual search and the thesaurus as they change; every answer is recorded.

import { NO_FILTERS, rankingOf } from "../defaults";
import { answering, recorded, SEARCHED } from "../recording";
import type { KeptSearch, SearchRequest, ThesaurusEntry } from "../types";

const base = (given: Partial<SearchRequest>): SearchRequest => ({
  query: "",
  filters: NO_FILTERS,
  min_relevance: null,
  space: null,
  pinned: [],
  ...SEARCHED,
  ...given,
});

const FIRST = 212;
const PLAN = "What must a transition plan disclose about its dependencies under S2.14(a)(iv)?";
const kept: (KeptSearch & { id: number })[] = [];
function keep(given: Partial<SearchRequest>): (typeof kept)[number] {
  const { response } = recorded("search.record", given);
  const run = { id: (kept.at(-1)?.id ?? FIRST - 1) + 1, request: base(given), response };
  kept.push(run);
  return run;
}
keep({ query: "transition plan assumptions", mode: "keyword" });
keep({ query: PLAN, space: recorded("model.list", {})[0]?.space_id ?? null });
keep({ query: PLAN, rerank: true });

let usual = base({});
const entries: ThesaurusEntry[] = [];
const missing = (what: string) => ({ code: "not_found", message: `${what} does not exist` });

/** Handlers of the search lab. */
export const handlers = answering({
  search: async (request: Partial<SearchRequest>, { wait }) => {
    await wait(request.mode === "keyword" ? 4 : 8);
    return recorded("search", request);
  },
  "search.record": (request) => {
    const { id, response } = keep(request);
    return { run: id, response };
  },
  "search.usual": () => usual,
  "search.make_usual": ({ search }) => {
    usual = base(search ? rankingOf(search) : {});
    return usual;
  },
  "search.runs": ({ limit = 50 }) =>
    [...kept]
      .reverse()
      .slice(0, limit)
      .map(({ id, request, response: { results, trace } }) => ({
        id,
        at: `2025-11-1${id % 10}T14:20:00Z`,
        request,
        results: results.length,
        config_hash: trace.config_hash,
      })),
  "search.run": ({ id }) => {
    const found = kept.find((each) => each.id === id);
    if (!found) throw missing(`run ${id}`);
    return { request: found.request, response: found.response };
  },
  "search.clear_runs": () => {
    kept.length = 0;
    return {};
  },
  "thesaurus.list": () => entries,
  "thesaurus.put": (entry) => {
    const id = entries.length + 1;
    entries.push({ id, corpus_id: null, shipped: false, weight: 1, ...entry });
    return { id };
  },
  "thesaurus.delete": ({ id }) => {
    entries.splice(
      entries.findIndex((entry) => entry.id === id),
      1,
    );
    return {};
  },
});
