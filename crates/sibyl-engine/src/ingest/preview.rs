//! Cutting without storing: what a configuration would give, what an import would cost, what a change would move.

use super::job::FileReport;
use super::pipeline::{self, Cutting, RawFile, TOKENS};
use super::source::{self, Kind};
use super::{IngestRequest, Source, licensed, plan};
use crate::embed::Tier;
use crate::error::{Error, Result};
use crate::library::Library;
use crate::store::table::chunk::{ChunkRow, NewChunk};
use crate::store::table::document::word_count;
use crate::store::{hash, hex};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_text::chunk::Role;
use sibyl_text::tokens::TokenCounter as _;
use sibyl_text::{Document, Piece, Span};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use ts_rs::TS;

/// What is to be cut, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PreviewRequest {
    /// The text.
    pub source: PreviewSource,
    /// Name of the strategy; `None` takes the one of the document's corpus, or the one for what the file is.
    pub strategy: Option<String>,
    /// Values for its parameters; `None` takes those of the document's corpus where the strategy is the same.
    pub settings: Option<Map<String, Value>>,
}

/// What is to be cut.
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
}

/// What a configuration would give.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    /// The document that was cut.
    pub document: Document,
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
    /// Hash of everything beside the document that decides the chunks.
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

/// Figures over chunks. Tokens are those of the whole text with its header.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Statistics {
    /// Number of chunks.
    pub count: usize,
    /// Fewest tokens.
    pub min: usize,
    /// Median of the tokens (the lower one of two).
    pub median: usize,
    /// 95th percentile of the tokens (nearest rank).
    pub p95: usize,
    /// Most tokens.
    pub max: usize,
    /// Mean tokens.
    pub mean: f64,
    /// Sum of the tokens.
    pub total: usize,
    /// Bytes that repeat the chunk before, in percent of all bytes taken from the document.
    pub overlap_percent: f64,
    /// Chunks shorter than the strategy's minimum though they have neighbours.
    pub orphans: usize,
    /// Chunks that one atomic block made longer than the maximum.
    pub oversize: usize,
}

/// How two lists of chunks differ.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Difference {
    /// Chunks that are in both, text for text.
    pub same: usize,
    /// Chunks whose place in the document stays and whose text changes.
    pub changed: usize,
    /// Chunks only the new list has, by position.
    pub added: Vec<usize>,
    /// Chunks only the old list has, by position.
    pub removed: Vec<usize>,
    /// Boundaries of the new list that the old one has not (bytes of the document's text).
    pub boundaries_added: Vec<usize>,
    /// Boundaries of the old list that the new one has not (bytes of the document's text).
    pub boundaries_removed: Vec<usize>,
    /// Tokens of chunks whose text has no twin in the old list: what would be embedded anew.
    pub tokens_to_embed: usize,
}

/// What an import would be.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Preflight {
    /// Files that would be ingested.
    pub files: Vec<PreflightFile>,
    /// What would be left out, and why.
    pub skipped: Vec<FileReport>,
    /// Bytes of the files.
    pub bytes: u64,
    /// Physical pages of the files that have pages and were looked into.
    pub pages: usize,
    /// Estimated tokens.
    pub tokens: usize,
    /// Estimated chunks.
    pub chunks: usize,
    /// Estimated seconds until everything is searchable by words.
    pub seconds: f64,
    /// Estimated seconds of embedding after that with the best model in use.
    pub embedding_seconds: f64,
    /// Estimated cost in US dollars, where a paid model would be used.
    pub cost: Option<f64>,
    /// Whether only some of the files were looked into and the rest was estimated from their size.
    pub sampled: bool,
}

/// A file of an import.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PreflightFile {
    /// Path below the import root.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Source type it would get.
    pub source_type: String,
    /// Strategy that would cut it.
    pub strategy: String,
    /// Why it could not be read.
    pub failure: Option<String>,
}

/// Files that a preflight reads; the others are estimated from their size.
const SAMPLE: usize = 24;
/// Largest file that a preflight reads, in bytes.
const SAMPLE_BYTES: u64 = 4 << 20;
/// Chunks per second of the model that ships inside, on one core and 150 tokens a chunk (measured).
const EMBEDDED_RATE: f64 = 20.0;
/// Chunks per second of the static table, on one core (measured for short chunks).
const INSTANT_RATE: f64 = 30_000.0;
/// Chunks per second of a remote model: a batch of 100 every two seconds.
const REMOTE_RATE: f64 = 50.0;

impl Library {
    /// Cuts a document, a file or a text without storing anything. `workspace` must see a stored document.
    ///
    /// # Errors
    /// [`Error::NotFound`], and [`Error::Invalid`] for a file that cannot be read, or for strategy and settings
    /// that do not fit.
    pub async fn preview(&self, workspace: &str, request: PreviewRequest) -> Result<Preview> {
        let workspace = self.store().workspace(workspace).await?;
        let (path, document, corpus) = match request.source {
            PreviewSource::Document { id } => {
                let (row, document) = self.store().document(workspace.id, id).await?;
                (row.path, document, Some(self.store().corpus_by_id(row.corpus_id).await?))
            }
            PreviewSource::Path { path } => {
                let (name, document) = self.read_path(path).await?;
                (name, document, None)
            }
            PreviewSource::Bytes { name, bytes, page_metadata } => {
                let path = source::upload_path(&name);
                let document = self.read_raw(RawFile { path: path.clone(), bytes, page_metadata }).await?;
                (path, document, None)
            }
        };
        let guessed = || {
            let head = &document.text.as_bytes()[..document.text.len().min(4096)];
            Kind::strategy(source::kind(&path, head, !document.pages.is_empty()).source_type()).to_owned()
        };
        let own = corpus.as_ref().map(|corpus| corpus.strategy.clone());
        let name = request.strategy.or(own).unwrap_or_else(guessed);
        let given = request.settings.unwrap_or_else(|| {
            let same = corpus.as_ref().filter(|corpus| corpus.strategy == name);
            same.map(|corpus| corpus.settings.clone()).unwrap_or_default()
        });
        let (strategy, settings) = plan::checked_settings(&name, &given)?;
        let counterparts = if strategy.name() == "ifrs" {
            pipeline::counterparts_near(None, self.shipped()).unwrap_or_default()
        } else {
            pipeline::Counterparts::new()
        };
        let base_url = corpus.map(|corpus| corpus.base_url).unwrap_or_default();
        let cutting = Cutting { strategy, settings, base_url, counterparts: Arc::new(counterparts) };
        let began = Instant::now();
        let (document, chunks) = pipeline::cut(&cutting, &path, document)
            .await
            .map_err(|failure| Error::Invalid(format!("{} {}", failure.path, failure.message)))?;
        let chunking_ms = began.elapsed().as_secs_f64() * 1e3;
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

    /// How the chunks of `preview` differ from those stored for document `id`.
    ///
    /// # Errors
    /// [`Error::NotFound`] where `workspace` sees no such document.
    pub async fn preview_difference(
        &self,
        workspace: &str,
        id: i64,
        preview: &Preview,
    ) -> Result<Difference> {
        let workspace = self.store().workspace(workspace).await?;
        self.store().document(workspace.id, id).await?;
        let stored = self.store().chunks_of(workspace.id, id, 0, i64::MAX).await?;
        let old: Vec<Cut<'_>> = stored.iter().map(Cut::of_row).collect();
        let new: Vec<Cut<'_>> = preview.chunks.iter().map(Cut::of_preview).collect();
        Ok(difference(&old, &new))
    }

    /// What ingesting `request` would be, without doing it: a sample of the files is read and cut.
    ///
    /// # Errors
    /// As [`Library::ingest`].
    pub async fn preflight(&self, workspace: &str, request: IngestRequest) -> Result<Preflight> {
        self.store().workspace(workspace).await?;
        let request = request.completed()?;
        let shipped = self.shipped().map(std::path::Path::to_owned);
        let settings = self.settings().await?;
        let limit = (settings.integer("max_file_size") as u64) << 20;
        let asked = request.clone();
        let expansions = tokio::task::spawn_blocking(move || -> Result<Vec<source::Expansion>> {
            plan::check(&asked, shipped.as_deref())?;
            plan::paths(&asked, shipped.as_deref())?.iter().map(|path| source::expand(path, limit)).collect()
        });
        let expansions = expansions.await.map_err(|_| Error::Closed)??;
        let mut out = Preflight::default();
        let (mut looked_bytes, mut looked, mut spent) = (0, 0, 0.0);
        let mut raw: Vec<(String, u64, Kind, Option<FileReport>, Origin)> = Vec::new();
        for expansion in expansions {
            out.skipped.extend(expansion.skipped);
            for file in expansion.files {
                let origin = Origin::File(file.origin, file.page_metadata);
                raw.push((file.path, file.bytes, file.kind, file.failure, origin));
            }
        }
        for source in request.sources {
            if let Source::Upload { name, bytes, page_metadata } = source {
                let path = source::upload_path(&name);
                let page_metadata = (!page_metadata.is_empty()).then_some(page_metadata);
                let kind = source::kind(&path, &bytes, page_metadata.is_some());
                raw.push((path, bytes.len() as u64, kind, None, Origin::Bytes(bytes, page_metadata)));
            }
        }
        for (path, bytes, kind, failure, origin) in raw {
            let source_type = request.source_type.as_deref().unwrap_or_else(|| kind.source_type());
            let strategy =
                request.strategy.as_deref().unwrap_or_else(|| Kind::strategy(source_type)).to_owned();
            let mut file = PreflightFile {
                path: path.clone(),
                bytes,
                source_type: source_type.to_owned(),
                strategy: strategy.clone(),
                failure: failure.map(|failure| failure.message),
            };
            if file.failure.is_none() {
                out.bytes += bytes;
                if looked < SAMPLE && bytes <= SAMPLE_BYTES {
                    let began = Instant::now();
                    match self.look_into(path, origin, &strategy, &request.settings).await {
                        Ok((pages, tokens, chunks)) => {
                            out.pages += pages;
                            out.tokens += tokens;
                            out.chunks += chunks;
                            looked += 1;
                            looked_bytes += bytes;
                            spent += began.elapsed().as_secs_f64();
                        }
                        Err(error) => file.failure = Some(error.to_string()),
                    }
                }
            }
            out.files.push(file);
        }
        out.sampled = looked_bytes < out.bytes;
        let scale = if looked_bytes > 0 { out.bytes as f64 / looked_bytes as f64 } else { 1.0 };
        out.tokens = (out.tokens as f64 * scale).round() as usize;
        out.chunks = (out.chunks as f64 * scale).round() as usize;
        out.seconds = spent * scale;
        let tier = self.embedders().await.iter().map(|embedder| embedder.space().tier).max();
        let rate = match tier {
            Some(Tier::Remote) => REMOTE_RATE,
            Some(Tier::Embedded) => EMBEDDED_RATE,
            Some(Tier::Instant) => INSTANT_RATE,
            None => f64::INFINITY,
        };
        out.embedding_seconds = out.chunks as f64 / rate;
        let paid = tier == Some(Tier::Remote) && request.remote == Some(true);
        out.cost = if paid { self.cost_of(out.tokens).await? } else { None };
        Ok(out)
    }

    async fn look_into(
        &self,
        path: String,
        origin: Origin,
        strategy: &str,
        given: &Map<String, Value>,
    ) -> Result<(usize, usize, usize)> {
        let (strategy, settings) = plan::checked_settings(strategy, given)?;
        let document = match origin {
            Origin::Bytes(bytes, page_metadata) => {
                self.read_raw(RawFile { path: path.clone(), bytes, page_metadata }).await?
            }
            Origin::File(file, page_metadata) => self.read_file(path.clone(), file, page_metadata).await?,
        };
        let cutting = Cutting { strategy, settings, base_url: String::new(), counterparts: Arc::default() };
        let pages = document.pages.len();
        let (_, chunks) = pipeline::cut(&cutting, &path, document)
            .await
            .map_err(|failure| Error::Invalid(failure.message))?;
        if let Some(fault) = licensed::contradiction(&cutting, &path, &chunks) {
            return Err(Error::Invalid(fault.message));
        }
        Ok((pages, chunks.iter().map(|chunk| chunk.tokens).sum(), chunks.len()))
    }

    async fn read_path(&self, path: PathBuf) -> Result<(String, Document)> {
        let limit = (self.settings().await?.integer("max_file_size") as u64) << 20;
        let expansion = tokio::task::spawn_blocking(move || source::expand(&path, limit))
            .await
            .map_err(|_| Error::Closed)??;
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
            return Err(Error::Invalid(format!("{} {}", failure.path, failure.message)));
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
        let reading = tokio::task::spawn_blocking(move || -> std::io::Result<_> {
            Ok((std::fs::read(&file)?, page_metadata.map(std::fs::read).transpose()?))
        });
        let read = reading.await.map_err(|_| Error::Closed)?;
        let (bytes, page_metadata) = read.map_err(|error| Error::io(&path, error))?;
        self.read_raw(RawFile { path, bytes, page_metadata }).await
    }

    async fn read_raw(&self, raw: RawFile) -> Result<Document> {
        let said = |failure: FileReport| Error::Invalid(format!("{} {}", failure.path, failure.message));
        let identity = pipeline::identify(&raw).map_err(said)?;
        pipeline::read(&self.0.options.reader, Arc::new(raw), &identity).await.map_err(said)
    }
}

enum Origin {
    File(PathBuf, Option<PathBuf>),
    Bytes(Vec<u8>, Option<Vec<u8>>),
}

/// The fewest tokens a chunk of this configuration should have; 0 where the strategy declares none.
fn minimum(cutting: &Cutting) -> usize {
    cutting.settings.integer("min_tokens")
}

fn preview_chunks(chunks: Vec<NewChunk>, minimum: usize) -> Vec<PreviewChunk> {
    let several = chunks.len() > 1;
    chunks
        .into_iter()
        .map(|chunk| {
            let overlap = source_bytes(&chunk.pieces, Role::Overlap);
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

fn source_bytes(pieces: &[Piece], wanted: Role) -> usize {
    let bytes = pieces.iter().map(|piece| match piece {
        Piece::Source { span, role } if *role == wanted => span.len(),
        _ => 0,
    });
    bytes.sum()
}

/// Figures over `chunks`.
pub fn statistics(chunks: &[PreviewChunk]) -> Statistics {
    let mut tokens: Vec<usize> = chunks.iter().map(|chunk| chunk.tokens).collect();
    tokens.sort_unstable();
    let (Some(&min), Some(&max)) = (tokens.first(), tokens.last()) else { return Statistics::default() };
    let rank = |percent: usize| tokens[(tokens.len() * percent).div_ceil(100).max(1) - 1];
    let total: usize = tokens.iter().sum();
    let repeated: usize = chunks.iter().map(|chunk| chunk.overlap).sum();
    let own: usize = chunks.iter().map(|chunk| source_bytes(&chunk.pieces, Role::Body)).sum();
    Statistics {
        count: chunks.len(),
        min,
        median: rank(50),
        p95: rank(95),
        max,
        mean: total as f64 / chunks.len() as f64,
        total,
        overlap_percent: if repeated + own == 0 {
            0.0
        } else {
            100.0 * repeated as f64 / (repeated + own) as f64
        },
        orphans: chunks.iter().filter(|chunk| chunk.orphan).count(),
        oversize: chunks.iter().filter(|chunk| chunk.oversize).count(),
    }
}

/// A chunk as far as a comparison needs it.
#[derive(Debug, Clone, Copy)]
pub struct Cut<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Cut<'a> {
    /// A stored chunk.
    pub fn of_row(row: &'a ChunkRow) -> Self {
        let spans = row.pieces.iter().filter_map(|piece| match piece {
            Piece::Source { span, role: Role::Body } => Some(*span),
            _ => None,
        });
        let (start, end) =
            spans.fold((usize::MAX, 0), |(start, end), span| (start.min(span.start), end.max(span.end)));
        Self { text: &row.text, start: start.min(end), end }
    }

    /// A chunk that is not stored.
    pub fn of_preview(chunk: &'a PreviewChunk) -> Self {
        Self { text: &chunk.text, start: chunk.extent.start, end: chunk.extent.end }
    }
}

/// How `new` differs from `old`.
pub fn difference(old: &[Cut<'_>], new: &[Cut<'_>]) -> Difference {
    let mut texts: HashMap<&str, Vec<usize>> = HashMap::new();
    for (position, cut) in old.iter().enumerate().rev() {
        texts.entry(cut.text).or_default().push(position);
    }
    let mut out = Difference::default();
    let mut left: Vec<bool> = vec![true; old.len()];
    let mut unmatched = Vec::new();
    for (position, cut) in new.iter().enumerate() {
        match texts.get_mut(cut.text).and_then(Vec::pop) {
            Some(twin) => {
                left[twin] = false;
                out.same += 1;
            }
            None => unmatched.push(position),
        }
    }
    let known: std::collections::HashSet<&str> = old.iter().map(|cut| cut.text).collect();
    let fresh = unmatched.iter().map(|position| new[*position].text).filter(|text| !known.contains(text));
    out.tokens_to_embed = fresh.map(|text| TOKENS.count(text)).sum();
    let mut places: HashMap<(usize, usize), usize> = HashMap::new();
    for (position, cut) in old.iter().enumerate().filter(|(position, _)| left[*position]) {
        places.insert((cut.start, cut.end), position);
    }
    for position in unmatched {
        match places.remove(&(new[position].start, new[position].end)) {
            Some(twin) => {
                left[twin] = false;
                out.changed += 1;
            }
            None => out.added.push(position),
        }
    }
    out.removed = (0..old.len()).filter(|position| left[*position]).collect();
    let (old, new) = (boundaries(old), boundaries(new));
    out.boundaries_added = new.difference(&old).copied().collect();
    out.boundaries_removed = old.difference(&new).copied().collect();
    out
}

fn boundaries(cuts: &[Cut<'_>]) -> std::collections::BTreeSet<usize> {
    cuts.iter().map(|cut| cut.start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cuts<'a>(text: &'a str, bounds: &[usize]) -> Vec<Cut<'a>> {
        let mut all = vec![0];
        all.extend(bounds.iter().map(|bound| bound % (text.len() + 1)));
        all.push(text.len());
        all.sort_unstable();
        all.dedup();
        all.windows(2)
            .map(|pair| Cut { text: &text[pair[0]..pair[1]], start: pair[0], end: pair[1] })
            .collect()
    }

    proptest! {
        #[test]
        fn every_chunk_of_both_lists_is_accounted_for(
            text in "[ab ]{0,40}",
            old in prop::collection::vec(0_usize..100, 0..8),
            new in prop::collection::vec(0_usize..100, 0..8),
        ) {
            let (old, new) = (cuts(&text, &old), cuts(&text, &new));
            let difference = difference(&old, &new);
            prop_assert_eq!(difference.same + difference.changed + difference.added.len(), new.len());
            prop_assert_eq!(difference.same + difference.changed + difference.removed.len(), old.len());
            let kept = boundaries(&old).len() - difference.boundaries_removed.len();
            prop_assert_eq!(kept + difference.boundaries_added.len(), boundaries(&new).len());
        }

        #[test]
        fn a_list_does_not_differ_from_itself(text in "[ab ]{0,40}", bounds in prop::collection::vec(0_usize..100, 0..8)) {
            let cuts = cuts(&text, &bounds);
            let expected = Difference { same: cuts.len(), ..Difference::default() };
            prop_assert_eq!(difference(&cuts, &cuts), expected);
        }
    }

    fn chunk(tokens: usize, body: usize, overlap: usize) -> PreviewChunk {
        let piece = |start, length, role| Piece::Source { span: Span::new(start, start + length), role };
        PreviewChunk {
            parent: None,
            text: String::new(),
            pieces: vec![piece(0, overlap, Role::Overlap), piece(overlap, body, Role::Body)],
            extent: Span::new(overlap, overlap + body),
            metadata: Map::new(),
            pages: None,
            tokens,
            word_count: 0,
            overlap,
            oversize: tokens > 800,
            orphan: tokens < 200,
            content_hash: String::new(),
        }
    }

    #[test]
    fn figures_are_those_of_the_chunks() {
        let chunks: Vec<PreviewChunk> = (1..=100).map(|n| chunk(n * 10, 75, 25)).collect();
        let figures = statistics(&chunks);
        assert_eq!(
            (figures.count, figures.min, figures.median, figures.p95, figures.max),
            (100, 10, 500, 950, 1000)
        );
        assert_eq!((figures.mean, figures.total, figures.overlap_percent), (505.0, 50_500, 25.0));
        assert_eq!((figures.orphans, figures.oversize), (19, 20));
        assert_eq!(statistics(&[]), Statistics::default());
    }
}
