//! Measuring retrieval.

use crate::command::Progress;
use crate::{ApiError, Call, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::answer::{AnswerMeasures, AskRequest};
use sibyl_engine::evaluate::stored::{CompareOptions, EvalRun, RunComparison, SignificanceTest};
use sibyl_engine::evaluate::{
    BeirOptions, Bound, EvaluateOptions, EvaluateProgress, Evaluation, Metric, Threshold, Unit,
};
use sibyl_engine::search::{Mode, SearchRequest};
use std::path::PathBuf;

/// Gold queries to measure with.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldInput {
    /// File with one JSON object a line, or the name of a gold set.
    pub path: PathBuf,
    /// Modes to measure; all three by default. Keyword mode alone needs no vectors and makes none.
    #[serde(default)]
    pub modes: Vec<Mode>,
    /// Measures such as `ndcg@10`; the usual ones by default.
    #[serde(default)]
    pub measures: Vec<String>,
    /// The lowest value allowed for a measure where higher is better, such as `recall@5=0.9` or `semantic:ndcg@10=0.6`.
    #[serde(default)]
    pub fail_below: Vec<String>,
    /// The highest value allowed for a measure where lower is better, such as `tokens@5=800` or `latency_ms=50`.
    #[serde(default)]
    pub fail_above: Vec<String>,
    /// The search that is measured, such as another fusion; query, mode and number of results are the evaluation's own.
    #[serde(default)]
    pub search: SearchRequest,
    /// Keep what was found and measured as runs of this name.
    #[serde(default)]
    pub save: Option<String>,
    /// Name or row id of a run; a significantly worse result fails a check.
    #[serde(default)]
    pub against: Option<String>,
}

/// A collection to measure with.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BeirInput {
    /// Folder with `corpus.jsonl`, `queries.jsonl` and `qrels/`.
    pub folder: PathBuf,
    /// Split whose queries are searched, `qrels/SPLIT.tsv`; by default, `test` or the only one there is.
    #[serde(default)]
    pub split: Option<String>,
    /// Folder that keeps the scratch library; a temporary one by default.
    #[serde(default)]
    pub scratch: Option<PathBuf>,
    /// Modes to measure; all three by default. Keyword mode alone needs no vectors and makes none.
    #[serde(default)]
    pub modes: Vec<Mode>,
    /// Measures such as `ndcg@10`; the usual ones by default.
    #[serde(default)]
    pub measures: Vec<String>,
    /// The lowest value allowed for a measure where higher is better, such as `recall@5=0.9`.
    #[serde(default)]
    pub fail_below: Vec<String>,
    /// The highest value allowed for a measure where lower is better, such as `tokens@5=800`.
    #[serde(default)]
    pub fail_above: Vec<String>,
    /// The search that is measured, such as another fusion; query, mode and number of results are the evaluation's own.
    #[serde(default)]
    pub search: SearchRequest,
    /// Keep what was found and measured as runs of this name.
    #[serde(default)]
    pub save: Option<String>,
    /// Name or row id of a run; a significantly worse result fails a check.
    #[serde(default)]
    pub against: Option<String>,
}

/// An evaluation checked against thresholds.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Measured {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Thresholds that were missed, in words.
    pub shortfalls: Vec<String>,
    /// The checks: one for each threshold, and one for each measure of the run compared with.
    pub checks: Vec<EvalCheck>,
    /// Runs that were kept.
    pub runs: Vec<EvalRun>,
    /// The comparison with another run, if one was named.
    pub comparison: Option<RunComparison>,
}

/// A requirement for an evaluation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EvalCheck {
    /// What was required.
    pub name: String,
    /// Whether it was met.
    pub passed: bool,
    /// What was measured, in words.
    pub message: String,
}

command! {
    /// Measures retrieval with gold queries, in the workspace.
    EvalGold = "eval.gold": Stream, Spend, ["vectors", "evaluations"];
    (call, input: GoldInput) -> Measured {
        let (mut options, thresholds) =
            options(&input.modes, &input.measures, (&input.fail_below, &input.fail_above), input.search)?;
        let baseline = baseline(&call, input.against.as_deref(), &mut options).await?;
        let kept = Kept::of(input.save, baseline);
        let (library, told) = (&call.library, |progress| tell(&call, progress));
        let save = kept.name.as_deref();
        let (evaluation, runs) =
            library.evaluation().gold(&call.workspace, &input.path, &options, save, told).await?;
        measured(&call, evaluation, &thresholds, runs, kept).await
    }
}

command! {
    /// Evaluates retrieval with a collection in BEIR layout in a scratch library.
    EvalBeir = "eval.beir": Stream, Spend, ["evaluations"];
    (call, input: BeirInput) -> Measured {
        let BeirInput { folder, split, scratch, modes, measures, fail_below, fail_above, search, save, against } =
            input;
        let (mut evaluate, thresholds) = options(&modes, &measures, (&fail_below, &fail_above), search)?;
        let baseline = baseline(&call, against.as_deref(), &mut evaluate).await?;
        let kept = Kept::of(save, baseline);
        let options = BeirOptions { split, scratch, evaluate, ..BeirOptions::default() };
        let told = |progress| tell(&call, progress);
        let save = kept.name.as_deref();
        let (evaluation, runs) =
            call.library.evaluation().beir(&call.workspace, &folder, &options, save, told).await?;
        measured(&call, evaluation, &thresholds, runs, kept).await
    }
}

/// The name under which runs are kept, and the run they are compared with.
struct Kept {
    name: Option<String>,
    /// Whether they are kept only for the comparison.
    passing: bool,
    baseline: Option<EvalRun>,
}

impl Kept {
    fn of(save: Option<String>, baseline: Option<EvalRun>) -> Self {
        let passing = save.is_none() && baseline.is_some();
        let name = save.or_else(|| baseline.as_ref().map(|run| format!("against {}", run.name)));
        Self { name, passing, baseline }
    }
}

/// The run to compare with; its mode is measured too.
async fn baseline(
    call: &Call,
    against: Option<&str>,
    options: &mut EvaluateOptions,
) -> Result<Option<EvalRun>> {
    let Some(name) = against else { return Ok(None) };
    let run = call.library.evaluation().run_called(&call.workspace, name).await?;
    let mode = mode_of(&run);
    if !options.modes.contains(&mode) {
        options.modes.push(mode);
    }
    Ok(Some(run))
}

fn mode_of(run: &EvalRun) -> Mode {
    run.summary.configuration.search.as_ref().map_or(Mode::Hybrid, |search| search.mode)
}

/// Questions with answers to measure with.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswersInput {
    /// File with one JSON object a line: questions with the content of a right answer, or judged queries.
    pub path: PathBuf,
    /// How each is asked; question, session and recording are the evaluation's own.
    #[serde(default)]
    pub ask: AskRequest,
}

command! {
    /// Measures answers to questions whose answers are known, in the workspace.
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
    (fail_below, fail_above): (&[String], &[String]),
    search: SearchRequest,
) -> Result<(EvaluateOptions, Vec<Threshold>)> {
    let below = fail_below.iter().map(|text| Threshold::read(text, Bound::AtLeast));
    let above = fail_above.iter().map(|text| Threshold::read(text, Bound::AtMost));
    let thresholds: Vec<Threshold> = below.chain(above).collect::<sibyl_engine::Result<_>>()?;
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

async fn measured(
    call: &Call,
    evaluation: Evaluation,
    thresholds: &[Threshold],
    mut runs: Vec<EvalRun>,
    kept: Kept,
) -> Result<Measured> {
    let (mut shortfalls, mut checks) = (Vec::new(), Vec::new());
    for threshold in thresholds {
        let shortfall = threshold.shortfall(&evaluation).map_err(ApiError::from)?;
        let message = shortfall.as_ref().map_or_else(|| "reached".to_owned(), ToString::to_string);
        checks.push(EvalCheck { name: threshold.to_string(), passed: shortfall.is_none(), message });
        shortfalls.extend(shortfall.map(|shortfall| shortfall.to_string()));
    }
    let mut comparison = None;
    if let Some(baseline) = &kept.baseline
        && let Some(candidate) = runs.iter().find(|run| mode_of(run) == mode_of(baseline))
    {
        let options = CompareOptions {
            baseline: baseline.id,
            candidate: candidate.id,
            measures: Vec::new(),
            test: SignificanceTest::default(),
            // A single comparison that was chosen beforehand is not one of many.
            beside: Some(Vec::new()),
        };
        let compared = call.library.evaluation().compare_runs(&call.workspace, &options).await;
        if kept.passing {
            for run in runs.drain(..) {
                call.library.evaluation().delete_run(&call.workspace, run.id).await?;
            }
        }
        let compared = compared?;
        // Time and tokens are reported but fail no check: they differ between machines, and on purpose. How much
        // was judged says nothing about the search.
        let goal = |name: &str| name.parse::<Metric>().map_or(true, |metric| metric.is_goal());
        let judged = compared.measures.iter().filter(|one| one.unit == Unit::Share && goal(&one.measure));
        checks.extend(judged.map(|one| EvalCheck {
            name: format!("{} against {}", one.measure, baseline.name),
            passed: !(one.significant && one.difference < 0.0),
            message: one.sentence.clone(),
        }));
        comparison = Some(compared);
    }
    Ok(Measured { evaluation, shortfalls, checks, runs, comparison })
}
