//! Measuring retrieval: judged queries are searched in every mode and scored as trec_eval does.
//!
//! judged queries ([`gold`] or [`beir`]) → [`run`] asks a [`Searcher`] in each mode → [`measure`] scores each
//! ranking → an [`Evaluation`], which [`threshold`] holds against demands and [`compare`] against another one.

pub mod beir;
pub mod compare;
pub mod gold;
mod library;
mod lines;
pub mod measure;
pub mod run;
pub mod threshold;

pub use compare::{Comparison, Side, compare};
pub use library::BeirOptions;
pub use measure::{Judgments, MEASURES, Measure, Metric};
pub use run::{
    Answer, ByMode, EvaluateOptions, EvaluateProgress, EvaluateStage, Evaluation, JudgedQuery, QuerySet,
    RankedId, Searcher, evaluate,
};
pub use threshold::{Shortfall, Threshold};
