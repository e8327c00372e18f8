//! The contents of the data folder, in bytes.

use crate::error::{Error, Result};
use crate::library::Upkeep;
use crate::log::LOGS;
use crate::store::{Store, bytes_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs;
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
    /// `backups`, `replaced` (libraries replaced by a rescued one or a backup), `logs`, `scratch` (whatever a
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

impl Upkeep<'_> {
    /// Bytes of each part of the data folder. This reads every page of the library file.
    ///
    /// # Errors
    /// [`Error::Io`] if the folder cannot be listed, and storage errors.
    pub async fn storage(&self) -> Result<Storage> {
        let mut parts = self.library.store().weigh().await?;
        let (store, folder) = (Arc::clone(&self.library.0.store), self.library.folder().to_owned());
        parts.extend(tokio::task::spawn_blocking(move || beside(&folder, store.as_ref())).await??);
        let named = |(name, bytes): (&str, u64)| StoragePart { name: name.to_owned(), bytes };
        Ok(Storage {
            folder: self.library.folder().display().to_string(),
            parts: parts.into_iter().map(named).collect(),
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
        let folder = self.library.folder();
        let folder = folder.canonicalize().map_err(|error| Error::io(folder, error))?;
        Ok(bytes_of(&folder)?)
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

/// Bytes of what is in `folder` besides what the `store` keeps: the logs, and everything else.
fn beside(folder: &Path, store: &dyn Store) -> Result<[(&'static str, u64); 2]> {
    let (mut logs, mut scratch) = (0, 0);
    for entry in fs::read_dir(folder).map_err(|error| Error::io(folder, error))? {
        let entry = entry.map_err(|error| Error::io(folder, error))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !store.owns(&name) {
            let part = if name == LOGS { &mut logs } else { &mut scratch };
            *part += bytes_of(&entry.path())?;
        }
    }
    Ok([(LOGS, logs), ("scratch", scratch)])
}

#[cfg(test)]
mod tests {
    use super::beside;
    use crate::Library;
    use crate::library::OpenOptions;
    use std::fs;

    #[tokio::test]
    async fn every_file_that_is_not_the_stores_is_counted_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let files =
            [("logs/sibyl.log", 5), ("logs/sibyl.log.1", 6), ("owners/ab", 0), ("WebKit/deep/cache", 7)];
        for (name, bytes) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, vec![b'x'; bytes]).unwrap();
        }
        let store = crate::store::open(crate::Place::named(folder.path())).unwrap();
        assert_eq!(beside(folder.path(), store.as_ref()).unwrap(), [("logs", 11), ("scratch", 7)]);
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
