//! Schema versions. Each migration runs in one transaction with its version number.

use crate::error::{Error, Result};
use rusqlite::{Connection, TransactionBehavior};
use std::collections::HashSet;
use std::path::Path;

/// "Siby": distinguishes a library from any other SQLite file.
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
    include_str!("schema_11.sql"),
    include_str!("schema_12.sql"),
    include_str!("schema_13.sql"),
    include_str!("schema_14.sql"),
    include_str!("schema_15.sql"),
    include_str!("schema_16.sql"),
];

pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<()> {
    schema(connection, path)?;
    migrate_to(connection, path, SUPPORTED)
}

/// Refuses a library that can only be read and is not of the newest schema.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<()> {
    let found = schema(connection, path)?;
    if found == SUPPORTED {
        return Ok(());
    }
    Err(Error::Invalid(format!(
        "{} is of an earlier version (schema {found}, this version reads {SUPPORTED}) and can only be read, so it \
         cannot be brought up to date; allow writing there, or copy the folder and open the copy",
        path.display()
    )))
}

/// Refuses a file that is no library which this version can open.
pub(super) fn of_a_library(connection: &Connection, path: &Path) -> Result<()> {
    schema(connection, path).map(drop)
}

/// Whether the library at `path` is of the newest schema.
pub(super) fn is_of_today(connection: &Connection, path: &Path) -> Result<bool> {
    Ok(schema(connection, path)? == SUPPORTED)
}

/// The newest schema.
const SUPPORTED: i64 = MIGRATIONS.len() as i64;

/// The schema of the library at `path`.
fn schema(connection: &Connection, path: &Path) -> Result<i64> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION_ID && (application != 0 || objects > 0) {
        return Err(Error::NotALibrary { path: path.to_owned(), found: application });
    }
    if version > SUPPORTED {
        return Err(Error::NewerLibrary { path: path.to_owned(), found: version, supported: SUPPORTED });
    }
    Ok(version)
}

/// Leads up to schema `target`, and no further.
pub(super) fn migrate_to(connection: &mut Connection, path: &Path, target: i64) -> Result<()> {
    if target > SUPPORTED {
        return Err(Error::NewerLibrary { path: path.to_owned(), found: target, supported: SUPPORTED });
    }
    let target = usize::try_from(target).unwrap_or(0);
    // A row that names one that is gone is the doctor's to tell, and stops no upgrade.
    let enforced: bool = connection.pragma_query_value(None, "foreign_keys", |row| row.get(0))?;
    connection.pragma_update(None, "foreign_keys", false)?;
    for (index, migration) in MIGRATIONS.iter().enumerate().take(target) {
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
    connection.pragma_update(None, "foreign_keys", enforced)?;
    Ok(())
}

/// The schema of a library whose head may be lost; in that case it follows from the tables.
///
/// # Errors
/// [`Error::Unreadable`] if no schema has such tables.
pub(super) fn version_of(damaged: &Connection) -> Result<i64> {
    let stated: i64 = damaged.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap_or(0);
    if stated != 0 {
        return Ok(stated);
    }
    let there = tables(damaged)?;
    let mut made = Connection::open_in_memory()?;
    super::keyword::prepare(&made)?;
    let mut nearest = (0, 0);
    for version in 1..=SUPPORTED {
        migrate_to(&mut made, Path::new(":memory:"), version)?;
        let of_version = tables(&made)?;
        let shared = of_version.intersection(&there).count();
        // Of two schemas with the same tables it is the later one: its changes to rows are done.
        if shared >= nearest.0 && shared * 2 > of_version.len() {
            nearest = (shared, version);
        }
    }
    match nearest {
        (0, _) => Err(Error::Unreadable("its tables are those of no library".to_owned())),
        (_, version) => Ok(version),
    }
}

/// How each table, index, view and trigger is made.
fn tables(connection: &Connection) -> Result<HashSet<String>> {
    let mut select = connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")?;
    Ok(select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}
