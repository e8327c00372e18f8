//! Reports held against a standard by keys alone: deciding, and what changed since the year before.

use serde_json::{Value, json};
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;

/// Number of requirements decided, and the maximum number of key strokes for them.
const DECIDED: usize = 50;
const STROKES: usize = 120;
/// Puts the focus on the cell in use.
const CELL: &str = "const cell = document.querySelector('[role=gridcell][tabindex=\"0\"]'); cell?.focus(); \
    return cell !== null && cell === document.activeElement";
/// Whether the question who decides has the focus.
const NAMED: &str = "return document.activeElement?.closest('[role=dialog]') !== null \
    && document.activeElement?.tagName === 'INPUT'";
/// What the cell with the focus says.
const SAYS: &str = "return document.activeElement?.getAttribute('role') === 'gridcell' \
    && document.activeElement.querySelector('.sr-only').textContent";
const MOVED: &str = "const now = document.activeElement?.querySelector('.sr-only')?.textContent; \
    return now !== undefined && now !== arguments[0] && now";

fn with_two_years() -> Sibyl {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    for (year, price) in [(2023, 55), (2024, 70)] {
        let text = format!(
            "---\nissuer: Quillmoor Mills\nyear: {year}\n---\n# Quillmoor Mills climate report {year}\n\n## Carbon price\n\n\
             We use an internal carbon price of {price} euros per tonne of greenhouse gas emissions when we decide on \
             investments.\n"
        );
        let path = folder.path().join(format!("quillmoor-{year}.md"));
        std::fs::write(&path, text).unwrap();
        let report = format!("q{year}");
        let path = path.to_str().unwrap();
        sibyl.json(&["ingest", path, "--source-type", "report", "--report-id", &report, "--no-embed"]);
    }
    sibyl.json(&[
        "assess",
        "new",
        "Two years",
        "--report",
        "q2023",
        "--report",
        "q2024",
        "--standard",
        "ifrs_s2",
    ]);
    sibyl.json(&["assess", "run", "1"]);
    let met = ["--report", "q2023", "--status", "met", "--reviewer", "Ada", "--pin"];
    sibyl.json(&[&["assess", "decide", "1", "S2.29(f)(ii)"][..], &met].concat());
    sibyl
}

/// Statuses of a report's cells that are decided.
fn decided(sibyl: &Sibyl, report: &str) -> Vec<Value> {
    let grid = sibyl.json(&["assess", "show", "1"]);
    let columns = grid["columns"].as_array().unwrap();
    let column = columns.iter().position(|column| column["report_id"] == report).unwrap();
    let cells = grid["cells"].as_array().unwrap().iter();
    let own = cells.filter(|cell| cell["column"] == column && cell["status"] != "open");
    own.map(|cell| cell["status"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_requirements_are_decided_and_a_carried_decision_confirmed_by_keys_alone() {
    let sibyl = with_two_years();
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go("#/assess?report=q2024&at=S2.6(a)(i)").await;
    desktop.says("[role=treegrid]", "Governance").await;
    desktop.until(CELL, &[]).await;
    let mut strokes = 0;
    let mut at = desktop.until(SAYS, &[]).await;
    for place in 0..DECIDED {
        // In turn met and gap, as a reviewer would.
        desktop.keys(if place % 2 == 0 { "2" } else { "4" }.to_owned()).await;
        if place == 0 {
            // The first decision waits for the reviewer's name.
            desktop.until(NAMED, &[]).await;
            desktop.keys("Ada".to_owned()).await;
            desktop.keys(thirtyfour::Key::Enter + "").await;
            strokes += 4;
        }
        at = desktop.until(MOVED, &[at]).await;
        desktop.keys("n".to_owned()).await;
        at = desktop.until(MOVED, &[at]).await;
        strokes += 2;
    }
    assert!(strokes <= STROKES, "{strokes}");
    let mut found = Vec::new();
    for _ in 0..100 {
        found = decided(&sibyl, "q2024");
        if found.len() == DECIDED {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    let met = found.iter().filter(|status| **status == json!("met")).count();
    assert_eq!((found.len(), met), (DECIDED, DECIDED / 2));

    // What changed since the year before, and the decision that was carried over.
    desktop.keys("c".to_owned()).await;
    desktop.says("body", "Back to the grid").await;
    desktop.until("return location.hash.includes('from=q2023')", &[]).await;
    desktop.go("#/assess?from=q2023&to=q2024&at=S2.29(f)(ii)").await;
    desktop.says("#change-S2\\.29\\(f\\)\\(ii\\)", "Reworded").await;
    desktop.says("#change-S2\\.29\\(f\\)\\(ii\\)", "Met?").await;
    desktop.picture("assess-changed").await;
    desktop
        .until("document.activeElement.blur(); return document.activeElement === document.body", &[])
        .await;
    desktop.keys(thirtyfour::Key::Enter + "").await;
    let gone = "return !document.getElementById('change-S2.29(f)(ii)').textContent.includes('Met?')";
    desktop.until(gone, &[]).await;
    for _ in 0..100 {
        if decided(&sibyl, "q2024").len() > DECIDED {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    assert_eq!(decided(&sibyl, "q2024").len(), DECIDED + 1);
    desktop.close().await;
}
