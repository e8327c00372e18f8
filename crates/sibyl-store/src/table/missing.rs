//! Documents whose file a job did not find in its folder, with the data by which the folder is recognised.

use super::bin::{self, DeletedBecause};
use super::held::{self, HeldBecause};
use super::watched_folder::Gone;
use crate::error::Result;
use crate::origin::DocumentOrigin;
use crate::{SqliteStore, touch};
use rusqlite::{Connection, Transaction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// A document whose file is not in its folder any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingDocument {
    /// Its row.
    pub id: i64,
    /// Its corpus.
    pub corpus: i64,
    /// The import root.
    pub root: String,
    /// Path below the import root.
    pub path: String,
    /// Where its file was.
    pub origin: DocumentOrigin,
    /// Identity of the folder in which its file was last found; `None` if that is not known.
    pub found_in: Option<String>,
    /// Whether another file of the job, which is new, has its bytes.
    pub renamed: bool,
    /// Whether somebody is asked if it is another document by now.
    pub asked: bool,
    /// Whether it is marked as missing already.
    pub marked: bool,
    /// Whether somebody wants it to stay though its file is gone.
    pub kept: bool,
    /// Why it is held back, if it is, and since when (ISO 8601, UTC).
    pub held: Option<(HeldBecause, String)>,
}

/// What a job listed, and what it did not find there.
#[derive(Debug, Clone, Default)]
pub struct Listed {
    /// Every document of its import roots.
    pub documents: Vec<ListedDocument>,
    /// Those of them that are not among its files, without those stored after the folders were listed.
    pub missing: Vec<MissingDocument>,
    /// Identity of each folder that it listed, by path.
    pub folders: HashMap<String, String>,
}

/// A document of an import root that a job listed, found or not.
#[derive(Debug, Clone)]
pub struct ListedDocument {
    /// Its row.
    pub id: i64,
    /// Its corpus.
    pub corpus: i64,
    /// The import root.
    pub root: String,
    /// Where its file is or was.
    pub origin: DocumentOrigin,
    /// Identity of the folder in which its file was last found; `None` if that is not known.
    pub found_in: Option<String>,
}

/// What becomes of the documents that a job did not find a file of. Documents that it does not mention stay as
/// they are.
#[derive(Debug, Clone, Default)]
pub struct Settlement {
    /// They go into the bin.
    pub delete: Vec<i64>,
    /// They are marked as missing.
    pub mark: Vec<i64>,
    /// They are held back.
    pub hold: Vec<(i64, HeldBecause)>,
    /// What to do with those.
    pub gone: Gone,
    /// They are held back no longer, and stay.
    pub release: Vec<i64>,
    /// Documents whose file was found in another folder than before, with the identity of that folder.
    pub found: Vec<(i64, String)>,
    /// The moment from which on documents are held back (ISO 8601, UTC).
    pub at: String,
}

/// What is decided about documents that are held back.
#[derive(Debug, Clone)]
pub struct HeldDecision {
    /// The folder.
    pub root: String,
    /// Only those of the corpus of this name; of every corpus by default.
    pub corpus: Option<String>,
    /// Only those held back for this reason; whatever the reason by default.
    pub reason: Option<HeldBecause>,
    /// Whether they are deleted or marked as gone; otherwise they stay, and nobody is asked again.
    pub confirmed: bool,
}

/// What became of documents that were held back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeldOutcome {
    /// Documents that went into the bin.
    pub deleted: usize,
    /// Documents that were marked as missing.
    pub marked: usize,
    /// Documents that stay.
    pub kept: usize,
}

impl SqliteStore {
    pub(crate) async fn decide_held(&self, workspace: i64, decision: HeldDecision) -> Result<HeldOutcome> {
        self.pool
            .write(move |tx| {
                let HeldDecision { root, corpus, reason, confirmed } = decision;
                let held: Vec<(i64, Gone)> = {
                    let mut select = tx.prepare_cached(&format!(
                        "SELECT d.id, h.gone FROM {} AND d.root = ?2 AND (?3 IS NULL OR o.name = ?3)
                           AND (?4 IS NULL OR h.reason = ?4) ORDER BY d.id",
                        held::ROWS
                    ))?;
                    let rows = select
                        .query_map((workspace, root, corpus, reason), |row| Ok((row.get(0)?, row.get(1)?)))?;
                    rows.collect::<rusqlite::Result<_>>()?
                };
                let mut outcome = HeldOutcome::default();
                for (id, gone) in held {
                    if !confirmed {
                        held::keep(tx, id)?;
                        outcome.kept += 1;
                    } else if gone == Gone::Mark {
                        held::mark(tx, id)?;
                        outcome.marked += 1;
                    } else {
                        bin::put(tx, id, DeletedBecause::Gone)?;
                        outcome.deleted += 1;
                    }
                }
                touch(tx, "corpus")?;
                touch(tx, "chunk")?;
                Ok(outcome)
            })
            .await
    }

    pub(crate) async fn listed(&self, job: i64) -> Result<Option<Listed>> {
        self.pool
            .read(move |c| {
                if !c
                    .prepare_cached("SELECT 1 FROM job WHERE id = ?1 AND newest IS NOT NULL")?
                    .exists([job])?
                {
                    return Ok(None);
                }
                let mut select = c.prepare_cached(
                    "SELECT d.id, d.corpus_id, d.root, d.origin, p.identity FROM job_root r
                     JOIN document d ON d.corpus_id = r.corpus_id AND d.root = r.root
                     LEFT JOIN found_in p ON p.document = d.id WHERE r.job = ?1 ORDER BY d.id",
                )?;
                let documents = select.query_map([job], |row| {
                    let (id, corpus, root) = (row.get(0)?, row.get(1)?, row.get(2)?);
                    Ok(ListedDocument { id, corpus, root, origin: row.get(3)?, found_in: row.get(4)? })
                })?;
                let documents = documents.collect::<rusqlite::Result<_>>()?;
                let mut select = c.prepare_cached("SELECT path, identity FROM job_folder WHERE job = ?1")?;
                let folders = select.query_map([job], |row| Ok((row.get(0)?, row.get(1)?)))?;
                let folders = folders.collect::<rusqlite::Result<_>>()?;
                Ok(Some(Listed { documents, missing: missing(c, job)?, folders }))
            })
            .await
    }

    pub(crate) async fn settle_missing(&self, job: i64, settlement: Settlement) -> Result<usize> {
        self.pool
            .write(move |tx| {
                // Files may have come back, and documents gone, since it was decided.
                let still: HashSet<i64> = missing(tx, job)?.into_iter().map(|document| document.id).collect();
                tx.execute("UPDATE job SET newest = NULL WHERE id = ?1", [job])?;
                tx.execute("DELETE FROM job_folder WHERE job = ?1", [job])?;
                let Settlement { delete, mark, hold, gone, release, found, at } = settlement;
                let mut chunks = 0;
                for &id in delete.iter().filter(|id| still.contains(id)) {
                    chunks += bin::put(tx, id, DeletedBecause::Gone)?;
                }
                for &id in mark.iter().filter(|id| still.contains(id)) {
                    held::mark(tx, id)?;
                }
                for &(id, reason) in hold.iter().filter(|(id, _)| still.contains(id)) {
                    held::hold(tx, id, reason, gone, &at)?;
                }
                for &id in &release {
                    held::forget(tx, id)?;
                }
                for (id, identity) in found {
                    // It may have been deleted meanwhile.
                    tx.prepare_cached(
                        "INSERT INTO found_in (document, identity) SELECT id, ?2 FROM document WHERE id = ?1
                         ON CONFLICT DO UPDATE SET identity = excluded.identity",
                    )?
                    .execute((id, identity))?;
                }
                if !(mark.is_empty() && hold.is_empty() && release.is_empty()) {
                    touch(tx, "corpus")?;
                }
                if !delete.is_empty() {
                    touch(tx, "chunk")?;
                }
                Ok(chunks)
            })
            .await
    }
}

/// Records which folders `job` listed, in place of those that it listed before.
pub(super) fn list_folders(tx: &Transaction<'_>, job: i64, folders: Vec<(String, String)>) -> Result<()> {
    tx.execute("DELETE FROM job_folder WHERE job = ?1", [job])?;
    let mut insert =
        tx.prepare_cached("INSERT OR REPLACE INTO job_folder (job, path, identity) VALUES (?1, ?2, ?3)")?;
    for (path, identity) in folders {
        insert.execute((job, path, identity))?;
    }
    Ok(())
}

/// The documents whose files `job` did not find.
fn missing(connection: &Connection, job: i64) -> Result<Vec<MissingDocument>> {
    let mut select = connection.prepare_cached(
        "SELECT d.id, d.corpus_id, d.root, d.path, d.origin, EXISTS (SELECT 1 FROM job_file f
             JOIN document n ON n.corpus_id = f.corpus_id AND n.path = f.path
             WHERE f.job = ?1 AND f.result = 'created' AND n.corpus_id = d.corpus_id AND n.source_hash = d.source_hash),
           EXISTS (SELECT 1 FROM missing_document WHERE document = d.id), nullif(h.reason, 'kept'), h.since,
           (SELECT identity FROM found_in WHERE document = d.id),
           EXISTS (SELECT 1 FROM likeness WHERE gone = d.id AND NOT denied), h.reason IS 'kept'
         FROM job j JOIN job_root r ON r.job = j.id
           JOIN document d ON d.corpus_id = r.corpus_id AND d.root = r.root
           LEFT JOIN held_document h ON h.document = d.id
         WHERE j.id = ?1 AND d.id <= j.newest AND NOT EXISTS (SELECT 1 FROM job_file f
           WHERE f.job = ?1 AND f.corpus_id = d.corpus_id AND f.path = d.path)
         ORDER BY d.id",
    )?;
    let rows = select.query_map([job], |row| {
        let held: Option<HeldBecause> = row.get(7)?;
        Ok(MissingDocument {
            id: row.get(0)?,
            corpus: row.get(1)?,
            root: row.get(2)?,
            path: row.get(3)?,
            origin: row.get(4)?,
            found_in: row.get(9)?,
            renamed: row.get(5)?,
            asked: row.get(10)?,
            marked: row.get(6)?,
            kept: row.get(11)?,
            held: held.map(|because| Ok::<_, rusqlite::Error>((because, row.get(8)?))).transpose()?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
