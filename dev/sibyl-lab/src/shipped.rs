//! A separate library with Sibyl's shipped data.

use sibyl_engine::ingest::{IngestRequest, Job};
use sibyl_engine::{Library, OpenOptions};
use sibyl_tests::root;
use tempfile::TempDir;

/// A library in a folder that is deleted with it.
pub struct Shipped {
    /// Holds what ships.
    pub library: Library,
    /// The job that has ingested the shipped data.
    pub job: Job,
    _folder: TempDir,
}

impl Shipped {
    /// Ingests what ships into a new library and waits until that is done.
    ///
    /// # Errors
    /// The library cannot be opened or what ships cannot be ingested.
    pub async fn ingested() -> Result<Self, Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let options = OpenOptions { shipped: Some(root().join("data")), ..OpenOptions::new(folder.path()) };
        let library = Library::open(options).await?;
        let job = library.ingest().start("default", IngestRequest::shipped(false)).await?;
        let job = library.jobs().wait("default", job).await?;
        Ok(Self { library, job, _folder: folder })
    }
}
