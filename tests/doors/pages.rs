//! Pages of a report: called by the labels printed on them, too, and shown as they were read.

use crate::{list, text};
use serde_json::json;
use sibyl_tests::fixture;
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Mcp;

const WORDS: &str = "women and those most vulnerable";

/// The log of answers, as text.
fn exported(sibyl: &Sibyl) -> String {
    let log =
        Opened::at(sibyl.folder()).call("default", "answer.log.export", json!({ "format": "markdown" }));
    log.unwrap()["text"].as_str().unwrap().to_owned()
}

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
    let search = ["search", WORDS, "--mode", "keyword", "--source-type", "report"];
    let out = said(&search);
    assert!(out.contains(", p. 2–3 (Body-1–Body-6)") && out.contains(", p. 2 (Body-1)"), "{out}");
    let out = said(&["lookup", WORDS, "--source-type", "report"]);
    assert!(out.contains("| Pages: 2-3 (Body-1-Body-6)"), "{out}");
    let hits = sibyl.json(&search);
    let hit = &list(&hits, "results")[0];
    assert_eq!(hit["page_labels"], json!(["Body-1", "Body-6"]), "{hit:#}");
    let chunk = sibyl.json(&["chunks", hit["chunk_id"].as_str().unwrap()]);
    assert_eq!(chunk["row"]["page_labels"], hit["page_labels"]);
    assert_eq!(chunk["view"]["page_labels"], hit["page_labels"]);

    // A citation names the pages of its quote.
    let question = ["ask", "What does MCC do about climate?"];
    let answer = sibyl.json(&question);
    let citation = &list(&answer, "citations")[0];
    let (pages, labels) = (&citation["pages"], &citation["page_labels"]);
    assert!(pages[0].is_u64() && labels[0].as_str().unwrap().starts_with("Body-"), "{citation:#}");
    let cited = format!(", p. {} ({})", pages[0], labels[0].as_str().unwrap());
    let out = said(&question);
    assert!(pages[0] != pages[1] || out.contains(&cited), "{cited} is missing in {out}");
    assert!(exported(&sibyl).contains("(Body-"), "{}", exported(&sibyl));
    let mut mcp = Mcp::start(&sibyl, &[]);
    let told = mcp.tool("ask", json!({ "question": question[1] }));
    assert_eq!(&told["structuredContent"]["citations"][0]["page_labels"], labels, "{told:#}");
    assert!(told["content"][0]["text"].as_str().unwrap().contains("(Body-"), "{told:#}");
    let found = mcp.tool("search_company_files", json!({ "query": WORDS }));
    assert_eq!(found["structuredContent"]["passages"][0]["pageLabels"], hit["page_labels"], "{found:#}");
}

#[test]
fn what_ocr_read_is_marked_wherever_it_is_shown() {
    let sibyl = Sibyl::fresh_with_words();
    let scan = fixture("scans").join("scanned.pdf");
    let words =
        ["ingest", text(&scan), "--corpus", "scans", "--source-type", "report", "--no-embed", "--ocr", "on"];
    sibyl.json(&words);
    let said = |words: &[&str]| {
        let run = sibyl.run(words);
        assert_eq!(run.code, 0, "{words:?}: {}", run.err);
        run.out
    };
    let question = ["ask", "When will tugboats run on batteries?"];
    let answer = sibyl.json(&question);
    let ocr = &list(&answer, "citations")[0]["ocr"];
    let confidence = ocr["confidence"].as_u64().unwrap_or_default();
    assert!(confidence > 60, "{answer:#}");
    let mark = &*format!("(read by OCR, {confidence}% confidence)");
    let shown = [
        said(&question),
        said(&["search", "tugboats batteries", "--mode", "keyword"]),
        said(&["documents", "--corpus", "scans"]),
        exported(&sibyl),
    ];
    for out in shown {
        let marked = out.split_once("(read by OCR, ").and_then(|(_, rest)| rest.split_once("% confidence)"));
        assert!(marked.is_some_and(|(of, _)| of.parse::<u8>().is_ok_and(|of| of > 60)), "{out}");
    }
    let out = said(&["lookup", "tugboats batteries", "--source-type", "report"]);
    assert!(out.contains("| Read by OCR: ") && out.contains("% confidence"), "{out}");
    let mut mcp = Mcp::start(&sibyl, &[]);
    let told = mcp.tool("ask", json!({ "question": question[1] }));
    assert!(told["content"][0]["text"].as_str().unwrap().contains(mark), "{told:#}");
    let found = mcp.tool("search_company_files", json!({ "query": "dredging of the basin" }));
    let ocr = &found["structuredContent"]["passages"][0]["ocr"];
    assert!(!list(ocr, "doubtful").is_empty(), "the smudged word: {found:#}");
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

    let passes = sibyl.json(&[&words[..], &["--passes", "--overlay", text(&overlay)]].concat());
    let last = list(&passes, "passes").last().unwrap();
    assert_eq!(list(last, "shows").len(), kinds.len(), "{last:#}");
    let told = sibyl.run(&[&words[..], &["--passes"]].concat()).out;
    assert!(told.contains("== regions (") && told.contains("== page breaks ("), "{told}");
    let svg = std::fs::read_to_string(&overlay).unwrap();
    assert!(svg.contains(">regions<") && !svg.contains(">17 table<"));

    let beyond = sibyl.run(&["chunk-preview", text(&report), "--page", "9"]);
    assert!(beyond.code != 0 && beyond.err.contains("has 1 page(s)"), "{}", beyond.err);
    let note = folder.path().join("note.md");
    std::fs::write(&note, "A note.\n").unwrap();
    let note = sibyl.run(&["chunk-preview", text(&note), "--page", "1"]);
    assert!(note.code != 0 && note.err.contains("has no pages"), "{}", note.err);
}
