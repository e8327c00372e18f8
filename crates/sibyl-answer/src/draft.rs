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
    /// The sentence without its marks of citation.
    pub text: String,
    /// Numbers of the passages that it cites.
    pub passages: Vec<usize>,
    /// Marks of citation that name no passage.
    pub misplaced: Vec<String>,
    /// Where it was taken from, by the number of its passage, where it is a quote.
    pub quoted: Option<(usize, Span)>,
}

/// An answer that was written, or what there is of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// Its sentences.
    pub sentences: Vec<DraftSentence>,
    /// How sure its writer is that it answers the question, 0 to 1; `None` where the writer does not say.
    pub answers: Option<f64>,
    /// What a chat model took.
    pub usage: Option<Usage>,
    /// Why it is not whole; `None` where it is.
    pub fault: Option<Fault>,
}
