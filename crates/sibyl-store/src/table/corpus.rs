//! Corpora: documents of one kind, chunked by one strategy.

use crate::error::{Error, Result};
use crate::{SqliteStore, now, touch};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_text::source_type::{self, Permission};

/// A corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Corpus {
    /// Row id.
    pub id: i64,
    /// Workspace it is private to; `None` for shared ones.
    pub workspace_id: Option<i64>,
    /// Name, unique in its workspace.
    pub name: String,
    /// Name of the source type of its documents.
    pub source_type: String,
    /// Name of the chunking strategy.
    pub strategy: String,
    /// Values given to the strategy; the rest are its defaults.
    pub settings: Map<String, Value>,
    /// Base URL of citation links; empty if it has none.
    pub base_url: String,
    /// Whether its text may be sent to a remote model.
    pub remote: bool,
    /// When it was made (ISO 8601, UTC).
    pub created_at: String,
}

/// A new corpus to make.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCorpus {
    /// Workspace it is private to; `None` for a shared one.
    pub workspace_id: Option<i64>,
    /// Name, unique in its workspace.
    pub name: String,
    /// Source type of its documents.
    pub source_type: String,
    /// Name of the chunking strategy.
    pub strategy: String,
    /// Values given to the strategy.
    pub settings: Map<String, Value>,
    /// Base URL of citation links.
    pub base_url: String,
    /// Whether its text may be sent to a remote model.
    pub remote: bool,
}

impl From<Corpus> for NewCorpus {
    fn from(corpus: Corpus) -> Self {
        Self {
            workspace_id: corpus.workspace_id,
            name: corpus.name,
            source_type: corpus.source_type,
            strategy: corpus.strategy,
            settings: corpus.settings,
            base_url: corpus.base_url,
            remote: corpus.remote,
        }
    }
}

const COLUMNS: &str = "id, workspace_id, name, source_type, strategy, settings, base_url, remote, created_at";

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Corpus> {
    let settings: String = row.get(5)?;
    Ok(Corpus {
        id: row.get(0)?,
        workspace_id: row.get(1)?,
        name: row.get(2)?,
        source_type: row.get(3)?,
        strategy: row.get(4)?,
        settings: crate::json(&settings, 5)?,
        base_url: row.get(6)?,
        remote: row.get(7)?,
        created_at: row.get(8)?,
    })
}

impl SqliteStore {
    pub(crate) async fn put_corpus(&self, new: NewCorpus) -> Result<Corpus> {
        let Some(kind) = source_type::named(&new.source_type) else {
            return Err(Error::Invalid(format!(
                "`{}` is not a source type; choose one of {}",
                new.source_type,
                source_type::names().join(", ")
            )));
        };
        let shared = new.workspace_id.is_none() && !kind.allows(Permission::Share);
        if shared || new.remote && !kind.allows(Permission::Remote) {
            return Err(Error::Invalid(format!(
                "corpus `{}` contains a licensed copy, which stays in its workspace and on this machine",
                new.name
            )));
        }
        self.pool
            .write(move |tx| {
                let corpus = put(tx, &new)?;
                if corpus.source_type != new.source_type {
                    return Err(Error::Invalid(format!(
                        "corpus `{}` contains {} documents, not {}; choose another name",
                        corpus.name, corpus.source_type, new.source_type
                    )));
                }
                Ok(corpus)
            })
            .await
    }

    pub(crate) async fn corpora(&self, workspace: i64) -> Result<Vec<Corpus>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM corpus WHERE workspace_id IS NULL OR workspace_id = ?1 ORDER BY name"
                ))?;
                let rows = select.query_map([workspace], from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn corpus(&self, workspace: i64, name: &str) -> Result<Option<Corpus>> {
        let name = name.to_owned();
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM corpus WHERE name = ?2 AND (workspace_id IS NULL OR workspace_id = ?1)
                     ORDER BY workspace_id IS NULL LIMIT 1"
                ))?;
                Ok(select.query_row((workspace, name), from_row).optional()?)
            })
            .await
    }

    pub(crate) async fn corpus_in(&self, workspace: Option<i64>, name: &str) -> Result<Option<Corpus>> {
        let name = name.to_owned();
        self.pool.read(move |c| named(c, workspace, &name)).await
    }

    pub(crate) async fn corpus_by_id(&self, id: i64) -> Result<Corpus> {
        self.pool
            .read(move |c| {
                let query = format!("SELECT {COLUMNS} FROM corpus WHERE id = ?1");
                let found = c.prepare_cached(&query)?.query_row([id], from_row).optional()?;
                found.ok_or_else(|| Error::not_found("corpus", id.to_string()))
            })
            .await
    }

    pub(crate) async fn embeddable_corpora(&self, remote: bool) -> Result<Vec<i64>> {
        self.pool
            .read(move |c| {
                let mut select =
                    c.prepare_cached("SELECT id FROM corpus WHERE remote OR NOT ?1 ORDER BY id")?;
                let rows = select.query_map([remote], |row| row.get(0))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn drop_corpus(&self, id: i64) -> Result<()> {
        self.pool
            .write(move |tx| {
                // First and by themselves, so that each is counted among the removed.
                tx.execute("DELETE FROM chunk WHERE corpus_id = ?1", [id])?;
                remove(tx, id)
            })
            .await
    }
}

pub(super) fn remove(tx: &Transaction<'_>, id: i64) -> Result<()> {
    // The next change in a folder watched for it would make it again.
    tx.execute(
        "DELETE FROM watched_folder WHERE (workspace_id, corpus) IN
           (SELECT workspace_id, name FROM corpus WHERE id = ?1)",
        [id],
    )?;
    tx.execute("DELETE FROM corpus WHERE id = ?1", [id])?;
    Ok(touch(tx, "chunk")?)
}

/// The corpus that document `id` belongs to.
pub(super) fn of_document(c: &Connection, id: i64) -> Result<Corpus> {
    let query =
        format!("SELECT {COLUMNS} FROM corpus WHERE id = (SELECT corpus_id FROM document WHERE id = ?1)");
    let found = c.prepare_cached(&query)?.query_row([id], from_row).optional()?;
    found.ok_or_else(|| Error::not_found("document", id.to_string()))
}

/// The corpus called `name` of exactly this scope: of a workspace, or shared.
pub(super) fn named(c: &Connection, workspace: Option<i64>, name: &str) -> Result<Option<Corpus>> {
    let query = format!("SELECT {COLUMNS} FROM corpus WHERE coalesce(workspace_id, 0) = ?1 AND name = ?2");
    Ok(c.prepare_cached(&query)?.query_row((workspace.unwrap_or(0), name), from_row).optional()?)
}

/// Makes the corpus, or updates what may change in an existing one of that name. Its source type stays.
pub(super) fn put(tx: &Transaction<'_>, new: &NewCorpus) -> Result<Corpus> {
    let settings = Value::Object(new.settings.clone()).to_string();
    let query = format!(
        "INSERT INTO corpus (workspace_id, name, source_type, strategy, settings, base_url, remote, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (coalesce(workspace_id, 0), name) DO UPDATE SET
           strategy = excluded.strategy, settings = excluded.settings,
           base_url = excluded.base_url, remote = excluded.remote RETURNING {COLUMNS}"
    );
    let values = (
        new.workspace_id,
        &new.name,
        &new.source_type,
        &new.strategy,
        settings,
        &new.base_url,
        new.remote,
        now(),
    );
    Ok(tx.query_row(&query, values, from_row)?)
}
