// Ask: every answer is recorded, and told event by event as it came. The log is what a test changes: it grows, is
// rated, searched and cleared.

import { answering, everyRecorded, isRecorded, recorded, retold } from "../recording";
import type { FakeHandlers } from "../transport/fake";
import type { Answer, AskRequest, KeptAnswer, LoggedQuestion } from "../types";

/** The answer whose replay is recorded, after a document of its sources was deleted; it stands for those of all. */
const REPLAYED = 7;

/** The log of the recorded library, oldest first. */
const logAtFirst = (): KeptAnswer[] => everyRecorded("answer.log.get").map(({ output }) => output);

const rowOf = (session: string, answer: Answer): LoggedQuestion => {
  const { id, question, outcome, refusal, confidence, band, generator, readings, source_changed } = answer;
  return {
    id: id ?? 0,
    at: new Date().toISOString(),
    session,
    question,
    outcome,
    refusal,
    confidence,
    band,
    generator,
    readings: readings.length,
    source_changed,
    rating: null,
  };
};

/** What was asked of the engine for `request`: it names the question before, as sessions have names of their own. */
function askedFor(request: AskRequest, earlier: string | undefined): Partial<AskRequest> {
  const alone = { ...request, session: "", model: null, follow_up: true };
  const following = { ...alone, earlier: earlier ?? null };
  return request.follow_up && isRecorded("answer.ask", following) ? following : alone;
}

/** Handlers of Ask over a log of their own. */
export function askHandlers(): FakeHandlers {
  let log = logAtFirst();
  const find = (id: number): KeptAnswer => {
    const found = log.find((each) => each.entry.id === id);
    if (!found) throw { code: "not_found", message: `answer \`${id}\` does not exist` };
    return found;
  };
  return answering({
    "answer.ask": async (request, call) => {
      const { session = "" } = request;
      const before = log.findLast((each) => session !== "" && each.request.session === session);
      const found = await retold("answer.ask", askedFor(request as AskRequest, before?.entry.question), call);
      const answer = { ...found, id: Math.max(0, ...log.map(({ entry }) => entry.id)) + 1 };
      log = [...log, { entry: rowOf(session, answer), request: request as AskRequest, answer }];
      return answer;
    },
    // The writer of the recordings is a program on the same computer; that of a screen is a provider elsewhere.
    "answer.generators": () =>
      recorded("answer.generators", {}).map((each) => ({ ...each, remote: each.model !== null })),
    "answer.models": () => recorded("answer.models", {}),
    "answer.log.list": ({ search, offset = 0, limit = 100 }) => {
      const wanted = (search ?? "").toLowerCase();
      const found = log
        .filter(({ answer }) => `${answer.question} ${answer.answer}`.toLowerCase().includes(wanted))
        .map(({ entry }) => entry)
        .reverse();
      return { entries: found.slice(offset, offset + limit), total: found.length };
    },
    "answer.log.get": ({ id }) => find(id),
    "answer.log.rate": ({ id, rating = null }) => {
      find(id).entry.rating = rating;
      return {};
    },
    "answer.log.replay": () => recorded("answer.log.replay", { id: REPLAYED }),
    "answer.log.export": ({ format }) => recorded("answer.log.export", { format }),
    "answer.log.delete": ({ id }) => {
      const gone = find(id);
      log = log.filter((each) => each !== gone);
      return {};
    },
    "answer.log.clear": () => {
      const deleted = log.length;
      log = [];
      return { deleted };
    },
  });
}

/** Handlers of Ask. */
export const handlers: FakeHandlers = askHandlers();
