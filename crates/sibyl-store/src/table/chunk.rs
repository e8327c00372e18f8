//! Chunks: the exact text that is embedded and searched, and the pieces it is made of.

use crate::error::{Error, Result};
use crate::field;
use crate::job::ChunkChanges;
use crate::{SqliteStore, hash, json, short_hash};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_text::chunk::{self, header_length, with_added};
use sibyl_text::document::labels;
use sibyl_text::source_type::{self, SourceType, Standard};
use sibyl_text::tokens::{CharsPerToken, TokenCounter as _};
use sibyl_text::{Piece, Span};
use std::collections::HashMap;

/// Field of a chunk's metadata if OCR read some of its text: mean `confidence` of 100 and the `doubtful` words.
pub const OCR: &str = "ocr";

/// A chunk to be stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NewChunk {
    /// Position of the chunk it is part of.
    pub parent: Option<usize>,
    /// Exactly what is embedded and searched.
    pub text: String,
    /// The pieces that make it up.
    pub pieces: Vec<Piece>,
    /// From the first to the last byte of its own text.
    pub extent: Span,
    /// Fields of the strategy's schema.
    pub metadata: Map<String, Value>,
    /// First and last physical page.
    pub pages: Option<(u32, u32)>,
    /// Estimated tokens of the text.
    pub tokens: usize,
    /// Whether one atomic block made it longer than the maximum.
    pub oversize: bool,
}

/// A stored chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChunkRow {
    /// Row id.
    pub id: i64,
    /// Chunk id, 16 hex digits.
    pub chunk_id: String,
    /// Document it belongs to.
    pub document_id: i64,
    /// Corpus it belongs to.
    pub corpus: String,
    /// Title of its document.
    pub title: String,
    /// Path of its document.
    pub path: String,
    /// Position in its document, from 0.
    pub ordinal: i64,
    /// Position of the chunk it is part of.
    pub parent: Option<i64>,
    /// Source type of its corpus.
    pub source_type: String,
    /// Report id, for reports.
    pub report_id: Option<String>,
    /// Exactly what is embedded and searched.
    pub text: String,
    /// The pieces that make it up; spans are bytes of the document's text.
    #[schemars(skip)]
    pub pieces: Vec<Piece>,
    /// Fields of the strategy's schema.
    pub metadata: Map<String, Value>,
    /// First and last physical page.
    pub pages: Option<(u32, u32)>,
    /// Labels printed on these pages, if they differ from their numbers.
    pub page_labels: Option<(String, String)>,
    /// Estimated tokens of the text.
    pub tokens: i64,
    /// Words of the text.
    pub word_count: i64,
    /// Whether one atomic block made it longer than the maximum.
    pub oversize: bool,
    /// SHA-256 of the text (hex).
    pub content_hash: String,
    /// When it was stored (ISO 8601, UTC).
    pub ingested_at: String,
}

impl ChunkRow {
    /// The standard that it is a part of.
    pub fn standard(&self) -> Option<&'static Standard> {
        source_type::standard(&self.source_type)
    }

    /// Whether it is of a standard whose parts are topics with metrics.
    pub fn has_topics(&self) -> bool {
        self.standard().is_some_and(Standard::has_topics)
    }

    /// Whether it is of a licensed copy.
    pub fn is_licensed(&self) -> bool {
        source_type::named(&self.source_type).is_some_and(SourceType::is_licensed)
    }

    /// Its context header, if it has one.
    pub fn header(&self) -> Option<&str> {
        let header = self.text[..header_length(&self.pieces, &self.text)].trim_end();
        Some(header).filter(|header| !header.is_empty())
    }

    /// Its context header as people read it: `[A > B] [C]` without its brackets, `A > B, C`.
    pub fn header_in_words(&self) -> Option<String> {
        let header = self.header()?;
        let inside = header.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(header);
        Some(inside.replace("] [", ", "))
    }

    /// Its own text, without its context header and its search aids.
    pub fn passage(&self) -> String {
        chunk::passage(&self.pieces, &self.text)
    }

    /// Mean confidence of the text in it that OCR read, of 100; `None` if OCR read nothing.
    pub fn ocr_confidence(&self) -> Option<u64> {
        self.metadata.get(OCR)?.get("confidence")?.as_u64()
    }

    /// The phrases by which it is found.
    pub fn phrases(&self) -> Vec<String> {
        chunk::phrases(&self.pieces, &self.text)
    }

    /// Those of them that somebody added by hand.
    pub fn added_phrases(&self) -> Vec<String> {
        chunk::added(&self.pieces)
    }
}

/// What a document's chunks share.
pub(crate) struct Owner<'a> {
    pub document: i64,
    /// The name of the document in the ids of its chunks.
    pub name: &'a str,
    pub corpus: i64,
    pub corpus_name: &'a str,
    pub workspace: Option<i64>,
    pub workspace_name: Option<&'a str>,
    pub source_type: &'a str,
    pub report: Option<&'a str>,
    pub path: &'a str,
    pub at: &'a str,
}

/// First 16 hex digits of SHA-256 over the names of workspace (empty for shared), corpus and document, and the
/// ordinal, length-prefixed. It is the same in every library with the same documents. The name of a document is
/// its first path, so that its chunks keep their ids when it moves.
pub fn chunk_id(workspace: Option<&str>, corpus: &str, document: &str, ordinal: usize) -> String {
    short_hash(&[workspace.unwrap_or_default(), corpus, document, &ordinal.to_string()])
}

/// Replaces the stored chunks of the document by `chunks`. A chunk with the same id, text, pieces and metadata
/// keeps its row. One that moved or changed is updated in place with a new keyword row.
pub(super) fn replace(tx: &Transaction<'_>, owner: &Owner<'_>, chunks: &[NewChunk]) -> Result<ChunkChanges> {
    let mut stored: HashMap<String, (i64, Vec<u8>, String)> = HashMap::new();
    {
        let mut select = tx.prepare_cached(
            "SELECT chunk_id, id, input_hash, pieces || metadata || coalesce(parent, '') || coalesce(report_id, '') FROM chunk WHERE document_id = ?1",
        )?;
        let mut rows = select.query([owner.document])?;
        while let Some(row) = rows.next()? {
            stored.insert(row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?));
        }
    }
    let mut changes = ChunkChanges::default();
    for (ordinal, chunk) in chunks.iter().enumerate() {
        let id = chunk_id(owner.workspace_name, owner.corpus_name, owner.name, ordinal);
        let input = hash(chunk.text.as_bytes());
        let pieces = written(&chunk.pieces)?;
        let metadata = Value::Object(chunk.metadata.clone()).to_string();
        if let Some((row, old_input, old)) = stored.remove(&id) {
            let parent = chunk.parent.map(|p| p.to_string()).unwrap_or_default();
            let report = owner.report.unwrap_or_default();
            if old_input == input && old == format!("{pieces}{metadata}{parent}{report}") {
                changes.unchanged += 1;
                continue;
            }
            tx.prepare_cached("DELETE FROM chunk WHERE id = ?1")?.execute([row])?;
            changes.updated += 1;
        } else {
            changes.created += 1;
        }
        insert(tx, owner, ordinal, chunk, &id, &input, &pieces, &metadata)?;
    }
    for (row, ..) in stored.into_values() {
        changes.deleted += tx.prepare_cached("DELETE FROM chunk WHERE id = ?1")?.execute([row])?;
    }
    Ok(changes)
}

/// Stores `row` again with `pieces` and `text`, under its id.
pub(super) fn rewrite(tx: &Transaction<'_>, row: &ChunkRow, pieces: Vec<Piece>, text: String) -> Result<()> {
    let (corpus, workspace) = tx
        .prepare_cached("SELECT corpus_id, workspace_id FROM chunk WHERE id = ?1")?
        .query_row([row.id], |stored| Ok((stored.get(0)?, stored.get(1)?)))?;
    let owner = Owner {
        document: row.document_id,
        name: &row.path,
        corpus,
        corpus_name: &row.corpus,
        workspace,
        workspace_name: None,
        source_type: &row.source_type,
        report: row.report_id.as_deref(),
        path: &row.path,
        at: &row.ingested_at,
    };
    let new = NewChunk { tokens: CharsPerToken.count(&text), text, pieces, ..as_new(tx, row)? };
    tx.prepare_cached("DELETE FROM chunk WHERE id = ?1")?.execute([row.id])?;
    let input = hash(new.text.as_bytes());
    let (pieces, metadata) = (written(&new.pieces)?, Value::Object(new.metadata.clone()).to_string());
    insert(tx, &owner, position(row.ordinal)?, &new, &row.chunk_id, &input, &pieces, &metadata)
}

/// The stored chunk `row` without the phrasings added by hand.
pub(super) fn as_new(tx: &Transaction<'_>, row: &ChunkRow) -> Result<NewChunk> {
    let extent = tx
        .prepare_cached(r#"SELECT start, "end" FROM chunk WHERE id = ?1"#)?
        .query_row([row.id], |stored| Ok(Span::new(stored.get(0)?, stored.get(1)?)))?;
    let (pieces, text) = with_added(&row.pieces, &row.text, &[]);
    Ok(NewChunk {
        parent: row.parent.map(position).transpose()?,
        tokens: CharsPerToken.count(&text),
        text,
        pieces,
        extent,
        metadata: row.metadata.clone(),
        pages: row.pages,
        oversize: row.oversize,
    })
}

fn position(value: i64) -> Result<usize> {
    usize::try_from(value).map_err(|_| Error::Damaged(format!("{value} is no position of a chunk")))
}

fn written(pieces: &[Piece]) -> Result<String> {
    serde_json::to_string(pieces)
        .map_err(|error| Error::Damaged(format!("the pieces of a chunk cannot be stored: {error}")))
}

#[allow(clippy::too_many_arguments)] // One row has that many independent values.
fn insert(
    tx: &Transaction<'_>,
    owner: &Owner<'_>,
    ordinal: usize,
    chunk: &NewChunk,
    id: &str,
    input: &[u8; 32],
    pieces: &str,
    metadata: &str,
) -> Result<()> {
    tx.prepare_cached(
        r#"INSERT INTO chunk (chunk_id, document_id, corpus_id, workspace_id, ordinal, parent, source_type, text,
             input_hash, pieces, metadata, start, "end", page_start, page_end, tokens, word_count, oversize, report_id,
             path, ingested_at)
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)"#,
    )?
    .execute(params![
        id,
        owner.document,
        owner.corpus,
        owner.workspace,
        ordinal,
        chunk.parent,
        owner.source_type,
        chunk.text,
        input,
        pieces,
        metadata,
        chunk.extent.start,
        chunk.extent.end,
        chunk.pages.map(|p| p.0),
        chunk.pages.map(|p| p.1),
        chunk.tokens,
        word_count(&chunk.text),
        chunk.oversize,
        owner.report,
        owner.path,
        owner.at
    ])?;
    let row = tx.last_insert_rowid();
    for key in field::keys(&chunk.metadata) {
        tx.prepare_cached("INSERT OR IGNORE INTO chunk_key (key, chunk) VALUES (?1, ?2)")?
            .execute((key, row))?;
    }
    field::put(tx, row, owner.source_type, &chunk.metadata)?;
    Ok(())
}

const COLUMNS: &str =
    "c.id, c.chunk_id, c.document_id, o.name,
    coalesce((SELECT title FROM correction WHERE document = d.id), d.title), c.path, c.ordinal, c.parent, c.source_type,
    c.report_id, c.text, c.pieces, c.metadata, c.page_start, c.page_end, c.tokens, c.word_count, c.oversize,
    lower(hex(c.input_hash)), c.ingested_at,
    (SELECT label FROM page_label WHERE document_id = c.document_id AND page = c.page_start),
    (SELECT label FROM page_label WHERE document_id = c.document_id AND page = c.page_end)";
const TABLES: &str = "chunk c JOIN document d ON d.id = c.document_id JOIN corpus o ON o.id = c.corpus_id";

fn from_row(row: &Row<'_>) -> rusqlite::Result<ChunkRow> {
    let pieces: String = row.get(11)?;
    let metadata: String = row.get(12)?;
    let first: Option<u32> = row.get(13)?;
    let last: Option<u32> = row.get(14)?;
    let pages = first.zip(last);
    let (first_label, last_label) = (row.get(20)?, row.get(21)?);
    Ok(ChunkRow {
        id: row.get(0)?,
        chunk_id: row.get(1)?,
        document_id: row.get(2)?,
        corpus: row.get(3)?,
        title: row.get(4)?,
        path: row.get(5)?,
        ordinal: row.get(6)?,
        parent: row.get(7)?,
        source_type: row.get(8)?,
        report_id: row.get(9)?,
        text: row.get(10)?,
        pieces: json(&pieces, 11)?,
        metadata: json(&metadata, 12)?,
        pages,
        page_labels: pages.and_then(|pages| labels(pages, first_label, last_label)),
        tokens: row.get(15)?,
        word_count: row.get(16)?,
        oversize: row.get(17)?,
        content_hash: row.get(18)?,
        ingested_at: row.get(19)?,
    })
}

/// The chunk called `chunk_id`, if `workspace` sees it.
pub(super) fn row_called(c: &Connection, workspace: i64, chunk_id: &str) -> Result<Option<ChunkRow>> {
    let query = format!(
        "SELECT {COLUMNS} FROM {TABLES} WHERE c.chunk_id = ?2 AND (c.workspace_id IS NULL OR c.workspace_id = ?1)"
    );
    Ok(c.prepare_cached(&query)?.query_row((workspace, chunk_id), from_row).optional()?)
}

/// All chunks of the document at row `document`, in order.
pub(super) fn rows_of(c: &Connection, document: i64) -> Result<Vec<ChunkRow>> {
    let mut select = c.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM {TABLES} WHERE c.document_id = ?1 ORDER BY c.ordinal"
    ))?;
    let rows = select.query_map([document], from_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

impl SqliteStore {
    pub(crate) async fn chunk(&self, workspace: i64, chunk_id: &str) -> Result<Option<ChunkRow>> {
        let chunk_id = chunk_id.to_owned();
        self.pool.read(move |c| row_called(c, workspace, &chunk_id)).await
    }

    pub(crate) async fn chunks_by_row(
        &self,
        workspace: i64,
        rows: Vec<i64>,
    ) -> Result<HashMap<i64, ChunkRow>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM {TABLES} WHERE c.id = ?2 AND (c.workspace_id IS NULL OR c.workspace_id = ?1)"
                ))?;
                let mut found = HashMap::with_capacity(rows.len());
                for row in rows {
                    if let Some(chunk) = select.query_row((workspace, row), from_row).optional()? {
                        found.insert(row, chunk);
                    }
                }
                Ok(found)
            })
            .await
    }

    pub(crate) async fn chunks_of(
        &self,
        workspace: i64,
        document: i64,
        offset: i64,
        limit: i64,
    ) -> Result<Vec<ChunkRow>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM {TABLES}
                     WHERE c.document_id = ?2 AND (c.workspace_id IS NULL OR c.workspace_id = ?1)
                     ORDER BY c.ordinal LIMIT ?4 OFFSET ?3"
                ))?;
                let rows = select.query_map((workspace, document, offset, limit), from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn chunks_of_types(
        &self,
        workspace: i64,
        types: Vec<&'static str>,
    ) -> Result<Vec<ChunkRow>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM {TABLES}
                     WHERE c.source_type = ?2 AND (c.workspace_id IS NULL OR c.workspace_id = ?1)
                     ORDER BY c.corpus_id, c.path, c.ordinal"
                ))?;
                let mut found = Vec::new();
                for source_type in types {
                    for row in select.query_map((workspace, source_type), from_row)? {
                        found.push(row?);
                    }
                }
                Ok(found)
            })
            .await
    }

    pub(crate) async fn chunks_with_key(&self, workspace: i64, key: &str) -> Result<Vec<i64>> {
        let key = key.to_owned();
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT c.id FROM chunk_key k JOIN chunk c ON c.id = k.chunk
                     WHERE k.key = ?2 AND (c.workspace_id IS NULL OR c.workspace_id = ?1)
                     ORDER BY c.corpus_id, c.document_id, c.ordinal",
                )?;
                let rows = select.query_map((workspace, key), |row| row.get(0))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn chunk_counts(&self, workspace: i64) -> Result<Vec<(String, u64)>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT source_type, count(*) FROM chunk WHERE workspace_id IS NULL OR workspace_id = ?1
                     GROUP BY source_type",
                )?;
                let rows = select.query_map([workspace], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }
}

/// Words of `text`: runs between white space.
pub fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}
