//! Settings as they are stored: names and JSON values.

use crate::SqliteStore;
use crate::error::Result;
use serde_json::Value;

impl SqliteStore {
    pub(crate) async fn setting_values(&self) -> Result<Vec<(String, Value)>> {
        self.pool
            .read(|c| {
                let mut select = c.prepare_cached("SELECT key, value FROM setting ORDER BY key")?;
                let rows = select.query_map([], |row| {
                    let value: String = row.get(1)?;
                    Ok((row.get(0)?, crate::json(&value, 1)?))
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn put_settings(&self, values: Vec<(String, Option<Value>)>) -> Result<()> {
        self.pool
            .write(move |tx| {
                for (key, value) in values {
                    match value {
                        Some(value) => tx.execute(
                            "INSERT INTO setting (key, value) VALUES (?1, ?2)
                             ON CONFLICT DO UPDATE SET value = excluded.value",
                            (key, value.to_string()),
                        )?,
                        None => tx.execute("DELETE FROM setting WHERE key = ?1", [key])?,
                    };
                }
                Ok(())
            })
            .await
    }
}
