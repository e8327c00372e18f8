//! One document's way: bytes → format → document → strategy → chunks. Storing is left to the caller.

use super::ocr::{Ocr, OcrStep};
use super::raw::RawFile;
use super::{FileReport, Stage};
use crate::embed::Embedder;
use crate::error::Result;
use crate::reader::{self, ReaderProgram};
use crate::store::table::chunk::{NewChunk, OCR};
use crate::store::{hash, hex, short_hash};
use serde_json::Value;
use sibyl_text::chunk::{ChunkContext, Strategy, Window, given, phrased};
use sibyl_text::document::{Notice, Severity};
use sibyl_text::figure::Figure;
use sibyl_text::format::{Format, Input, format_of, renamed, supported};
use sibyl_text::tokens::{CharsPerToken, TokenCounter};
use sibyl_text::{Document, Piece, Settings, source_type};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Raised whenever the same document and settings would give other chunks, so that ingesting again chunks it again.
pub const INDEX_VERSION: u32 = 4;

/// Counts tokens everywhere.
pub static TOKENS: CharsPerToken = CharsPerToken;

/// S2 paragraph or item to the S1 one that answers to it.
pub type Counterparts = BTreeMap<String, String>;

/// How documents are chunked.
#[derive(Clone)]
pub struct Cutting {
    /// The strategy.
    pub strategy: &'static dyn Strategy,
    /// Its checked settings.
    pub settings: Settings,
    /// Base URL of the corpus.
    pub base_url: String,
    /// Counterparts, for the strategy that uses them.
    pub counterparts: Arc<Counterparts>,
    /// The model whose window counts, for the strategy that keeps to one; `None` for others, and without a model.
    pub model: Option<Arc<dyn Embedder>>,
}

/// Counts tokens as an embedding model does.
struct OfModel<'a>(&'a dyn Embedder);

impl TokenCounter for OfModel<'_> {
    fn name(&self) -> &str {
        &self.0.space().model
    }
    fn count(&self, text: &str) -> usize {
        // What cannot be counted fits nowhere.
        self.0.tokens(text).unwrap_or(usize::MAX / 4)
    }
}

impl Cutting {
    /// Hash of everything besides the document that decides its chunks.
    pub fn hash(&self) -> String {
        // Sorted by name: the order in which they were given does not matter.
        let settings: BTreeMap<&String, &Value> = self.settings.values().iter().collect();
        let settings = serde_json::json!(settings).to_string();
        let counterparts: Vec<&str> =
            self.counterparts.iter().flat_map(|(s2, s1)| [s2.as_str(), s1.as_str()]).collect();
        let (version, counterparts) = (INDEX_VERSION.to_string(), short_hash(&counterparts));
        let mut parts =
            vec![&*version, self.strategy.name(), &settings, TOKENS.name(), &self.base_url, &counterparts];
        parts.extend(self.model.iter().map(|model| model.space().model.as_str()));
        short_hash(&parts)
    }

    /// Chunks `document`. Pure and deterministic.
    pub fn cut(&self, path: &str, document: &Document) -> Vec<NewChunk> {
        let counter = self.model.as_deref().map(OfModel);
        let window =
            counter.as_ref().and_then(|counter| Some(Window { tokens: counter, most: counter.0.window()? }));
        let context = ChunkContext {
            path,
            tokens: &TOKENS,
            window,
            counterparts: &self.counterparts,
            base_url: &self.base_url,
        };
        let mut chunks = self.strategy.chunk(document, &self.settings, &context);
        let phrases = given(document);
        if let Some(first) = chunks.first_mut().filter(|_| !phrases.is_empty()) {
            first.pieces.push(Piece::Aid { text: phrased(&phrases), by_hand: false });
        }
        chunks
            .into_iter()
            .map(|chunk| {
                let text = chunk.text(&document.text);
                let extent = chunk.extent();
                let mut metadata = chunk.metadata;
                if let Some(read) = &document.recognition
                    && let Some(confidence) = read.confidence(extent)
                {
                    let doubtful: Vec<&str> =
                        read.doubtful_in(extent).map(|word| word.of(&document.text)).collect();
                    metadata.insert(
                        OCR.to_owned(),
                        serde_json::json!({ "confidence": confidence, "doubtful": doubtful }),
                    );
                }
                NewChunk {
                    parent: chunk.parent,
                    tokens: TOKENS.count(&text),
                    text,
                    pages: document.pages_of(extent),
                    extent,
                    oversize: chunk.oversize,
                    pieces: chunk.pieces,
                    metadata,
                }
            })
            .collect()
    }
}

/// What a file is before it is read.
#[derive(Clone, Copy)]
pub struct Identity {
    /// The format that reads it.
    pub format: &'static dyn Format,
    source: [u8; 32],
    version: [u8; 32],
}

impl Identity {
    /// SHA-256 of the bytes (hex).
    pub fn source_hash(&self) -> String {
        hex(&self.source)
    }

    /// Hash of bytes, page metadata, format and format version (hex): the same text comes out as long as it stays.
    pub fn text_version(&self) -> String {
        hex(&self.version[..16])
    }

    /// The text version of `document`. It also depends on OCR if that read a part, since OCR may read the same
    /// bytes differently.
    pub fn version_of(&self, document: &Document) -> String {
        match &document.recognition {
            Some(read) => {
                format!("{}-{}", self.text_version(), short_hash(&[&read.languages, &document.text]))
            }
            None => self.text_version(),
        }
    }
}

/// Recognises `file` by its bytes, whatever it is called.
///
/// # Errors
/// A [`FileReport`] if no format reads it.
pub fn identify(file: &RawFile) -> std::result::Result<Identity, FileReport> {
    let Some(format) = format_of(&input(file)) else {
        let message = format!("is not in a supported format; convert it to {}", supported("or"));
        return Err(FileReport::new(&file.path, "unknown_format", message));
    };
    let source = hash(&file.bytes);
    let metadata = file.page_metadata.as_deref().map(hash).unwrap_or_default();
    let name = format!("{}/{}", format.name(), format.version());
    let version = hash(&[&source, &metadata, name.as_bytes()].concat());
    Ok(Identity { format, source, version })
}

/// Reads `file`: in a child process where its format cannot be trusted. `passwords` are tried if it is locked;
/// `ocr` reads its pages without text and reports its progress.
///
/// # Errors
/// A [`FileReport`] if nothing could be read.
pub async fn read(
    program: &ReaderProgram,
    file: Arc<RawFile>,
    identity: &Identity,
    passwords: Vec<String>,
    (ocr, heard): (&Ocr, &(dyn Fn(OcrStep) + Sync)),
) -> std::result::Result<Document, FileReport> {
    let document = read_text(program, &file, identity, passwords.clone()).await?;
    some_text(&file.path, ocr.complete(program, &file, &passwords, document, heard).await)
}

/// `document`, unless nothing of it could be read.
pub(super) fn some_text(path: &str, document: Document) -> std::result::Result<Document, FileReport> {
    match document.notices.iter().find(|notice| notice.severity == Severity::Error) {
        Some(notice) if document.text.trim().is_empty() => Err(said(path, notice, &document)),
        _ => Ok(document),
    }
}

/// Reads the text of `file`, which may be empty.
pub(super) async fn read_text(
    program: &ReaderProgram,
    file: &Arc<RawFile>,
    identity: &Identity,
    passwords: Vec<String>,
) -> std::result::Result<Document, FileReport> {
    let format = identity.format;
    let mut document = if format.untrusted() && *program != ReaderProgram::InProcess {
        let limit = reader::time_limit(file.bytes.len());
        reader::read(program, format.name(), &input(file), passwords, limit)
            .await
            .map_err(|error| FileReport::new(&file.path, error.code(), error.to_string()))?
    } else {
        let shared = Arc::clone(file);
        let reading = tokio::task::spawn_blocking(move || format.read_locked(&input(&shared), &passwords));
        reading.await.map_err(|error| stopped(&file.path, "reader_crashed", &error))?
    };
    document.notices.extend(renamed(format, &input(file)));
    Ok(document)
}

/// Chunks `document` on a thread of its own.
///
/// # Errors
/// A [`FileReport`] where the strategy crashed.
pub async fn cut(
    cutting: &Cutting,
    path: &str,
    document: &Arc<Document>,
) -> std::result::Result<Vec<NewChunk>, FileReport> {
    let (cutting, name, document) = (cutting.clone(), path.to_owned(), Arc::clone(document));
    let work = tokio::task::spawn_blocking(move || cutting.cut(&name, &document));
    work.await.map_err(|error| stopped(path, "chunking_crashed", &error))
}

/// The numbers that `document` reports, read on a thread of its own; a standard reports none.
///
/// # Errors
/// If the thread crashed.
pub async fn figures(cutting: &Cutting, document: &Arc<Document>) -> Result<Vec<Figure>> {
    let silent = source_type::all().iter().filter(|one| !one.reports_figures());
    if silent.map(|one| one.strategy).any(|strategy| strategy == cutting.strategy.name()) {
        return Ok(Vec::new());
    }
    let document = Arc::clone(document);
    Ok(tokio::task::spawn_blocking(move || sibyl_text::figure::figures(&document)).await?)
}

/// What a document is called: by itself, else by its file.
pub fn title(document: &Document, path: &str) -> String {
    let own = document.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    own.map_or_else(
        || {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
        },
        str::to_owned,
    )
}

/// The notices of `document` as a report about `path`.
pub fn notices(path: &str, document: &Document) -> Vec<FileReport> {
    document.notices.iter().map(|notice| said(path, notice, document)).collect()
}

/// The table of counterparts beside the file at `origin`, else the one that ships; `None` if there is neither.
///
/// # Errors
/// A message that says what is wrong with it.
pub(super) fn counterparts_near(
    folder: Option<&Path>,
    shipped: Option<&Path>,
) -> std::result::Result<Counterparts, String> {
    let Some(file) = source_type::counterparts() else { return Ok(Counterparts::new()) };
    let beside = folder.zip(Path::new(file).file_name()).map(|(folder, name)| folder.join(name));
    let shipped = shipped.map(|folder| folder.join(file));
    let Some(path) = [beside, shipped].into_iter().flatten().find(|path| path.is_file()) else {
        return Ok(Counterparts::new());
    };
    let json = std::fs::read(&path).map_err(|error| error.to_string())?;
    sibyl_text::chunk::ifrs::counterparts(&json).map_err(|error| format!("{}: {error}", path.display()))
}

/// The stage a failure belongs to, by its code.
pub(super) fn stage_of(failure: &FileReport) -> Stage {
    if matches!(failure.code.as_str(), "chunking_crashed" | "no_paragraphs") {
        Stage::Chunk
    } else {
        Stage::Read
    }
}

fn input(file: &RawFile) -> Input<'_> {
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    Input { name, bytes: &file.bytes, page_metadata: file.page_metadata.as_deref() }
}

fn said(path: &str, notice: &Notice, document: &Document) -> FileReport {
    FileReport {
        path: path.to_owned(),
        line: notice.line,
        page: notice.page,
        page_label: notice.page.and_then(|page| document.label_of(page)),
        code: notice.code.clone(),
        message: notice.message.clone(),
    }
}

fn stopped(path: &str, code: &str, error: &tokio::task::JoinError) -> FileReport {
    let message = format!("could not be processed ({error}); save it again with another program, then retry");
    FileReport::new(path, code, message)
}

/// Reads `path` if it has at most `limit` bytes.
///
/// # Errors
/// A [`FileReport`] with cause and cure.
pub(super) async fn load(origin: String, path: &str, limit: u64) -> std::result::Result<Vec<u8>, FileReport> {
    let work = tokio::task::spawn_blocking(move || -> std::io::Result<std::result::Result<Vec<u8>, u64>> {
        let size = std::fs::metadata(&origin)?.len();
        if size > limit {
            return Ok(Err(size));
        }
        Ok(Ok(std::fs::read(&origin)?))
    });
    let loaded: Result<_> = work.await.map_err(crate::error::Error::from);
    match loaded {
        Ok(Ok(Ok(bytes))) => Ok(bytes),
        Ok(Ok(Err(size))) => Err(FileReport::new(path, "too_large", super::source::too_large(size, limit))),
        Ok(Err(error)) => Err(FileReport::new(
            path,
            "io",
            format!("cannot be opened ({error}); check that it exists and that you may read it"),
        )),
        Err(error) => Err(FileReport::new(path, error.code(), error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::check::checked_settings;
    use serde_json::json;

    #[test]
    fn settings_are_hashed_whatever_order_they_are_given_in() {
        let hash = |given: Value| {
            let (strategy, settings) = checked_settings("recursive", given.as_object().unwrap()).unwrap();
            Cutting { strategy, settings, base_url: String::new(), counterparts: Arc::default(), model: None }
                .hash()
        };
        let one = hash(json!({ "chunk_size": 300, "chunk_overlap": 10 }));
        assert_eq!(one, hash(json!({ "chunk_overlap": 10, "chunk_size": 300 })));
        assert_ne!(one, hash(json!({ "chunk_overlap": 11, "chunk_size": 300 })));
    }

    #[test]
    fn phrases_of_the_front_matter_find_the_first_chunk_and_are_no_part_of_it() {
        let source = "---\ntitle: Leave\nsearch_phrases: [how do I book a holiday, days off]\n---\n\n# Leave\n\nAsk the office.\n\n# Pay\n\nIt comes monthly.\n";
        let input = Input { name: "leave.md", bytes: source.as_bytes(), page_metadata: None };
        let document = format_of(&input).unwrap().read(&input);
        let (strategy, settings) = checked_settings("docs", json!({}).as_object().unwrap()).unwrap();
        let cutting = Cutting {
            strategy,
            settings,
            base_url: String::new(),
            counterparts: Arc::default(),
            model: None,
        };
        let chunks = cutting.cut("leave.md", &document);
        let phrases = |n: usize| sibyl_text::chunk::phrases(&chunks[n].pieces, &chunks[n].text);
        assert_eq!(phrases(0), ["how do I book a holiday", "days off"]);
        assert!(chunks[0].text.ends_with("*Asked as:* how do I book a holiday; days off."));
        let passage = sibyl_text::chunk::passage(&chunks[0].pieces, &chunks[0].text);
        assert!(passage.contains("Ask the office.") && !passage.contains("holiday"), "{passage}");
        assert!((1..chunks.len()).all(|n| phrases(n).is_empty()));
    }
}
