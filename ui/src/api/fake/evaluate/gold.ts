// The gold set in memory, and how it is judged.

import { idOf, isNamed, paragraphOf, recorded } from "../../recording";
import type { FakeCall, FakeHandlers } from "../../transport/fake";
import type {
  Agreement,
  CandidateList,
  GoldPage,
  GoldPanel,
  GoldQuery,
  GoldSet,
  GoldTarget,
  GoldVersion,
  Pool,
  PoolItem,
  Proposal,
} from "../../types";
import { rows } from "./passages";
import { AT, missing, queries, SET, words } from "./set";

export let gold: GoldQuery[] = structuredClone(queries);
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

/** Answers of the gold set. */
export const handlers: FakeHandlers = {
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
  "gold.suggest": async (_input: { target: GoldTarget }, { wait }: FakeCall) => {
    await wait(40);
    return { query: "Which numbers does the plan stand on?", model: "qwen3:8b" };
  },
};
