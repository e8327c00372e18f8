//! Measuring retrieval.

use crate::command::Progress;
use crate::{ApiError, Call, Result};
use serde::{Deserialize, Serialize};
use sibyl_engine::answer::{AnswerMeasures, AskRequest};
use sibyl_engine::evaluate::{BeirOptions, EvaluateOptions, EvaluateProgress, Evaluation, Threshold};
use sibyl_engine::search::{Mode, SearchRequest};
use std::path::PathBuf;
use ts_rs::TS;

/// Gold queries to measure with.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct GoldInput {
    /// File with one JSON object a line.
    pub path: PathBuf,
    /// Modes to measure; all three where none is named. Keyword mode alone needs no vectors and makes none.
    #[serde(default)]
    pub modes: Vec<Mode>,
    /// Measures such as `ndcg@10`; the usual ones where none is named.
    #[serde(default)]
    pub measures: Vec<String>,
    /// Thresholds such as `recall@5=0.9` or `semantic:ndcg@10=0.6`.
    #[serde(default)]
    pub fail_below: Vec<String>,
    /// The search that is measured, such as another fusion; query, mode and number of results are the evaluation's own.
    #[serde(default)]
    pub search: SearchRequest,
}

/// A collection to measure with.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct BeirInput {
    /// Folder with `corpus.jsonl`, `queries.jsonl` and `qrels/`.
    pub folder: PathBuf,
    /// Split whose queries are searched, `qrels/SPLIT.tsv`; `test` where nothing is said, or the only one there is.
    #[serde(default)]
    pub split: Option<String>,
    /// Folder that keeps the scratch library; a temporary one where nothing is said.
    #[serde(default)]
    pub scratch: Option<PathBuf>,
    /// Modes to measure; all three where none is named. Keyword mode alone needs no vectors and makes none.
    #[serde(default)]
    pub modes: Vec<Mode>,
    /// Measures such as `ndcg@10`; the usual ones where none is named.
    #[serde(default)]
    pub measures: Vec<String>,
    /// Thresholds such as `recall@5=0.9`.
    #[serde(default)]
    pub fail_below: Vec<String>,
    /// The search that is measured, such as another fusion; query, mode and number of results are the evaluation's own.
    #[serde(default)]
    pub search: SearchRequest,
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
    EvalGold = "eval.gold": Stream, Spend, ["vectors"];
    (call, input: GoldInput) -> Measured {
        let (options, thresholds) =
            options(&input.modes, &input.measures, &input.fail_below, input.search)?;
        let (library, told) = (&call.library, |progress| tell(&call, progress));
        let evaluation = library.evaluation().gold(&call.workspace, &input.path, &options, told).await?;
        measured(evaluation, &thresholds)
    }
}

command! {
    /// Evaluates retrieval with a collection in BEIR layout in a scratch library.
    EvalBeir = "eval.beir": Stream, Spend, [];
    (call, input: BeirInput) -> Measured {
        let BeirInput { folder, split, scratch, modes, measures, fail_below, search } = input;
        let (evaluate, thresholds) = options(&modes, &measures, &fail_below, search)?;
        let options = BeirOptions { split, scratch, evaluate, ..BeirOptions::default() };
        let told = |progress| tell(&call, progress);
        let evaluation = call.library.evaluation().beir(&folder, &options, told).await?;
        measured(evaluation, &thresholds)
    }
}

/// Questions with answers to measure with.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AnswersInput {
    /// File with one JSON object a line: questions with what a right answer holds, or judged queries.
    pub path: PathBuf,
    /// How each is asked; question, session and recording are the evaluation's own.
    #[serde(default)]
    pub ask: AskRequest,
}

command! {
    /// Measures answers with questions of which the answers are known, in the workspace.
    EvalAnswers = "eval.answers": Stream, Spend, [];
    (call, input: AnswersInput) -> AnswerMeasures {
        Ok(call.library.answer().measure(&call.workspace, &input.path, &input.ask).await?)
    }
}

fn tell(call: &Call, progress: EvaluateProgress) {
    tracing::info!(?progress, "evaluating");
    if let Some(listener) = &call.progress {
        listener(Progress::Evaluating(progress));
    }
}

fn options(
    modes: &[Mode],
    measures: &[String],
    fail_below: &[String],
    search: SearchRequest,
) -> Result<(EvaluateOptions, Vec<Threshold>)> {
    let thresholds: Vec<Threshold> =
        fail_below.iter().map(|text| text.parse()).collect::<sibyl_engine::Result<_>>()?;
    let mut options = EvaluateOptions { search, ..EvaluateOptions::default() };
    if !modes.is_empty() {
        options.modes.clear();
        for mode in modes {
            if !options.modes.contains(mode) {
                options.modes.push(*mode);
            }
        }
    }
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
