//! Measuring retrieval: judged queries are searched in every mode and scored as trec_eval does.
//!
//! judged queries ([`gold`], or files of other systems) → [`run`] asks a [`Searcher`] in each mode → `sibyl-measure` scores
//! each ranking → an [`Evaluation`], which [`threshold`] holds against demands. A workspace keeps gold sets ([`set`]) and
//! runs ([`stored`]), which are compared with each other; a [`matrix`] runs many configurations.

pub mod gold;
mod label;
mod library;
pub mod matrix;
pub mod run;
pub mod set;
pub mod stored;
pub mod threshold;

pub use library::BeirOptions;
pub use run::{
    Answer, ByMode, EvaluateOptions, EvaluateProgress, EvaluateStage, Evaluation, Searcher, evaluate,
};
pub use set::HIGHEST_GRADE;
pub use sibyl_measure::{ImportNote, MeasureInfo, Metric, Unit, measures, trec};
pub use threshold::{Bound, Shortfall, Threshold};
