//! Embedding: how fast the shipped models make vectors of chunks and of a query.

use crate::Outcome;
use crate::timing::repeat_async;
use cpu_time::ProcessTime;
use sibyl_engine::embed::{Embedder, Purpose};
use sibyl_engine::{Library, OpenOptions};
use sibyl_lab::table::Table;
use std::path::Path;
use std::time::Instant;

/// Characters of an estimated token.
const TOKEN: usize = 4;
/// Chunks of 150 tokens that are embedded.
const SHORT: usize = 256;
/// Chunks of 550 tokens: those of a report of some two hundred pages.
const REPORT: usize = 600;
/// A query of eight tokens.
const QUERY: &str = "who on the board looks after climate risk";

pub async fn measure() -> Outcome<String> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let text = standards(&data)?;
    let (short, long) = (cut(&text, 150, SHORT), cut(&text, 550, REPORT));
    let folder = tempfile::tempdir()?;
    let library =
        Library::open(OpenOptions { shipped: Some(data), ..OpenOptions::new(folder.path()) }).await?;
    let mut table = Table::new(&[
        "model",
        "dimensions",
        "chunks of 150 tokens per CPU second",
        "of 550 tokens",
        "600 chunks of 550 tokens, s",
        "query of 8 tokens, ms",
    ]);
    for embedder in library.models().embedders().await {
        let embedder = embedder.as_ref();
        let (short_rate, _) = rate(embedder, &short).await?;
        let (long_rate, seconds) = rate(embedder, &long).await?;
        let query = [QUERY.to_owned()];
        let query = repeat_async(50, |_| async {
            // The same call has just been answered for many texts.
            let _ = embedder.embed(&query, Purpose::Query).await;
        });
        table.row([
            embedder.space().model.clone(),
            embedder.space().dimensions.to_string(),
            format!("{short_rate:.1}"),
            format!("{long_rate:.1}"),
            format!("{seconds:.1}"),
            format!("{:.2}", query.await.p50()),
        ]);
    }
    Ok(table.markdown())
}

/// Chunks per second of processor time, and seconds for all of them on all cores, submitted as a job does.
async fn rate(embedder: &dyn Embedder, chunks: &[String]) -> Outcome<(f64, f64)> {
    embedder.embed(&chunks[..4], Purpose::Passage).await?;
    let (cpu, start) = (ProcessTime::now(), Instant::now());
    for batch in embedder.batches(chunks) {
        embedder.embed(&chunks[batch], Purpose::Passage).await?;
    }
    Ok((chunks.len() as f64 / cpu.elapsed().as_secs_f64(), start.elapsed().as_secs_f64()))
}

/// The standards that ship, one after the other.
fn standards(data: &Path) -> Outcome<Vec<char>> {
    let mut text = Vec::new();
    for folder in ["ifrs", "sasb"] {
        let entries = std::fs::read_dir(data.join(folder))?.map(|entry| Ok(entry?.path()));
        let mut files: Vec<_> = entries.collect::<std::io::Result<_>>()?;
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "md")) {
            text.extend(std::fs::read_to_string(file)?.chars());
        }
    }
    Ok(text)
}

/// The first `most` stretches of `tokens` tokens.
fn cut(text: &[char], tokens: usize, most: usize) -> Vec<String> {
    text.chunks_exact(tokens * TOKEN).take(most).map(|chunk| chunk.iter().collect()).collect()
}
