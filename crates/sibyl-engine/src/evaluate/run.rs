//! One evaluation: every judged query in every mode, scored and averaged over all queries and by type.

use crate::error::{Error, Result};
use crate::search::{LEG_DEPTH, Leg, Mode, SearchRequest};
use crate::store::short_hash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_measure::judging::judge;
use sibyl_measure::measure::{DEFAULT_METRICS, Metric};
use sibyl_measure::outcome::{OUTCOME_MEASURES, Outcome, is_latency};
use sibyl_measure::query::{JudgedQuery, QuerySet, RankedId};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::future::Future;
use std::time::Instant;

/// Default relevance from which a hit counts as an answer: the middle of the scale.
pub const DEFAULT_MIN_RELEVANCE: f64 = 0.5;

/// Ids of each ranking that an [`Evaluation`] shows.
const SHOWN: usize = 10;

/// What a search answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// The hits, best first. An id may occur several times; its first place counts.
    pub ranking: Vec<RankedId>,
    /// Legs that found each of them, with its rank in each; none where another system searched.
    pub legs: Vec<Vec<(Leg, usize)>>,
    /// Hash of everything that decides the answer besides the query and the library.
    pub config_hash: String,
}

/// Anything that answers queries: the library, or a stand-in for it.
pub trait Searcher: Sync {
    /// Answers `query` in `mode`, as deep as the measures look.
    fn search(&self, query: &str, mode: Mode) -> impl Future<Output = Result<Answer>> + Send;
}

/// What is measured and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluateOptions {
    /// The modes measured.
    pub modes: Vec<Mode>,
    /// Names of the measures, such as `ndcg@10`.
    pub measures: Vec<String>,
    /// Relevance (0 to 1) from which a hit counts as an answer, see [`Outcome::answered`].
    pub min_relevance: f64,
    /// The search that is measured. Query, mode and number of results are set by the evaluation. The
    /// near-duplicate filter and the relevance limit are off, because they would hide judged hits.
    pub search: SearchRequest,
}

impl Default for EvaluateOptions {
    fn default() -> Self {
        Self {
            modes: vec![Mode::Hybrid, Mode::Semantic, Mode::Keyword],
            measures: DEFAULT_METRICS.iter().map(|&name| name.to_owned()).collect(),
            min_relevance: DEFAULT_MIN_RELEVANCE,
            search: SearchRequest::default(),
        }
    }
}

impl EvaluateOptions {
    /// The measures of rankings, each once, in the order given.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a name that is no measure.
    pub fn metrics(&self) -> Result<Vec<Metric>> {
        let mut metrics: Vec<Metric> = Vec::new();
        for name in self.measures.iter().filter(|name| !is_latency(name)) {
            let metric = name.parse()?;
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
        }
        Ok(metrics)
    }

    /// The search for `query` in `mode`: as deep as a leg, and as the largest cutoff.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a name that is no measure.
    pub fn request(&self, query: &str, mode: Mode) -> Result<SearchRequest> {
        let deepest = self.metrics()?.iter().filter_map(Metric::cutoff).max();
        Ok(SearchRequest {
            query: query.to_owned(),
            mode,
            top_k: deepest.unwrap_or(0).max(LEG_DEPTH),
            dedupe: false,
            min_relevance: None,
            ..self.search.clone()
        })
    }
}

/// Something for each mode that was measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct ByMode<T> {
    /// For hybrid search.
    #[serde(skip_serializing_if = "Option::is_none", default = "none::<T>")]
    pub hybrid: Option<T>,
    /// For semantic search.
    #[serde(skip_serializing_if = "Option::is_none", default = "none::<T>")]
    pub semantic: Option<T>,
    /// For keyword search.
    #[serde(skip_serializing_if = "Option::is_none", default = "none::<T>")]
    pub keyword: Option<T>,
}

// `#[serde(default)]` would require `T` to have a default.
fn none<T>() -> Option<T> {
    None
}

impl<T> ByMode<T> {
    /// The value for `mode`.
    pub fn get(&self, mode: Mode) -> Option<&T> {
        match mode {
            Mode::Hybrid => self.hybrid.as_ref(),
            Mode::Semantic => self.semantic.as_ref(),
            Mode::Keyword => self.keyword.as_ref(),
        }
    }

    /// The place of `mode`.
    pub fn slot(&mut self, mode: Mode) -> &mut Option<T> {
        match mode {
            Mode::Hybrid => &mut self.hybrid,
            Mode::Semantic => &mut self.semantic,
            Mode::Keyword => &mut self.keyword,
        }
    }
}

/// Values by name of the measure: shares from 0 to 1, tokens and milliseconds.
pub type Scores = BTreeMap<String, f64>;

/// What was measured for one query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryScores {
    /// Id of the query.
    pub id: String,
    /// The query.
    pub query: String,
    /// Its type; empty if the set has none.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether the library has an answer.
    pub answerable: bool,
    /// Its values by mode.
    #[serde(flatten)]
    pub scores: ByMode<Scores>,
    /// The first ten ids found by mode, each id once.
    pub found: ByMode<Vec<String>>,
}

/// What an evaluation measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evaluation {
    /// Means over all queries, by mode. A measure is averaged over the queries that it applies to.
    pub measures: ByMode<Scores>,
    /// Means over the queries of each type, by mode.
    pub by_type: BTreeMap<String, ByMode<Scores>>,
    /// Each query, in the order of the set.
    pub per_query: Vec<QueryScores>,
    /// Hash of the judged set, of what was measured, and of the configuration of the searches.
    pub config_hash: String,
    /// Queries of the set.
    pub queries: usize,
    /// Number of queries that the library has an answer to.
    pub answerable: usize,
    /// Queries of each type.
    pub types: BTreeMap<String, usize>,
    /// Queries without labels, by id: they have no part in any average.
    #[serde(default)]
    pub unlabelled: Vec<String>,
    /// Relevance from which a hit counted as an answer.
    pub min_relevance: f64,
    /// What could not be used, what is repeated, and what counts.
    pub notices: Vec<String>,
}

/// What an evaluation is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvaluateProgress {
    /// The stage it is in.
    pub stage: EvaluateStage,
    /// Items done in this stage.
    pub done: usize,
    /// Items of this stage; 0 if not known.
    pub total: usize,
}

/// A stage of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvaluateStage {
    /// Reads and stores the collection; items are its documents.
    Store,
    /// Embeds texts without a vector; items are texts.
    Embed,
    /// Searches; items are searches.
    Search,
    /// Runs the cells of a matrix; items are cells.
    Cell,
}

/// Searches every query of `set` in every mode of `options` and scores the rankings.
///
/// # Errors
/// [`Error::Invalid`] for a set without queries, options without modes, and unknown measures. Otherwise the error
/// of a search.
pub async fn evaluate<S: Searcher>(
    set: &QuerySet,
    searcher: &S,
    options: &EvaluateOptions,
    progress: impl Fn(EvaluateProgress) + Send + Sync,
) -> Result<Evaluation> {
    evaluate_and_tell(set, searcher, options, progress, |_, _, _, _| ()).await
}

/// As [`evaluate`]; `told` receives each query with the mode, the answer and the milliseconds it took.
///
/// # Errors
/// As [`evaluate`].
pub async fn evaluate_and_tell<S: Searcher>(
    set: &QuerySet,
    searcher: &S,
    options: &EvaluateOptions,
    progress: impl Fn(EvaluateProgress) + Send + Sync,
    mut told: impl FnMut(&JudgedQuery, Mode, Answer, f64) + Send,
) -> Result<Evaluation> {
    let metrics = options.metrics()?;
    check(set, options)?;
    let negatives = set.queries.iter().any(|query| !query.answerable);
    let timed = options.measures.iter().any(|name| is_latency(name));
    let total = set.queries.len() * options.modes.len();
    let mut configurations = BTreeSet::new();
    let mut per_query = Vec::with_capacity(set.queries.len());
    for (at, query) in set.queries.iter().enumerate() {
        let mut scored = QueryScores {
            id: query.id.clone(),
            query: query.text.clone(),
            kind: query.kind.clone(),
            answerable: query.answerable,
            scores: ByMode::default(),
            found: ByMode::default(),
        };
        for (nth, &mode) in options.modes.iter().enumerate() {
            progress(EvaluateProgress {
                stage: EvaluateStage::Search,
                done: at * options.modes.len() + nth,
                total,
            });
            let began = Instant::now();
            let answer = searcher.search(&query.text, mode).await?;
            let milliseconds = began.elapsed().as_secs_f64() * 1e3;
            let mut scores = score(query, &answer, &metrics);
            let answered = || answers(&answer.ranking, options.min_relevance);
            let outcome = Outcome { answerable: query.answerable, answered: &answered, milliseconds };
            scores.extend(ended(&outcome, negatives, timed));
            *scored.scores.slot(mode) = Some(scores);
            *scored.found.slot(mode) = Some(shown(&answer.ranking));
            configurations.insert(format!("{mode:?} {}", answer.config_hash));
            told(query, mode, answer, milliseconds);
        }
        per_query.push(scored);
    }
    progress(EvaluateProgress { stage: EvaluateStage::Search, done: total, total });
    let kinds: BTreeSet<&str> = set.queries.iter().map(|query| query.kind.as_str()).collect();
    let of_kind = |kind: &str| per_query.iter().filter(move |query| query.kind == kind).collect::<Vec<_>>();
    let named = || kinds.iter().filter(|kind| !kind.is_empty());
    Ok(Evaluation {
        measures: means(&per_query.iter().collect::<Vec<_>>(), &options.modes),
        by_type: named().map(|&kind| (kind.to_owned(), means(&of_kind(kind), &options.modes))).collect(),
        config_hash: config_hash(set, options, &metrics, &configurations),
        queries: set.queries.len(),
        answerable: set.queries.iter().filter(|query| query.answerable).count(),
        types: named().map(|&kind| (kind.to_owned(), of_kind(kind).len())).collect(),
        unlabelled: set.unlabelled.clone(),
        min_relevance: options.min_relevance,
        notices: set.told(),
        per_query,
    })
}

fn check(set: &QuerySet, options: &EvaluateOptions) -> Result<()> {
    if set.queries.is_empty() {
        let why = set.told().first().map_or_else(String::new, |notice| format!(" ({notice})"));
        return Err(Error::Invalid(format!(
            "there are no queries to evaluate{why}; give a file with judged queries"
        )));
    }
    if options.modes.is_empty() {
        return Err(Error::Invalid("no mode was chosen; choose hybrid, semantic or keyword".to_owned()));
    }
    Error::within("min_relevance", options.min_relevance, 0.0, 1.0)
}

/// The measures of a ranking; none for a query without an answer.
fn score(query: &JudgedQuery, answer: &Answer, metrics: &[Metric]) -> Scores {
    if !query.answerable {
        return Scores::new();
    }
    let (judged, _) = judge(query, &answer.ranking);
    metrics.iter().filter_map(|metric| Some((metric.to_string(), metric.score(&judged)?))).collect()
}

/// How a query ended, by the requested measures: those of answers in a set with `negatives`, and its time if it is
/// `timed`.
fn ended(outcome: &Outcome<'_>, negatives: bool, timed: bool) -> Scores {
    let wanted = |name: &str| if is_latency(name) { timed } else { negatives };
    let measures = OUTCOME_MEASURES.iter().filter(|measure| wanted(measure.name()));
    measures.filter_map(|measure| Some((measure.name().to_owned(), measure.score(outcome)?))).collect()
}

/// Whether a ranking counts as an answer, see [`Outcome::answered`].
fn answers(ranking: &[RankedId], min_relevance: f64) -> bool {
    let exact = ranking.iter().any(|place| place.exact);
    let best = ranking.iter().filter_map(|place| place.relevance).max_by(f64::total_cmp);
    exact || best.map_or(!ranking.is_empty(), |best| best >= min_relevance)
}

fn shown(ranking: &[RankedId]) -> Vec<String> {
    let mut seen = HashSet::new();
    ranking.iter().filter(|place| seen.insert(&place.id)).take(SHOWN).map(|place| place.id.clone()).collect()
}

/// The mean of each measure over the queries that have it.
fn means(queries: &[&QueryScores], modes: &[Mode]) -> ByMode<Scores> {
    let mut means = ByMode::default();
    for &mode in modes {
        let mut sums: BTreeMap<&str, (f64, u32)> = BTreeMap::new();
        for (name, value) in queries.iter().filter_map(|query| query.scores.get(mode)).flatten() {
            let (sum, count) = sums.entry(name).or_default();
            *sum += value;
            *count += 1;
        }
        let mean = sums.into_iter().map(|(name, (sum, count))| (name.to_owned(), sum / f64::from(count)));
        *means.slot(mode) = Some(mean.collect());
    }
    means
}

fn config_hash(
    set: &QuerySet,
    options: &EvaluateOptions,
    metrics: &[Metric],
    configurations: &BTreeSet<String>,
) -> String {
    let mut parts = vec![set.hash(), options.min_relevance.to_string()];
    parts.extend(metrics.iter().map(ToString::to_string));
    parts.extend(configurations.iter().cloned());
    short_hash(&parts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests;
