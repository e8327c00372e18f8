//! A library that begins as a copy of one that is ready to use.

use crate::LIBRARY_FILE;
use crate::connection::{check, configure, register_sqlite_vec};
use crate::error::{Error, Result};
use crate::migrate;
use crate::place::Place;
use rusqlite::{Connection, OpenFlags, params};
use std::path::Path;

/// How the names of copies begin that are not complete.
const UNFINISHED: &str = ".ready-";

impl Place {
    pub(crate) fn begin_as(&self, ready: &Path) -> Result<bool> {
        let library = self.folder.join(LIBRARY_FILE);
        let begun = library.exists() || self.is_replaced() || !self.backups()?.is_empty();
        if begun || !ready.is_file() || !migrate::is_of_today(&opened(ready)?, ready)? {
            return Ok(false);
        }
        std::fs::create_dir_all(&self.folder).map_err(|error| Error::io(&self.folder, error))?;
        register_sqlite_vec();
        let failed = |error| Error::io(&self.folder, error);
        let part = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&self.folder).map_err(failed)?;
        std::fs::copy(ready, part.path()).map_err(failed)?;
        made_new(part.path())?;
        part.as_file().sync_all().map_err(failed)?;
        match part.persist_noclobber(&library) {
            Ok(_) => Ok(true),
            // Another program was quicker.
            Err(_) if library.exists() => Ok(false),
            Err(error) => Err(failed(error.error)),
        }
    }
}

fn opened(ready: &Path) -> Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    Ok(Connection::open_with_flags(crate::connection::immutable(ready)?, flags)?)
}

/// Removes the traces of the making of the copy at `path`, and dates it to now.
fn made_new(path: &Path) -> Result<()> {
    let mut copy = Connection::open(path)?;
    configure(&copy)?;
    check(&copy)?;
    let now = crate::now();
    let transaction = copy.transaction()?;
    transaction.execute_batch("DELETE FROM job; DELETE FROM setting;")?;
    for table in ["workspace", "corpus"] {
        transaction.execute(&format!("UPDATE {table} SET created_at = ?1"), params![now])?;
    }
    transaction.commit()?;
    copy.close().map_err(|(_, error)| error)?;
    Ok(())
}
