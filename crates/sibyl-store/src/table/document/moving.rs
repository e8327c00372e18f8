//! Documents whose file is found in another place: they stay the same, and their former paths are known.

use crate::error::Result;
use crate::origin::DocumentOrigin;
use crate::table::bin;
use crate::{SqliteStore, now, touch};
use rusqlite::{OptionalExtension as _, Transaction};
use std::collections::HashSet;

/// Where a document is found now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Row of the document.
    pub document: i64,
    /// Import root of the file.
    pub root: String,
    /// Where the file is.
    pub origin: DocumentOrigin,
    /// Path below the import root.
    pub path: String,
}

/// The data of a stored document by which its file is recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// Row of the document.
    pub id: i64,
    /// Path below its import root.
    pub path: String,
    /// Import root; empty for an upload.
    pub root: String,
    /// Where it was read from.
    pub origin: DocumentOrigin,
    /// SHA-256 of its bytes (hex).
    pub source_hash: String,
    /// How many bytes these are.
    pub bytes: u64,
    /// Report id, for reports.
    pub report_id: Option<String>,
    /// Whether somebody added something to it or cites it: phrasings, corrections, findings, labels, answers.
    pub is_used: bool,
    /// Whether it is in the bin, because its file was gone.
    pub in_bin: bool,
}

/// A path that a document had before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerPlace {
    /// The path.
    pub path: String,
    /// Row of the document.
    pub document: i64,
    /// When it moved away (ISO 8601, UTC).
    pub until: String,
}

impl SqliteStore {
    pub(crate) async fn placed_documents(&self, corpus: i64) -> Result<Vec<Placed>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT d.id, d.path, d.root, d.origin, d.source_hash, coalesce(length(s.bytes), 0), d.report_id,
                       EXISTS (SELECT 1 FROM phrasing p WHERE p.document_id = d.id)
                       OR EXISTS (SELECT 1 FROM correction n WHERE n.document = d.id)
                       OR EXISTS (SELECT 1 FROM text_use u WHERE u.document = d.id)
                       OR EXISTS (SELECT 1 FROM review r WHERE r.report_id = d.report_id),
                       d.corpus_id IS NULL
                     FROM document d LEFT JOIN source s ON s.document_id = d.id
                     WHERE d.corpus_id = ?1 OR d.id IN (SELECT b.document FROM binned b JOIN corpus o ON o.id = ?1
                       AND o.workspace_id IS b.workspace_id AND o.name = b.corpus ->> '$.name' WHERE b.reason = 'gone')
                     ORDER BY d.path",
                )?;
                let rows = select.query_map([corpus], |row| {
                    Ok(Placed {
                        id: row.get(0)?,
                        path: row.get(1)?,
                        root: row.get(2)?,
                        origin: row.get(3)?,
                        source_hash: row.get(4)?,
                        bytes: row.get(5)?,
                        report_id: row.get(6)?,
                        is_used: row.get(7)?,
                        in_bin: row.get(8)?,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn former_places(&self, workspace: i64) -> Result<Vec<FormerPlace>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT p.path, p.document, p.until FROM former_place p JOIN document d ON d.id = p.document
                     JOIN corpus o ON o.id = d.corpus_id WHERE o.workspace_id IS NULL OR o.workspace_id = ?1
                     ORDER BY p.until, p.document",
                )?;
                let rows = select.query_map([workspace], |row| {
                    Ok(FormerPlace { path: row.get(0)?, document: row.get(1)?, until: row.get(2)? })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }
}

/// Moves documents to their new places, all at once, so that two may exchange theirs. One that is in the bin is
/// taken out. Their chunks keep their ids. The next job that reads the document chunks it again, because the path
/// is part of their text.
pub(crate) fn move_all(tx: &Transaction<'_>, moves: &[Move]) -> Result<()> {
    for Move { document, .. } in moves {
        bin::take_back_moved(tx, *document)?;
    }
    let moves = possible(tx, moves)?;
    for Move { document, path, .. } in &moves {
        leave(tx, *document, path)?;
        // No path begins so.
        tx.prepare_cached(
            "UPDATE document SET name = coalesce(name, path), path = '//' || id WHERE id = ?1",
        )?
        .execute([document])?;
    }
    for Move { document, root, origin, path } in &moves {
        tx.prepare_cached(
            "UPDATE document SET path = ?2, root = ?3, origin = ?4, config_hash = '' WHERE id = ?1",
        )?
        .execute((document, path, root, origin))?;
        tx.prepare_cached("UPDATE chunk SET path = ?2 WHERE document_id = ?1")?.execute((document, path))?;
        super::found_again(tx, *document)?;
    }
    if !moves.is_empty() {
        changed_in_place(tx)?;
        touch(tx, "corpus")?;
    }
    Ok(())
}

/// Those of `moves` whose document exists, and whose place no remaining document has. Another program may have
/// stored a document since the moves were recognised.
fn possible(tx: &Transaction<'_>, moves: &[Move]) -> Result<Vec<Move>> {
    let mut moves = moves.to_vec();
    loop {
        let leaving: HashSet<i64> = moves.iter().map(|one| one.document).collect();
        let before = moves.len();
        let mut there = Vec::new();
        for one in moves {
            let mut select = tx.prepare_cached(
                "SELECT (SELECT n.id FROM document n WHERE n.corpus_id = d.corpus_id AND n.path = ?2)
                 FROM document d WHERE d.id = ?1 AND d.corpus_id IS NOT NULL",
            )?;
            let target: Option<Option<i64>> =
                select.query_row((one.document, &one.path), |row| row.get(0)).optional()?;
            if target.is_some_and(|holder| holder.is_none_or(|holder| leaving.contains(&holder))) {
                there.push(one);
            }
        }
        if there.len() == before {
            return Ok(there);
        }
        moves = there;
    }
}

/// Notes the path that a document leaves for `path`.
pub(super) fn leave(tx: &Transaction<'_>, document: i64, path: &str) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO former_place (document, path, until) SELECT id, path, ?2 FROM document WHERE id = ?1
         ON CONFLICT DO UPDATE SET until = excluded.until",
    )?
    .execute((document, now()))?;
    tx.prepare_cached("DELETE FROM former_place WHERE document = ?1 AND path = ?2")?
        .execute((document, path))?;
    Ok(())
}

/// Rows of chunks were changed that keep their ids: what is kept of them in memory is made anew.
pub(super) fn changed_in_place(tx: &Transaction<'_>) -> Result<()> {
    tx.prepare_cached("INSERT INTO removed_chunk (chunk) VALUES (0)")?.execute([])?;
    touch(tx, "chunk")?;
    Ok(())
}

/// The name, in the ids of its chunks, of the document first stored at `path`; `None` if that is the path.
pub(super) fn new_name(tx: &Transaction<'_>, corpus: i64, path: &str) -> Result<Option<String>> {
    let mut taken =
        tx.prepare_cached("SELECT 1 FROM document WHERE corpus_id = ?1 AND coalesce(name, path) = ?2")?;
    if !taken.exists((corpus, path))? {
        return Ok(None);
    }
    // A document that moved away has the name still.
    for number in 2_u32.. {
        let name = format!("{path}#{number}");
        if !taken.exists((corpus, &name))? {
            return Ok(Some(name));
        }
    }
    Ok(None)
}
