//! Where the library lies: in its home, the system's place for application data, or where it was moved to.
//!
//! A small file in the home names the folder, so that every program finds the library there at its next start.

use crate::LIBRARY_FILE;
use crate::error::{Error, Result};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Name of the file in the home that names the folder the library was moved to.
pub const POINTER: &str = "library-folder";

/// The folder of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The data folder.
    pub folder: PathBuf,
    /// Where programs look for it, unless the folder was named by hand.
    pub home: Option<PathBuf>,
}

impl Place {
    /// The folder that was named by hand.
    pub fn named(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), home: None }
    }

    /// The home itself, or the folder that the library was moved to from it.
    ///
    /// # Errors
    /// [`Error::Invalid`] where there is no library in the folder it was moved to, so that no empty one takes its
    /// place, and [`Error::Io`] where the file that names it cannot be read.
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

    /// The folder that the library lies in from the next start on, where it is no longer this one.
    ///
    /// # Errors
    /// [`Error::Io`] and [`Error::Invalid`] where the file that names it cannot be read or names no folder.
    pub fn next(&self) -> Result<Option<PathBuf>> {
        let Some(home) = &self.home else { return Ok(None) };
        let next = moved_to(home)?.unwrap_or_else(|| home.clone());
        Ok((next != self.folder).then_some(next))
    }

    /// Refuses where the library was moved away from here.
    ///
    /// # Errors
    /// [`Error::Moved`] then, otherwise as [`Place::next`].
    pub fn stays(&self) -> Result<()> {
        self.next()?.map_or(Ok(()), |folder| Err(Error::Moved { folder }))
    }

    /// Has programs look for the library in `folder` from their next start on.
    ///
    /// # Errors
    /// [`Error::Io`] where that cannot be written down.
    pub fn leave_for(&self, folder: &Path) -> Result<()> {
        let Some(home) = &self.home else { return Ok(()) };
        if folder == home {
            let pointer = home.join(POINTER);
            return fs::remove_file(&pointer).map_err(|error| Error::io(&pointer, error));
        }
        point_to(home, folder)
    }
}

/// The folder that the pointer in `home` names; `None` where there is no pointer.
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
