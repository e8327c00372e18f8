//! The keyword leg.

use super::shelf::{Shelf, labels, page};
use crate::search::{Mode, SearchRequest};
use serde_json::json;

const TEXTS: [&str; 6] = [
    "scenario analysis of climate resilience",
    "climate climate climate risk",
    "risk management process and the board",
    "transition plan with assumptions about carbon credits and a plan",
    "metric for water withdrawal in regions of high baseline water stress",
    "board board oversight of climate risk and transition plan",
];

async fn shelf() -> (Shelf, i64) {
    let shelf = Shelf::new();
    let workspace = shelf.workspace("default").await;
    let pages = (0..).zip(TEXTS).map(|(n, text)| page(text, json!({"name": format!("t{n}")})));
    shelf.put_words(None, "c", "text", "t.md", pages.collect()).await;
    (shelf, workspace)
}

#[tokio::test]
async fn natural_language_finds_and_structure_decides() {
    let (shelf, workspace) = shelf().await;
    for (query, structured, expected) in [
        ("what is the scenario analysis about?", false, &["t0"][..]),
        ("\"carbon credits\"", false, &["t3"]),
        ("the of and", false, &["t0", "t2", "t3", "t4", "t5"]),
        ("board NOT oversight", true, &["t2"]),
        ("(scenario OR water) AND climat*", true, &["t0"]),
        ("\"transition plan\" board", true, &["t5"]),
        ("nothingness", false, &[]),
    ] {
        let request = SearchRequest {
            query: query.to_owned(),
            mode: Mode::Keyword,
            structured,
            correct_spelling: false,
            thesaurus: false,
            ..SearchRequest::default()
        };
        let mut found = labels(&shelf.search(workspace, &request).await);
        found.sort_unstable();
        if query == "the of and" {
            // Only the rarest of the stop words is asked for.
            assert!(!found.is_empty() && found.iter().all(|label| expected.contains(&label.as_str())));
        } else {
            assert_eq!(found, expected, "{query}");
        }
    }
}

#[tokio::test]
async fn matched_terms_are_the_stems_found() {
    let (shelf, workspace) = shelf().await;
    let request = SearchRequest {
        query: "board \"transition plan\" scenario".to_owned(),
        mode: Mode::Keyword,
        thesaurus: false,
        ..SearchRequest::default()
    };
    let response = shelf.search(workspace, &request).await;
    let best = response.results.iter().find(|hit| hit.metadata["name"] == "t5").unwrap();
    assert_eq!(best.matched_terms, ["board", "transit plan"]);
    let parts: f64 = best.keyword_leaves.iter().map(|leaf| leaf.value).sum();
    assert!((parts - best.score).abs() < 1e-9, "{parts} is not {}", best.score);
}
