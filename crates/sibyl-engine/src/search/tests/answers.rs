//! What searches answer, case by case.

use super::shelf::{Bag, Page, Shelf, Shortest, labels, page, paragraph};
use crate::embed::Tier;
use crate::error::Error;
use crate::requirement::Requirements;
use crate::search::{
    DropCause, DropStage, Fate, Filters, Leg, LookupRequest, Mode, NoticeCause, SearchRequest, SearchStage,
    TermFate, WhyNot, fuse,
};
use serde_json::json;
use sibyl_text::source_type::field;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::Arc;

async fn standards() -> (Shelf, i64) {
    let shelf = Shelf::new();
    let workspace = shelf.workspace("default").await;
    let mut pages = vec![
        paragraph(
            "S2.14(a)",
            "Information about how the entity has responded, including its transition plan.",
        ),
        paragraph("S2.14(a)(iv)", "Key assumptions of the transition plan and what the plan depends on."),
        paragraph("S2.29(a)(i)(3)", "Scope 3 greenhouse gas emissions of the value chain, by category."),
        paragraph("S2.22", "Climate resilience is assessed with scenario analysis."),
        paragraph("S2.36(e)", "Planned use of carbon credits to offset emissions in reaching a target."),
        paragraph("S1.27(a)", "The governance body and its oversight of sustainability-related risks."),
    ];
    pages[1].parent = Some(0);
    shelf.put(None, "ifrs", "ifrs_s2", "s2.md", pages).await;
    let range =
        (34..=40).map(|n| paragraph(&format!("S1.{n}"), "Anticipated and current financial effects."));
    shelf.put(None, "ifrs_s1", "ifrs_s1", "s1.md", range.rev().collect()).await;
    (shelf, workspace)
}

fn request(query: &str, mode: Mode) -> SearchRequest {
    SearchRequest { query: query.to_owned(), mode, ..SearchRequest::default() }
}

#[tokio::test]
async fn references_lead_as_a_leaf_of_the_sum() {
    let (shelf, workspace) = standards().await;
    for mode in [Mode::Hybrid, Mode::Keyword] {
        for query in ["S2.14(a)(iv)", "what does S2 14 a iv say about emissions of the value chain"] {
            let response = shelf.search(workspace, &request(query, mode)).await;
            assert_eq!(labels(&response)[0], "S2.14(a)(iv)", "{query} {mode:?}");
            let best = &response.results[0];
            assert_eq!(best.contributions[0].leg, Leg::Reference);
            assert_eq!(best.contributions[0].label, "S2.14(a)(iv)");
            assert_eq!(best.score.to_bits(), fuse::sum(&best.contributions).to_bits());
            let named = |hit: &&crate::search::Hit| hit.contributions[0].leg == Leg::Reference;
            assert_eq!(response.results.iter().filter(named).count(), 1, "the exact id and nothing else");
        }
        let response = shelf.search(workspace, &request("34 to 40 of S1", mode)).await;
        let expected: Vec<String> = (34..=40).map(|n| format!("S1.{n}")).collect();
        assert_eq!(labels(&response)[..7], expected, "{mode:?}");
    }
    let response = shelf.search(workspace, &request("S2.45", Mode::Hybrid)).await;
    assert!(response.trace.notices.iter().any(|notice| notice.message.contains("no chunk has the id S2.45")));
}

#[tokio::test]
async fn unknown_words_are_corrected_and_expanded_and_both_can_be_switched_off() {
    let (shelf, workspace) = standards().await;
    let response = shelf.search(workspace, &request("scenerio anaylsis", Mode::Keyword)).await;
    assert_eq!(labels(&response)[0], "S2.22");
    let fates: Vec<&TermFate> = response.trace.query.terms.iter().map(|term| &term.fate).collect();
    assert_eq!(fates[0], &TermFate::Corrected { to: vec!["scenario".to_owned()] });
    assert_eq!(response.trace.query.match_expression, "\"scenario\" OR \"analysis\"");
    let exact = SearchRequest { correct_spelling: false, ..request("scenerio", Mode::Keyword) };
    assert_eq!(shelf.search(workspace, &exact).await.total_results, 0);

    let response = shelf.search(workspace, &request("GHG", Mode::Keyword)).await;
    assert_eq!(labels(&response), ["S2.29(a)(i)(3)"]);
    assert!(response.trace.query.terms.iter().any(|term| {
        term.fate == TermFate::Expansion { of: "GHG".to_owned() }
            && term.text == "greenhouse gas"
            && term.weight < 1.0
    }));
    let plain = SearchRequest { thesaurus: false, ..request("GHG", Mode::Keyword) };
    assert_eq!(shelf.search(workspace, &plain).await.total_results, 0);
}

#[tokio::test]
async fn filters_hold_before_ranking() {
    let (shelf, workspace) = standards().await;
    let many =
        (0..300).map(|n| page(&format!("financial effects number {n}"), json!({"name": format!("r{n}")})));
    shelf.put(None, "reports", "report", "acme", many.collect()).await;
    for mode in [Mode::Semantic, Mode::Keyword, Mode::Hybrid] {
        let filters = Filters::default().with(&field::STANDARD, ["s1"]);
        let narrow = SearchRequest { filters, top_k: 5, ..request("financial effects number", mode) };
        let response = shelf.search(workspace, &narrow).await;
        assert_eq!(response.total_results, 5, "{mode:?}");
        assert!(labels(&response).iter().all(|label| label.starts_with("S1.")), "{mode:?}");
        assert_eq!((response.trace.candidates_before, response.trace.candidates_after), (313, 8));
    }
    let filters = Filters::default().with(&field::PILLAR, ["strategies"]);
    let response = shelf.search(workspace, &SearchRequest { filters, ..request("plan", Mode::Hybrid) }).await;
    assert_eq!(response.total_results, 0);
    assert!(
        response.trace.notices[0].message.contains("pillar `strategies`"),
        "{:?}",
        response.trace.notices
    );
}

#[tokio::test]
async fn what_cannot_be_embedded_degrades_or_fails() {
    let (mut shelf, workspace) = standards().await;
    shelf.providers.embedders = vec![Arc::new(Bag::failing(Tier::Instant))];
    let semantic = shelf
        .retriever
        .search(workspace, &request("transition plan", Mode::Semantic), &shelf.providers)
        .await;
    assert!(matches!(semantic, Err(Error::Embedding(_))), "{semantic:?}");
    let hybrid = shelf.search(workspace, &request("transition plan", Mode::Hybrid)).await;
    assert!(hybrid.trace.degraded && hybrid.total_results > 0);
    assert!(hybrid.trace.notices.iter().any(|notice| notice.message.contains("no API key")));
    assert!(hybrid.results.iter().all(|hit| hit.contributions.iter().all(|leaf| leaf.leg == Leg::Keyword)));

    shelf.providers.embedders = Vec::new();
    let hybrid = shelf.search(workspace, &request("transition plan", Mode::Hybrid)).await;
    assert!(hybrid.trace.degraded && hybrid.total_results > 0);
}

#[tokio::test]
async fn the_best_tier_that_covers_the_scope_answers() {
    let (mut shelf, workspace) = standards().await;
    shelf.providers.embedders = vec![Arc::new(Bag::new(Tier::Instant)), Arc::new(Bag::new(Tier::Embedded))];
    let tier = |response: crate::search::SearchResponse| response.trace.tier;
    assert_eq!(tier(shelf.search(workspace, &request("plan", Mode::Hybrid)).await), Some(Tier::Instant));
    shelf.embed().await;
    assert_eq!(tier(shelf.search(workspace, &request("plan", Mode::Hybrid)).await), Some(Tier::Embedded));
    let pages = vec![page("a plan that has no vector", json!({"name": "new"}))];
    shelf.put_words(None, "new", "text", "new.md", pages).await;
    let response = shelf.search(workspace, &request("plan", Mode::Hybrid)).await;
    assert_eq!(response.trace.tier, Some(Tier::Embedded));
    assert!(response.trace.notices.iter().any(|notice| notice.message.contains("13 of 14 chunks")));
}

#[tokio::test]
async fn near_duplicates_go_but_never_another_paragraph() {
    let (shelf, workspace) = standards().await;
    let text = "Boilers and furnaces are the sources of direct emissions at every site of the group";
    let copies =
        (0..3).map(|n| page(&format!("{text}{}", " ".repeat(n)), json!({"name": format!("copy{n}")})));
    shelf.put(None, "reports", "report", "acme", copies.collect()).await;
    let twins = vec![paragraph("S2.90", text), paragraph("S2.91", text)];
    shelf.put(None, "more", "ifrs_s2", "more.md", twins).await;
    let response = shelf.search(workspace, &request("boilers and furnaces", Mode::Hybrid)).await;
    let found = labels(&response);
    assert_eq!(found.iter().filter(|label| label.starts_with("copy")).count(), 1, "{found:?}");
    assert!(found.contains(&"S2.90".to_owned()) && found.contains(&"S2.91".to_owned()), "{found:?}");
    let dropped = response.trace.dropped.iter().filter(|dropped| dropped.stage == DropStage::Dedupe).count();
    assert_eq!(dropped, 2);
    let all = SearchRequest { dedupe: false, ..request("boilers and furnaces", Mode::Hybrid) };
    let found = labels(&shelf.search(workspace, &all).await);
    assert_eq!(found.iter().filter(|label| label.starts_with("copy")).count(), 3);
}

#[tokio::test]
async fn reranking_moves_or_says_why_not() {
    let (mut shelf, workspace) = standards().await;
    let wanted = SearchRequest { rerank: true, ..request("S2.22 transition plan emissions", Mode::Hybrid) };
    shelf.providers.reranker = Some(Arc::new(Shortest { fails: false, remote: false }));
    let response = shelf.search(workspace, &wanted).await;
    assert_eq!(labels(&response)[0], "S2.22", "the reference stays first");
    let scores: Vec<f64> = response.results[1..].iter().filter_map(|hit| hit.rerank_score).collect();
    assert!(scores.len() == response.total_results - 1 && scores.is_sorted_by(|a, b| a >= b));
    assert!(response.results.iter().all(|hit| hit.fused_rank.is_some() && hit.relevance == hit.rerank_score));

    let fused = labels(&shelf.search(workspace, &SearchRequest { rerank: false, ..wanted.clone() }).await);
    for reranker in [
        Some(Arc::new(Shortest { fails: true, remote: false }) as _),
        Some(Arc::new(Shortest { fails: false, remote: true }) as _),
        None,
    ] {
        shelf.providers.reranker = reranker;
        let response = shelf.search(workspace, &wanted).await;
        assert_eq!(labels(&response), fused);
        assert!(response.trace.notices.iter().any(|notice| notice.message.contains("not reranked")));
        assert!(response.trace.degraded);
        assert!(response.results.iter().all(|hit| hit.rerank_score.is_none()));
    }
}

#[tokio::test]
async fn the_reranker_gets_as_many_hits_as_are_set() {
    let (mut shelf, workspace) = standards().await;
    shelf.providers.reranker = Some(Arc::new(Shortest { fails: false, remote: false }));
    let wanted =
        SearchRequest { rerank: true, top_k: 1, dedupe: false, ..request("transition plan", Mode::Semantic) };
    let all = SearchRequest { top_k: 50, rerank: false, ..wanted.clone() };
    let all = shelf.search(workspace, &all).await.total_results;
    assert!(all > 4, "{all}");
    let mut hashes = HashSet::new();
    for (top, top_k, expected) in [
        (None, 1, 4),
        (NonZeroUsize::new(2), 1, 2),
        (NonZeroUsize::new(2), 3, 3),
        (NonZeroUsize::new(900), 1, all),
    ] {
        shelf.providers.rerank_top = top;
        let response = shelf.search(workspace, &SearchRequest { top_k, ..wanted.clone() }).await;
        let stage = response.trace.timings.iter().find(|stage| stage.stage == SearchStage::Rerank).unwrap();
        assert_eq!((stage.items_in, response.total_results), (expected, top_k), "{top:?} {top_k}");
        hashes.insert(response.trace.config_hash);
    }
    assert_eq!(hashes.len(), 4, "what is set decides the result");
}

#[tokio::test]
async fn weak_hits_go_where_a_least_relevance_is_asked_for() {
    let (shelf, workspace) = standards().await;
    let all = shelf.search(workspace, &request("S1.34 transition plan", Mode::Hybrid)).await;
    let mut relevances: Vec<f64> = all.results.iter().filter_map(|hit| hit.relevance).collect();
    relevances.sort_by(f64::total_cmp);
    let least = relevances[relevances.len() / 2];
    let strict =
        SearchRequest { min_relevance: Some(least), ..request("S1.34 transition plan", Mode::Hybrid) };
    let response = shelf.search(workspace, &strict).await;
    assert_eq!(labels(&response)[0], "S1.34", "what the query names stays");
    assert!(response.results[1..].iter().all(|hit| hit.relevance.unwrap() >= least));
    assert!(response.total_results < all.total_results);
    assert!(response.trace.dropped.iter().any(|dropped| dropped.stage == DropStage::MinRelevance));
}

#[tokio::test]
async fn pinned_chunks_learn_their_fate() {
    let (shelf, workspace) = standards().await;
    let deep = SearchRequest { top_k: 50, ..request("transition plan", Mode::Hybrid) };
    let all = shelf.search(workspace, &deep).await;
    let id = |label: &str| {
        let index = labels(&all).iter().position(|found| found == label).unwrap();
        all.results[index].chunk_id.clone()
    };
    let asked = SearchRequest {
        top_k: 2,
        filters: Filters { source_types: vec!["ifrs_s2".to_owned()], ..Filters::default() },
        pinned: vec![id("S2.14(a)"), id("S2.22"), id("S1.34"), "0000000000000000".to_owned()],
        ..request("transition plan", Mode::Hybrid)
    };
    let response = shelf.search(workspace, &asked).await;
    let fates = &response.trace.pinned;
    assert!(fates[0].final_rank.is_some_and(|rank| fates[0].fate == Fate::InAnswer { rank }));
    assert!(
        fates[1].semantic_rank.is_some() && fates[1].keyword_rank.is_none() && fates[1].final_rank.is_none()
    );
    assert!(fates[1].stage == Some(DropStage::TopK), "{}", fates[1].verdict);
    let beyond = |rank| Fate::LeftOut { cause: DropCause::BeyondLimit { rank, limit: 2 } };
    assert!(fates[1].fused_rank.is_some_and(|rank| fates[1].fate == beyond(rank)), "{:?}", fates[1]);
    assert_eq!(fates[2].fate, Fate::OutsideFilters);
    assert_eq!(fates[3].fate, Fate::NoSuchChunk);
    assert_eq!(
        [&fates[2].verdict, &fates[3].verdict],
        ["The filters exclude it.", "This workspace has no such chunk."]
    );
}

#[test]
fn a_fate_of_a_former_run_is_read() {
    let read: WhyNot = serde_json::from_value(json!({
        "chunk_id": "0000000000000000", "semantic_rank": null, "similarity": null, "keyword_rank": null, "bm25": null,
        "fused_rank": null, "final_rank": null, "verdict": "the filters exclude it",
    }))
    .unwrap();
    assert_eq!((read.fate, read.verdict.as_str()), (Fate::Unrecorded, "the filters exclude it"));
}

#[tokio::test]
async fn a_first_line_in_brackets_that_the_document_holds_is_no_header() {
    let shelf = Shelf::new();
    let workspace = shelf.workspace("default").await;
    let with = page("[Report > Fleet]\n\nZeppelins in service.", json!({}));
    let without = page("[Table 3]\n| zeppelins | 7 |", json!({}));
    shelf.put(None, "reports", "report", "acme", vec![with, without]).await;
    let response = shelf.search(workspace, &request("zeppelins", Mode::Keyword)).await;
    let mut headers: Vec<_> = response.results.into_iter().map(|hit| (hit.header, hit.passage)).collect();
    headers.sort();
    assert_eq!(
        headers,
        [
            (None, "[Table 3]\n| zeppelins | 7 |".to_owned()),
            (Some("Report > Fleet".to_owned()), "Zeppelins in service.".to_owned()),
        ]
    );
}

#[tokio::test]
async fn lookups_have_the_layout_of_the_document() {
    let (shelf, workspace) = standards().await;
    let topic = json!({
        "industry_sector": "Oil & Gas", "disclosure_topic": "GHG Emissions", "topic_code": "EM-EP-110a",
        "metric_codes": ["EM-EP-110a.1", "EM-EP-110a.2"], "standard_code": "EM-EP",
    });
    let sasb = page("[SASB > Oil & Gas > GHG Emissions]\n\nGross flaring volumes.", topic);
    shelf.put(None, "sasb", "sasb", "oil.md", vec![sasb]).await;
    let section =
        Page { ..page("[Report > Fleet]\n\nWe bought zeppelins.", json!({"section_path": ["Fleet"]})) };
    shelf.put(None, "reports", "report", "acme", vec![section]).await;

    let by_id = LookupRequest {
        paragraph_id: Some("S2 14 a iv".to_owned()),
        query: "ignored".to_owned(),
        source_types: Some(vec!["sasb".to_owned()]),
        ..LookupRequest::default()
    };
    let text = shelf
        .retriever
        .lookup(workspace, &by_id, SearchRequest::default(), &shelf.providers, &Requirements::default())
        .await
        .unwrap()
        .text;
    assert_eq!(
        text,
        "--- Result 1 (source: ifrs_s2, score: 1.00) ---\n\
         [Paragraph: S2.14(a)(iv) | Pillar: Strategy | Section: Strategy]\n\n\
         Key assumptions of the transition plan and what the plan depends on.\n\n\
         --- No more results ---"
    );
    for (query, line) in [
        (
            "flaring volumes",
            "[Industry: Oil & Gas | Topic: GHG Emissions | Metrics: EM-EP-110a.1, EM-EP-110a.2]",
        ),
        ("zeppelins", "[Report: Title of acme | Section: Fleet]"),
    ] {
        let request = LookupRequest { query: query.to_owned(), ..LookupRequest::default() };
        let text = shelf
            .retriever
            .lookup(workspace, &request, SearchRequest::default(), &shelf.providers, &Requirements::default())
            .await
            .unwrap()
            .text;
        assert_eq!(text.lines().nth(1), Some(line), "{text}");
        assert_eq!(text.matches("--- Result ").count(), 5);
        assert!(text.ends_with("\n\n--- No more results ---"));
    }
    let missing = LookupRequest { paragraph_id: Some("S2.99".to_owned()), ..LookupRequest::default() };
    let error = shelf
        .retriever
        .lookup(workspace, &missing, SearchRequest::default(), &shelf.providers, &Requirements::default())
        .await
        .unwrap_err();
    assert_eq!(error.code(), "not_found");
    assert!(error.to_string().contains("near it: S2.36(e)"), "{error}");
}

#[tokio::test]
async fn a_lookup_says_what_a_search_says_of_itself() {
    let (shelf, workspace) = standards().await;
    let bare = page("[Report > Fleet]\n\nWe bought zeppelins.", json!({}));
    shelf.put_words(None, "reports", "report", "acme", vec![bare]).await;
    let request = LookupRequest { query: "zeppelins".to_owned(), top_k: 1, ..LookupRequest::default() };
    let found = shelf
        .retriever
        .lookup(workspace, &request, SearchRequest::default(), &shelf.providers, &Requirements::default())
        .await
        .unwrap();
    let told: Vec<_> = found.notices.iter().map(|notice| notice.cause).collect();
    assert_eq!(told, [NoticeCause::PartlyEmbedded]);
    assert!(found.notices[0].message.contains("13 of 14 chunks"), "{}", found.notices[0]);
}

#[tokio::test]
async fn a_lookup_for_one_report_finds_it_among_many() {
    let (shelf, workspace) = standards().await;
    for n in 0..40 {
        let better = page("[Report > Fleet]\n\nElectric zeppelins replace zeppelins.", json!({}));
        shelf.put(None, "reports", "report", &format!("other-{n}"), vec![better]).await;
    }
    let own =
        page("[Fuel]\n\n[Table 3]\n| zeppelins | 7 | of many other vehicles in a longer text |", json!({}));
    shelf.put(None, "reports", "report", "acme", vec![own]).await;
    for source_types in [None, Some(vec!["report".to_owned()])] {
        let request = LookupRequest {
            query: "electric zeppelins".to_owned(),
            report_id: Some("acme".to_owned()),
            source_types: source_types.clone(),
            ..LookupRequest::default()
        };
        let text = shelf
            .retriever
            .lookup(workspace, &request, SearchRequest::default(), &shelf.providers, &Requirements::default())
            .await
            .unwrap()
            .text;
        assert!(text.contains("[Report: Title of acme]\n\n[Table 3]\n| zeppelins | 7 |"), "{text}");
        assert!(!text.contains("Title of other"), "{text}");
        let standards = text.matches("(source: ifrs_").count();
        assert_eq!(standards, if source_types.is_none() { 4 } else { 0 }, "{text}");
    }
}

#[tokio::test]
async fn impossible_requests_are_refused() {
    let (shelf, workspace) = standards().await;
    let base = request("plan", Mode::Hybrid);
    for (request, code) in [
        (SearchRequest { query: "  ".to_owned(), ..base.clone() }, "invalid"),
        (SearchRequest { top_k: 0, ..base.clone() }, "out_of_range"),
        (SearchRequest { top_k: 1001, ..base.clone() }, "out_of_range"),
        (SearchRequest { keyword_weight: -1.0, ..base.clone() }, "out_of_range"),
        (SearchRequest { keyword_weight: 0.0, semantic_weight: 0.0, ..base.clone() }, "invalid"),
        (SearchRequest { keyword_weight: f64::NAN, ..base.clone() }, "out_of_range"),
        (SearchRequest { min_relevance: Some(1.5), ..base.clone() }, "out_of_range"),
        (SearchRequest { space: Some("nothing".to_owned()), ..base.clone() }, "unknown_space"),
        (SearchRequest { query: "plan AND".to_owned(), structured: true, ..base.clone() }, "query_syntax"),
    ] {
        let error = shelf.retriever.search(workspace, &request, &shelf.providers).await.unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
}
