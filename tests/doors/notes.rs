//! The open points of judged sets and runs are named when they are imported, with what counts; a strict import
//! accepts none of it.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use std::path::Path;

const QRELS: &str = "q1 0 harbour-a 3\nq1 0 harbour-b 1\nq1 0 harbour-a 0\n";
const QUERIES: &str = "q1\tquay power\nq1\tquay power of the harbour\n";
const RUN: &str = "q1 Q0 harbour-a 1 3.0 twice\nq1 Q0 harbour-a 2 2.0 twice\nq1 Q0 harbour-b 3 1.0 twice\n\
    q8 Q0 harbour-b 1 1.0 twice\n";
const GOLD: &str = concat!(
    r#"{"id": "a1", "query": "shore power delivered", "answerable": true, "relevant": {"harbour.md": 3}}"#,
    "\n",
    r#"{"id": "a2", "query": "dredging permit", "answerable": true, "relevant": {}}"#,
    "\n",
    r#"{"id": "a3", "query": "Nebuchadnezzar Tutankhamun", "answerable": false, "relevant": {}}"#,
    "\n",
);

/// Kinds and messages of the notes of an import.
fn notes(imported: &Value) -> Vec<(&str, &str)> {
    let notes = list(imported, "notes").iter();
    notes.map(|note| (note["kind"].as_str().unwrap(), note["message"].as_str().unwrap())).collect()
}

#[test]
fn conflicting_judgments_doubled_queries_and_results_are_named() {
    let (sibyl, folder) = (Sibyl::fresh_with_words(), tempfile::tempdir().unwrap());
    for (name, lines) in [("c.qrels", QRELS), ("queries.tsv", QUERIES), ("run.txt", RUN)] {
        write(folder.path(), name, lines);
    }
    let [qrels, queries, run] = ["c.qrels", "queries.tsv", "run.txt"].map(|name| folder.path().join(name));
    let import = ["gold", "import", text(&qrels), "--queries", text(&queries), "--name", "c"];
    let refused = sibyl.run(&[&import[..], &["--strict"]].concat());
    assert_eq!(refused.code, 2, "{}", refused.out);
    assert!(
        refused.err.contains("the grades 3 and 0") && refused.err.contains("the texts"),
        "{}",
        refused.err
    );
    assert_eq!(sibyl.json(&["gold", "list"]), json!([]), "nothing of a refused import is kept");

    let imported = sibyl.json(&import);
    let told = notes(&imported);
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!((told[0].0, told[1].0), ("grades", "repeated_query"));
    assert!(
        told[0].1.starts_with(
            "`harbour-a` has the grades 3 and 0 for `q1` (lines 1 and 3): the highest, 3, counts"
        )
    );
    assert!(
        told[1].1.contains("\"quay power\" and \"quay power of the harbour\"")
            && told[1].1.contains("the first")
    );

    let import = ["eval", "import", text(&run), "--set", "c"];
    let refused = sibyl.run(&[&import[..], &["--strict"]].concat());
    assert!(refused.code == 2 && refused.err.contains("occurs 2 times"), "{} {}", refused.out, refused.err);
    let shown = sibyl.run(&import).out;
    assert!(shown.contains("`harbour-a` occurs 2 times in the ranking of `q1`"), "{shown}");
    let imported = sibyl.json(&import);
    let told = notes(&imported);
    let kinds: Vec<&str> = told.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, ["repeated_result", "unknown_query"]);
    assert!(told[1].1.contains("`q8`"), "{told:?}");
    let measures = &imported["run"]["measures"];
    assert!(measures["intact@5"].is_null() && measures["ndcg@10"].is_number(), "{measures}");
}

#[test]
fn a_query_that_nobody_judged_is_no_query_without_an_answer() {
    let (sibyl, folder) = (Sibyl::fresh_with_words(), tempfile::tempdir().unwrap());
    write(
        folder.path(),
        "corpus/harbour.md",
        "# Harbour\n\nShore power delivered 4,180 megawatt hours. The dredging permit runs until 2031.\n",
    );
    write(folder.path(), "gold.jsonl", GOLD);
    let [corpus, gold] = ["corpus", "gold.jsonl"].map(|name| folder.path().join(name));
    sibyl.json(&["ingest", text(&corpus), "--no-embed"]);
    let strict = ["gold", "import", text(&gold), "--strict"];
    let refused = sibyl.run(&strict);
    assert!(refused.code == 2 && refused.err.contains("`a2`"), "{}", refused.err);
    let imported = sibyl.json(&strict[..3]);
    let told = notes(&imported);
    assert!(told.len() == 1 && told[0].0 == "unlabelled" && told[0].1.contains("`a2`"), "{told:?}");
    let set = &imported["set"];
    assert_eq!((&set["queries"], &set["answerable"], &set["unlabelled"]), (&json!(3), &json!(1), &json!(1)));

    for set in [text(&gold), "gold"] {
        let measured = sibyl.json(&["eval", set, "--modes", "keyword"]);
        assert_eq!((&measured["queries"], &measured["answerable"]), (&json!(2), &json!(1)), "{measured}");
        assert_eq!(measured["unlabelled"], json!(["a2"]));
        assert_eq!(measured["measures"]["keyword"]["not_found_accuracy"], 1.0);
        let ids: Vec<&Value> = list(&measured, "per_query").iter().map(|query| &query["id"]).collect();
        assert_eq!(ids, ["a1", "a3"]);
        let said = list(&measured, "notices").iter().filter_map(Value::as_str);
        assert_eq!(said.filter(|notice| notice.contains("`a2`")).count(), 1, "{measured}");
    }
    // Written out and read again it is the same.
    let out = folder.path().join("out");
    sibyl.json(&["gold", "export", "gold", text(&out)]);
    let again = sibyl.json(&["gold", "import", text(&out.join("gold.jsonl")), "--name", "again"]);
    assert_eq!((&again["set"]["unlabelled"], &again["set"]["answerable"]), (&json!(1), &json!(1)), "{again}");
    same(&out.join("gold.jsonl"));
}

/// The file says of the query that nothing answers that it has none, and of the one that nobody judged nothing.
fn same(path: &Path) {
    let lines = std::fs::read_to_string(path).unwrap();
    let said: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["answerable"].clone())
        .collect();
    assert_eq!(said, [json!(true), Value::Null, json!(false)]);
}
