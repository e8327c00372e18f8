//! An open library through its public functions. One program: each would link the whole engine again.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod answer;
mod condition;
mod correction;
mod criteria;
mod evaluate;
mod gone;
mod ingest;
mod kill;
mod licensed;
mod moved;
mod ocr;
mod phrasing;
mod preflight;
mod reader;
mod ready;
mod remote;
mod renewal;
mod requirement;
mod sample;
mod sentences;
mod shipped;
mod understood;
mod watch;
mod watched;
mod workspaces;

use sibyl_engine::ingest::{IngestRequest, Job, JobState};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};

/// An empty library in a temporary folder that has room for files beside it, and the row of its workspace.
async fn opened() -> (tempfile::TempDir, Library, i64) {
    let folder = tempfile::tempdir().unwrap();
    let reader = ReaderProgram::InProcess;
    let options = OpenOptions { reader, ..OpenOptions::new(folder.path().join("data")) };
    let library = Library::open(options).await.unwrap();
    let workspace = library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    (folder, library, workspace)
}

/// Ingests to the end; the job must succeed and leave a sound library.
async fn ingest_soundly(library: &Library, request: IngestRequest) -> Job {
    let id = library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
    let job = library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap();
    assert_eq!(job.state, JobState::Done, "{:?}", job.error);
    let health = library.upkeep().doctor().await.unwrap();
    assert!(health.is_sound(), "{health:?}");
    job
}
