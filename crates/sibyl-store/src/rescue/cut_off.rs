//! A library file whose end is missing: SQLite opens none that is shorter than its head says.

use crate::error::{Error, Result};
use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// How every SQLite file begins.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// A copy of a damaged file in which something replaces what is missing; it is removed in the end.
pub(super) struct Filled(PathBuf);

impl Filled {
    /// Copies the file at `path` to `copy` where its end is missing; `None` if it is as long as its head says.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read or copied.
    pub(super) fn of(path: &Path, copy: PathBuf) -> Result<Option<Self>> {
        let failed = |error| Error::io(path, error);
        let mut head = [0; 100];
        let mut file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if file.read_exact(&mut head).is_err() || !head.starts_with(MAGIC) {
            return Ok(None); // Without a head its former length is not known.
        }
        let page = match u64::from(u16::from_be_bytes([head[16], head[17]])) {
            1 => 65_536,
            size => size,
        };
        let pages = u64::from(u32::from_be_bytes([head[28], head[29], head[30], head[31]]));
        if length >= page * pages {
            return Ok(None);
        }
        let filled = Self::copied(path, copy)?;
        let failed = |error| Error::io(filled.path(), error);
        let file = OpenOptions::new().write(true).open(filled.path()).map_err(failed)?;
        file.set_len(page * pages).map_err(failed)?;
        Ok(Some(filled))
    }

    /// A copy of the file at `path` and of its log.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be copied.
    pub(super) fn copied(path: &Path, copy: PathBuf) -> Result<Self> {
        let failed = |error| Error::io(&copy, error);
        std::fs::copy(path, &copy).map_err(failed)?;
        let filled = Self(copy.clone());
        let wal = super::beside(path, "-wal");
        if wal.exists() {
            std::fs::copy(wal, super::beside(&copy, "-wal")).map_err(failed)?;
        }
        Ok(filled)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Filled {
    fn drop(&mut self) {
        super::remove(&self.0);
    }
}
