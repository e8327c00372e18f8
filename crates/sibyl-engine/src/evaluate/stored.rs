//! Runs that a workspace keeps: what was searched and how, what was found, and what it measured.

mod comparing;
mod transfer;

pub use comparing::{
    CompareOptions, ComparedQueries, ComparedQuery, ComparedQueryPage, LabelMove, MeasureComparison,
    QueryComparison, RunComparison, SignificanceTest, TypeComparison, Which,
};
pub use transfer::{RunImport, RunImported};

use super::judging::judge;
use super::run::{
    Answer, EvaluateOptions, EvaluateProgress, Evaluation, JudgedQuery, QuerySet, Scores, evaluate_and_tell,
};
use super::set::counted_names;
use crate::error::{Error, Result};
use crate::library::Measuring;
use crate::search::{Leg, Mode, SearchRequest};
use crate::store::short_hash;
use crate::store::table::evaluation::{EvaluationRow, NewEvaluation};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;
use ts_rs::TS;

/// Places of a ranking that a run keeps.
pub const KEPT_PLACES: usize = 200;
/// First results whose unjudged ones are counted.
pub const COUNTED_PLACES: usize = 10;
/// Milliseconds that a query took. Less is better.
pub const LATENCY: &str = "latency_ms";

/// What is to be run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// Name of the gold set.
    pub set: String,
    /// Name of the run; one made of its configuration where nothing is said.
    #[serde(default)]
    pub name: Option<String>,
    /// The search that is measured. Query and number of results are the run's own; near duplicates are not put aside.
    #[serde(default)]
    pub search: SearchRequest,
    /// Measures such as `ndcg@10`; the usual ones where none is named.
    #[serde(default)]
    pub measures: Vec<String>,
}

/// A kept run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct EvalRun {
    /// Row id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Name of the gold set.
    pub set: String,
    /// When it was made (ISO 8601, UTC).
    pub at: String,
    /// What it measured, and how.
    #[serde(flatten)]
    pub summary: RunSummary,
}

/// What a run measured in all, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct RunSummary {
    /// Version of the gold set.
    pub set_version: i64,
    /// Hash of its queries and labels.
    pub set_hash: String,
    /// What was searched, and how.
    pub configuration: RunConfiguration,
    /// Hash of everything that decides the figures beside the library.
    pub config_hash: String,
    /// Whether another system searched.
    pub imported: bool,
    /// Version of the program that measured.
    pub program: String,
    /// Mean of each measure over the queries that it applies to.
    pub measures: Scores,
    /// Means over the queries of each type.
    pub by_type: BTreeMap<String, Scores>,
    /// Queries.
    pub queries: usize,
    /// Queries that the library holds an answer to.
    pub answerable: usize,
    /// Queries of each type.
    pub types: BTreeMap<String, usize>,
    /// Results among the first ten of every query that nobody has judged. They count as not relevant, which may be
    /// wrong.
    pub unjudged: usize,
    /// Median of the time of a query, in milliseconds.
    pub p50_ms: f64,
    /// The time in which 95 of 100 queries were answered, in milliseconds.
    pub p95_ms: f64,
    /// Time of the whole run, in seconds.
    pub seconds: f64,
    /// What could not be used, and why.
    pub notices: Vec<String>,
}

/// What a run searched, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct RunConfiguration {
    /// The search; `None` where another system searched.
    pub search: Option<SearchRequest>,
    /// Name of the model whose vectors answered; `None` where only words were searched.
    pub model: Option<String>,
    /// Corpora in scope.
    pub corpora: Vec<RunCorpus>,
    /// What the queries cost at the provider, in US dollars; `None` where nothing was paid for.
    pub cost_usd: Option<f64>,
}

/// How a corpus in scope of a run was cut.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunCorpus {
    /// Its name.
    pub name: String,
    /// Name of its strategy.
    pub strategy: String,
    /// Values of the strategy's parameters.
    #[ts(type = "Record<string, unknown>")]
    pub settings: Map<String, Value>,
    /// Chunks.
    pub chunks: u64,
    /// Estimated tokens of them.
    pub tokens: u64,
}

/// What a run measured for one query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(rename = "EvalRunQuery")]
pub struct RunQuery {
    /// Id of the query.
    pub id: String,
    /// The query.
    pub query: String,
    /// Its type; empty where none is named.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether the library holds an answer.
    pub answerable: bool,
    /// Its values.
    pub scores: Scores,
    /// Names of its relevant labels.
    pub expected: Vec<String>,
    /// Rank of the first relevant result, from 1; `None` where there is none among those kept.
    pub first_hit: Option<usize>,
    /// Results among the first ten that nobody has judged.
    pub unjudged: usize,
}

/// A place in the ranking of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunPlace {
    /// Id that it is judged under.
    pub id: String,
    /// The chunk that stood there; `None` in runs of other systems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunk_id: Option<String>,
    /// Path of its document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// First and last physical page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<(u32, u32)>,
    /// Best grade of the labels that it holds, when the run was made; `None` where nobody had judged it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<i32>,
    /// Names of the labels that are found here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Relevance from 0 to 1, where known; the score in runs of other systems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevance: Option<f64>,
    /// Legs that found it, with its rank in each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legs: Vec<LegRank>,
    /// First and last byte of its document that it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<(usize, usize)>,
}

/// Where a leg had a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LegRank {
    /// The leg.
    pub leg: Leg,
    /// Rank in its list, from 1.
    pub rank: usize,
}

/// Which queries of a run are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RunPageQuery {
    /// Row id of the run.
    pub id: i64,
    /// Words that id or query hold; all where there is none.
    #[serde(default)]
    pub search: String,
    /// Queries to leave out at the start.
    #[serde(default)]
    pub offset: usize,
    /// Most queries.
    #[serde(default = "page")]
    pub limit: usize,
    /// Places of each ranking to give; none where nothing is said.
    #[serde(default)]
    pub places: usize,
}

const fn page() -> usize {
    100
}

/// Queries of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunPage {
    /// The run.
    pub run: EvalRun,
    /// The queries, in the order of the set.
    pub queries: Vec<RunQuery>,
    /// The first places of their rankings, by id of the query.
    pub rankings: BTreeMap<String, Vec<RunPlace>>,
    /// Queries in all that were asked for.
    pub total: usize,
}

impl From<EvaluationRow<RunSummary>> for EvalRun {
    fn from(row: EvaluationRow<RunSummary>) -> Self {
        let EvaluationRow { id, name, gold_set, at, summary } = row;
        Self { id, name, set: gold_set, at, summary }
    }
}

/// What a search answered to one query, as a run keeps it.
pub(super) struct Found {
    places: Vec<RunPlace>,
    milliseconds: f64,
    unjudged: usize,
}

impl Found {
    /// What `answer` means for `query`.
    pub fn of(query: &JudgedQuery, answer: &Answer, milliseconds: f64) -> Self {
        let (_, judged) = judge(query, &answer.ranking);
        let unjudged = judged.iter().take(COUNTED_PLACES).filter(|place| place.grade.is_none()).count();
        let places = judged.into_iter().take(KEPT_PLACES).filter_map(|place| {
            let ranked = answer.ranking.get(place.at)?;
            let passage = ranked.passage.as_deref();
            Some(RunPlace {
                id: ranked.id.clone(),
                chunk_id: passage.map(|passage| passage.chunk_id.clone()),
                path: passage.map(|passage| passage.path.clone()),
                pages: passage.and_then(|passage| passage.pages),
                grade: place.grade,
                labels: place.labels,
                relevance: ranked.relevance.map(|value| (value * 1e4).round() / 1e4),
                legs: ranked.legs.iter().map(|&(leg, rank)| LegRank { leg, rank }).collect(),
                extent: passage.and_then(|passage| {
                    let start = passage.spans.iter().map(|span| span.start).min()?;
                    Some((start, passage.spans.iter().map(|span| span.end).max()?))
                }),
            })
        });
        Self { places: places.collect(), milliseconds, unjudged }
    }
}

/// What a run is kept as.
pub(super) struct Keeping<'a> {
    /// Its name.
    pub name: &'a str,
    /// Name of its gold set.
    pub set: &'a str,
    /// Version of that.
    pub version: i64,
    /// Hash of all that decides a cell of a matrix; empty for other runs.
    pub cell: &'a str,
    /// Whether another system searched.
    pub imported: bool,
    /// Time it took, in seconds.
    pub seconds: f64,
}

impl Measuring<'_> {
    /// Searches every query of a gold set as the request says and keeps what was found and measured.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such set, else as [`Measuring::gold`].
    pub async fn run(
        &self,
        workspace: &str,
        request: &RunRequest,
        progress: impl Fn(EvaluateProgress) + Send + Sync,
    ) -> Result<EvalRun> {
        let row = self.library.store().workspace(workspace).await?.id;
        let (set, queries) = self.query_set(row, &request.set).await?;
        let mode = request.search.mode;
        let mut options = EvaluateOptions {
            modes: vec![mode],
            search: request.search.clone(),
            ..EvaluateOptions::default()
        };
        if !request.measures.is_empty() {
            options.measures.clone_from(&request.measures);
        } else if set.spans > 0 {
            options.measures.extend(SPAN_METRICS.map(str::to_owned));
        }
        self.finish_embedding(workspace, &options, &progress).await?;
        let began = Instant::now();
        let (evaluation, found) = self.evaluated(workspace, &queries, &options, progress).await?;
        let name = request.name.clone().unwrap_or_else(|| run_name(&request.search));
        let keeping = Keeping {
            name: &name,
            set: &set.name,
            version: set.version,
            cell: "",
            imported: false,
            seconds: began.elapsed().as_secs_f64(),
        };
        let configuration = self.configuration(workspace, &request.search, &queries).await?;
        self.keep(row, &queries, keeping, configuration, &evaluation, mode, found).await
    }

    /// An evaluation of `queries` in `workspace`, with what was found, by mode and id of the query.
    pub(super) async fn evaluated(
        &self,
        workspace: &str,
        queries: &QuerySet,
        options: &EvaluateOptions,
        progress: impl Fn(EvaluateProgress) + Send + Sync,
    ) -> Result<(Evaluation, FoundByMode)> {
        let searcher = self.searcher(workspace, options);
        let mut found = FoundByMode::new();
        let told = |query: &JudgedQuery, mode: Mode, answer: Answer, milliseconds: f64| {
            let one = Found::of(query, &answer, milliseconds);
            found.entry(mode).or_default().insert(query.id.clone(), one);
        };
        let evaluation = evaluate_and_tell(queries, &searcher, options, progress, told).await?;
        Ok((evaluation, found))
    }

    /// Keeps what `evaluation` measured in `mode`.
    #[expect(clippy::too_many_arguments, reason = "each is another thing")]
    pub(super) async fn keep(
        &self,
        workspace: i64,
        queries: &QuerySet,
        keeping: Keeping<'_>,
        configuration: RunConfiguration,
        evaluation: &Evaluation,
        mode: Mode,
        mut found: FoundByMode,
    ) -> Result<EvalRun> {
        let mut found = found.remove(&mode).unwrap_or_default();
        let judged: HashMap<&str, &JudgedQuery> =
            queries.queries.iter().map(|query| (query.id.as_str(), query)).collect();
        let (mut rows, mut times, mut unjudged) = (Vec::new(), Vec::new(), 0);
        for query in &evaluation.per_query {
            let Some(found) = found.remove(&query.id) else { continue };
            let mut scores = query.scores.get(mode).cloned().unwrap_or_default();
            if !keeping.imported {
                scores.insert(LATENCY.to_owned(), found.milliseconds);
                times.push(found.milliseconds);
            }
            unjudged += found.unjudged;
            let relevant_from =
                judged.get(query.id.as_str()).map_or(1, |judged| judged.judgments.relevant_from());
            let first =
                found.places.iter().position(|place| place.grade.is_some_and(|it| it >= relevant_from));
            let run = RunQuery {
                id: query.id.clone(),
                query: query.query.clone(),
                kind: query.kind.clone(),
                answerable: query.answerable,
                scores,
                expected: judged.get(query.id.as_str()).map(|query| counted_names(query)).unwrap_or_default(),
                first_hit: first.map(|at| at + 1),
                unjudged: found.unjudged,
            };
            rows.push((query.id.clone(), run, found.places));
        }
        let mut measures = evaluation.measures.get(mode).cloned().unwrap_or_default();
        if !times.is_empty() {
            measures.insert(LATENCY.to_owned(), times.iter().sum::<f64>() / times.len() as f64);
        }
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = ((times.len() as f64 * share).ceil() as usize).saturating_sub(1);
            times.get(place).copied().unwrap_or_default()
        };
        let by_type = evaluation.by_type.iter();
        let summary = RunSummary {
            set_version: keeping.version,
            set_hash: queries.hash(),
            config_hash: evaluation.config_hash.clone(),
            imported: keeping.imported,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            measures,
            by_type: by_type
                .filter_map(|(kind, scores)| Some((kind.clone(), scores.get(mode)?.clone())))
                .collect(),
            queries: evaluation.queries,
            answerable: evaluation.answerable,
            types: evaluation.types.clone(),
            unjudged,
            p50_ms: at(0.5),
            p95_ms: at(0.95),
            seconds: keeping.seconds,
            notices: evaluation.notices.clone(),
            configuration,
        };
        let new = NewEvaluation {
            name: keeping.name,
            gold_set: keeping.set,
            cell: keeping.cell,
            summary: &summary,
            queries: &rows,
        };
        let id = self.library.store().put_evaluation(workspace, new).await?;
        Ok(self.library.store().evaluation::<RunSummary>(workspace, id).await?.into())
    }

    /// How the corpora in scope are cut, and which model answers.
    pub(super) async fn configuration(
        &self,
        workspace: &str,
        search: &SearchRequest,
        queries: &QuerySet,
    ) -> Result<RunConfiguration> {
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let scope = store.scope(row, search.filters.clone()).await?;
        let figures = store.corpus_figures(row).await?;
        let mut corpora = Vec::new();
        for corpus in store.corpora(row).await? {
            if !scope.corpora.iter().any(|one| one.id == corpus.id) {
                continue;
            }
            let figures = figures.get(&corpus.id);
            corpora.push(RunCorpus {
                name: corpus.name,
                strategy: corpus.strategy,
                settings: corpus.settings,
                chunks: figures.map_or(0, |figures| figures.chunks),
                tokens: figures.map_or(0, |figures| figures.tokens),
            });
        }
        let by_meaning = search.mode != Mode::Keyword;
        let (mut model, mut cost_usd) = (None, None);
        if let (true, Some(first)) = (by_meaning, queries.queries.first()) {
            let request = SearchRequest { query: first.text.clone(), top_k: 1, ..search.clone() };
            let answer = self.library.search().run(workspace, &request).await?;
            let space = answer.trace.space;
            if space.as_ref().is_some_and(|space| space.tier == crate::embed::Tier::Remote) {
                let letters: usize = queries.queries.iter().map(|query| query.text.chars().count()).sum();
                cost_usd = self.library.models().cost_of(letters / 4).await?;
            }
            model = space.map(|space| space.model);
        }
        Ok(RunConfiguration { search: Some(search.clone()), model, corpora, cost_usd })
    }

    /// The runs of `workspace`, of one gold set or of all, the newest first.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown workspace, else storage errors.
    pub async fn runs(&self, workspace: &str, set: Option<String>) -> Result<Vec<EvalRun>> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let rows = self.library.store().evaluations::<RunSummary>(workspace, set).await?;
        Ok(rows.into_iter().map(EvalRun::from).collect())
    }

    /// A run by its row id, or by its name: the newest that is called so.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none.
    pub async fn run_called(&self, workspace: &str, name: &str) -> Result<EvalRun> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        if let Ok(id) = name.parse::<i64>()
            && let Ok(run) = store.evaluation::<RunSummary>(workspace, id).await
        {
            return Ok(run.into());
        }
        let id = store.evaluation_named(workspace, name).await?;
        Ok(store.evaluation::<RunSummary>(workspace, id).await?.into())
    }

    /// Queries of a run with what each measured and found.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such run.
    pub async fn run_page(&self, workspace: &str, wanted: &RunPageQuery) -> Result<RunPage> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let run: EvalRun = store.evaluation::<RunSummary>(workspace, wanted.id).await?.into();
        let mut queries: Vec<RunQuery> = store.evaluation_scores(workspace, wanted.id).await?;
        let words = wanted.search.to_lowercase();
        queries.retain(|one| holds(&words, &one.id, &one.query));
        let total = queries.len();
        let queries: Vec<RunQuery> = queries.into_iter().skip(wanted.offset).take(wanted.limit).collect();
        let mut rankings = BTreeMap::new();
        if wanted.places > 0 && !queries.is_empty() {
            let ids = queries.iter().map(|query| query.id.clone()).collect();
            for (id, mut places) in
                store.evaluation_rankings::<Vec<RunPlace>>(workspace, wanted.id, ids).await?
            {
                places.truncate(wanted.places);
                rankings.insert(id, places);
            }
        }
        Ok(RunPage { run, queries, rankings, total })
    }

    /// Gives a run another name.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such run, [`Error::Invalid`] for an empty name.
    pub async fn rename_run(&self, workspace: &str, id: i64, name: &str) -> Result<EvalRun> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        if name.trim().is_empty() {
            return Err(Error::Invalid("the name of the run is empty; give it one".to_owned()));
        }
        store.rename_evaluation(workspace, id, name.trim()).await?;
        Ok(store.evaluation::<RunSummary>(workspace, id).await?.into())
    }

    /// Deletes a run.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such run.
    pub async fn delete_run(&self, workspace: &str, id: i64) -> Result<()> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        Ok(self.library.store().delete_evaluation(workspace, id).await?)
    }
}

/// What was found, by mode and id of the query.
pub(super) type FoundByMode = HashMap<Mode, HashMap<String, Found>>;

/// Measured beside the usual ones where labels are passages.
pub(super) const SPAN_METRICS: [&str; 4] = ["span_recall@5", "span_precision@5", "intact@5", "tokens@5"];

fn holds(words: &str, id: &str, query: &str) -> bool {
    words.is_empty() || id.to_lowercase().contains(words) || query.to_lowercase().contains(words)
}

/// A run's name where nobody gave it one: what it searched by.
fn run_name(search: &SearchRequest) -> String {
    let mode = match search.mode {
        Mode::Hybrid => "hybrid",
        Mode::Semantic => "semantic",
        Mode::Keyword => "keyword",
    };
    let reranked = if search.rerank { " + rerank" } else { "" };
    let usual = SearchRequest { mode: search.mode, rerank: search.rerank, ..SearchRequest::default() };
    let other = if *search == usual {
        String::new()
    } else {
        // A request always becomes JSON.
        format!(" {}", &short_hash(&[&serde_json::to_string(search).unwrap_or_default()])[..6])
    };
    format!("{mode}{reranked}{other}")
}
