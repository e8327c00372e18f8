//! Measuring retrieval: judged queries are searched in every mode and scored as trec_eval does.
//!
//! judged queries ([`gold`] or [`beir`]) → [`run`] asks a [`Searcher`] in each mode → [`measure`] scores each
//! ranking → an [`Evaluation`], which [`threshold`] checks. A workspace keeps gold sets ([`set`]) and runs
//! ([`stored`]), which are compared with each other; a [`matrix`] runs many configurations.

pub mod beir;
mod catalogue;
pub mod gold;
mod judging;
mod label;
mod library;
mod lines;
pub mod matrix;
pub mod measure;
mod note;
pub mod outcome;
mod qrels;
pub mod query;
mod random;
pub mod run;
pub mod set;
pub mod significance;
pub mod stored;
pub mod threshold;
pub mod trec;
mod unit;

pub use catalogue::{Cutoff, MeasureInfo, measures};
pub use library::BeirOptions;
pub use measure::{Judgments, MEASURES, Measure, Metric, Unit};
pub use note::{ImportNote, NoteKind};
pub use query::{JudgedQuery, Passage, QuerySet, RankedId, SpanLabel};
pub use run::{
    Answer, ByMode, EvaluateOptions, EvaluateProgress, EvaluateStage, Evaluation, Searcher, evaluate,
};
pub use set::HIGHEST_GRADE;
pub use threshold::{Bound, Shortfall, Threshold};
pub use unit::UnitLabel;
