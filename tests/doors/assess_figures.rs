//! Figures that requirements ask for: the tables of a report meet what no passage says.

use crate::{text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;

const REPORT: &str = "---\nissuer: Quillmoor Mills\nyear: 2024\n---\n# Quillmoor Mills data book 2024\n\n\
    ## Emissions\n\n| Tonnes CO2e | 2024 | 2023 | Target 2030 |\n|---|---|---|---|\n| Scope 1 | 12,345 | 11,980 | 7,000 |\n\
    | Scope 2 (location-based) | 3,310 | 3,402 | |\n| Scope 2 (market-based) | 1,020 | 2,210 | |\n\n\
    ## Sector\n\n| Tonnes CO2e | 2024 |\n|---|---|\n| Scope 3, industry average | 88,000 |\n\n\
    ## Fuel\n\n| | Unit | 2024 | 2023 |\n|---|---|---|---|\n| Fuel consumed | GJ | 410,000 | 402,000 |\n";

fn figures(view: &Value) -> Vec<&str> {
    let figures = view["proposal"]["figures"].as_array().unwrap();
    figures.iter().map(|figure| figure["printed"].as_str().unwrap()).collect()
}

#[test]
fn a_row_of_a_table_meets_a_requirement_that_asks_for_its_figure() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "quillmoor-2024.md", REPORT);
    let path = folder.path().join("quillmoor-2024.md");
    sibyl.json(&["ingest", text(&path), "--source-type", "report", "--report-id", "quillmoor", "--no-embed"]);
    let scope = ["--standard", "ifrs_s2", "--industry", "TR-RA"];
    let made = sibyl.json(&[&["assess", "new", "Figures", "--report", "quillmoor"][..], &scope].concat());
    let id = made["id"].to_string();
    sibyl.json(&["assess", "run", &id]);
    let show = |requirement: &str| {
        sibyl.json(&["assess", "show", &id, "--requirement", requirement, "--report", "quillmoor"])
    };
    let direct = show("S2.29(a)(i)(1)");
    assert_eq!(figures(&direct), ["12,345", "11,980"], "a target is no actual figure");
    assert_eq!(direct["proposal"]["state"], "evidence", "{:#}", direct["proposal"]);
    assert_eq!(figures(&show("S2.29(a)(v)")), ["3,310", "3,402"], "location-based is not market-based");
    assert_eq!(
        figures(&show("S2.29(a)(i)(3)")),
        Vec::<&str>::new(),
        "a figure of others is none of the report"
    );
    assert_eq!(figures(&show("S2.36(b)")), ["7,000"]);
    // A metric of an industry is asked for in the same way.
    let metric = show("TR-RA-110a.1");
    assert_eq!(
        (figures(&metric), &metric["proposal"]["state"]),
        (vec!["12,345", "11,980"], &json!("evidence"))
    );
    assert_eq!(figures(&show("TR-RA-110a.3")), ["410,000", "402,000"]);
}
