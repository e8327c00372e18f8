//! The keyword leg against SQLite's own.

use super::shelf::{Shelf, labels, page};
use crate::search::{Mode, SearchRequest};
use crate::store::keyword::{KeywordQuery, RankedList};
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

/// With FTS5's own weights the scores are those of `bm25()`.
#[tokio::test]
async fn scores_are_those_of_fts5() {
    let (shelf, workspace) = shelf().await;
    let scope = shelf.store().scope(workspace, Default::default()).await.unwrap();
    for words in [&["scenario"][..], &["carbon", "withdrawal"], &["water", "oversight", "scenario"]] {
        let expression = words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" OR ");
        // log((N - n + 0.5) / (n + 0.5)) with one chunk for each word, as sqlite3 computes it in fts5_aux.c.
        let weights = vec![((TEXTS.len() as f64 - 1.0 + 0.5) / 1.5).ln(); words.len()];
        let reference = shelf.store().fts5_bm25(expression.clone()).await.unwrap();
        let query = KeywordQuery { expression, weights, pairs: Vec::new() };
        let list = shelf.store().keyword_ranked(query, &scope, 10).await.unwrap();
        assert_eq!(list.hits.len(), reference.len());
        for hit in &list.hits {
            let (_, score) = reference.iter().find(|(row, _)| *row == hit.row).unwrap();
            assert!((hit.score - score).abs() < 1e-12, "{words:?}: {} and {score}", hit.score);
        }
    }
}

/// Büttcher, Clarke and Lushman's point: of two texts with the same words, the one that has them together is first.
#[tokio::test]
async fn words_that_stand_together_count_extra() {
    const FILLER: &str = "one two three four five six seven eight nine ten eleven";
    let (shelf, workspace) = shelf().await;
    let texts = [
        format!("carbon {FILLER} price"),
        format!("price of carbon {FILLER}"),
        format!("carbon price of {FILLER}"),
        format!("price {FILLER} carbon"),
    ];
    let pages = (0..).zip(&texts).map(|(n, text)| page(text, json!({"name": format!("near{n}")})));
    shelf.put_words(None, "near", "text", "near.md", pages.collect()).await;
    let scope = shelf.store().scope(workspace, Default::default()).await.unwrap();
    let query = |pairs| KeywordQuery {
        expression: r#""carbon" AND "price""#.to_owned(),
        weights: vec![2.0, 1.0],
        pairs,
    };
    let apart = shelf.store().keyword_ranked(query(Vec::new()), &scope, 10).await.unwrap();
    let together = shelf.store().keyword_ranked(query(vec![[0, 1]]), &scope, 10).await.unwrap();
    let score = |list: &RankedList, n: usize| {
        let row = list.hits.iter().map(|hit| hit.row).min().unwrap() + n as i64;
        list.hits.iter().find(|hit| hit.row == row).unwrap().score
    };
    for n in [0, 3] {
        assert_eq!(score(&together, n), score(&apart, n), "text {n} has them apart");
    }
    assert!(score(&together, 1) > score(&apart, 1), "near, in any order");
    // Metzler and Croft's two features, each a BM25 term of its own: two chunks of ten have the words near, one in order.
    let words = |text: &str| text.split(' ').count() as f64;
    let all: Vec<f64> = TEXTS.into_iter().chain(texts.iter().map(String::as_str)).map(words).collect();
    let (average, chunks) = (all.iter().sum::<f64>() / all.len() as f64, all.len() as f64);
    let idf = |frequency: f64| (1.0 + (chunks - frequency + 0.5) / (frequency + 0.5)).ln();
    let once = |n: usize| 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * words(&texts[n]) / average));
    for (n, weight) in [(1, 0.1 * idf(2.0)), (2, 0.1 * idf(2.0) + 0.2 * idf(1.0))] {
        let extra = score(&together, n) - score(&apart, n);
        assert!((extra - weight * once(n)).abs() < 1e-9, "text {n}: {extra}");
    }
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
