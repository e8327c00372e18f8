//! A provider that misbehaves, and one that is not there.

use crate::bench::{Bench, KEY};
use sibyl_loopback::Behaviour::{self, *};
use std::collections::BTreeSet;
use std::time::Instant;

/// Lets the provider answer one batch and then misbehave until it is given up; then lets it answer again.
fn given_up(behaviours: &[Behaviour], code: &str, says: &str) {
    let bench = Bench::new();
    bench.provider.next([Answer]);
    bench.provider.next(behaviours.iter().cloned());
    let run = bench.ingest("harbours", &["--remote", "--log-format", "json"]);
    assert_eq!(run.code, 1, "{behaviours:?}: {}", run.out);
    let answer = run.json();
    assert_eq!((&answer["state"], &answer["report"]["failed_in"]), (&"failed".into(), &"embed".into()));
    let error = answer["error"].as_str().unwrap();
    assert!(error.contains(says) && error.contains("; "), "{behaviours:?}: {error}");
    assert!(run.err.contains(&format!("\"code\":\"{code}\"")), "{behaviours:?}: {}", run.err);
    // What came before is stored: documents, words, local vectors and the first batch.
    let chunks = bench.chunk_texts("harbours");
    let met = bench.provider.requests();
    let stored: BTreeSet<String> = met[0].texts.iter().cloned().collect();
    assert!(stored.len() < chunks.len(), "several batches");
    assert_eq!(bench.remote_model()["vectors"], stored.len());
    let found = bench.sibyl.json(&["search", "trend of harbours", "--corpus", "harbours"]);
    assert_eq!((&found["trace"]["tier"], &found["trace"]["degraded"]), (&"embedded".into(), &false.into()));
    // Resuming asks for the rest alone.
    let job = answer["job"].to_string();
    let run = bench.sibyl.run(&["jobs", "resume", &job, "--json"]);
    assert_eq!((run.code, run.json()["state"].as_str()), (0, Some("done")), "{}", run.err);
    assert!(run.json()["report"]["failed_in"].is_null());
    let asked = bench.provider.requests().split_off(met.len());
    let rest: BTreeSet<String> = asked.into_iter().flat_map(|request| request.texts).collect();
    assert_eq!(rest, chunks.difference(&stored).cloned().collect());
    assert_eq!(bench.remote_model()["vectors"], chunks.len());
}

#[test]
fn server_errors_are_given_up_after_four_attempts() {
    given_up(&[Status(500), Status(502), Status(503), Status(504)], "embedding_provider", "after 4 attempts");
}

#[test]
fn vectors_of_another_length_are_refused() {
    given_up(&[ShortVectors], "embedding_bad_answer", "expected vectors of 64 dimensions, got one of 63");
}

#[test]
fn an_answer_with_too_few_vectors_is_refused() {
    given_up(&[TooFew], "embedding_bad_answer", " vectors, got ");
}

#[test]
fn a_key_that_is_withdrawn_is_named() {
    given_up(&[Status(401)], "embedding_unauthorised", "rejected the API key (HTTP 401)");
}

#[test]
fn a_provider_that_asks_for_time_gets_it() {
    let bench = Bench::new();
    bench.provider.next([Answer, TooMany { retry_after: Some("2".to_owned()) }]);
    let run = bench.ingest("harbours", &["--remote"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(bench.sent_once(), bench.chunk_texts("harbours"));
    let requests = bench.provider.requests();
    let refused = requests.iter().position(|request| request.status == 429).unwrap();
    let waited = requests[refused + 1].at - requests[refused].at;
    assert!(waited.as_secs_f64() >= 2.0, "{waited:?}");
}

#[test]
fn a_wrong_key_keeps_everything_else() {
    let bench = Bench::new().env("OPENROUTER_API_KEY", "sk-or-v1-another");
    let run = bench.ingest("harbours", &["--remote"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.json()["error"].as_str().unwrap().contains("rejected the API key (HTTP 401)"), "{}", run.out);
    let test = bench.sibyl.run(&["secret", "test", "openrouter", "--json"]);
    assert_eq!((test.code, &test.json()["error"]["code"]), (1, &"embedding_unauthorised".into()));
    assert!(bench.provider.texts().is_empty());
    let found = bench.sibyl.json(&["search", "trend of harbours", "--corpus", "harbours"]);
    assert_eq!(found["trace"]["tier"], "embedded");
    let bench = bench.env("OPENROUTER_API_KEY", KEY);
    assert_eq!(bench.ingest("harbours", &["--remote"]).code, 0);
    assert_eq!(bench.sent_once(), bench.chunk_texts("harbours"));
}

#[test]
fn a_query_while_the_provider_is_down_is_answered_by_words_and_says_so() {
    let bench = Bench::new();
    assert_eq!(bench.ingest("harbours", &["--remote"]).code, 0);
    let Bench { sibyl, provider, files: _files } = bench;
    drop(provider);
    let words = ["search", "trend of harbours", "--corpus", "harbours"];
    let began = Instant::now();
    let answer = sibyl.json(&words);
    assert!(began.elapsed().as_secs() < 120, "a search does not wait for ever");
    let trace = &answer["trace"];
    assert_eq!((&trace["degraded"], &trace["tier"]), (&true.into(), &serde_json::Value::Null));
    assert!(!answer["results"].as_array().unwrap().is_empty());
    assert!(trace["notices"].to_string().contains("only keyword search answered"), "{trace:#}");
    assert!(trace["notices"].to_string().contains("could not be reached in 4 attempts"), "{trace:#}");
    let run = sibyl.run(&[&words[..], &["--mode", "semantic", "--json"]].concat());
    assert_eq!((run.code, &run.json()["error"]["code"]), (1, &"embedding_unreachable".into()), "{}", run.err);
    assert!(run.err.contains("could not be reached"), "{}", run.err);
}
