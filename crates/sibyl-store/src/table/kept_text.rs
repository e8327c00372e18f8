//! Texts of documents as they were when something cited them. A text is kept when another replaces it, compressed
//! and once for each workspace, under the version that its citations name. It is deleted with the last of them.

use crate::SqliteStore;
use crate::error::{Error, Result};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction};
use sibyl_text::Document;
use std::collections::HashMap;
use std::io::{Read as _, Write as _};

/// A text of a document, present or former.
#[derive(Debug, Clone, PartialEq)]
pub struct TextOf {
    /// Row of the document; it may be gone.
    pub document: i64,
    /// Path of the document at that time.
    pub path: String,
    /// Its title as it was read then.
    pub title: String,
    /// When it was stored (ISO 8601, UTC).
    pub read_at: String,
    /// When another text took its place; `None` for the text that the document has now.
    pub replaced_at: Option<String>,
    /// The text with its structure.
    pub content: Document,
}

impl SqliteStore {
    pub(crate) async fn text_version(
        &self,
        workspace: i64,
        id: i64,
        version: &str,
    ) -> Result<Option<TextOf>> {
        let version = version.to_owned();
        self.pool
            .read(move |c| {
                // Of equal files each has the text.
                let mut present = c.prepare_cached(
                    "SELECT d.id, d.path, d.title, d.ingested_at, NULL, d.structure, d.text
                     FROM document d JOIN corpus o ON o.id = d.corpus_id
                     WHERE d.text_version = ?3 AND (o.workspace_id IS NULL OR o.workspace_id = ?1)
                     ORDER BY d.id = ?2 DESC, d.id LIMIT 1",
                )?;
                let found = present.query_row((workspace, id, &version), |row| {
                    let structure: String = row.get(5)?;
                    let mut content: Document = crate::json(&structure, 5)?;
                    content.text = row.get(6)?;
                    of_row(row, content)
                });
                if let Some(found) = found.optional()? {
                    return seen_from(c, workspace, id, found).map(Some);
                }
                let mut former = c.prepare_cached(
                    "SELECT document, path, title, read_at, replaced_at, content FROM kept_text
                     WHERE text_version = ?2 AND workspace_id IN (0, ?1) ORDER BY workspace_id DESC LIMIT 1",
                )?;
                let mut rows = former.query((workspace, &version))?;
                let Some(row) = rows.next()? else { return Ok(None) };
                let content = unpacked(&row.get::<_, Vec<u8>>(5)?, &version)?;
                seen_from(c, workspace, id, of_row(row, content)?).map(Some)
            })
            .await
    }

    pub(crate) async fn versions_cited(&self, answer: i64) -> Result<HashMap<i64, String>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT document, text_version FROM text_use WHERE kind = 'answer' AND owner = CAST(?1 AS TEXT)",
                )?;
                let rows = select.query_map([answer], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }
}

/// `text` as a text of the document in row `id`: of equal texts one is kept, under the name of one document. If a
/// document had this text before its present one, the time is that when it was last stored: when the text was
/// replaced is not known.
fn seen_from(c: &Connection, workspace: i64, id: i64, text: TextOf) -> Result<TextOf> {
    let mut own = c.prepare_cached(
        "SELECT d.id, d.path, d.title, d.ingested_at FROM document d JOIN corpus o ON o.id = d.corpus_id
         WHERE d.id = coalesce((SELECT f.document FROM former_document f WHERE f.id = ?2), ?2)
           AND (o.workspace_id IS NULL OR o.workspace_id = ?1)",
    )?;
    let mut rows = own.query((workspace, id))?;
    let Some(row) = rows.next()? else { return Ok(text) };
    let document: i64 = row.get(0)?;
    if document == text.document {
        return Ok(text);
    }
    let (path, title, replaced_at) = (row.get(1)?, row.get(2)?, Some(row.get(3)?));
    Ok(TextOf { document, path, title, read_at: String::new(), replaced_at, ..text })
}

fn of_row(row: &Row<'_>, content: Document) -> rusqlite::Result<TextOf> {
    Ok(TextOf {
        document: row.get(0)?,
        path: row.get(1)?,
        title: row.get(2)?,
        read_at: row.get(3)?,
        replaced_at: row.get(4)?,
        content,
    })
}

/// Keeps the text of the document in row `id`, which is about to be replaced, if something that sees the document
/// cites it.
pub(crate) fn keep(tx: &Transaction<'_>, id: i64) -> Result<()> {
    let mut select = tx.prepare_cached(
        "SELECT d.text_version, d.structure, d.text FROM document d JOIN corpus o ON o.id = d.corpus_id WHERE d.id = ?1
         AND EXISTS (SELECT 1 FROM text_use u WHERE u.text_version = d.text_version
           AND (o.workspace_id IS NULL OR u.workspace_id = o.workspace_id))
         AND NOT EXISTS (SELECT 1 FROM kept_text k WHERE k.text_version = d.text_version
           AND k.workspace_id = coalesce(o.workspace_id, 0))",
    )?;
    let cited = select.query_row([id], |row| {
        let structure: String = row.get(1)?;
        let mut content: Document = crate::json(&structure, 1)?;
        content.text = row.get(2)?;
        Ok((row.get::<_, String>(0)?, content))
    });
    let Some((version, content)) = cited.optional()? else { return Ok(()) };
    let unwritable = |error: &dyn std::fmt::Display| {
        Error::Damaged(format!("the text {version} cannot be kept for what cites it: {error}"))
    };
    let json = serde_json::to_vec(&content).map_err(|error| unwritable(&error))?;
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&json).map_err(|error| unwritable(&error))?;
    let packed = packed.finish().map_err(|error| unwritable(&error))?;
    tx.prepare_cached(
        "INSERT INTO kept_text (text_version, workspace_id, document, path, title, read_at, replaced_at, hash, content)
         SELECT d.text_version, coalesce(o.workspace_id, 0), d.id, d.path, d.title, d.ingested_at, ?2, ?3, ?4
         FROM document d JOIN corpus o ON o.id = d.corpus_id WHERE d.id = ?1",
    )?
    .execute((id, crate::now(), crate::hash(&json), packed))?;
    Ok(())
}

/// Drops the texts that nothing cites any more.
pub(crate) fn drop_unused(tx: &Transaction<'_>) -> Result<()> {
    tx.prepare_cached(
        "DELETE FROM kept_text WHERE NOT EXISTS
           (SELECT 1 FROM text_use u WHERE u.text_version = kept_text.text_version
              AND kept_text.workspace_id IN (0, u.workspace_id))",
    )?
    .execute([])?;
    Ok(())
}

/// Drops the kept text that the document in row `id` has now.
pub(crate) fn drop_present(tx: &Transaction<'_>, id: i64) -> Result<()> {
    tx.prepare_cached(
        "DELETE FROM kept_text WHERE (text_version, workspace_id) = (SELECT d.text_version, coalesce(o.workspace_id, 0)
           FROM document d JOIN corpus o ON o.id = d.corpus_id WHERE d.id = ?1)",
    )?
    .execute([id])?;
    Ok(())
}

fn inflated(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut json = Vec::new();
    ZlibDecoder::new(content).read_to_end(&mut json)?;
    Ok(json)
}

fn unpacked(content: &[u8], version: &str) -> Result<Document> {
    let damaged = |error: &dyn std::fmt::Display| {
        Error::Damaged(format!("the former text {version} cannot be read: {error}; restore a backup"))
    };
    let json = inflated(content).map_err(|error| damaged(&error))?;
    serde_json::from_slice(&json).map_err(|error| damaged(&error))
}

/// What is wrong with a kept text.
pub(crate) enum TextFault {
    /// It differs from what was kept, or cannot be read.
    Damaged(String),
    /// Something cites it, and it is nowhere.
    Lost(String),
}

/// Checks every kept text, and that every text which something cites is there. Returns the number of texts
/// checked.
pub(crate) fn check(c: &Connection) -> Result<(usize, Vec<TextFault>)> {
    let (mut checked, mut faults) = (0, Vec::new());
    let mut select =
        c.prepare("SELECT text_version, path, hash, content FROM kept_text ORDER BY text_version")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        checked += 1;
        let (version, path): (String, String) = (row.get(0)?, row.get(1)?);
        let (hash, content): (Vec<u8>, Vec<u8>) = (row.get(2)?, row.get(3)?);
        let sound = inflated(&content).is_ok_and(|json| crate::hash(&json) == *hash)
            && unpacked(&content, &version).is_ok();
        if !sound {
            faults.push(TextFault::Damaged(format!("{path} as {version}")));
        }
    }
    let mut lost = c.prepare(
        "SELECT DISTINCT u.kind || ' ' || u.owner FROM text_use u WHERE u.text_version <> ''
         AND NOT EXISTS (SELECT 1 FROM document d JOIN corpus o ON o.id = d.corpus_id
           WHERE d.text_version = u.text_version AND (o.workspace_id IS NULL OR o.workspace_id = u.workspace_id))
         AND NOT EXISTS (SELECT 1 FROM kept_text k WHERE k.text_version = u.text_version
           AND k.workspace_id IN (0, u.workspace_id))",
    )?;
    let places = lost.query_map([], |row| row.get::<_, String>(0))?;
    for place in places {
        faults.push(TextFault::Lost(place?));
    }
    Ok((checked, faults))
}
