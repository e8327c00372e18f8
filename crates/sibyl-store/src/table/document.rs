//! Documents: normalised text with its structure, and the source bytes it came from.
//!
//! Over 500 lines: a table, its rows, its readers and its writers are one file.

mod correction;
mod joining;
mod list;
mod moving;

pub use correction::{Details, LONGEST_DETAIL};
pub use list::ListedDocuments;
pub use moving::{FormerPlace, Move, Placed};

pub(crate) use moving::move_all;

use super::bin::{self, DeletedBecause};
use super::chunk::{self, NewChunk, word_count};
use super::job_file::{FileOutcome, finish_file};
use super::phrasing;
use super::{fact, figure, held, kept_text, page_label};
use crate::error::{Error, Result};
use crate::job::{ChunkChanges, FileResult};
use crate::origin::DocumentOrigin;
use crate::report::ReportFacts;
use crate::{SqliteStore, now, touch};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_text::Document;
use sibyl_text::figure::Figure;
use std::collections::{BTreeSet, HashMap};

/// What is known about a stored document, without its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentRow {
    /// Row id.
    pub id: i64,
    /// Corpus it belongs to.
    pub corpus_id: i64,
    /// Path below the import root, `/` between its parts.
    pub path: String,
    /// Import root; empty for an upload.
    pub root: String,
    /// Where it was read from: a path, or `upload`.
    #[schemars(with = "String")]
    pub origin: DocumentOrigin,
    /// Report id, for reports.
    pub report_id: Option<String>,
    /// Source type of its corpus.
    pub source_type: String,
    /// Format it was read as.
    pub format: String,
    /// Title, as corrected by somebody or else as read.
    pub title: String,
    /// SHA-256 of the source bytes (hex).
    pub source_hash: String,
    /// Hash of source, format and format version.
    pub text_version: String,
    /// Hash of everything that decides its chunks.
    pub config_hash: String,
    /// Words of the text.
    pub word_count: i64,
    /// Estimated tokens of the text.
    pub token_count: i64,
    /// Number of its chunks.
    pub chunks: i64,
    /// Physical pages; 0 if it has none.
    pub pages: i64,
    /// When it was stored (ISO 8601, UTC).
    pub ingested_at: String,
    /// Who issued it, as somebody corrected it or else as the front matter or the cover of a report says.
    pub issuer: Option<String>,
    /// What else a report calls its issuer, such as `the Group` or the sign of its share.
    pub aliases: Vec<String>,
    /// Year that it is about, as corrected by somebody or else as named by the front matter, the title or the path
    /// of a report.
    pub year: Option<u16>,
    /// Title, issuer and year as they were read, if somebody corrected one of them.
    pub as_read: Option<Details>,
    /// The part of it that OCR read; `None` if there is none.
    pub ocr: Option<ReadByOcr>,
    /// Since when its file is missing from the folder that is watched for it (ISO 8601, UTC).
    pub missing_since: Option<String>,
}

/// The part of a document that OCR read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadByOcr {
    /// Physical pages.
    pub pages: u32,
    /// Mean confidence of their words, 0 to 100.
    pub confidence: u8,
    /// Languages they were read in, such as `eng+swe`.
    pub languages: String,
}

/// A document to be stored.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// Corpus it belongs to.
    pub corpus_id: i64,
    /// Path below the import root, `/` between its parts.
    pub path: String,
    /// Import root; empty for an upload.
    pub root: String,
    /// Where it was read from.
    pub origin: DocumentOrigin,
    /// Report id, for reports.
    pub report_id: Option<String>,
    /// Whether it replaces every other document of that report.
    pub replaces_report: bool,
    /// Format it was read as.
    pub format: String,
    /// Title.
    pub title: String,
    /// SHA-256 of the source bytes (hex).
    pub source_hash: String,
    /// Hash of source, format and format version.
    pub text_version: String,
    /// Hash of everything that decides its chunks.
    pub config_hash: String,
    /// The document.
    pub document: Document,
    /// Estimated tokens of its text.
    pub token_count: usize,
    /// The bytes it was read from.
    pub bytes: Vec<u8>,
    /// Page metadata beside it.
    pub page_metadata: Option<Vec<u8>>,
    /// Its chunks in order.
    pub chunks: Vec<NewChunk>,
    /// The numbers that it reports, in order.
    pub figures: Vec<Figure>,
    /// The file of a job that is through with it; its result and changes are filled in.
    pub job_file: Option<FileOutcome>,
}

const COLUMNS: &str = "d.id, d.corpus_id, d.path, d.root, d.origin, d.report_id, d.source_type, d.format, d.title, d.source_hash,
    d.text_version, d.config_hash, d.word_count, d.token_count,
    (SELECT count(*) FROM chunk WHERE document_id = d.id), d.pages, d.ingested_at, d.metadata,
    (SELECT since FROM missing_document WHERE document = d.id),
    (SELECT json_object('title', title, 'issuer', issuer, 'year', year) FROM correction WHERE document = d.id)";

/// The row that the document in row `?2` has now.
const NOW: &str = "coalesce((SELECT document FROM former_document WHERE id = ?2), ?2)";

fn from_row(row: &Row<'_>) -> rusqlite::Result<DocumentRow> {
    let (path, title): (String, String) = (row.get(2)?, row.get(8)?);
    let metadata: Option<String> = row.get(17)?;
    let metadata: Option<Map<String, Value>> =
        metadata.map(|json| serde_json::from_str(&json).unwrap_or_default());
    let ocr = metadata.as_ref().and_then(|metadata| ReadByOcr::deserialize(metadata.get("ocr")?).ok());
    let report_id: Option<String> = row.get(5)?;
    let facts = metadata.filter(|_| report_id.is_some());
    let facts = facts.map(|metadata| ReportFacts::new(&metadata, &title, &path));
    let ReportFacts { issuer, year, aliases } = facts.unwrap_or_default();
    let read = Details { title: Some(title), issuer, year };
    let correction: Option<String> = row.get(19)?;
    let correction: Option<Details> = correction.map(|json| crate::json(&json, 19)).transpose()?;
    let (Details { title, issuer, year }, as_read) = match correction {
        Some(correction) => (correction.or(&read), Some(read)),
        None => (read, None),
    };
    Ok(DocumentRow {
        id: row.get(0)?,
        corpus_id: row.get(1)?,
        path,
        root: row.get(3)?,
        origin: row.get(4)?,
        report_id,
        source_type: row.get(6)?,
        format: row.get(7)?,
        title: title.unwrap_or_default(),
        source_hash: row.get(9)?,
        text_version: row.get(10)?,
        config_hash: row.get(11)?,
        word_count: row.get(12)?,
        token_count: row.get(13)?,
        chunks: row.get(14)?,
        pages: row.get(15)?,
        ingested_at: row.get(16)?,
        issuer,
        aliases,
        year,
        as_read,
        ocr,
        missing_since: row.get(18)?,
    })
}

/// The structure of a document as JSON, with its front matter if lists show it.
fn written(new: &NewDocument) -> Result<(String, Option<String>)> {
    let unwritable = |part: &str, error: serde_json::Error| {
        Error::Damaged(format!("the {part} of {} cannot be stored: {error}", new.path))
    };
    let structure = serde_json::to_string(&new.document).map_err(|e| unwritable("structure", e))?;
    let listed = new.report_id.is_some() || new.document.recognition.is_some();
    let metadata = listed.then(|| serde_json::to_string(&new.document.metadata)).transpose();
    Ok((structure, metadata.map_err(|e| unwritable("front matter", e))?))
}

impl SqliteStore {
    pub(crate) async fn put_document(&self, mut new: NewDocument) -> Result<(i64, ChunkChanges)> {
        self.pool
            .write_ahead(move |tx| {
                let text = std::mem::take(&mut new.document.text);
                let facts = std::mem::take(&mut new.document.facts);
                let (structure, metadata) = written(&new)?;
                let (source_type, corpus_name, workspace, workspace_name) = owner_of(tx, new.corpus_id)?;
                let at = now();
                bin::take_back_file(tx, new.corpus_id, &new.path, &new.source_hash)?;
                let former: Option<(i64, String)> = tx
                    .prepare_cached("SELECT id, text_version FROM document WHERE corpus_id = ?1 AND path = ?2")?
                    .query_row((new.corpus_id, &new.path), |row| Ok((row.get(0)?, row.get(1)?)))
                    .optional()?;
                if let Some((id, _)) = former.as_ref().filter(|(_, version)| *version != new.text_version) {
                    kept_text::keep(tx, *id)?;
                }
                let (id, name): (i64, String) = tx
                    .prepare_cached(
                        "INSERT INTO document (corpus_id, path, root, origin, report_id, source_type, format, title,
                           source_hash, text_version, config_hash, text, structure, word_count, token_count, ingested_at,
                           pages, metadata, name)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
                         ON CONFLICT (corpus_id, path) DO UPDATE SET
                           root = excluded.root, origin = excluded.origin, report_id = excluded.report_id, format = excluded.format,
                           title = excluded.title, source_hash = excluded.source_hash,
                           text_version = excluded.text_version, config_hash = excluded.config_hash,
                           text = excluded.text, structure = excluded.structure, word_count = excluded.word_count,
                           token_count = excluded.token_count, ingested_at = excluded.ingested_at,
                           pages = excluded.pages, metadata = excluded.metadata
                         RETURNING id, coalesce(name, path)",
                    )?
                    .query_row(
                        rusqlite::params![
                            new.corpus_id,
                            new.path,
                            new.root,
                            new.origin,
                            new.report_id,
                            source_type,
                            new.format,
                            new.title,
                            new.source_hash,
                            new.text_version,
                            new.config_hash,
                            text,
                            structure,
                            word_count(&text),
                            new.token_count,
                            at,
                            new.document.page_count(),
                            metadata,
                            match former {
                                Some(_) => None,
                                None => moving::new_name(tx, new.corpus_id, &new.path)?,
                            }
                        ],
                        |row| Ok((row.get(0)?, row.get(1)?)),
                    )?;
                kept_text::drop_present(tx, id)?;
                tx.prepare_cached(
                    "INSERT INTO source (document_id, bytes, page_metadata) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO UPDATE SET bytes = excluded.bytes, page_metadata = excluded.page_metadata",
                )?
                .execute((id, &new.bytes, &new.page_metadata))?;
                found_again(tx, id)?;
                fact::replace(tx, id, &facts)?;
                page_label::replace(tx, id, &new.document.pages)?;
                figure::replace(tx, id, &text, &new.document, &new.figures)?;
                let owner = chunk::Owner {
                    document: id,
                    name: &name,
                    corpus: new.corpus_id,
                    corpus_name: &corpus_name,
                    workspace,
                    workspace_name: workspace_name.as_deref(),
                    source_type: &source_type,
                    report: new.report_id.as_deref(),
                    path: &new.path,
                    at: &at,
                };
                let mut changes = phrasing::put_chunks(tx, &owner, &new.chunks)?;
                if let Some(report) = new.report_id.as_deref().filter(|_| new.replaces_report) {
                    changes.deleted += delete_others(tx, id, report, workspace)?;
                }
                touch(tx, "chunk")?;
                if let Some(mut outcome) = new.job_file {
                    outcome.result = Some(if former.is_some() { FileResult::Updated } else { FileResult::Created });
                    outcome.changes = changes;
                    finish_file(tx, &outcome)?;
                }
                Ok((id, changes))
            })
            .await
    }

    pub(crate) async fn touch_document(
        &self,
        id: i64,
        root: String,
        origin: DocumentOrigin,
        outcome: FileOutcome,
    ) -> Result<()> {
        self.pool
            .write_ahead(move |tx| {
                tx.prepare_cached(
                    "UPDATE document SET root = ?2, origin = ?3 WHERE id = ?1 AND (root, origin) <> (?2, ?3)",
                )?
                .execute((id, root, origin))?;
                found_again(tx, id)?;
                finish_file(tx, &outcome)
            })
            .await
    }

    pub(crate) async fn newest_document(&self) -> Result<i64> {
        self.pool
            .read(|c| Ok(c.query_row("SELECT coalesce(max(id), 0) FROM document", [], |row| row.get(0))?))
            .await
    }

    pub(crate) async fn others_of_report(
        &self,
        workspace: i64,
        report: &str,
        corpus: i64,
        path: &str,
    ) -> Result<Vec<String>> {
        let (report, path) = (report.to_owned(), path.to_owned());
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT d.path FROM document d JOIN corpus o ON o.id = d.corpus_id
                     WHERE d.report_id = ?2 AND (o.workspace_id IS NULL OR o.workspace_id = ?1)
                       AND NOT (d.corpus_id = ?3 AND d.path = ?4) ORDER BY d.id",
                )?;
                let rows = select.query_map((workspace, report, corpus, path), |row| row.get(0))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn document_from(&self, workspace: i64, path: &str) -> Result<Option<DocumentRow>> {
        let path = path.to_owned();
        self.pool
            .read(move |c| {
                let query = format!(
                    "SELECT {COLUMNS} FROM document d JOIN corpus o ON o.id = d.corpus_id
                     WHERE o.workspace_id = ?1 AND d.origin = ?2 ORDER BY d.id DESC LIMIT 1"
                );
                Ok(c.prepare_cached(&query)?.query_row((workspace, path), from_row).optional()?)
            })
            .await
    }

    pub(crate) async fn documents_at(&self, workspace: i64, path: &str) -> Result<Vec<i64>> {
        let path = path.to_owned();
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT d.id FROM document d JOIN corpus o ON o.id = d.corpus_id
                     WHERE (d.path = ?2 OR d.id IN (SELECT document FROM former_place WHERE path = ?2))
                       AND (o.workspace_id IS NULL OR o.workspace_id = ?1)
                     ORDER BY d.path <> ?2, o.workspace_id IS NULL, d.id",
                )?;
                let rows = select.query_map((workspace, path), |row| row.get(0))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn document_at(&self, corpus: i64, path: &str) -> Result<Option<DocumentRow>> {
        let path = path.to_owned();
        self.pool
            .read(move |c| {
                let query =
                    format!("SELECT {COLUMNS} FROM document d WHERE d.corpus_id = ?1 AND d.path = ?2");
                Ok(c.prepare_cached(&query)?.query_row((corpus, path), from_row).optional()?)
            })
            .await
    }

    pub(crate) async fn document_row(&self, workspace: i64, id: i64) -> Result<DocumentRow> {
        self.pool.read(move |c| row_of(c, workspace, id)).await
    }

    pub(crate) async fn document(&self, workspace: i64, id: i64) -> Result<(DocumentRow, Document)> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS}, d.text, d.structure FROM document d JOIN corpus o ON o.id = d.corpus_id
                     WHERE d.id = {NOW} AND (o.workspace_id IS NULL OR o.workspace_id = ?1)"
                ))?;
                let found = select
                    .query_row((workspace, id), |row| {
                        let structure: String = row.get(21)?;
                        let mut document: Document = crate::json(&structure, 21)?;
                        document.text = row.get(20)?;
                        document.facts = fact::of_document(c, row.get(0)?)?;
                        Ok((from_row(row)?, document))
                    })
                    .optional()?;
                found.ok_or_else(|| Error::not_found("document", id.to_string()))
            })
            .await
    }

    pub(crate) async fn document_of_row(&self, id: i64) -> Result<Document> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached("SELECT text, structure FROM document WHERE id = ?1")?;
                let found = select
                    .query_row([id], |row| {
                        let structure: String = row.get(1)?;
                        let mut document: Document = crate::json(&structure, 1)?;
                        document.text = row.get(0)?;
                        document.facts = fact::of_document(c, id)?;
                        Ok(document)
                    })
                    .optional()?;
                found.ok_or_else(|| Error::not_found("document", id.to_string()))
            })
            .await
    }

    pub(crate) async fn source_of_row(&self, id: i64) -> Result<(Vec<u8>, Option<Vec<u8>>, DocumentOrigin)> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT s.bytes, s.page_metadata, d.origin FROM source s JOIN document d ON d.id = s.document_id
                     WHERE d.id = ?1",
                )?;
                let found = select.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
                found.ok_or_else(|| Error::not_found("document", id.to_string()))
            })
            .await
    }

    pub(crate) async fn source_sizes(&self, ids: Vec<i64>) -> Result<HashMap<i64, u64>> {
        self.pool
            .read(move |c| {
                let mut select =
                    c.prepare_cached("SELECT length(bytes) FROM source WHERE document_id = ?1")?;
                let mut sizes = HashMap::new();
                for id in ids {
                    if let Some(size) = select.query_row([id], |row| row.get::<_, i64>(0)).optional()? {
                        sizes.insert(id, size.unsigned_abs());
                    }
                }
                Ok(sizes)
            })
            .await
    }

    pub(crate) async fn source(&self, workspace: i64, id: i64) -> Result<(Vec<u8>, Option<Vec<u8>>)> {
        self.pool
            .read(move |c| {
                let found = c
                    .query_row(
                        "SELECT s.bytes, s.page_metadata FROM source s JOIN document d ON d.id = s.document_id
                         JOIN corpus o ON o.id = d.corpus_id
                         WHERE d.id = coalesce((SELECT document FROM former_document WHERE id = ?2), ?2)
                           AND (o.workspace_id IS NULL OR o.workspace_id = ?1)",
                        (workspace, id),
                        |row| Ok((row.get(0)?, row.get(1)?)),
                    )
                    .optional()?;
                found.ok_or_else(|| Error::not_found("document", id.to_string()))
            })
            .await
    }

    pub(crate) async fn delete_documents(&self, ids: Vec<i64>) -> Result<usize> {
        self.pool
            .write(move |tx| {
                let mut chunks = 0;
                for id in BTreeSet::from_iter(ids) {
                    chunks += bin::put(tx, id, DeletedBecause::Deleted)?;
                }
                touch(tx, "chunk")?;
                Ok(chunks)
            })
            .await
    }
}

/// Source type and name of a corpus, with key and name of its workspace if it is private.
fn owner_of(c: &Connection, corpus: i64) -> Result<(String, String, Option<i64>, Option<String>)> {
    let mut select = c.prepare_cached(
        "SELECT o.source_type, o.name, o.workspace_id, w.name
         FROM corpus o LEFT JOIN workspace w ON w.id = o.workspace_id WHERE o.id = ?1",
    )?;
    let found = select
        .query_row([corpus], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    found.ok_or_else(|| Error::not_found("corpus", corpus.to_string()))
}

/// The document `id` as `workspace` sees it.
pub(crate) fn row_of(c: &Connection, workspace: i64, id: i64) -> Result<DocumentRow> {
    let mut select = c.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM document d JOIN corpus o ON o.id = d.corpus_id
         WHERE d.id = {NOW} AND (o.workspace_id IS NULL OR o.workspace_id = ?1)"
    ))?;
    let found = select.query_row((workspace, id), from_row).optional()?;
    found.ok_or_else(|| Error::not_found("document", id.to_string()))
}

/// Moves every document of `report` in the same workspace except `kept` into the bin. Returns the number of their
/// chunks.
fn delete_others(tx: &Transaction<'_>, kept: i64, report: &str, workspace: Option<i64>) -> Result<usize> {
    let others: Vec<i64> = {
        let mut select = tx.prepare_cached(
            "SELECT d.id FROM document d JOIN corpus o ON o.id = d.corpus_id
             WHERE d.report_id = ?1 AND d.id <> ?2 AND coalesce(o.workspace_id, 0) = ?3",
        )?;
        let rows = select.query_map((report, kept, workspace.unwrap_or(0)), |row| row.get(0))?;
        rows.collect::<rusqlite::Result<_>>()?
    };
    let mut chunks = 0;
    for id in others {
        chunks += bin::put(tx, id, DeletedBecause::Replaced)?;
    }
    Ok(chunks)
}

/// The file of a document is there, wherever it was missing before: nobody need say which one it is now.
fn found_again(tx: &Transaction<'_>, id: i64) -> Result<()> {
    tx.prepare_cached("DELETE FROM missing_document WHERE document = ?1")?.execute([id])?;
    tx.prepare_cached("DELETE FROM likeness WHERE gone = ?1")?.execute([id])?;
    held::forget(tx, id)
}

/// Removes a document whose data another one now has. Returns the number of its chunks.
fn remove(tx: &Transaction<'_>, id: i64) -> Result<usize> {
    // Chunks first and explicitly: a cascade would not count them.
    let chunks = tx.prepare_cached("DELETE FROM chunk WHERE document_id = ?1")?.execute([id])?;
    tx.prepare_cached("DELETE FROM document WHERE id = ?1")?.execute([id])?;
    Ok(chunks)
}
