//! One file of a job, up to the point where it can be stored.

use super::progress::Steps;
use crate::error::Result;
use crate::ingest::FileReport;
use crate::ingest::pipeline::{self, Cutting};
use crate::ingest::raw::RawFile;
use crate::ingest::{licensed, source};
use crate::library::Library;
use crate::store::job::{ChunkChanges, FileResult};
use crate::store::origin::{DocumentOrigin, FileOrigin};
use crate::store::table::document::{DocumentRow, NewDocument};
use crate::store::table::job_file::{FileOutcome, PlannedFile};
use sibyl_text::tokens::TokenCounter as _;
use std::sync::Arc;

/// A file after reading and chunking, before storing.
pub(super) enum Prepared {
    Unchanged { id: i64, root: String, origin: DocumentOrigin, outcome: FileOutcome },
    Changed(Box<NewDocument>),
    Failed(FileOutcome),
}

/// What applies to every file of a job.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    pub(super) job: i64,
    /// The largest size of a file in bytes.
    pub(super) limit: u64,
    /// Read and chunk files again even if they have not changed.
    pub(super) force: bool,
    /// The request's choice of OCR.
    pub(super) ocr: Option<bool>,
}

/// Reads and chunks a file, unless it is known to be unchanged. `trouble` describes the problems of its table of
/// counterparts. `steps` hears how far it is.
pub(super) async fn prepare(
    library: &Library,
    steps: &mut Steps,
    terms: Terms,
    file: PlannedFile,
    cutting: Cutting,
    trouble: Option<String>,
) -> Result<Prepared> {
    let Terms { job, limit, force, ocr } = terms;
    let mut outcome = begun(job, &file, trouble);
    let failed = |mut outcome: FileOutcome, failure: FileReport| {
        outcome.failure = Some((pipeline::stage_of(&failure), failure));
        Ok(Prepared::Failed(outcome))
    };
    let (raw, origin) = match load(library, job, &file, limit).await? {
        Ok((raw, origin)) => (Arc::new(raw), origin),
        Err(failure) => return failed(outcome, failure),
    };
    let identity = match pipeline::identify(&raw) {
        Ok(identity) => identity,
        Err(failure) => return failed(outcome, failure),
    };
    let (text_version, config_hash) = (identity.text_version(), cutting.hash());
    let stored = library.store().document_at(file.corpus_id, &file.path).await?;
    let ocr = library.ocr(ocr, stored.as_ref().is_some_and(|known| known.ocr.is_some())).await?;
    let existing = stored.filter(|_| !force);
    let same_source = existing.as_ref().filter(|known| known.text_version.starts_with(&text_version));
    let same_text = match same_source {
        Some(known) if ocr.on && known.pages > 0 => {
            let document = library.store().document_of_row(known.id).await?;
            // Without OCR, reading again would change nothing.
            let more = ocr.adds_to(&document) && ocr.known_languages().await.is_some();
            same_source.filter(|_| !more)
        }
        _ => same_source,
    };
    if let Some(known) =
        same_text.filter(|known| known.config_hash == config_hash && known.report_id == file.report_id)
    {
        outcome.result = Some(FileResult::Unchanged);
        outcome.changes.unchanged = usize::try_from(known.chunks).unwrap_or(0);
        let pages = usize::try_from(known.pages).unwrap_or(0);
        outcome.pages = Some(pages);
        steps.is_read(pages);
        steps.is_cut(outcome.changes.unchanged);
        outcome.seconds = steps.seconds();
        return Ok(Prepared::Unchanged { id: known.id, root: file.root, origin, outcome });
    }
    outcome
        .notices
        .extend(existing.as_ref().and_then(|known| replaced(known, &file, &origin, same_source.is_some())));
    // If only the settings changed, the text exists already and need not be read again.
    let document = match same_text {
        Some(known) => library.store().document_of_row(known.id).await?,
        None => {
            let (reader, passwords) = (&library.options().reader, library.passwords().all());
            let heard = |step| steps.ocr(step);
            match pipeline::read(reader, Arc::clone(&raw), &identity, passwords, (&ocr, &heard)).await {
                Ok(document) => document,
                Err(failure) => return failed(outcome, failure),
            }
        }
    };
    outcome.pages = Some(document.page_count());
    steps.is_read(document.page_count());
    let document = Arc::new(document);
    let chunks = match pipeline::cut(&cutting, &file.path, &document).await {
        Ok(chunks) => chunks,
        Err(failure) => return failed(outcome, failure),
    };
    if let Some(fault) = licensed::contradiction(&cutting, &file.path, &chunks) {
        return failed(outcome, fault);
    }
    steps.is_cut(chunks.len());
    let figures = pipeline::figures(&cutting, &document).await?;
    outcome.notices.extend(pipeline::notices(&file.path, &document));
    outcome.seconds = steps.seconds();
    // The reader has finished with the bytes; if it still has them, they are copied.
    let raw = Arc::unwrap_or_clone(raw);
    Ok(Prepared::Changed(Box::new(NewDocument {
        corpus_id: file.corpus_id,
        path: file.path.clone(),
        root: file.root,
        origin,
        report_id: file.report_id,
        replaces_report: file.replaces,
        format: identity.format.name().to_owned(),
        title: pipeline::title(&document, &file.path),
        source_hash: identity.source_hash(),
        text_version: identity.version_of(&document),
        config_hash,
        token_count: pipeline::TOKENS.count(&document.text),
        document: Arc::unwrap_or_clone(document),
        bytes: raw.bytes,
        page_metadata: raw.page_metadata,
        chunks,
        figures,
        job_file: Some(outcome),
    })))
}

/// The event for a file before it is read.
fn begun(job: i64, file: &PlannedFile, trouble: Option<String>) -> FileOutcome {
    let mut outcome = FileOutcome {
        file: (job, file.ordinal),
        result: None,
        changes: ChunkChanges::default(),
        notices: Vec::new(),
        failure: None,
        pages: None,
        seconds: 0.0,
    };
    if let Some(message) = trouble {
        outcome.notices.push(FileReport::new(&file.path, "counterparts_unreadable", message));
    }
    if let Some(former) = &file.moved_from {
        let message =
            format!("was `{former}` before; it is the same document, with all that people added to it");
        outcome.notices.push(FileReport::new(&file.path, "moved", message));
    }
    outcome
}

/// The report if `file`, read from `origin`, replaces `known`, which was in another folder or was sent.
fn replaced(
    known: &DocumentRow,
    file: &PlannedFile,
    origin: &DocumentOrigin,
    same_source: bool,
) -> Option<FileReport> {
    // The folder of a sent file is not known: another one may have the same name by chance.
    let sent = known.origin == DocumentOrigin::Upload && *origin == DocumentOrigin::Upload;
    let message = if !known.root.is_empty() && known.root != file.root {
        format!("replaces the document ingested from {}", known.origin)
    } else if sent && !same_source {
        "replaces another file of this name that was sent before; to keep both, rename one".to_owned()
    } else {
        return None;
    };
    Some(FileReport::new(&file.path, "replaced", message))
}

type Loaded = std::result::Result<(RawFile, DocumentOrigin), FileReport>;

/// The bytes of a file, and where the document says it comes from.
async fn load(library: &Library, job: i64, file: &PlannedFile, limit: u64) -> Result<Loaded> {
    let path = file.path.clone();
    let from = match &file.origin {
        FileOrigin::Upload(position) => {
            let (bytes, page_metadata) = library.store().upload(job, *position).await?;
            return Ok(if bytes.len() as u64 > limit {
                Err(FileReport::new(&path, "too_large", source::too_large(bytes.len() as u64, limit)))
            } else {
                Ok((RawFile { path, bytes, page_metadata }, DocumentOrigin::Upload))
            });
        }
        FileOrigin::Stored(id) => {
            let (bytes, page_metadata, origin) = library.store().source_of_row(*id).await?;
            return Ok(Ok((RawFile { path, bytes, page_metadata }, origin)));
        }
        FileOrigin::Path(from) => from,
    };
    let bytes = match pipeline::load(from.clone(), &path, limit).await {
        Ok(bytes) => bytes,
        Err(failure) => return Ok(Err(failure)),
    };
    let page_metadata = match &file.page_metadata {
        Some(beside) => match pipeline::load(beside.clone(), &path, limit).await {
            Ok(bytes) => Some(bytes),
            Err(failure) => return Ok(Err(failure)),
        },
        None => None,
    };
    Ok(Ok((RawFile { path, bytes, page_metadata }, DocumentOrigin::Path(from.clone()))))
}
