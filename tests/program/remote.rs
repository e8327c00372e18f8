//! The remote tier: what is sent, what is kept, which tier answers.

use crate::bench::Bench;

#[test]
fn what_may_leave_is_sent_once_and_answers_by_meaning() {
    let bench = Bench::new();
    let kept = bench.ingest("glaciers", &[]);
    assert_eq!(kept.code, 0, "{}", kept.err);
    assert!(bench.provider.requests().is_empty(), "no corpus may leave the machine yet");
    let run = bench.ingest("harbours", &["--remote"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let chunks = bench.chunk_texts("harbours");
    assert!(bench.provider.requests().len() > 1, "several batches");
    assert_eq!(bench.sent_once(), chunks, "all of the corpus that may leave, and nothing else");
    let model = bench.remote_model();
    assert_eq!(model["vectors"], chunks.len());
    assert_eq!(model["served"], true);

    let asked = bench.provider.requests().len();
    let again = bench.ingest("harbours", &["--remote"]);
    assert_eq!((again.code, again.json()["status"].as_str()), (0, Some("already_ingested")), "{}", again.err);
    assert_eq!(bench.provider.requests().len(), asked, "a second time nothing is sent");

    // The remote tier answers if it covers everything in scope, otherwise the built-in one.
    let tier = |words: &[&str]| {
        let trace = &bench.sibyl.json(&[&["search", "trend of the series"], words].concat())["trace"];
        (trace["tier"].as_str().unwrap_or_default().to_owned(), trace["degraded"] == true)
    };
    assert_eq!(tier(&["--corpus", "harbours"]), ("remote".to_owned(), false));
    assert_eq!(bench.provider.requests().len(), asked + 1, "the query is sent");
    for scope in [&["--corpus", "glaciers"][..], &["--corpus", "glaciers", "--corpus", "harbours"], &[]] {
        assert_eq!(tier(scope), ("embedded".to_owned(), false), "{scope:?}");
    }
    assert_eq!(bench.provider.requests().len(), asked + 1, "no query leaves for a scope that must stay");
    let space = model["space_id"].as_str().unwrap();
    assert_eq!(tier(&["--space", space]), ("remote".to_owned(), false), "unless it is asked for by name");

    // Switched off, it is out of use at once, and its vectors stay.
    assert_eq!(bench.sibyl.run(&["settings", "remote_embedding", "false"]).code, 0);
    let asked = bench.provider.requests().len();
    assert_eq!(tier(&["--corpus", "harbours"]), ("embedded".to_owned(), false));
    assert_eq!(bench.ingest("harbours", &["--remote", "--force"]).code, 0);
    assert_eq!(bench.provider.requests().len(), asked);
    assert_eq!(bench.remote_model()["served"], false);
    assert_eq!(bench.remote_model()["vectors"], chunks.len());
}

#[test]
fn settings_are_shown_changed_and_refused() {
    let bench = Bench::new();
    let value = |name: &str| bench.sibyl.json(&["settings", name])[0]["value"].clone();
    assert_eq!(value("embedding_dimensions"), 64);
    for (name, wrong, says) in [
        ("base_url", "not a url", "base URL"),
        ("base_url", "https://user:word@example.org/v1", "free of user names"),
        ("embedding_model", " ", "needs a name"),
        ("embedding_dimensions", "0", "whole number from 1"),
        ("rerank_base_url", "ftp://example.org", "http or https"),
        ("base_url", "ftp://example.org", "http or https"),
        ("base_url", "https://", "base URL"),
        ("chat_base_url", "chat", "base URL"),
        ("chat_base_url", "file:///etc/passwd", "http or https"),
        ("chat_base_url", "http:///v1", "https URL or one on this computer"),
        ("no_such_setting", "1", "is not a setting"),
    ] {
        let before = bench.sibyl.json(&["settings"]);
        let run = bench.sibyl.run(&["settings", name, wrong]);
        assert_eq!(run.code, 2, "{name}={wrong}: {}", run.out);
        assert!(run.err.contains(says), "{name}={wrong}: {}", run.err);
        assert_eq!(bench.sibyl.json(&["settings"]), before);
    }
    assert_eq!(bench.sibyl.run(&["settings", "embedding_dimensions", "--reset"]).code, 0);
    assert_eq!(value("embedding_dimensions"), 1_536);
    assert_eq!(bench.sibyl.run(&["settings", "no_such_setting"]).code, 2);
    let shown = bench.sibyl.run(&["models"]).out;
    assert!(shown.contains("switched on; key: the environment (OPENROUTER_API_KEY)"), "{shown}");
}
