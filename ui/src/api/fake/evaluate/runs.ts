// Runs: those that are recorded, and those that are added. One that is added has the numbers of a recorded one.

import { answering, isRecorded, recorded } from "../../recording";
import type { FakeHandlers } from "../../transport/fake";
import type { EvalRun, Measured, SearchRequest } from "../../types";

/** Name of the recorded gold set. */
export const SET = "S2 review";
/** The query whose rankings were asked for, of the two newest runs. */
const RANKED = { baseline: 4, candidate: 5, query: "Q07" };
/** How many rows were asked for. */
export const LIMIT = 1_000;

type Pair = { baseline: number; candidate: number };

/** Adds a run, of a search where one is named. */
export type Keep = (name: string, search?: Partial<SearchRequest>) => EvalRun;

/** The recorded runs, and what adds to them. */
export function runsAtFirst(): { keep: Keep; handlers: FakeHandlers } {
  const first = recorded("eval.runs", { set: SET });
  let runs = first;
  const standsFor = new Map(first.map((run) => [run.id, run.id]));
  const named = (id: number): EvalRun => {
    const found = runs.find((each) => each.id === id);
    if (!found) throw { code: "not_found", message: `run ${id} does not exist` };
    return found;
  };
  const source = (id: number) => standsFor.get(named(id).id) ?? id;
  /** The recorded runs that two runs stand for; never the same one. */
  const pairOf = ({ baseline, candidate }: Pair): Pair => {
    const held = source(baseline);
    const other = source(candidate);
    return {
      baseline: held,
      candidate: other === held ? (first.find(({ id }) => id !== held)?.id ?? 0) : other,
    };
  };
  const keep: Keep = (name, search) => {
    const id = Math.max(0, ...standsFor.keys()) + 1;
    // Two that are added in turn differ: they stand for the two newest.
    const stand = first[(id + 1) % 2] as EvalRun;
    standsFor.set(id, stand.id);
    const own = stand.configuration.search;
    const configuration = { ...stand.configuration, search: own && { ...own, ...search } };
    runs = [{ ...stand, id, name, configuration }, ...runs];
    return named(id);
  };
  const handlers = answering({
    "eval.runs": () => runs,
    "eval.run": async ({ name, search }, { tell, wait }) => {
      const total = runs[0]?.queries ?? 0;
      for (let done = 0; done <= total; done += 4) {
        tell({ kind: "evaluating", stage: "search", done, total });
        await wait(20);
      }
      return keep(name ?? search?.mode ?? "hybrid", search);
    },
    "eval.run_get": ({ id, search = "", places = 0 }) => {
      const found = recorded("eval.run_get", { id: source(id), limit: LIMIT });
      // The ranking of one query stands for those of all.
      const { after } = recorded("eval.compare_query", RANKED);
      return { ...found, run: named(id), rankings: places > 0 ? { [search]: after } : found.rankings };
    },
    "eval.run_delete": ({ id }) => {
      runs = runs.filter((run) => run !== named(id));
      return {};
    },
    "eval.run_rename": ({ id, name }) => {
      const renamed = { ...named(id), name };
      runs = runs.map((run) => (run.id === id ? renamed : run));
      return renamed;
    },
    "eval.run_export": ({ id }) => recorded("eval.run_export", { id: source(id) }),
    "eval.run_import": ({ path }) => ({
      run: keep(path.split("/").at(-1) ?? path),
      unanswered: 0,
      unknown: 0,
      notes: [],
    }),
    "eval.beir": async ({ save }, { tell, wait, emit }) => {
      tell({ kind: "evaluating", stage: "store", done: 1, total: 0 });
      await wait(40);
      const run = keep(save ?? "collection");
      emit({ tags: ["evaluations"] });
      return { runs: [run] } as Measured;
    },
    "eval.compare": ({ test = "randomisation", beside, ...pair }) => ({
      ...recorded("eval.compare", { ...pairOf(pair), test, beside: beside?.length === 0 ? [] : null }),
      baseline: named(pair.baseline),
      candidate: named(pair.candidate),
    }),
    "eval.compare_queries": ({ measure, offset = 0, limit = LIMIT, ...pair }) => {
      const found = recorded("eval.compare_queries", { ...pairOf(pair), measure, limit: LIMIT });
      return { ...found, queries: found.queries.slice(offset, offset + limit) };
    },
    "eval.compare_query": ({ query, ...pair }) => {
      const asked = { ...pairOf(pair), query };
      // The rankings of one query stand for those of all that were not asked for.
      return recorded("eval.compare_query", isRecorded("eval.compare_query", asked) ? asked : RANKED);
    },
  });
  return { keep, handlers };
}
