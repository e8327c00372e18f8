//! The time for answers without a language model in a library of the shipped standards, and in one of 30,000
//! chunks.

use crate::Outcome;
use crate::synthetic::document;
use sibyl_engine::answer::AskRequest;
use sibyl_engine::embed::{Embedder, Tier};
use sibyl_engine::ingest::IngestRequest;
use sibyl_engine::store::hash;
use sibyl_engine::store::table::corpus::NewCorpus;
use sibyl_engine::{Library, OpenOptions};
use sibyl_lab::random::Random;
use sibyl_lab::table::Table;
use std::path::PathBuf;
use std::sync::Arc;

const CHUNKS: usize = 30_000;
/// Chunks of a made report.
const REPORT: usize = 300;
/// Sentences of a made chunk.
const SENTENCES: usize = 6;
/// Distance of a made-up chunk's vector from that of the chunk with its first sentence, as a share of its length.
const NOISE: f64 = 0.5;
const WORKSPACE: &str = "default";

/// The questions of the gold set of the standards, asked in both libraries.
pub async fn measure() -> Outcome<String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let gold = root.join("tests/fixtures/gold/standards.jsonl");
    let folder = tempfile::tempdir()?;
    let options = OpenOptions { shipped: Some(root.join("data")), ..OpenOptions::new(folder.path()) };
    let library = Library::open(options).await?;
    let job = library.ingest().start(WORKSPACE, IngestRequest::shipped(false)).await?;
    library.jobs().wait(WORKSPACE, job).await?;
    let mut table = Table::new(&["library", "p50 ms", "p95 ms", "sentences", "of these verified"]);
    let shipped = chunks(&library).await?;
    row(&library, &gold, shipped, &mut table).await?;
    grow(&library, shipped).await?;
    row(&library, &gold, chunks(&library).await?, &mut table).await?;
    Ok(table.markdown())
}

async fn chunks(library: &Library) -> Outcome<usize> {
    let workspace = library.store().workspace(WORKSPACE).await?.id;
    let counts = library.store().chunk_counts(workspace).await?;
    Ok(usize::try_from(counts.into_iter().map(|(_, count)| count).sum::<u64>())?)
}

async fn row(library: &Library, gold: &std::path::Path, chunks: usize, table: &mut Table) -> Outcome<()> {
    let request = AskRequest::default();
    // The first question calibrates the relevance of a library that has grown; every later one costs only its own
    // time.
    let first = AskRequest { question: "Who oversees climate matters?".to_owned(), ..request.clone() };
    library.answer().ask(WORKSPACE, &first, &|_| ()).await?;
    let measured = library.answer().measure(WORKSPACE, gold, &request).await?;
    table.row([
        format!("{chunks} chunks"),
        format!("{:.0}", measured.p50_ms),
        format!("{:.0}", measured.p95_ms),
        measured.sentences.to_string(),
        measured.verified.to_string(),
    ]);
    Ok(())
}

/// Fills up the library with reports whose sentences are those of the standards in another order. Questions then
/// find their words everywhere, and the vectors lie among those of the standards.
async fn grow(library: &Library, shipped: usize) -> Outcome<()> {
    let store = library.store();
    let workspace = store.workspace(WORKSPACE).await?.id;
    let rows = (1..=i64::try_from(shipped)?).collect();
    let mut known: Vec<_> = store.chunks_by_row(workspace, rows).await?.into_iter().collect();
    known.sort_unstable_by_key(|(row, _)| *row);
    let sentences: Vec<(i64, String)> = known
        .iter()
        .flat_map(|(row, chunk)| {
            chunk.passage().split_inclusive(". ").map(|one| (*row, one.to_owned())).collect::<Vec<_>>()
        })
        .collect();
    let embedders = library.models().embedders().await;
    let embedders: Vec<&Arc<dyn Embedder>> =
        embedders.iter().filter(|embedder| embedder.space().tier != Tier::Remote).collect();
    let corpus = store
        .put_corpus(NewCorpus {
            workspace_id: None,
            name: "reports".to_owned(),
            source_type: "report".to_owned(),
            strategy: "report".to_owned(),
            settings: serde_json::Map::new(),
            base_url: String::new(),
            remote: false,
        })
        .await?;
    let mut random = Random::new(41);
    let mut made = shipped;
    while made < CHUNKS {
        let count = REPORT.min(CHUNKS - made);
        let (mut texts, mut origins) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let chosen: Vec<&(i64, String)> = (0..SENTENCES).map(|_| random.pick(&sentences)).collect();
            origins.push(chosen[0].0);
            texts.push(chosen.iter().map(|(_, text)| text.as_str()).collect::<String>());
        }
        store.put_document(document(corpus.id, format!("{made}.md"), &texts)).await?;
        for embedder in &embedders {
            let space = embedder.space().id();
            let vectors = store.vectors_of(&space, origins.clone()).await?;
            let near = texts.iter().zip(&origins).filter_map(|(text, row)| {
                Some((hash(text.as_bytes()), beside(vectors.get(row)?, &mut random)))
            });
            let near = near.collect();
            store.put_vectors(&space, near).await?;
        }
        made += count;
    }
    store.optimize_keyword().await?;
    Ok(())
}

/// A vector of length 1 near `vector`.
fn beside(vector: &[f32], random: &mut Random) -> Vec<f32> {
    let spread = NOISE / (vector.len() as f64).sqrt();
    let moved: Vec<f32> = vector.iter().map(|x| x + (spread * random.normal()) as f32).collect();
    let length = moved.iter().map(|x| x * x).sum::<f32>().sqrt();
    moved.iter().map(|x| x / length).collect()
}
