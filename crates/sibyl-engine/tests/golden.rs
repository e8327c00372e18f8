//! The models that ship inside give the vectors of their reference implementations.

use serde::Deserialize;
use sibyl_engine::embed::static_table::StaticTable;
use sibyl_engine::embed::transformer::Transformer;
use sibyl_engine::embed::{Embedder, Purpose};
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Golden {
    text: String,
    minilm_f64_reference: Vec<f32>,
    potion_reference: Vec<f32>,
}

fn golden() -> Vec<Golden> {
    serde_json::from_str(include_str!("fixtures/golden.json")).unwrap()
}

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/models").join(name)
}

async fn embed(embedder: &dyn Embedder, texts: &[String]) -> Vec<Vec<f32>> {
    embedder.embed(texts, Purpose::Passage).await.unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[tokio::test]
async fn the_transformer_gives_the_reference_vectors() {
    let transformer = Transformer::open(&model("all-MiniLM-L6-v2-int8")).unwrap();
    let golden = golden();
    let texts: Vec<String> = golden.iter().map(|g| g.text.clone()).collect();
    let together = embed(&transformer, &texts).await;
    for (case, vector) in golden.iter().zip(&together) {
        // The reference is the unmodified model; the weights that ship are rounded to int8 (see its NOTICE).
        let alike = cosine(vector, &case.minilm_f64_reference);
        assert!(alike > 0.999, "{}: {alike}", case.text);
        let alone = &embed(&transformer, std::slice::from_ref(&case.text)).await[0];
        assert!(largest_difference(vector, alone) < 1e-6, "padding must not change {}", case.text);
    }
}

#[tokio::test]
async fn the_table_gives_the_reference_vectors() {
    let table = StaticTable::open(&model("potion-base-8M-int8")).unwrap();
    for case in golden() {
        let vector = &embed(&table, std::slice::from_ref(&case.text)).await[0];
        // The reference is of the weights before they were rounded to int8.
        assert!(cosine(vector, &case.potion_reference) > 0.9999, "{}", case.text);
    }
}
