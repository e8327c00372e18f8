//! Rebuilding what is derived: keyword index, references, fields. Text, chunks and vectors are left unchanged.

use super::{SqliteStore, touch};
use crate::error::{Error, Result};
use crate::field;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior};
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
    /// Values of fields of chunks, such as sections and tags.
    pub fields: usize,
    /// Code files.
    pub code_files: usize,
    /// Time in seconds.
    pub seconds: f64,
}

impl SqliteStore {
    pub(crate) async fn rebuild(&self) -> Result<Rebuilt> {
        let rebuilt = self.pool.write(|tx| {
            tx.execute("UPDATE document SET figures_by = 0", [])?;
            let mut rebuilt = of_metadata(tx)?;
            rebuilt.keyword_rows = words(tx)?;
            touch(tx, "vector")?;
            Ok(rebuilt)
        });
        let mut rebuilt = rebuilt.await?;
        for space in self.spaces().await? {
            match self.rebuild_codes(&space.id).await {
                Ok(()) => rebuilt.code_files += 1,
                // A vector that is damaged has no code; the doctor names it.
                Err(Error::Damaged(what)) => {
                    tracing::warn!("codes of space {} are not made: {what}", space.id)
                }
                Err(error) => return Err(error),
            }
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

/// Makes the keyword index from the chunks. Returns how many it has.
pub(super) fn words(tx: &Transaction<'_>) -> Result<usize> {
    tx.execute("INSERT INTO keyword (keyword) VALUES ('delete-all')", [])?;
    let rows = tx.execute(
        "INSERT INTO keyword (rowid, text) SELECT id, as_indexed(text) FROM chunk ORDER BY id",
        [],
    )?;
    tx.execute("INSERT INTO keyword (keyword) VALUES ('optimize')", [])?;
    changed(tx)?;
    Ok(rows)
}

/// Makes references and fields, if they were made from something else than this program makes them from: by
/// another version, or before a kind of source listed a field.
///
/// # Errors
/// Storage errors.
pub(super) fn follow(connection: &mut Connection) -> Result<()> {
    if !is_followed(connection)? {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Read again inside the transaction: another program may have done it meanwhile.
        if !is_followed(&tx)? {
            of_metadata(&tx)?;
            changed(&tx)?;
        }
        tx.commit()?;
    }
    Ok(())
}

/// Whether references and fields are made from what this program makes them from.
fn is_followed(c: &Connection) -> Result<bool> {
    let query = "SELECT made_of FROM derived WHERE name = 'chunk_field'";
    let known: Option<String> = c.query_row(query, [], |row| row.get(0)).optional()?;
    Ok(known.is_some_and(|known| known == field::made_of()))
}

/// Makes references and fields from the metadata of the chunks.
fn of_metadata(tx: &Transaction<'_>) -> Result<Rebuilt> {
    let mut rebuilt = Rebuilt::default();
    tx.execute("DELETE FROM chunk_key", [])?;
    tx.execute("DELETE FROM chunk_field", [])?;
    let mut select = tx.prepare("SELECT id, source_type, metadata FROM chunk ORDER BY id")?;
    let mut key = tx.prepare("INSERT OR IGNORE INTO chunk_key (key, chunk) VALUES (?1, ?2)")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let chunk: i64 = row.get(0)?;
        let text = row.get_ref(2)?.as_str().unwrap_or_default();
        // What cannot be read has neither; nothing is lost with it, and the library opens.
        let metadata: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
        for reference in field::keys(&metadata) {
            rebuilt.keys += key.execute((reference, chunk))?;
        }
        rebuilt.fields += field::put(tx, chunk, row.get_ref(1)?.as_str().unwrap_or_default(), &metadata)?;
    }
    tx.execute(
        "INSERT OR REPLACE INTO derived (name, made_of) VALUES ('chunk_field', ?1)",
        [field::made_of()],
    )?;
    Ok(rebuilt)
}

/// Tells all who keep something made from chunks that any of them may have changed.
fn changed(tx: &Transaction<'_>) -> Result<()> {
    tx.execute("INSERT INTO removed_chunk (chunk) VALUES (0)", [])?;
    Ok(touch(tx, "chunk")?)
}
