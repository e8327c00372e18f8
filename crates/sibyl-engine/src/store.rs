//! The library: one SQLite file, one writer thread, a few read-only connections.
//!
//! Only domain verbs with owned values leave this module: no closure, no rusqlite type.

mod connection;
mod migrate;

use crate::error::{Error, Result};
use connection::Pool;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// An open library.
#[derive(Clone)]
pub struct Store {
    pool: Pool,
    folder: PathBuf,
}

/// File name of the library inside its data folder.
pub const LIBRARY_FILE: &str = "library.sibyl";

impl Store {
    /// Opens the library in `folder`, and makes it where there is none.
    ///
    /// # Errors
    /// [`Error::NotALibrary`] for a file of another program, [`Error::NewerLibrary`] for one that a newer
    /// version wrote, else storage and I/O errors.
    pub fn open(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
        let pool = Pool::open(&folder.join(LIBRARY_FILE))?;
        Ok(Self { pool, folder: folder.to_owned() })
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// SHA-256 of `bytes`.
pub fn hash(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Lower-case hex of `bytes`.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// First 16 hex digits of the SHA-256 over `parts`, each prefixed with its length, so that no two lists of
/// parts run into the same bytes.
pub fn short_hash(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part.as_bytes());
    }
    hex(&digest.finalize()[..8])
}
