//! The library as one file, to keep or to carry elsewhere.

use super::connection::open_reader;
use super::table::job::no_job_works;
use super::{LIBRARY_FILE, Store};
use crate::error::{Error, Result};
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Store {
    /// Writes a copy of the library, as it is at this moment and without unused space, to `target`. Put into a
    /// folder of its own under the name [`super::LIBRARY_FILE`] it opens as a library. Returns its size in bytes.
    ///
    /// # Errors
    /// [`Error::Invalid`] where `target` exists, else storage and I/O errors; then nothing is left behind.
    pub async fn back_up(&self, target: &Path) -> Result<u64> {
        let target = target.to_owned();
        self.pool.alone(move |c| copy_to(c, &target)).await
    }

    /// Copies the library to `folder` and has programs look for it there from their next start on. Nothing is written
    /// meanwhile, and nothing to this one after it: every change is in the copy, or was refused.
    ///
    /// # Errors
    /// [`Error::Invalid`] where a job is at work, [`Error::Moved`] where the library was moved already, else as
    /// [`Store::back_up`]; the library then stays where it is.
    pub async fn move_to(&self, folder: PathBuf) -> Result<u64> {
        let place = Arc::clone(&self.place);
        self.pool
            .write(move |tx| {
                no_job_works(tx)?;
                let reader = open_reader(&place.folder.join(LIBRARY_FILE))?;
                let bytes = copy_to(&reader, &folder.join(LIBRARY_FILE))?;
                place.leave_for(&folder)?;
                Ok(bytes)
            })
            .await
    }
}

fn copy_to(c: &Connection, target: &Path) -> Result<u64> {
    if target.exists() {
        return Err(Error::Exists(target.to_owned()));
    }
    let mut unfinished = target.as_os_str().to_owned();
    unfinished.push(".part");
    let unfinished = PathBuf::from(unfinished);
    let written = copy(c, &unfinished, target);
    if written.is_err() {
        // What is left of a copy that failed is of no use; the cause is reported already.
        let _ = std::fs::remove_file(&unfinished);
    }
    written
}

fn copy(c: &Connection, unfinished: &Path, target: &Path) -> Result<u64> {
    if unfinished.exists() {
        std::fs::remove_file(unfinished).map_err(|error| Error::io(unfinished, error))?;
    }
    let name = unfinished.to_str().ok_or_else(|| {
        Error::Invalid(format!("{} is not valid Unicode; choose another file name", unfinished.display()))
    })?;
    c.execute("VACUUM INTO ?1", [name])?;
    let file = std::fs::File::open(unfinished).map_err(|error| Error::io(unfinished, error))?;
    file.sync_all().map_err(|error| Error::io(unfinished, error))?;
    verify(unfinished)?;
    let size = file.metadata().map_err(|error| Error::io(unfinished, error))?.len();
    std::fs::rename(unfinished, target).map_err(|error| Error::io(target, error))?;
    Ok(size)
}

/// Reads every page of a copy.
fn verify(copy: &Path) -> Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let found: String =
        Connection::open_with_flags(copy, flags)?.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" {
        return Ok(());
    }
    Err(Error::Damaged(format!("the copy at {} is damaged ({found}); try another drive", copy.display())))
}
