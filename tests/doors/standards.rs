//! The shipped standards, from a fresh data folder.

use serde_json::Value;
use sibyl_tests::program::Sibyl;

fn ids(answer: &Value) -> Vec<String> {
    let results = answer["results"].as_array().unwrap();
    let id = |hit: &Value| {
        let metadata = &hit["metadata"];
        metadata["paragraph_id"].as_str().or(metadata["topic_code"].as_str()).unwrap_or_default().to_owned()
    };
    results.iter().map(id).collect()
}

#[test]
fn the_first_command_on_a_fresh_folder_has_the_standards() {
    let sibyl = Sibyl::fresh();
    let stats = sibyl.json(&["stats"]);
    for source_type in ["ifrs_s1", "ifrs_s2", "sasb"] {
        assert!(stats[source_type].as_u64().unwrap() > 300, "{stats}");
    }
    let types = ["ifrs_s1", "ifrs_s2", "sasb", "report", "docs", "text", "licensed"];
    let sum: u64 = types.iter().map(|t| stats[t].as_u64().unwrap()).sum();
    assert_eq!(stats["total"].as_u64(), Some(sum));
}

#[test]
fn ingesting_twice_changes_nothing_and_says_so() {
    let sibyl = Sibyl::with_standards();
    let before = sibyl.json(&["stats"]);
    let again = sibyl.json(&["ingest"]);
    assert_eq!(again["status"], "already_ingested");
    assert_eq!(again["existing_counts"]["ifrs_s1"], before["ifrs_s1"]);
    assert_eq!(again["report"]["chunks"]["created"], 0);
    assert_eq!(sibyl.json(&["stats"]), before);
}

#[test]
fn a_paragraph_comes_with_its_metadata() {
    let sibyl = Sibyl::with_standards();
    let hit = sibyl.json(&["paragraph", "S2.14(a)(iv)"]);
    for field in ["chunk_id", "chunk_text", "metadata", "source_type", "report_id", "score", "search_method"]
    {
        assert!(hit.get(field).is_some(), "{field} is missing in {hit}");
    }
    assert!(
        hit["chunk_text"]
            .as_str()
            .unwrap()
            .starts_with("[IFRS S2 > Strategy > Strategy and decision-making > S2.14(a)(iv)]")
    );
    let metadata = &hit["metadata"];
    assert_eq!(metadata["paragraph_id"], "S2.14(a)(iv)");
    assert_eq!((metadata["standard"].as_str(), metadata["pillar"].as_str()), (Some("S2"), Some("strategy")));
    assert_eq!(metadata["section"], "Strategy and decision-making");
    assert!(metadata["s1_counterpart"].as_str().unwrap().starts_with("S1.33"), "{metadata}");
    assert_eq!(sibyl.json(&["paragraph", "EM-EP-110a"])["source_type"], "sasb");
}

#[test]
fn an_unknown_paragraph_is_said_to_be_unknown() {
    let run = Sibyl::with_standards().run(&["paragraph", "S2.99"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("S2.99"), "{}", run.err);
}

#[test]
fn every_mode_finds_what_it_should() {
    let sibyl = Sibyl::with_standards();
    let semantic = sibyl.json(&["search", "transition plan", "--mode", "semantic"]);
    let high = ids(&semantic)
        .into_iter()
        .take(5)
        .filter(|id| id.starts_with("S2.14") || id.contains("transition_plan"));
    assert!(high.count() >= 1, "{:?}", ids(&semantic));
    for mode in ["keyword", "hybrid"] {
        let exact = sibyl.json(&["search", "S2.14(a)(iv)", "--mode", mode]);
        assert_eq!(ids(&exact)[0], "S2.14(a)(iv)", "{mode}");
        let leaf = &exact["results"][0]["contributions"][0];
        assert_eq!(leaf["leg"], "reference", "an exact reference is a named leaf: {leaf}");
    }
    let hybrid = sibyl.json(&["search", "Scope 3 emissions S2.29"]);
    let legs: Vec<&str> = hybrid["results"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|hit| hit["contributions"].as_array().unwrap())
        .filter_map(|leaf| leaf["leg"].as_str())
        .collect();
    assert!(legs.contains(&"semantic") && legs.contains(&"keyword"), "{legs:?}");
}

#[test]
fn a_score_is_the_sum_of_its_leaves() {
    let answer =
        Sibyl::with_standards().json(&["search", "who on the board looks after climate", "-k", "20"]);
    for hit in answer["results"].as_array().unwrap() {
        let sum: f64 =
            hit["contributions"].as_array().unwrap().iter().map(|leaf| leaf["value"].as_f64().unwrap()).sum();
        assert_eq!(hit["score"].as_f64(), Some(sum));
    }
}

#[test]
fn a_range_puts_its_members_first_in_order() {
    let answer = Sibyl::with_standards().json(&["search", "34 to 40 of S1", "-k", "7"]);
    let wanted: Vec<String> = (34..=40).map(|n| format!("S1.{n}")).collect();
    assert_eq!(ids(&answer), wanted);
}

#[test]
fn a_lookup_is_text_for_a_language_model() {
    let sibyl = Sibyl::with_standards();
    let text = sibyl.json(&["lookup", "transition plan requirements"])["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with("--- Result 1 (source: "), "{text}");
    assert!(text.contains("[Paragraph: S") && text.trim_end().ends_with("--- No more results ---"), "{text}");
    assert_eq!(text.matches("--- Result ").count(), 5);
    let exact = sibyl.json(&["lookup", "--paragraph-id", "S2.14(a)(iv)"]);
    assert!(
        exact["text"].as_str().unwrap().contains("[Paragraph: S2.14(a)(iv) | Pillar: Strategy | Section: ")
    );
}

#[test]
fn filters_narrow_before_the_nearest_are_taken() {
    let sibyl = Sibyl::with_standards();
    let answer =
        sibyl.json(&["search", "emissions", "--standard", "S1", "--pillar", "governance", "-k", "5"]);
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results.len(), 5);
    assert!(
        results
            .iter()
            .all(|hit| hit["metadata"]["pillar"] == "governance" && hit["metadata"]["standard"] == "S1")
    );
    let before = answer["trace"]["candidates_before"].as_u64().unwrap();
    assert!(answer["trace"]["candidates_after"].as_u64().unwrap() < before / 10);
}

#[test]
fn misspelt_and_odd_queries_are_answered_and_explained() {
    let sibyl = Sibyl::with_standards();
    let answer = sibyl.json(&["search", "greenhuose gas emisions", "--mode", "keyword"]);
    assert!(!answer["results"].as_array().unwrap().is_empty());
    let corrected = answer["trace"]["query"]["terms"].as_array().unwrap().iter();
    assert!(corrected.clone().any(|term| term["fate"]["kind"] == "corrected"), "{answer}");
    for odd in
        ["", "\"", "AND OR NOT", "NEAR(", "a* b^ -c:", "((((", "🌍", "S2.14(a", "'; DROP TABLE chunk; --"]
    {
        let run = sibyl.run(&["search", odd, "--json"]);
        assert!(run.code == 0 || (odd.is_empty() && run.code == 2), "{odd:?}: {}", run.err);
    }
    let structured = sibyl.run(&["search", "climate AND (", "--structured", "--mode", "keyword"]);
    assert_ne!(structured.code, 0);
    assert!(structured.err.contains("character"), "{}", structured.err);
}

#[test]
fn the_gold_queries_are_answered_well() {
    let gold = sibyl_tests::fixture("gold/standards.jsonl");
    let gold = gold.to_str().unwrap();
    let sibyl = Sibyl::with_standards();
    let words = ["eval", gold, "--fail-below", "success@3=0.9", "--fail-below", "recall@5=0.8"];
    let run = sibyl.run(&words);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let evaluation = sibyl.json(&["eval", gold]);
    for query in evaluation["per_query"].as_array().unwrap().iter().filter(|q| q["type"] == "exact_id") {
        assert_eq!(query["hybrid"]["rr"].as_f64().or(query["hybrid"]["mrr"].as_f64()), Some(1.0), "{query}");
    }
    assert!(evaluation["measures"]["hybrid"]["ndcg@10"].is_number() && evaluation["config_hash"].is_string());
}

#[test]
fn a_threshold_that_is_missed_fails_with_its_own_code() {
    let gold = sibyl_tests::fixture("gold/standards.jsonl");
    let words = ["eval", gold.to_str().unwrap(), "--fail-below", "keyword:ndcg@10=0.999"];
    let run = Sibyl::with_standards().run(&words);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("ndcg@10"), "{}", run.err);
}

#[test]
fn doctor_finds_a_sound_library_and_rebuild_keeps_it_so() {
    let sibyl = Sibyl::with_standards();
    let search = || ids(&sibyl.json(&["search", "carbon credits in net targets"]));
    let before = search();
    assert_eq!(sibyl.json(&["doctor"])["healthy"], true);
    sibyl.json(&["rebuild"]);
    assert_eq!(sibyl.json(&["doctor"])["healthy"], true);
    assert_eq!(search(), before);
}

#[test]
fn what_is_deleted_stays_deleted_and_comes_back_when_asked() {
    let sibyl = Sibyl::with_standards();
    let before = sibyl.json(&["stats"]);
    let deleted = sibyl.json(&["delete", "--source-type", "ifrs_s1"]);
    assert_eq!(deleted["deleted_count"], before["ifrs_s1"]);
    assert_eq!(sibyl.json(&["stats"])["ifrs_s1"], 0);
    sibyl.json(&["ingest", "--corpus", "ifrs"]);
    assert_eq!(sibyl.json(&["stats"]), before);
}
