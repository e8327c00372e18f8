//! Checking, mending and measuring a library.

use crate::{list, paragraphs, text, write};
use serde_json::Value;
use sibyl_tests::fixture;
use sibyl_tests::program::Sibyl;
use std::fs;

fn codes(report: &Value) -> Vec<&str> {
    list(report, "findings").iter().filter_map(|finding| finding["code"].as_str()).collect()
}

/// What `sibyl doctor --json` says, with its exit code.
fn doctor(sibyl: &Sibyl) -> (i32, Value) {
    let run = sibyl.run(&["doctor", "--json"]);
    (run.code, serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.err)))
}

#[test]
fn damage_to_what_is_derived_is_found_and_mended() {
    let sibyl = Sibyl::with_words();
    let run = sibyl.run(&["doctor"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.ends_with("The library is sound.\n"), "{}", run.out);
    let found = || {
        let answer = sibyl.json(&["search", "S2.14(a)(iv) transition plan", "--mode", "keyword"]);
        (paragraphs(&answer).first().map(|id| (*id).to_owned()), answer["results"].clone())
    };
    let before = found();
    assert_eq!(before.0.as_deref(), Some("S2.14(a)(iv)"));
    for damage in [
        "DELETE FROM chunk_key WHERE key LIKE 'S2.14%'",
        "DELETE FROM keyword WHERE rowid IN (SELECT id FROM chunk WHERE paragraph_id LIKE 'S2.14%')",
    ] {
        let library = rusqlite::Connection::open(sibyl.folder().join("library.sibyl")).unwrap();
        library.execute_batch(damage).unwrap();
        drop(library);
        let (code, report) = doctor(&sibyl);
        assert_eq!((code, &report["healthy"]), (1, &Value::Bool(false)), "{damage}: {report}");
        let told = sibyl.run(&["doctor"]).out;
        assert!(told.contains("sibyl rebuild") && told.ends_with("needs mending.\n"), "{damage}: {told}");
        assert_eq!(sibyl.run(&["rebuild"]).code, 0);
        assert_eq!(doctor(&sibyl).0, 0, "{damage}");
        assert_eq!(found(), before, "{damage}");
    }
}

#[test]
fn a_damaged_code_file_is_found_and_mended() {
    let sibyl = Sibyl::with_instant_vectors();
    let found = || sibyl.json(&["search", "transition plan", "--mode", "semantic"])["results"].clone();
    let before = found();
    let codes_folder = sibyl.folder().join("codes");
    for entry in fs::read_dir(&codes_folder).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        for byte in bytes.iter_mut().skip(64).take(4_000) {
            *byte ^= 0x55;
        }
        fs::write(&path, bytes).unwrap();
    }
    let (code, report) = doctor(&sibyl);
    assert_eq!((code, codes(&report)), (1, vec!["codes"]), "{report}");
    assert_eq!(sibyl.run(&["rebuild"]).code, 0);
    assert_eq!(doctor(&sibyl).0, 0);
    assert_eq!(found(), before);
}

#[test]
fn a_file_that_is_no_library_is_refused() {
    let sibyl = Sibyl::fresh_with_words();
    write(sibyl.folder(), "library.sibyl", "this is a letter, not a library".repeat(100));
    let run = sibyl.run(&["stats"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.starts_with("sibyl: "), "{}", run.err);
}

#[test]
fn an_evaluation_below_its_threshold_has_an_exit_code_of_its_own() {
    let sibyl = Sibyl::with_words();
    let gold = fixture("gold/standards.jsonl");
    let measured = |threshold: &str| {
        let words = ["eval", text(&gold), "--measure", "recall@5", "--fail-below", threshold, "--json"];
        sibyl.run(&words)
    };
    let reached = measured("keyword:recall@5=0.1");
    assert_eq!(reached.code, 0, "{}", reached.err);
    let evaluation: Value = serde_json::from_str(&reached.out).unwrap();
    let recall = evaluation["measures"]["keyword"]["recall@5"].as_f64().unwrap();
    assert!((0.1..1.0).contains(&recall), "{recall}");
    let missed = measured("keyword:recall@5=0.999");
    assert_eq!(missed.code, 3, "{}", missed.err);
    assert!(missed.err.contains("below the threshold: "), "{}", missed.err);
    assert_eq!(serde_json::from_str::<Value>(&missed.out).unwrap()["measures"], evaluation["measures"]);
    let help = sibyl.run(&["eval", "--help"]).out;
    assert!(help.contains("exit code 3"), "{help}");

    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "gold.jsonl",
        "{\"id\": \"a\", \"query\": \"b\", \"relevant\": {\"S2.5\": 1}}\nnot JSON\n",
    );
    let broken = sibyl.run(&["eval", text(&folder.path().join("gold.jsonl"))]);
    assert_ne!(broken.code, 0);
    assert!(broken.err.contains("gold.jsonl") && broken.err.contains('2'), "{}", broken.err);
    assert_eq!(sibyl.run(&["eval", "/no/such/gold.jsonl"]).code, 1);
    assert_eq!(sibyl.run(&["eval", text(&gold), "--fail-below", "magic@5=0.1"]).code, 2);
}
