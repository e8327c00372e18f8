//! Words that the best passages of a first ranking add to the query.

use super::shelf::{Shelf, page, paragraph};
use crate::search::{Fusion, Hit, Leg, Mode, SearchRequest, SearchResponse, Term, TermFate};
use serde_json::json;

/// A passage with the query's word, one with only others of its words, and many with neither.
async fn shelf(others: usize) -> (Shelf, i64) {
    let shelf = Shelf::new();
    let workspace = shelf.workspace("default").await;
    let mut pages = vec![
        page("entry: the weir regulates the sluice in floods", json!({"name": "near"})),
        page("entry: a sluice opens in floods, and floods pass the sluice", json!({"name": "far"})),
    ];
    let others = (0..others).map(|n| {
        let word: String = format!("{n:03}").bytes().map(|digit| char::from(b'f' + digit - b'0')).collect();
        page(&format!("entry: {word} {word}"), json!({"name": word}))
    });
    pages.extend(others);
    shelf.put(None, "c", "text", "c.md", pages).await;
    shelf.put(None, "s", "ifrs_s2", "s.md", vec![paragraph("S2.14", "The weir of a plan.")]).await;
    (shelf, workspace)
}

fn ask(query: &str) -> SearchRequest {
    let query = query.to_owned();
    SearchRequest { query, top_k: 100, dedupe: false, thesaurus: false, ..SearchRequest::default() }
}

fn added(response: &SearchResponse) -> Vec<&Term> {
    response.trace.query.terms.iter().filter(|term| term.fate == TermFate::Feedback).collect()
}

fn named<'a>(response: &'a SearchResponse, name: &str) -> &'a Hit {
    response.results.iter().find(|hit| hit.metadata.get("name") == Some(&json!(name))).unwrap()
}

fn by_words(hit: &Hit) -> Option<f64> {
    hit.contributions.iter().find(|part| part.leg == Leg::Keyword).and_then(|part| part.raw)
}

#[tokio::test]
async fn a_passage_without_a_word_of_the_query_is_found_by_words_of_the_best() {
    let (shelf, workspace) = shelf(60).await;
    let with = shelf.search(workspace, &ask("weir")).await;
    let without = shelf.search(workspace, &SearchRequest { feedback: false, ..ask("weir") }).await;
    assert!(added(&without).is_empty());
    assert_eq!(by_words(named(&without, "far")), None);
    let raw = by_words(named(&with, "far")).expect("the keyword leg finds it");
    let leaves: f64 = named(&with, "far").keyword_leaves.iter().map(|leaf| leaf.value).sum();
    assert!((leaves - raw).abs() < 1e-9, "its leaves sum to {leaves}, not {raw}");

    let stems: Vec<&str> = added(&with).iter().map(|term| term.stem.as_str()).collect();
    assert!(stems.contains(&"sluic") && stems.contains(&"flood"), "{stems:?}");
    assert!(!stems.contains(&"entri"), "what every chunk holds tells nothing");
    assert!(!stems.contains(&"weir"), "the query's own word is no added one");
    assert_eq!(named(&with, "far").matched_terms, [""; 0], "they are no words of the query");
    assert!(with.trace.query.match_expression.contains("sluice"), "{}", with.trace.query.match_expression);
    assert_ne!(with.trace.config_hash, without.trace.config_hash);
}

#[tokio::test]
async fn added_words_weigh_a_fifth_of_all() {
    let (shelf, workspace) = shelf(60).await;
    let response = shelf.search(workspace, &ask("weir sluice")).await;
    let all: f64 = response.trace.query.terms.iter().map(|term| term.weight).sum();
    let share = added(&response).iter().map(|term| term.weight).sum::<f64>() / all;
    assert!((share - 0.2).abs() < 1e-9, "{share}");
}

#[tokio::test]
async fn no_word_is_added_where_another_ranking_was_asked_for() {
    let (shelf, workspace) = shelf(60).await;
    let requests = [
        SearchRequest { fusion: Fusion::Rrf, ..ask("weir") },
        SearchRequest { mode: Mode::Keyword, ..ask("weir") },
        SearchRequest { mode: Mode::Semantic, ..ask("weir") },
        SearchRequest { structured: true, ..ask("weir") },
        // It names what it looks for.
        ask("weir in S2.14"),
    ];
    for request in requests {
        let response = shelf.search(workspace, &request).await;
        let stems: Vec<&str> = added(&response).iter().map(|term| term.stem.as_str()).collect();
        assert!(stems.is_empty(), "{request:?}: {stems:?}");
        let off = SearchRequest { feedback: false, ..request };
        assert_eq!(shelf.search(workspace, &off).await.results, response.results);
    }
}

#[tokio::test]
async fn a_few_chunks_tell_nothing_of_words() {
    let (shelf, workspace) = shelf(3).await;
    assert!(added(&shelf.search(workspace, &ask("weir")).await).is_empty());
}
