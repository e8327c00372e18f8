//! Chunks like a stored chunk.

use super::shelf::{Bag, Shelf, page};
use crate::embed::Tier;
use crate::search::NearestChunks;
use crate::store::table::chunk::chunk_id;
use serde_json::json;
use std::sync::Arc;

const TEXTS: [&str; 4] = [
    "climate risk and the transition plan",
    "the transition plan and climate resilience",
    "water withdrawal",
    "the board oversees water risk",
];

/// Shared texts, and one of each workspace beside them; no vectors yet.
async fn shelf() -> (Shelf, i64, i64) {
    let shelf = Shelf::new();
    let (east, west) = (shelf.workspace("east").await, shelf.workspace("west").await);
    let pages = TEXTS.iter().map(|text| page(text, json!({})));
    shelf.put_words(None, "shared", "text", "t.md", pages.collect()).await;
    for workspace in [east, west] {
        let own = page("climate risk and the transition plan of ours", json!({}));
        shelf.put_words(Some(workspace), "own", "text", "own.md", vec![own]).await;
    }
    (shelf, east, west)
}

fn shared(ordinal: usize) -> String {
    chunk_id(None, "shared", "t.md", ordinal)
}

async fn near(shelf: &Shelf, workspace: i64, chunk: &str, limit: usize) -> NearestChunks {
    let embedders = &shelf.providers.embedders;
    shelf.retriever.neighbours(workspace, chunk, limit, embedders).await.unwrap()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    product(a, b) / (product(a, a) * product(b, b)).sqrt()
}

#[tokio::test]
async fn neighbours_come_by_cosine_within_the_workspace_and_never_itself() {
    let (shelf, east, west) = shelf().await;
    shelf.embed().await;
    let space = shelf.providers.embedders[0].space().id();
    for workspace in [east, west] {
        for ordinal in 0..TEXTS.len() {
            let id = shared(ordinal);
            let found = near(&shelf, workspace, &id, 100).await;
            assert_eq!(found.space.as_ref(), Some(shelf.providers.embedders[0].space()));
            // Every other chunk that the workspace sees, and nothing else.
            assert_eq!(found.chunks.len(), TEXTS.len());
            assert!(found.chunks.iter().all(|(chunk, _)| chunk.chunk_id != id));
            assert!(found.chunks.windows(2).all(|pair| pair[0].1 >= pair[1].1));
            let me = shelf.store().chunk(workspace, &id).await.unwrap().unwrap().id;
            let rows = found.chunks.iter().map(|(chunk, _)| chunk.id).chain([me]).collect();
            let vectors = shelf.store().vectors_of(&space, rows).await.unwrap();
            for (chunk, similarity) in &found.chunks {
                let cosine = dot(&vectors[&me], &vectors[&chunk.id]);
                assert!((cosine - similarity).abs() < 1e-5, "{cosine} and {similarity}");
            }
        }
    }
    let first = near(&shelf, east, &shared(0), 1).await.chunks;
    assert_eq!((first.len(), first[0].0.path.as_str()), (1, "own.md"));
}

#[tokio::test]
async fn a_private_chunk_of_another_workspace_does_not_exist() {
    let (shelf, east, west) = shelf().await;
    shelf.embed().await;
    let own = chunk_id(Some("east"), "own", "own.md", 0);
    assert_eq!(near(&shelf, east, &own, 10).await.chunks.len(), TEXTS.len());
    let embedders = &shelf.providers.embedders;
    let refused = shelf.retriever.neighbours(west, &own, 10, embedders).await.unwrap_err();
    assert_eq!(refused.code(), "not_found");
}

#[tokio::test]
async fn the_best_tier_with_a_vector_answers_and_none_is_no_error() {
    let (mut shelf, east, _) = shelf().await;
    let bare = near(&shelf, east, &shared(0), 10).await;
    assert_eq!(bare, NearestChunks { space: None, chunks: Vec::new() });
    shelf.embed().await;
    // A better model comes into use before it has made any vector.
    shelf.providers.embedders.push(Arc::new(Bag::new(Tier::Embedded)));
    let tier = |found: NearestChunks| found.space.map(|space| space.tier);
    assert_eq!(tier(near(&shelf, east, &shared(0), 10).await), Some(Tier::Instant));
    shelf.embed().await;
    assert_eq!(tier(near(&shelf, east, &shared(0), 10).await), Some(Tier::Embedded));
    for limit in [0, 101] {
        let embedders = &shelf.providers.embedders;
        let refused = shelf.retriever.neighbours(east, &shared(0), limit, embedders).await.unwrap_err();
        assert_eq!(refused.code(), "out_of_range");
    }
}

#[tokio::test]
async fn a_text_that_is_not_stored_has_neighbours_and_no_provider_reads_it() {
    let (mut shelf, east, west) = shelf().await;
    let of_text = async |shelf: &Shelf, workspace: i64, text: &str| {
        let embedders = &shelf.providers.embedders;
        shelf.retriever.neighbours_of_text(workspace, text, 3, embedders).await.unwrap()
    };
    assert_eq!(of_text(&shelf, east, TEXTS[2]).await, NearestChunks { space: None, chunks: Vec::new() });
    shelf.providers.embedders.push(Arc::new(Bag::new(Tier::Remote)));
    shelf.embed().await;
    for (workspace, text) in [(east, TEXTS[2]), (west, TEXTS[1])] {
        let found = of_text(&shelf, workspace, text).await;
        assert_eq!(found.space.map(|space| space.tier), Some(Tier::Instant));
        assert_eq!(found.chunks.len(), 3);
        assert!(found.chunks[0].0.text.contains(text) && found.chunks[0].1 > 0.999, "{:?}", found.chunks[0]);
    }
    let ours = of_text(&shelf, west, "climate risk and the transition plan of ours").await;
    let private: Vec<_> = ours.chunks.iter().filter(|(chunk, _)| chunk.path == "own.md").collect();
    assert_eq!(private.len(), 1, "the one of the other workspace is not seen");
    assert_eq!(of_text(&shelf, east, "").await, NearestChunks { space: None, chunks: Vec::new() });
}
