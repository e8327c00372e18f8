//! What can go wrong, by cause.

use std::path::PathBuf;

/// An error of measuring.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was asked for contradicts itself or names something impossible; the message says the cure.
    #[error("{0}")]
    Invalid(String),
    /// A file or folder is not what can be used here.
    #[error("{} {why}", path.display())]
    UnfitPath {
        /// The file or folder.
        path: PathBuf,
        /// What it is or lacks, and the cure, as it follows the path.
        why: String,
    },
    /// A file or folder could not be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
}

impl Error {
    /// An I/O failure at `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }

    /// `path` cannot be used here: `why` says what it is or lacks, and the cure.
    pub fn unfit(path: impl Into<PathBuf>, why: impl Into<String>) -> Self {
        Self::UnfitPath { path: path.into(), why: why.into() }
    }
}

/// Result of measuring.
pub type Result<T> = std::result::Result<T, Error>;
