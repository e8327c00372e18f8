//! Files that come through a door, on disk until they are ingested or imported. They lie in a folder of the
//! program that received them, below the data folder. It goes when the program ends; if the program was killed, at
//! the next start.

use crate::error::{Error, Result};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Folder of the uploads, below the data folder.
const UPLOADS: &str = "uploads";
/// How long an unused file is kept.
const KEPT: Duration = Duration::from_secs(60 * 60);
/// Maximum number of bytes of unused files.
const MOST: u64 = 4 << 30;

/// The uploads of this program.
pub(crate) struct Spool {
    folder: PathBuf,
    held: Arc<Mutex<HashMap<String, Held>>>,
}

struct Held {
    bytes: u64,
    since: Instant,
}

impl Spool {
    /// The spool of the program called `owner`.
    pub(crate) fn new(library: &Path, owner: &str) -> Self {
        Self { folder: library.join(UPLOADS).join(owner), held: Arc::default() }
    }

    /// Place for a file that is being sent. Files that nobody has used for an hour are deleted.
    pub(crate) fn receive(&self) -> Result<Incoming> {
        let mut held = self.held.lock();
        held.retain(|id, one| {
            let stays = one.since.elapsed() < KEPT;
            if !stays {
                discard(&self.folder.join(id));
            }
            stays
        });
        if held.values().map(|one| one.bytes).sum::<u64>() >= MOST {
            let message = "too many files wait for an import; import them, or try again in an hour";
            return Err(Error::Invalid(message.to_owned()));
        }
        drop(held);
        fs::create_dir_all(&self.folder).map_err(|error| Error::io(&self.folder, error))?;
        let mut secret = [0; 16];
        getrandom::fill(&mut secret)
            .map_err(|error| Error::io(&self.folder, std::io::Error::other(error.to_string())))?;
        let id = crate::store::hex(&secret);
        let part = self.folder.join(format!("{id}.part"));
        Ok(Incoming { part, id, folder: self.folder.clone(), held: Arc::clone(&self.held) })
    }

    /// The file kept under `id`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none.
    pub(crate) fn path(&self, id: &str) -> Result<PathBuf> {
        let known = self.held.lock().contains_key(id);
        known.then(|| self.folder.join(id)).ok_or_else(|| Error::NotFound {
            what: "upload",
            id: id.to_owned(),
            cure: "; it was imported or is too old, so send the file again".to_owned(),
        })
    }

    /// A folder with the kept `files`, each at its path in it, for what reads several files as one.
    ///
    /// # Errors
    /// As [`Spool::path`]; [`Error::Invalid`] if two have one path, [`Error::Io`] if they cannot be put there.
    pub(crate) fn gather(&self, files: impl Iterator<Item = (PathBuf, String)>) -> Result<tempfile::TempDir> {
        let unmade = |error| Error::io(&self.folder, error);
        fs::create_dir_all(&self.folder).map_err(unmade)?;
        let folder = tempfile::tempdir_in(&self.folder).map_err(unmade)?;
        for (path, id) in files {
            let (from, to) = (self.path(&id)?, folder.path().join(path));
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(unmade)?;
            }
            if to.exists() {
                let name = to.strip_prefix(folder.path()).unwrap_or(&to).display().to_string();
                return Err(Error::Invalid(format!("two files are called {name}; send one of them only")));
            }
            // Not every file system can give a file a second name.
            let there = fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop));
            there.map_err(|error| Error::io(&to, error))?;
        }
        Ok(folder)
    }

    /// Forgets the files kept under `ids`.
    pub(crate) fn remove(&self, ids: &[String]) {
        for id in ids {
            if self.held.lock().remove(id).is_some() {
                discard(&self.folder.join(id));
            }
        }
    }

    /// Removes what programs left behind that are no longer alive.
    pub(crate) fn tidy(library: &Path, lives: impl Fn(&str) -> bool) {
        for entry in fs::read_dir(library.join(UPLOADS)).into_iter().flatten().flatten() {
            if lives(&entry.file_name().to_string_lossy()) {
                continue;
            }
            if let Err(error) = fs::remove_dir_all(entry.path()) {
                tracing::warn!("uploads of an earlier start stay in {}: {error}", entry.path().display());
            }
        }
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // What stays is removed at the next start.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn discard(path: &Path) {
    if let Err(error) = fs::remove_file(path) {
        tracing::warn!("an upload stays in {}: {error}", path.display());
    }
}

/// A file that is being sent. It is deleted with this value, unless it is kept.
pub struct Incoming {
    part: PathBuf,
    id: String,
    folder: PathBuf,
    held: Arc<Mutex<HashMap<String, Held>>>,
}

impl Incoming {
    /// Where it is written.
    pub fn path(&self) -> &Path {
        &self.part
    }

    /// Keeps it, now that it is whole. Returns the id under which a call can use it.
    ///
    /// # Errors
    /// [`Error::Io`] if nothing was written.
    pub fn keep(self) -> Result<String> {
        let whole = self.folder.join(&self.id);
        let renamed = fs::rename(&self.part, &whole).and_then(|()| fs::metadata(&whole));
        let bytes = renamed.map_err(|error| Error::io(&self.part, error))?.len();
        self.held.lock().insert(self.id.clone(), Held { bytes, since: Instant::now() });
        Ok(self.id.clone())
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // One that was kept has another name by now.
        let _ = fs::remove_file(&self.part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> usize {
        walkdir::WalkDir::new(folder)
            .into_iter()
            .flatten()
            .filter(|entry| entry.file_type().is_file())
            .count()
    }

    #[test]
    fn a_file_is_known_once_it_is_whole_and_goes_when_it_was_taken() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path(), "a");
        let torn = spool.receive().unwrap();
        fs::write(torn.path(), "half").unwrap();
        assert!(spool.path(&torn.id).is_err());
        assert_eq!(files(folder.path()), 1);
        drop(torn);
        assert_eq!(files(folder.path()), 0, "half a file leaves nothing");

        let whole = spool.receive().unwrap();
        fs::write(whole.path(), "whole").unwrap();
        let id = whole.keep().unwrap();
        assert_eq!(fs::read_to_string(spool.path(&id).unwrap()).unwrap(), "whole");
        for wrong in ["", "..", &format!("{id}.part"), &format!("../a/{id}")] {
            assert!(spool.path(wrong).is_err(), "{wrong}");
        }
        spool.remove(std::slice::from_ref(&id));
        assert!(spool.path(&id).is_err());
        assert_eq!(files(folder.path()), 0);
    }

    #[test]
    fn what_a_killed_program_left_goes_and_what_another_one_holds_stays() {
        let folder = tempfile::tempdir().unwrap();
        let kept = |owner: &str| {
            let spool = Spool::new(folder.path(), owner);
            let incoming = spool.receive().unwrap();
            fs::write(incoming.path(), owner).unwrap();
            incoming.keep().unwrap();
            spool
        };
        let (living, killed) = (kept("living"), kept("killed"));
        std::mem::forget(killed);
        Spool::tidy(folder.path(), |owner| owner == "living");
        assert_eq!(files(folder.path()), 1);
        drop(living);
        assert_eq!(files(folder.path()), 0, "it goes when the program ends");
    }
}
