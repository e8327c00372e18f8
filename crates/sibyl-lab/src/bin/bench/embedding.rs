//! Embedding: chunks a second of the models that ship.

use crate::Outcome;
use sibyl_engine::embed::Purpose;
use sibyl_engine::{Library, OpenOptions};
use sibyl_lab::table::Table;
use std::path::Path;
use std::time::Instant;

/// Characters of a chunk of 150 tokens.
const CHARACTERS: usize = 600;
const CHUNKS: usize = 128;

pub async fn measure() -> Outcome<String> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let text = std::fs::read_to_string(data.join("ifrs/s2_full.md"))?;
    let letters: Vec<char> = text.chars().collect();
    let chunks: Vec<String> = letters.chunks(CHARACTERS).take(CHUNKS).map(|c| c.iter().collect()).collect();
    let folder = tempfile::tempdir()?;
    let library =
        Library::open(OpenOptions { shipped: Some(data), ..OpenOptions::new(folder.path()) }).await?;
    let mut table = Table::new(&["model", "dimensions", "chunks/s", "one query, ms"]);
    for embedder in library.models().embedders().await {
        embedder.embed(&chunks[..4], Purpose::Passage).await?;
        let start = Instant::now();
        embedder.embed(&chunks, Purpose::Passage).await?;
        let rate = chunks.len() as f64 / start.elapsed().as_secs_f64();
        let query = ["who on the board looks after climate".to_owned()];
        let start = Instant::now();
        for _ in 0..20 {
            embedder.embed(&query, Purpose::Query).await?;
        }
        let one = start.elapsed().as_secs_f64() * 1e3 / 20.0;
        let space = embedder.space();
        table.row([
            space.model.clone(),
            space.dimensions.to_string(),
            format!("{rate:.0}"),
            format!("{one:.2}"),
        ]);
    }
    Ok(table.markdown())
}
