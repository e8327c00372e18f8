//! The generators that write answers: one interface, one list, one file each.

pub mod chat;
mod enumeration;
pub mod extractive;
pub mod models;

use crate::answer::{Fault, Usage};
use crate::draft::{Draft, Piece};
use crate::passage::Passage;
use crate::question::Question;
use schemars::JsonSchema;
use serde::Serialize;
use sibyl_embed::{Embedder, Tier};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A generator as a list shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GeneratorInfo {
    /// Its name, such as `extractive`.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub description: &'static str,
    /// Every generator; the first is the default.
    pub remote: bool,
}

/// Every generator there is; the first is the default.
pub const GENERATORS: [GeneratorInfo; 2] = [extractive::INFO, chat::INFO];

/// The models on this machine that compare a question with sentences, if there are any.
#[derive(Clone, Default)]
pub struct Models {
    /// The static table, which looks at every sentence.
    pub table: Option<Arc<dyn Embedder>>,
    /// The sentence transformer, which reads the best of them.
    pub transformer: Option<Arc<dyn Embedder>>,
}

impl Models {
    /// Those among `embedders`.
    pub fn among(embedders: &[Arc<dyn Embedder>]) -> Self {
        let of = |tier| embedders.iter().find(|one| one.space().tier == tier).cloned();
        Self { table: of(Tier::Instant), transformer: of(Tier::Embedded) }
    }
}

/// What an answer is written from.
pub struct Task {
    /// The question as it was read.
    pub question: Question,
    /// The passages, by their number.
    pub passages: Vec<Passage>,
    /// Whether the passages are less relevant than required, so that only a sure answer is given.
    pub doubtful: bool,
    /// The models on this machine that compare meanings.
    pub models: Models,
}

/// Receives the pieces as they come.
pub type Listener<'a> = dyn Fn(&Piece) + Send + Sync + 'a;

/// The answer of [`Generator::write`].
pub type WriteFuture<'a> = Pin<Box<dyn Future<Output = Draft> + Send + 'a>>;

/// What a second reading found. An error is part of it: what came before it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// Whether each sentence follows from the passage beside it; `None` if the model does not say.
    pub verdicts: Vec<Option<bool>>,
    /// What the chat model used for it; `None` if the provider did not start.
    pub usage: Option<Usage>,
    /// Why it is incomplete.
    pub fault: Option<Fault>,
}

/// Receives what a chat model has used so far.
pub type Spending<'a> = dyn Fn(&Usage) + Send + Sync + 'a;

/// The answer of [`Generator::read_again`].
pub type ReadFuture<'a> = Pin<Box<dyn Future<Output = Review> + Send + 'a>>;

/// The answer of [`Generator::question_of`].
pub type QuestionFuture<'a> = Pin<Box<dyn Future<Output = Result<String, Fault>> + Send + 'a>>;

/// Writes answers from passages and from nothing else.
pub trait Generator: Send + Sync {
    /// What it is.
    fn info(&self) -> GeneratorInfo;
    /// Writes the answer to `task` and passes each piece to `listener`. An error is part of the draft: what came
    /// before it is kept.
    fn write<'a>(&'a self, task: &'a Task, listener: &'a Listener<'a>) -> WriteFuture<'a>;
    /// Writes a question that `passage` answers; `None` if it cannot write one.
    fn question_of<'a>(&'a self, _passage: &'a str) -> Option<QuestionFuture<'a>> {
        None
    }
    /// Reads each sentence again beside its passage; `None` if it cannot. It reports its use to `spent` from the
    /// moment that the request is sent.
    fn read_again<'a>(
        &'a self,
        _pairs: &'a [(String, String)],
        _spent: &'a Spending<'a>,
    ) -> Option<ReadFuture<'a>> {
        None
    }
}
