//! What is known of a question on its way to its answer: [`Retrieved`] → [`Grounded`] → [`Written`] → [`Checked`].
//!
//! Each is made of the one before, and [`Frame::answer`] makes the answer of the last.

use super::generators::Ready;
use super::shown::shown;
use super::{
    Answer, AnswerPassage, AskRequest, Band, Confidence, Constraint, Fault, Reading, Refusal, Reply, Told,
    Usage,
};
use crate::search::{SearchNotice, StageTiming};
use crate::store::short_hash;
use sibyl_answer::Passage;
use sibyl_answer::generate::Spending;
use sibyl_answer::sufficiency::Sufficiency;
use std::time::Instant;

/// One question on its way to its answer.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a> {
    pub workspace: &'a str,
    pub request: &'a AskRequest,
    pub frame: &'a Frame,
    pub ready: &'a Ready,
    pub sufficiency: Sufficiency,
    pub told: &'a Told<'a>,
    /// Hears what a chat model has taken so far.
    pub spent: &'a Spending<'a>,
    pub began: Instant,
}

impl<'a> Asking<'a> {
    /// The same, as `request` says and told to `told`.
    pub const fn with(&self, request: &'a AskRequest, told: &'a Told<'a>) -> Self {
        Self { request, told, ..*self }
    }
}

/// What is known of an answer before anything is searched.
pub(super) struct Frame {
    question: String,
    pub generator: String,
    pub model: Option<String>,
    prompt_version: Option<String>,
    threshold: f64,
    config_hash: String,
}

impl Frame {
    /// What `request` and the `generator` that is `ready` for it decide.
    pub fn new(request: &AskRequest, generator: String, ready: &Ready, threshold: f64) -> Self {
        // What is asked, and by whom, decides nothing about how it is answered: the same question asked again, as a
        // replay asks it, is answered with the same settings.
        let settings = AskRequest {
            question: String::new(),
            session: String::new(),
            selection: None,
            generator: None,
            follow_up: false,
            earlier: None,
            record: true,
            ..request.clone()
        };
        let settings = serde_json::to_string(&settings).unwrap_or_default();
        Self {
            question: request.question.trim().to_owned(),
            config_hash: short_hash(&[&generator, &settings]),
            generator,
            model: ready.model.clone(),
            prompt_version: ready.prompt_version.clone(),
            threshold,
        }
    }

    /// A hash of the settings and of those of a search, whose hash is `search`.
    pub fn hash_with(&self, search: &str) -> String {
        short_hash(&[&self.config_hash, search])
    }

    /// The answer before anything is known.
    pub fn blank(&self) -> Answer {
        let on = Grounded::before(self, Retrieved::default());
        self.answer(Meant::default(), Checked { on, reply: self.reply(Vec::new()), usage: None })
    }

    fn reply(&self, remarks: Vec<String>) -> Reply {
        Reply { model: self.model.clone(), remarks, ..Reply::new(&self.generator) }
    }

    /// The answer to a question that means `meant` and ended as `checked`.
    pub fn answer(&self, meant: Meant, checked: Checked) -> Answer {
        let Meant { searched_for, understood, inherited } = meant;
        let Checked { on: Grounded { found, grounds }, reply, usage } = checked;
        Answer {
            id: None,
            question: self.question.clone(),
            searched_for,
            reply: Reply { understood, inherited, ..reply },
            grounds,
            prompt_version: self.prompt_version.clone(),
            source_changed: false,
            passages: found.shown,
            context_tokens: found.context_tokens,
            chunks_searched: found.chunks_searched,
            notices: found.notices,
            timings: found.timings,
            total_ms: 0.0,
            usage,
            from_selection: found.selected,
            config_hash: found.config_hash.unwrap_or_else(|| self.config_hash.clone()),
        }
    }
}

/// What a question was understood to mean.
#[derive(Default)]
pub(super) struct Meant {
    /// What was searched for, where an earlier question completed it.
    pub searched_for: Option<String>,
    /// What it sets.
    pub understood: Vec<Constraint>,
    /// What of it the earlier question lent.
    pub inherited: Vec<Constraint>,
}

/// What was found.
#[derive(Default)]
pub(super) struct Retrieved {
    /// What an answer may be made from.
    pub passages: Vec<Passage>,
    /// Everything that was found, as the answer shows it, best first.
    pub shown: Vec<AnswerPassage>,
    /// What a person is told of it.
    pub remarks: Vec<String>,
    pub notices: Vec<SearchNotice>,
    pub timings: Vec<StageTiming>,
    pub chunks_searched: usize,
    pub context_tokens: usize,
    /// See [`Confidence::percentile`].
    pub percentile: f64,
    /// See [`Confidence::error_rate`].
    pub error_rate: f64,
    /// Whether it was selected, and nothing searched.
    pub selected: bool,
    /// Hash of everything that decided it; `None` where nothing was searched.
    pub config_hash: Option<String>,
}

impl Retrieved {
    /// Selected text.
    pub fn selected(passage: Passage) -> Self {
        let shown = vec![shown(&passage, None)];
        Self { passages: vec![passage], shown, selected: true, ..Self::default() }
    }

    /// Adds `remark`, where it is not said yet.
    pub fn remark_once(&mut self, remark: String) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }
}

/// What was found, and how sure an answer from it will be.
pub(super) struct Grounded {
    pub found: Retrieved,
    pub grounds: Confidence,
}

impl Grounded {
    /// What was `found`, before anything is known of its relevance.
    pub fn before(frame: &Frame, found: Retrieved) -> Self {
        let grounds = Confidence {
            value: 0.0,
            band: Band::VeryLow,
            relevance: Vec::new(),
            supported: 1.0,
            percentile: found.percentile,
            threshold: frame.threshold,
            error_rate: found.error_rate,
            caveat: None,
        };
        Self { found, grounds }
    }

    /// Nothing is answered from it, because of `refusal`.
    pub fn refused(mut self, frame: &Frame, refusal: Refusal) -> Checked {
        let mut reply = frame.reply(std::mem::take(&mut self.found.remarks));
        reply.refuse(refusal);
        Checked { on: self, reply, usage: None }
    }
}

/// What was written.
pub(super) struct Written {
    pub on: Grounded,
    pub readings: Vec<Reading>,
    /// What ended it too early.
    pub fault: Option<Fault>,
    /// How sure it is before the checks of its sentences lower that.
    pub value: f64,
    /// Numbers of the passages that it was made from.
    pub used: Vec<usize>,
    pub usage: Option<Usage>,
}

impl Written {
    /// The readings put together, as far as the fault let them be written, with what their checks come to.
    pub fn checked(self, frame: &Frame) -> Checked {
        let Self { on: Grounded { mut found, mut grounds }, readings, fault, value, used, usage } = self;
        let mut reply = frame.reply(std::mem::take(&mut found.remarks));
        reply.rate(value);
        let supported = reply.write(readings, fault);
        if reply.answer.is_some() {
            (grounds.supported, grounds.value, grounds.band) = (supported, reply.confidence, reply.band);
            for passage in found.shown.iter_mut().filter(|passage| used.contains(&passage.number)) {
                passage.used = true;
                passage.cited = reply.citations.iter().any(|citation| citation.passage == passage.number);
            }
            reply.remarks.extend(grounds.caveat.clone());
        }
        Checked { on: Grounded { found, grounds }, reply, usage }
    }
}

/// How a question ended.
pub(super) struct Checked {
    pub on: Grounded,
    pub reply: Reply,
    pub usage: Option<Usage>,
}
