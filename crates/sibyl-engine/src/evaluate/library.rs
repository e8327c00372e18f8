//! The library under measurement: gold queries in one of its workspaces, collections in a scratch library.

use super::gold;
use super::run::{
    Answer, EvaluateOptions, EvaluateProgress, EvaluateStage, Evaluation, Searcher, evaluate_and_tell,
};
use super::set::{GoldImport, Places, sources};
use super::stored::{EvalRun, Found, FoundByMode, Keeping};
use crate::embed::Tier;
use crate::error::{Error, Result};
use crate::ingest::JobState;
use crate::library::{Library, Measuring, OpenOptions};
use crate::search::{Filters, Leg, Mode, Ranked, SearchRequest};
use crate::store::origin::DocumentOrigin;
use crate::store::table::chunk::NewChunk;
use crate::store::table::corpus::NewCorpus;
use crate::store::table::document::NewDocument;
use crate::store::table::workspace::DEFAULT_WORKSPACE;
use crate::store::{hash, hex, short_hash};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_measure::beir::{self, BeirDocument, Documents};
use sibyl_measure::label::scored_id;
use sibyl_measure::note::same_words;
use sibyl_measure::query::{JudgedQuery, Passage, QuerySet, RankedId};
use sibyl_text::chunk::{Chunk, Piece, Role};
use sibyl_text::document::{Document, Span};
use sibyl_text::tokens::{CharsPerToken, TokenCounter};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Documents of a collection that are stored in one transaction, as chunks of one document.
const BATCH: usize = 256;
/// Field of a chunk's metadata with the id of the collection's document.
const COLLECTION_ID: &str = "collection_id";

/// How a collection in BEIR layout is measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BeirOptions {
    /// Name of the split whose queries are searched; by default, `test` or the only one there is.
    pub split: Option<String>,
    /// Folder for the scratch library. One that is kept saves embedding the same texts again. `None` uses a
    /// temporary one that is removed at the end.
    pub scratch: Option<PathBuf>,
    /// Whether the collection may be sent to the remote model, if one is in use.
    pub remote: bool,
    /// What is measured and how. Filters of the search do not apply.
    pub evaluate: EvaluateOptions,
}

impl Measuring<'_> {
    /// Measures the searches of `workspace` with the gold queries of the file at `path`. If there is no such file,
    /// it uses the gold set of that name. Vectors that are missing are made first, unless only words are searched.
    /// If `save` is given, keeps a run for each mode under that name, and with it the set.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read. [`Error::Invalid`] as [`evaluate`](super::evaluate), and if a
    /// requested leg could not run. Else the error of embedding or of a search.
    pub async fn gold(
        &self,
        workspace: &str,
        path: &Path,
        options: &EvaluateOptions,
        save: Option<&str>,
        progress: impl Fn(EvaluateProgress) + Send + Sync,
    ) -> Result<(Evaluation, Vec<EvalRun>)> {
        let row = self.library.store().workspace(workspace).await?.id;
        let named = path.to_str().filter(|_| !path.is_file());
        let (set, version, queries) = match named {
            Some(name) if self.library.store().gold_set(row, name).await.is_ok() => {
                let (set, queries) = self.query_set(row, name).await?;
                (set.name, set.version, queries)
            }
            _ => {
                let queries = self.gold_file(workspace, path).await?;
                let version =
                    if save.is_some() { self.listed(workspace, path, None, &queries).await? } else { 0 };
                (set_name(path), version, queries)
            }
        };
        self.finish_embedding(workspace, options, &progress).await?;
        let began = Instant::now();
        let (evaluation, found) = self.evaluated(workspace, &queries, options, progress).await?;
        let Some(name) = save else { return Ok((evaluation, Vec::new())) };
        let measured = Measured {
            set: &set,
            version,
            queries: &queries,
            evaluation: &evaluation,
            seconds: began.elapsed().as_secs_f64(),
        };
        let runs = self.save((workspace, self, workspace), name, options, measured, found).await?;
        Ok((evaluation, runs))
    }

    /// Imports the gold set at `path`, unless the workspace has one of its name, so that kept runs are listed
    /// below it. Returns its version; 0 if the existing one has other queries or labels than `queries`.
    async fn listed(
        &self,
        workspace: &str,
        path: &Path,
        split: Option<String>,
        queries: &QuerySet,
    ) -> Result<i64> {
        let row = self.library.store().workspace(workspace).await?.id;
        let name = set_name(path);
        match self.query_set(row, &name).await {
            Ok((set, known)) => return Ok(if known.hash() == queries.hash() { set.version } else { 0 }),
            Err(error) if error.code() == "not_found" => {}
            Err(error) => return Err(error),
        }
        let import = GoldImport {
            path: path.to_owned(),
            text: None,
            name: Some(name),
            format: None,
            queries: None,
            files: Vec::new(),
            split,
            relevant_from: None,
            replace: false,
            strict: false,
        };
        Ok(self.import_gold(workspace, import).await?.set.version)
    }

    /// Keeps a run of each mode in the workspace `to`, as `searched` searched it in its workspace. The hybrid run
    /// is called `name`; the others have their mode after the name.
    async fn save(
        &self,
        (to, searched, at): (&str, &Measuring<'_>, &str),
        name: &str,
        options: &EvaluateOptions,
        measured: Measured<'_>,
        mut found: FoundByMode,
    ) -> Result<Vec<EvalRun>> {
        let Measured { set, version, queries, evaluation, seconds } = measured;
        let to = self.library.store().workspace(to).await?.id;
        let mut runs = Vec::new();
        // The newest run is shown first, so that of the first mode is made last.
        for &mode in options.modes.iter().rev() {
            let name = match mode {
                Mode::Hybrid => name.to_owned(),
                Mode::Semantic => format!("{name} (semantic)"),
                Mode::Keyword => format!("{name} (keyword)"),
            };
            let search = SearchRequest { mode, ..options.search.clone() };
            let configuration = searched.configuration(at, &search, queries).await?;
            let keeping = Keeping {
                name: &name,
                set,
                version,
                set_hash: &queries.hash(),
                cell: "",
                imported: false,
                seconds,
            };
            let found = found.remove(&mode).unwrap_or_default();
            runs.push(self.keep(to, queries, keeping, configuration, evaluation, mode, found).await?);
        }
        runs.reverse();
        Ok(runs)
    }

    /// The gold queries of the file at `path` as they are searched in `workspace`.
    async fn gold_file(&self, workspace: &str, path: &Path) -> Result<QuerySet> {
        let path = path.to_owned();
        let (mut queries, mut notices) = blocking(move || gold::read(&path)).await?;
        notices.extend(same_words(queries.iter().map(|query| (&*query.id, &*query.query))));
        let workspace = self.library.store().workspace(workspace).await?.id;
        notices.extend(Places::new(self.library.store(), workspace).keep_paths(&mut queries).await?);
        let mut set = self.located(workspace, queries, gold::RELEVANT_FROM).await?;
        notices.append(&mut set.notices);
        Ok(QuerySet { notices, ..set })
    }

    /// What answers the queries of an evaluation in `workspace`.
    pub(super) fn searcher<'a>(&'a self, workspace: &'a str, options: &'a EvaluateOptions) -> InLibrary<'a> {
        InLibrary::new(self.library, workspace, options, Judged::Citations)
    }

    /// Measures search with the collection in BEIR layout in the folder `dir`. Its documents go into a scratch
    /// library, one chunk each, embedded unless only words are searched. Then its judged queries are searched.
    ///
    /// If `save` is given, keeps a run for each mode in `workspace` under that name, with the queries and
    /// judgments.
    ///
    /// # Errors
    /// As [`Measuring::gold`].
    pub async fn beir(
        &self,
        workspace: &str,
        dir: &Path,
        options: &BeirOptions,
        save: Option<&str>,
        progress: impl Fn(EvaluateProgress) + Send + Sync,
    ) -> Result<(Evaluation, Vec<EvalRun>)> {
        let (folder, split) = (dir.to_owned(), options.split.clone());
        let mut set = blocking(move || beir::queries(&folder, split.as_deref())).await?;
        // Removed when it goes out of scope, at the end or when the evaluation is dropped.
        let temporary = tempfile::tempdir().map_err(|error| Error::io(std::env::temp_dir(), error))?;
        let folder = options.scratch.as_deref().unwrap_or(temporary.path());
        let scratch = self.scratch(folder, options.remote).await?;
        let corpus = scratch.evaluation().store_collection(dir, options.remote, &mut set, &progress).await?;
        scratch.evaluation().finish_embedding(DEFAULT_WORKSPACE, &options.evaluate, &progress).await?;
        let mut evaluated = options.evaluate.clone();
        evaluated.search.filters = Filters { corpora: vec![corpus], ..Filters::default() };
        let searcher = InLibrary::new(&scratch, DEFAULT_WORKSPACE, &evaluated, Judged::Documents);
        let began = Instant::now();
        let mut found = FoundByMode::new();
        let told = |query: &JudgedQuery, mode: Mode, answer: Answer, milliseconds: f64| {
            let one = Found::of(query, &answer, milliseconds);
            found.entry(mode).or_default().insert(query.id.clone(), one);
        };
        let evaluation = evaluate_and_tell(&set, &searcher, &evaluated, progress, told).await?;
        let Some(name) = save else { return Ok((evaluation, Vec::new())) };
        let measured = Measured {
            set: &set_name(dir),
            version: self.listed(workspace, dir, options.split.clone(), &set).await?,
            queries: &set,
            evaluation: &evaluation,
            seconds: began.elapsed().as_secs_f64(),
        };
        let searched = scratch.evaluation();
        let place = (workspace, &searched, DEFAULT_WORKSPACE);
        let runs = self.save(place, name, &evaluated, measured, found).await?;
        Ok((evaluation, runs))
    }

    /// A library in `folder` with the embedders of this one.
    pub(super) async fn scratch(&self, folder: &Path, remote: bool) -> Result<Library> {
        let options =
            OpenOptions { shipped: self.library.shipped().map(Path::to_owned), ..OpenOptions::new(folder) };
        let scratch = Library::open(options).await?;
        let mut embedders = self.library.models().embedders().await;
        embedders.retain(|embedder| remote || embedder.space().tier != Tier::Remote);
        scratch.models().set_embedders(embedders);
        Ok(scratch)
    }

    /// Stores the documents of the collection in `dir` in place of the former contents of its corpus; returns its
    /// name.
    async fn store_collection(
        &self,
        dir: &Path,
        remote: bool,
        set: &mut QuerySet,
        progress: &(impl Fn(EvaluateProgress) + Send + Sync),
    ) -> Result<String> {
        let root =
            std::path::absolute(dir).map_err(|error| Error::io(dir, error))?.to_string_lossy().into_owned();
        let name = format!("collection {}", short_hash(&[&root]));
        let workspace = self.library.store().workspace(DEFAULT_WORKSPACE).await?;
        if let Some(stale) = self.library.store().corpus(workspace.id, &name).await? {
            self.library.store().drop_corpus(stale.id).await?;
        }
        let corpus = self
            .library
            .store()
            .put_corpus(NewCorpus {
                workspace_id: None,
                name: name.clone(),
                source_type: "text".to_owned(),
                strategy: "collection".to_owned(),
                settings: Map::new(),
                base_url: String::new(),
                remote,
            })
            .await?;
        let opened = dir.to_owned();
        let mut documents = blocking(move || Documents::open(&opened)).await?;
        for number in 1.. {
            let (given, batch) = blocking(move || {
                let batch = documents.next_batch(BATCH)?;
                Ok((documents, batch))
            })
            .await?;
            documents = given;
            if batch.is_empty() {
                break;
            }
            self.library.store().put_document(stored(corpus.id, number, &root, &batch)).await?;
            progress(EvaluateProgress { stage: EvaluateStage::Store, done: documents.count(), total: 0 });
        }
        set.notices.extend(documents.notices().iter().cloned());
        Ok(name)
    }

    /// Makes the missing vectors, if a mode needs them.
    pub(super) async fn finish_embedding(
        &self,
        workspace: &str,
        options: &EvaluateOptions,
        progress: &(impl Fn(EvaluateProgress) + Send + Sync),
    ) -> Result<()> {
        let by_words = options.modes.iter().all(|mode| *mode == Mode::Keyword);
        if by_words || self.library.models().embedders().await.is_empty() {
            return Ok(());
        }
        let job = self.library.ingest().embed(workspace).await?;
        let mut events = self.library.jobs().follow(workspace, job).await?;
        while let Some(event) = events.recv().await {
            progress(EvaluateProgress {
                stage: EvaluateStage::Embed,
                done: event.embedded,
                total: event.to_embed,
            });
        }
        let job = self.library.jobs().get(workspace, job).await?;
        match job.state {
            JobState::Done => Ok(()),
            JobState::Failed => Err(Error::NotMeasured {
                code: job.report.failed_code.unwrap_or_else(|| "embedding".to_owned()),
                message: format!(
                    "nothing was measured because some texts could not be embedded: {}",
                    job.error.unwrap_or_default()
                ),
            }),
            _ => Err(Error::Cancelled),
        }
    }
}

/// Measurements to be kept.
struct Measured<'a> {
    set: &'a str,
    version: i64,
    queries: &'a QuerySet,
    evaluation: &'a Evaluation,
    seconds: f64,
}

/// The name of a set from `path`.
fn set_name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// What hits are judged as.
enum Judged {
    /// The paragraphs and topics by which they are cited.
    Citations,
    /// The documents of a collection.
    Documents,
}

/// A workspace of a library that answers judged queries.
pub(super) struct InLibrary<'a> {
    library: &'a Library,
    workspace: &'a str,
    options: &'a EvaluateOptions,
    judged: Judged,
    /// Chunks that were found before, by row.
    passages: Mutex<HashMap<i64, Arc<Passage>>>,
}

impl<'a> InLibrary<'a> {
    fn new(library: &'a Library, workspace: &'a str, options: &'a EvaluateOptions, judged: Judged) -> Self {
        Self { library, workspace, options, judged, passages: Mutex::default() }
    }

    /// The chunks at `places`, by row.
    async fn passages(&self, places: &[Ranked]) -> Result<HashMap<i64, Arc<Passage>>> {
        let known = |row: i64| self.passages.lock().get(&row).map(Arc::clone);
        let (mut found, mut missing) = (HashMap::new(), Vec::new());
        for place in places {
            match known(place.row) {
                Some(passage) => {
                    found.insert(place.row, passage);
                }
                None => missing.push(place.row),
            }
        }
        let workspace = self.library.store().workspace(self.workspace).await?.id;
        let chunks = self.library.store().chunks_by_row(workspace, missing).await?;
        let mut passages = self.passages.lock();
        for (row, chunk) in chunks {
            let whole = chunk.metadata.get("part").is_none_or(serde_json::Value::is_null);
            let passage = Arc::new(Passage {
                spans: sources(&chunk.pieces).collect(),
                tokens: CharsPerToken.count(&chunk.passage()),
                chunk_id: chunk.chunk_id,
                path: chunk.path,
                pages: chunk.pages,
                whole,
            });
            passages.insert(row, Arc::clone(&passage));
            found.insert(row, passage);
        }
        Ok(found)
    }
}

impl Searcher for InLibrary<'_> {
    async fn search(&self, query: &str, mode: Mode) -> Result<Answer> {
        let ranking = self.library.search().rank(self.workspace, &self.options.request(query, mode)?).await?;
        if ranking.degraded {
            let mode = format!("{mode:?}").to_lowercase();
            let message = format!(
                "{mode} search cannot be measured because part of it did not run ({}); fix that, or leave the \
                 mode out",
                ranking.notices.iter().map(|notice| notice.message.as_str()).collect::<Vec<_>>().join("; ")
            );
            return Err(Error::NotMeasured { code: "search_incomplete".to_owned(), message });
        }
        let documents = match self.judged {
            Judged::Citations => HashMap::new(),
            Judged::Documents => {
                let rows = ranking.places.iter().map(|place| place.row).collect();
                self.library.store().metadata_of(rows, COLLECTION_ID).await?
            }
        };
        let passages = self.passages(&ranking.places).await?;
        let place = |place: &Ranked| RankedId {
            id: match documents.get(&place.row) {
                Some(document) => document.clone(),
                None => scored_id(place.identity.as_deref(), &place.chunk_id),
            },
            also: Vec::new(),
            relevance: place.relevance,
            exact: place.contributions.iter().any(|leaf| leaf.leg == Leg::Reference),
            passage: passages.get(&place.row).map(Arc::clone),
        };
        let legs = |place: &Ranked| place.contributions.iter().map(|leaf| (leaf.leg, leaf.rank)).collect();
        Ok(Answer {
            ranking: ranking.places.iter().map(place).collect(),
            legs: ranking.places.iter().map(legs).collect(),
            config_hash: ranking.config_hash,
        })
    }
}

/// A document with `batch`, one chunk each.
fn stored(corpus: i64, number: usize, root: &str, batch: &[BeirDocument]) -> NewDocument {
    let mut text = String::new();
    let mut spans = Vec::new();
    for document in batch {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        let start = text.len();
        text.push_str(&document.passage().replace("\r\n", "\n").replace('\r', "\n"));
        spans.push(Span::new(start, text.len()));
    }
    let chunks = spans.into_iter().zip(batch).map(|(span, document)| {
        let chunk = Chunk {
            pieces: vec![Piece::Source { span, role: Role::Body }],
            parent: None,
            oversize: false,
            metadata: Map::from_iter([(COLLECTION_ID.to_owned(), Value::from(document.id.as_str()))]),
        };
        let passage = chunk.text(&text);
        NewChunk {
            parent: None,
            tokens: CharsPerToken.count(&passage),
            text: passage,
            extent: span,
            pieces: chunk.pieces,
            metadata: chunk.metadata,
            pages: None,
            oversize: false,
        }
    });
    let chunks = chunks.collect();
    let bytes = text.clone().into_bytes();
    let source_hash = hex(&hash(&bytes));
    NewDocument {
        corpus_id: corpus,
        path: format!("{number:06}"),
        root: root.to_owned(),
        origin: DocumentOrigin::Path(root.to_owned()),
        report_id: None,
        replaces_report: false,
        format: "collection".to_owned(),
        title: format!("Part {number}"),
        text_version: source_hash.clone(),
        config_hash: source_hash.clone(),
        source_hash,
        token_count: CharsPerToken.count(&text),
        document: Document { body: Span::new(0, text.len()), text, ..Document::default() },
        bytes,
        page_metadata: None,
        chunks,
        figures: Vec::new(),
        job_file: None,
    }
}

/// Reads files where that blocks nothing else.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> sibyl_measure::Result<T> + Send + 'static,
) -> Result<T> {
    Ok(tokio::task::spawn_blocking(work).await??)
}
