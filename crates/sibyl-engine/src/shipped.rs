//! Files that ship with the program.

use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// The shipped file called `name` in `folder`, with its path; `None` if there is none.
///
/// # Errors
/// [`Error::Io`] if it is there and cannot be read.
pub(crate) async fn bytes(folder: Option<&Path>, name: &str) -> Result<Option<(PathBuf, Vec<u8>)>> {
    let Some(folder) = folder else { return Ok(None) };
    let path = folder.join(name);
    let file = path.clone();
    let read = tokio::task::spawn_blocking(move || std::fs::read(file));
    match read.await? {
        Ok(bytes) => Ok(Some((path, bytes))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(path, error)),
    }
}

/// That the file at `path` is not what ships.
pub(crate) fn changed(path: &Path, error: &dyn std::error::Error) -> Error {
    Error::Damaged(format!(
        "{} is not the file that ships with Sibyl: {error}; reinstall Sibyl",
        path.display()
    ))
}
