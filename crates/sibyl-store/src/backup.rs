//! The library as one file, to keep or to carry elsewhere.

use super::connection::{check, open_reader};
use super::table::job::no_job_works;
use super::{LIBRARY_FILE, SqliteStore};
use crate::error::{Error, Result};
use crate::place::{NEXT_FILE, Place};
use crate::{connection, migrate};
use rusqlite::{Connection, OpenFlags};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Folder inside the data folder that keeps the backups made without asking.
pub const FOLDER: &str = "backups";

/// A backup in the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Backup {
    /// File name in the folder of backups, by which it is restored.
    pub name: String,
    /// When it was made (ISO 8601, UTC).
    pub made_at: String,
    /// Its size.
    pub bytes: u64,
}

impl Place {
    /// See [`Location::backups`](crate::port::Location::backups).
    ///
    /// # Errors
    /// As there.
    pub fn backups(&self) -> Result<Vec<Backup>> {
        let folder = self.folder.join(FOLDER);
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::io(&folder, error)),
        };
        let mut backups = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| Error::io(&folder, error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // Another program may have rotated it away meanwhile.
            let Ok(metadata) = entry.metadata() else { continue };
            if let Some(made_at) = name.strip_suffix(EXTENSION).and_then(moment) {
                backups.push(Backup { made_at, name, bytes: metadata.len() });
            }
        }
        backups.sort_by(|a, b| b.name.cmp(&a.name));
        Ok(backups)
    }

    /// Whether the library has been written to since its newest backup, or has none.
    fn changed_since_backup(&self) -> Result<bool> {
        let Some(newest) = self.backups()?.into_iter().next() else { return Ok(true) };
        let changed = |path: PathBuf| path.metadata().and_then(|file| file.modified()).ok();
        let made = changed(self.folder.join(FOLDER).join(newest.name)).unwrap_or(SystemTime::UNIX_EPOCH);
        let written = ["", "-wal"].map(|suffix| changed(self.folder.join(format!("{LIBRARY_FILE}{suffix}"))));
        Ok(written.into_iter().flatten().any(|written| written > made))
    }

    /// See [`Location::is_backup_due`](crate::port::Location::is_backup_due).
    ///
    /// # Errors
    /// As there.
    pub fn is_backup_due(&self, every: Duration, now: SystemTime) -> Result<bool> {
        let newest = self.backups()?.into_iter().next();
        let made =
            newest.and_then(|backup| backup.made_at.parse::<jiff::Timestamp>().ok()).map(SystemTime::from);
        let old = made.is_none_or(|made| now.duration_since(made).is_ok_and(|age| age >= every));
        Ok(old && self.changed_since_backup()?)
    }

    /// See [`Location::restore`](crate::port::Location::restore).
    ///
    /// # Errors
    /// As there.
    pub fn restore(&self, name: &str) -> Result<u64> {
        let known = self.backups()?.into_iter().any(|backup| backup.name == name);
        if !known {
            return Err(Error::not_found("backup", name));
        }
        let (from, part) =
            (self.folder.join(FOLDER).join(name), self.folder.join(format!("{NEXT_FILE}.part")));
        let copy = || {
            opens(&from, "restore another backup; `sibyl backup` shows all backups")?;
            let bytes = std::fs::copy(&from, &part).map_err(|error| Error::io(&part, error))?;
            std::fs::File::open(&part)
                .and_then(|file| file.sync_all())
                .map_err(|error| Error::io(&part, error))?;
            opens(&part, ANOTHER_DRIVE)?;
            self.replace_with(&part)?;
            Ok(bytes)
        };
        let copied = copy();
        if copied.is_err() {
            // The rest of a failed copy is of no use; the cause is reported already.
            let _ = std::fs::remove_file(&part);
        }
        copied
    }
}

const EXTENSION: &str = ".sibyl";
/// What to do about a copy that is damaged as soon as it is written.
const ANOTHER_DRIVE: &str = "the drive may be faulty: try another one";

/// The name of a backup made at `moment` (ISO 8601): it sorts by time, and every system accepts it.
fn name_of(moment: &str) -> String {
    format!("{}{EXTENSION}", moment.replace(':', "-"))
}

/// The moment that a name was made from.
fn moment(stamp: &str) -> Option<String> {
    let (day, time) = stamp.split_once('T')?;
    Some(format!("{day}T{}", time.replace('-', ":")))
}

/// Opens a copy as a library is opened, and reads every page of it.
fn opens(copy: &Path, cure: &'static str) -> Result<()> {
    verify(copy, cure)?;
    migrate::of_a_library(&connection::open_reader(copy)?, copy)
}

impl SqliteStore {
    pub(crate) async fn back_up(&self, target: &Path) -> Result<u64> {
        let target = target.to_owned();
        self.pool.alone(move |c| copy_to(c, &target)).await
    }

    pub(crate) async fn copy_into(&self, folder: &Path) -> Result<u64> {
        self.back_up(&folder.join(LIBRARY_FILE)).await
    }

    pub(crate) async fn keep_backup(&self, keep: usize) -> Result<Backup> {
        let place = Arc::clone(&self.place);
        if self.is_read_only() {
            return Err(Error::ReadOnly { folder: place.folder.clone() });
        }
        let made = self.pool.alone(move |c| {
            let folder = place.folder.join(FOLDER);
            std::fs::create_dir_all(&folder).map_err(|error| Error::io(&folder, error))?;
            let _alone = alone_in(&folder)?;
            let made_at = super::now();
            let name = name_of(&made_at);
            let target = folder.join(&name);
            let bytes = copy_to(c, &target)?;
            opens(&target, ANOTHER_DRIVE)?;
            // If the clock was set back, the new one is not the newest by its name.
            let others = place.backups()?.into_iter().filter(|backup| backup.name != name);
            for old in others.skip(keep.max(1) - 1) {
                let old = folder.join(old.name);
                std::fs::remove_file(&old).map_err(|error| Error::io(&old, error))?;
            }
            Ok(Backup { name, made_at, bytes })
        });
        made.await
    }

    pub(crate) async fn check(&self) -> Result<()> {
        self.pool.alone(check).await
    }

    pub(crate) fn damage(&self) -> Option<&str> {
        self.pool.damage()
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.pool.is_read_only()
    }

    pub(crate) async fn move_to(&self, folder: PathBuf) -> Result<u64> {
        let place = Arc::clone(&self.place);
        place.may_move_to(&folder)?;
        self.pool
            .write(move |tx| {
                no_job_works(tx)?;
                std::fs::create_dir_all(&folder).map_err(|error| Error::io(&folder, error))?;
                let reader = open_reader(&place.folder.join(LIBRARY_FILE))?;
                let bytes = copy_to(&reader, &folder.join(LIBRARY_FILE))?;
                place.leave_for(&folder)?;
                Ok(bytes)
            })
            .await
    }
}

/// File whose lock a program holds while it makes a backup; the system releases it however the program ends.
const MAKING: &str = ".making";

/// Waits until nobody else makes a backup in `folder`, and removes what killed programs left of theirs.
fn alone_in(folder: &Path) -> Result<std::fs::File> {
    let failed = |error| Error::io(folder, error);
    let alone = std::fs::File::create(folder.join(MAKING)).map_err(failed)?;
    alone.lock().map_err(failed)?;
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // SQLite keeps a log beside a copy that it writes.
        if name.contains(&format!("{EXTENSION}{UNFINISHED}")) {
            std::fs::remove_file(&path).map_err(|error| Error::io(&path, error))?;
        }
    }
    Ok(alone)
}

/// How the name of a copy ends that is not complete.
const UNFINISHED: &str = ".part";

fn copy_to(c: &Connection, target: &Path) -> Result<u64> {
    if target.exists() {
        return Err(Error::Exists(target.to_owned()));
    }
    let mut unfinished = target.as_os_str().to_owned();
    unfinished.push(UNFINISHED);
    let unfinished = PathBuf::from(unfinished);
    let written = copy(c, &unfinished, target);
    if written.is_err() {
        // The rest of a failed copy is of no use; the cause is reported already.
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
    verify(unfinished, ANOTHER_DRIVE)?;
    let size = file.metadata().map_err(|error| Error::io(unfinished, error))?.len();
    std::fs::rename(unfinished, target).map_err(|error| Error::io(target, error))?;
    Ok(size)
}

/// Opens a copy and reads every page of it.
fn verify(copy: &Path, cure: &'static str) -> Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let checked = Connection::open_with_flags(copy, flags).map_err(Error::from).and_then(|copy| check(&copy));
    checked.map_err(|error| match error {
        Error::Corrupt(found) => Error::BadCopy { copy: copy.to_owned(), found, cure },
        error => error,
    })
}
