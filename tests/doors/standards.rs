//! The standards as a reviewer reads them, and what a reviewer keeps of them.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;

/// Identifiers whose text was split into several chunks.
const LONG: [&str; 13] = [
    "S1.27", "S1.44", "S2.6", "S2.14", "S2.22", "S2.22(b)", "S2.25", "S2.29", "S2.29(a)", "S2.33", "S2.36",
    "S2.B62", "S2.B63",
];

#[test]
fn a_page_of_the_standards_leaves_the_words_of_its_items_to_them() {
    let sibyl = Sibyl::with_words();
    let library = Opened::at(sibyl.folder());
    let page = |id: &str| library.call("default", "standards.page", json!({ "id": id })).unwrap();
    for id in LONG {
        let page = page(id);
        assert!(list(&page, "chunks").len() > 1, "{id}");
        assert!(!list(&page, "asked_as").is_empty(), "{id}");
        let prose = page["prose"].as_str().unwrap();
        for item in list(&page, "items") {
            let own = item["prose"].as_str().unwrap();
            assert!(!own.is_empty() && !prose.contains(own), "{id}: {own}");
        }
    }
    assert!(list(&page("S2.14"), "asked_as").contains(&json!("climate action plan disclosure")));
}

#[test]
fn a_chunk_is_shown_with_its_phrasings_apart_from_what_it_says() {
    let sibyl = Sibyl::with_words();
    let found = sibyl.json(&["search", "S2.14", "--mode", "keyword"]);
    let chunk = list(&found, "results")[0]["chunk_id"].as_str().unwrap().to_owned();
    let shown = sibyl.run(&["chunks", &chunk]).out;
    let phrasing = "planned climate response";
    let (passage, phrasings) = shown.split_once("Found by ").unwrap();
    assert!(!passage.contains(phrasing) && phrasings.contains(phrasing), "{shown}");
    let document = sibyl.json(&["chunks", &chunk])["row"]["document_id"].to_string();
    let listed = sibyl.run(&["chunks", &document]).out;
    assert!(listed.contains(&chunk) && !listed.contains("Asked as"), "{listed}");
}

#[test]
fn a_review_is_exported_with_the_names_of_its_report_and_paragraph() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "mill.md", "# The mill, 2024\n\nOur plan for brackwater rests on new dams.\n");
    let report = folder.path().join("mill.md");
    sibyl.json(&[
        "ingest",
        text(&report),
        "--source-type",
        "report",
        "--report-id",
        "mill-2024",
        "--no-embed",
    ]);
    let library = Opened::at(sibyl.folder());
    for (report, paragraph, words) in [
        ("mill-2024", "S2.14(a)(iv)", ""),
        ("mill-2024", "EM-EP-110a.1", ""),
        ("mill-2024", "EM-EP-110a.1.measured", ""),
        ("mill-2024", "S2.16(a)", ""),
        // An item that its metric no longer has.
        ("mill-2024", "TR-AL-310a.2.counts.idle-wheels", "Idle wheels, too."),
        ("gone", "S9.9", ""),
    ] {
        let scanned = json!({
            "text_version": "", "path": "mill.pdf", "start": 0, "end": 8, "quote": "New dams", "before": "",
            "after": "", "page": 3, "page_label": "iv", "ocr": 71,
        });
        let passages = if paragraph == "S2.16(a)" { json!([scanned]) } else { json!([]) };
        let review = json!({
            "report_id": report, "paragraph_id": paragraph, "words": words, "status": "gap", "note": "",
            "passages": passages, "updated_at": "",
        });
        library.call("default", "review.put", review).unwrap();
    }
    let table = library.call("default", "review.export", json!({})).unwrap();
    let csv = table["text"].as_str().unwrap();
    let rows: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!((rows.len(), &table["rows"]), (7, &json!(6)));
    for (row, start) in rows.iter().zip([
        "report,report_title,paragraph,label,status,note,passages,updated,part,measured,counts,does_not_count,",
        "gone,,S9.9,,gap,,,",
        "mill-2024,\"The mill, 2024\",EM-EP-110a.1,\"Scope 1 emissions, methane share, regulated share\",gap,,,",
        "mill-2024,\"The mill, 2024\",EM-EP-110a.1.measured,",
        "mill-2024,\"The mill, 2024\",S2.14(a)(iv),\"Climate transition plan, assumptions, dependencies\",gap,,,",
        "mill-2024,\"The mill, 2024\",S2.16(a),How climate affected finances this period,gap,,\"p. 3 (iv) (read by OCR, 71% \
         confidence): New dams\",",
        "mill-2024,\"The mill, 2024\",TR-AL-310a.2.counts.idle-wheels,\"Idle wheels, too.\",gap,,,",
    ]) {
        assert!(row.starts_with(start), "{row}");
    }
    // What the metric asks for, part by part, an item on each line; of an item its part; advice of a paragraph.
    let page = library.call("default", "standards.page", json!({ "id": "EM-EP-110a.1" })).unwrap();
    let metric = &page["metrics"][0];
    let quoted = |text: &str| text.replace('"', "\"\"");
    let measured = metric["measured"]["text"].as_str().unwrap();
    let counts: Vec<&str> =
        list(metric, "counts").iter().map(|item| item["text"].as_str().unwrap()).collect();
    assert!(counts.len() > 1 && rows[2].contains(&quoted(measured)), "{}", rows[2]);
    assert!(rows[2].contains(&quoted(&counts.join("\n"))), "{}", rows[2]);
    assert!(rows[3].contains(&quoted(measured)) && rows[3].ends_with(",measured,,,,,,,"), "{}", rows[3]);
    assert!(rows[5].ends_with(",,,,,,,,Trace the figures to the financial statements."), "{}", rows[5]);
    // The same as data: a metric with its items, an item with its part, advice under its own name.
    let table = library.call("default", "review.export", json!({ "format": "json" })).unwrap();
    let findings: Value = serde_json::from_str(table["text"].as_str().unwrap()).unwrap();
    assert_eq!(findings.as_array().map(Vec::len), Some(6));
    assert_eq!((&findings[1]["report_title"], &findings[1]["metric"]), (&json!("The mill, 2024"), metric));
    assert_eq!((&findings[2]["part"], &findings[2]["metric"]), (&json!("measured"), &Value::Null));
    assert_eq!(findings[4]["in_review"], "Trace the figures to the financial statements.");
    // The same advice is data where one paragraph is asked for.
    let hit = library.call("default", "paragraph.get", json!({ "id": "S2.16(a)" })).unwrap();
    assert_eq!(hit["metadata"]["in_review"], "Trace the figures to the financial statements.");
}

#[test]
fn a_page_of_the_standards_says_how_closely_its_counterpart_answers() {
    let sibyl = Sibyl::with_words();
    let library = Opened::at(sibyl.folder());
    let counterparts = |id: &str| -> Vec<(String, String, String)> {
        let page = library.call("default", "standards.page", json!({ "id": id })).unwrap();
        let field = |link: &Value, name: &str| link[name].as_str().unwrap().to_owned();
        list(&page, "counterparts")
            .iter()
            .map(|link| (field(link, "id"), field(link, "level"), field(link, "of")))
            .collect()
    };
    for (id, other, level, of) in [
        ("S2.14(a)", "S1.33(a)", "item", "S2.14(a)"),
        ("S2.14(a)(iv)", "S1.33(a)", "enclosing", "S2.14(a)"),
        ("S2.14(b)", "S1.33", "range", "S2.14"),
        ("S1.33(c)", "S2.14", "range", "S1.33"),
    ] {
        let expected = (other.to_owned(), level.to_owned(), of.to_owned());
        assert_eq!(counterparts(id), [expected], "{id}");
    }
    // The chunk's own metadata names the same paragraph.
    let hit = sibyl.json(&["paragraph", "S2.14(a)(iv)"]);
    assert_eq!(hit["metadata"]["s1_counterpart"], "S1.33(a)");
}
