//! Laws that hold for every query and every library.

use super::shelf::{Shelf, labels, page};
use crate::error::Error;
use crate::search::{Filters, Fusion, Mode, NoticeCause, SearchRequest, fuse};
use proptest::prelude::*;
use serde_json::json;
use sibyl_text::source_type::field;
use std::collections::HashSet;
use std::sync::OnceLock;
use tokio::runtime::Runtime;

const WORDS: [&str; 12] = [
    "climate",
    "risk",
    "board",
    "plan",
    "water",
    "emissions",
    "target",
    "scenario",
    "carbon",
    "credit",
    "governance",
    "metric",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 1..12).prop_map(|words| words.join(" "))
}

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Runtime::new().unwrap())
}

/// Three workspaces' worth of chunks: shared ones, and private ones of two workspaces.
fn shelf() -> &'static (Shelf, [i64; 2]) {
    static SHELF: OnceLock<(Shelf, [i64; 2])> = OnceLock::new();
    SHELF.get_or_init(|| {
        runtime().block_on(async {
            let shelf = Shelf::new();
            let workspaces = [shelf.workspace("one").await, shelf.workspace("two").await];
            let owners = [(None, "shared"), (Some(workspaces[0]), "one"), (Some(workspaces[1]), "two")];
            for (workspace, owner) in owners {
                let pages = (0..40).map(|n| {
                    let words: Vec<&str> =
                        (0..6).map(|m| WORDS[(n * 7 + m * (n + 3)) % WORDS.len()]).collect();
                    let module = format!("module-{}", n % 4);
                    let metadata =
                        json!({"name": format!("{owner} {n}"), "module": module, "tags": [words[0]]});
                    page(&format!("{} {owner}", words.join(" ")), metadata)
                });
                let corpus = format!("corpus {owner}");
                shelf.put(workspace, &corpus, "docs", &format!("{owner}/a.md"), pages.collect()).await;
            }
            (shelf, workspaces)
        })
    })
}

fn mode() -> impl Strategy<Value = Mode> {
    prop::sample::select(vec![Mode::Semantic, Mode::Keyword, Mode::Hybrid])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn natural_language_never_fails(query in "\\PC{1,80}|[\"()*:^+\\-ANDORNOT \u{0}'{}]{1,40}", mode in mode()) {
        let (shelf, workspaces) = shelf();
        let request = SearchRequest { query: query.clone(), mode, ..SearchRequest::default() };
        match runtime().block_on(shelf.retriever.search(workspaces[0], &request, &shelf.providers)) {
            Ok(_) => {}
            Err(Error::Invalid(_)) => prop_assert!(query.trim().is_empty()),
            Err(error) => prop_assert!(false, "{query:?}: {error}"),
        }
    }

    #[test]
    fn structured_queries_run_or_say_where_they_end(query in "[\"()* a-dANDORT]{1,30}") {
        let (shelf, workspaces) = shelf();
        let request =
            SearchRequest { query: query.clone(), mode: Mode::Keyword, structured: true, ..SearchRequest::default() };
        match runtime().block_on(shelf.retriever.search(workspaces[0], &request, &shelf.providers)) {
            Ok(_) | Err(Error::Invalid(_)) => {}
            Err(Error::QuerySyntax { at, .. }) => prop_assert!(at <= query.chars().count()),
            Err(error) => prop_assert!(false, "{query:?}: {error}"),
        }
    }

    #[test]
    fn a_known_word_is_always_found(noise in "\\PC{0,30}", word in prop::sample::select(&WORDS[..])) {
        let (shelf, workspaces) = shelf();
        let query = format!("{word} {noise} and nothing else");
        let request = SearchRequest { query, mode: Mode::Keyword, ..SearchRequest::default() };
        prop_assert!(runtime().block_on(shelf.search(workspaces[0], &request)).total_results > 0);
    }

    #[test]
    fn no_workspace_sees_another(
        query in text(), mode in mode(), module in prop::option::of(0..5_u8), top_k in 1..200_usize, dedupe: bool
    ) {
        let (shelf, workspaces) = shelf();
        let modules = module.map(|n| format!("module-{n}"));
        let filters = Filters::default().with(&field::MODULE, modules);
        let request = SearchRequest { query, mode, filters, top_k, dedupe, ..SearchRequest::default() };
        for (workspace, other) in [(workspaces[0], "two"), (workspaces[1], "one")] {
            let response = runtime().block_on(shelf.search(workspace, &request));
            prop_assert!(response.results.iter().all(|hit| !hit.path.starts_with(other)));
            prop_assert!(response.trace.keyword.iter().chain(&response.trace.semantic)
                .all(|hit| !hit.snippet.ends_with(other) && !hit.label.contains(other)));
            prop_assert_eq!(response.trace.candidates_before, 80);
        }
    }

    #[test]
    fn filters_narrow_and_fill(
        query in text(), mode in mode(), top_k in 1..30_usize,
        module in 0..4_usize, tag in prop::option::of(prop::sample::select(&WORDS[..]))
    ) {
        let (shelf, workspaces) = shelf();
        let modules = [format!("module-{module}")];
        let filters = Filters::default().with(&field::MODULE, modules).with(&field::TAG, tag);
        let request =
            SearchRequest { query, mode, filters: filters.clone(), top_k, dedupe: false, ..SearchRequest::default() };
        let response = runtime().block_on(shelf.search(workspaces[0], &request));
        let scope = runtime().block_on(shelf.store().scope(workspaces[0], filters)).unwrap();
        for hit in &response.results {
            prop_assert_eq!(&hit.metadata["module"], &json!(format!("module-{module}")));
            prop_assert!(tag.is_none_or(|tag| hit.metadata["tags"][0] == tag));
        }
        prop_assert_eq!(response.trace.candidates_after as u64, scope.allowed.len());
        if mode != Mode::Keyword {
            prop_assert_eq!(response.total_results, top_k.min(response.trace.candidates_after));
        }
    }

    #[test]
    fn answers_are_whole_ordered_and_the_same_again(
        query in text(), mode in mode(), top_k in 1..60_usize, rrf_k in 0..100_u32, weight in 0.1_f64..4.0,
        fusion in prop::sample::select(vec![Fusion::Scores, Fusion::Rrf]), semantic_share in 0.0_f64..=1.0
    ) {
        let (shelf, workspaces) = shelf();
        let request = SearchRequest {
            query, mode, top_k, fusion, semantic_share, rrf_k, semantic_weight: weight, ..SearchRequest::default()
        };
        let response = runtime().block_on(shelf.search(workspaces[1], &request));
        prop_assert_eq!(response.total_results, response.results.len());
        for (index, hit) in response.results.iter().enumerate() {
            prop_assert_eq!(hit.rank, index + 1);
            prop_assert_eq!(hit.score.to_bits(), fuse::sum(&hit.contributions).to_bits());
            prop_assert!(hit.relevance.is_none_or(|relevance| (0.0..=1.0).contains(&relevance)));
        }
        for pair in response.results.windows(2) {
            prop_assert!((pair[1].score, &pair[1].chunk_id) <= (pair[0].score, &pair[0].chunk_id));
        }
        let mut seen: HashSet<&str> = response.results.iter().map(|hit| hit.chunk_id.as_str()).collect();
        prop_assert_eq!(seen.len(), response.total_results);
        seen.extend(response.trace.dropped.iter().map(|dropped| dropped.chunk_id.as_str()));
        let listed = response.trace.semantic.iter().chain(&response.trace.keyword);
        prop_assert!(listed.into_iter().all(|hit| seen.contains(hit.chunk_id.as_str())));

        let again = runtime().block_on(shelf.search(workspaces[1], &request));
        prop_assert_eq!(labels(&again), labels(&response));
        prop_assert_eq!(&again.results, &response.results);
        prop_assert_eq!(&again.trace.config_hash, &response.trace.config_hash);
    }

    #[test]
    fn a_ranking_is_the_answer_without_its_texts(
        query in text(), mode in mode(), top_k in 1..60_usize,
        min_relevance in prop::option::of(0.0_f64..1.0), dedupe: bool, rerank: bool
    ) {
        let (shelf, workspaces) = shelf();
        let request = SearchRequest { query, mode, top_k, min_relevance, dedupe, rerank, ..SearchRequest::default() };
        let response = runtime().block_on(shelf.search(workspaces[0], &request));
        let ranking =
            runtime().block_on(shelf.retriever.rank(workspaces[0], &request, &shelf.providers)).unwrap();
        let places: Vec<_> =
            ranking.places.iter().map(|place| (&place.chunk_id, place.relevance, &place.contributions)).collect();
        let hits: Vec<_> =
            response.results.iter().map(|hit| (&hit.chunk_id, hit.relevance, &hit.contributions)).collect();
        prop_assert_eq!(places, hits);
        prop_assert_eq!(ranking.config_hash, response.trace.config_hash);
        // Only a text that is read can be reported to be in another language.
        let notices: Vec<_> =
            response.trace.notices.into_iter().filter(|one| one.cause != NoticeCause::OtherLanguage).collect();
        prop_assert_eq!((ranking.degraded, ranking.notices), (response.trace.degraded, notices));
    }
}

#[test]
fn the_configuration_hash_tells_what_decides() {
    let (shelf, workspaces) = shelf();
    let hash =
        |request: SearchRequest| runtime().block_on(shelf.search(workspaces[0], &request)).trace.config_hash;
    let base = SearchRequest { query: "climate".to_owned(), ..SearchRequest::default() };
    let same = hash(base.clone());
    assert_eq!(same, hash(SearchRequest { query: "water".to_owned(), ..base.clone() }));
    assert_eq!(same, hash(SearchRequest { pinned: vec!["0".to_owned()], ..base.clone() }));
    for other in [
        SearchRequest { rrf_k: 10, ..base.clone() },
        SearchRequest { mode: Mode::Keyword, ..base.clone() },
        SearchRequest { thesaurus: false, ..base.clone() },
        SearchRequest { keyword_weight: 2.0, ..base.clone() },
        SearchRequest { fusion: Fusion::Rrf, ..base.clone() },
        SearchRequest { semantic_share: 0.3, ..base.clone() },
    ] {
        assert_ne!(same, hash(other));
    }
}
