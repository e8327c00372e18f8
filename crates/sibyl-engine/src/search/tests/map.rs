//! Chunks on a map by meaning.

use super::shelf::{Bag, Shelf, page};
use crate::embed::Tier;
use crate::search::{EmbeddingMap, MapRequest};
use crate::store::table::chunk::chunk_id;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;

const TEXTS: [&str; 5] = [
    "climate risk and the transition plan",
    "the transition plan and climate resilience",
    "water withdrawal",
    "the board oversees water risk",
    "water withdrawal in dry regions",
];

/// Shared texts, and one of workspace east beside them, with vectors.
async fn shelf() -> (Shelf, i64, i64) {
    let shelf = Shelf::new();
    let (east, west) = (shelf.workspace("east").await, shelf.workspace("west").await);
    let pages = TEXTS.iter().map(|text| page(text, json!({})));
    shelf.put_words(None, "shared", "text", "t.md", pages.collect()).await;
    let own = page("climate risk and the transition plan of ours", json!({"pillar": "strategy"}));
    shelf.put_words(Some(east), "own", "report", "own.md", vec![own]).await;
    shelf.embed().await;
    (shelf, east, west)
}

async fn map(shelf: &Shelf, workspace: i64, request: MapRequest) -> EmbeddingMap {
    shelf.retriever.map(workspace, &request, &shelf.providers).await.unwrap()
}

fn ids(map: &EmbeddingMap) -> BTreeSet<&str> {
    map.points.iter().map(|point| point.chunk_id.as_str()).collect()
}

#[tokio::test]
async fn a_map_shows_what_the_workspace_sees_and_nothing_else() {
    let (shelf, east, west) = shelf().await;
    let own = chunk_id(Some("east"), "own", "own.md", 0);
    let (mine, theirs) =
        (map(&shelf, east, MapRequest::default()).await, map(&shelf, west, MapRequest::default()).await);
    assert_eq!((mine.points.len(), mine.total), (TEXTS.len() + 1, TEXTS.len() as u64 + 1));
    assert_eq!((theirs.points.len(), theirs.total), (TEXTS.len(), TEXTS.len() as u64));
    assert!(ids(&mine).contains(own.as_str()));
    let asked = MapRequest { include: vec![own.clone()], ..MapRequest::default() };
    assert!(!ids(&map(&shelf, west, asked).await).contains(own.as_str()));
    let point = mine.points.iter().find(|point| point.chunk_id == own).unwrap();
    assert_eq!(point.group, "strategy");
    assert!(theirs.points.iter().all(|point| point.group == "text"));
}

#[tokio::test]
async fn places_fill_the_map_and_keep_no_more_variance_than_there_is() {
    let (shelf, east, _) = shelf().await;
    let map = map(&shelf, east, MapRequest::default()).await;
    let farthest = map.points.iter().map(|point| point.x.abs().max(point.y.abs())).fold(0.0, f64::max);
    assert!((farthest - 1.0).abs() < 1e-9);
    let (first, second) = map.variance;
    assert!(first >= second && second > 0.0 && first + second <= 1.0 + 1e-9, "{first} {second}");
}

#[tokio::test]
async fn the_nearest_to_the_query_are_those_of_a_search_and_are_shown() {
    let (shelf, east, _) = shelf().await;
    let request =
        MapRequest { query: Some("water withdrawal".to_owned()), sample: 0, ..MapRequest::default() };
    let map = map(&shelf, east, request).await;
    assert_eq!(map.nearest.first(), Some(&chunk_id(None, "shared", "t.md", 2)));
    assert_eq!(ids(&map), map.nearest.iter().map(String::as_str).collect());
    assert!(map.query.is_some_and(|place| place.x.abs() <= 1.0 && place.y.abs() <= 1.0));
}

#[tokio::test]
async fn a_document_alone_and_a_small_sample_with_what_must_be_there() {
    let (shelf, east, west) = shelf().await;
    let own = chunk_id(Some("east"), "own", "own.md", 0);
    let row = shelf.store().chunk(east, &own).await.unwrap().unwrap().document_id;
    let alone = MapRequest { document_id: Some(row), ..MapRequest::default() };
    let shown = map(&shelf, east, alone.clone()).await;
    assert_eq!((ids(&shown), shown.total), (BTreeSet::from([own.as_str()]), 1));
    let refused = shelf.retriever.map(west, &alone, &shelf.providers).await.unwrap_err();
    assert_eq!(refused.code(), "not_found");
    let few = MapRequest { sample: 2, include: vec![own.clone()], ..MapRequest::default() };
    let shown = map(&shelf, east, few).await;
    assert!(shown.points.len() <= 3 && ids(&shown).contains(own.as_str()));
}

#[tokio::test]
async fn a_sample_is_of_chunks_with_vectors_only() {
    let (shelf, east, _) = shelf().await;
    let waiting = (0..60).map(|n| page(&format!("water of well {n}"), json!({})));
    shelf.put_words(None, "waiting", "text", "w.md", waiting.collect()).await;
    let few = MapRequest { sample: 3, ..MapRequest::default() };
    let shown = map(&shelf, east, few).await;
    assert_eq!((shown.points.len(), shown.total), (3, TEXTS.len() as u64 + 1));
}

#[tokio::test]
async fn a_provider_is_never_asked_for_a_map() {
    let (mut shelf, east, _) = shelf().await;
    shelf.providers.embedders = vec![Arc::new(Bag::new(Tier::Remote))];
    shelf.embed().await;
    let request = MapRequest { query: Some("water".to_owned()), ..MapRequest::default() };
    let shown = map(&shelf, east, request).await;
    assert_eq!(shown.points.len(), TEXTS.len() + 1);
    assert_eq!((shown.query, shown.nearest.len()), (None, 0));
}

#[tokio::test]
async fn too_large_a_sample_is_refused_and_no_vectors_give_an_empty_map() {
    let shelf = Shelf::new();
    let workspace = shelf.workspace("east").await;
    let request = MapRequest { sample: 10_001, ..MapRequest::default() };
    assert_eq!(
        shelf.retriever.map(workspace, &request, &shelf.providers).await.unwrap_err().code(),
        "out_of_range"
    );
    assert_eq!(map(&shelf, workspace, MapRequest::default()).await, EmbeddingMap::default());
}
