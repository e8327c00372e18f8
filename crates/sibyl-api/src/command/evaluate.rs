//! Measuring retrieval.

use crate::{ApiError, Result};
use serde::{Deserialize, Serialize};
use sibyl_engine::evaluate::{BeirOptions, EvaluateOptions, Evaluation, Threshold};
use std::path::PathBuf;
use ts_rs::TS;

/// Gold queries to measure with.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct GoldInput {
    /// File with one JSON object a line.
    pub path: PathBuf,
    /// Measures such as `ndcg@10`; the usual ones where none is named.
    #[serde(default)]
    pub measures: Vec<String>,
    /// Thresholds such as `recall@5=0.9` or `semantic:ndcg@10=0.6`.
    #[serde(default)]
    pub fail_below: Vec<String>,
}

/// A collection to measure with.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct BeirInput {
    /// Folder with `corpus.jsonl`, `queries.jsonl` and `qrels/`.
    pub folder: PathBuf,
    /// Folder that keeps the scratch library; a temporary one where nothing is said.
    #[serde(default)]
    pub scratch: Option<PathBuf>,
    /// Measures such as `ndcg@10`; the usual ones where none is named.
    #[serde(default)]
    pub measures: Vec<String>,
    /// Thresholds such as `recall@5=0.9`.
    #[serde(default)]
    pub fail_below: Vec<String>,
}

/// An evaluation held against thresholds.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Measured {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Thresholds that were missed, in words.
    pub shortfalls: Vec<String>,
}

command! {
    /// Measures retrieval with gold queries, in the workspace.
    EvalGold = "eval.gold": Mutation, Egress, ["vectors"];
    (call, input: GoldInput) -> Measured {
        let (options, thresholds) = options(&input.measures, &input.fail_below)?;
        let library = &call.library;
        let evaluation = library.evaluate_gold(&call.workspace, &input.path, &options, log).await?;
        measured(evaluation, &thresholds)
    }
}

command! {
    /// Measures retrieval with a collection in BEIR layout, in a scratch library.
    EvalBeir = "eval.beir": Mutation, Egress, [];
    (call, input: BeirInput) -> Measured {
        let (evaluate, thresholds) = options(&input.measures, &input.fail_below)?;
        let options = BeirOptions { scratch: input.scratch, evaluate, ..BeirOptions::default() };
        let evaluation = call.library.evaluate_beir(&input.folder, &options, log).await?;
        measured(evaluation, &thresholds)
    }
}

fn log(progress: sibyl_engine::evaluate::EvaluateProgress) {
    tracing::info!(?progress, "evaluating");
}

fn options(measures: &[String], fail_below: &[String]) -> Result<(EvaluateOptions, Vec<Threshold>)> {
    let thresholds: Vec<Threshold> =
        fail_below.iter().map(|text| text.parse()).collect::<sibyl_engine::Result<_>>()?;
    let mut options = EvaluateOptions::default();
    if !measures.is_empty() {
        options.measures = measures.to_vec();
    }
    options.include(&thresholds);
    Ok((options, thresholds))
}

fn measured(evaluation: Evaluation, thresholds: &[Threshold]) -> Result<Measured> {
    let mut shortfalls = Vec::new();
    for threshold in thresholds {
        if let Some(shortfall) = threshold.shortfall(&evaluation).map_err(ApiError::from)? {
            shortfalls.push(shortfall.to_string());
        }
    }
    Ok(Measured { evaluation, shortfalls })
}
