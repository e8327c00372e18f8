//! Figures of reports, through every door.

use crate::{text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Mcp;

const ACME: &str = "# Acme annual report 2024\n\n## Emissions\n\nGreenhouse gas emissions, kt CO2e\n\n\
    | Emissions | 2024 | 2023 | Target 2030 |\n|---|---:|---:|---:|\n| Scope 1 | 139.8 | 154.5 | 80.0 |\n\
    | Scope 2, market-based | 41.1 | 47.9 | |\n\nOutput rose to 3.4 million tonnes in 2024.\n";

fn with_report() -> (Sibyl, tempfile::TempDir) {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "acme-2024.md", ACME);
    let path = folder.path().join("acme-2024.md");
    sibyl.json(&["ingest", text(&path), "--source-type", "report", "--report-id", "acme", "--no-embed"]);
    (sibyl, folder)
}

fn said(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn told(list: &Value) -> Vec<(String, i64, String, String)> {
    let figures = list["figures"].as_array().unwrap();
    figures
        .iter()
        .map(|figure| {
            (
                said(&figure["label"][0]),
                figure["year"].as_i64().unwrap_or_default(),
                said(&figure["printed"]),
                said(&figure["status"]),
            )
        })
        .collect()
}

#[test]
fn figures_are_found_by_what_they_are_figures_of() {
    let (sibyl, _folder) = with_report();
    let row = |printed: &str, year, status: &str| {
        ("Scope 1".to_owned(), year, printed.to_owned(), status.to_owned())
    };
    let mut all = told(&sibyl.json(&["figures", "scope", "1"]));
    all.sort_by_key(|figure| figure.1);
    assert_eq!(
        all,
        [row("154.5", 2023, "actual"), row("139.8", 2024, "actual"), row("80.0", 2030, "target")]
    );
    assert_eq!(told(&sibyl.json(&["figures", "scope 1 acme 2023"])), [row("154.5", 2023, "actual")]);
    assert_eq!(
        told(&sibyl.json(&["figures", "scope 1", "--status", "target"])),
        [row("80.0", 2030, "target")]
    );
    let output = sibyl.json(&["figures", "output"]);
    assert_eq!((&output["total"], &output["figures"][0]["unit"]), (&json!(1), &json!("million tonnes")));
    assert_eq!(told(&sibyl.json(&["figures", "scope 1", "--year", "2019"])), []);
}

#[test]
fn an_agent_finds_figures_and_none_of_another_year() {
    let (sibyl, _folder) = with_report();
    let mut mcp = Mcp::start(&sibyl, &[]);
    let found = mcp.tool("find_figures", json!({ "what": "scope 1", "year": 2024 }));
    let figures = found["structuredContent"]["figures"].as_array().unwrap();
    assert_eq!(figures.len(), 1, "{found}");
    assert_eq!(
        (said(&figures[0]["value"]), said(&figures[0]["unit"])),
        ("139.8".to_owned(), "kt CO2e".to_owned())
    );
    let none = mcp.tool("find_figures", json!({ "what": "scope 1", "year": 2022 }));
    assert_eq!(none["structuredContent"]["total"], 0, "{none}");
}

#[test]
fn a_question_of_a_figure_is_answered_by_it_or_not_at_all() {
    let (sibyl, _folder) = with_report();
    let answered = sibyl.json(&["ask", "What were Acme's Scope 1 emissions in 2023?"]);
    assert_eq!(answered["outcome"], "complete", "{answered}");
    assert!(said(&answered["answer"]).contains("154.5"), "{answered}");
    assert!(!said(&answered["answer"]).contains("139.8"), "{answered}");
    assert!(said(&answered["citations"][0]["quote"]).contains("| Scope 1 |"), "{answered}");
    for question in
        ["What were Acme's Scope 1 emissions in 2021?", "What were Acme's Scope 3 emissions in 2023?"]
    {
        let refused = sibyl.run(&["ask", question, "--json"]).json();
        assert_eq!(refused["outcome"], "refused", "{question}: {refused}");
    }
}

#[test]
fn figures_are_made_anew_by_a_rebuild() {
    let (sibyl, _folder) = with_report();
    let before = sibyl.json(&["figures", "scope 1"]);
    sibyl.json(&["rebuild"]);
    assert_eq!(told(&sibyl.json(&["figures", "scope 1"])), told(&before));
    assert_eq!(before["total"], 3);
}

#[test]
fn an_answer_of_which_nothing_has_changed_is_replayed_without_a_move() {
    let (sibyl, _folder) = with_report();
    let asked = sibyl.json(&["ask", "What were the Scope 1 emissions of Acme in 2023?"]);
    assert_eq!(asked["outcome"], "complete", "{asked:#}");
    let replay = sibyl.json(&["answers", "replay", "1"]);
    let passages = replay["passages"].as_array().unwrap();
    assert!(!passages.is_empty());
    for passage in passages {
        assert_eq!((&passage["why"], &passage["before"]), (&json!(""), &passage["after"]), "{replay:#}");
    }
}
