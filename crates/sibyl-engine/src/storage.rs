//! The contents of the data folder, in bytes.

use crate::error::{Error, Result};
use crate::library::Upkeep;
use crate::log::LOGS;
use crate::store::{KINDS, Store, StoreFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// The data folder and what takes up space in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Storage {
    /// The data folder.
    pub folder: String,
    /// Its parts, always the same ones in the same order; together they are everything in the folder.
    pub parts: Vec<StoragePart>,
}

/// A part of the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoragePart {
    /// Parts of the library file: `vectors`, `originals` (documents as they came), `text` (of documents and
    /// chunks), `keyword`, `records` (jobs, searches, reviews), `free`. Beside it: `write_ahead_log`, `codes`,
    /// `logs`, `backups`, `replaced` (libraries replaced by a rescued one or a backup), `scratch` (whatever a
    /// program keeps there for itself).
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// What giving back unused room brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compacted {
    /// Bytes of the data folder after it.
    pub bytes: u64,
    /// Bytes that were freed.
    pub freed: u64,
}

/// Files of the data folder; the first is made of [`KINDS`].
const FILES: [&str; 7] = ["database", "write_ahead_log", "codes", "logs", "backups", "replaced", "scratch"];

impl Upkeep<'_> {
    /// Bytes of each part of the data folder. This reads every page of the library file.
    ///
    /// # Errors
    /// [`Error::Io`] if the folder cannot be listed, and storage errors.
    pub async fn storage(&self) -> Result<Storage> {
        let store = Arc::clone(&self.library.0.store);
        let pages = store.room().await?;
        let measured = tokio::task::spawn_blocking(move || measure(store.folder(), store.as_ref()));
        let [database, files @ ..] = measured.await??;
        let names = KINDS.iter().chain(&FILES[1..]);
        let parts = names.zip(shared(database, pages).into_iter().chain(files));
        Ok(Storage {
            folder: self.library.folder().display().to_string(),
            parts: parts.map(|(name, bytes)| StoragePart { name: (*name).to_owned(), bytes }).collect(),
        })
    }

    /// Rewrites the library file without the room that nothing uses.
    ///
    /// # Errors
    /// Storage errors, such as another program that is writing; the file is then unchanged.
    pub async fn compact(&self) -> Result<Compacted> {
        let before = self.disk_bytes()?;
        self.library.store().compact().await?;
        let bytes = self.disk_bytes()?;
        Ok(Compacted { bytes, freed: before.saturating_sub(bytes) })
    }

    /// Bytes that this user may still write on the data folder's disk; `None` if the system does not say.
    pub fn free_bytes(&self) -> Option<u64> {
        free_bytes(self.library.folder())
    }

    /// Bytes of everything in the data folder.
    ///
    /// # Errors
    /// [`Error::Io`] if the folder cannot be listed.
    pub fn disk_bytes(&self) -> Result<u64> {
        Ok(measure(self.library.folder(), self.library.store())?.iter().sum())
    }
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let volume = rustix::fs::statvfs(folder).ok()?;
    volume.f_bavail.checked_mul(volume.f_frsize)
}

#[cfg(not(unix))]
fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}

/// `total` in the proportions of `weights`. What is still in the log is not yet in the file, and the other way
/// round, so pages and file differ. The last part gets the rounding difference.
fn shared<const N: usize>(total: u64, weights: [u64; N]) -> [u64; N] {
    let all: u64 = weights.iter().sum();
    let mut left = total;
    let mut parts = weights.map(|weight| {
        let part = (u128::from(total) * u128::from(weight)).checked_div(u128::from(all)).unwrap_or(0);
        let part = u64::try_from(part).unwrap_or(left).min(left);
        left -= part;
        part
    });
    if let Some(last) = parts.iter_mut().rev().find(|part| **part > 0) {
        *last += left;
    }
    parts
}

/// Bytes of each of [`FILES`].
fn measure(folder: &Path, store: &dyn Store) -> Result<[u64; FILES.len()]> {
    let mut bytes = [0; FILES.len()];
    for entry in fs::read_dir(folder).map_err(|error| Error::io(folder, error))? {
        let entry = entry.map_err(|error| Error::io(folder, error))?;
        bytes[part_of(&entry.file_name().to_string_lossy(), store)] += size(&entry.path())?;
    }
    Ok(bytes)
}

/// Index in [`FILES`] of what is called `name` in the data folder.
fn part_of(name: &str, store: &dyn Store) -> usize {
    match store.file(name) {
        Some(StoreFile::Library) => 0,
        Some(StoreFile::Log) => 1,
        Some(StoreFile::Codes) => 2,
        Some(StoreFile::Backups) => 4,
        Some(StoreFile::Replaced) => 5,
        None if name == LOGS => 3,
        None => 6,
    }
}

/// Bytes of a file, or of everything below a folder. A file that goes away meanwhile has none.
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
    use super::{measure, shared};
    use crate::library::OpenOptions;
    use crate::{Library, Place};
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
            ("backups/2026-01-01T00-00-00Z.sibyl", 9),
            ("replaced-2026-01-01T00-00-00Z.sibyl", 8),
            ("WebKit/deep/cache", 7),
        ];
        for (name, bytes) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, vec![b'x'; bytes]).unwrap();
        }
        let elsewhere = tempfile::tempdir().unwrap();
        let store = crate::store::open(Place::named(elsewhere.path())).unwrap();
        assert_eq!(measure(folder.path(), store.as_ref()).unwrap(), [100, 23, 40, 11, 9, 8, 7]);
    }

    #[test]
    fn a_file_is_shared_out_to_the_last_byte() {
        for (total, weights) in [(100, [1, 1, 1]), (7, [0, 0, 0]), (5, [0, 9, 0]), (0, [3, 2, 1])] {
            let parts = shared(total, weights);
            let all: u64 = parts.iter().sum();
            assert!(all == total || weights == [0, 0, 0], "{total} {weights:?}: {parts:?}");
            assert!(parts.iter().zip(weights).all(|(part, weight)| weight > 0 || *part == 0), "{parts:?}");
        }
    }

    #[tokio::test]
    async fn room_that_nothing_uses_is_told_and_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(OpenOptions::new(folder.path())).await.unwrap();
        let words = "water withdrawal and board oversight ".repeat(20_000);
        library.store().put_settings(vec![("long".to_owned(), Some(words.into()))]).await.unwrap();
        library.store().compact().await.unwrap();
        library.store().put_settings(vec![("long".to_owned(), None)]).await.unwrap();
        let part = |storage: &super::Storage, name: &str| {
            storage.parts.iter().find(|part| part.name == name).map_or(0, |part| part.bytes)
        };
        #[cfg(unix)]
        assert!(
            library.upkeep().free_bytes().is_some_and(|free| free > 1 << 20),
            "{:?}",
            library.upkeep().free_bytes()
        );
        let before = library.upkeep().storage().await.unwrap();
        assert!(part(&before, "free") > 600_000, "{before:?}");
        let all: u64 = before.parts.iter().map(|part| part.bytes).sum();
        assert_eq!(all, library.upkeep().disk_bytes().unwrap());
        let compacted = library.upkeep().compact().await.unwrap();
        assert!(compacted.freed > 600_000, "{compacted:?}");
        let after = library.upkeep().storage().await.unwrap();
        assert_eq!(part(&after, "free"), 0, "{after:?}");
        assert!(part(&after, "keyword") > 0 && part(&after, "records") > 0, "{after:?}");
    }
}
