//! Answers that can be checked: the question is searched for, and every sentence of its answer is tied to a place
//! in a source and checked against it.
//!
//! greeting or empty question → session (what is searched for) → search → relevance → sufficiency → generator →
//! citations → check → log; [`flow`] has what is known after each step. `sibyl-answer`, which knows no library,
//! makes the answer from the passages.

mod ask;
mod calibration;
mod export;
pub(crate) mod figures;
mod flow;
mod generators;
mod log;
mod measure;
mod models;
pub(crate) mod named;
pub(crate) mod relevance;
mod replay;
pub mod session;
mod shown;
mod sides;
mod source;
mod standing;
mod stopped;
mod understood;

pub use ask::{LONGEST_QUESTION, MOST_PASSAGES};
pub use export::ExportFormat;
pub use generators::GeneratorView;
pub use log::{AnswerList, AskLogQuery, LoggedQuestion, Rating, Verdict};
pub use measure::{AnswerCounts, AnswerMeasures, AnswerMiss, MissKind};
pub use replay::{MovedPassage, Replay};
/// What a person reads if nothing answers the question (source document 001, section 6).
pub use sibyl_answer::GENERATORS;
pub use sibyl_answer::prompt::FALLBACK;
pub use sibyl_answer::reply::{NO_QUESTION, NOT_FOUND};
pub use sibyl_answer::{
    AnswerCitation, AnswerDifference, AnswerSentence, Answers, Band, ChatModel, Check, Confidence,
    Constraint, ConstraintKind, DifferenceKind, Fault, OcrReading, Outcome, Reading, Refusal, Removed,
    RemovedKind, Reply, Selection, Stands, Usage,
};

use crate::search::{Filters, SearchNotice, StageTiming};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_answer::question::constraint::without;

/// Default number of passages that an answer is made from.
pub const DEFAULT_PASSAGES: usize = 8;

/// A question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AskRequest {
    /// The question in natural language.
    pub question: String,
    /// What writes the answer; by default, the generator in the settings.
    pub generator: Option<String>,
    /// Chat model; by default, the one in the settings.
    pub model: Option<String>,
    /// Conditions of the question to ignore, as an earlier answer to it named them in `understood`.
    pub ignore: Vec<Constraint>,
    /// Words to add to the question, such as `2022`, to replace one of `ignore` or to add a condition. The log
    /// keeps the question as it reads with them.
    pub also: Vec<String>,
    /// Restrictions of the search.
    pub filters: Filters,
    /// Maximum number of passages, 1 to 50.
    pub passages: usize,
    /// Maximum number of tokens of the context.
    pub max_tokens: usize,
    /// Relevance from which a passage counts, 0 to 1; by default the one in the settings.
    pub threshold: Option<f64>,
    /// Passages that must count before anything is answered.
    pub min_chunks: usize,
    /// Answer from this text alone; nothing is searched.
    pub selection: Option<Selection>,
    /// Session that the question belongs to; empty for none.
    pub session: String,
    /// Let an earlier question complete what is searched for.
    pub follow_up: bool,
    /// That earlier question; by default, the last one of the session.
    pub earlier: Option<String>,
    /// Give each reading of an ambiguous question its own answer.
    pub readings: bool,
    /// Have the chat model read each sentence again beside its passages.
    pub second_reading: bool,
    /// Keep question and answer in the log.
    pub record: bool,
}

impl AskRequest {
    /// The same, with its question as it reads without the ignored conditions and with the added ones.
    fn put_together(&self) -> Self {
        let added = self.also.iter().map(|words| words.trim()).filter(|words| !words.is_empty());
        let added: Vec<&str> = added.collect();
        if added.is_empty() {
            return Self { also: Vec::new(), ..self.clone() };
        }
        let rest = without(self.question.trim(), &self.ignore);
        let stem = rest.trim_end_matches(['?', '.', '!', ' ']);
        let question = format!("{stem} {}{}", added.join(" "), rest[stem.len()..].trim());
        Self { question, also: Vec::new(), ..self.clone() }
    }
}

impl Default for AskRequest {
    fn default() -> Self {
        Self {
            question: String::new(),
            generator: None,
            model: None,
            ignore: Vec::new(),
            also: Vec::new(),
            filters: Filters::default(),
            passages: DEFAULT_PASSAGES,
            max_tokens: crate::search::context::DEFAULT_BUDGET,
            threshold: None,
            min_chunks: 1,
            selection: None,
            session: String::new(),
            follow_up: true,
            earlier: None,
            readings: true,
            second_reading: false,
            record: true,
        }
    }
}

/// A passage that was found for a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerPassage {
    /// Its number in the context, from 1 in order of relevance.
    pub number: usize,
    /// Chunk id; empty for selected text.
    pub chunk_id: String,
    /// Document row; 0 for selected text.
    pub document_id: i64,
    /// Version of the document's text that it was read from; empty for selected text, and if it is not known.
    #[serde(default)]
    pub text_version: String,
    /// File name of the document.
    pub document: String,
    /// Title of the document.
    pub title: String,
    /// Corpus it belongs to.
    pub corpus: String,
    /// Source type of the corpus.
    pub source_type: String,
    /// Headings above its beginning.
    pub section: Vec<String>,
    /// Paragraph id, topic or metric code.
    pub paragraph_id: Option<String>,
    /// First and last physical page.
    pub pages: Option<(u32, u32)>,
    /// The labels printed on them, if they differ from the page numbers.
    #[serde(default)]
    pub page_labels: Option<(String, String)>,
    /// The page on which it began when a program last laid the document out, if the document does not set its page
    /// breaks.
    #[serde(default)]
    pub about_page: Option<u32>,
    /// What OCR read of it, if anything.
    #[serde(default)]
    pub ocr: Option<OcrReading>,
    /// What it says.
    pub text: String,
    /// Phrases that find it besides its own text; empty in answers kept before passages had them.
    #[serde(default)]
    pub found_by: Vec<String>,
    /// Calibrated relevance, 0 to 1.
    pub relevance: f64,
    /// Cosine similarity, if meaning was compared.
    pub similarity: Option<f64>,
    /// Rank by meaning.
    pub semantic_rank: Option<usize>,
    /// Rank by words.
    pub keyword_rank: Option<usize>,
    /// Share of questions without an answer, 0 to 1, whose best passage of this corpus is less near to them in meaning.
    pub semantic_percentile: Option<f64>,
    /// The same for the share of the question's words that it has.
    pub keyword_percentile: Option<f64>,
    /// The reranker's score, if it ran.
    pub rerank_score: Option<f64>,
    /// Estimated tokens.
    pub tokens: usize,
    /// Whether the answer was made from it; the nearest passages of a question without an answer were not.
    pub used: bool,
    /// Whether the answer cites it.
    pub cited: bool,
    /// Why it was left out of the context; empty if it was not.
    pub left_out: String,
}

/// An answer with everything it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// Row in the log; `None` if it was not kept.
    pub id: Option<i64>,
    /// The question.
    pub question: String,
    /// What was searched for, if an earlier question completed it.
    pub searched_for: Option<String>,
    /// The reply, the same through every door.
    #[serde(flatten)]
    pub reply: Reply,
    /// What the confidence rests on.
    pub grounds: Confidence,
    /// Version of the prompt that it was written to.
    pub prompt_version: Option<String>,
    /// Whether a source that it cites has changed since; see [`AnswerCitation::source`].
    #[serde(default)]
    pub source_changed: bool,
    /// The passages that were found, best first.
    pub passages: Vec<AnswerPassage>,
    /// Tokens of the context.
    pub context_tokens: usize,
    /// Chunks that were searched.
    pub chunks_searched: usize,
    /// What was degraded, and corpora that were left out because their text may not leave the machine.
    pub notices: Vec<SearchNotice>,
    /// Stages of the search and of the answer, in order of their start.
    pub timings: Vec<StageTiming>,
    /// Duration of all of it, in milliseconds.
    pub total_ms: f64,
    /// What a chat model took.
    pub usage: Option<Usage>,
    /// Whether it is from selected text alone.
    pub from_selection: bool,
    /// Hash of everything that decides the answer besides the question and the library.
    pub config_hash: String,
}

/// Receives what happens.
type Told<'a> = dyn Fn(AnswerEvent) + Send + Sync + 'a;

/// What is reported while a question is answered. The answer itself is the result of the command at its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum AnswerEvent {
    /// The search begins.
    Searching {
        /// What is searched for.
        searched_for: String,
        /// The earlier question that completes it.
        earlier: Option<String>,
        /// The conditions that were understood from the question.
        understood: Vec<Constraint>,
        /// Those of them that come from the earlier question.
        inherited: Vec<Constraint>,
    },
    /// Passages were found.
    Retrieved {
        /// Chunks that were searched.
        chunks_searched: usize,
        /// Time since the question, in milliseconds.
        milliseconds: f64,
        /// Tokens of the passages that the answer is made from.
        context_tokens: usize,
        /// The passages, best first.
        passages: Vec<AnswerPassage>,
    },
    /// It is known how sure an answer will be.
    Confident {
        /// What it rests on.
        confidence: Confidence,
    },
    /// A generator begins to write.
    Writing {
        /// The generator.
        generator: String,
        /// The chat model.
        model: Option<String>,
        /// What tells the reading from the others; empty if there is only one.
        reading: String,
    },
    /// Words of the sentence that is being written; the sentence itself follows and replaces them.
    Delta {
        /// Position of the reading, from 0.
        reading: usize,
        /// The words.
        text: String,
    },
    /// A sentence is finished and checked.
    Sentence {
        /// Position of the reading, from 0.
        reading: usize,
        /// The sentence.
        sentence: AnswerSentence,
        /// Citations that it is the first to use.
        citations: Vec<AnswerCitation>,
    },
}
