//! What ingesting would involve: a sample of its files is read and chunked, and the rest is estimated from its size.

use super::FileReport;
use super::check;
use super::draft::draft;
use super::pipeline::{self, Cutting};
use super::raw::RawFile;
use super::{IngestRequest, Source, licensed, ocr, source};
use crate::embed::{Embedder, Tier};
use crate::error::{Error, Result};
use crate::library::Ingest;
use crate::store::hash;
use crate::store::origin::FileOrigin;
use crate::store::table::corpus::NewCorpus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::format::{FORMATS, Input};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// What ingesting would involve.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Preflight {
    /// Files that would be ingested.
    pub files: Vec<PreflightFile>,
    /// What would be left out, and why.
    pub skipped: Vec<FileReport>,
    /// Bytes of the files.
    pub bytes: u64,
    /// Estimated physical pages of the files that have pages.
    pub pages: usize,
    /// Estimated number of these pages without text, which OCR has to read.
    pub pages_without_text: usize,
    /// Estimated seconds of OCR for them.
    pub ocr_seconds: f64,
    /// Whether OCR can read them: it is installed, and not off in the settings.
    pub ocr_possible: bool,
    /// Estimated tokens.
    pub tokens: usize,
    /// Estimated chunks.
    pub chunks: usize,
    /// Estimated seconds until everything is searchable by words.
    pub seconds: f64,
    /// Estimated seconds for embedding texts without a vector after that, with the best model in use.
    pub embedding_seconds: f64,
    /// Estimated cost in US dollars of texts without a vector of the remote model; `None` if nothing would be sent
    /// to it.
    pub cost: Option<f64>,
    /// Whether only some of the files were looked into and the rest was estimated from their size.
    pub sampled: bool,
}

/// A file that would be ingested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreflightFile {
    /// Path below the import root.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Source type it would get.
    pub source_type: String,
    /// Strategy that would chunk it.
    pub strategy: String,
    /// Why it could not be read.
    pub failure: Option<String>,
    /// Stable code of that cause, such as `password_needed`.
    pub code: Option<String>,
}

/// Files that a preflight reads; the others are estimated from their size.
const SAMPLE: usize = 24;
/// Largest file that a preflight reads, in bytes.
const SAMPLE_BYTES: u64 = 4 << 20;
/// Tokens per second of the model that ships inside, on one core: 20 chunks of 150 (measured).
const EMBEDDED_RATE: f64 = 3_000.0;
/// Tokens per second of the static table, on one core: 30,000 chunks of 150 (measured).
const INSTANT_RATE: f64 = 4_500_000.0;
/// Tokens per second of a remote model: a batch of 8,000 every two seconds.
const REMOTE_RATE: f64 = 4_000.0;

/// A file that would be ingested, before it is examined.
struct FileToSample<'a> {
    path: String,
    bytes: u64,
    corpus: &'a NewCorpus,
    origin: Origin,
    failure: Option<FileReport>,
}

/// Where to read a file's bytes.
enum Origin {
    File(PathBuf, Option<PathBuf>),
    Bytes(Vec<u8>, Option<Vec<u8>>),
    /// In a file that was sent before, with the page metadata that came with the request.
    Sent(PathBuf, Option<Vec<u8>>),
    /// With the stored document of this row.
    Stored(i64),
}

/// The contents of a file that was looked into.
struct Look {
    pages: usize,
    /// Pages without text.
    unread: usize,
    tokens: usize,
    chunks: usize,
    /// Tokens of the chunks without a vector of the best model.
    new_tokens: usize,
    seconds: f64,
}

/// Sums over files of one model and one kind: a page of a PDF takes many more bytes than its text.
#[derive(Default)]
struct Tally {
    /// Bytes of all files, and of those that were looked into.
    bytes: u64,
    looked: u64,
    pages: usize,
    unread: usize,
    tokens: usize,
    chunks: usize,
    new_tokens: usize,
    seconds: f64,
}

impl Tally {
    fn add(&mut self, bytes: u64, look: &Look) {
        self.looked += bytes;
        self.pages += look.pages;
        self.unread += look.unread;
        self.tokens += look.tokens;
        self.chunks += look.chunks;
        self.new_tokens += look.new_tokens;
        self.seconds += look.seconds;
    }

    /// `sum` over the sample of files `like` these, extrapolated to all of these.
    fn whole(&self, like: &Self, sum: impl Fn(&Self) -> f64) -> f64 {
        if like.looked == 0 { 0.0 } else { sum(like) * self.bytes as f64 / like.looked as f64 }
    }
}

/// Whether a file has the name of a format whose bytes say little about the length of its text.
fn is_paged(path: &str) -> bool {
    let input = Input { name: path, bytes: &[], page_metadata: None };
    FORMATS.iter().any(|format| format.untrusted() && format.extensions().contains(&&*input.extension()))
}

/// Which of `files` are looked into, spread evenly over the list. Files with pages and other files get up to half
/// the sample each, or more if there are fewer of the others.
fn sample(files: &[FileToSample<'_>]) -> HashSet<usize> {
    let (paged, others): (Vec<usize>, Vec<usize>) = (0..files.len())
        .filter(|&n| files[n].failure.is_none() && files[n].bytes <= SAMPLE_BYTES)
        .partition(|&n| is_paged(&files[n].path));
    let of_paged = paged.len().min(SAMPLE - others.len().min(SAMPLE / 2));
    let of_others = others.len().min(SAMPLE - of_paged);
    let spread = |list: Vec<usize>, count: usize| (0..count).map(move |n| list[n * list.len() / count]);
    spread(paged, of_paged).chain(spread(others, of_others)).collect()
}

impl Ingest<'_> {
    /// What ingesting `request` would involve, without doing it: a sample of the files is read and chunked.
    ///
    /// # Errors
    /// As [`Ingest::start`].
    pub async fn preflight(&self, workspace: &str, request: IngestRequest) -> Result<Preflight> {
        let workspace = self.library.store().workspace(workspace).await?;
        let mut request = request.completed()?;
        let (asked, shipped) = (request.clone(), self.library.shipped().map(std::path::Path::to_owned));
        let checked = tokio::task::spawn_blocking(move || check::check(&asked, shipped.as_deref()));
        checked.await??;
        let uploads = self.heads(&request).await?;
        let draft = draft(self.library, &workspace, &request, &uploads).await?;
        let mut out = Preflight { skipped: draft.skipped, ..Preflight::default() };
        let uploaded = request.sources.iter_mut().filter_map(|source| match source {
            Source::Upload { bytes, file, page_metadata, .. } => {
                Some((std::mem::take(bytes), file.take(), std::mem::take(page_metadata)))
            }
            _ => None,
        });
        let mut uploaded: Vec<_> = uploaded.collect();
        let mut files = Vec::new();
        for (name, candidate) in draft.candidates {
            let (bytes, origin) = match candidate.origin {
                FileOrigin::Path(path) => {
                    let beside = candidate.page_metadata.map(PathBuf::from);
                    (candidate.bytes, Origin::File(PathBuf::from(path), beside))
                }
                FileOrigin::Stored(id) => (candidate.bytes, Origin::Stored(id)),
                FileOrigin::Upload(position) => {
                    let (bytes, file, metadata) = std::mem::take(&mut uploaded[position]);
                    let metadata = (!metadata.is_empty()).then_some(metadata);
                    match file {
                        Some(id) => {
                            let file = self.library.spool().path(&id)?;
                            let bytes = std::fs::metadata(&file).map_err(|error| Error::io(&file, error))?;
                            (bytes.len(), Origin::Sent(file, metadata))
                        }
                        None => (bytes.len() as u64, Origin::Bytes(bytes, metadata)),
                    }
                }
            };
            let (path, failure) = (candidate.path, candidate.failure);
            files.push(FileToSample { path, bytes, corpus: &draft.corpora[&name], origin, failure });
        }
        for stored in &draft.stored {
            let sizes =
                self.library.store().source_sizes(stored.documents.iter().map(|d| d.id).collect()).await?;
            for document in &stored.documents {
                files.push(FileToSample {
                    path: document.path.clone(),
                    bytes: sizes.get(&document.id).copied().unwrap_or(0),
                    corpus: &stored.corpus,
                    origin: Origin::Stored(document.id),
                    failure: None,
                });
            }
        }
        self.survey(files, &mut out).await?;
        Ok(out)
    }

    /// The uploads of a request: name, first bytes, and whether page metadata came with it.
    async fn heads(&self, request: &IngestRequest) -> Result<Vec<(String, Vec<u8>, bool)>> {
        let mut heads = Vec::new();
        for source in &request.sources {
            let Source::Upload { name, bytes, file, page_metadata } = source else { continue };
            let head = match file {
                Some(id) => {
                    let file = self.library.spool().path(id)?;
                    let read = tokio::task::spawn_blocking(move || {
                        source::head(&file).map_err(|error| Error::io(&file, error))
                    });
                    read.await??
                }
                None => bytes[..bytes.len().min(source::HEAD)].to_vec(),
            };
            heads.push((name.clone(), head, !page_metadata.is_empty()));
        }
        Ok(heads)
    }

    /// Looks into a sample of `files` and fills the sums of `out`.
    async fn survey(&self, files: Vec<FileToSample<'_>>, out: &mut Preflight) -> Result<()> {
        let embedders = self.library.models().embedders().await;
        let sample = sample(&files);
        let off = self.library.settings().await?.text("ocr") == "off";
        out.ocr_possible = !off && self.library.ocr_state().await?.installed;
        // By whether they may be sent, and whether they have pages.
        let mut tallies: [[Tally; 2]; 2] = Default::default();
        for (number, file) in files.into_iter().enumerate() {
            let FileToSample { path, bytes, corpus, origin, failure } = file;
            let mut told = PreflightFile {
                path: path.clone(),
                bytes,
                source_type: corpus.source_type.clone(),
                strategy: corpus.strategy.clone(),
                code: failure.as_ref().map(|failure| failure.code.clone()),
                failure: failure.map(|failure| failure.message),
            };
            if told.failure.is_none() {
                let tally = &mut tallies[usize::from(corpus.remote)][usize::from(is_paged(&path))];
                if sample.contains(&number) {
                    match self
                        .look_into(path, origin, corpus, best(&embedders, corpus.remote), out.ocr_possible)
                        .await
                    {
                        Ok(look) => tally.add(bytes, &look),
                        Err(error) => {
                            // The list names the file already.
                            let said = error.to_string();
                            let why = said.strip_prefix(&told.path).unwrap_or(&said);
                            told.failure = Some(why.trim_start_matches([':', ' ']).to_owned());
                            told.code = Some(error.code().to_owned());
                        }
                    }
                }
                if told.failure.is_none() {
                    tally.bytes += bytes;
                }
            }
            out.files.push(told);
        }
        let all = || tallies.iter().flatten();
        out.bytes = all().map(|tally| tally.bytes).sum();
        out.sampled = all().map(|tally| tally.looked).sum::<u64>() < out.bytes;
        let (mut unread, mut pages, mut tokens, mut chunks, mut sent) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (remote, paged) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let tally = &tallies[remote][paged];
            let looked = |tally: &&Tally| tally.looked > 0;
            let alike = [tally, &tallies[1 - remote][paged]].into_iter().find(looked);
            pages += alike.map_or(0.0, |like| tally.whole(like, |t| t.pages as f64));
            unread += alike.map_or(0.0, |like| tally.whole(like, |t| t.unread as f64));
            let like = alike.or_else(|| all().find(looked)).unwrap_or(tally);
            let whole = |sum: fn(&Tally) -> f64| tally.whole(like, sum);
            tokens += whole(|t| t.tokens as f64);
            chunks += whole(|t| t.chunks as f64);
            out.seconds += whole(|t| t.seconds);
            let new = whole(|t| t.new_tokens as f64);
            let tier = best(&embedders, remote == 1).map(|embedder| embedder.space().tier);
            out.embedding_seconds += new / rate(tier);
            sent += if remote == 1 { new } else { 0.0 };
        }
        (out.pages, out.tokens, out.chunks) =
            (pages.round() as usize, tokens.round() as usize, chunks.round() as usize);
        out.pages_without_text = unread.round() as usize;
        out.ocr_seconds = unread * ocr::SECONDS / ocr::cores() as f64;
        if tallies[1].iter().any(|tally| tally.bytes > 0) {
            out.cost = self.library.models().cost_of(sent.round() as usize).await?;
        }
        Ok(())
    }

    async fn look_into(
        &self,
        path: String,
        origin: Origin,
        corpus: &NewCorpus,
        embedder: Option<&Arc<dyn Embedder>>,
        ocr: bool,
    ) -> Result<Look> {
        let began = Instant::now();
        let (strategy, settings) = check::checked_settings(&corpus.strategy, &corpus.settings)?;
        let raw = match origin {
            Origin::Bytes(bytes, page_metadata) => RawFile { path: path.clone(), bytes, page_metadata },
            Origin::File(file, page_metadata) => self.raw(path.clone(), file, page_metadata).await?,
            Origin::Sent(file, page_metadata) => {
                RawFile { page_metadata, ..self.raw(path.clone(), file, None).await? }
            }
            Origin::Stored(id) => {
                let (bytes, page_metadata, _) = self.library.store().source_of_row(id).await?;
                RawFile { path: path.clone(), bytes, page_metadata }
            }
        };
        let said = |failure: FileReport| Error::File(Box::new(failure));
        let identity = pipeline::identify(&raw).map_err(said)?;
        let (reader, passwords) = (&self.library.options().reader, self.library.passwords().all());
        let mut document =
            pipeline::read_text(reader, &Arc::new(raw), &identity, passwords).await.map_err(said)?;
        let unread = document.pages_without_text().len();
        if unread == 0 || !ocr {
            document = pipeline::some_text(&path, document).map_err(said)?;
        }
        let model = self.library.models().window_of(strategy).await;
        let cutting =
            Cutting { strategy, settings, base_url: String::new(), counterparts: Arc::default(), model };
        let pages = document.page_count();
        let chunks = pipeline::cut(&cutting, &path, &Arc::new(document))
            .await
            .map_err(|failure| Error::File(Box::new(failure)))?;
        if let Some(fault) = licensed::contradiction(&cutting, &path, &chunks) {
            return Err(Error::Invalid(fault.message));
        }
        let seconds = began.elapsed().as_secs_f64();
        let hashes: Vec<[u8; 32]> = chunks.iter().map(|chunk| hash(chunk.text.as_bytes())).collect();
        let known = match embedder {
            Some(embedder) => {
                self.library.store().known_inputs(&embedder.space().id(), hashes.clone()).await?
            }
            None => Default::default(),
        };
        let fresh = chunks.iter().zip(&hashes).filter(|(_, hash)| !known.contains(*hash));
        let new_tokens = fresh.map(|(chunk, _)| chunk.tokens).sum();
        let tokens = chunks.iter().map(|chunk| chunk.tokens).sum();
        Ok(Look { pages, unread, tokens, chunks: chunks.len(), new_tokens, seconds })
    }
}

/// The best model in use for a corpus that may leave the machine (`remote`) or must stay.
pub(crate) fn best(embedders: &[Arc<dyn Embedder>], remote: bool) -> Option<&Arc<dyn Embedder>> {
    let allowed = embedders.iter().filter(|embedder| remote || embedder.space().tier != Tier::Remote);
    allowed.max_by_key(|embedder| embedder.space().tier)
}

/// Tokens per second; without a model there is nothing to do.
fn rate(tier: Option<Tier>) -> f64 {
    match tier {
        Some(Tier::Remote) => REMOTE_RATE,
        Some(Tier::Embedded) => EMBEDDED_RATE,
        Some(Tier::Instant) => INSTANT_RATE,
        None => f64::INFINITY,
    }
}
