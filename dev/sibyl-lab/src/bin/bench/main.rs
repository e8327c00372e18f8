//! `cargo xtask bench [--large] [PART]`: ratios measured side by side in one run, and the speed of the window, as
//! Markdown tables.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.

mod answers;
mod chunking;
mod embedding;
mod evaluate;
mod growth;
mod retrieval;
mod serving;
mod synthetic;
mod timing;
mod window;

use std::process::ExitCode;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

#[tokio::main]
async fn main() -> ExitCode {
    if let Some(code) = sibyl_engine::reader::run_reader_if_asked() {
        return code;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let large = words.iter().any(|word| word == "--large");
    let only = words.iter().find(|word| !word.starts_with("--"));
    let wanted = |name: &str| only.is_none_or(|only| only == name);
    match run(large, &wanted).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(large: bool, wanted: &dyn Fn(&str) -> bool) -> Outcome<()> {
    if wanted("chunking") {
        println!("## Chunking\n\n{}", chunking::measure()?);
    }
    if wanted("embedding") {
        println!("## Embedding\n\n{}", embedding::measure().await?);
    }
    if wanted("ingest") {
        println!("## Ingest\n\n{}", retrieval::ingest().await?);
    }
    if wanted("retrieval") {
        let sizes: &[(usize, usize)] = if large {
            &[(3_000, 384), (30_000, 384), (30_000, 1_536), (228_778, 384), (228_778, 1_536)]
        } else {
            &[(3_000, 384), (30_000, 384), (30_000, 1_536)]
        };
        println!("## Retrieval\n\n{}", retrieval::measure(sizes).await?);
    }
    if wanted("growth") {
        println!("## Search while ingesting\n\n{}", growth::ingesting().await?);
        println!("## Library of 1,000 documents: open, list, hover\n\n{}", growth::documents().await?);
    }
    if wanted("matrix") {
        println!("## Matrix\n\n{}", evaluate::matrix()?);
    }
    if wanted("evaluate") {
        println!("## Evaluate\n\n{}", evaluate::frames()?);
    }
    if wanted("answers") {
        println!("## Answers without a language model\n\n{}", answers::measure().await?);
    }
    if wanted("serving") {
        println!("## Serving\n\n{}", serving::measure(large).await?);
    }
    if wanted("window") {
        println!("## Window\n\n{}", window::measure().await?);
    }
    Ok(())
}
