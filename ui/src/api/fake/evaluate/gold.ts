// The recorded gold set, and what is added to it, judged and decided.

import type { Input } from "../../client";
import { answering, idOf, isNamed, paragraphOf, recorded } from "../../recording";
import type { FakeHandlers } from "../../transport/fake";
import type {
  GoldPanel,
  GoldQuery,
  GoldQueryInput,
  GoldSet,
  GoldTarget,
  JudgeTarget,
  LabelPlace,
  StoredChunk,
} from "../../types";
import { LIMIT, SET } from "./runs";

const missing = (what: string) => ({ code: "not_found", message: `${what} does not exist` });
const words = (text: string) => text.toLowerCase().trim();
const keyOf = (query: string, chunk: string) => `${query}\n${chunk}`;

/** The chunks of a report, those of a page alone where one is named. */
const chunksOf = (document: number, page: number | null): StoredChunk["row"][] =>
  recorded("chunk.list", { document, offset: 0, limit: 1_000 })
    .map(({ row }) => row)
    .filter(({ pages }) => page === null || (pages && pages[0] <= page && page <= pages[1]));

/** What a judgment labels, and the chunks that have it. */
function labelled(target: JudgeTarget): Pick<LabelPlace, "chunks"> & { target: GoldTarget } {
  if (target.kind === "label") return { target: target.target, chunks: [] };
  if (target.kind === "identifier")
    return {
      target: { kind: "identifier", id: target.id },
      chunks: isNamed(target.id) ? [idOf(target.id)] : [],
    };
  if (target.kind === "document") {
    const { document_id, page } = target;
    const row = recorded("document.list", { reports: true }).find((each) => each.id === document_id);
    if (!row) throw missing(`document ${document_id}`);
    return {
      target: { kind: "identifier", id: `${row.path}${page ? `#page=${page}` : ""}` },
      chunks: chunksOf(document_id, page).map(({ chunk_id }) => chunk_id),
    };
  }
  const paragraph = target.kind === "chunk" ? paragraphOf(target.chunk_id) : undefined;
  if (target.kind === "chunk" && paragraph)
    return { target: { kind: "identifier", id: paragraph }, chunks: [target.chunk_id] };
  const quote = target.kind === "chunk" ? target.chunk_id : target.quote;
  const span = { kind: "span", path: "", quote, before: "", after: "" } as const;
  return { target: span, chunks: target.kind === "chunk" ? [target.chunk_id] : [] };
}

/** A gold set whose queries are added and judged. */
function goldSet() {
  const [first] = recorded("gold.list", {}) as [GoldSet];
  let panels: GoldPanel[] = recorded("gold.get", { set: SET, limit: LIMIT }).queries.flatMap(({ query }) =>
    recorded("gold.panel", { query }),
  );
  const set = (): GoldSet => ({ ...first, queries: panels.length });
  const judged = new Set<string>();
  const panelOf = (id: string): GoldPanel => {
    const found = panels.find(({ query }) => query.id === id);
    if (!found) throw missing(`query \`${id}\``);
    return found;
  };
  const add = ({ id, query, type = "" }: Partial<GoldQueryInput> & { query: string }): GoldQuery => {
    const made: GoldQuery = { id: id ?? `Q${panels.length + 30}`, query, type, labels: [] };
    const others = panels.filter((each) => each.query.id !== made.id);
    panels = [...others, { set: SET, query: made, labels: [] }];
    return made;
  };
  const judge = ({ query, target: judgedAs, grade = null, judge = "" }: Input<"gold.judge">): GoldQuery => {
    const panel = panelOf(query);
    if (judgedAs.kind === "chunk") {
      const key = keyOf(query, judgedAs.chunk_id);
      if (grade === null) judged.delete(key);
      else judged.add(key);
    }
    const { target, chunks } = labelled(judgedAs);
    const same = JSON.stringify(target);
    panel.labels = panel.labels.filter(({ label }) => JSON.stringify(label.target) !== same);
    if (grade !== null)
      panel.labels.push({
        label: { target, grade, judge, at: new Date().toISOString() },
        name: "id" in target ? target.id : "path" in target ? target.path : "nothing",
        document: null,
        source: { changed: false, document_id: null, range: null, kept: false },
        range: null,
        chunks,
      });
    panel.query = { ...panel.query, labels: panel.labels.map(({ label }) => label) };
    return panel.query;
  };
  return {
    set,
    add,
    judge,
    panels: () => panels,
    forget: (id: string) => {
      panels = panels.filter(({ query }) => query.id !== id);
    },
    isOpen: (query: string, chunk: string) => !judged.has(keyOf(query, chunk)),
  };
}

type Gold = ReturnType<typeof goldSet>;

/** The set itself with its queries, and what they are judged by. */
function setHandlers({ set, add, judge, panels, forget, isOpen }: Gold): FakeHandlers {
  return answering({
    "gold.list": () => [set()],
    "gold.import": ({ path }) => ({
      set: {
        ...set(),
        name:
          path
            .split("/")
            .at(-1)
            ?.replace(/\.[^.]*$/, "") ?? SET,
      },
      collection: path.includes(".") ? null : path,
      unmatched: [
        {
          query: "q017",
          target: { kind: "identifier", id: "S2.99" },
          why: "the workspace has no paragraph with this id",
        },
      ],
      notes: [],
    }),
    "gold.history": () => recorded("gold.history", { set: SET }),
    "gold.export": () => recorded("gold.export", { set: SET, format: "jsonl" }),
    "gold.get": ({ search = "", offset = 0, limit = 100 }) => {
      const found = panels()
        .map(({ query }) => query)
        .filter((each) => words(`${each.id} ${each.query}`).includes(words(search)));
      return { set: set(), queries: found.slice(offset, offset + limit), total: found.length, unmatched: [] };
    },
    "gold.put_query": add,
    "gold.delete_query": ({ id }) => {
      forget(id);
      return {};
    },
    "gold.rename": ({ name }) => ({ ...set(), name }),
    "gold.delete": () => ({}),
    "gold.judge": judge,
    "gold.panel": ({ query }) => panels().filter((panel) => words(panel.query.query) === words(query)),
    "gold.pool": ({ limit = LIMIT }) => {
      const all = recorded("gold.pool", { set: SET, runs: [1, 2, 3, 4, 5], k: 5, seed: 1, limit: 24 });
      const open = all.items.filter((item) => isOpen(item.query_id, item.chunk_id));
      return {
        ...all,
        items: open.slice(0, limit),
        total: open.length,
        judged: all.items.length - open.length,
      };
    },
    "gold.agreement": () => recorded("gold.agreement", { set: SET, judges: ["Ada", "Ben"] }),
  });
}

/** What is proposed as a query, and becomes one or not. */
function candidateHandlers({ add, judge }: Gold): FakeHandlers {
  const decided = new Map<string, boolean>();
  return answering({
    "gold.candidates": () => {
      const all = recorded("gold.candidates", {
        set: SET,
        corpus: "ifrs-s2",
        source: "term",
        limit: 6,
      }).candidates;
      const candidates = all.filter((each) => !decided.has(each.id));
      const accepted = [...decided.values()].filter(Boolean).length;
      return { candidates, total: candidates.length, accepted, rejected: decided.size - accepted };
    },
    "gold.decide": ({ candidate, accept }) => {
      decided.set(candidate, accept != null);
      if (!accept) return { query: null };
      const { id } = add({ query: accept.query, type: accept.type ?? "" });
      return {
        query: judge({
          set: SET,
          query: id,
          target: { kind: "label", target: accept.target },
          grade: 3,
          judge: "",
        }),
      };
    },
    "gold.suggest": async (_, { wait }) => {
      await wait(40);
      return { query: "Which numbers does the plan stand on?", model: "qwen3:8b" };
    },
  });
}

/** Handlers of a gold set that is judged. */
export function goldHandlers(): FakeHandlers {
  const gold = goldSet();
  return { ...setHandlers(gold), ...candidateHandlers(gold) };
}
