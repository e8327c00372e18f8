//! Folders whose changes are ingested automatically. A folder is leased by the program that watches it, so that two
//! never do.

use crate::error::{Error, Result};
use crate::named::named;
use crate::{SqliteStore, now};
use rusqlite::{OptionalExtension as _, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What becomes of a document whose file is gone from its folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gone {
    /// It is left unchanged.
    Keep,
    /// It stays and is marked as missing.
    Mark,
    /// It is deleted: it goes into the bin.
    #[default]
    Delete,
}

named!(
    Gone,
    "what becomes of documents whose files are gone",
    Keep = "keep",
    Mark = "mark",
    Delete = "delete"
);

/// A watched folder as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedFolderRow {
    /// Its id.
    pub id: i64,
    /// Name of the workspace that it belongs to.
    pub workspace: String,
    /// The folder.
    pub path: String,
    /// Name of the corpus that its files go to.
    pub corpus: String,
    /// What happens to documents whose file is gone.
    pub gone: Gone,
    /// Seconds between two checks of the folder; 0 if it is checked only when the system reports a change.
    pub every: u32,
    /// Whether watching is paused.
    pub paused: bool,
    /// The program that watches it.
    pub owner: Option<String>,
    /// Until when (Unix seconds).
    pub lease_until: i64,
    /// Hash of names, sizes and times of its files at the last ingest; empty before the first.
    pub seen: String,
    /// When it was last checked (ISO 8601, UTC).
    pub looked_at: Option<String>,
    /// The job that last ingested it.
    pub job: Option<i64>,
    /// Why it cannot be checked, as a code and in words.
    pub trouble: Option<(String, String)>,
}

/// A folder to be watched.
#[derive(Debug, Clone)]
pub struct NewWatchedFolder {
    /// Name of the workspace.
    pub workspace: String,
    /// The folder.
    pub path: String,
    /// Name of the corpus that its files go to.
    pub corpus: String,
    /// What happens to documents whose file is gone.
    pub gone: Gone,
    /// Seconds between two checks of the folder; 0 if it is checked only when the system reports a change.
    pub every: u32,
}

/// What is changed of a watched folder; what is absent stays.
#[derive(Debug, Clone, Copy, Default)]
pub struct WatchedFolderChange {
    /// Whether watching is paused.
    pub paused: Option<bool>,
    /// What happens to documents whose file is gone.
    pub gone: Option<Gone>,
    /// Seconds between two looks.
    pub every: Option<u32>,
}

/// The result of a check of a folder.
#[derive(Debug, Clone, Default)]
pub struct Looked {
    /// Hash of what was seen; unchanged if absent.
    pub seen: Option<String>,
    /// The job that ingests it; unchanged if absent.
    pub job: Option<i64>,
    /// Why it cannot be checked, as a code and in words.
    pub trouble: Option<(String, String)>,
}

const COLUMNS: &str =
    "f.id, w.name, f.path, f.corpus, f.gone, f.every, f.paused, f.owner, f.lease_until, f.seen,
    f.looked_at, f.job, f.code, f.error";

fn from_row(row: &Row<'_>) -> rusqlite::Result<WatchedFolderRow> {
    let code: Option<String> = row.get(12)?;
    Ok(WatchedFolderRow {
        id: row.get(0)?,
        workspace: row.get(1)?,
        path: row.get(2)?,
        corpus: row.get(3)?,
        gone: row.get(4)?,
        every: row.get(5)?,
        paused: row.get(6)?,
        owner: row.get(7)?,
        lease_until: row.get(8)?,
        seen: row.get(9)?,
        looked_at: row.get(10)?,
        job: row.get(11)?,
        trouble: code.zip(row.get(13)?),
    })
}

fn unknown(id: i64) -> Error {
    Error::NotFound {
        what: "watched folder",
        id: id.to_string(),
        cure: "; `sibyl watch list` shows all of them".to_owned(),
    }
}

impl SqliteStore {
    pub(crate) async fn watched_folders(&self, workspace: &str) -> Result<Vec<WatchedFolderRow>> {
        let workspace = workspace.to_owned();
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM watched_folder f JOIN workspace w ON w.id = f.workspace_id
                     WHERE w.name = ?1 ORDER BY f.path"
                ))?;
                let rows = select.query_map([workspace], from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn watched_folder(&self, workspace: &str, id: i64) -> Result<WatchedFolderRow> {
        let workspace = workspace.to_owned();
        self.pool
            .read(move |c| {
                let query = format!(
                    "SELECT {COLUMNS} FROM watched_folder f JOIN workspace w ON w.id = f.workspace_id
                     WHERE w.name = ?1 AND f.id = ?2"
                );
                let found = c.prepare_cached(&query)?.query_row((workspace, id), from_row).optional()?;
                found.ok_or_else(|| unknown(id))
            })
            .await
    }

    pub(crate) async fn add_watched_folder(&self, new: NewWatchedFolder) -> Result<i64> {
        let workspace = self.workspace(&new.workspace).await?.id;
        self.pool
            .write(move |tx| {
                let added = tx
                    .query_row(
                        "INSERT INTO watched_folder (workspace_id, path, corpus, gone, every, created_at)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING RETURNING id",
                        (workspace, &new.path, new.corpus, new.gone, new.every, now()),
                        |row| row.get(0),
                    )
                    .optional()?;
                added.ok_or(Error::Watched(new.path))
            })
            .await
    }

    pub(crate) async fn change_watched_folder(
        &self,
        workspace: &str,
        id: i64,
        change: WatchedFolderChange,
    ) -> Result<()> {
        let workspace = self.workspace(workspace).await?.id;
        self.pool
            .write(move |tx| {
                let changed = tx.execute(
                    "UPDATE watched_folder SET paused = coalesce(?3, paused), gone = coalesce(?4, gone),
                       every = coalesce(?5, every), owner = CASE WHEN ?3 THEN NULL ELSE owner END
                     WHERE id = ?1 AND workspace_id = ?2",
                    (id, workspace, change.paused, change.gone.map(Gone::name), change.every),
                )?;
                if changed == 0 { Err(unknown(id)) } else { Ok(()) }
            })
            .await
    }

    pub(crate) async fn remove_watched_folder(&self, workspace: &str, id: i64) -> Result<()> {
        let workspace = self.workspace(workspace).await?.id;
        self.pool
            .write(move |tx| {
                let removed = tx.execute(
                    "DELETE FROM watched_folder WHERE id = ?1 AND workspace_id = ?2",
                    (id, workspace),
                )?;
                if removed == 0 { Err(unknown(id)) } else { Ok(()) }
            })
            .await
    }

    pub(crate) async fn watchable_folders(&self) -> Result<Vec<WatchedFolderRow>> {
        self.pool
            .read(|c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM watched_folder f JOIN workspace w ON w.id = f.workspace_id
                     WHERE NOT f.paused ORDER BY f.id"
                ))?;
                let rows = select.query_map([], from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn lease_watched_folder(
        &self,
        id: i64,
        before: Option<String>,
        owner: &str,
        until: i64,
    ) -> Result<bool> {
        let owner = owner.to_owned();
        self.pool
            .write(move |tx| {
                // Renewing a lease is no change of the folder that others are notified of.
                let query = if before.as_ref() == Some(&owner) {
                    "UPDATE watched_folder SET lease_until = ?3
                     WHERE id = ?1 AND owner = ?2 AND owner IS ?4 AND NOT paused"
                } else {
                    "UPDATE watched_folder SET owner = ?2, lease_until = ?3
                     WHERE id = ?1 AND owner IS ?4 AND NOT paused"
                };
                Ok(tx.execute(query, (id, &owner, until, before))? > 0)
            })
            .await
    }

    pub(crate) async fn note_watched_folder(&self, id: i64, looked: Looked) -> Result<()> {
        self.pool
            .write(move |tx| {
                let (code, error) = looked.trouble.unzip();
                tx.execute(
                    "UPDATE watched_folder SET seen = coalesce(?2, seen), job = coalesce(?3, job), code = ?4, error = ?5,
                       looked_at = ?6 WHERE id = ?1",
                    (id, looked.seen, looked.job, code, error, now()),
                )?;
                Ok(())
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place;
    use crate::table::workspace::DEFAULT_WORKSPACE;

    #[tokio::test]
    async fn a_folder_is_leased_by_one_program_as_long_as_it_is_not_paused() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(Place::named(folder.path())).unwrap();
        let new = NewWatchedFolder {
            workspace: DEFAULT_WORKSPACE.to_owned(),
            path: "/reports".to_owned(),
            corpus: "reports".to_owned(),
            gone: Gone::Mark,
            every: 60,
        };
        let id = store.add_watched_folder(new.clone()).await.unwrap();
        assert!(store.add_watched_folder(new).await.is_err(), "it is watched already");
        let lease = async |before: Option<&str>, owner, until| {
            store.lease_watched_folder(id, before.map(str::to_owned), owner, until).await.unwrap()
        };
        assert!(lease(None, "a", 100).await);
        assert!(!lease(None, "b", 100).await, "another program was faster");
        assert!(lease(Some("a"), "a", 200).await, "it is renewed");
        let row = store.watchable_folders().await.unwrap().remove(0);
        assert_eq!((row.owner.as_deref(), row.lease_until), (Some("a"), 200));
        assert!(lease(Some("a"), "b", 300).await, "its owner ended");
        assert!(!lease(Some("a"), "a", 300).await);
        let pause = WatchedFolderChange { paused: Some(true), ..WatchedFolderChange::default() };
        store.change_watched_folder(DEFAULT_WORKSPACE, id, pause).await.unwrap();
        assert!(store.watchable_folders().await.unwrap().is_empty());
        assert!(!lease(None, "b", 400).await, "it is paused");
        let row = store.watched_folder(DEFAULT_WORKSPACE, id).await.unwrap();
        assert_eq!((row.paused, row.owner, row.gone, row.every), (true, None, Gone::Mark, 60));
        store.remove_watched_folder(DEFAULT_WORKSPACE, id).await.unwrap();
        assert!(store.watched_folder(DEFAULT_WORKSPACE, id).await.is_err());
    }
}
