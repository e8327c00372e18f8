// Runs in memory, measured and held against each other.

import { recorded } from "../../recording";
import type { FakeCall, FakeHandlers } from "../../transport/fake";
import type {
  ComparedQueryPage,
  EvalRun,
  QueryComparison,
  RunPage,
  RunRequest,
  SignificanceTest,
} from "../../types";
import { compared, comparison } from "./compare";
import { gold } from "./gold";
import { type Drawn, drawnRuns, missing, queries, ran, ranking, runOf, SET, searchOf, words } from "./set";

const runs: Drawn[] = [...drawnRuns];
const names = new Map<number, string>();
export const runNamed = (id: number): Drawn => {
  const found = runs.find((each) => each.id === id);
  if (!found) throw missing(`run ${id}`);
  return found;
};
export const listed = (run: Drawn): EvalRun => ({ ...runOf(run), name: names.get(run.id) ?? run.name });

const measures = recorded("eval.measures", {});

/** Refuses what is no measure of rankings. */
export function named(names: readonly string[]): void {
  const of = (name: string) => measures.find((each) => each.name === name.split("@")[0]);
  for (const name of names)
    if ((of(name)?.cutoff ?? "none") === "none")
      throw { code: "invalid", message: `\`${name}\` is not a measure` };
}

/** Keeps a run that is drawn again. */
export function keep(name: string, quality: number, part: Partial<Drawn>): Drawn {
  const run: Drawn = {
    chunking: ["report", 460, 40, 364],
    p50: 170,
    cost: 0.0003,
    ...part,
    search: part.search ?? { mode: "hybrid" },
    id: Math.max(...runs.map((each) => each.id)) + 1,
    name,
    quality,
    at: "2025-11-19T14:30:00Z",
  };
  runs.unshift(run);
  return run;
}

/** Answers of runs. */
export const handlers: FakeHandlers = {
  "eval.runs": (): EvalRun[] => runs.map(listed),
  "eval.run": async (input: RunRequest, { tell, wait }: FakeCall): Promise<EvalRun> => {
    named(input.measures ?? []);
    const total = gold.length;
    for (let done = 0; done <= total; done += 4) {
      tell({ kind: "evaluating", stage: "search", done, total });
      await wait(20);
    }
    const search = searchOf(input.search ?? {});
    return listed(keep(input.name ?? `${search.mode} search`, 0.88, { search }));
  },
  "eval.run_get": ({
    id,
    search = "",
    places = 0,
  }: {
    id: number;
    search?: string;
    places?: number;
  }): RunPage => {
    const run = runNamed(id);
    const found = queries.filter((each) => words(`${each.id} ${each.query}`).includes(words(search)));
    return {
      run: listed(run),
      queries: found.map((query) => ran(run, query)),
      rankings: Object.fromEntries(
        places > 0 ? found.map((query) => [query.id, ranking(run, query).slice(0, places)]) : [],
      ),
      total: found.length,
    };
  },
  "eval.run_delete": ({ id }: { id: number }) => {
    runs.splice(runs.indexOf(runNamed(id)), 1);
    return {};
  },
  "eval.run_rename": ({ id, name }: { id: number; name: string }) => {
    names.set(id, name);
    return listed(runNamed(id));
  },
  "eval.run_export": ({ id }: { id: number }) => ({
    text: queries
      .flatMap((query) =>
        ranking(runNamed(id), query).map(
          (place, at) => `${query.id} Q0 ${place.id} ${at + 1} ${10 - at} sibyl`,
        ),
      )
      .join("\n"),
  }),
  "eval.run_import": ({ path }: { path: string }) => ({
    run: listed(keep(path.split("/").at(-1) ?? path, 0.5, {})),
    unanswered: 2,
    unknown: 0,
    notes: [
      {
        kind: "unanswered",
        message: `the run does not answer 2 queries of \`${SET}\`: \`q017\`, \`q018\`; counted as answered with nothing`,
      },
    ],
  }),
  "eval.beir": async (
    { save }: { save?: string },
    { tell, wait, emit }: FakeCall,
  ): Promise<{ runs: EvalRun[] }> => {
    tell({ kind: "evaluating", stage: "store", done: 1, total: 0 });
    await wait(40);
    const run = listed(keep(save ?? "collection", 0.7, {}));
    emit({ tags: ["evaluations"] });
    return { runs: [run] };
  },
  "eval.compare": ({
    baseline,
    candidate,
    beside,
    test = "randomisation",
  }: {
    baseline: number;
    candidate: number;
    test?: SignificanceTest;
    beside?: number[] | null;
  }) => {
    const others = (beside?.map(runNamed) ?? runs).filter(({ id }) => id !== baseline && id !== candidate);
    return comparison(runNamed(baseline), runNamed(candidate), test, others);
  },
  "eval.compare_queries": ({
    baseline,
    candidate,
    measure,
    offset = 0,
    limit = 100,
  }: {
    baseline: number;
    candidate: number;
    measure: string;
    offset?: number;
    limit?: number;
  }): ComparedQueryPage => {
    const found = compared(runNamed(baseline), runNamed(candidate), measure);
    const better = found.filter((each) => each.difference > 1e-12).length;
    const worse = found.filter((each) => each.difference < -1e-12).length;
    return {
      queries: found.slice(offset, offset + limit),
      total: found.length,
      all: found.length,
      better,
      worse,
      same: found.length - better - worse,
    };
  },
  "eval.compare_query": ({
    baseline,
    candidate,
    query,
  }: {
    baseline: number;
    candidate: number;
    query: string;
  }): QueryComparison => {
    const asked = queries.find((each) => each.id === query);
    if (!asked) throw missing(`query \`${query}\``);
    const [a, b] = [runNamed(baseline), runNamed(candidate)];
    const [before, after] = [ranking(a, asked), ranking(b, asked)];
    const rankIn = (places: typeof before, id: string) => {
      const at = places.findIndex((place) => place.id === id);
      return at < 0 ? null : at + 1;
    };
    const ids = [...new Set([...before, ...after].map((place) => place.id))];
    return {
      baseline: ran(a, asked),
      candidate: ran(b, asked),
      before,
      after,
      moves: ids
        .map((name) => ({
          name,
          grade: [...before, ...after].find((place) => place.id === name)?.grade ?? null,
          before: rankIn(before, name),
          after: rankIn(after, name),
          why:
            rankIn(before, name) === null
              ? "the semantic list finds it now, at rank 4"
              : "its border moved: the chunk now begins with its heading",
        }))
        .filter((move) => move.before !== move.after)
        .slice(0, 6),
    };
  },
};
