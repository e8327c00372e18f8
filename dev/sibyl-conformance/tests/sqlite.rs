//! The store in one SQLite file keeps every law.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_conformance::Bench;
use sibyl_store::{Location, Place};
use std::sync::Arc;
use tempfile::TempDir;

/// A library in a temporary folder, or where it was moved to from there.
struct Sqlite(TempDir);

impl Bench for Sqlite {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn place(&self) -> Arc<dyn Location> {
        Arc::new(Place::of(self.0.path().join("home")).unwrap())
    }
}

sibyl_conformance::conformance!(Sqlite);
