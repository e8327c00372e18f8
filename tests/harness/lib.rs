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

/// A built program: in the folder of the running one or, if a test is running in `deps`, above it.
pub fn built(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("a program knows its own path");
    let folder = own.parent().expect("a program lies in a folder");
    let folder = if folder.ends_with("deps") { folder.parent().unwrap_or(folder) } else { folder };
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is not built; run `cargo build -p sibyl -p sibyl-cli`", program.display());
    program
}
