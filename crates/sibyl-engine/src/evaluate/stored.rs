//! Runs that a workspace keeps: the search and its settings, its results, and the measurements.

mod comparing;
mod keeping;
mod moving;
mod pool;
mod transfer;

pub use comparing::{
    CompareOptions, ComparedQueries, ComparedQuery, ComparedQueryPage, MeasureComparison, RunComparison,
    SignificanceTest, TypeComparison, Which,
};
pub(super) use keeping::{Found, FoundById, FoundByMode, Keeping, SPAN_METRICS};
pub use moving::{LabelMove, QueryComparison};
pub use pool::{Pool, PoolItem, PoolQuery};
pub use transfer::{RunImport, RunImported};

use super::run::Scores;
use crate::error::{Error, Result};
use crate::evaluate::set::Places;
use crate::library::Measuring;
use crate::search::{Leg, SearchRequest};
use crate::store::table::evaluation::EvaluationRow;
use crate::store::table::gold::{GoldFilter, GoldLabel};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Places of a ranking that a run keeps.
pub const KEPT_PLACES: usize = 200;
/// Number of first places of a ranking whose text is shown.
const TOLD_PLACES: usize = 10;
/// Maximum number of letters of it.
const TOLD_LETTERS: usize = 200;
/// First results whose unjudged ones are counted.
pub const COUNTED_PLACES: usize = 10;

/// What to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// Name of the gold set.
    pub set: String,
    /// Name of the run; by default made from its configuration.
    #[serde(default)]
    pub name: Option<String>,
    /// The search that is measured. Query and number of results are the run's own; near-duplicates are kept.
    #[serde(default)]
    pub search: SearchRequest,
    /// Measures such as `ndcg@10`; the usual ones by default.
    #[serde(default)]
    pub measures: Vec<String>,
}

/// A kept run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvalRun {
    /// Row id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Name of the gold set.
    pub set: String,
    /// When it was made (ISO 8601, UTC).
    pub at: String,
    /// Its measurements and settings.
    #[serde(flatten)]
    pub summary: RunSummary,
}

/// What a run measured in all, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunSummary {
    /// Version of the gold set.
    pub set_version: i64,
    /// Hash of its queries and labels.
    pub set_hash: String,
    /// What was searched, and how.
    pub configuration: RunConfiguration,
    /// Hash of everything that decides the figures besides the library.
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
    /// Number of queries that the library has an answer to.
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunConfiguration {
    /// The search; `None` if another system searched.
    pub search: Option<SearchRequest>,
    /// Name of the model whose vectors answered; `None` if only words were searched.
    pub model: Option<String>,
    /// Corpora in scope.
    pub corpora: Vec<RunCorpus>,
    /// What the queries cost at the provider, in US dollars; `None` if nothing was paid for.
    pub cost_usd: Option<f64>,
}

/// How a corpus in scope of a run was chunked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunCorpus {
    /// Its name.
    pub name: String,
    /// Name of its strategy.
    pub strategy: String,
    /// Values of the strategy's parameters.
    pub settings: Map<String, Value>,
    /// Chunks.
    pub chunks: u64,
    /// Estimated tokens of them.
    pub tokens: u64,
}

/// What a run measured for one query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredQuery {
    /// Id of the query.
    pub id: String,
    /// The query.
    pub query: String,
    /// Its type; empty if none is named.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether the library has an answer.
    pub answerable: bool,
    /// Its values.
    pub scores: Scores,
    /// Names of its relevant labels.
    pub expected: Vec<String>,
    /// Rank of the first relevant result, from 1; `None` if there is none among those kept.
    pub first_hit: Option<usize>,
    /// Results among the first ten that nobody has judged.
    pub unjudged: usize,
}

/// A place in the ranking of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunPlace {
    /// Id that it is judged under.
    pub id: String,
    /// The chunk at that place. In runs of other systems it is the one that its id names here, `None` if it names
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunk_id: Option<String>,
    /// Path of its document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// First and last physical page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<(u32, u32)>,
    /// The labels printed on them, if they differ from the page numbers and the workspace still has the chunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_labels: Option<(String, String)>,
    /// How sure OCR was of its chunk, 0 to 100, if it read any of it and the workspace still has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ocr: Option<u64>,
    /// Best grade of its labels when the run was made; `None` if nobody had judged it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<i32>,
    /// Names of the labels that are found here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Relevance from 0 to 1, if known; the score in runs of other systems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevance: Option<f64>,
    /// Legs that found it, with its rank in each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legs: Vec<LegRank>,
    /// First and last byte of its document in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<(usize, usize)>,
    /// How its chunk begins, if it is shown and the workspace still has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Where a leg ranked a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LegRank {
    /// The leg.
    pub leg: Leg,
    /// Rank in its list, from 1.
    pub rank: usize,
}

/// Which queries of a run are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunPageQuery {
    /// Row id of the run.
    pub id: i64,
    /// Words that the id or the query contains; empty for all.
    #[serde(default)]
    pub search: String,
    /// Queries to leave out at the start.
    #[serde(default)]
    pub offset: usize,
    /// Maximum number of queries.
    #[serde(default = "page")]
    pub limit: usize,
    /// Number of places of each ranking to return; none by default.
    #[serde(default)]
    pub places: usize,
}

const fn page() -> usize {
    100
}

/// Queries of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunPage {
    /// The run.
    pub run: EvalRun,
    /// The queries, in the order of the set.
    pub queries: Vec<MeasuredQuery>,
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

impl Measuring<'_> {
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
    /// [`Error::NotFound`] if there is none.
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
    /// [`Error::NotFound`] if there is no such run.
    pub async fn run_page(&self, workspace: &str, wanted: &RunPageQuery) -> Result<RunPage> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let run: EvalRun = store.evaluation::<RunSummary>(workspace, wanted.id).await?.into();
        let mut queries: Vec<MeasuredQuery> = store.evaluation_scores(workspace, wanted.id).await?;
        let words = wanted.search.to_lowercase();
        queries.retain(|one| holds(&words, &one.id, &one.query));
        let total = queries.len();
        let queries: Vec<MeasuredQuery> =
            queries.into_iter().skip(wanted.offset).take(wanted.limit).collect();
        let mut rankings = BTreeMap::new();
        if wanted.places > 0 && !queries.is_empty() {
            let ids = queries.iter().map(|query| query.id.clone()).collect();
            for (id, mut places) in
                store.evaluation_rankings::<Vec<RunPlace>>(workspace, wanted.id, ids).await?
            {
                places.truncate(wanted.places);
                rankings.insert(id, places);
            }
            self.name_chunks(workspace, &run.set, &mut rankings).await?;
        }
        Ok(RunPage { run, queries, rankings, total })
    }

    /// Fills in the text of the first places. Names the chunks of those that another system's run knows only by
    /// id, as far as the workspace has them.
    async fn name_chunks(
        &self,
        workspace: i64,
        set: &str,
        rankings: &mut BTreeMap<String, Vec<RunPlace>>,
    ) -> Result<()> {
        let store = self.library.store();
        // Runs may outlive their set.
        let labels: BTreeMap<String, Vec<GoldLabel>> =
            match store.gold_queries(workspace, set, GoldFilter::default()).await {
                Ok((queries, _)) => queries.into_iter().map(|query| (query.id, query.labels)).collect(),
                Err(_) => BTreeMap::new(),
            };
        let mut known = Places::new(store, workspace);
        for (query, places) in rankings {
            let labels = labels.get(query).map(Vec::as_slice).unwrap_or_default();
            for place in places.iter_mut().take(TOLD_PLACES) {
                let chunk = match &place.chunk_id {
                    Some(id) => store.chunk(workspace, id).await?,
                    None => known.resolved(&place.id, labels).await?,
                };
                let Some(chunk) = chunk else { continue };
                place.text = Some(chunk.passage().chars().take(TOLD_LETTERS).collect());
                place.ocr = chunk.ocr_confidence();
                place.page_labels.clone_from(&chunk.page_labels);
                if place.chunk_id.is_none() {
                    place.chunk_id = Some(chunk.chunk_id);
                    place.path = Some(chunk.path);
                    place.pages = chunk.pages;
                }
            }
        }
        Ok(())
    }

    /// Renames a run.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such run, [`Error::Invalid`] for an empty name.
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
    /// [`Error::NotFound`] if there is no such run.
    pub async fn delete_run(&self, workspace: &str, id: i64) -> Result<()> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        Ok(self.library.store().delete_evaluation(workspace, id).await?)
    }
}

fn holds(words: &str, id: &str, query: &str) -> bool {
    words.is_empty() || id.to_lowercase().contains(words) || query.to_lowercase().contains(words)
}
