// Questions and answers in memory: written word by word as a chat model writes, or quoted at once, and kept in a log.

import { CONTEXT_BUDGET, NO_FILTERS } from "../defaults";
import { answering } from "../recording";
import type { FakeCall, FakeHandlers } from "../transport/fake";
import type {
  Answer,
  AnswerEvent,
  AskRequest,
  ChatModel,
  GeneratorView,
  KeptAnswer,
  LogExport,
  LoggedQuestion,
  Rating,
  Replay,
} from "../types";
import { answerTo, putTogether } from "./ask/answers";

const base = (part: Partial<AskRequest>): AskRequest => ({
  question: "",
  generator: null,
  model: null,
  ignore: [],
  also: [],
  filters: NO_FILTERS,
  passages: 8,
  max_tokens: CONTEXT_BUDGET,
  threshold: null,
  min_chunks: 1,
  selection: null,
  session: "",
  follow_up: true,
  earlier: null,
  readings: true,
  second_reading: false,
  record: true,
  ...part,
});

const ASKED: [question: string, at: string, rating?: Rating][] = [
  ["Board skills on climate, FY2024", "2025-11-12T10:10:00"],
  ["Share of capex on low-carbon assets, all issuers", "2025-11-13T15:40:00"],
  [
    "List the metrics for a transition plan in cement",
    "2025-11-18T15:17:00",
    { verdict: "right", reason: "" },
  ],
  ["Map S1.33(a) to its counterpart on the transition plan", "2025-11-18T16:05:00"],
  ["Does Halden price methane slip in freight contracts?", "2025-11-19T11:40:00"],
  ["What were Northwind’s scope 2 emissions in 2024?", "2025-11-19T13:58:00"],
  ["What must a transition plan disclose about its dependencies?", "2025-11-19T14:22:00"],
];

const rowOf = (id: number, at: string, request: AskRequest, answer: Answer): LoggedQuestion => ({
  id,
  at,
  session: request.session,
  question: answer.question,
  outcome: answer.outcome,
  refusal: answer.refusal,
  confidence: answer.confidence,
  band: answer.band,
  generator: answer.generator,
  readings: answer.readings.length,
  source_changed: answer.source_changed,
  rating: null,
});

/** The log as it is at first; each window and test has its own. */
function firstLog(): KeptAnswer[] {
  return ASKED.map(([question, at, rating = null], index) => {
    const request = base({ question, session: index > 4 ? "monday" : "" });
    const answer = { ...answerTo(request, undefined), id: 311 + index };
    return { entry: { ...rowOf(311 + index, at, request, answer), rating }, request, answer };
  });
}

/** A few words at a time, as a provider sends them. */
const words = (text: string): string[] => text.match(/(?:\S+\s*){1,6}/g) ?? [];

async function stream(answer: Answer, request: AskRequest, earlier: string | undefined, call: FakeCall) {
  const tell = (event: AnswerEvent) => call.tell({ kind: "answering", ...event });
  if (answer.refusal === "no_question") return;
  if (!answer.from_selection) {
    tell({
      event: "searching",
      searched_for: answer.searched_for ?? answer.question,
      earlier: answer.searched_for === null ? null : (earlier ?? null),
      understood: answer.understood,
      inherited: answer.inherited,
    });
    await call.wait(1);
    tell({
      event: "retrieved",
      chunks_searched: answer.chunks_searched,
      milliseconds: 212,
      context_tokens: answer.context_tokens,
      passages: answer.passages.map((each) => ({ ...each, cited: false })),
    });
  }
  tell({ event: "confident", confidence: answer.grounds });
  if (answer.refusal === "not_found") return;
  const readings = answer.readings.length > 0 ? answer.readings : [{ ...answer, reading: "" }];
  const chat = request.generator === "chat";
  for (const [reading, one] of readings.entries()) {
    tell({ event: "writing", generator: answer.generator, model: answer.model, reading: one.reading });
    const told = new Set<number>();
    for (const sentence of one.sentences) {
      if (chat)
        for (const word of words(
          [sentence.text, ...sentence.citations.map((n) => `[Citation ${n}]`), ""].join(" "),
        )) {
          await call.wait(2);
          tell({ event: "delta", reading, text: word });
        }
      const fresh = one.citations.filter((each) => sentence.citations.includes(each.n) && !told.has(each.n));
      for (const each of fresh) told.add(each.n);
      tell({ event: "sentence", reading, sentence, citations: fresh });
    }
  }
}

const csvCell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function exported(entries: readonly KeptAnswer[], format: LogExport["format"]): string {
  const lines = entries.map(({ entry, answer }) => {
    if (format === "csv")
      return [String(entry.id), entry.question, answer.answer ?? ""].map(csvCell).join(",");
    if (format === "markdown") return `## ${entry.question}\n\n${answer.answer ?? answer.remarks[0] ?? ""}\n`;
    if (format === "gold") return JSON.stringify({ id: `log-${entry.id}`, query: entry.question });
    return JSON.stringify({ id: entry.id, at: entry.at, rating: entry.rating, answer });
  });
  return [...(format === "csv" ? ["id,question,answer"] : []), ...lines].join("\n");
}

function replayOf({ answer }: KeptAnswer): Replay {
  const now = { ...answer, confidence: answer.confidence - 0.02 };
  const [first, second, ...rest] = answer.passages;
  const order = [second, first, ...rest.slice(0, -1)].filter((each) => each !== undefined);
  const label = (each: (typeof order)[number]) => each.paragraph_id ?? each.title;
  const gone = rest.at(-1);
  return {
    settings_changed: false,
    source_changed: answer.source_changed,
    confidence_before: answer.confidence,
    confidence_after: now.confidence,
    answer: now,
    passages: [
      ...order.map((each, at) => {
        const before = answer.passages.indexOf(each) + 1;
        return {
          chunk_id: each.chunk_id,
          label: label(each),
          before,
          after: at + 1,
          relevance_before: each.relevance,
          relevance_after: each.relevance,
          source_changed: false,
          why: before === at + 1 ? "" : "other passages appeared, disappeared or changed",
        };
      }),
      ...(gone
        ? [
            {
              chunk_id: gone.chunk_id,
              label: label(gone),
              before: answer.passages.length,
              after: null,
              relevance_before: gone.relevance,
              relevance_after: null,
              source_changed: true,
              why: "its document is no longer in the library",
            },
          ]
        : []),
    ],
  };
}

/** What writes in this library. */
export const generators: readonly GeneratorView[] = [
  {
    name: "extractive",
    description:
      "Quotes the sentences of your documents that answer best. Needs no model; nothing leaves this computer.",
    remote: false,
    model: null,
    default: true,
    unavailable: "",
  },
  {
    name: "chat",
    description: "Writes prose from the passages found. They are sent to the provider, which charges for it.",
    remote: true,
    model: "openai/gpt-4.1-mini",
    default: false,
    unavailable: "",
  },
];

const model = (
  id: string,
  name: string,
  context_tokens: number | null,
  [prompt_price, completion_price]: [number, number] | [null, null],
): ChatModel => ({ id, name, context_tokens, prompt_price, completion_price });

/** What the provider lists. */
export const chatModels: readonly ChatModel[] = [
  model("openai/gpt-4.1-mini", "OpenAI: GPT-4.1 Mini", 1_047_576, [0.4, 1.6]),
  model("qwen/qwen3-8b:free", "Qwen: Qwen3 8B (free)", 40_960, [0, 0]),
  model("writer-small", "writer-small", null, [null, null]),
];

/** Handlers of Ask over a log of their own. */
export function askHandlers(): FakeHandlers {
  const log = firstLog();
  const find = (id: number): KeptAnswer => {
    const found = log.find((each) => each.entry.id === id);
    if (!found) throw { code: "not_found", message: `answer \`${id}\` does not exist` };
    return found;
  };
  const listed = (search = "") => {
    const wanted = search.toLowerCase();
    return log.filter(({ answer }) => `${answer.question} ${answer.answer}`.toLowerCase().includes(wanted));
  };
  return answering({
    "answer.ask": async (given, call) => {
      const request = putTogether(base(given));
      const earlier =
        request.session === ""
          ? undefined
          : log.findLast((each) => each.request.session === request.session)?.entry.question;
      const answer = answerTo(request, earlier);
      await stream(answer, request, earlier, call);
      if (!request.record) return answer;
      const id = Math.max(310, ...log.map((each) => each.entry.id)) + 1;
      const kept = { ...answer, id };
      log.push({ entry: rowOf(id, new Date().toISOString(), request, kept), request, answer: kept });
      return kept;
    },
    "answer.generators": () => [...generators],
    "answer.models": () => [...chatModels],
    "answer.log.list": ({ search, offset = 0, limit = 100 }) => {
      const found = listed(search ?? "").reverse();
      return { entries: found.slice(offset, offset + limit).map((each) => each.entry), total: found.length };
    },
    "answer.log.get": ({ id }) => find(id),
    "answer.log.rate": ({ id, rating = null }) => {
      find(id).entry.rating = rating;
      return {};
    },
    "answer.log.replay": ({ id }) => replayOf(find(id)),
    "answer.log.export": ({ format = "jsonl", query }) => ({
      text: exported(listed(query?.search ?? ""), format),
    }),
    "answer.log.delete": ({ id }) => {
      log.splice(log.indexOf(find(id)), 1);
      return {};
    },
    "answer.log.clear": () => ({ deleted: log.splice(0).length }),
  });
}

/** Handlers of Ask. */
export const handlers: FakeHandlers = askHandlers();
