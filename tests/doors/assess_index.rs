//! The content index of a report in its assessment: its claims, and the result for each, through every door.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Mcp, Server};

/// The pages of a report by their printed labels; it begins on page 61.
const PAGES: [&str; 4] = [
    "# Tarnholt Foods sustainability report 2024\n\n## The board\n\nThe board's sustainability committee oversees climate-related \
     risks and opportunities. Its terms of reference set out these responsibilities, and the committee is informed about \
     climate-related risks every quarter.\n\n",
    "## Carbon price\n\nWe use an internal carbon price of 55 euros per tonne of greenhouse gas emissions when we decide on \
     investments.\n\n",
    "## Packaging\n\nCartons are made of board from two mills, and most of them are collected again by the dairies.\n\n",
    "## Content index for IFRS S2\n\n| Paragraph | Requirement | Where |\n| --- | --- | --- |\n\
     | 29(f)(ii) | Price per tonne | p. 62 |\n| 6(a)(i) | Mandates | 63 |\n| 6(a)(iii) | Information | 99 |\n\
     | 6(a)(ii) | Skills | Skills of directors |\n| 29(f)(ii) | How it is used | Carbon price |\n\
     | 29(g)(i) | Remuneration | Remuneration Report 2024, p. 4 |\n\
     | 29(a)(i)(3) | Scope 3 | Not disclosed: suppliers do not report yet |\n\n\
     ## GRI content index\n\n| GRI | Disclosure | Page |\n| --- | --- | --- |\n| 305-1 | Direct emissions | 63 |\n\
     | 2-17 | Collective knowledge | 61 |\n\n",
];

fn ingest(sibyl: &Sibyl, folder: &tempfile::TempDir, pages: &[&str]) {
    let mut source = "---\nissuer: Tarnholt Foods\nyear: 2024\n---\n".to_owned();
    let mut metadata = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let start = source.len();
        source += page;
        let end = source.trim_end().len();
        metadata
            .push(json!({ "page": at + 1, "page_label": (61 + at).to_string(), "start": start, "end": end }));
    }
    write(folder.path(), "tarnholt-2024.md", &source);
    write(folder.path(), "tarnholt-2024.pages.json", json!(metadata).to_string());
    let path = folder.path().join("tarnholt-2024.md");
    sibyl.json(&["ingest", text(&path), "--source-type", "report", "--report-id", "tarnholt", "--no-embed"]);
}

fn with_index() -> (Sibyl, tempfile::TempDir, String) {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    ingest(&sibyl, &folder, &PAGES);
    let words = ["assess", "new", "FY2024", "--report", "tarnholt", "--standard", "ifrs_s2", "--mandatory"];
    let id = sibyl.json(&words)["id"].to_string();
    (sibyl, folder, id)
}

fn shown(sibyl: &Sibyl, id: &str, requirement: &str) -> Value {
    sibyl.json(&["assess", "show", id, "--requirement", requirement, "--report", "tarnholt"])
}

/// The states of the claims on a requirement.
fn states(view: &Value) -> Vec<&str> {
    list(view, "claims").iter().map(|claim| claim["state"].as_str().unwrap()).collect()
}

#[test]
fn what_an_index_claims_is_checked_with_the_proposal() {
    let (sibyl, folder, id) = with_index();
    let before = shown(&sibyl, &id, "S2.29(f)(ii)");
    assert_eq!(states(&before), ["not_checked"; 2], "{:#}", before["claims"]);
    assert_eq!(states(&shown(&sibyl, &id, "S2.29(a)(i)(3)")), ["left_out"], "that needs no proposal");
    sibyl.json(&["assess", "run", &id]);

    let price = shown(&sibyl, &id, "S2.29(f)(ii)");
    let claim = &price["claims"][0];
    assert_eq!((states(&price), &claim["evidence"][0]), (vec!["found"; 2], &json!(0)), "{claim:#}");
    let at = claim["evidence"][0].as_u64().unwrap() as usize;
    let evidence = &price["proposal"]["evidence"][at];
    assert!(
        evidence["quote"].as_str().unwrap().contains("55 euros") && evidence["page"] == 2,
        "{evidence:#}"
    );
    // Printed page 62 is the second of the file.
    assert_eq!(claim["pages"], json!([{ "first": 2, "last": 2, "labels": ["62", "62"] }]));
    assert_eq!(
        (&claim["words"], &claim["relation"], &claim["source"]),
        (&json!("p. 62"), &json!("same"), &Value::Null)
    );
    assert_eq!((&claim["row"]["page"], &claim["row"]["page_label"]), (&json!(4), &json!("64")));

    let packaging = shown(&sibyl, &id, "S2.6(a)(i)");
    assert_eq!(
        (states(&packaging), &packaging["claims"][0]["pages"][0]["first"]),
        (vec!["not_found"], &json!(3))
    );
    let missing = shown(&sibyl, &id, "S2.6(a)(iii)");
    assert_eq!((states(&missing), &missing["claims"][0]["missing_pages"]), (vec!["no_page"], &json!(["99"])));
    let skills = shown(&sibyl, &id, "S2.6(a)(ii)");
    assert_eq!(states(&skills)[0], "no_section", "{:#}", skills["claims"]);
    let section = &price["claims"][1];
    assert_eq!((&section["section"], &section["pages"]), (&json!("Carbon price"), &claim["pages"]));
    let pay = shown(&sibyl, &id, "S2.29(g)(i)");
    assert_eq!(
        (states(&pay), &pay["claims"][0]["document"]),
        (vec!["other_document"], &json!("Remuneration Report 2024"))
    );
    assert_eq!(
        (&pay["claims"][0]["document_id"], &pay["claims"][0]["document_title"]),
        (&Value::Null, &Value::Null)
    );

    // Codes of other frameworks come by a published comparison, which is named.
    let direct = shown(&sibyl, &id, "S2.29(a)(i)(1)");
    let claim = &direct["claims"][0];
    assert_eq!(
        (&claim["framework"], &claim["code"], &claim["relation"]),
        (&json!("gri"), &json!("305-1"), &json!("same"))
    );
    assert!(claim["source"].as_str().unwrap().contains("January 2024"), "{claim:#}");
    assert_eq!(shown(&sibyl, &id, "S2.29(b)")["claims"], json!([]));

    // A report that says something else is not checked with the proposal of before.
    let moved = [PAGES[0], PAGES[2], PAGES[1], PAGES[3]];
    ingest(&sibyl, &folder, &moved);
    assert_eq!(states(&shown(&sibyl, &id, "S2.29(f)(ii)")), ["not_checked"; 2]);
    sibyl.json(&["assess", "run", &id]);
    let after = shown(&sibyl, &id, "S2.29(f)(ii)");
    assert_eq!(
        states(&after),
        ["not_found", "found"],
        "the section stands on page 63 now, and the index does not know"
    );
}

#[test]
fn a_document_that_an_index_names_is_found_in_the_library() {
    let (sibyl, folder, id) = with_index();
    let report = "---\nissuer: Tarnholt Foods\nyear: 2024\n---\n# Remuneration report 2024\n\nPay depends on the tonnes saved.\n";
    write(folder.path(), "pay.md", report);
    let other = report.replace("Tarnholt Foods", "Ostrava Mills");
    write(folder.path(), "other.md", other);
    let add = |name: &str| {
        let path = folder.path().join(name);
        sibyl.json(&["ingest", text(&path), "--source-type", "report", "--report-id", name, "--no-embed"]);
    };
    let claim = || shown(&sibyl, &id, "S2.29(g)(i)")["claims"][0].clone();
    add("other.md");
    assert_eq!(claim()["document_title"], Value::Null, "that is another company's");
    add("pay.md");
    assert_eq!(
        (&claim()["state"], &claim()["document_title"]),
        (&json!("other_document"), &json!("Remuneration report 2024"))
    );
    assert!(claim()["document_id"].is_i64());
}

#[test]
fn every_door_tells_the_claims() {
    let (sibyl, folder, id) = with_index();
    sibyl.json(&["assess", "run", &id]);
    let printed = sibyl.run(&["assess", "show", &id, "--requirement", "S2.6(a)(i)", "--report", "tarnholt"]);
    assert!(
        printed
            .out
            .contains("The report's own index:\n  IFRS S2 6(a)(i) (Mandates): “63” – nothing that counts"),
        "{}",
        printed.out
    );

    let server = Server::start(&sibyl, &["--allow", "read"]);
    let view =
        server.get(&format!("/api/v1/assessments/{id}/cell?requirement=S2.6(a)(i)&report_id=tarnholt"));
    assert_eq!(states(&view), ["not_found"]);

    let mut mcp = Mcp::start(&sibyl, &[]);
    let number: i64 = id.parse().unwrap();
    let asked = json!({ "assessment": number, "requirement": "S2.29(f)(ii)", "report_id": "tarnholt" });
    let told = mcp.tool("read_requirement", asked);
    let claim = &told["structuredContent"]["claims"][0];
    assert_eq!((&claim["code"], &claim["state"]), (&json!("IFRS S2 29(f)(ii)"), &json!("found")), "{told:#}");

    for format in ["json", "html"] {
        let out = folder.path().join(format!("pack.{format}"));
        sibyl.json(&["assess", "export", &id, "--format", format, "--out", text(&out)]);
        let pack = std::fs::read_to_string(&out).unwrap();
        assert!(pack.contains("“63” – nothing that counts as evidence"), "{format}");
    }
    let checked = sibyl.run(&["assess", "verify", text(&folder.path().join("pack.json"))]);
    assert_eq!(checked.code, 0, "{}", checked.out);
}
