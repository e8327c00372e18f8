//! What the tests through the doors share: the programs as built, temporary data folders, fixtures.

pub mod desktop;
pub mod formats;
pub mod library;
pub mod operation;
pub mod page;
pub mod program;
pub mod random;
pub mod schema;
pub mod secret_service;
pub mod server;

use std::path::{Path, PathBuf};

/// The repository's root folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// A file under `tests/fixtures`.
pub fn fixture(name: &str) -> PathBuf {
    root().join("tests/fixtures").join(name)
}
