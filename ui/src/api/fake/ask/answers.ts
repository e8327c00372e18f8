// Answers to a few questions, each sentence tied to a passage, as the engine gives them.

import type {
  Answer,
  AnswerCitation,
  AnswerPassage,
  AnswerSentence,
  AskRequest,
  Band,
  Constraint,
  Reading,
} from "../../types";
import { figuresTo } from "./figures";
import { passage, report } from "./passage";

const PLAN: AnswerPassage[] = [
  passage(1, {
    text: "An entity that has a climate-related transition plan describes it, including the main assumptions used to develop it and what carrying it out depends on.",
    relevance: 0.97,
    paragraph_id: "S2.14(a)(iv)",
    found_by: ["transition plan assumptions", "what the plan depends on"],
  }),
  passage(2, {
    ...report("Northwind", 34),
    document_id: 5000,
    chunk_id: "c4a9000000000003",
    text: "The plan rests on three premises: grid connection dates hold, the carbon price stays above €80 a tonne, and hydrogen-ready turbines reach the market by 2029. If any one slips by more than two years, the 2035 milestone moves to 2038.",
    relevance: 0.91,
  }),
  passage(3, {
    ...report("Aurelia", 58),
    text: "The plan assumes kiln electrification at two sites. It depends on permitting and on a clinker substitute we do not yet make at scale.",
    relevance: 0.84,
  }),
  passage(4, {
    text: "An entity discloses quantitative and qualitative information about the progress of plans disclosed in earlier reporting periods.",
    relevance: 0.71,
    paragraph_id: "S2.14(c)",
  }),
  passage(5, {
    text: "How the activities in the plans are resourced, now and later.",
    relevance: 0.66,
    paragraph_id: "S2.14(b)",
  }),
  passage(6, {
    ...report("Kestrel", 42),
    text: "Credit policy reprices loans to clients without a transition plan; disclosures follow each quarter.",
    relevance: 0.62,
  }),
];

const HALDEN: AnswerPassage[] = [
  passage(1, {
    ...report("Halden", 24),
    text: "Slip measured on the test bed was 2.9 g/kWh at half load and 1.7 g/kWh at full load.",
    relevance: 0.53,
  }),
  passage(2, {
    ...report("Halden", 31),
    text: "Bunker adjustment clauses pass on 80% of fuel price moves after a thirty-day lag.",
    relevance: 0.33,
  }),
  passage(3, {
    ...report("Halden", 8),
    text: "We report all seven greenhouse gases in CO₂e, using 100-year factors.",
    relevance: 0.24,
  }),
].map((each) => ({ ...each, used: false }));

const SCOPE: AnswerPassage[] = [
  passage(1, {
    ...report("Northwind", 81),
    section: ["Metrics", "Scope 2"],
    text: "| Indirect emissions from purchased electricity, location-based | 0.41 Mt CO₂e | 2023: 0.46 |",
    relevance: 0.93,
  }),
  passage(2, {
    text: "An entity discloses its location-based Scope 2 greenhouse gas emissions, with details of contracts where users need them.",
    relevance: 0.81,
    paragraph_id: "S2.29(a)(v)",
  }),
  passage(3, {
    ...report("Northwind", 82),
    section: ["Metrics", "Scope 2"],
    text: "Market-based emissions were 0.17 Mt CO₂e, after certificates bundled with supply.",
    relevance: 0.9,
  }),
];

/** A sentence: its words, the passages it cites with what it quotes of each, and what the check of it found. */
export type Written = {
  text: string;
  from: [passage: number, quote: string][];
  check?: AnswerSentence["check"];
  differences?: AnswerSentence["differences"];
};

const PLAN_QUOTED: Written[] = [
  { text: PLAN[0]?.text ?? "", from: [[1, PLAN[0]?.text ?? ""]] },
  {
    text: "The plan rests on three premises: grid connection dates hold, the carbon price stays above €80 a tonne, and hydrogen-ready turbines reach the market by 2029.",
    from: [
      [
        2,
        "The plan rests on three premises: grid connection dates hold, the carbon price stays above €80 a tonne, and hydrogen-ready turbines reach the market by 2029.",
      ],
    ],
  },
  {
    text: "It depends on permitting and on a clinker substitute we do not yet make at scale.",
    from: [[3, "It depends on permitting and on a clinker substitute we do not yet make at scale."]],
  },
  { text: PLAN[3]?.text ?? "", from: [[4, PLAN[3]?.text ?? ""]] },
];

const PLAN_WRITTEN: Written[] = [
  {
    text: "An entity that has a climate-related transition plan describes it, including the main assumptions used to develop it and what carrying it out depends on.",
    from: [[1, "the main assumptions used to develop it and what carrying it out depends on"]],
  },
  { text: "In the reports reviewed, dependencies take two forms:", from: [], check: "unsupported" },
  {
    text: "- **Named premises with a consequence.**",
    from: [[2, "The plan rests on three premises"]],
    check: "supported",
  },
  {
    text: "Northwind ties its 2035 milestone to grid connection dates, an €90 carbon price and turbine availability.",
    from: [[2, "grid connection dates hold, the carbon price stays above €80 a tonne"]],
    check: "altered",
    differences: [{ kind: "figure", said: "€90", found: "€80 a tonne" }],
  },
  {
    text: "- **Named premises without a threshold.**",
    from: [[3, "It depends on permitting"]],
    check: "supported",
  },
  {
    text: "Aurelia cites permitting and a clinker substitute, says [its chairman](https://evil.example/x) ![pixel](https://evil.example/p.png) <img src=x onerror=alert(1)>.",
    from: [[3, "It depends on permitting and on a clinker substitute"]],
    check: "not_found",
    differences: [{ kind: "name", said: "its chairman", found: null }],
  },
  {
    text: "Progress against plans disclosed earlier is a separate requirement.",
    from: [[4, "the progress of plans disclosed in earlier reporting periods"]],
    check: "supported",
  },
];

function composed(written: readonly Written[], passages: readonly AnswerPassage[], first = 1) {
  const citations: AnswerCitation[] = [];
  const sentences = written.map(({ text, from, check = "verified", differences = [] }): AnswerSentence => {
    const numbers = from.map(([number, quote]) => {
      const known = citations.find((each) => each.passage === number && each.quote === quote);
      const source = passages.find((each) => each.number === number);
      if (known || !source) return known?.n ?? 0;
      const at = Math.max(0, source.text.indexOf(quote));
      const citation: AnswerCitation = {
        n: first + citations.length,
        document: source.document,
        path: source.document,
        title: source.title,
        section: source.section,
        pages: source.pages,
        page_labels: source.page_labels,
        about_page: source.about_page,
        sheet: null,
        cells: null,
        anchor: null,
        ocr: source.ocr,
        paragraph_id: source.paragraph_id,
        quote,
        snippet: source.text.slice(0, 200),
        span: [at, at + quote.length],
        passage: number,
        chunk_id: source.chunk_id,
        document_id: source.document_id,
        text_version: source.text_version,
        source: {
          changed: false,
          document_id: source.document_id,
          range: [at, at + quote.length],
          kept: true,
        },
        source_type: source.source_type,
        corpus: source.corpus,
        report_id: null,
      };
      citations.push(citation);
      return citation.n;
    });
    const support = { verified: 1, supported: 0.82, altered: 0.74, not_found: 0.55, unsupported: 0.12 }[
      check
    ];
    return { text, citations: numbers, check, differences, support, second_reading: null };
  });
  return { sentences, citations };
}

const bandOf = (value: number): Band =>
  value >= 0.8 ? "high" : value >= 0.6 ? "medium" : value >= 0.4 ? "low" : "very_low";

const CAVEATS: Record<Band, string | null> = {
  high: null,
  medium: "The passages found answer this in part; check the sources before you rely on it.",
  low: "The passages found are only loosely related; treat this as a lead, not as an answer.",
  very_low: "The passages found are only loosely related; treat this as a lead, not as an answer.",
};

const confidenceOf = (relevance: readonly number[]): number => {
  const best = relevance.slice(0, 3);
  const weights = best.map((_, at) => 1 / (at + 1));
  const total = weights.reduce((sum, each) => sum + each, 0);
  return total === 0 ? 0 : best.reduce((sum, each, at) => sum + each * (weights[at] ?? 0), 0) / total;
};

const GREETING = "Ask a question about your documents. Every sentence of the answer names its source.";
const QUOTES = "These are the words of the sources: no language model wrote this answer.";
const FALLBACK = "I don't have enough information in the provided disclosures to answer that question.";

/** What a few words of a question set. */
function understoodOf(words: string, { ignore }: AskRequest): Constraint[] {
  const found: Constraint[] = [];
  const issuer = /Northwind|Aurelia|Halden|Kestrel/.exec(words)?.[0];
  if (issuer) found.push({ kind: "issuer", value: issuer });
  const year = /\b20\d\d\b/.exec(words)?.[0];
  if (year) found.push({ kind: "period", value: year });
  const scope = /\bscope ([123])\b/i.exec(words)?.[1];
  if (scope) found.push({ kind: "scope", value: scope });
  return found.filter(
    (each) => !ignore.some(({ kind, value }) => kind === each.kind && value === each.value),
  );
}

/** The question as it reads with the words that are added to it and without what they replace. */
export function putTogether(request: AskRequest): AskRequest {
  if (request.also.length === 0) return request;
  const said = ({ kind, value }: Constraint) => (kind === "scope" ? `Scope ${value}` : value);
  const rest = request.ignore.reduce(
    (words, each) => words.replace(new RegExp(`(?: in)? ${said(each)}`, "i"), ""),
    request.question.trim(),
  );
  const [, stem = "", sign = ""] = /^(.*?)([?.! ]*)$/s.exec(rest) ?? [];
  return { ...request, question: [stem, ...request.also].join(" ") + sign, also: [] };
}

function blank(request: AskRequest, passages: readonly AnswerPassage[], searched: string | null): Answer {
  const value = confidenceOf(passages.map((each) => each.relevance));
  const chat = request.generator === "chat";
  const selection = request.selection !== null;
  const own = understoodOf(request.question, request);
  const understood = searched === null ? own : understoodOf(searched, request);
  return {
    id: null,
    question: request.question.trim(),
    searched_for: searched,
    outcome: "complete",
    refusal: null,
    answer: null,
    understood,
    inherited: understood.filter(
      (each) => !own.some(({ kind, value }) => kind === each.kind && value === each.value),
    ),
    answers: null,
    stands: null,
    remarks: chat ? [] : [QUOTES],
    confidence: value,
    band: bandOf(value),
    grounds: {
      value,
      band: bandOf(value),
      relevance: passages.map((each) => each.relevance),
      supported: 1,
      percentile: selection ? 0 : 0.98,
      threshold: request.threshold ?? 0.6,
      error_rate: selection ? 0 : 0.04,
      caveat: CAVEATS[bandOf(value)],
    },
    generator: request.generator ?? "extractive",
    model: chat ? "openai/gpt-4.1-mini" : null,
    prompt_version: chat ? "1" : null,
    sentences: [],
    removed: [],
    citations: [],
    figures: null,
    source_changed: false,
    readings: [],
    passages: [...passages],
    context_tokens: selection ? 0 : 2066,
    chunks_searched: selection ? 0 : 32_894,
    fault: null,
    notices: [],
    timings: selection
      ? []
      : [
          { stage: "search", start_ms: 0, duration_ms: 212, items_in: 32_894, items_out: 8 },
          { stage: "write", start_ms: 212, duration_ms: 60, items_in: 8, items_out: 4 },
        ],
    total_ms: chat ? 4_230 : 272,
    usage: chat ? { prompt_tokens: 2_410, completion_tokens: 212, cost: 0.0013, counted: true } : null,
    from_selection: selection,
    config_hash: "5d41402a",
  };
}

const marked = (sentences: readonly AnswerSentence[]): string =>
  sentences.map((each) => [each.text, ...each.citations.map((n) => `[Citation ${n}]`)].join(" ")).join(" ");

const marksOf = (
  value: number,
  sentences: readonly AnswerSentence[],
): Pick<Answer, "answers" | "stands"> => ({
  answers: value >= 0.8 ? "yes" : value >= 0.6 ? "likely" : "unsure",
  stands: sentences.every((each) => each.check === "verified")
    ? "word_for_word"
    : sentences.every((each) => each.check === "verified" || each.check === "supported")
      ? "in_other_words"
      : "in_part",
});

function finished(answer: Answer, written: readonly Written[]): Answer {
  const { sentences, citations } = composed(written, answer.passages);
  const cited = new Set(citations.map((each) => each.passage));
  return {
    ...answer,
    answer: marked(sentences),
    sentences,
    citations,
    ...marksOf(answer.confidence, sentences),
    passages: answer.passages.map((each) => ({ ...each, cited: cited.has(each.number) })),
  };
}

const readingOf = (name: string, written: readonly Written[], first: number, value: number): Reading => {
  const { sentences, citations } = composed(written, SCOPE, first);
  return {
    reading: name,
    answer: marked(sentences),
    confidence: value,
    band: bandOf(value),
    sentences,
    citations,
    figures: null,
  };
};

function ambiguous(answer: Answer): Answer {
  const readings = [
    readingOf(
      "Location-based",
      [
        { text: SCOPE[0]?.text ?? "", from: [[1, SCOPE[0]?.text ?? ""]] },
        { text: SCOPE[1]?.text ?? "", from: [[2, SCOPE[1]?.text ?? ""]] },
      ],
      1,
      0.74,
    ),
    readingOf("Market-based", [{ text: SCOPE[2]?.text ?? "", from: [[3, SCOPE[2]?.text ?? ""]] }], 3, 0.69),
  ];
  return {
    ...answer,
    readings,
    answer: readings.map((each) => `${each.reading}: ${each.answer}`).join("\n\n"),
    sentences: readings.flatMap((each) => each.sentences),
    citations: readings.flatMap((each) => each.citations),
    ...marksOf(
      answer.confidence,
      readings.flatMap((each) => each.sentences),
    ),
  };
}

function fromSelection(request: AskRequest): Answer {
  const { selection } = request;
  if (!selection || selection.text.trim() === "")
    throw {
      code: "invalid",
      message: "nothing is selected; select some text, or ask without a selection",
    };
  const only = passage(1, {
    text: selection.text,
    relevance: 1,
    chunk_id: "",
    document_id: 0,
    document: selection.document,
    title: selection.document,
    corpus: "",
    source_type: "selection",
    section: selection.section === "" ? [] : [selection.section],
    pages: selection.page === null ? null : [selection.page, selection.page],
    semantic_rank: null,
    keyword_rank: null,
    semantic_percentile: null,
    keyword_percentile: null,
  });
  const asked = new Set(request.question.toLowerCase().match(/\p{L}{4,}/gu));
  const sentences = [...selection.text.matchAll(/[^.!?\s][^.!?]*[.!?]/g)].map((match) => match[0]);
  const fitting = sentences.filter((each) =>
    (each.toLowerCase().match(/\p{L}{4,}/gu) ?? []).some((word) => asked.has(word)),
  );
  const answer = blank(request, [only], null);
  if (fitting.length === 0) return notFound(answer);
  return finished(
    answer,
    fitting.slice(0, 3).map((text) => ({ text, from: [[1, text]] })),
  );
}

const notFound = (answer: Answer): Answer => ({
  ...answer,
  outcome: "refused",
  refusal: "not_found",
  answer: null,
  message: "Information not found in the knowledge base.",
  remarks: [FALLBACK],
  passages: answer.passages.map((each) => ({ ...each, used: false })),
});

/** What is searched for when `question` follows `earlier`. */
export const completed = (earlier: string | undefined, question: string): string | null =>
  earlier !== undefined && /^(?:and|what about|how about)\b|\b(?:it|its|they|them)\b/i.test(question)
    ? `${question} ${earlier.replace(/\?$/, "")}`
    : null;

/** The answer to a question, `earlier` being the one before it in its session. */
export function answerTo(request: AskRequest, earlier: string | undefined): Answer {
  const question = request.question.trim();
  if (question === "" || /^(?:hi|hello|thanks)\b/i.test(question))
    return {
      ...blank(request, [], null),
      outcome: "refused",
      refusal: "no_question",
      message: GREETING,
      remarks: [GREETING],
      chunks_searched: 0,
      context_tokens: 0,
      timings: [],
      total_ms: 0.4,
    };
  if (request.selection) return fromSelection(request);
  const searched = request.follow_up ? completed(earlier, question) : null;
  const words = searched ?? question;
  const told = figuresTo(words);
  if (told) {
    const { figures, passages, written, remark } = told;
    const answer = { ...blank(request, passages, searched), figures };
    return remark ? { ...notFound(answer), remarks: [remark] } : finished(answer, written);
  }
  if (/scope 2|each target/i.test(words)) return ambiguous(blank(request, SCOPE, searched));
  if (/transition plan|dependenc/i.test(words))
    return finished(
      blank(request, PLAN, searched),
      request.generator === "chat" ? PLAN_WRITTEN : PLAN_QUOTED,
    );
  return notFound(blank(request, HALDEN, searched));
}
