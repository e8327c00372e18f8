//! An answer before it is checked.

use crate::answer::{Fault, Usage};
use sibyl_text::Span;

/// A piece of an answer that is being written.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Words of the sentence that is being written.
    Delta(String),
    /// A finished sentence.
    Sentence(DraftSentence),
}

/// A sentence before it is checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DraftSentence {
    /// The sentence without its citation markers.
    pub text: String,
    /// Numbers of the passages that it cites.
    pub passages: Vec<usize>,
    /// Citation markers that name no passage.
    pub misplaced: Vec<String>,
    /// If it is a quote, the number of its passage and where it was taken from.
    pub quoted: Option<(usize, Span)>,
}

/// An answer, or as much of it as was written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// Its sentences.
    pub sentences: Vec<DraftSentence>,
    /// How sure its writer is that it answers the question, 0 to 1; `None` if the writer does not say.
    pub answers: Option<f64>,
    /// What a chat model used.
    pub usage: Option<Usage>,
    /// Why it is incomplete; `None` if it is complete.
    pub fault: Option<Fault>,
}
