//! The key shows up nowhere, and every line of the log names its request.

use crate::bench::{Bench, KEY, holds};
use serde_json::Value;
use sibyl_loopback::Behaviour;
use std::collections::BTreeSet;

/// The part of the key that no redaction leaves standing.
const CORE: &str = "4f2a90c17d66b8e3";

#[test]
fn the_key_is_in_no_output_no_log_and_no_file() {
    let bench = Bench::new();
    let mut said = String::new();
    let mut run = |words: &[&str]| {
        let run = bench.sibyl.run(&[words, &["--log", "trace", "--log-format", "json"]].concat());
        said.push_str(&run.out);
        said.push_str(&run.err);
        run.code
    };
    let papers = bench.papers("harbours");
    let ingest = ["ingest", &papers, "--corpus", "harbours", "--remote"];
    bench.provider.next([Behaviour::EchoKey]);
    assert_eq!(run(&ingest), 1);
    bench.provider.next([Behaviour::Status(500), Behaviour::Drop]);
    assert_eq!(run(&ingest), 0);
    let search = ["search", "trend", "--corpus", "harbours", "--mode", "semantic"];
    assert_eq!(run(&search), 0);
    bench.provider.next([Behaviour::EchoKey, Behaviour::EchoKey]);
    assert_eq!(run(&search), 1);
    assert_eq!(run(&["secret", "test", "openrouter"]), 1);
    for words in [&["secret"][..], &["settings"], &["models"], &["jobs"]] {
        assert_eq!(run(words), 0, "{words:?}");
    }
    assert!(said.contains("texts are sent to be embedded"), "the log is written");
    assert!(bench.provider.requests().iter().all(|r| r.authorization == Some(format!("Bearer {KEY}"))));
    assert!(!said.contains(CORE), "{:?}", said.lines().find(|line| line.contains(CORE)));
    assert_eq!(holds(bench.sibyl.folder(), CORE), [""; 0]);
    assert!(!holds(bench.sibyl.folder(), "harbours").is_empty(), "files are looked into");
}

#[test]
fn every_line_of_the_log_names_one_request() {
    let bench = Bench::new();
    let papers = bench.papers("harbours");
    let mut seen = BTreeSet::new();
    for words in [
        &["ingest", &papers, "--corpus", "harbours", "--remote"][..],
        &["search", "trend", "--corpus", "harbours"],
    ] {
        let run = bench.sibyl.run(&[words, &["--log", "trace", "--log-format", "json"]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let nameless: Vec<&str> = run
            .err
            .lines()
            .filter(|line| line.starts_with('{') && !line.contains("\"request_id\""))
            .collect();
        assert_eq!(nameless, [""; 0], "{words:?}");
        let lines: Vec<Value> = run.err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        assert!(!lines.is_empty(), "{words:?} logs nothing: {}", run.err);
        let ids: BTreeSet<String> = lines.iter().map(|line| line["span"]["request_id"].to_string()).collect();
        assert_eq!(ids.len(), 1, "{words:?}: {ids:?}");
        assert!(seen.is_disjoint(&ids), "each run has an id of its own");
        seen.extend(ids);
    }
}
