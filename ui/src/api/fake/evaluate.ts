// Gold sets, runs and a matrix: rankings are drawn, and everything else is counted from them.

import { idOf, isNamed, paragraphOf, recorded } from "../recording";
import type { FakeCall, FakeHandlers } from "../transport/fake";
import type {
  Agreement,
  CandidateList,
  ComparedQueryPage,
  EvalRun,
  GoldPage,
  GoldPanel,
  GoldQuery,
  GoldSet,
  GoldTarget,
  GoldVersion,
  Matrix,
  MatrixCell,
  MatrixPlan,
  MeasureInfo,
  Pool,
  PoolItem,
  Proposal,
  QueryComparison,
  RunPage,
  RunRequest,
  SignificanceTest,
  StoredChunk,
} from "../types";
import { handlers as chunkLab } from "./chunk-lab";
import { compared, comparison, correctedFor } from "./evaluate/compare";
import { rows } from "./evaluate/passages";
import { type Drawn, drawn, drawnRuns, queries, ran, ranking, runOf, SET, searchOf } from "./evaluate/set";
import { models } from "./settings";

const AT = "2025-11-12T09:14:00Z";
const missing = (what: string) => ({ code: "not_found", message: `${what} does not exist` });

const runs: Drawn[] = [...drawnRuns];
const names = new Map<number, string>();
const runNamed = (id: number): Drawn => {
  const found = runs.find((each) => each.id === id);
  if (!found) throw missing(`run ${id}`);
  return found;
};
const listed = (run: Drawn): EvalRun => ({ ...runOf(run), name: names.get(run.id) ?? run.name });

let gold: GoldQuery[] = structuredClone(queries);
const queryNamed = (id: string): GoldQuery => {
  const found = gold.find((each) => each.id === id);
  if (!found) throw missing(`query \`${id}\``);
  return found;
};
const judges: Record<string, number> = { Ada: 48, Ben: 41 };

const set = (): GoldSet => {
  const labels = gold.flatMap((each) => each.labels);
  const types: Record<string, number> = {};
  for (const { type } of gold) if (type !== "") types[type] = (types[type] ?? 0) + 1;
  return {
    name: SET,
    version: 3,
    relevant_from: 2,
    queries: gold.length,
    answerable: gold.filter((each) => each.labels.length > 0).length,
    unlabelled: gold.filter((each) => each.labels.length === 0).length,
    labels: labels.length,
    spans: labels.filter((each) => each.target.kind === "span").length,
    judges: { ...judges },
    types,
    created_at: AT,
    updated_at: "2025-11-19T11:02:00Z",
  };
};

const passages = [...rows.values()];
const poolItems = (): PoolItem[] =>
  gold.slice(0, 6).flatMap((query, at) =>
    passages.slice(at % 3, (at % 3) + 4).map((row) => ({
      query_id: query.id,
      query: query.query,
      chunk_id: row.chunk_id,
      unit: null,
      identity: null,
      header: row.title,
      passage: row.text,
      found_by: ["net zero by when", "decarbonisation timetable"],
      title: row.title,
      pages: row.pages,
      page_labels: row.page_labels,
      ocr: null,
    })),
  );
const judged = new Map<string, number>();

const proposals: Proposal[] = [
  [
    "heading",
    "what does the entity disclose about its transition plan",
    "S2.14(a)",
    "Strategy and decision-making",
  ],
  [
    "term",
    "what is a carbon credit",
    "S2.A.carbon_credit",
    "An emissions unit that is issued by a carbon crediting programme",
  ],
  ["heading", "how are climate resilience and scenario analysis described", "S2.22", "Climate resilience"],
  [
    "identifier",
    "S2.29(a)(v)",
    "S2.29(a)(v)",
    "for Scope 2 greenhouse gas emissions, its location-based emissions",
  ],
  [
    "term",
    "what is an internal carbon price",
    "S2.A.internal_carbon_price",
    "Price used by an entity to assess financial effects",
  ],
  ["heading", "which targets does the entity set", "S2.33", "Climate-related targets"],
].map(([source, query, id, passage], at) => ({
  id: `p${at}`,
  query: query ?? "",
  source: source as Proposal["source"],
  target: { kind: "identifier", id: id ?? "" },
  passage: passage ?? "",
  title: "IFRS S2 Climate-related Disclosures",
}));
const decided = new Map<string, boolean>();

const measures: MeasureInfo[] = (
  [
    [
      "ndcg",
      "Discounted gain of the first results as a share of the best that is possible.",
      "required",
      ["ndcg@10"],
    ],
    ["recall", "Share of the relevant passages that are found.", "required", ["recall@5", "recall@10"]],
    ["precision", "Share of the results that are relevant.", "required", ["precision@5"]],
    ["success", "Whether a relevant passage is found.", "required", ["success@1"]],
    ["rr", "One divided by the rank of the first relevant passage.", "optional", ["rr"]],
    ["ap", "Mean of the precision at each relevant passage.", "optional", ["ap"]],
    ["judged", "Share of the results that somebody has judged.", "required", ["judged@10"]],
    ["span_recall", "Share of the labelled letters that are found.", "required", []],
    [
      "not_found_accuracy",
      "Share of the queries without an answer that are recognised as such.",
      "none",
      ["not_found_accuracy"],
    ],
    ["latency_ms", "Mean time of a query.", "none", ["latency_ms"]],
  ] as const
).map(([name, summary, cutoff, usual]) => ({
  name,
  summary,
  source: "Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008.",
  unit: name === "latency_ms" ? "milliseconds" : "share",
  lower_is_better: name === "latency_ms",
  cutoff,
  usual: [...usual],
}));

/** Refuses what is no measure of rankings. */
function named(names: readonly string[]): void {
  const of = (name: string) => measures.find((each) => each.name === name.split("@")[0]);
  for (const name of names)
    if ((of(name)?.cutoff ?? "none") === "none")
      throw { code: "invalid", message: `\`${name}\` is not a measure` };
}

const cells = new Map<string, number>();
const keyOf = (plan: MatrixPlan, row: number, column: number) =>
  JSON.stringify([plan.rows[row], plan.columns[column]?.search]);
/** What a cell measures: reranking and hybrid search help, and so do chunks of middling size. */
function worthOf(plan: MatrixPlan, row: number, column: number): number {
  const search = plan.columns[column]?.search;
  const size = Number(plan.rows[row]?.settings.target_tokens ?? 400);
  const lists = search?.mode === "hybrid" ? 0.7 : search?.mode === "semantic" ? 0.65 : 0.61;
  return (
    lists + (search?.rerank ? 0.02 : 0) - Math.abs(size - 460) / 6000 + drawn(keyOf(plan, row, column)) * 0.02
  );
}
/** The space that a column searches. */
function spaceOf(plan: MatrixPlan, column: number): string | null {
  const search = plan.columns[column]?.search;
  return search?.mode === "keyword" ? null : (search?.space ?? "bge-small");
}
const modelsOf = (plan: MatrixPlan) =>
  models.filter((model) => plan.columns.some((_column, at) => spaceOf(plan, at) === model.space_id));
function matrix(plan: MatrixPlan): Matrix {
  named(plan.measure ? [plan.measure] : []);
  const all = plan.rows.flatMap((_, row) =>
    plan.columns.map((_column, column): MatrixCell => {
      const id = cells.get(keyOf(plan, row, column));
      const space = spaceOf(plan, column);
      const reranked = plan.columns[column]?.search?.rerank ? gold.length : 0;
      if (id === undefined)
        return { place: { row, column }, space, reranked, run: null, value: null, interval: null };
      const run = listed(runNamed(id));
      const measure = plan.measure ?? "ndcg@10";
      const value = measure === "ndcg@10" ? worthOf(plan, row, column) : (run.measures[measure] ?? null);
      return {
        place: { row, column },
        space,
        reranked,
        run,
        value,
        interval: value === null ? null : [value - 0.06, value + 0.05],
      };
    }),
  );
  const valued = all.filter((cell) => cell.value !== null);
  const best = valued.reduce<MatrixCell | undefined>(
    (best, cell) => (best === undefined || (cell.value ?? 0) > (best.value ?? 0) ? cell : best),
    undefined,
  );
  return {
    rows: plan.rows.map((row, at) => {
      const chunks = Math.round(160_000 / Number(row.settings.target_tokens ?? 400));
      const waits = all.some((cell) => cell.place.row === at && cell.run === null);
      const texts = waits ? Math.round(chunks * 0.4) : 0;
      return {
        chunks,
        tokens: chunks * 240,
        models: modelsOf(plan).map(({ space_id, space }) => ({
          space: space_id,
          model: space.model,
          new_texts: texts,
          new_tokens: texts * 240,
          cost_usd: space.tier === "remote" ? texts * 0.000005 : null,
        })),
      };
    }),
    cells: all,
    best: best?.place ?? null,
    verdict: verdictOn(best, valued, plan.measure ?? "ndcg@10"),
    measure: plan.measure ?? "ndcg@10",
    cost_usd: null,
  };
}

/** The best cell held against the first, or against the runner-up where it is the first. */
function verdictOn(best: MatrixCell | undefined, valued: readonly MatrixCell[], measure: string) {
  const [first, ...rest] = valued;
  if (!best || !first || rest.length === 0) return null;
  const runsOf = (cell: MatrixCell) => runNamed(cell.run?.id ?? 0);
  const second = [...rest].sort((a, b) => (b.value ?? 0) - (a.value ?? 0))[0];
  const [held, against] = best === first ? [second, second] : [best, first];
  if (!held || !against) return null;
  const found = correctedFor(runsOf(first), rest.map(runsOf), measure)[rest.indexOf(held)];
  if (!found) return null;
  const { half, p_value, corrected } = found;
  const difference = (best.value ?? 0) - (against.value ?? 0);
  return {
    against: against.place,
    difference,
    interval: [difference - half, difference + half] satisfies [number, number],
    p_value,
    corrected,
    comparisons: rest.length,
    significant: corrected < 0.05,
  };
}

/** The versions of the set: its queries, more of them, and what two people judged. */
function history(): GoldVersion[] {
  const { queries: all, labels, relevant_from, updated_at } = set();
  const none = { queries_added: 0, queries_changed: 0, queries_removed: 0 };
  const unjudged = { labels_added: 0, labels_changed: 0, labels_removed: 0 };
  return [
    {
      version: 3,
      at: updated_at,
      relevant_from,
      queries: all,
      labels,
      changes: {
        ...none,
        ...unjudged,
        labels_added: 2,
        labels_changed: 1,
        named: ["Q07", "Q09"],
        touched: 2,
      },
    },
    {
      version: 2,
      at: "2025-11-14T16:40:00Z",
      relevant_from,
      queries: all,
      labels: labels - 2,
      changes: { ...none, ...unjudged, queries_added: 1, labels_added: 1, named: ["Q46"], touched: 1 },
    },
    { version: 1, at: AT, relevant_from, queries: all - 1, labels: labels - 3, changes: null },
  ];
}

/** Keeps a run that is drawn again. */
function keep(name: string, quality: number, part: Partial<Drawn>): Drawn {
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

const words = (text: string) => text.toLowerCase().trim();

/** The chunks of a target. What other screens draw has no row here: its id stands for its words. */
const chunksOf = (target: GoldTarget): string[] =>
  target.kind === "nothing"
    ? []
    : target.kind === "identifier" && isNamed(target.id)
      ? [idOf(target.id)]
      : target.kind === "span" && target.path === ""
        ? [target.quote]
        : passages
            .filter((row) =>
              target.kind === "identifier"
                ? [row.metadata.paragraph_id, row.path, `${row.path}#page=${row.pages?.[0]}`].includes(
                    target.id,
                  )
                : row.path === target.path && row.text === target.quote,
            )
            .map((row) => row.chunk_id);

/** Handlers of Evaluate. */
export const handlers: FakeHandlers = {
  "chunk.get": (input: { chunk_id: string }, call): StoredChunk => {
    const row = rows.get(input.chunk_id);
    if (!row) return chunkLab["chunk.get"]?.(input, call) as StoredChunk;
    const [like] = recorded("chunk.list", { document: idOf("northwind"), offset: 0, limit: 1_000 });
    if (!like) throw missing("chunk");
    return { ...like, row, passage: row.text, view: { ...like.view, chunk_id: row.chunk_id } };
  },
  "gold.list": (): GoldSet[] => [set()],
  "gold.import": ({ path }: { path: string }) => ({
    collection: path.includes("scifact") ? path : null,
    set: {
      ...set(),
      name:
        path
          .split("/")
          .at(-1)
          ?.replace(/\.[^.]*$/, "") ?? SET,
    },
    unmatched: [
      {
        query: "q017",
        target: { kind: "identifier", id: "S2.99" },
        why: "the workspace has no paragraph with this id",
      },
    ],
    notes: [],
  }),
  "gold.history": (): GoldVersion[] => history(),
  "gold.export": ({ set: name, version }: { set: string; version?: number | null }) => [
    {
      name: `${name}${version ? `-v${version}` : ""}.jsonl`,
      text: gold.map((each) => JSON.stringify(each)).join("\n"),
    },
  ],
  "gold.get": ({
    search = "",
    offset = 0,
    limit = 100,
  }: {
    search?: string;
    offset?: number;
    limit?: number;
  }): GoldPage => {
    const found = gold.filter((each) => words(`${each.id} ${each.query}`).includes(words(search)));
    return { set: set(), queries: found.slice(offset, offset + limit), total: found.length, unmatched: [] };
  },
  "gold.put_query": ({ id, query, type = "" }: { id?: string; query: string; type?: string }): GoldQuery => {
    const made: GoldQuery = { id: id ?? `Q${gold.length + 30}`, query, type, labels: [] };
    gold = [...gold.filter((each) => each.id !== made.id), made];
    return made;
  },
  "gold.delete_query": ({ id }: { id: string }) => {
    gold = gold.filter((each) => each.id !== id);
    return {};
  },
  "gold.rename": ({ name }: { name: string }): GoldSet => ({ ...set(), name }),
  "gold.delete": () => ({}),
  "gold.judge": (input: {
    query: string;
    target: { kind: string; chunk_id?: string; document_id?: number; page?: number | null };
    grade: number | null;
    judge?: string;
  }): GoldQuery => {
    const query = queryNamed(input.query);
    const { kind, chunk_id = "", document_id, page } = input.target;
    const key = `${query.id}\n${chunk_id}`;
    if (input.grade === null) judged.delete(key);
    else judged.set(key, input.grade);
    const whole = kind === "document";
    const row = whole
      ? (passages.find((each) => each.document_id === document_id) ??
        recorded("document.list", { reports: true }).find((each) => each.id === document_id))
      : rows.get(chunk_id);
    if (whole && !row) throw missing(`document ${document_id}`);
    const id = whole
      ? `${row?.path}${page ? `#page=${page}` : ""}`
      : String((row && "metadata" in row ? row.metadata.paragraph_id : paragraphOf(chunk_id)) ?? "");
    const target: GoldTarget =
      id !== ""
        ? { kind: "identifier", id }
        : {
            kind: "span",
            path: row?.path ?? "",
            quote: row && "text" in row ? row.text : chunk_id,
            before: "",
            after: "",
          };
    const same = (other: GoldTarget) => JSON.stringify(other) === JSON.stringify(target);
    query.labels = query.labels.filter((each) => !same(each.target));
    if (input.grade !== null)
      query.labels.push({
        target,
        grade: input.grade,
        judge: input.judge ?? "",
        at: new Date().toISOString(),
      });
    return query;
  },
  "gold.panel": ({ query }: { query: string }): GoldPanel[] =>
    gold
      .filter((each) => words(each.query) === words(query))
      .map((each) => ({
        set: SET,
        query: each,
        labels: each.labels.map((label) => ({
          label,
          name:
            "id" in label.target ? label.target.id : "path" in label.target ? label.target.path : "nothing",
          document: null,
          source: { changed: false, document_id: null, range: null, kept: false },
          range: null,
          chunks: chunksOf(label.target),
        })),
      })),
  "gold.pool": ({ limit = 100 }: { limit?: number }): Pool => {
    const all = poolItems();
    const open = all.filter((item) => !judged.has(`${item.query_id}\n${item.chunk_id}`));
    return { items: open.slice(0, limit), total: open.length, judged: all.length - open.length, gone: 0 };
  },
  "gold.agreement": ({ judges: pair }: { judges: [string, string] }): Agreement => ({
    judges: pair,
    pairs: 36,
    agreed: 0.8055,
    expected: 0.31,
    kappa: 0.718,
    weighted: 0.83,
    grades: [0, 1, 2, 3],
    table: [
      [14, 1, 0, 0],
      [2, 4, 1, 0],
      [0, 1, 5, 1],
      [0, 0, 1, 6],
    ],
  }),
  "gold.candidates": (): CandidateList => {
    const open = proposals.filter((each) => !decided.has(each.id));
    const accepted = [...decided.values()].filter(Boolean).length;
    return { candidates: open, total: open.length, accepted, rejected: decided.size - accepted };
  },
  "gold.decide": ({
    candidate,
    accept,
  }: {
    candidate: string;
    accept: { query: string; type?: string; target: GoldTarget } | null;
  }) => {
    decided.set(candidate, accept !== null);
    if (!accept) return { query: null };
    const label = { target: accept.target, grade: 3, judge: "", at: AT };
    const query: GoldQuery = {
      id: `Q${gold.length + 30}`,
      query: accept.query,
      type: accept.type ?? "",
      labels: [label],
    };
    gold = [...gold, query];
    return { query };
  },
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
  "gold.suggest": async (_input: { target: GoldTarget }, { wait }: FakeCall) => {
    await wait(40);
    return { query: "Which numbers does the plan stand on?", model: "qwen3:8b" };
  },
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
  "eval.matrix": (plan: MatrixPlan): Matrix => matrix(plan),
  "eval.matrix_run": async (
    { plan, cells: wanted = [] }: { plan: MatrixPlan; cells?: { row: number; column: number }[] },
    { tell, wait, emit }: FakeCall,
  ): Promise<Matrix> => {
    const open = matrix(plan)
      .cells.filter((cell) => cell.run === null)
      .map((cell) => cell.place);
    const places = wanted.length > 0 ? wanted : open;
    for (const [done, { row, column }] of places.entries()) {
      tell({ kind: "evaluating", stage: "cell", done, total: places.length });
      await wait(40);
      const search = searchOf(plan.columns[column]?.search ?? {});
      const name = `${plan.rows[row]?.name} × ${plan.columns[column]?.name}`;
      cells.set(keyOf(plan, row, column), keep(name, worthOf(plan, row, column), { search }).id);
      emit({ tags: ["evaluations"] });
    }
    return matrix(plan);
  },
  "eval.measures": (): MeasureInfo[] => measures,
};
