//! Workspaces: shared content plus private content each. No read crosses from one to another.

use super::kept_text;
use crate::error::{Error, Result};
use crate::named::named;
use crate::{SqliteStore, now};
use rusqlite::{OptionalExtension as _, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The workspace that every library has.
pub const DEFAULT_WORKSPACE: &str = "default";

/// A language of source labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LabelLanguage {
    /// English.
    #[default]
    En,
    /// Swedish.
    Sv,
}

named!(LabelLanguage, "a language of source labels", En = "en", Sv = "sv");

/// A workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Workspace {
    /// Row id.
    pub id: i64,
    /// Unique name.
    pub name: String,
    /// Language of source labels.
    pub language: LabelLanguage,
    /// When it was made (ISO 8601, UTC).
    pub created_at: String,
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Workspace> {
    // One that no program knows is read as English: the workspace stays usable.
    let language: String = row.get(2)?;
    let language = LabelLanguage::ALL.iter().copied().find(|one| one.name() == language).unwrap_or_default();
    Ok(Workspace { id: row.get(0)?, name: row.get(1)?, language, created_at: row.get(3)? })
}

const COLUMNS: &str = "id, name, language, created_at";

impl SqliteStore {
    pub(crate) async fn workspace(&self, name: &str) -> Result<Workspace> {
        let wanted = name.to_owned();
        let query = format!("SELECT {COLUMNS} FROM workspace WHERE name = ?1");
        let found = self
            .pool
            .read(move |c| Ok(c.prepare_cached(&query)?.query_row([wanted], from_row).optional()?))
            .await?;
        match found {
            Some(workspace) => Ok(workspace),
            None if name == DEFAULT_WORKSPACE => self.create_workspace(name, LabelLanguage::En).await,
            None => Err(Error::NotFound {
                what: "workspace",
                id: name.to_owned(),
                cure: "; `sibyl workspace list` shows all workspaces".to_owned(),
            }),
        }
    }

    pub(crate) async fn workspaces(&self) -> Result<Vec<Workspace>> {
        self.pool
            .read(|c| {
                let mut select =
                    c.prepare_cached(&format!("SELECT {COLUMNS} FROM workspace ORDER BY name"))?;
                let rows = select.query_map([], from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn create_workspace(&self, name: &str, language: LabelLanguage) -> Result<Workspace> {
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Err(Error::Invalid("a workspace needs a name; give it one".to_owned()));
        }
        self.pool
            .write(move |tx| {
                tx.execute(
                    "INSERT INTO workspace (name, language, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                    (&name, language, now()),
                )?;
                let query = format!("SELECT {COLUMNS} FROM workspace WHERE name = ?1");
                Ok(tx.query_row(&query, [&name], from_row)?)
            })
            .await
    }

    pub(crate) async fn set_workspace_language(
        &self,
        name: &str,
        language: LabelLanguage,
    ) -> Result<Workspace> {
        let id = self.workspace(name).await?.id;
        self.pool
            .write(move |tx| {
                let query = format!("UPDATE workspace SET language = ?2 WHERE id = ?1 RETURNING {COLUMNS}");
                Ok(tx.query_row(&query, (id, language), from_row)?)
            })
            .await
    }

    pub(crate) async fn delete_workspace(&self, name: &str) -> Result<()> {
        if name == DEFAULT_WORKSPACE {
            return Err(Error::Invalid(
                "the default workspace cannot be deleted; delete its corpora instead".to_owned(),
            ));
        }
        let wanted = name.to_owned();
        let deleted = self
            .pool
            .write(move |tx| {
                let deleted = tx.execute("DELETE FROM workspace WHERE name = ?1", [&wanted])?;
                kept_text::drop_unused(tx)?;
                // They are kept by name, and a later workspace may be called the same.
                tx.execute("DELETE FROM job WHERE workspace = ?1", [wanted])?;
                super::super::touch(tx, "chunk")?;
                Ok(deleted)
            })
            .await?;
        if deleted == 0 { Err(Error::not_found("workspace", name)) } else { Ok(()) }
    }
}
