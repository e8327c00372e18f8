//! `cargo xtask vectors`: makes the shipped vectors for `data/`. Vectors of unchanged texts are reused.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.

use sibyl_engine::embed::Tier;
use sibyl_engine::embed::shipped::ShippedVectors;
use sibyl_lab::shipped::Shipped;
use sibyl_tests::root;
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
    let Shipped { library, job, .. } = &Shipped::ingested().await?;
    println!("{:?} in {:.0} s", job.state, job.report.seconds);
    for embedder in library.models().embedders().await.iter().filter(|e| e.space().tier == Tier::Embedded) {
        let space = embedder.space().id();
        let vectors = library.store().vectors_of_space(&space).await?;
        let count = vectors.len();
        let path = ShippedVectors::write(&root().join("data"), &space, vectors)?;
        println!("{count} vectors in {}", path.display());
    }
    Ok(())
}
