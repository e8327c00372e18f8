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
        "mill-2024,\"The mill, 2024\",EM-EP-110a.1,\"Gross Scope 1 emissions, the share that is methane, and the \
         share under emissions-limiting rules\",gap,,,",
        "mill-2024,\"The mill, 2024\",EM-EP-110a.1.measured,",
        "mill-2024,\"The mill, 2024\",S2.14(a)(iv),\"Climate transition plan, assumptions, dependencies\",gap,,,",
        "mill-2024,\"The mill, 2024\",S2.16(a),How climate affected finances this period,gap,,\"p. 3 (iv) (read by OCR, 71% \
         confidence): New dams (the source is no longer in the library)\",",
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

/// Both editions of IFRS S2 in the command list, the command line and MCP: in the tree, on a page, by id and by
/// search.
#[test]
fn both_editions_of_s2_are_told_apart() {
    let sibyl = Sibyl::with_words();
    let library = Opened::at(sibyl.folder());
    let tree = |edition: &str| -> Vec<String> {
        let nodes = library.call("default", "standards.tree", json!({ "edition": edition })).unwrap();
        let ids = nodes.as_array().unwrap().iter().filter_map(|node| node["id"].as_str());
        ids.filter(|id| id.starts_with("S2.")).map(str::to_owned).collect()
    };
    let (issued, amended) = (tree("2023-06"), tree("2025-12"));
    assert_eq!((issued.len(), amended.len()), (323, 323 - 4 + 17));
    let after = |tree: &[String], id: &str| {
        let at = tree.iter().position(|one| one == id).unwrap_or_else(|| panic!("no {id}"));
        tree[at + 1].clone()
    };
    for (id, next) in [
        ("S2.29(g)(ii)", "S2.29A"),
        ("S2.29A", "S2.29B"),
        ("S2.29B(b)", "S2.29C"),
        ("S2.29C", "S2.30"),
        ("S2.B20", "S2.B21"),
        ("S2.B21", "S2.B22"),
        ("S2.B62(d)", "S2.B62A"),
        ("S2.B62A(b)", "S2.B63"),
        ("S2.C1", "S2.C1A"),
        ("S2.C1B", "S2.C2"),
        ("S2.C5", "S2.C6"),
    ] {
        assert_eq!(after(&amended, id), next, "{id}");
    }
    assert_eq!(after(&issued, "S2.29(g)(ii)"), "S2.30");
    let page = |id: &str, edition: &str| {
        library.call("default", "standards.page", json!({ "id": id, "edition": edition })).unwrap()
    };
    let (before, now) = (page("S2.B21", "2023-06"), page("S2.B21", "2025-12"));
    assert_eq!((&before["editions"], &now["editions"]), (&json!(["2023-06"]), &json!(["2025-12"])));
    assert_ne!(before["prose"], now["prose"]);
    assert_eq!(before["versions"], now["versions"], "either shows both");
    let versions = list(&now, "versions");
    assert_eq!((&versions[0]["prose"], &versions[1]["prose"]), (&before["prose"], &now["prose"]));
    assert!(versions[0]["changed"].is_null() && versions[1]["changed"].is_string(), "{versions:?}");
    assert_eq!(page("S2.14", "2025-12")["editions"], json!(["2023-06", "2025-12"]));
    assert_eq!(list(&page("S2.14", "2025-12"), "versions").len(), 0);
    // What only one edition has opens in the other as well, and says so.
    let added = page("S2.29A", "2023-06");
    assert_eq!((&added["editions"], list(&added, "versions").len()), (&json!(["2025-12"]), 1));
    let shown = |id: &str, edition: &str| sibyl.run(&["paragraph", id, "--edition", edition]).out;
    let described = |edition: &str| shown("S2.B21", edition).contains("Edition: as amended in December 2025");
    assert!(described("2025-12") && !described("2023-06"));
    // A paragraph with replaced items lists those of its edition.
    let duty = |edition: &str| shown("S2.B62", edition).contains("the duty to use the codes");
    assert!(duty("2025-12") && !duty("2023-06"));
    let chunks = |edition: &str| {
        let asked = [
            "search",
            "six-digit industry code of GICS",
            "--mode",
            "keyword",
            "--edition",
            edition,
            "--json",
        ];
        sibyl.run(&asked).out
    };
    assert!(
        chunks("2023-06").contains("with the six-digit") && !chunks("2025-12").contains("with the six-digit")
    );
    let found = |edition: &str| {
        let words =
            ["search", "derivatives left out of Category 15", "--mode", "keyword", "--edition", edition];
        let results = sibyl.json(&words);
        let ids = list(&results, "results").iter().map(|hit| hit["metadata"]["paragraph_id"].clone());
        ids.collect::<Vec<_>>()
    };
    assert!(found("2025-12").contains(&json!("S2.29A")) && !found("2023-06").contains(&json!("S2.29A")));
    let refused = sibyl.run(&["search", "plan", "--edition", "2024"]);
    assert!(refused.err.contains("2023-06") && refused.err.contains("2025-12"), "{}", refused.err);
    let orientation = library.call("default", "standards.orientation", json!({})).unwrap();
    assert!(orientation["edition"].is_string() && !list(&orientation["context"], "counts").is_empty());
}
