//! A matrix of configurations: every way of cutting by every way of searching, each cell a kept run.
//!
//! Each row is cut into a library of its own, so that words are as frequent there as they would be. Vectors come from the
//! real library and from a scratch one that keeps those of all rows by the hash of their text, so that no text is embedded
//! twice. A cell that was run before and of which nothing has changed is not run again: stopping and starting over loses
//! one cell at most.

use super::measure::Metric;
use super::run::{EvaluateOptions, EvaluateProgress, EvaluateStage, QuerySet};
use super::significance::bootstrap_interval;
use super::stored::{EvalRun, Keeping, MeasuredQuery, RunSummary, SPAN_METRICS};
use crate::embed::{Embedder, Tier};
use crate::error::{Error, Result};
use crate::ingest::preview::{Preview, PreviewRequest, PreviewSource};
use crate::library::{Library, Measuring};
use crate::search::{Mode, SearchRequest};
use crate::store::table::chunk::NewChunk;
use crate::store::table::corpus::{Corpus, NewCorpus};
use crate::store::table::document::{DocumentRow, NewDocument};
use crate::store::table::workspace::DEFAULT_WORKSPACE;
use crate::store::{LIBRARY_FILE, Place, Store, hash, short_hash};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;
use tempfile::TempDir;
use ts_rs::TS;

/// Most cells of a matrix: more are no choice anybody can make, and each row is cut anew.
const MOST_CELLS: usize = 400;

/// Folder inside the data folder that keeps vectors, and rows while they are run.
const SCRATCH: &str = "scratch";
/// Measure that cells are told apart by where none is named.
const DEFAULT_MEASURE: &str = "ndcg@10";

/// What a matrix measures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct MatrixPlan {
    /// Name of the gold set.
    pub set: String,
    /// Names of the corpora that are cut and searched.
    pub corpora: Vec<String>,
    /// Ways of cutting.
    pub rows: Vec<MatrixRow>,
    /// Ways of searching.
    pub columns: Vec<MatrixColumn>,
    /// Measures such as `ndcg@10`; the usual ones where none is named.
    #[serde(default)]
    pub measures: Vec<String>,
    /// The measure that the best cell is chosen by; `ndcg@10` where nothing is said.
    #[serde(default)]
    pub measure: Option<String>,
}

/// A way of cutting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MatrixRow {
    /// How it is called.
    pub name: String,
    /// Name of the strategy; each corpus as it is cut now where nothing is said.
    #[serde(default)]
    pub strategy: Option<String>,
    /// Values for its parameters; the rest are its defaults.
    #[serde(default)]
    #[ts(type = "Record<string, unknown>")]
    pub settings: Map<String, Value>,
}

/// A way of searching.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MatrixColumn {
    /// How it is called.
    pub name: String,
    /// The search. Its filters by corpus do not apply.
    #[serde(default)]
    pub search: SearchRequest,
}

/// A matrix as far as it was run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Matrix {
    /// What each row costs.
    pub rows: Vec<MatrixCost>,
    /// Every cell, row by row.
    pub cells: Vec<MatrixCell>,
    /// The cell with the best value of the measure; `None` before any was run.
    pub best: Option<CellPlace>,
    /// The measure that it was chosen by.
    pub measure: String,
    /// What the cells that are missing cost at the provider, in US dollars; `None` where nothing is paid for.
    pub cost_usd: Option<f64>,
}

/// A place in a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CellPlace {
    /// Position of its row, from 0.
    pub row: usize,
    /// Position of its column, from 0.
    pub column: usize,
}

/// What a row costs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct MatrixCost {
    /// Chunks that it cuts.
    pub chunks: usize,
    /// Estimated tokens of them.
    pub tokens: usize,
    /// Texts without a vector of the model that answers.
    pub new_texts: usize,
    /// Estimated tokens of them.
    pub new_tokens: usize,
    /// What these cost at the provider, in US dollars; `None` where nothing is paid for.
    pub cost_usd: Option<f64>,
}

/// A cell of a matrix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MatrixCell {
    /// Where it stands.
    pub place: CellPlace,
    /// Its run; `None` where it was not run, or something has changed since.
    pub run: Option<EvalRun>,
    /// Value of the measure.
    pub value: Option<f64>,
    /// Bounds of the value: 95 % of bootstrap samples of the queries lie between them.
    pub interval: Option<(f64, f64)>,
}

/// Which cells are run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct MatrixRun {
    /// The cells; all that are missing where none is named.
    #[serde(default)]
    pub cells: Vec<CellPlace>,
    /// The matrix.
    pub plan: MatrixPlan,
}

/// A row as it is cut.
struct CutRow {
    /// Hash of what is cut and how.
    hash: String,
    documents: Vec<(Corpus, DocumentRow, Preview)>,
    cost: MatrixCost,
}

impl Measuring<'_> {
    /// What a matrix costs, and those of its cells that were run and have not changed since.
    ///
    /// # Errors
    /// [`Error::NotFound`] where gold set or corpora do not exist, [`Error::Invalid`] for a matrix without cells, and for
    /// strategies and settings that do not fit.
    pub async fn matrix(&self, workspace: &str, plan: &MatrixPlan) -> Result<Matrix> {
        bounded(plan)?;
        let mut rows = Vec::with_capacity(plan.rows.len());
        for row in &plan.rows {
            rows.push(self.cut_row(workspace, plan, row).await?);
        }
        self.so_far(workspace, plan, &rows).await
    }

    /// Runs cells of a matrix.
    ///
    /// # Errors
    /// As [`Measuring::matrix`] and [`Measuring::run`]. Cells that were run are kept.
    pub async fn run_matrix(
        &self,
        workspace: &str,
        run: &MatrixRun,
        progress: &(impl Fn(EvaluateProgress) + Send + Sync),
    ) -> Result<Matrix> {
        let plan = &run.plan;
        bounded(plan)?;
        let mut rows = Vec::with_capacity(plan.rows.len());
        for (at, row) in plan.rows.iter().enumerate() {
            progress(EvaluateProgress { stage: EvaluateStage::Store, done: at, total: plan.rows.len() });
            rows.push(self.cut_row(workspace, plan, row).await?);
        }
        let before = self.so_far(workspace, plan, &rows).await?;
        let wanted = |cell: &&MatrixCell| match run.cells.is_empty() {
            true => cell.run.is_none(),
            false => run.cells.contains(&cell.place),
        };
        let cells: Vec<CellPlace> = before.cells.iter().filter(wanted).map(|cell| cell.place).collect();
        let total = cells.len();
        let folder = self.library.folder().join(SCRATCH);
        std::fs::create_dir_all(&folder).map_err(|error| Error::io(&folder, error))?;
        let vectors = Store::open(Place::named(&folder))?;
        // The library of the row that is run, removed with it.
        let mut open: Option<(usize, Library, TempDir)> = None;
        for (done, place) in cells.into_iter().enumerate() {
            progress(EvaluateProgress { stage: EvaluateStage::Cell, done, total });
            let row = &rows[place.row];
            if open.as_ref().is_none_or(|(at, ..)| *at != place.row) {
                let temporary = tempfile::tempdir_in(&folder).map_err(|error| Error::io(&folder, error))?;
                let library = self.scratch(temporary.path(), true).await?;
                row.store(&library).await?;
                open = Some((place.row, library, temporary));
            }
            let Some((_, library, _)) = &open else { continue };
            self.run_cell(workspace, plan, row, place, (library, &vectors), progress).await?;
        }
        progress(EvaluateProgress { stage: EvaluateStage::Cell, done: total, total });
        self.so_far(workspace, plan, &rows).await
    }

    /// The matrix with the cells that were run.
    async fn so_far(&self, workspace: &str, plan: &MatrixPlan, rows: &[CutRow]) -> Result<Matrix> {
        let store = self.library.store();
        let id = store.workspace(workspace).await?.id;
        let measure: Metric = plan.measure.as_deref().unwrap_or(DEFAULT_MEASURE).parse()?;
        let (measure, less) = (measure.to_string(), measure.is_lower_better());
        if plan.rows.is_empty() || plan.columns.is_empty() {
            return Err(Error::Invalid(
                "the matrix has no cells; choose a way of cutting and a way of searching".to_owned(),
            ));
        }
        let (_, queries) = self.query_set(id, &plan.set).await?;
        let mut cells = Vec::new();
        for (row, cut) in rows.iter().enumerate() {
            for column in 0..plan.columns.len() {
                let cell = self.cell_hash(plan, cut, column, &queries).await?;
                let run = store.evaluation_of_cell::<RunSummary>(id, &cell).await?.map(EvalRun::from);
                let mut interval = None;
                if let Some(run) = &run {
                    let scores: Vec<MeasuredQuery> = store.evaluation_scores(id, run.id).await?;
                    let values: Vec<f64> =
                        scores.iter().filter_map(|query| query.scores.get(&measure).copied()).collect();
                    interval = (!values.is_empty()).then(|| bootstrap_interval(&values, 0));
                }
                let value = run.as_ref().and_then(|run| run.summary.measures.get(&measure).copied());
                cells.push(MatrixCell { place: CellPlace { row, column }, run, value, interval });
            }
        }
        let sign = if less { -1.0 } else { 1.0 };
        let valued = cells.iter().filter_map(|cell| Some((cell.place, cell.value? * sign)));
        // Of equal cells the first.
        let best = valued.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let costs = rows.iter().filter_map(|row| row.cost.cost_usd);
        let cost_usd = costs.fold(None, |sum: Option<f64>, cost| Some(sum.unwrap_or(0.0) + cost));
        Ok(Matrix {
            rows: rows.iter().map(|row| row.cost.clone()).collect(),
            best: best.map(|(place, _)| place),
            cells,
            measure,
            cost_usd,
        })
    }

    /// Hash of all that decides the figures of a cell.
    async fn cell_hash(
        &self,
        plan: &MatrixPlan,
        row: &CutRow,
        column: usize,
        queries: &QuerySet,
    ) -> Result<String> {
        let column = plan.columns.get(column).map(|column| &column.search);
        // A request always becomes JSON.
        let search = serde_json::to_string(&column).unwrap_or_default();
        let by_words = column.is_some_and(|search| search.mode == Mode::Keyword);
        let model = if by_words { None } else { self.answering().await };
        let model = model.map(|embedder| embedder.space().id()).unwrap_or_default();
        Ok(short_hash(&[&row.hash, &queries.hash(), &search, &plan.measures.join(" "), &model]))
    }

    /// The embedder whose vectors answer: the best of those in use.
    async fn answering(&self) -> Option<Arc<dyn Embedder>> {
        self.library.models().embedders().await.into_iter().max_by_key(|embedder| embedder.space().tier)
    }

    /// Cuts the documents of a row.
    async fn cut_row(&self, workspace: &str, plan: &MatrixPlan, row: &MatrixRow) -> Result<CutRow> {
        let store = self.library.store();
        let id = store.workspace(workspace).await?.id;
        let mut documents = Vec::new();
        for name in &plan.corpora {
            let corpus = store.corpus(id, name).await?;
            let corpus = corpus.ok_or_else(|| Error::not_found("corpus", name.as_str()))?;
            for document in store.documents(id, Some(corpus.id)).await? {
                let source = PreviewSource::Document { id: document.id };
                let settings = row.strategy.as_ref().map(|_| row.settings.clone());
                let request = PreviewRequest { source, strategy: row.strategy.clone(), settings };
                let preview = self.library.ingest().preview(workspace, request).await?;
                documents.push((corpus.clone(), document, preview));
            }
        }
        if documents.is_empty() {
            return Err(Error::Invalid(
                "there is nothing to cut; choose a corpus that contains documents".to_owned(),
            ));
        }
        let parts: Vec<String> = documents
            .iter()
            .map(|(corpus, document, cut)| {
                let texts: String = cut.chunks.iter().map(|chunk| chunk.content_hash.as_str()).collect();
                short_hash(&[&corpus.name, &document.path, &document.text_version, &cut.config_hash, &texts])
            })
            .collect();
        let hash = short_hash(&parts.iter().map(String::as_str).collect::<Vec<_>>());
        let cost = self.cost(&documents).await?;
        Ok(CutRow { hash, documents, cost })
    }

    async fn cost(&self, documents: &[(Corpus, DocumentRow, Preview)]) -> Result<MatrixCost> {
        let chunks = || documents.iter().flat_map(|(.., cut)| &cut.chunks);
        let mut cost = MatrixCost {
            chunks: chunks().count(),
            tokens: chunks().map(|chunk| chunk.tokens).sum(),
            ..Default::default()
        };
        let Some(model) = self.answering().await else { return Ok(cost) };
        let space = model.space().id();
        let hashes: Vec<[u8; 32]> = chunks().map(|chunk| hash(chunk.text.as_bytes())).collect();
        let mut known = self.library.store().known_inputs(&space, hashes.clone()).await?;
        let folder = self.library.folder().join(SCRATCH);
        if folder.join(LIBRARY_FILE).exists() {
            known.extend(Store::open(Place::named(&folder))?.known_inputs(&space, hashes.clone()).await?);
        }
        for (chunk, hash) in chunks().zip(hashes) {
            if known.insert(hash) {
                cost.new_texts += 1;
                cost.new_tokens += chunk.tokens;
            }
        }
        if model.space().tier == Tier::Remote {
            cost.cost_usd = self.library.models().cost_of(cost.new_tokens).await?;
        }
        Ok(cost)
    }

    async fn run_cell(
        &self,
        workspace: &str,
        plan: &MatrixPlan,
        row: &CutRow,
        place: CellPlace,
        (library, vectors): (&Library, &Store),
        progress: &(impl Fn(EvaluateProgress) + Send + Sync),
    ) -> Result<EvalRun> {
        let id = self.library.store().workspace(workspace).await?.id;
        let column = &plan.columns[place.column];
        let mut search = column.search.clone();
        search.filters.corpora.clear();
        let mode = search.mode;
        let mut options = EvaluateOptions { modes: vec![mode], search, ..EvaluateOptions::default() };
        let (set, own) = self.query_set(id, &plan.set).await?;
        if !plan.measures.is_empty() {
            options.measures.clone_from(&plan.measures);
        } else if set.spans > 0 {
            options.measures.extend(SPAN_METRICS.map(str::to_owned));
        }
        let measure: Metric = plan.measure.as_deref().unwrap_or(DEFAULT_MEASURE).parse()?;
        if !options.measures.contains(&measure.to_string()) {
            options.measures.push(measure.to_string());
        }
        let measuring = library.evaluation();
        if mode != Mode::Keyword {
            let texts = row.texts();
            take_over(self.library.store(), library, &texts).await?;
            take_over(vectors, library, &texts).await?;
            measuring.finish_embedding(DEFAULT_WORKSPACE, &options, progress).await?;
            give_back(library, vectors, &texts).await?;
        }
        let began = Instant::now();
        let (evaluation, mut found) =
            measuring.evaluated(DEFAULT_WORKSPACE, &own, &options, progress).await?;
        let configuration = measuring.configuration(DEFAULT_WORKSPACE, &options.search, &own).await?;
        let name = format!("{} · {}", plan.rows[place.row].name, column.name);
        let cell = self.cell_hash(plan, row, place.column, &own).await?;
        let keeping = Keeping {
            name: &name,
            set: &set.name,
            version: set.version,
            cell: &cell,
            imported: false,
            seconds: began.elapsed().as_secs_f64(),
        };
        let found = found.remove(&mode).unwrap_or_default();
        self.keep(id, &own, keeping, configuration, &evaluation, mode, found).await
    }
}

/// Gives `library` the vectors that `from` has for `texts`.
async fn take_over(from: &Store, library: &Library, texts: &HashSet<[u8; 32]>) -> Result<()> {
    for embedder in library.models().embedders().await {
        let space = library.store().ensure_space(embedder.space()).await?;
        let known = library.store().known_inputs(&space, texts.iter().copied().collect()).await?;
        let missing: Vec<[u8; 32]> = texts.difference(&known).copied().collect();
        let vectors = from.vectors_of_inputs(&space, missing).await?;
        if !vectors.is_empty() {
            library.store().put_vectors(&space, vectors).await?;
        }
    }
    Ok(())
}

/// Keeps the vectors of `library` for `texts` in `vectors`, for other rows.
async fn give_back(library: &Library, vectors: &Store, texts: &HashSet<[u8; 32]>) -> Result<()> {
    for embedder in library.models().embedders().await {
        let space = vectors.ensure_space(embedder.space()).await?;
        let known = vectors.known_inputs(&space, texts.iter().copied().collect()).await?;
        let missing: Vec<[u8; 32]> = texts.difference(&known).copied().collect();
        let made = library.store().vectors_of_inputs(&space, missing).await?;
        if !made.is_empty() {
            vectors.put_vectors(&space, made).await?;
        }
    }
    Ok(())
}

impl CutRow {
    /// Hashes of the texts of its chunks.
    fn texts(&self) -> HashSet<[u8; 32]> {
        let chunks = self.documents.iter().flat_map(|(.., cut)| &cut.chunks);
        chunks.map(|chunk| hash(chunk.text.as_bytes())).collect()
    }

    /// Stores its documents in `library`, under the names of their corpora.
    async fn store(&self, library: &Library) -> Result<()> {
        // Licensed copies are private to a workspace everywhere.
        let home = library.store().workspace(DEFAULT_WORKSPACE).await?.id;
        for (corpus, document, cut) in &self.documents {
            let kept = library
                .store()
                .put_corpus(NewCorpus {
                    workspace_id: Some(home),
                    name: corpus.name.clone(),
                    source_type: corpus.source_type.clone(),
                    strategy: cut.strategy.clone(),
                    settings: cut.settings.clone(),
                    base_url: corpus.base_url.clone(),
                    remote: corpus.remote,
                })
                .await?;
            library.store().put_document(stored(kept.id, document, cut)).await?;
        }
        Ok(())
    }
}

/// `document` as a row has it, cut as `cut` says.
fn stored(corpus: i64, document: &DocumentRow, cut: &Preview) -> NewDocument {
    let chunk = |chunk: &crate::ingest::preview::PreviewChunk| NewChunk {
        parent: chunk.parent,
        text: chunk.text.clone(),
        pieces: chunk.pieces.clone(),
        extent: chunk.extent,
        metadata: chunk.metadata.clone(),
        pages: chunk.pages,
        tokens: chunk.tokens,
        oversize: chunk.oversize,
    };
    NewDocument {
        corpus_id: corpus,
        path: document.path.clone(),
        root: document.root.clone(),
        origin: document.origin.clone(),
        report_id: document.report_id.clone(),
        replaces_report: false,
        format: document.format.clone(),
        title: document.title.clone(),
        source_hash: document.source_hash.clone(),
        text_version: document.text_version.clone(),
        config_hash: cut.config_hash.clone(),
        token_count: usize::try_from(document.token_count).unwrap_or_default(),
        document: (*cut.document).clone(),
        bytes: Vec::new(),
        page_metadata: None,
        chunks: cut.chunks.iter().map(chunk).collect(),
        job_file: None,
    }
}
/// Refuses a matrix that nobody can wait for.
fn bounded(plan: &MatrixPlan) -> Result<()> {
    let corpora: HashSet<&String> = plan.corpora.iter().collect();
    if plan.rows.len().saturating_mul(plan.columns.len().max(1)) > MOST_CELLS {
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
        assert!(bounded(&plan(401, 0, &["a"])).is_err() && bounded(&plan(21, 20, &["a"])).is_err());
        assert!(bounded(&plan(1, 1, &["a", "a"])).is_err());
    }
}
