//! Documents whose file a check of a folder did not find, and which are neither deleted nor marked for now. Their
//! folder is a different one, too many were gone at once, or somebody wants them to stay.

use super::watched_folder::Gone;
use crate::error::Result;
use crate::job::{GoneDocument, GoneDocuments};
use crate::named::named;
use crate::{SqliteStore, now};
use rusqlite::Transaction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Seconds after which documents that were gone at once are deleted or marked, if their files are still gone.
pub const HELD: i64 = 24 * 60 * 60;

/// Why a document is held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HeldBecause {
    /// Its folder is not there, or is not the one that it was: a drive may be disconnected.
    Away,
    /// Very many files of the folder were gone at once.
    Many,
}

named!(HeldBecause, "why a document is held back", Away = "away", Many = "many");

/// Documents of a folder that are held back for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeldDocuments {
    /// The folder that is watched or was ingested.
    pub root: String,
    /// Name of the corpus.
    pub corpus: String,
    /// The watched folder; `None` if it is not watched.
    pub watched: Option<i64>,
    /// Why they are held back.
    pub reason: HeldBecause,
    /// What becomes of them when somebody confirms it, or when the time is over.
    pub gone: Gone,
    /// How many there are, and the first 20 of them by path.
    pub files: GoneDocuments,
    /// When the first of them are deleted or marked if their files are still gone (ISO 8601, UTC); `None` if that
    /// waits for an answer or for the folder.
    pub until: Option<String>,
}

/// The documents that are held back, with whatever decides who may see them.
pub(super) const ROWS: &str =
    "held_document h JOIN document d ON d.id = h.document JOIN corpus o ON o.id = d.corpus_id
    WHERE (o.workspace_id IS NULL OR o.workspace_id = ?1) AND h.reason <> 'kept'";

impl SqliteStore {
    pub(crate) async fn held_documents(&self, workspace: i64) -> Result<Vec<HeldDocuments>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT d.root, o.name, h.reason, h.gone, h.since, d.id, d.path,
                       (SELECT f.id FROM watched_folder f WHERE f.workspace_id = ?1 AND f.path = d.root)
                     FROM {ROWS} ORDER BY d.root, o.name, h.reason, d.path"
                ))?;
                let mut rows = select.query([workspace])?;
                let mut all: Vec<HeldDocuments> = Vec::new();
                while let Some(row) = rows.next()? {
                    let (root, corpus): (String, String) = (row.get(0)?, row.get(1)?);
                    let (reason, gone): (HeldBecause, Gone) = (row.get(2)?, row.get(3)?);
                    let since: String = row.get(4)?;
                    let until = (reason == HeldBecause::Many).then(|| crate::later(&since, HELD));
                    let document = GoneDocument { id: row.get(5)?, path: row.get(6)? };
                    let key = (root.as_str(), corpus.as_str(), reason);
                    match all
                        .last_mut()
                        .filter(|last| (last.root.as_str(), last.corpus.as_str(), last.reason) == key)
                    {
                        Some(last) => {
                            last.files.add(document);
                            last.until = last.until.take().into_iter().chain(until).min();
                        }
                        None => {
                            let mut files = GoneDocuments::default();
                            files.add(document);
                            let watched = row.get(7)?;
                            all.push(HeldDocuments { root, corpus, watched, reason, gone, files, until });
                        }
                    }
                }
                Ok(all)
            })
            .await
    }
}

/// Holds the document `id` back from `at` on (ISO 8601, UTC), or from an earlier time if it is already held back
/// for the same reason.
pub(super) fn hold(tx: &Transaction<'_>, id: i64, reason: HeldBecause, gone: Gone, at: &str) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO held_document (document, reason, gone, since) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET gone = excluded.gone, since = CASE reason WHEN excluded.reason THEN since ELSE excluded.since END,
           reason = excluded.reason",
    )?
    .execute((id, reason, gone, at))?;
    Ok(())
}

/// Lets the document `id` stay though its file is gone.
pub(super) fn keep(tx: &Transaction<'_>, id: i64) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO held_document (document, reason, gone, since) VALUES (?1, 'kept', 'delete', ?2)
         ON CONFLICT DO UPDATE SET reason = 'kept'",
    )?
    .execute((id, now()))?;
    Ok(())
}

/// Marks the document `id` as one whose file is gone.
pub(super) fn mark(tx: &Transaction<'_>, id: i64) -> Result<()> {
    forget(tx, id)?;
    tx.prepare_cached("INSERT OR IGNORE INTO missing_document VALUES (?1, ?2)")?.execute((id, now()))?;
    Ok(())
}

/// Nothing is held back of the document `id` any more.
pub(super) fn forget(tx: &Transaction<'_>, id: i64) -> Result<()> {
    tx.prepare_cached("DELETE FROM held_document WHERE document = ?1")?.execute([id])?;
    Ok(())
}
