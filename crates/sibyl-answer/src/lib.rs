//! Passages become an answer, each sentence of which is tied to a place in them and checked against it.
//!
//! Knows no store, no search, no settings and no files: it is given what an answer is made of. So an answer from
//! selected text cannot reach anything else.

pub mod ambiguity;
pub mod answer;
pub mod citation;
pub mod confidence;
pub mod draft;
pub mod figures;
pub mod generate;
pub mod passage;
pub mod prompt;
pub mod question;
pub mod reply;
pub mod selection;
pub mod sufficiency;
pub mod verify;

pub use answer::{
    AnswerCitation, AnswerDifference, AnswerSentence, Check, DifferenceKind, Fault, Reading, Removed,
    RemovedKind, Usage,
};
pub use confidence::{Band, Confidence};
pub use draft::{Draft, DraftSentence, Piece};
pub use generate::models::ChatModel;
pub use generate::{GENERATORS, Listener};
pub use passage::{OcrReading, Passage, Source, Unit};
pub use question::constraint::{Constraint, ConstraintKind};
pub use reply::{Answers, Outcome, Refusal, Reply, Stands};
pub use selection::Selection;
