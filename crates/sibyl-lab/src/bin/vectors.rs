//! `cargo xtask vectors`: makes the vectors that ship for `data/`. Those of texts that did not change are taken over.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.

use sibyl_engine::embed::Tier;
use sibyl_engine::embed::shipped::ShippedVectors;
use sibyl_engine::ingest::IngestRequest;
use sibyl_engine::{Library, OpenOptions};
use std::path::Path;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    if let Some(code) = sibyl_engine::reader::run_reader_if_asked() {
        return code;
    }
    match make().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn make() -> Result<(), Box<dyn std::error::Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let folder = tempfile::tempdir()?;
    let options = OpenOptions { shipped: Some(data.clone()), ..OpenOptions::new(folder.path()) };
    let library = Library::open(options).await?;
    let job = library.ingest().start("default", IngestRequest::shipped(false)).await?;
    let job = library.jobs().wait("default", job).await?;
    println!("{:?} in {:.0} s", job.state, job.report.seconds);
    for embedder in library.models().embedders().await.iter().filter(|e| e.space().tier == Tier::Embedded) {
        let space = embedder.space().id();
        let vectors = library.store().vectors_of_space(&space).await?;
        let count = vectors.len();
        let path = ShippedVectors::write(&data, &space, vectors)?;
        println!("{count} vectors in {}", path.display());
    }
    Ok(())
}
