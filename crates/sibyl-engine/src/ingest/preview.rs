//! Chunking without storing: what a configuration would give, and what changing it would move.

pub mod difference;
pub mod statistics;

pub use difference::{Cut, Difference, difference};
pub use statistics::{Statistics, statistics};

use super::FileReport;
use super::check;
use super::pipeline::{self, Cutting};
use super::raw::RawFile;
use super::source;
use crate::error::{Error, Result};
use crate::library::{Ingest, Opened};
use crate::store::table::chunk::NewChunk;
use crate::store::table::chunk::word_count;
use crate::store::table::document::DocumentRow;
use crate::store::{hash, hex};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_text::chunk::Role;
use sibyl_text::{Document, Piece, Span};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// What to chunk, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PreviewRequest {
    /// The text.
    pub source: PreviewSource,
    /// Name of the strategy. `None` uses that of the document's corpus, or the one for its kind.
    pub strategy: Option<String>,
    /// Values for its parameters. `None` uses those of the document's corpus if the strategy is the same.
    pub settings: Option<Map<String, Value>>,
}

/// What to chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PreviewSource {
    /// A stored document.
    Document {
        /// Its row.
        id: i64,
    },
    /// A file of this machine.
    Path {
        /// Its path.
        path: PathBuf,
    },
    /// Text or bytes that came with the request.
    Bytes {
        /// File name, which decides the format where the bytes leave it open.
        name: String,
        /// The bytes.
        bytes: Vec<u8>,
        /// Page metadata of parsed Markdown.
        page_metadata: Option<Vec<u8>>,
    },
    /// A file that was sent before.
    Sent {
        /// File name, which decides the format where the bytes leave it open.
        name: String,
        /// Id under which it is kept.
        file: String,
    },
}

/// The result of a configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    /// The document that was chunked.
    pub document: Arc<Document>,
    /// Name of the strategy.
    pub strategy: String,
    /// All its values.
    pub settings: Map<String, Value>,
    /// The chunks, in order.
    pub chunks: Vec<PreviewChunk>,
    /// Figures over all chunks.
    pub statistics: Statistics,
    /// Time the strategy took, in milliseconds.
    pub chunking_ms: f64,
    /// Hash of everything besides the document that decides the chunks.
    pub config_hash: String,
}

/// A chunk that is not stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PreviewChunk {
    /// Position of the chunk it is part of.
    pub parent: Option<usize>,
    /// Exactly what would be embedded and searched.
    pub text: String,
    /// The pieces that make it up; spans are bytes of the document's text.
    pub pieces: Vec<Piece>,
    /// From the first to the last byte of its own text.
    pub extent: Span,
    /// Fields of the strategy's schema.
    pub metadata: Map<String, Value>,
    /// First and last physical page.
    pub pages: Option<(u32, u32)>,
    /// Estimated tokens of the text.
    pub tokens: usize,
    /// Words of the text.
    pub word_count: usize,
    /// Bytes of the text before that it repeats.
    pub overlap: usize,
    /// Whether one atomic block made it longer than the maximum.
    pub oversize: bool,
    /// Whether it is shorter than the strategy's minimum though it has neighbours.
    pub orphan: bool,
    /// SHA-256 of the text (hex).
    pub content_hash: String,
}

/// A source after reading.
pub(crate) struct ReadSource {
    /// Path of the document, or its name in the request.
    pub(crate) path: String,
    /// What it reads as.
    pub(crate) document: Arc<Document>,
    /// Row of its corpus, if it is stored.
    pub(crate) corpus: Option<i64>,
}

impl Ingest<'_> {
    /// Chunks a document, a file or a text without storing anything. `workspace` must see a stored document.
    ///
    /// # Errors
    /// [`Error::NotFound`], and [`Error::Invalid`] for a file that cannot be read, or for strategy and settings
    /// that do not fit.
    pub async fn preview(&self, workspace: &str, request: PreviewRequest) -> Result<Preview> {
        let workspace = self.library.store().workspace(workspace).await?;
        let stored = match request.source {
            PreviewSource::Document { id } => Some(id),
            PreviewSource::Path { .. } | PreviewSource::Bytes { .. } | PreviewSource::Sent { .. } => None,
        };
        let ReadSource { path, document, corpus } = self.source(workspace.id, request.source).await?;
        let corpus = match corpus {
            Some(id) => Some(self.library.store().corpus_by_id(id).await?),
            None => None,
        };
        let guessed = || {
            let head = &document.text.as_bytes()[..document.text.len().min(4096)];
            source::kind(&path, head, !document.pages.is_empty()).strategy.to_owned()
        };
        let own = corpus.as_ref().map(|corpus| corpus.strategy.clone());
        let name = request.strategy.or(own).unwrap_or_else(guessed);
        let given = request.settings.unwrap_or_else(|| {
            let same = corpus.as_ref().filter(|corpus| corpus.strategy == name);
            same.map(|corpus| corpus.settings.clone()).unwrap_or_default()
        });
        let (strategy, settings) = check::checked_settings(&name, &given)?;
        let counterparts = if strategy.pairs_counterparts() {
            pipeline::counterparts_near(None, self.library.shipped()).unwrap_or_default()
        } else {
            pipeline::Counterparts::new()
        };
        let base_url = corpus.map(|corpus| corpus.base_url).unwrap_or_default();
        let model = self.library.models().window_of(strategy).await;
        let cutting = Cutting { strategy, settings, base_url, counterparts: Arc::new(counterparts), model };
        let began = Instant::now();
        let chunks = pipeline::cut(&cutting, &path, &document)
            .await
            .map_err(|failure| Error::File(Box::new(failure)))?;
        let chunking_ms = began.elapsed().as_secs_f64() * 1e3;
        let chunks = match stored {
            Some(id) => self.library.store().with_phrasings(id, chunks).await?,
            None => chunks,
        };
        let minimum = minimum(&cutting);
        let chunks = preview_chunks(chunks, minimum);
        Ok(Preview {
            statistics: statistics(&chunks),
            document,
            strategy: name,
            settings: cutting.settings.values().clone(),
            chunks,
            chunking_ms,
            config_hash: cutting.hash(),
        })
    }

    /// What `source` reads as.
    pub(crate) async fn source(&self, workspace: i64, source: PreviewSource) -> Result<ReadSource> {
        Ok(match source {
            PreviewSource::Document { id } => {
                let (row, document) = self.opened(workspace, id).await?;
                ReadSource { path: row.path, document, corpus: Some(row.corpus_id) }
            }
            PreviewSource::Path { path } => {
                let (path, document) = self.read_path(path).await?;
                ReadSource { path, document: Arc::new(document), corpus: None }
            }
            PreviewSource::Bytes { name, bytes, page_metadata } => {
                let path = source::upload_path(&name);
                let document = self.read_raw(RawFile { path: path.clone(), bytes, page_metadata }).await?;
                ReadSource { path, document: Arc::new(document), corpus: None }
            }
            PreviewSource::Sent { name, file } => {
                let path = source::upload_path(&name);
                let document = self.read_file(path.clone(), self.library.spool().path(&file)?, None).await?;
                ReadSource { path, document: Arc::new(document), corpus: None }
            }
        })
    }

    /// The bytes of `source`.
    pub(crate) async fn source_bytes(&self, workspace: i64, source: PreviewSource) -> Result<Vec<u8>> {
        match source {
            PreviewSource::Document { id } => Ok(self.library.store().source(workspace, id).await?.0),
            PreviewSource::Path { path } => {
                let name = path.to_string_lossy().into_owned();
                let read = tokio::task::spawn_blocking(move || std::fs::read(path)).await?;
                read.map_err(|error| Error::io(&name, error))
            }
            PreviewSource::Bytes { bytes, .. } => Ok(bytes),
            PreviewSource::Sent { name, file } => {
                Ok(self.raw(name, self.library.spool().path(&file)?, None).await?.bytes)
            }
        }
    }

    /// How the chunks of `preview` differ from those stored for document `id`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if `workspace` sees no such document.
    pub async fn preview_difference(
        &self,
        workspace: &str,
        id: i64,
        preview: &Preview,
    ) -> Result<Difference> {
        let workspace = self.library.store().workspace(workspace).await?;
        self.library.store().document_row(workspace.id, id).await?;
        let stored = self.library.store().chunks_of(workspace.id, id, 0, i64::MAX).await?;
        let old: Vec<Cut<'_>> = stored.iter().map(Cut::of_row).collect();
        let new: Vec<Cut<'_>> = preview.chunks.iter().map(Cut::of_preview).collect();
        Ok(difference(&old, &new))
    }

    /// A stored document, from memory if it was the last one chunked. Somebody who tunes a configuration chunks
    /// the same document many times a second.
    async fn opened(&self, workspace: i64, id: i64) -> Result<(DocumentRow, Arc<Document>)> {
        let row = self.library.store().document_row(workspace, id).await?;
        {
            let opened = self.library.0.opened.lock();
            let same = |known: &&Opened| known.id == id && known.text_version == row.text_version;
            if let Some(known) = opened.as_ref().filter(same) {
                return Ok((row, Arc::clone(&known.document)));
            }
        }
        let (row, document) = self.library.store().document(workspace, id).await?;
        let document = Arc::new(document);
        let mut opened = self.library.0.opened.lock();
        let text_version = row.text_version.clone();
        *opened = Some(Opened { id, text_version, document: Arc::clone(&document) });
        Ok((row, document))
    }

    async fn read_path(&self, path: PathBuf) -> Result<(String, Document)> {
        let limit = self.most_bytes().await?;
        let expansion = tokio::task::spawn_blocking(move || source::expand(&path, limit)).await??;
        let file = match <[_; 1]>::try_from(expansion.files) {
            Ok([file]) => file,
            Err(files) => {
                return Err(Error::Invalid(format!(
                    "expected one file, got {}; name a single file",
                    files.len()
                )));
            }
        };
        if let Some(failure) = file.failure {
            return Err(Error::File(Box::new(failure)));
        }
        let document = self.read_file(file.path.clone(), file.origin, file.page_metadata).await?;
        Ok((file.path, document))
    }

    async fn read_file(
        &self,
        path: String,
        file: PathBuf,
        page_metadata: Option<PathBuf>,
    ) -> Result<Document> {
        self.read_raw(self.raw(path, file, page_metadata).await?).await
    }

    /// The bytes of a file and of the page metadata beside it.
    pub(super) async fn raw(
        &self,
        path: String,
        file: PathBuf,
        page_metadata: Option<PathBuf>,
    ) -> Result<RawFile> {
        let reading = tokio::task::spawn_blocking(move || -> std::io::Result<_> {
            Ok((std::fs::read(&file)?, page_metadata.map(std::fs::read).transpose()?))
        });
        let read = reading.await?;
        let (bytes, page_metadata) = read.map_err(|error| Error::io(&path, error))?;
        Ok(RawFile { path, bytes, page_metadata })
    }

    async fn read_raw(&self, raw: RawFile) -> Result<Document> {
        let said = |failure: FileReport| Error::File(Box::new(failure));
        let identity = pipeline::identify(&raw).map_err(said)?;
        pipeline::read(
            &self.library.options().reader,
            Arc::new(raw),
            &identity,
            self.library.passwords().all(),
            (&self.library.ocr(None, false).await?, &|_| ()),
        )
        .await
        .map_err(said)
    }
}

/// Minimum tokens that a chunk of this configuration should have; 0 if the strategy declares none.
fn minimum(cutting: &Cutting) -> usize {
    cutting.settings.integer("min_tokens")
}

fn preview_chunks(chunks: Vec<NewChunk>, minimum: usize) -> Vec<PreviewChunk> {
    let several = chunks.len() > 1;
    chunks
        .into_iter()
        .map(|chunk| {
            let overlap = statistics::source_bytes(&chunk.pieces, |role| role == Role::Overlap);
            PreviewChunk {
                parent: chunk.parent,
                word_count: word_count(&chunk.text),
                content_hash: hex(&hash(chunk.text.as_bytes())),
                orphan: several && chunk.tokens < minimum,
                overlap,
                text: chunk.text,
                pieces: chunk.pieces,
                extent: chunk.extent,
                metadata: chunk.metadata,
                pages: chunk.pages,
                tokens: chunk.tokens,
                oversize: chunk.oversize,
            }
        })
        .collect()
}
