//! What a search reads its scope and its words from, and what it leaves behind.

use super::shelf::{Page, Shelf, labels, page};
use crate::requirement::Requirements;
use crate::search::{Filters, Mode, SearchRequest, SearchResponse};
use crate::store::edition::Edition;
use crate::store::table::thesaurus::NewThesaurusEntry;
use serde_json::{Value, json};
use sibyl_text::source_type::field;

fn named(name: &str, mut metadata: Value) -> Page {
    metadata["name"] = json!(name);
    page(&format!("words about {name}"), metadata)
}

#[tokio::test]
async fn every_filter_finds_what_it_names() {
    let shelf = Shelf::new();
    let workspace = shelf.workspace("default").await;
    let ifrs = json!({"standard": "S2", "pillar": "strategy", "section": "Strategy"});
    let sasb = json!({
        "industry_sector": "Oil & Gas", "standard_code": "EM-EP", "disclosure_topic": "Water", "topic_code": "EM-EP-140a"
    });
    let docs =
        json!({"module": "module-1", "chapter": "intro", "content_type": "lab", "tags": ["ros", "sim"]});
    let report = json!({"section_path": ["Fleet", "Fuel"]});
    for (corpus, source_type, path, name, metadata) in [
        ("ifrs", "ifrs_s2", "s2.md", "a", ifrs),
        ("sasb", "sasb", "oil/oil.md", "b", sasb),
        ("book", "docs", "module-1/intro.md", "c", docs),
        ("reports", "report", "acme", "d", report),
    ] {
        shelf.put_words(None, corpus, source_type, path, vec![named(name, metadata)]).await;
    }
    let none = Filters::default;
    let list = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>();
    for (filters, expected) in [
        (none(), &["a", "b", "c", "d"][..]),
        (Filters { source_types: list(&["ifrs_s2", "docs"]), ..none() }, &["a", "c"]),
        (Filters { corpora: list(&["SASB"]), ..none() }, &["b"]),
        (Filters { reports: list(&["acme"]), ..none() }, &["d"]),
        (Filters { report_or_none: Some("acme".to_owned()), ..none() }, &["a", "b", "c", "d"]),
        (Filters { report_or_none: Some("other".to_owned()), ..none() }, &["a", "b", "c"]),
        (none().with(&field::PILLAR, ["Strategy"]), &["a"]),
        (none().with(&field::STANDARD, ["s2"]), &["a"]),
        (none().with(&field::SECTION, ["strategy", "fuel"]), &["a", "d"]),
        (none().with(&field::INDUSTRY, ["em-ep"]), &["b"]),
        (none().with(&field::INDUSTRY, ["oil & gas"]), &["b"]),
        (none().with(&field::TOPIC, ["EM-EP-140a"]), &["b"]),
        (none().with(&field::TOPIC, ["water"]), &["b"]),
        (none().with(&field::TAG, ["sim", "other"]), &["c"]),
        (none().with(&field::MODULE, ["module-1"]), &["c"]),
        (none().with(&field::CHAPTER, ["intro"]), &["c"]),
        (none().with(&field::CONTENT_TYPE, ["lab"]), &["c"]),
        (Filters { paths: list(&["oil/", "module-1/intro.md"]), ..none() }, &["b", "c"]),
        (Filters { paths: list(&["oi"]), ..none() }, &[]),
        (none().with(&field::MODULE, ["module-1"]).with(&field::STANDARD, ["S2"]), &[]),
    ] {
        let request = SearchRequest {
            query: "words about everything".to_owned(),
            mode: Mode::Keyword,
            filters: filters.clone(),
            ..SearchRequest::default()
        };
        let mut found = labels(&shelf.search(workspace, &request).await);
        found.sort_unstable();
        assert_eq!(found, expected, "{filters:?}");
    }
}

/// If none is named, the edition in force is searched; what is no part of IFRS S2 always is.
#[tokio::test]
async fn a_search_looks_at_one_edition_of_s2() {
    let shelf = Shelf::new();
    let workspace = shelf.workspace("default").await;
    let s2 = |id: &str, editions: &[&str]| {
        named(id, json!({"standard": "S2", "paragraph_id": id, "editions": editions}))
    };
    let pages = vec![
        s2("S2.B20", &["2023-06", "2025-12"]),
        s2("S2.B21", &["2023-06"]),
        s2("S2.B21", &["2025-12"]),
        s2("S2.29A", &["2025-12"]),
        // Somebody's own copy, which names no edition.
        named("S2.1", json!({"standard": "S2"})),
    ];
    shelf.put_words(None, "ifrs-s2", "ifrs_s2", "s2.md", pages).await;
    shelf.put_words(None, "reports", "report", "acme", vec![named("acme", json!({}))]).await;
    let shelf = shelf.meaning(|| Edition::Issued);
    let search = async |shelf: &Shelf, query: &str, editions: Vec<Edition>| {
        let filters = Filters::default().with(&field::EDITION, editions.into_iter().map(Edition::code));
        let request = SearchRequest {
            query: query.to_owned(),
            mode: Mode::Keyword,
            dedupe: false,
            filters,
            ..SearchRequest::default()
        };
        let mut found = labels(&shelf.search(workspace, &request).await);
        found.sort_unstable();
        found
    };
    use Edition::{Amended, Issued};
    let (first, second) =
        (["S2.1", "S2.B20", "S2.B21", "acme"], ["S2.1", "S2.29A", "S2.B20", "S2.B21", "acme"]);
    assert_eq!(search(&shelf, "words about", Vec::new()).await, first);
    assert_eq!(search(&shelf, "words about", vec![Issued]).await, first);
    assert_eq!(search(&shelf, "words about", vec![Amended]).await, second);
    let all = search(&shelf, "words about", vec![Issued, Amended]).await;
    assert_eq!(all, ["S2.1", "S2.29A", "S2.B20", "S2.B21", "S2.B21", "acme"]);
    // A paragraph that is named explicitly is found, unless an edition was named that does not have it.
    let outright = search(&shelf, "S2.29A", Vec::new()).await;
    assert!(outright.contains(&"S2.29A".to_owned()), "{outright:?}");
    let named = search(&shelf, "S2.29A", vec![Issued]).await;
    assert!(!named.contains(&"S2.29A".to_owned()), "{named:?}");
    let count = async |id: &str, edition| {
        shelf
            .retriever
            .paragraph(workspace, id, edition, &Requirements::default())
            .await
            .map(|hits| hits.len())
    };
    assert_eq!((count("S2.B21", None).await.unwrap(), count("S2.29A", None).await.unwrap()), (1, 1));
    let refused = count("S2.29A", Some(Issued)).await.unwrap_err().to_string();
    assert!(refused.contains("2023-06") && refused.contains("2025-12"), "{refused}");
    let shelf = shelf.meaning(|| Edition::Amended);
    assert_eq!(search(&shelf, "words about", Vec::new()).await, second);
}

#[tokio::test]
async fn the_thesaurus_is_edited_and_the_edits_stay() {
    let shelf = Shelf::new();
    let workspace = shelf.workspace("default").await;
    let other = shelf.workspace("other").await;
    let pages = || vec![named("zeppelin", json!({})), named("ocean", json!({}))];
    shelf.put_words(Some(workspace), "mine", "text", "a.md", pages()).await;
    let corpus = shelf.store().corpora(workspace).await.unwrap()[0].id;
    let found = async |workspace, query: &str| {
        let request =
            SearchRequest { query: query.to_owned(), mode: Mode::Keyword, ..SearchRequest::default() };
        labels(&shelf.search(workspace, &request).await)
    };
    assert!(found(workspace, "airship").await.is_empty());
    let entry = NewThesaurusEntry {
        corpus_id: Some(corpus),
        term: "airship".to_owned(),
        expansion: "zeppelin".to_owned(),
        weight: 0.5,
    };
    let id = shelf.store().put_thesaurus_entry(workspace, entry.clone()).await.unwrap();
    assert_eq!(found(workspace, "airships").await, ["zeppelin"]);
    // It stays with its corpus, and the corpus with its workspace.
    let refused = shelf.store().put_thesaurus_entry(other, entry.clone()).await.unwrap_err();
    assert_eq!(refused.code(), "not_found");
    assert_eq!(shelf.store().delete_thesaurus_entry(other, id).await.unwrap_err().code(), "not_found");
    assert!(shelf.store().thesaurus(other).await.unwrap().iter().all(|entry| entry.id != id));
    // The same version of the shipped entries changes nothing, a newer one leaves the user's own alone.
    assert!(!shelf.store().ship_thesaurus(1, Vec::new()).await.unwrap());
    assert!(shelf.store().ship_thesaurus(1_000_000, Vec::new()).await.unwrap());
    let left = shelf.store().thesaurus(workspace).await.unwrap();
    assert_eq!(left.iter().map(|entry| entry.id).collect::<Vec<_>>(), [id]);
    shelf.store().delete_thesaurus_entry(workspace, id).await.unwrap();
    assert!(found(workspace, "airship").await.is_empty());
    for (term, expansion, weight) in [("", "b", 0.5), ("a", "A", 0.5), ("a", "b", 0.0), ("a", "b", 1.5)] {
        let bad = NewThesaurusEntry {
            corpus_id: None,
            term: term.to_owned(),
            expansion: expansion.to_owned(),
            weight,
        };
        assert_eq!(shelf.store().put_thesaurus_entry(workspace, bad).await.unwrap_err().code(), "invalid");
    }
}

#[tokio::test]
async fn searches_are_kept_for_their_workspace() {
    let shelf = Shelf::new();
    let (one, two) = (shelf.workspace("one").await, shelf.workspace("two").await);
    shelf.put(None, "c", "text", "a.md", vec![named("ocean", json!({}))]).await;
    let request = SearchRequest { query: "ocean".to_owned(), ..SearchRequest::default() };
    let response = shelf.search(one, &request).await;
    let first = shelf.store().record_run(one, &request, &response, "0").await.unwrap();
    let second = shelf.store().record_run(one, &request, &response, "0").await.unwrap();
    let runs = shelf.store().runs::<SearchRequest>(one, 10).await.unwrap();
    assert_eq!(runs.iter().map(|run| run.id).collect::<Vec<_>>(), [second, first]);
    assert_eq!((runs[0].results, &runs[0].request), (1, &request));
    assert_eq!(shelf.store().run(one, first).await.unwrap(), (request, response));
    assert!(shelf.store().runs::<SearchRequest>(two, 10).await.unwrap().is_empty());
    assert_eq!(
        shelf.store().run::<SearchRequest, SearchResponse>(two, first).await.unwrap_err().code(),
        "not_found"
    );
    assert_eq!(
        (shelf.store().clear_runs(two).await.unwrap(), shelf.store().clear_runs(one).await.unwrap()),
        (0, 2)
    );
}
