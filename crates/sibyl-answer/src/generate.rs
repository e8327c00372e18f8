//! Whoever writes answers: one interface, one list, one file each.

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
    /// Whether it sends passages to a provider.
    pub remote: bool,
}

/// Every generator there is; the first is the default.
pub const GENERATORS: [GeneratorInfo; 2] = [extractive::INFO, chat::INFO];

/// The models on this machine that compare a question with sentences, as far as there are any.
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
    /// Whether the passages are less relevant than is asked for, so that only what surely answers is told.
    pub doubtful: bool,
    /// The models on this machine that compare meanings.
    pub models: Models,
}

/// Whoever hears of the pieces as they come.
pub type Listener<'a> = dyn Fn(&Piece) + Send + Sync + 'a;

/// The answer of [`Generator::write`].
pub type WriteFuture<'a> = Pin<Box<dyn Future<Output = Draft> + Send + 'a>>;

/// What a second reading found. What goes wrong is part of it: what came before it stays.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// Whether each sentence follows from the passage beside it; `None` where it does not say.
    pub verdicts: Vec<Option<bool>>,
    /// What the chat model took for it; `None` where the provider took nothing on.
    pub usage: Option<Usage>,
    /// Why it is not whole.
    pub fault: Option<Fault>,
}

/// Whoever hears what a chat model has taken so far.
pub type Spending<'a> = dyn Fn(&Usage) + Send + Sync + 'a;

/// The answer of [`Generator::read_again`].
pub type ReadFuture<'a> = Pin<Box<dyn Future<Output = Review> + Send + 'a>>;

/// The answer of [`Generator::question_of`].
pub type QuestionFuture<'a> = Pin<Box<dyn Future<Output = Result<String, Fault>> + Send + 'a>>;

/// Writes answers from passages, and from nothing else.
pub trait Generator: Send + Sync {
    /// What it is.
    fn info(&self) -> GeneratorInfo;
    /// Writes the answer to `task` and tells `listener` each piece. What goes wrong is part of the draft: what came
    /// before it stays.
    fn write<'a>(&'a self, task: &'a Task, listener: &'a Listener<'a>) -> WriteFuture<'a>;
    /// Writes a question that `passage` answers; no future where it cannot write one.
    fn question_of<'a>(&'a self, _passage: &'a str) -> Option<QuestionFuture<'a>> {
        None
    }
    /// Reads each sentence again beside its passage and tells `spent` what that takes, from the moment that it is sent; no
    /// future where it cannot read.
    fn read_again<'a>(
        &'a self,
        _pairs: &'a [(String, String)],
        _spent: &'a Spending<'a>,
    ) -> Option<ReadFuture<'a>> {
        None
    }
}
