//! The library without a program around it, for what no program shows.

use crate::built;
use serde_json::Value;
use sibyl_api::{ApiError, Call, Library};
use sibyl_engine::OpenOptions;
use sibyl_engine::embed::Tier;
use sibyl_engine::ingest::{IngestRequest, JobState};
use sibyl_engine::reader::{READER_ARGUMENT, ReaderProgram};
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use std::path::Path;
use tokio::runtime::Runtime;

/// An open library with what ships.
pub struct Opened {
    library: Library,
    runtime: Runtime,
}

impl Opened {
    /// Opens the library in `folder`.
    pub fn at(folder: &Path) -> Self {
        let runtime = runtime();
        Self { library: runtime.block_on(open(folder)), runtime }
    }

    /// Opens the library in `folder` with nothing that ships, and so without any model.
    pub fn without_models(folder: &Path) -> Self {
        let runtime = runtime();
        let options = OpenOptions { reader: reader(), ..OpenOptions::new(folder) };
        let library = runtime.block_on(Library::open(options)).expect("the library opens");
        Self { library, runtime }
    }

    /// Calls a command of the list in `workspace`.
    ///
    /// # Errors
    /// Errors of the command.
    pub fn call(&self, workspace: &str, command: &str, input: Value) -> Result<Value, ApiError> {
        let call = Call::new(self.library.clone(), workspace);
        self.runtime.block_on(sibyl_api::dispatch(command, call, input))
    }

    /// The library itself, for what serves it.
    pub fn library(&self) -> Library {
        self.library.clone()
    }

    /// Waits for `work`, together with other work.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Starts `work` beside the rest.
    pub fn start(&self, work: impl Future<Output: Send + 'static> + Send + 'static) {
        self.runtime.spawn(work);
    }

    /// Has the first ingest leave out what ships.
    pub fn skip_first_start(&self) {
        self.runtime
            .block_on(sibyl_api::door::skip_first_start(&self.library))
            .expect("a setting can be stored");
    }

    /// Waits until the jobs that `workspace` sees have come to rest.
    pub fn rest(&self, workspace: &str) {
        self.runtime.block_on(async {
            let jobs = self.library.jobs();
            for job in jobs.list(workspace).await.expect("jobs can be listed") {
                jobs.wait(workspace, job.id).await.expect("the job comes to rest");
            }
        });
    }
}

/// Ingests what ships into `folder`, with vectors of the instant model only.
pub(crate) fn ingest_with_instant_vectors(folder: &Path) {
    // A test that is driven by a runtime cannot wait for another on the same thread.
    std::thread::scope(|scope| {
        scope.spawn(|| ingest_instantly(folder)).join().expect("the library is ingested")
    });
}

fn ingest_instantly(folder: &Path) {
    let workshop = tempfile::tempdir().expect("a temporary folder");
    runtime().block_on(async {
        let library = open(workshop.path()).await;
        let mut embedders = library.models().embedders().await;
        embedders.retain(|embedder| embedder.space().tier == Tier::Instant);
        library.models().set_embedders(embedders);
        sibyl_api::door::skip_first_start(&library).await.expect("a setting can be stored");
        let job =
            library.ingest().start(DEFAULT_WORKSPACE, IngestRequest::shipped(false)).await.expect("a job");
        let job = library.jobs().wait(DEFAULT_WORKSPACE, job).await.expect("the job comes to rest");
        assert_eq!(job.state, JobState::Done, "{:?}", job.error);
        // An open library is not a single file: part of it is in the log until all of its connections are closed.
        std::fs::create_dir_all(folder).expect("a folder for the library");
        library.upkeep().back_up(&folder.join("library.sibyl")).await.expect("the library can be backed up");
    });
}

async fn open(folder: &Path) -> Library {
    let shipped = Some(crate::root().join("data"));
    let options = OpenOptions { shipped, reader: reader(), ..OpenOptions::new(folder) };
    Library::open(options).await.expect("the library opens")
}

/// What reads files that cannot be trusted is the program, not the one that tests.
fn reader() -> ReaderProgram {
    ReaderProgram::Other {
        program: built("sibyl"),
        arguments: vec![READER_ARGUMENT.into()],
        environment: Vec::new(),
    }
}

fn runtime() -> Runtime {
    Runtime::new().expect("threads")
}
