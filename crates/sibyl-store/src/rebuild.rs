//! Rebuilding what is derived: keyword index, references, tags. Text, chunks and vectors are left unchanged.

use super::table::chunk::{keys, tags};
use super::{SqliteStore, json, touch};
use crate::error::Result;
use rusqlite::Transaction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What was rebuilt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rebuilt {
    /// Rows of the keyword index.
    pub keyword_rows: usize,
    /// References that chunks answer to.
    pub keys: usize,
    /// Tags of chunks.
    pub tags: usize,
    /// Code files.
    pub code_files: usize,
    /// Time in seconds.
    pub seconds: f64,
}

impl SqliteStore {
    pub(crate) async fn rebuild(&self) -> Result<Rebuilt> {
        let rebuilt = self.pool.write(|tx| {
            tx.execute("UPDATE document SET figures_by = 0", [])?;
            derive(tx)
        });
        let mut rebuilt = rebuilt.await?;
        for space in self.spaces().await? {
            self.rebuild_codes(&space.id).await?;
            rebuilt.code_files += 1;
        }
        Ok(rebuilt)
    }

    pub(crate) async fn optimize_keyword(&self) -> Result<()> {
        self.pool
            .write(|tx| {
                tx.execute("INSERT INTO keyword (keyword) VALUES ('optimize')", [])?;
                Ok(())
            })
            .await
    }
}

/// Makes keyword index, references and tags from the chunks.
pub(super) fn derive(tx: &Transaction<'_>) -> Result<Rebuilt> {
    let mut rebuilt = Rebuilt::default();
    tx.execute("INSERT INTO keyword (keyword) VALUES ('delete-all')", [])?;
    tx.execute("DELETE FROM chunk_key", [])?;
    tx.execute("DELETE FROM chunk_tag", [])?;
    rebuilt.keyword_rows = tx.execute(
        "INSERT INTO keyword (rowid, text) SELECT id, as_indexed(text) FROM chunk ORDER BY id",
        [],
    )?;
    let mut select = tx.prepare("SELECT id, metadata FROM chunk ORDER BY id")?;
    let mut key = tx.prepare("INSERT OR IGNORE INTO chunk_key (key, chunk) VALUES (?1, ?2)")?;
    let mut tag = tx.prepare("INSERT OR IGNORE INTO chunk_tag (tag, chunk) VALUES (?1, ?2)")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (chunk, metadata): (i64, String) = (row.get(0)?, row.get(1)?);
        let metadata: Map<String, Value> = json(&metadata, 1)?;
        for reference in keys(&metadata) {
            rebuilt.keys += key.execute((reference, chunk))?;
        }
        for name in tags(&metadata) {
            rebuilt.tags += tag.execute((name, chunk))?;
        }
    }
    tx.execute("INSERT INTO keyword (keyword) VALUES ('optimize')", [])?;
    tx.execute("INSERT INTO removed_chunk (chunk) VALUES (0)", [])?;
    touch(tx, "chunk")?;
    touch(tx, "vector")?;
    Ok(rebuilt)
}
