//! The shipped vectors are those of the shipped texts, as the model makes them.

use sha2::{Digest as _, Sha256};
use sibyl_engine::embed::shipped::ShippedVectors;
use sibyl_engine::embed::{Purpose, Tier};
use sibyl_engine::ingest::{EmbedPlan, IngestRequest, JobState};
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use std::path::Path;

/// One in this many texts is compared with the model: the network takes a tenth of a second for each.
const SAMPLE: usize = 100;

#[tokio::test]
async fn shipped_vectors_are_complete_and_those_of_the_model() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let folder = tempfile::tempdir().unwrap();
    let options = OpenOptions { shipped: Some(data.clone()), ..OpenOptions::new(folder.path()) };
    let library = Library::open(options).await.unwrap();
    let request = IngestRequest { embed: EmbedPlan::Nothing, ..IngestRequest::shipped(false) };
    let job = library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
    assert_eq!(library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap().state, JobState::Done);
    let workspace = library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    let mut texts = Vec::new();
    for document in library.store().documents(workspace, None).await.unwrap() {
        let chunks = library.store().chunks_of(workspace, document.id, 0, i64::MAX).await.unwrap();
        texts.extend(chunks.into_iter().map(|chunk| chunk.text));
    }
    let embedders = library.models().embedders().await;
    let model = embedders.iter().find(|embedder| embedder.space().tier == Tier::Embedded).unwrap();
    let space = model.space();
    let shipped = ShippedVectors::open(&data, &space.id(), space.dimensions).unwrap().unwrap();
    let vectors: Vec<Option<Vec<f32>>> =
        texts.iter().map(|text| shipped.get(&Sha256::digest(text).into())).collect();
    let missing = vectors.iter().filter(|vector| vector.is_none()).count();
    assert_eq!(missing, 0, "of {} texts; run `cargo xtask vectors`", texts.len());
    let sample: Vec<String> = texts.iter().step_by(SAMPLE).cloned().collect();
    let expected = model.embed(&sample, Purpose::Passage).await.unwrap();
    for ((text, expected), vector) in
        sample.iter().zip(expected).zip(vectors.iter().step_by(SAMPLE).flatten())
    {
        let cosine: f32 = expected.iter().zip(vector).map(|(a, b)| a * b).sum();
        assert!(cosine > 0.999, "{cosine}: {text}");
    }
}
