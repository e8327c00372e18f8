// An answer as the screen draws it, whether it is finished or still being written.

import type {
  Answer,
  AnswerCitation,
  AnswerEvent,
  AnswerPassage,
  AnswerSentence,
  Answers,
  AskRequest,
  Band,
  Confidence,
  Constraint,
  Fault,
  FigureAnswer,
  Outcome,
  Refusal,
  Removed,
  SearchNotice,
  Stands,
  Usage,
} from "@/api/types";

/** How an answer stands: what came of it, or that it is on its way or was given up. */
export type Standing =
  | "answered"
  | "incomplete"
  | "not_found"
  | "declined"
  | "greeting"
  | "failed"
  | "pending"
  | "stopped";

const OF_OUTCOME = { complete: "answered", incomplete: "incomplete", faulted: "failed" } as const;
const OF_REFUSAL = { not_found: "not_found", declined: "declined", no_question: "greeting" } as const;

/** How an answer stands whose outcome is known. */
export const standingOf = (outcome: Outcome, refusal: Refusal | null): Standing =>
  outcome === "refused" ? OF_REFUSAL[refusal ?? "not_found"] : OF_OUTCOME[outcome];

const OF_BAND = { high: "yes", medium: "likely", low: "unsure", very_low: "unsure" } as const;

/** Whether an answer whose band of confidence is known answers its question: the rule by which an answer is marked. */
export const answersOf = (band: Band): Answers => OF_BAND[band];

/** Code of the fault of an answer that somebody stopped. */
const STOPPED = "cancelled";

/** A reading of the question with what is written of its answer. */
export type ShownReading = {
  /** What tells it from the others; empty where there is but one. */
  name: string;
  sentences: readonly AnswerSentence[];
  citations: readonly AnswerCitation[];
  /** Words of the sentence that is being written. */
  tail: string;
  confidence: number | undefined;
  /** The figures that answer it, or what there is in place of the one that is asked for. */
  figures: FigureAnswer | undefined;
};

/** An answer, or what there is of it. */
export type Shown = {
  /** Id in the log; nothing where it is not kept there. */
  id: number | undefined;
  question: string;
  request: AskRequest;
  standing: Standing;
  searchedFor: string | undefined;
  /** What the question was understood to set. */
  understood: readonly Constraint[];
  /** What of it was taken over from the question before. */
  inherited: readonly Constraint[];
  /** Whether it answers the question, and whether it stands in its sources; nothing until it is written. */
  marks: { answers: Answers; stands: Stands } | undefined;
  readings: readonly ShownReading[];
  grounds: Confidence | undefined;
  passages: readonly AnswerPassage[];
  chunks: number | undefined;
  tokens: number;
  searchMs: number | undefined;
  totalMs: number | undefined;
  generator: string | undefined;
  model: string | undefined;
  remarks: readonly string[];
  /** What was written and is no part of the answer. */
  removed: readonly Removed[];
  fault: Fault | undefined;
  notices: readonly SearchNotice[];
  usage: Usage | undefined;
  fromSelection: boolean;
};

/** Every citation of an answer, by its number. */
export const citationsOf = (shown: Pick<Shown, "readings">): AnswerCitation[] =>
  shown.readings.flatMap((reading) => reading.citations).sort((a, b) => a.n - b.n);

/** Every sentence of an answer, in its order. */
export const sentencesOf = (shown: Pick<Shown, "readings">): AnswerSentence[] =>
  shown.readings.flatMap((reading) => reading.sentences);

/** What figures say, of every reading. */
export const figuresOf = (shown: Pick<Shown, "readings">): FigureAnswer[] =>
  shown.readings.flatMap(({ figures }) => figures ?? []);

/** Whether it is figures that answer, in every reading. */
export const isOfFigures = ({ readings }: Pick<Shown, "readings">): boolean =>
  readings.length > 0 && readings.every(({ figures }) => figures !== undefined && figures.figures.length > 0);

const searchTime = (answer: Answer): number | undefined => {
  const ends = answer.timings
    .filter((each) => each.stage !== "write")
    .map((each) => each.start_ms + each.duration_ms);
  return ends.length > 0 ? Math.max(...ends) : undefined;
};

/** A finished answer. */
export function fromAnswer(answer: Answer, request: AskRequest): Shown {
  const readings: ShownReading[] =
    answer.readings.length > 0
      ? answer.readings.map((each) => ({
          name: each.reading,
          sentences: each.sentences,
          citations: each.citations,
          tail: "",
          confidence: each.confidence,
          figures: each.figures ?? undefined,
        }))
      : [
          {
            name: "",
            sentences: answer.sentences,
            citations: answer.citations,
            tail: "",
            confidence: answer.confidence,
            figures: answer.figures ?? undefined,
          },
        ];
  return {
    id: answer.id ?? undefined,
    question: answer.question,
    request,
    standing: answer.fault?.code === STOPPED ? "stopped" : standingOf(answer.outcome, answer.refusal),
    searchedFor: answer.searched_for ?? undefined,
    understood: answer.understood,
    // Answers of earlier versions do not say it.
    inherited: answer.inherited ?? [],
    marks: answer.answers && answer.stands ? { answers: answer.answers, stands: answer.stands } : undefined,
    readings,
    grounds: answer.refusal === "no_question" ? undefined : answer.grounds,
    passages: answer.passages,
    chunks: answer.chunks_searched,
    tokens: answer.context_tokens,
    searchMs: searchTime(answer),
    totalMs: answer.total_ms,
    generator: answer.generator,
    model: answer.model ?? undefined,
    remarks: answer.remarks,
    removed: answer.removed,
    fault: answer.fault ?? undefined,
    notices: answer.notices,
    usage: answer.usage ?? undefined,
    fromSelection: answer.from_selection,
  };
}

/** The question with the words that are added to it, before its last sign; what is answered says itself how it reads. */
function withAdded({ question, also }: AskRequest): string {
  const [, words = "", sign = ""] = /^(.*?)([?.!\s]*)$/s.exec(question.trim()) ?? [];
  return [words, ...(also ?? [])].join(" ") + sign;
}

/** A question that was just asked. */
export const begun = (request: AskRequest): Shown => ({
  id: undefined,
  question: withAdded(request),
  request,
  standing: "pending",
  searchedFor: undefined,
  understood: [],
  inherited: [],
  marks: undefined,
  readings: [],
  grounds: undefined,
  passages: [],
  chunks: undefined,
  tokens: 0,
  searchMs: undefined,
  totalMs: undefined,
  generator: undefined,
  model: undefined,
  remarks: [],
  removed: [],
  fault: undefined,
  notices: [],
  usage: undefined,
  fromSelection: request.selection !== null,
});

const EMPTY: ShownReading = {
  name: "",
  sentences: [],
  citations: [],
  tail: "",
  confidence: undefined,
  figures: undefined,
};

/** What is left of the words on their way once `sentence` has taken its part of them. */
export function restAfter(tail: string, sentence: string): string {
  const space = /\s/;
  let at = 0;
  const skip = () => {
    for (;;) {
      const mark = /^\[[^\]]*\]/.exec(tail.slice(at));
      if (mark) at += mark[0].length;
      else if (at < tail.length && space.test(tail.charAt(at))) at += 1;
      else return;
    }
  };
  for (const sign of sentence) {
    if (space.test(sign)) continue;
    skip();
    if (!tail.startsWith(sign, at)) return "";
    at += sign.length;
  }
  skip();
  return tail.slice(at);
}

function withReading(
  readings: readonly ShownReading[],
  at: number,
  change: (reading: ShownReading) => ShownReading,
): ShownReading[] {
  const next = Array.from(
    { length: Math.max(readings.length, at + 1) },
    (_, index) => readings[index] ?? EMPTY,
  );
  next[at] = change(next[at] ?? EMPTY);
  return next;
}

/** The answer once `event` is told of it. */
export function told(shown: Shown, event: AnswerEvent): Shown {
  switch (event.event) {
    case "searching":
      return {
        ...shown,
        searchedFor: event.earlier === null ? undefined : event.searched_for,
        understood: event.understood,
        inherited: event.inherited ?? [],
      };
    case "retrieved":
      return {
        ...shown,
        chunks: event.chunks_searched,
        searchMs: event.milliseconds,
        tokens: event.context_tokens,
        passages: event.passages,
      };
    case "confident":
      return { ...shown, grounds: event.confidence };
    case "writing": {
      // Each reading says that it begins; the one before it is then whole.
      const at = shown.generator === undefined ? 0 : shown.readings.length;
      const readings = withReading(shown.readings, at, (reading) => ({ ...reading, name: event.reading }));
      return { ...shown, generator: event.generator, model: event.model ?? undefined, readings };
    }
    case "delta":
      return {
        ...shown,
        readings: withReading(shown.readings, event.reading, (reading) => ({
          ...reading,
          tail: reading.tail + event.text,
        })),
      };
    case "sentence":
      return {
        ...shown,
        readings: withReading(shown.readings, event.reading, (reading) => ({
          ...reading,
          sentences: [...reading.sentences, event.sentence],
          citations: [...reading.citations, ...event.citations],
          tail: restAfter(reading.tail, event.sentence.text),
        })),
      };
  }
}
