//! A matrix of configurations: every way of chunking by every way of searching, each cell a kept run.
//!
//! Each row is chunked in a copy of the library, so that words are as frequent there as they would be. Vectors
//! come with the copy, and from a scratch store that keeps those of all rows by the hash of their text. So no text
//! is embedded twice. If the chunks of a row have no ids, labels by id are judged by the passages that have them
//! now. A cell that was run before and has not changed is not run again, so stopping and starting over loses at
//! most one cell.

mod copied;
mod labels;
mod row;
mod verdict;

pub use verdict::BestVerdict;

use super::run::{EvaluateOptions, EvaluateProgress, EvaluateStage, Scores};
use super::stored::{EvalRun, Keeping, MeasuredQuery, RunSummary, SPAN_METRICS};
use crate::embed::Embedder;
use crate::error::{Error, Result};
use crate::library::Measuring;
use crate::search::{Mode, SearchRequest};
use crate::store::{Store, short_hash};
use copied::Copied;
use row::CutRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_measure::measure::Metric;
use sibyl_measure::query::QuerySet;
use sibyl_measure::significance::bootstrap_interval;
use sibyl_text::tokens::{CharsPerToken, TokenCounter as _};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

/// Maximum number of cells of a matrix: nobody can choose among more, and each row is chunked again.
const MOST_CELLS: usize = 400;

/// Default measure for comparing cells.
const DEFAULT_MEASURE: &str = "ndcg@10";

/// What a matrix measures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatrixPlan {
    /// Name of the gold set.
    pub set: String,
    /// Names of the corpora that are chunked and searched.
    pub corpora: Vec<String>,
    /// Ways of chunking.
    pub rows: Vec<MatrixRow>,
    /// Ways of searching.
    pub columns: Vec<MatrixColumn>,
    /// Measures such as `ndcg@10`; the usual ones by default.
    #[serde(default)]
    pub measures: Vec<String>,
    /// The measure that the best cell is chosen by; `ndcg@10` by default.
    #[serde(default)]
    pub measure: Option<String>,
}

/// A way of chunking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatrixRow {
    /// Its name.
    pub name: String,
    /// Name of the strategy; by default, each corpus is chunked as it is now.
    #[serde(default)]
    pub strategy: Option<String>,
    /// Values for its parameters; the rest are its defaults.
    #[serde(default)]
    pub settings: Map<String, Value>,
}

/// A way of searching.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatrixColumn {
    /// Its name.
    pub name: String,
    /// The search. Its filters by corpus are those of the matrix; its space names the model, by default the best
    /// in use.
    #[serde(default)]
    pub search: SearchRequest,
}

/// A matrix, as far as it was run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Matrix {
    /// What each row costs.
    pub rows: Vec<MatrixCost>,
    /// Every cell, row by row.
    pub cells: Vec<MatrixCell>,
    /// The cell with the best value of the measure; `None` before any was run.
    pub best: Option<CellPlace>,
    /// How far that cell can be trusted to be the best; `None` before two were run.
    pub verdict: Option<BestVerdict>,
    /// The measure that it was chosen by.
    pub measure: String,
    /// Maximum cost of the missing cells at the provider, in US dollars; `None` if nothing is paid for.
    pub cost_usd: Option<f64>,
}

/// A place in a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CellPlace {
    /// Position of its row, from 0.
    pub row: usize,
    /// Position of its column, from 0.
    pub column: usize,
}

/// What a row costs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatrixCost {
    /// Number of chunks that it makes.
    pub chunks: usize,
    /// Estimated tokens of them.
    pub tokens: usize,
    /// What each model that the columns use needs; empty if all columns use only words.
    pub models: Vec<ModelCost>,
}

/// What a model needs to search a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelCost {
    /// Id of its space.
    pub space: String,
    /// Its name.
    pub model: String,
    /// Different texts that it has not embedded before.
    pub new_texts: usize,
    /// Estimated tokens of them.
    pub new_tokens: usize,
    /// What these and the queries cost at the provider, in US dollars; `None` if nothing is paid for.
    pub cost_usd: Option<f64>,
}

/// A cell of a matrix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatrixCell {
    /// Its place.
    pub place: CellPlace,
    /// Id of the space that is searched; `None` if words alone are.
    pub space: Option<String>,
    /// Number of queries whose passages a remote reranker reads when it is run, at a price that only its provider
    /// knows.
    pub reranked: usize,
    /// Its run; `None` if it was not run, or something has changed since.
    pub run: Option<EvalRun>,
    /// Value of the measure.
    pub value: Option<f64>,
    /// Bounds of the value: 95% of bootstrap samples of the queries lie between them.
    pub interval: Option<(f64, f64)>,
}

/// Which cells are run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatrixRun {
    /// The cells; all missing ones by default.
    #[serde(default)]
    pub cells: Vec<CellPlace>,
    /// The matrix.
    pub plan: MatrixPlan,
}

/// What decides a cell besides its row.
struct Setting<'a> {
    plan: &'a MatrixPlan,
    queries: QuerySet,
    /// The model that each column uses; `None` if it uses only words.
    models: Vec<Option<Arc<dyn Embedder>>>,
    surroundings: String,
}

impl Setting<'_> {
    /// Id of the space that `column` searches.
    fn space(&self, column: usize) -> Option<String> {
        Some(self.models.get(column)?.as_ref()?.space().id())
    }

    /// Hash of all that decides the figures of a cell.
    fn cell_hash(&self, row: &CutRow, column: usize) -> String {
        let search = self.plan.columns.get(column).map(|column| &column.search);
        // A request always becomes JSON.
        let search = serde_json::to_string(&search).unwrap_or_default();
        let (measures, space) = (self.plan.measures.join(" "), self.space(column).unwrap_or_default());
        short_hash(&[&row.hash, &self.surroundings, &self.queries.hash(), &search, &measures, &space])
    }
}

impl Measuring<'_> {
    /// What a matrix costs, and those of its cells that were run and have not changed since.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the gold set or corpora do not exist. [`Error::Invalid`] for a matrix without cells,
    /// and for strategies and settings that do not fit. [`Error::UnknownSpace`] for a model that is not in use.
    pub async fn matrix(&self, workspace: &str, plan: &MatrixPlan) -> Result<Matrix> {
        let setting = self.setting(workspace, plan).await?;
        let rows = self.cut_rows(workspace, &setting, &|_| ()).await?;
        self.so_far(workspace, &setting, &rows).await
    }

    /// Runs cells of a matrix.
    ///
    /// # Errors
    /// As [`Measuring::matrix`] and [`Measuring::run`], and [`Error::Invalid`] if a remote model is asked and text
    /// of a corpus may not leave the machine. Cells that were run are kept.
    pub async fn run_matrix(
        &self,
        workspace: &str,
        run: &MatrixRun,
        progress: &(impl Fn(EvaluateProgress) + Send + Sync),
    ) -> Result<Matrix> {
        let plan = &run.plan;
        let setting = self.setting(workspace, plan).await?;
        let rows = self.cut_rows(workspace, &setting, progress).await?;
        let before = self.so_far(workspace, &setting, &rows).await?;
        let wanted = |cell: &&MatrixCell| match run.cells.is_empty() {
            true => cell.run.is_none(),
            false => run.cells.contains(&cell.place),
        };
        let cells: Vec<CellPlace> = before.cells.iter().filter(wanted).map(|cell| cell.place).collect();
        for model in cells.iter().filter_map(|place| setting.models[place.column].as_ref()) {
            self.may_see(workspace, plan, model.as_ref()).await?;
        }
        let total = cells.len();
        let kept = self.kept_vectors().await?;
        self.take_over(kept.as_ref(), setting.models.iter().flatten(), &rows).await?;
        // The copy with the row that is run.
        let mut open: Option<(usize, Copied)> = None;
        for (done, place) in cells.into_iter().enumerate() {
            progress(EvaluateProgress { stage: EvaluateStage::Cell, done, total });
            let row = &rows[place.row];
            if open.as_ref().is_none_or(|(at, _)| *at != place.row) {
                // The one before goes first: there is space for only one copy at a time.
                drop(open.take());
                open = Some((place.row, self.copied(workspace, plan, row).await?));
            }
            let Some((_, copied)) = &open else { continue };
            self.run_cell(workspace, &setting, row, place, (copied, kept.as_ref()), progress).await?;
        }
        progress(EvaluateProgress { stage: EvaluateStage::Cell, done: total, total });
        self.so_far(workspace, &setting, &rows).await
    }

    /// What `plan` searches for and with.
    async fn setting<'a>(&self, workspace: &str, plan: &'a MatrixPlan) -> Result<Setting<'a>> {
        bounded(plan)?;
        let id = self.library.store().workspace(workspace).await?.id;
        let (_, queries) = self.query_set(id, &plan.set).await?;
        let mut models = Vec::with_capacity(plan.columns.len());
        for MatrixColumn { search, .. } in &plan.columns {
            models.push(match &search.space {
                _ if search.mode == Mode::Keyword => None,
                Some(space) => {
                    let model = self.library.models().embedder_of(space).await;
                    Some(model.ok_or_else(|| Error::UnknownSpace(space.clone()))?)
                }
                None => self.answering().await,
            });
        }
        let surroundings = self.surroundings(workspace, plan).await?;
        Ok(Setting { plan, queries, models, surroundings })
    }

    async fn cut_rows(
        &self,
        workspace: &str,
        setting: &Setting<'_>,
        progress: &(impl Fn(EvaluateProgress) + Send + Sync),
    ) -> Result<Vec<CutRow>> {
        let plan = setting.plan;
        let mut rows = Vec::with_capacity(plan.rows.len());
        for (at, row) in plan.rows.iter().enumerate() {
            progress(EvaluateProgress { stage: EvaluateStage::Store, done: at, total: plan.rows.len() });
            rows.push(self.cut_row(workspace, plan, row).await?);
        }
        Ok(rows)
    }

    /// The matrix with the cells that were run.
    async fn so_far(&self, workspace: &str, setting: &Setting<'_>, rows: &[CutRow]) -> Result<Matrix> {
        let store = self.library.store();
        let plan = setting.plan;
        let id = store.workspace(workspace).await?.id;
        let measure: Metric = plan.measure.as_deref().unwrap_or(DEFAULT_MEASURE).parse()?;
        let (measure, less) = (measure.to_string(), measure.is_lower_better());
        let remote = self.library.search().reranks_remotely();
        let queries = setting.queries.queries.len();
        let (mut cells, mut by_query) = (Vec::new(), Vec::new());
        for (row, cut) in rows.iter().enumerate() {
            for column in 0..plan.columns.len() {
                let cell = setting.cell_hash(cut, column);
                let run = store.evaluation_of_cell::<RunSummary>(id, &cell).await?.map(EvalRun::from);
                let (mut interval, mut values) = (None, Scores::new());
                if let Some(run) = &run {
                    let scores: Vec<MeasuredQuery> = store.evaluation_scores(id, run.id).await?;
                    let in_order: Vec<f64> =
                        scores.iter().filter_map(|query| query.scores.get(&measure).copied()).collect();
                    interval = (!in_order.is_empty()).then(|| bootstrap_interval(&in_order, 0));
                    let named =
                        scores.into_iter().filter_map(|mut it| Some((it.id, it.scores.remove(&measure)?)));
                    values.extend(named);
                }
                by_query.push(values);
                let value = run.as_ref().and_then(|run| run.summary.measures.get(&measure).copied());
                let (place, space) = (CellPlace { row, column }, setting.space(column));
                let reranked = if remote && plan.columns[column].search.rerank { queries } else { 0 };
                cells.push(MatrixCell { place, space, reranked, run, value, interval });
            }
        }
        let sign = if less { -1.0 } else { 1.0 };
        let valued = cells.iter().filter_map(|cell| Some((cell.place, cell.value? * sign)));
        // Of equal cells the first.
        let best = valued.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let best = best.map(|(place, _)| place);
        let rows = self.costs(setting, rows).await?;
        let judging = move || (best.and_then(|best| verdict::verdict(&cells, &by_query, best, less)), cells);
        let (verdict, cells) = tokio::task::spawn_blocking(judging).await?;
        Ok(Matrix { best, verdict, cost_usd: missing_cost(&rows, &cells), rows, cells, measure })
    }

    /// What each of `rows` costs, of texts that were not embedded until now.
    async fn costs(&self, setting: &Setting<'_>, rows: &[CutRow]) -> Result<Vec<MatrixCost>> {
        let mut seen = HashSet::new();
        let models = setting.models.iter().flatten();
        let models: Vec<_> = models.filter(|model| seen.insert(model.space().id())).map(Arc::clone).collect();
        let query_tokens = setting.queries.queries.iter().map(|query| CharsPerToken.count(&query.text)).sum();
        let mut costs = Vec::with_capacity(rows.len());
        for row in rows {
            costs.push(self.cost(row, &models, query_tokens).await?);
        }
        Ok(costs)
    }

    /// The embedder whose vectors answer: the best of those in use.
    async fn answering(&self) -> Option<Arc<dyn Embedder>> {
        self.library.models().embedders().await.into_iter().max_by_key(|embedder| embedder.space().tier)
    }

    async fn run_cell(
        &self,
        workspace: &str,
        setting: &Setting<'_>,
        row: &CutRow,
        place: CellPlace,
        (copied, kept): (&Copied, &dyn Store),
        progress: &(impl Fn(EvaluateProgress) + Send + Sync),
    ) -> Result<EvalRun> {
        let store = self.library.store();
        let plan = setting.plan;
        let queries = &self.judged_in(workspace, copied, &setting.queries).await?;
        let id = store.workspace(workspace).await?.id;
        let column = &plan.columns[place.column];
        let mut search = column.search.clone();
        search.filters.corpora.clone_from(&plan.corpora);
        let mode = search.mode;
        let mut options = EvaluateOptions { modes: vec![mode], search, ..EvaluateOptions::default() };
        let set = store.gold_set(id, &plan.set).await?;
        if !plan.measures.is_empty() {
            options.measures.clone_from(&plan.measures);
        } else if queries.queries.iter().any(|query| !query.spans.is_empty()) {
            options.measures.extend(SPAN_METRICS.map(str::to_owned));
        }
        let measure: Metric = plan.measure.as_deref().unwrap_or(DEFAULT_MEASURE).parse()?;
        if !options.measures.contains(&measure.to_string()) {
            options.measures.push(measure.to_string());
        }
        if let Some(model) = &setting.models[place.column] {
            copied.embed(workspace, model, row, kept, &options, progress).await?;
        }
        let measuring = copied.library.evaluation();
        let began = Instant::now();
        let (evaluation, mut found) = measuring.evaluated(workspace, queries, &options, progress).await?;
        let configuration = measuring.configuration(workspace, &options.search, queries).await?;
        let name = format!("{} · {}", plan.rows[place.row].name, column.name);
        let keeping = Keeping {
            name: &name,
            set: &set.name,
            version: set.version,
            set_hash: &setting.queries.hash(),
            cell: &setting.cell_hash(row, place.column),
            imported: false,
            seconds: began.elapsed().as_secs_f64(),
        };
        let found = found.remove(&mode).unwrap_or_default();
        self.keep(id, queries, keeping, configuration, &evaluation, mode, found).await
    }
}

/// What the cells without a run cost: each row once for each model that they ask.
fn missing_cost(rows: &[MatrixCost], cells: &[MatrixCell]) -> Option<f64> {
    let mut counted = HashSet::new();
    let missing = cells.iter().filter(|cell| cell.run.is_none());
    let costs = missing.filter_map(|cell| {
        let space = cell.space.as_ref().filter(|space| counted.insert((cell.place.row, (*space).clone())))?;
        rows.get(cell.place.row)?.models.iter().find(|model| model.space == *space)?.cost_usd
    });
    costs.fold(None, |sum: Option<f64>, cost| Some(sum.unwrap_or(0.0) + cost))
}

/// Refuses a matrix that nobody can wait for.
fn bounded(plan: &MatrixPlan) -> Result<()> {
    if plan.rows.is_empty() || plan.columns.is_empty() {
        return Err(Error::Invalid(
            "the matrix has no cells; choose a way of chunking and a way of searching".to_owned(),
        ));
    }
    let corpora: HashSet<&String> = plan.corpora.iter().collect();
    if plan.rows.len().saturating_mul(plan.columns.len()) > MOST_CELLS {
        return Err(Error::Invalid(format!(
            "a matrix has at most {MOST_CELLS} cells; leave out rows or columns, or compare them in several"
        )));
    }
    if corpora.len() != plan.corpora.len() {
        return Err(Error::Invalid(
            "a matrix names each corpus once; leave out those that repeat".to_owned(),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_matrix_is_as_large_as_anybody_can_wait_for_and_cuts_each_corpus_once() {
        let plan = |rows: usize, columns: usize, corpora: &[&str]| -> MatrixPlan {
            let named = |count| (0..count).map(|n| json!({ "name": n.to_string() })).collect::<Vec<_>>();
            let columns: Vec<Value> = named(columns)
                .into_iter()
                .map(|mut column| {
                    column["search"] = json!({ "mode": "keyword" });
                    column
                })
                .collect();
            let plan = json!({ "set": "mine", "corpora": corpora, "rows": named(rows), "columns": columns });
            serde_json::from_value(plan).unwrap()
        };
        assert!(bounded(&plan(20, 20, &["a", "b"])).is_ok());
        assert!(bounded(&plan(0, 1, &["a"])).is_err() && bounded(&plan(1, 0, &["a"])).is_err());
        assert!(bounded(&plan(401, 1, &["a"])).is_err() && bounded(&plan(21, 20, &["a"])).is_err());
        assert!(bounded(&plan(1, 1, &["a", "a"])).is_err());
    }
}
