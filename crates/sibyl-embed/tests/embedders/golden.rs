//! The shipped models give the vectors of their reference implementations.

use crate::plain;
use serde::Deserialize;
use sibyl_embed::static_table::StaticTable;
use sibyl_embed::transformer::Transformer;
use sibyl_embed::{Embedder, Purpose};
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Golden {
    text: String,
    minilm_ids: Vec<usize>,
    minilm_f64_reference: Vec<f32>,
    potion_reference: Vec<f32>,
}

fn golden() -> Vec<Golden> {
    serde_json::from_str(include_str!("../fixtures/golden.json")).unwrap()
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
    // The reference is the unmodified model; here weights are int8 and activations seven bits.
    let alike: Vec<f64> = embed(&transformer, &texts)
        .await
        .iter()
        .zip(&golden)
        .map(|(vector, case)| cosine(vector, &case.minilm_f64_reference))
        .collect();
    let mean = alike.iter().sum::<f64>() / alike.len() as f64;
    eprintln!("{mean} {alike:?}");
    assert!(mean > 0.995 && alike.iter().all(|&one| one > 0.98), "{mean}: {alike:?}");
}

#[tokio::test]
async fn a_vector_depends_on_its_text_alone() {
    let transformer = Transformer::open(&model("all-MiniLM-L6-v2-int8")).unwrap();
    let mut texts: Vec<String> = golden().into_iter().map(|case| case.text).collect();
    // Long enough for several batches, which end in whatever order.
    texts.push(texts.concat().repeat(2));
    let mut alone = Vec::new();
    for text in &texts {
        alone.extend(embed(&transformer, std::slice::from_ref(text)).await);
    }
    assert_eq!(embed(&transformer, &texts).await, alone);
    texts.reverse();
    alone.reverse();
    assert_eq!(embed(&transformer, &texts).await, alone);
}

#[tokio::test]
async fn the_transformer_computes_what_a_plain_forward_pass_does() {
    let folder = model("all-MiniLM-L6-v2-int8");
    let transformer = Transformer::open(&folder).unwrap();
    let bytes = std::fs::read(folder.join("model.safetensors")).unwrap();
    let (rounding, exact) = (plain::Network::new(&bytes, true), plain::Network::new(&bytes, false));
    // The shortest and the one of many scripts: in f64 and without a library each takes a second or two.
    for case in golden().into_iter().step_by(5) {
        let vector = &embed(&transformer, std::slice::from_ref(&case.text)).await[0];
        let plain = |network: &plain::Network<'_>| -> Vec<f32> {
            network.embed(&case.minilm_ids).into_iter().map(|x| x as f32).collect()
        };
        // A number half-way between two steps may go either way.
        let alike = cosine(vector, &plain(&rounding));
        assert!(alike > 0.9995, "{}: {alike}", case.text);
        // So far from its former space, whose vectors were computed in floats, is this one.
        let alike = cosine(vector, &plain(&exact));
        assert!(alike > 0.99, "{}: {alike}", case.text);
    }
}

#[test]
fn the_former_space_of_the_transformer_is_that_of_earlier_versions() {
    let transformer = Transformer::open(&model("all-MiniLM-L6-v2-int8")).unwrap();
    let former: Vec<String> = transformer.former().iter().map(sibyl_embed::Space::id).collect();
    assert_eq!(former, ["4e9ab628a76d9947"]);
    assert_ne!(transformer.space().id(), former[0]);
}

#[tokio::test]
async fn a_long_text_is_the_mean_of_its_windows_and_dirt_changes_nothing() {
    let transformer = Transformer::open(&model("all-MiniLM-L6-v2-int8")).unwrap();
    // One token a word: windows of 254 words that share 32.
    let words = |range: std::ops::Range<usize>| -> String {
        range.map(|n| ["carbon ", "water ", "board ", "risk "][n * n % 7 % 4]).collect()
    };
    let windows = embed(&transformer, &[words(0..254), words(222..476), words(444..600)]).await;
    let mut mean: Vec<f32> = (0..384).map(|n| windows.iter().map(|w| w[n]).sum()).collect();
    let length = mean.iter().map(|x| x * x).sum::<f32>().sqrt();
    mean.iter_mut().for_each(|x| *x /= length);
    let dirty = words(0..600).replace("carbon", "car\u{2}bo\u{fffe}n");
    for text in [words(0..600), dirty] {
        let vector = &embed(&transformer, &[text]).await[0];
        assert!(largest_difference(vector, &mean) < 1e-6);
    }
}

#[tokio::test]
async fn texts_without_words_and_damaged_models_are_answered() {
    for embedder in sibyl_embed::list::shipped(&model("")).unwrap() {
        let texts = ["".to_owned(), "\u{0}\u{1F600}".to_owned(), "word".to_owned()];
        let vectors = embed(embedder.as_ref(), &texts).await;
        let lengths: Vec<f32> = vectors.iter().map(|v| v.iter().map(|x| x * x).sum::<f32>().sqrt()).collect();
        assert!(lengths.iter().all(|l| (l - 1.0).abs() < 1e-5 || *l == 0.0), "{lengths:?}");
        assert!(vectors.iter().all(|v| v.len() == embedder.space().dimensions));
        assert!(embed(embedder.as_ref(), &[]).await.is_empty());
    }
    let folder = tempfile::tempdir().unwrap();
    for file in ["SHA256SUMS", "model_info.json", "model.safetensors", "tokenizer.json", "config.json"] {
        let source = model("potion-base-8M-int8").join(file);
        std::fs::copy(source, folder.path().join(file)).unwrap();
    }
    let mut bytes = std::fs::read(folder.path().join("model.safetensors")).unwrap();
    bytes[200_000] ^= 1;
    std::fs::write(folder.path().join("model.safetensors"), bytes).unwrap();
    let damaged = StaticTable::open(folder.path()).unwrap();
    let error = damaged.embed(&["word".to_owned()], Purpose::Query).await.unwrap_err();
    assert!(error.to_string().contains("SHA-256"), "{error}");
    assert!(Transformer::open(folder.path()).is_err(), "a table is no transformer");
    assert!(StaticTable::open(&folder.path().join("nothing")).is_err());
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
