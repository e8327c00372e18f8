//! Pages of a report: called by the labels printed on them, too, and shown as they were read.

use crate::{list, text};
use sibyl_tests::fixture;
use sibyl_tests::program::Sibyl;

const WORDS: &str = "women and those most vulnerable";

#[test]
fn a_page_is_called_by_its_printed_label_wherever_it_is_shown() {
    let sibyl = Sibyl::fresh_with_words();
    let report = fixture("designed").join("mcc-2021-cap-pages.pdf");
    sibyl.json(&["ingest", text(&report), "--corpus", "reports", "--no-embed"]);

    let said = |words: &[&str]| {
        let run = sibyl.run(words);
        assert_eq!(run.code, 0, "{words:?}: {}", run.err);
        run.out
    };
    let out = said(&["search", WORDS, "--mode", "keyword"]);
    assert!(out.contains(", p. 2–3 (Body-1–Body-6)") && out.contains(", p. 2 (Body-1)"), "{out}");
    let out = said(&["lookup", WORDS, "--source-type", "report"]);
    assert!(out.contains("| Pages: 2-3 (Body-1-Body-6)"), "{out}");
    let hits = sibyl.json(&["search", WORDS, "--mode", "keyword"]);
    let hit = &list(&hits, "results")[0];
    assert_eq!(hit["page_labels"], serde_json::json!(["Body-1", "Body-6"]), "{hit:#}");
    let chunk = sibyl.json(&["chunks", hit["chunk_id"].as_str().unwrap()]);
    assert_eq!(chunk["row"]["page_labels"], hit["page_labels"]);
    assert_eq!(chunk["view"]["page_labels"], hit["page_labels"]);
}

#[test]
fn a_page_is_shown_as_it_was_read() {
    let sibyl = Sibyl::fresh_with_words();
    let report = fixture("designed").join("three-columns.pdf");
    let folder = tempfile::tempdir().unwrap();
    let overlay = folder.path().join("page.svg");
    let words = ["chunk-preview", text(&report), "--page", "1"];
    let told = sibyl.run(&words);
    assert_eq!(told.code, 0, "{}", told.err);
    for line in ["p. 1 of 1", "heading 1", "key figure", "table, 4 rows"] {
        assert!(told.out.contains(line), "{line} is missing in {}", told.out);
    }
    let layout = sibyl.json(&[&words[..], &["--overlay", text(&overlay)]].concat());
    let kinds: Vec<&str> =
        list(&layout, "blocks").iter().filter_map(|block| block["kind"].as_str()).collect();
    assert_eq!(kinds[1..6], ["heading", "paragraph", "key_figure", "key_figure", "key_figure"]);
    assert_eq!(layout["overlay"], serde_json::Value::Null);
    let svg = std::fs::read_to_string(&overlay).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("data:image/png;base64,") && svg.contains(">17 table<"));

    let beyond = sibyl.run(&["chunk-preview", text(&report), "--page", "9"]);
    assert!(beyond.code != 0 && beyond.err.contains("has 1 page(s)"), "{}", beyond.err);
    let note = folder.path().join("note.md");
    std::fs::write(&note, "A note.\n").unwrap();
    let note = sibyl.run(&["chunk-preview", text(&note), "--page", "1"]);
    assert!(note.code != 0 && note.err.contains("has no pages"), "{}", note.err);
}
