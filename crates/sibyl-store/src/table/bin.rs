//! The bin: documents that were deleted, as long as they can come back. One in the bin belongs to no corpus, so
//! that no query finds it, and has no chunks in any index. All its other data stay where they are.

use super::chunk::{self, NewChunk};
use super::corpus::{self, Corpus, NewCorpus};
use super::phrasing;
use super::{held, kept_text, review};
use crate::error::{Error, Result};
use crate::job::FileReport;
use crate::named::named;
use crate::origin::DocumentOrigin;
use crate::{SqliteStore, json, moment, touch};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::Span;

/// Days that a document stays in the bin.
pub const KEPT_DAYS: i64 = 30;
/// Seconds of them.
const KEPT: i64 = KEPT_DAYS * 24 * 60 * 60;

/// Why a document was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeletedBecause {
    /// Somebody deleted it, or its corpus.
    Deleted,
    /// Its file is gone from its folder.
    Gone,
    /// Another document took its place as the report.
    Replaced,
}

named!(
    DeletedBecause,
    "why a document was deleted",
    Deleted = "deleted",
    Gone = "gone",
    Replaced = "replaced"
);

/// A document in the bin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BinnedDocument {
    /// Row id.
    pub id: i64,
    /// Name of the corpus that it belonged to and returns to.
    pub corpus: String,
    /// Title, as corrected by somebody or else as read.
    pub title: String,
    /// Path below the import root, `/` between its parts.
    pub path: String,
    /// Where it was read from: a path, or `upload`.
    #[schemars(with = "String")]
    pub origin: DocumentOrigin,
    /// Report id, for reports.
    pub report_id: Option<String>,
    /// Why it was deleted.
    pub reason: DeletedBecause,
    /// When it was deleted (ISO 8601, UTC).
    pub deleted_at: String,
    /// When it will be deleted permanently (ISO 8601, UTC).
    pub kept_until: String,
}

/// What restoring did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Restored {
    /// Row ids of the documents that are back.
    pub restored: Vec<i64>,
    /// Documents that stay in the bin, and why.
    pub refused: Vec<FileReport>,
}

impl SqliteStore {
    pub(crate) async fn delete_corpus(&self, id: i64) -> Result<usize> {
        self.pool
            .write(move |tx| {
                let documents: Vec<i64> = {
                    let mut select =
                        tx.prepare_cached("SELECT id FROM document WHERE corpus_id = ?1 ORDER BY id")?;
                    let rows = select.query_map([id], |row| row.get(0))?;
                    rows.collect::<rusqlite::Result<_>>()?
                };
                let mut chunks = 0;
                for document in documents {
                    chunks += put(tx, document, DeletedBecause::Deleted)?;
                }
                corpus::remove(tx, id)?;
                Ok(chunks)
            })
            .await
    }

    pub(crate) async fn binned(&self, workspace: i64) -> Result<Vec<BinnedDocument>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT d.id, b.corpus ->> '$.name', coalesce((SELECT title FROM correction WHERE document = d.id), d.title),
                       d.path, d.origin, d.report_id, b.reason, b.at
                     FROM binned b JOIN document d ON d.id = b.document
                     WHERE b.workspace_id IS NULL OR b.workspace_id = ?1 ORDER BY b.at DESC, d.path",
                )?;
                let rows = select.query_map([workspace], from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn restore_documents(&self, workspace: i64, ids: Vec<i64>) -> Result<Restored> {
        self.pool
            .write(move |tx| {
                let mut done = Restored::default();
                for id in ids {
                    check(tx, workspace, id)?;
                    match take_back(tx, id)? {
                        None => {
                            held::keep(tx, id)?;
                            done.restored.push(id);
                        }
                        Some(why) => done.refused.push(why),
                    }
                }
                touch(tx, "chunk")?;
                Ok(done)
            })
            .await
    }

    pub(crate) async fn delete_binned(&self, workspace: i64, ids: Vec<i64>) -> Result<usize> {
        self.pool
            .write(move |tx| {
                for &id in &ids {
                    check(tx, workspace, id)?;
                }
                remove(tx, &ids)?;
                let mut kept = 0;
                for id in &ids {
                    let texts = "SELECT count(*) FROM kept_text WHERE document = ?1";
                    kept += tx.prepare_cached(texts)?.query_row([id], |row| row.get::<_, usize>(0))?;
                }
                Ok(kept)
            })
            .await
    }

    pub(crate) async fn empty_bin(&self, now: i64) -> Result<usize> {
        let before = moment(now.saturating_sub(KEPT));
        let old = self.pool.read(move |c| {
            let mut select = c.prepare_cached("SELECT document FROM binned WHERE at <= ?1")?;
            let rows = select.query_map([before], |row| row.get(0))?;
            Ok(rows.collect::<rusqlite::Result<Vec<i64>>>()?)
        });
        let old = old.await?;
        // Usually there is nothing to do, and then no other program is held up.
        if old.is_empty() {
            return Ok(0);
        }
        self.pool.write(move |tx| remove(tx, &old).map(|()| old.len())).await
    }
}

/// Permanently deletes the documents `ids` from the bin; those restored meanwhile stay.
fn remove(tx: &Transaction<'_>, ids: &[i64]) -> Result<()> {
    for id in ids {
        let report: Option<Option<String>> = tx
            .prepare_cached("SELECT report_id FROM document WHERE id = ?1 AND corpus_id IS NULL")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        tx.prepare_cached("DELETE FROM binned WHERE document = ?1")?.execute([id])?;
        if let Some(report) = report.flatten() {
            review::forget(tx, &report)?;
        }
    }
    Ok(touch(tx, "chunk")?)
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<BinnedDocument> {
    let at: String = row.get(7)?;
    Ok(BinnedDocument {
        id: row.get(0)?,
        corpus: row.get(1)?,
        title: row.get(2)?,
        path: row.get(3)?,
        origin: row.get(4)?,
        report_id: row.get(5)?,
        reason: row.get(6)?,
        kept_until: crate::later(&at, KEPT),
        deleted_at: at,
    })
}

/// Refuses a document that is not in the bin of `workspace`.
fn check(c: &Connection, workspace: i64, id: i64) -> Result<()> {
    let query = "SELECT 1 FROM binned WHERE document = ?2 AND (workspace_id IS NULL OR workspace_id = ?1)";
    if c.prepare_cached(query)?.exists((workspace, id))? {
        Ok(())
    } else {
        Err(Error::not_found("document in the bin", id.to_string()))
    }
}

/// Deletes the document `id`: it goes into the bin. Returns the number of its chunks.
pub(crate) fn put(tx: &Transaction<'_>, id: i64, reason: DeletedBecause) -> Result<usize> {
    // What cites it may outlive it.
    kept_text::keep(tx, id)?;
    let chunks = stored_chunks(tx, id)?;
    let written = serde_json::to_string(&chunks)
        .map_err(|error| Error::Damaged(format!("the chunks of document {id} cannot be stored: {error}")))?;
    let corpus = corpus::of_document(tx, id)?;
    let description = serde_json::to_string(&corpus)
        .map_err(|error| Error::Damaged(format!("a corpus cannot be stored: {error}")))?;
    tx.prepare_cached("DELETE FROM chunk WHERE document_id = ?1")?.execute([id])?;
    held::forget(tx, id)?;
    tx.prepare_cached("UPDATE document SET corpus_id = NULL WHERE id = ?1")?.execute([id])?;
    tx.prepare_cached(
        "INSERT INTO binned (document, workspace_id, corpus, chunks, reason, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute((id, corpus.workspace_id, description, written, reason, crate::now()))?;
    Ok(chunks.len())
}

/// Takes the document that was deleted because its file was gone from `path` out of the bin, if a file with the
/// same bytes is there again.
pub(crate) fn take_back_file(tx: &Transaction<'_>, corpus: i64, path: &str, source_hash: &str) -> Result<()> {
    let found: Option<i64> = tx
        .prepare_cached(
            "SELECT b.document FROM binned b JOIN document d ON d.id = b.document
             JOIN corpus o ON o.id = ?1 AND o.workspace_id IS b.workspace_id AND o.name = b.corpus ->> '$.name'
             WHERE b.reason = 'gone' AND d.path = ?2 AND d.source_hash = ?3
               AND NOT EXISTS (SELECT 1 FROM document n WHERE n.corpus_id = ?1 AND n.path = ?2)
             ORDER BY b.at DESC LIMIT 1",
        )?
        .query_row((corpus, path, source_hash), |row| row.get(0))
        .optional()?;
    if let Some(id) = found {
        take_back(tx, id)?;
    }
    Ok(())
}

/// Takes the document `id` out of the bin, if it is there, because its file was found in another place.
pub(crate) fn take_back_moved(tx: &Transaction<'_>, id: i64) -> Result<()> {
    if tx.prepare_cached("SELECT 1 FROM binned WHERE document = ?1")?.exists([id])?
        && let Some(stays) = take_back(tx, id)?
    {
        tracing::warn!(
            path = stays.path,
            "a document stays in the bin, though its file was found: {}",
            stays.message
        );
    }
    Ok(())
}

/// Takes the document `id` out of the bin. If it stays there, returns why.
fn take_back(tx: &Transaction<'_>, id: i64) -> Result<Option<FileReport>> {
    let (description, chunks, path, report): (String, String, String, Option<String>) = tx
        .prepare_cached(
            "SELECT b.corpus, b.chunks, d.path, d.report_id FROM binned b JOIN document d ON d.id = b.document
             WHERE b.document = ?1",
        )?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let former: Corpus = json(&description, 0)?;
    let chunks: Vec<NewChunk> = json(&chunks, 1)?;
    let corpus = match corpus::named(tx, former.workspace_id, &former.name)? {
        Some(corpus) => corpus,
        None => corpus::put(tx, &NewCorpus::from(former.clone()))?,
    };
    if corpus.source_type != former.source_type {
        let message = format!(
            "belongs to a corpus of {} documents, but `{}` contains {} documents now; delete that corpus or its \
             documents first",
            former.source_type, corpus.name, corpus.source_type
        );
        return Ok(Some(FileReport::new(&path, "invalid", message)));
    }
    if tx
        .prepare_cached("SELECT 1 FROM document WHERE corpus_id = ?1 AND path = ?2")?
        .exists((corpus.id, &path))?
    {
        let message = format!("is in the corpus `{}` again; delete that document first", corpus.name);
        return Ok(Some(FileReport::new(&path, "exists", message)));
    }
    tx.prepare_cached("UPDATE document SET corpus_id = ?2 WHERE id = ?1")?.execute((id, corpus.id))?;
    tx.prepare_cached("DELETE FROM binned WHERE document = ?1")?.execute([id])?;
    let workspace: Option<String> = tx
        .prepare_cached("SELECT name FROM workspace WHERE id = ?1")?
        .query_row([corpus.workspace_id], |row| row.get(0))
        .optional()?;
    let (at, name): (String, String) = tx
        .prepare_cached("SELECT ingested_at, coalesce(name, path) FROM document WHERE id = ?1")?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    kept_text::drop_present(tx, id)?;
    let owner = chunk::Owner {
        document: id,
        name: &name,
        corpus: corpus.id,
        corpus_name: &corpus.name,
        workspace: corpus.workspace_id,
        workspace_name: workspace.as_deref(),
        source_type: &corpus.source_type,
        report: report.as_deref(),
        path: &path,
        at: &at,
    };
    phrasing::put_chunks(tx, &owner, &chunks)?;
    Ok(None)
}

/// The chunks of a stored document as they would be stored anew, in order.
fn stored_chunks(c: &Connection, document: i64) -> Result<Vec<NewChunk>> {
    let mut select = c.prepare_cached(
        r#"SELECT parent, text, pieces, start, "end", metadata, page_start, page_end, tokens, oversize
           FROM chunk WHERE document_id = ?1 ORDER BY ordinal"#,
    )?;
    let rows = select.query_map(params![document], |row| {
        let (pieces, metadata): (String, String) = (row.get(2)?, row.get(5)?);
        let (first, last): (Option<u32>, Option<u32>) = (row.get(6)?, row.get(7)?);
        Ok(NewChunk {
            parent: row.get(0)?,
            text: row.get(1)?,
            pieces: json(&pieces, 2)?,
            extent: Span::new(row.get(3)?, row.get(4)?),
            metadata: json(&metadata, 5)?,
            pages: first.zip(last),
            tokens: row.get(8)?,
            oversize: row.get(9)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
