//! What other programs write to the library.

use super::Store;
use crate::error::Result;
use std::collections::BTreeMap;

impl Store {
    /// A number that changes with whatever another program writes, and with nothing that this one does.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn foreign_version(&self) -> Result<i64> {
        // SQLite leaves a connection's own changes out, and all of this program's are made on the writer's.
        self.pool.with_writer(|c| Ok(c.pragma_query_value(None, "data_version", |row| row.get(0))?)).await
    }

    /// How often each kind of rows was changed, by its name.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn change_counts(&self) -> Result<BTreeMap<String, i64>> {
        self.pool
            .read(|c| {
                let mut select = c.prepare_cached("SELECT name, value FROM generation")?;
                let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }
}
