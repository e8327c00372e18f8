//! The keyword leg.

use super::shelf::{Shelf, labels, page};
use crate::search::{Mode, SearchRequest, TermFate};
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

#[tokio::test]
async fn a_question_of_many_words_that_are_equally_rare_is_still_asked() {
    let shelf = Shelf::new();
    let workspace = shelf.workspace("default").await;
    let words: Vec<String> = (0..60).map(|n| format!("{}{}bird", letter(n / 26), letter(n % 26))).collect();
    let pages = (0..).zip(&words).map(|(n, word)| page(word, json!({"name": format!("w{n}")})));
    shelf.put_words(None, "c", "text", "w.md", pages.collect()).await;
    let request = SearchRequest {
        query: words.join(" "),
        mode: Mode::Keyword,
        top_k: 100,
        dedupe: false,
        ..SearchRequest::default()
    };
    let found = shelf.search(workspace, &request).await;
    assert_eq!(found.total_results, 40, "as many as the query's own words may take");
    let left_out = found.trace.query.terms.iter().filter(|term| term.fate == TermFate::Beyond);
    assert_eq!(left_out.count(), 20, "and the trace tells of the others");
    let rare = format!("rarity {}", words.join(" "));
    for n in 0..3 {
        let rest = page(&words.join(" "), json!({"name": format!("all{n}")}));
        shelf.put_words(None, "c", "text", &format!("all{n}.md"), vec![rest]).await;
    }
    let one = page("rarity", json!({"name": "rare"}));
    shelf.put_words(None, "c", "text", "rare.md", vec![one]).await;
    let found = shelf.search(workspace, &SearchRequest { query: rare, ..request }).await;
    assert!(labels(&found).contains(&"rare".to_owned()), "the rarest word stays");
}

fn letter(n: u8) -> char {
    char::from(b'a' + n)
}
