//! Documents: normalised text with its structure, and the source bytes it came from.

use super::chunk::{self, NewChunk};
use crate::error::{Error, Result};
use crate::store::{Store, now, touch};
use rusqlite::{OptionalExtension as _, Row, Transaction};
use serde::{Deserialize, Serialize};
use sibyl_text::Document;
use ts_rs::TS;

/// What is known about a stored document, without its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct DocumentRow {
    /// Row id.
    pub id: i64,
    /// Corpus it belongs to.
    pub corpus_id: i64,
    /// Path below the import root, `/` between its parts.
    pub path: String,
    /// Where it was read from.
    pub origin: String,
    /// Report id, for reports.
    pub report_id: Option<String>,
    /// Source type of its corpus.
    pub source_type: String,
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
    /// Words of the text.
    pub word_count: i64,
    /// Estimated tokens of the text.
    pub token_count: i64,
    /// Chunks it was cut into.
    pub chunks: i64,
    /// Physical pages; 0 where it has none.
    pub pages: i64,
    /// When it was stored (ISO 8601, UTC).
    pub ingested_at: String,
}

/// A document to be stored.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// Corpus it belongs to.
    pub corpus_id: i64,
    /// Path below the import root, `/` between its parts.
    pub path: String,
    /// Where it was read from.
    pub origin: String,
    /// Report id, for reports.
    pub report_id: Option<String>,
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
    /// Page metadata that stood beside it.
    pub page_metadata: Option<Vec<u8>>,
    /// Its chunks in order.
    pub chunks: Vec<NewChunk>,
}

/// What storing a document did to its chunks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChunkChanges {
    /// Chunks whose id is new.
    pub created: usize,
    /// Chunks whose id stayed and whose text changed.
    pub updated: usize,
    /// Chunks that stayed as they were.
    pub unchanged: usize,
    /// Chunks that are gone.
    pub deleted: usize,
}

const COLUMNS: &str = "d.id, d.corpus_id, d.path, d.origin, d.report_id, d.source_type, d.format, d.title, d.source_hash,
    d.text_version, d.config_hash, d.word_count, d.token_count,
    (SELECT count(*) FROM chunk WHERE document_id = d.id), json_array_length(d.structure, '$.pages'), d.ingested_at";

fn from_row(row: &Row<'_>) -> rusqlite::Result<DocumentRow> {
    Ok(DocumentRow {
        id: row.get(0)?,
        corpus_id: row.get(1)?,
        path: row.get(2)?,
        origin: row.get(3)?,
        report_id: row.get(4)?,
        source_type: row.get(5)?,
        format: row.get(6)?,
        title: row.get(7)?,
        source_hash: row.get(8)?,
        text_version: row.get(9)?,
        config_hash: row.get(10)?,
        word_count: row.get(11)?,
        token_count: row.get(12)?,
        chunks: row.get(13)?,
        pages: row.get(14)?,
        ingested_at: row.get(15)?,
    })
}

impl Store {
    /// Stores a document with its chunks and keyword rows in one transaction, in place of the one with the
    /// same corpus and path. Chunks that did not change keep their rows; stale ones go.
    pub async fn put_document(&self, mut new: NewDocument) -> Result<(i64, ChunkChanges)> {
        self.pool
            .write(move |tx| {
                let text = std::mem::take(&mut new.document.text);
                let structure = serde_json::to_string(&new.document)
                    .map_err(|e| Error::Damaged(format!("the structure of {} cannot be stored: {e}", new.path)))?;
                type Origin = (String, String, Option<i64>, Option<String>);
                let (source_type, corpus_name, workspace, workspace_name): Origin = tx.query_row(
                    "SELECT o.source_type, o.name, o.workspace_id, w.name
                     FROM corpus o LEFT JOIN workspace w ON w.id = o.workspace_id WHERE o.id = ?1",
                    [new.corpus_id],
                    |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
                )?;
                let at = now();
                let id: i64 = tx
                    .prepare_cached(
                        "INSERT INTO document (corpus_id, path, origin, report_id, source_type, format, title, source_hash,
                           text_version, config_hash, text, structure, word_count, token_count, ingested_at)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
                         ON CONFLICT (corpus_id, path) DO UPDATE SET
                           origin = excluded.origin, report_id = excluded.report_id, format = excluded.format,
                           title = excluded.title, source_hash = excluded.source_hash,
                           text_version = excluded.text_version, config_hash = excluded.config_hash,
                           text = excluded.text, structure = excluded.structure, word_count = excluded.word_count,
                           token_count = excluded.token_count, ingested_at = excluded.ingested_at
                         RETURNING id",
                    )?
                    .query_row(
                        rusqlite::params![
                            new.corpus_id,
                            new.path,
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
                            at
                        ],
                        |row| row.get(0),
                    )?;
                tx.prepare_cached(
                    "INSERT INTO source (document_id, bytes, page_metadata) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO UPDATE SET bytes = excluded.bytes, page_metadata = excluded.page_metadata",
                )?
                .execute((id, &new.bytes, &new.page_metadata))?;
                let owner = chunk::Owner {
                    document: id,
                    corpus: new.corpus_id,
                    corpus_name: &corpus_name,
                    workspace,
                    workspace_name: workspace_name.as_deref(),
                    source_type: &source_type,
                    report: new.report_id.as_deref(),
                    path: &new.path,
                    at: &at,
                };
                let changes = chunk::replace(tx, &owner, &new.chunks)?;
                touch(tx, "chunk")?;
                Ok((id, changes))
            })
            .await
    }

    /// The stored document of `corpus` at `path`.
    pub async fn document_at(&self, corpus: i64, path: &str) -> Result<Option<DocumentRow>> {
        let path = path.to_owned();
        self.pool
            .read(move |c| {
                let query = format!("SELECT {COLUMNS} FROM document d WHERE d.corpus_id = ?1 AND d.path = ?2");
                Ok(c.prepare_cached(&query)?.query_row((corpus, path), from_row).optional()?)
            })
            .await
    }

    /// Documents that `workspace` sees, of one corpus or of all, by corpus and path.
    pub async fn documents(&self, workspace: i64, corpus: Option<i64>) -> Result<Vec<DocumentRow>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM document d JOIN corpus o ON o.id = d.corpus_id
                     WHERE (o.workspace_id IS NULL OR o.workspace_id = ?1) AND (?2 IS NULL OR o.id = ?2)
                     ORDER BY o.name, d.path"
                ))?;
                let rows = select.query_map((workspace, corpus), from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// The document `id` with its text and structure, where `workspace` sees it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none or it belongs to another workspace.
    pub async fn document(&self, workspace: i64, id: i64) -> Result<(DocumentRow, Document)> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS}, d.text, d.structure FROM document d JOIN corpus o ON o.id = d.corpus_id
                     WHERE d.id = ?2 AND (o.workspace_id IS NULL OR o.workspace_id = ?1)"
                ))?;
                let found = select
                    .query_row((workspace, id), |row| {
                        let structure: String = row.get(17)?;
                        let mut document: Document = crate::store::json(&structure, 17)?;
                        document.text = row.get(16)?;
                        Ok((from_row(row)?, document))
                    })
                    .optional()?;
                found.ok_or_else(|| Error::not_found("document", id.to_string()))
            })
            .await
    }

    /// The bytes that document `id` was read from, and the page metadata beside them.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none or it belongs to another workspace.
    pub async fn source(&self, workspace: i64, id: i64) -> Result<(Vec<u8>, Option<Vec<u8>>)> {
        self.pool
            .read(move |c| {
                let found = c
                    .query_row(
                        "SELECT s.bytes, s.page_metadata FROM source s JOIN document d ON d.id = s.document_id
                         JOIN corpus o ON o.id = d.corpus_id
                         WHERE d.id = ?2 AND (o.workspace_id IS NULL OR o.workspace_id = ?1)",
                        (workspace, id),
                        |row| Ok((row.get(0)?, row.get(1)?)),
                    )
                    .optional()?;
                found.ok_or_else(|| Error::not_found("document", id.to_string()))
            })
            .await
    }

    /// Deletes documents with their chunks in one transaction; vectors stay. Returns the number of chunks deleted.
    pub async fn delete_documents(&self, ids: Vec<i64>) -> Result<usize> {
        self.pool
            .write(move |tx| {
                let mut chunks = 0;
                for id in ids {
                    chunks += delete(tx, id)?;
                }
                touch(tx, "chunk")?;
                Ok(chunks)
            })
            .await
    }
}

fn delete(tx: &Transaction<'_>, id: i64) -> Result<usize> {
    // Chunks first and by name: a cascade would not count them.
    let chunks = tx.prepare_cached("DELETE FROM chunk WHERE document_id = ?1")?.execute([id])?;
    tx.prepare_cached("DELETE FROM document WHERE id = ?1")?.execute([id])?;
    Ok(chunks)
}

/// Words of `text`: runs between white space.
pub fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}
