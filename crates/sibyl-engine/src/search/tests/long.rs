//! Queries that are longer than is searched for.

use super::shelf::{Shelf, labels, page};
use crate::search::{COMPARED, LONGEST_QUERY, Mode, NoticeCause, SearchRequest, SearchResponse, TermFate};
use serde_json::json;

async fn shelf() -> (Shelf, i64) {
    let shelf = Shelf::new();
    let workspace = shelf.workspace("default").await;
    let pages = vec![
        page("the quillwort grows", json!({"name": "plant"})),
        page("zord zord zord", json!({"name": "common"})),
    ];
    shelf.put(None, "c", "text", "a.md", pages).await;
    (shelf, workspace)
}

fn cuts(response: &SearchResponse) -> Vec<&str> {
    let notices = response.trace.notices.iter();
    notices.filter(|n| n.cause == NoticeCause::QueryCut).map(|n| n.message.as_str()).collect()
}

fn asked(query: String, mode: Mode) -> SearchRequest {
    SearchRequest { query, mode, ..SearchRequest::default() }
}

#[tokio::test]
async fn the_rarest_known_word_of_very_many_is_searched_for_wherever_it_stands() {
    let (shelf, workspace) = shelf().await;
    let many: Vec<String> = (0..20_000).map(|n| format!("zord{n}")).collect();
    let query = format!("{} quillwort", many.join(" "));
    for mode in [Mode::Keyword, Mode::Hybrid, Mode::Semantic] {
        let found = shelf.search(workspace, &asked(query.clone(), mode)).await;
        let terms = &found.trace.query.terms;
        assert!(terms.len() <= 300, "{mode:?}: {} terms are listed", terms.len());
        assert!(terms.iter().any(|term| term.text == "quillwort" && term.fate == TermFate::Kept));
        let compared = found.trace.embedded.as_deref().unwrap_or_default().chars().count();
        assert!(compared <= COMPARED && (compared > 0) == (mode != Mode::Keyword), "{mode:?}: {compared}");
        match mode {
            Mode::Keyword => assert_eq!(labels(&found), ["plant"]),
            Mode::Hybrid | Mode::Semantic => {
                let cuts = cuts(&found);
                assert!(cuts.iter().any(|cut| cut.contains(&COMPARED.to_string())), "{cuts:?}");
            }
        }
    }
}

#[tokio::test]
async fn words_phrases_references_and_facts_beyond_what_is_searched_for_are_said_to_be_left_out() {
    let (shelf, workspace) = shelf().await;
    let words: Vec<String> = (0..100).map(|n| format!("quillwort{n} known")).collect();
    shelf
        .put_words(
            None,
            "c",
            "text",
            "b.md",
            words.iter().map(|word| page(word, json!({"name": word}))).collect(),
        )
        .await;
    for (query, left_out) in [
        (words.join(" "), "60 others were left out"),
        ((0..500).map(|n| format!("\"zord {n}\" ")).collect(), "436 others were left out"),
        ((0..900).map(|n| format!("EM-EP-{:03}a.1 ", 100 + n)).collect(), "others were left out"),
        ((0..300).map(|n| format!("{} ", 41_000 + n)).collect(), "200 were left out"),
    ] {
        let found = shelf.search(workspace, &asked(query.clone(), Mode::Keyword)).await;
        let cuts = cuts(&found);
        assert!(cuts.iter().any(|cut| cut.contains(left_out)), "{left_out}: {cuts:?}");
        let unknown = found.trace.notices.iter().filter(|n| n.cause == NoticeCause::UnknownId).count();
        assert!(unknown <= 100, "{unknown} ids are told to be unknown");
    }
    let short = shelf.search(workspace, &asked("quillwort known".to_owned(), Mode::Hybrid)).await;
    assert_eq!(cuts(&short), [""; 0]);
}

#[tokio::test]
async fn signs_without_words_are_read_to_their_end_and_a_longer_text_is_refused_with_the_limit() {
    let (shelf, workspace) = shelf().await;
    for signs in ["(", ")", "“", "„", "«", "\" ", "\"a\" ", "§", "*", "- "] {
        let query = format!("{} quillwort", signs.repeat(50_000 / signs.chars().count()));
        let found = shelf.search(workspace, &asked(query, Mode::Hybrid)).await;
        assert!(!found.results.is_empty(), "{signs}");
    }
    let request = asked("a".repeat(LONGEST_QUERY + 1), Mode::Keyword);
    let refused = shelf.retriever.search(workspace, &request, &shelf.providers).await.unwrap_err();
    assert!(refused.to_string().contains("at most 200000 characters, not 200001"), "{refused}");
}
