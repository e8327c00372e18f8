//! The reply to a question: the one value that the window, REST, MCP and the command line give.

use crate::answer::{
    AnswerCitation, AnswerSentence, Check, DifferenceKind, Fault, Reading, Removed, RemovedKind,
};
use crate::confidence::{Band, share_supported};
use crate::figures::shown::FigureAnswer;
use crate::prompt::FALLBACK;
use crate::question::constraint::Constraint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a program reads if nothing answers the question (source document 003, FR-018).
pub const NOT_FOUND: &str = "Information not found in the knowledge base.";
/// The message if nothing was asked.
pub const NO_QUESTION: &str =
    "Ask a question about your documents. Every sentence of the answer names its source.";
/// What a program reads if the model's text cites no passage.
pub const DECLINED: &str = "The chat model wrote nothing that cites a passage, so nothing was answered; what it wrote is \
    listed as removed.";

/// The outcome of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was answered completely.
    // The other names are those in the logs of earlier versions.
    #[serde(alias = "answered")]
    Complete,
    /// An answer began but did not end.
    Incomplete,
    /// It was not answered because nothing answers it: [`Reply::refusal`] says why.
    #[serde(alias = "not_found", alias = "greeting")]
    Refused,
    /// It was not answered because something went wrong: [`Reply::fault`] says what.
    #[serde(alias = "failed")]
    Faulted,
}

impl Outcome {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Incomplete => "incomplete",
            Self::Refused => "refused",
            Self::Faulted => "faulted",
        }
    }
}

/// Why a question was not answered although nothing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Nothing in scope answers it.
    NotFound,
    /// The chat model wrote nothing that cites a passage, or its provider's filter stopped it before its first word.
    Declined,
    /// It asked nothing.
    NoQuestion,
}

/// Whether an answer answers its question. Whether its sources support it is a separate matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answers {
    /// Its sources are about all that is asked.
    Yes,
    /// They are about most of it.
    Likely,
    /// They may be about something else.
    Unsure,
}

impl Answers {
    /// For an answer whose passages are as relevant as `confidence` says.
    fn of(confidence: f64) -> Self {
        match Band::of(confidence) {
            Band::High => Self::Yes,
            Band::Medium => Self::Likely,
            Band::Low | Band::VeryLow => Self::Unsure,
        }
    }
}

/// Whether the sources support an answer: the checks of all its sentences together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stands {
    /// They support every sentence, word for word.
    WordForWord,
    /// They support every sentence, some in other words.
    InOtherWords,
    /// They support some sentences.
    InPart,
    /// They support no sentence.
    No,
}

impl Stands {
    fn of(sentences: &[AnswerSentence]) -> Self {
        let count = |is: fn(Check) -> bool| sentences.iter().filter(|one| is(one.check)).count();
        match (count(|check| check == Check::Verified), count(Check::confirms)) {
            (verified, _) if verified == sentences.len() => Self::WordForWord,
            (_, confirmed) if confirmed == sentences.len() => Self::InOtherWords,
            (_, 0) => Self::No,
            _ => Self::InPart,
        }
    }
}

/// The reply to a question. Every door gives it with the same fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reply {
    /// What came of it.
    pub outcome: Outcome,
    /// Why it was refused; `None` if it was not.
    #[serde(default)]
    pub refusal: Option<Refusal>,
    /// The answer with `[Citation N]` after each sentence; `None` if nothing was answered. `[Unsupported]`,
    /// `[Altered]` or `[Not found]` follows each sentence that the check does not confirm. With several readings
    /// it has all of them, each under its name.
    pub answer: Option<String>,
    /// Why there is no answer, for programs to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What a person reads beside the answer: the fallback sentence, a caveat, or that it is in the words of the
    /// sources.
    pub remarks: Vec<String>,
    /// The conditions that were understood from the question. A request can name any of them to be ignored.
    #[serde(default)]
    pub understood: Vec<Constraint>,
    /// Those of `understood` that come from the previous question.
    #[serde(default)]
    pub inherited: Vec<Constraint>,
    /// Whether the answer answers the question; `None` if nothing was answered.
    #[serde(default)]
    pub answers: Option<Answers>,
    /// Whether the sources support the answer; `None` if nothing was answered.
    #[serde(default)]
    pub stands: Option<Stands>,
    /// How sure it is, 0 to 1: the relevance of its passages times the share of its sentences that the check
    /// confirms.
    pub confidence: f64,
    /// Its band of confidence.
    pub band: Band,
    /// The generator that wrote it.
    pub generator: String,
    /// Chat model that wrote it.
    pub model: Option<String>,
    /// Its sentences with their checks, from all readings in their order.
    pub sentences: Vec<AnswerSentence>,
    /// What was written but is no part of the answer.
    #[serde(default)]
    pub removed: Vec<Removed>,
    /// The places it rests on, from all readings.
    pub citations: Vec<AnswerCitation>,
    /// The figures that answer it, or what there is in place of the one asked for. `None` if it was answered in
    /// words, or if there are several readings, each with figures of its own.
    #[serde(default)]
    pub figures: Option<FigureAnswer>,
    /// The readings of an ambiguous question; empty if there is only one.
    pub readings: Vec<Reading>,
    /// Why it is incomplete, or why there is none; `None` if nothing went wrong.
    pub fault: Option<Fault>,
}

impl Reply {
    /// A reply of `generator` before anything is known.
    pub fn new(generator: &str) -> Self {
        Self {
            outcome: Outcome::Faulted,
            refusal: None,
            answer: None,
            message: None,
            remarks: Vec::new(),
            understood: Vec::new(),
            inherited: Vec::new(),
            answers: None,
            stands: None,
            confidence: 0.0,
            band: Band::VeryLow,
            generator: generator.to_owned(),
            model: None,
            sentences: Vec::new(),
            removed: Vec::new(),
            citations: Vec::new(),
            figures: None,
            readings: Vec::new(),
            fault: None,
        }
    }

    /// Whether it says only that nothing was found.
    pub fn is_plainly_not_found(&self) -> bool {
        self.refusal == Some(Refusal::NotFound) && self.removed.is_empty() && self.remarks == [FALLBACK]
    }

    /// Says how sure it is.
    pub fn rate(&mut self, confidence: f64) {
        (self.confidence, self.band) = (confidence, Band::of(confidence));
    }

    /// Says that the question is not answered, and why.
    pub fn refuse(&mut self, refusal: Refusal) {
        (self.outcome, self.refusal, self.answer) = (Outcome::Refused, Some(refusal), None);
        self.rate(0.0);
        let message = match (refusal, &self.fault) {
            (_, Some(fault)) => fault.message.clone(),
            (Refusal::NotFound, None) => NOT_FOUND.to_owned(),
            (Refusal::Declined, None) => DECLINED.to_owned(),
            (Refusal::NoQuestion, None) => NO_QUESTION.to_owned(),
        };
        match refusal {
            Refusal::NotFound => self.remarks.insert(0, FALLBACK.to_owned()),
            Refusal::Declined | Refusal::NoQuestion => self.remarks.insert(0, message.clone()),
        }
        self.message = Some(message);
    }

    /// Says that something went wrong before the first word.
    pub fn fail(&mut self, fault: Fault) {
        self.outcome = Outcome::Faulted;
        self.rate(0.0);
        self.message = Some(fault.message.clone());
        self.fault = Some(fault);
    }

    /// Puts together what was written: `readings` with their sentences and citations, and the `fault` that ended
    /// it. Each reading is as sure as its passages are relevant. Before the call the reply is as sure as all
    /// passages are relevant. Returns the share of sentences by which that was lowered.
    pub fn write(&mut self, mut readings: Vec<Reading>, fault: Option<Fault>) -> f64 {
        readings.retain(|reading| !reading.sentences.is_empty());
        let sentences: Vec<&AnswerSentence> =
            readings.iter().flat_map(|reading| &reading.sentences).collect();
        let removed = marks(&sentences);
        let grounded = sentences.iter().any(|sentence| sentence.cites());
        if sentences.is_empty() || (!grounded && fault.is_none()) {
            let fell_back = sentences.iter().any(|one| falls_back(&one.text));
            // The remarks already give the fallback sentence.
            let unused = sentences.iter().filter(|one| !falls_back(&one.text) && !one.text.is_empty());
            let marks = removed.into_iter().map(|mark| Removed { sentence: None, ..mark });
            self.removed = unused.map(|one| Removed::sentence(&one.text)).chain(marks).collect();
            let filtered = fault.as_ref().is_some_and(|fault| fault.code == Fault::FILTERED);
            match fault {
                Some(fault) if !filtered => self.fail(fault),
                fault => {
                    let found = fell_back || (sentences.is_empty() && fault.is_none());
                    self.fault = fault;
                    self.refuse(if found { Refusal::NotFound } else { Refusal::Declined });
                }
            }
            return 0.0;
        }
        self.removed = removed;
        self.outcome = if fault.is_some() { Outcome::Incomplete } else { Outcome::Complete };
        let last = readings.len().saturating_sub(1);
        let whole = |at: usize| fault.is_none() || at < last;
        for (at, reading) in readings.iter_mut().enumerate() {
            reading.answer = Some(prose(&reading.sentences));
            reading.confidence *= supported(&reading.sentences, whole(at));
            reading.band = Band::of(reading.confidence);
        }
        self.sentences = readings.iter().flat_map(|reading| reading.sentences.clone()).collect();
        self.citations = readings.iter().flat_map(|reading| reading.citations.clone()).collect();
        (self.answers, self.stands) = (Some(Answers::of(self.confidence)), Some(Stands::of(&self.sentences)));
        let share = supported(&self.sentences, fault.is_none());
        self.rate(self.confidence * share);
        self.fault = fault;
        if readings.len() > 1 {
            let named = readings.iter().map(|one| format!("{}: {}", one.reading, prose(&one.sentences)));
            self.answer = Some(named.collect::<Vec<_>>().join("\n\n"));
            self.readings = readings;
        } else {
            let only = readings.pop();
            self.figures = only.as_ref().and_then(|one| one.figures.clone());
            self.answer = only.and_then(|one| one.answer);
        }
        self.remark();
        share
    }

    /// Adds `remark` unless it is there already.
    pub fn remark_once(&mut self, remark: String) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// What a person should know about the answer besides its words.
    fn remark(&mut self) {
        if self.model.is_none() {
            self.remarks
                .push("These are the words of the sources: no language model wrote this answer.".to_owned());
        } else if self.citations.is_empty() {
            self.remarks
                .push("This answer cites no source: nothing in it is grounded in your documents.".to_owned());
        }
        let doubted = self.sentences.iter().filter(|one| !one.check.confirms()).count();
        if doubted > 0 {
            let all = self.sentences.len();
            self.remarks.push(format!("{doubted} of {all} sentences are not confirmed by what they cite."));
        }
    }
}

/// Share of `sentences` that the check confirms; see [`share_supported`].
fn supported(sentences: &[AnswerSentence], whole: bool) -> f64 {
    let confirmed = sentences.iter().filter(|sentence| sentence.check.confirms()).count();
    share_supported(confirmed, sentences.len(), whole)
}

/// Whether `sentence` is what a model says if the passages do not suffice.
fn falls_back(sentence: &str) -> bool {
    sentence.contains(FALLBACK.trim_end_matches('.'))
}

/// The citation markers that were taken out of `sentences`.
fn marks(sentences: &[&AnswerSentence]) -> Vec<Removed> {
    let mut out = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        for difference in &sentence.differences {
            let kind = match difference.kind {
                DifferenceKind::Citation => RemovedKind::InventedCitation,
                DifferenceKind::Source => RemovedKind::UnsupportedCitation,
                _ => continue,
            };
            out.push(Removed { kind, text: difference.said.clone(), sentence: Some(at) });
        }
    }
    out
}

/// Sentences with their citation and check markers; rows of a table are on lines of their own.
pub fn prose(sentences: &[AnswerSentence]) -> String {
    let mut out = String::new();
    for sentence in sentences {
        let line = sentence.text.starts_with(['|', '-']);
        if !out.is_empty() {
            out.push(if line || out.trim_end().ends_with('|') { '\n' } else { ' ' });
        }
        out.push_str(&sentence.text);
        for n in &sentence.citations {
            out.push_str(&format!(" [Citation {n}]"));
        }
        if let Some(mark) = sentence.check.mark() {
            out.push_str(&format!(" [{mark}]"));
        }
    }
    out
}
