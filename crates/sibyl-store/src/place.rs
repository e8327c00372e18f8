//! Where the library is: in its home, which is the system's place for application data, or where it was moved to.
//!
//! A small file in the home names the folder, so that every program finds the library there at its next start.

use crate::LIBRARY_FILE;
use crate::error::{Error, Result};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Name of the file in the home that names the folder the library was moved to.
pub const POINTER: &str = "library-folder";
/// How names of libraries begin that another file took the place of.
pub(crate) const REPLACED: &str = "replaced-";
/// Name of the file in the data folder that becomes the library at the next start.
pub(crate) const NEXT_FILE: &str = "library.sibyl.next";

/// Name of the file in the data folder that says how the library was found to be damaged.
const DAMAGE: &str = "library-damage";

/// The folder of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The data folder.
    pub(crate) folder: PathBuf,
    /// Where programs look for it, unless the folder was named by hand.
    pub(crate) home: Option<PathBuf>,
}

impl Place {
    /// The folder that was named by hand.
    pub fn named(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), home: None }
    }

    /// The home itself, or the folder that the library was moved to from it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if there is no library in the folder it was moved to, so that no empty one takes its
    /// place. [`Error::Io`] if the file that names the folder cannot be read.
    pub fn of(home: impl Into<PathBuf>) -> Result<Self> {
        let home = home.into();
        let Some(folder) = moved_to(&home)? else {
            return Ok(Self { folder: home.clone(), home: Some(home) });
        };
        if folder.join(LIBRARY_FILE).is_file() {
            return Ok(Self { folder, home: Some(home) });
        }
        Err(Error::Invalid(format!(
            "the library was moved to {} but is not there; connect the drive, or delete {} to continue with the \
             copy in the old folder",
            folder.display(),
            home.join(POINTER).display()
        )))
    }

    pub(crate) fn has_library(&self) -> bool {
        self.folder.join(LIBRARY_FILE).exists()
    }

    pub(crate) fn next(&self) -> Result<Option<PathBuf>> {
        let Some(home) = &self.home else { return Ok(None) };
        let next = moved_to(home)?.unwrap_or_else(|| home.clone());
        Ok((next != self.folder).then_some(next))
    }

    /// Refuses if the library was moved away from here, or if another file replaces it at the next start.
    ///
    /// # Errors
    /// [`Error::Moved`] and [`Error::Replaced`] then, otherwise as
    /// [`Location::next`](crate::port::Location::next).
    pub(crate) fn stays(&self) -> Result<()> {
        if self.is_replaced() {
            return Err(Error::Replaced);
        }
        self.next()?.map_or(Ok(()), |folder| Err(Error::Moved { folder }))
    }

    /// Whether another file, rescued or from a backup, replaces the library at the next start.
    pub fn is_replaced(&self) -> bool {
        self.folder.join(NEXT_FILE).exists()
    }

    /// Makes `file`, which is in the data folder and complete, replace the library at the next start.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be renamed.
    pub(crate) fn replace_with(&self, file: &Path) -> Result<()> {
        let next = self.folder.join(NEXT_FILE);
        fs::rename(file, &next).map_err(|error| Error::io(&next, error))
    }

    /// Puts the waiting file in the place of the library, which is kept beside it as `replaced-DATE.sibyl`. If
    /// another program still has the library open, the file continues to wait.
    ///
    /// # Errors
    /// [`Error::Io`] if a file cannot be renamed; the next start continues from there.
    pub(crate) fn take_next(&self) -> Result<()> {
        let (library, next) = (self.folder.join(LIBRARY_FILE), self.folder.join(NEXT_FILE));
        if !next.is_file() || (library.exists() && is_open(&library)) {
            return Ok(());
        }
        let rename = |from: &Path, to: &Path| match fs::rename(from, to) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(from, error)),
            _ => Ok(()),
        };
        let stamp = crate::now().replace(':', "-");
        let kept = self.folder.join(format!("{REPLACED}{stamp}.sibyl"));
        // The log first: a library that has lost its log is only older, but a log beside another library is a
        // danger.
        rename(
            &self.folder.join(format!("{LIBRARY_FILE}-wal")),
            &self.folder.join(format!("{REPLACED}{stamp}.sibyl-wal")),
        )?;
        // Shared by those who have it open, and nobody has.
        let _ = fs::remove_file(self.folder.join(format!("{LIBRARY_FILE}-shm")));
        rename(&library, &kept)?;
        rename(&next, &library)?;
        for derived in [crate::codes::FOLDER, DAMAGE] {
            let derived = self.folder.join(derived);
            let removed =
                if derived.is_dir() { fs::remove_dir_all(&derived) } else { fs::remove_file(&derived) };
            if let Err(error) = removed
                && error.kind() != std::io::ErrorKind::NotFound
            {
                // They are of the file that was replaced: each is found out of date by itself.
                tracing::warn!(path = %derived.display(), %error, "what belongs to the former library stays");
            }
        }
        Ok(())
    }

    /// How the library was found to be damaged, by whatever program; `None` if none found it so.
    pub(crate) fn damage(&self) -> Option<String> {
        fs::read_to_string(self.folder.join(DAMAGE)).ok()
    }

    /// Tells every program that opens the library from now on that it is damaged or, with `None`, that it is
    /// sound.
    pub(crate) fn note_damage(&self, what: Option<&str>) {
        let path = self.folder.join(DAMAGE);
        let noted = what.map_or_else(|| fs::remove_file(&path), |what| fs::write(&path, what));
        if let Err(error) = noted
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(path = %path.display(), %error, "other programs are not told how the library stands");
        }
    }

    /// Whether the library may be moved to `folder`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if not, with a cure; [`Error::Io`] if `folder` cannot be listed.
    pub(crate) fn may_move_to(&self, folder: &Path) -> Result<()> {
        let Some(home) = &self.home else {
            return Err(Error::Invalid(format!(
                "the data folder {} was set when Sibyl was started; start it with another one instead",
                self.folder.display()
            )));
        };
        let refuse =
            |why: &str| Err(Error::Invalid(format!("{} {why}; choose an empty folder", folder.display())));
        if !folder.is_absolute() {
            return refuse("is not an absolute path");
        }
        if folder.to_str().is_none_or(|text| text.contains(['\n', '\r'])) {
            return refuse("has a name that is not plain text");
        }
        if Self::named(folder).has_library() {
            return refuse("already contains a library");
        }
        // The home keeps more than the library.
        if folder == home {
            return Ok(());
        }
        if resolved(folder).starts_with(resolved(&self.folder)) {
            return refuse("is inside the data folder");
        }
        match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
            Ok(false) => Ok(()),
            Ok(true) => refuse("is not empty"),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(Error::io(folder, error)),
        }
    }

    /// Has programs look for the library in `folder` from their next start on.
    ///
    /// # Errors
    /// [`Error::Io`] if that cannot be written down.
    pub(crate) fn leave_for(&self, folder: &Path) -> Result<()> {
        let Some(home) = &self.home else { return Ok(()) };
        if folder == home {
            let pointer = home.join(POINTER);
            return fs::remove_file(&pointer).map_err(|error| Error::io(&pointer, error));
        }
        point_to(home, folder)
    }
}

/// Whether another program has the library at `path` open. One that cannot be read as a library is open nowhere.
fn is_open(path: &Path) -> bool {
    let attempt = || -> rusqlite::Result<()> {
        let alone = rusqlite::Connection::open(path)?;
        // One that is closing just now is waited for.
        alone.busy_timeout(std::time::Duration::from_secs(2))?;
        // Every connection to a file with a write-ahead log has a lock that this mode cannot share.
        alone.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        alone.execute_batch("BEGIN IMMEDIATE; ROLLBACK")
    };
    let busy = |error: rusqlite::Error| error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy);
    attempt().is_err_and(busy)
}

/// `path` without symbolic links as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let known = path.ancestors().find_map(|known| {
        let rest = path.strip_prefix(known).ok()?;
        Some(known.canonicalize().ok()?.join(rest))
    });
    known.unwrap_or_else(|| path.to_owned())
}

/// The folder that the pointer in `home` names; `None` if there is no pointer.
fn moved_to(home: &Path) -> Result<Option<PathBuf>> {
    let pointer = home.join(POINTER);
    let named = match fs::read_to_string(&pointer) {
        Ok(named) => PathBuf::from(named.trim_end_matches(['\n', '\r'])),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io(&pointer, error)),
    };
    if named.is_absolute() {
        return Ok(Some(named));
    }
    Err(Error::Invalid(format!(
        "{} does not name a folder by its absolute path; write the path of the library's folder into it, or delete \
         it to continue with the copy in the old folder",
        pointer.display()
    )))
}

/// Has the pointer in `home` name `folder`. A crash leaves the former pointer or the new one, never half of it.
fn point_to(home: &Path, folder: &Path) -> Result<()> {
    let (pointer, unfinished) = (home.join(POINTER), home.join(format!("{POINTER}.part")));
    let written = fs::File::create(&unfinished).and_then(|mut file| {
        file.write_all(folder.as_os_str().as_encoded_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| Error::io(&unfinished, error))?;
    fs::rename(&unfinished, &pointer).map_err(|error| Error::io(&pointer, error))
}
