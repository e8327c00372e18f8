//! The store in one SQLite file keeps every law.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_conformance::Bench;
use sibyl_store::{Place, Store, open};
use std::sync::Arc;
use tempfile::TempDir;

/// A library in a temporary folder.
struct Sqlite(TempDir);

impl Bench for Sqlite {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn open(&self) -> Arc<dyn Store> {
        open(Place::named(self.0.path())).unwrap()
    }
}

sibyl_conformance::conformance!(Sqlite);
