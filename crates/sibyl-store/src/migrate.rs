//! Schema versions. Each migration runs in one transaction with its version number.

use crate::error::{Error, Result};
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// "Siby": tells a library from any other SQLite file.
const APPLICATION_ID: i32 = 0x5369_6279;

/// Migration `n` leads from schema `n` to `n + 1`.
const MIGRATIONS: &[&str] = &[
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
    include_str!("schema_6.sql"),
    include_str!("schema_7.sql"),
    include_str!("schema_8.sql"),
    include_str!("schema_9.sql"),
    include_str!("schema_10.sql"),
];

pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<()> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION_ID && (application != 0 || objects > 0) {
        return Err(Error::NotALibrary { path: path.to_owned(), found: application });
    }
    let supported = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    if version > supported {
        return Err(Error::NewerLibrary { path: path.to_owned(), found: version, supported });
    }
    for (index, migration) in MIGRATIONS.iter().enumerate() {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Read inside the transaction: another process may have migrated meanwhile.
        let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if usize::try_from(version).is_ok_and(|v| v > index) {
            continue;
        }
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", index as i64 + 1)?;
        transaction.commit()?;
    }
    Ok(())
}
