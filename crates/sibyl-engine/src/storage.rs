//! What the data folder holds, in bytes.

use crate::error::{Error, Result};
use crate::library::Library;
use crate::log::LOGS;
use crate::store::{CODES, LIBRARY_FILE};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use ts_rs::TS;

/// The data folder and what takes room in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Storage {
    /// The data folder.
    pub folder: String,
    /// Its parts, always the same ones in the same order; together they are everything in the folder.
    pub parts: Vec<StoragePart>,
}

/// A part of the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StoragePart {
    /// `database`, `write_ahead_log`, `codes`, `logs`, `scratch` (whatever a program keeps there for itself).
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// Names of the parts, in the order of [`Storage::parts`].
const PARTS: [&str; 5] = ["database", "write_ahead_log", "codes", "logs", "scratch"];

impl Library {
    /// Bytes of each part of the data folder.
    ///
    /// # Errors
    /// [`Error::Io`] where the folder cannot be listed.
    pub async fn storage(&self) -> Result<Storage> {
        let folder = self.folder().to_owned();
        tokio::task::spawn_blocking(move || measure(&folder)).await.map_err(|_| Error::Closed)?
    }

    /// Bytes of everything in the data folder.
    ///
    /// # Errors
    /// [`Error::Io`] where the folder cannot be listed.
    pub fn disk_bytes(&self) -> Result<u64> {
        Ok(measure(self.folder())?.parts.iter().map(|part| part.bytes).sum())
    }
}

fn measure(folder: &Path) -> Result<Storage> {
    let mut bytes = [0; PARTS.len()];
    for entry in fs::read_dir(folder).map_err(|error| Error::io(folder, error))? {
        let entry = entry.map_err(|error| Error::io(folder, error))?;
        bytes[part_of(&entry.file_name().to_string_lossy())] += size(&entry.path())?;
    }
    let parts = PARTS.iter().zip(bytes).map(|(name, bytes)| StoragePart { name: (*name).to_owned(), bytes });
    Ok(Storage { folder: folder.display().to_string(), parts: parts.collect() })
}

/// Index in [`PARTS`] of what is called `name` in the data folder.
fn part_of(name: &str) -> usize {
    match name.strip_prefix(LIBRARY_FILE) {
        Some("") => 0,
        Some(_) => 1,
        None if name == CODES => 2,
        None if name == LOGS => 3,
        None => 4,
    }
}

/// Bytes of a file, or of everything below a folder. What goes away meanwhile has none.
fn size(path: &Path) -> Result<u64> {
    let gone = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => Ok(0),
        _ => Err(Error::io(path, error)),
    };
    // A link counts as itself, so that no loop is walked and nothing outside is counted.
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => return gone(error),
    };
    if !metadata.is_dir() {
        return Ok(metadata.len());
    }
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => return gone(error),
    };
    let mut bytes = 0;
    for entry in entries {
        bytes += size(&entry.map_err(|error| Error::io(path, error))?.path())?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::measure;
    use std::fs;

    #[test]
    fn every_file_is_counted_in_its_part() {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("library.sibyl", 100),
            ("library.sibyl-wal", 20),
            ("library.sibyl-shm", 3),
            ("codes/a.codes", 40),
            ("logs/sibyl.log", 5),
            ("logs/sibyl.log.1", 6),
            ("owners/ab", 0),
            ("WebKit/deep/cache", 7),
        ];
        for (name, bytes) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, vec![b'x'; bytes]).unwrap();
        }
        let storage = measure(folder.path()).unwrap();
        let parts: Vec<(&str, u64)> = storage.parts.iter().map(|p| (p.name.as_str(), p.bytes)).collect();
        let expected =
            [("database", 100), ("write_ahead_log", 23), ("codes", 40), ("logs", 11), ("scratch", 7)];
        assert_eq!(parts, expected);
    }
}
