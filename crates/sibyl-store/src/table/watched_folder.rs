//! Folders whose changes are taken in by themselves. A folder is leased by the program that watches it, so that two
//! never do.

use crate::error::{Error, Result};
use crate::{Store, now};
use rusqlite::{OptionalExtension as _, Row};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What becomes of a document whose file is gone from its folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Gone {
    /// It stays as it is.
    Keep,
    /// It stays and is marked as missing.
    Mark,
    /// It is deleted with its chunks.
    #[default]
    Delete,
}

impl Gone {
    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Mark => "mark",
            Self::Delete => "delete",
        }
    }

    fn named(name: &str) -> Self {
        match name {
            "keep" => Self::Keep,
            "mark" => Self::Mark,
            _ => Self::Delete,
        }
    }
}

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
    /// What becomes of documents whose file is gone.
    pub gone: Gone,
    /// Seconds between two looks; 0 where it is looked into only when the system tells of a change.
    pub every: u32,
    /// Whether nobody watches it for now.
    pub paused: bool,
    /// The program that watches it.
    pub owner: Option<String>,
    /// Until when (Unix seconds).
    pub lease_until: i64,
    /// Hash of names, sizes and times of its files when they were taken in last; empty before.
    pub seen: String,
    /// When it was looked into last (ISO 8601, UTC).
    pub looked_at: Option<String>,
    /// The job that took it in last.
    pub job: Option<i64>,
    /// Why it cannot be looked into, as a code and in words.
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
    /// What becomes of documents whose file is gone.
    pub gone: Gone,
    /// Seconds between two looks; 0 where it is looked into only when the system tells of a change.
    pub every: u32,
}

/// What is changed of a watched folder; what is absent stays.
#[derive(Debug, Clone, Copy, Default)]
pub struct WatchedFolderChange {
    /// Whether nobody watches it for now.
    pub paused: Option<bool>,
    /// What becomes of documents whose file is gone.
    pub gone: Option<Gone>,
    /// Seconds between two looks.
    pub every: Option<u32>,
}

/// What came of a look into a folder.
#[derive(Debug, Clone, Default)]
pub struct Looked {
    /// Hash of what was seen; as before where it is absent.
    pub seen: Option<String>,
    /// The job that takes it in; as before where it is absent.
    pub job: Option<i64>,
    /// Why it cannot be looked into, as a code and in words.
    pub trouble: Option<(String, String)>,
}

const COLUMNS: &str =
    "f.id, w.name, f.path, f.corpus, f.gone, f.every, f.paused, f.owner, f.lease_until, f.seen,
    f.looked_at, f.job, f.code, f.error";

fn from_row(row: &Row<'_>) -> rusqlite::Result<WatchedFolderRow> {
    let gone: String = row.get(4)?;
    let code: Option<String> = row.get(12)?;
    Ok(WatchedFolderRow {
        id: row.get(0)?,
        workspace: row.get(1)?,
        path: row.get(2)?,
        corpus: row.get(3)?,
        gone: Gone::named(&gone),
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

impl Store {
    /// The watched folders of `workspace`, by path.
    pub async fn watched_folders(&self, workspace: &str) -> Result<Vec<WatchedFolderRow>> {
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

    /// The watched folder `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the workspace has no such folder.
    pub async fn watched_folder(&self, workspace: &str, id: i64) -> Result<WatchedFolderRow> {
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

    /// Watches a folder from now on. Returns its id.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown workspace, [`Error::Invalid`] where the folder is watched already.
    pub async fn add_watched_folder(&self, new: NewWatchedFolder) -> Result<i64> {
        let workspace = self.workspace(&new.workspace).await?.id;
        self.pool
            .write(move |tx| {
                let added = tx
                    .query_row(
                        "INSERT INTO watched_folder (workspace_id, path, corpus, gone, every, created_at)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING RETURNING id",
                        (workspace, &new.path, new.corpus, new.gone.name(), new.every, now()),
                        |row| row.get(0),
                    )
                    .optional()?;
                added.ok_or_else(|| {
                    Error::Invalid(format!(
                        "{} is already watched; change it, or remove it before you add it to another corpus",
                        new.path
                    ))
                })
            })
            .await
    }

    /// Changes the watched folder `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the workspace has no such folder.
    pub async fn change_watched_folder(
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

    /// Watches the folder `id` of `workspace` no longer. Its documents stay.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the workspace has no such folder.
    pub async fn remove_watched_folder(&self, workspace: &str, id: i64) -> Result<()> {
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

    /// The programs that watch folders.
    pub async fn watched_folder_owners(&self) -> Result<Vec<String>> {
        self.pool
            .read(|c| {
                let mut select =
                    c.prepare_cached("SELECT DISTINCT owner FROM watched_folder WHERE owner IS NOT NULL")?;
                let rows = select.query_map([], |row| row.get(0))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// Leases to `owner` every folder that is not paused and that nobody watches: no one, one of the `dead`, or one whose
    /// lease ran out before `moment` (Unix seconds). Leases hold for `seconds` and are renewed in their second half.
    /// Returns the folders that `owner` watches.
    pub async fn hold_watched_folders(
        &self,
        owner: &str,
        dead: Vec<String>,
        moment: i64,
        seconds: i64,
    ) -> Result<Vec<WatchedFolderRow>> {
        let owner = owner.to_owned();
        let rows: Vec<WatchedFolderRow> = self
            .pool
            .read(|c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM watched_folder f JOIN workspace w ON w.id = f.workspace_id
                     WHERE NOT f.paused ORDER BY f.id"
                ))?;
                let rows = select.query_map([], from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await?;
        let mut held = Vec::new();
        for mut row in rows {
            let mine = row.owner.as_ref() == Some(&owner);
            let free =
                row.owner.as_ref().is_none_or(|other| dead.contains(other)) || row.lease_until < moment;
            if mine && row.lease_until > moment + seconds / 2 {
                held.push(row);
                continue;
            }
            if !mine && !free {
                continue;
            }
            let (id, before, me) = (row.id, row.owner.clone(), owner.clone());
            let taken = self
                .pool
                .write(move |tx| {
                    // Another program may have taken it meanwhile.
                    let query = if before.as_ref() == Some(&me) {
                        "UPDATE watched_folder SET lease_until = ?3
                         WHERE id = ?1 AND owner = ?2 AND owner IS ?4 AND NOT paused"
                    } else {
                        "UPDATE watched_folder SET owner = ?2, lease_until = ?3
                         WHERE id = ?1 AND owner IS ?4 AND NOT paused"
                    };
                    Ok(tx.execute(query, (id, &me, moment + seconds, before))? > 0)
                })
                .await?;
            if taken {
                row.owner = Some(owner.clone());
                row.lease_until = moment + seconds;
                held.push(row);
            }
        }
        Ok(held)
    }

    /// Notes what came of a look into the folder `id`.
    pub async fn note_watched_folder(&self, id: i64, looked: Looked) -> Result<()> {
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
    async fn one_program_watches_a_folder_until_it_ends_pauses_or_falls_silent() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(Place::named(folder.path())).unwrap();
        let new = NewWatchedFolder {
            workspace: DEFAULT_WORKSPACE.to_owned(),
            path: "/reports".to_owned(),
            corpus: "reports".to_owned(),
            gone: Gone::Mark,
            every: 60,
        };
        let id = store.add_watched_folder(new.clone()).await.unwrap();
        assert!(store.add_watched_folder(new).await.is_err(), "it is watched already");
        let held = async |owner, dead: &[&str], moment| {
            let dead = dead.iter().map(|&name| name.to_owned()).collect();
            store.hold_watched_folders(owner, dead, moment, 100).await.unwrap().len()
        };
        assert_eq!((held("a", &[], 1_000).await, held("b", &[], 1_000).await), (1, 0));
        assert_eq!(
            (held("a", &[], 1_080).await, held("b", &[], 1_170).await),
            (1, 0),
            "the lease was renewed"
        );
        assert_eq!((held("b", &["a"], 1_170).await, held("a", &[], 1_170).await), (1, 0), "its owner ended");
        assert_eq!(held("a", &[], 1_271).await, 1, "its owner fell silent");
        let pause = WatchedFolderChange { paused: Some(true), ..WatchedFolderChange::default() };
        store.change_watched_folder(DEFAULT_WORKSPACE, id, pause).await.unwrap();
        assert_eq!(held("a", &[], 1_271).await, 0);
        let row = store.watched_folder(DEFAULT_WORKSPACE, id).await.unwrap();
        assert_eq!((row.paused, row.owner, row.gone, row.every), (true, None, Gone::Mark, 60));
        store.remove_watched_folder(DEFAULT_WORKSPACE, id).await.unwrap();
        assert!(store.watched_folder(DEFAULT_WORKSPACE, id).await.is_err());
    }
}
