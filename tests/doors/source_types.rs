//! A kind of source that is defined by one file and one line: everything that doors do with a standard works for
//! it.

use crate::{list, paragraphs, text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Mcp, Server};

const EMISSIONS: &str = "---
title: Emissions 2016
standard: GRI
topic: Emissions
series: '300'
---

# Emissions

## Topic disclosures

### Disclosure 305-1 Direct (Scope 1) GHG emissions

The reporting organisation shall report the following information:

- (a) Gross direct brackwater emissions in tonnes.
- (b) Gases that the calculation includes.

### Disclosure 305-2 Energy indirect (Scope 2) GHG emissions

The reporting organisation shall report the following information:

- (a) Gross location-based emissions from purchased steam.
- (b) Contractual instruments:
  - (i) their kind;
  - (ii) their share.

## Background

### 305-9 Why it matters

Emissions of this kind contribute to a changing climate.
";

const REPORT: &str = "# The mill, 2024\n\n## Energy\n\nEmissions from purchased steam were 42 tonnes.\n";

/// A library with the standard and a report, and the program that knows the standard.
fn with_gri() -> (Sibyl, tempfile::TempDir) {
    let sibyl = Sibyl::fresh_with_words().with_program(env!("CARGO_BIN_EXE_sibyl-with-gri").into());
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "emissions.md", EMISSIONS);
    write(folder.path(), "mill-2024.md", REPORT);
    sibyl.json(&["ingest", text(&folder.path().join("emissions.md")), "--no-embed"]);
    let report = folder.path().join("mill-2024.md");
    let words =
        ["ingest", text(&report), "--source-type", "report", "--report-id", "mill-2024", "--no-embed"];
    sibyl.json(&words);
    (sibyl, folder)
}

#[test]
fn a_kind_known_by_one_file_and_one_line_is_ingested_filtered_and_found() {
    let (sibyl, folder) = with_gri();
    let stats = sibyl.json(&["stats"]);
    // Four paragraphs or headings with text, and six items: counted from the text above.
    assert!(stats["gri"].as_u64().unwrap() >= 9, "{stats}");
    let listed = sibyl.json(&["documents"]);
    let document = listed.as_array().unwrap().iter().find(|row| row["source_type"] == "gri").unwrap();
    assert_eq!(document["path"], "emissions.md");
    assert_eq!(sibyl.json(&["search", "steam", "--corpus", "gri"])["results"][0]["corpus"], "gri");

    let named = sibyl.json(&["search", "what does 305-2 (a) ask for", "--mode", "keyword"]);
    assert_eq!(paragraphs(&named)[0], "305-2(a)", "{named}");
    let exact = sibyl.json(&["paragraph", "305-2 (b)(ii)"]);
    assert_eq!(exact["metadata"]["paragraph_id"], "305-2(b)(ii)", "{exact}");

    let all = sibyl.json(&["search", "purchased steam", "-k", "50"]);
    assert!(list(&all, "results").iter().any(|hit| hit["source_type"] == "report"), "{all}");
    let filters =
        [["--source-type", "gri"], ["--standard", "GRI"], ["--topic", "Emissions"], ["--series", "300"]];
    for filter in filters {
        let found = sibyl.json(&["search", "purchased steam", "-k", "50", filter[0], filter[1]]);
        let hits = list(&found, "results");
        assert!(
            !hits.is_empty() && hits.iter().all(|hit| hit["source_type"] == "gri"),
            "{filter:?}: {found}"
        );
    }
    let none = sibyl.json(&["search", "purchased steam", "--series", "200"]);
    assert_eq!(list(&none, "results").len(), 0);
    assert!(none["trace"]["notices"].to_string().contains("series `200`"), "{none}");
    let refused = sibyl.run(&["search", "purchased steam", "--series", "900"]);
    assert!(refused.code != 0 && refused.err.contains("200, 300, 400"), "{}", refused.err);
    let looked_up = sibyl.run(&["lookup", "purchased steam", "--source-type", "gri"]);
    assert!(looked_up.out.starts_with("--- Result 1 (source: gri, "), "{}", looked_up.out);
    assert!(looked_up.out.contains("[Paragraph: 305-2(a)"), "{}", looked_up.out);

    let help = sibyl.run(&["search", "--help"]).out;
    assert!(help.contains("licensed, gri") && help.contains("--series <SERIES>"), "{help}");
    assert!(help.contains("Series of topic standards: 200, 300, 400"), "{help}");
    let other = folder.path().join("mill-2024.md");
    let refused = sibyl.run(&["ingest", text(&other), "--source-type", "esrs"]);
    assert!(refused.code != 0 && refused.err.contains("gri"), "{}", refused.err);
    assert!(sibyl.json(&["delete", "--source-type", "gri"])["deleted_count"] == stats["gri"]);
}

#[test]
fn a_reviewer_works_through_a_kind_known_by_one_file_and_one_line() {
    let (sibyl, _folder) = with_gri();
    let server = Server::start(&sibyl, &["--allow", "write"]);
    let kinds = server.get("/api/v1/source_types");
    let gri = kinds.as_array().unwrap().iter().find(|kind| kind["name"] == "gri").unwrap();
    assert_eq!((&gri["label"], &gri["nature"]), (&json!("GRI Standards"), &json!("standard")));
    let field = |list: &str| list_of(gri, list);
    assert_eq!(field("series")["values"][1], json!({ "value": "300", "label": "Environmental" }));
    assert_eq!((&field("series")["label"], &field("series")["closed"]), (&json!("Series"), &json!(true)));
    assert_eq!(field("standards")["values"], json!([{ "value": "GRI", "label": "GRI" }]));
    let searched = |filters: Value| {
        server.post(
            "/api/v1/search",
            &json!({ "query": "purchased steam", "mode": "keyword", "filters": filters }),
        )
    };
    let found = searched(json!({ "series": ["300"] })).json();
    assert_eq!(paragraphs(&found)[0], "305-2(a)", "{found}");
    assert!(list(&found, "results").iter().all(|hit| hit["source_type"] == "gri"), "{found}");
    let refused = searched(json!({ "serie": ["300"] }));
    assert_eq!(refused.status, 400, "{}", refused.body);
    assert!(refused.body.contains("`series`") && refused.body.contains("`pillars`"), "{}", refused.body);

    let tree = server.get("/api/v1/standards");
    let nodes: Vec<&Value> =
        tree.as_array().unwrap().iter().filter(|node| node["source_type"] == "gri").collect();
    let at = |id: &str| *nodes.iter().find(|node| node["id"] == id).unwrap();
    assert_eq!((&nodes[0]["kind"], &nodes[0]["depth"]), (&json!("standard"), &json!(0)));
    assert_eq!((&at("305-1")["kind"], &at("305-1")["requirement"]), (&json!("paragraph"), &json!(true)));
    assert_eq!((&at("305-2(b)")["kind"], &at("305-2(b)")["number"]), (&json!("item"), &json!("(b)")));
    let above = at("305-2")["parent"].as_u64().unwrap() as usize;
    assert_eq!(tree[above]["label"], "Topic disclosures", "a paragraph does not lie below itself");
    assert_eq!(at("305-9")["requirement"], false, "it asks for nothing");
    assert!(at("305-2(b)(i)")["depth"].as_u64() > at("305-2(b)")["depth"].as_u64());

    let page = server.get("/api/v1/standards/305-2");
    assert_eq!(page["label"], "Energy indirect (Scope 2) GHG emissions");
    assert_eq!(page["breadcrumb"][0][0], "GRI");
    let items: Vec<&Value> = list(&page, "items").iter().map(|item| &item["id"]).collect();
    assert_eq!(items, ["305-2(a)", "305-2(b)"]);
    assert_eq!(page["prose"], "The reporting organisation shall report the following information:");

    let evidence = server.post("/api/v1/standards/305-2/evidence", &json!({ "mode": "keyword" })).json();
    assert_eq!(evidence["hits"][0]["report_id"], "mill-2024", "{evidence}");

    let review = json!({
        "report_id": "mill-2024", "paragraph_id": "305-2(a)", "status": "met", "note": "42 tonnes",
        "passages": [], "words": "", "updated_at": "",
    });
    let kept = server.post("/api/v1/reviews", &review);
    assert_eq!(kept.status, 200, "{}", kept.body);
    let exported = server.send("GET", "/api/v1/reviews/export?format=csv", None).body;
    assert!(exported.contains("305-2(a)") && exported.contains("42 tonnes"), "{exported}");
    assert!(exported.contains("Gross location-based emissions from purchased steam"), "{exported}");
}

/// The field of `kind` with this list.
fn list_of<'k>(kind: &'k Value, list: &str) -> &'k Value {
    kind["filters"].as_array().unwrap().iter().find(|field| field["list"] == list).unwrap()
}

#[test]
fn agents_search_a_kind_known_by_one_file_and_one_line() {
    let (sibyl, _folder) = with_gri();
    let mut mcp = Mcp::start(&sibyl, &[]);
    let tools = mcp.ask("tools/list", json!({}));
    let tool = |name: &str| list(&tools, "tools").iter().find(|tool| tool["name"] == name).unwrap();
    let lookup = &tool("rag_lookup")["inputSchema"]["properties"]["source_types"]["items"]["enum"];
    assert!(lookup.as_array().unwrap().contains(&json!("gri")), "{lookup}");
    let laws = tool("search_laws");
    let filters = &laws["inputSchema"]["properties"]["filters"]["properties"];
    assert_eq!(filters["series"]["description"], "Series of topic standards: 200, 300, 400", "{laws}");
    assert!(laws["description"].as_str().unwrap().contains("GRI"), "{laws}");

    let found = mcp.tool("search_laws", json!({ "query": "purchased steam", "contentType": "gri" }));
    assert_eq!(found["structuredContent"]["passages"][0]["documentNumber"], "305-2(a)", "{found}");
    let of_series = |series: &str| json!({ "query": "purchased steam", "filters": { "series": [series] } });
    let found = mcp.tool("search_laws", of_series("300"));
    assert_eq!(found["structuredContent"]["passages"][0]["documentNumber"], "305-2(a)", "{found}");
    let found = mcp.tool("search_laws", of_series("200"));
    assert_eq!(found["structuredContent"]["passages"], json!([]), "{found}");
    let refused = mcp.tool("search_company_files", of_series("300")).to_string();
    assert!(refused.contains("tags") && refused.contains("not `series`"), "{refused}");
    let files = mcp.tool("search_company_files", json!({ "query": "purchased steam" }));
    assert_eq!(list(&files["structuredContent"], "passages").len(), 1, "the report alone: {files}");
    let review = json!({ "report_id": "mill-2024", "standard": "GRI" });
    let prompt = mcp.ask("prompts/get", json!({ "name": "review_report", "arguments": review }));
    assert!(prompt.to_string().contains("against GRI, part by part"), "{prompt}");
    let page = mcp.tool("get_paragraph", json!({ "id": "305-1" }));
    assert_eq!(page["structuredContent"]["items"][0]["id"], "305-1(a)", "{page}");
}
