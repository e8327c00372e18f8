//! Rankings held against judged queries: what they score, and whether chance explains a difference.
//!
//! Judged queries ([`query`], read from the files of [`beir`] and [`trec`]) and a ranking → [`judging`] says which
//! places count → [`measure`] scores them. [`outcome`] says how the query ended. [`significance`] compares two lists
//! of values.
//!
//! Knows no library, no store and no search: who ranked, and by what, is not its business.

pub mod beir;
mod catalogue;
pub mod error;
pub mod judging;
pub mod label;
pub mod lines;
pub mod measure;
pub mod note;
pub mod outcome;
pub mod qrels;
pub mod query;
pub mod random;
pub mod significance;
pub mod trec;
pub mod unit;

pub use catalogue::{Cutoff, MeasureInfo, measures};
pub use error::{Error, Result};
pub use measure::{Judgments, MEASURES, Measure, Metric, Unit};
pub use note::{ImportNote, NoteKind};
pub use query::{JudgedQuery, Passage, QuerySet, RankedId, SpanLabel};
pub use unit::UnitLabel;
