//! Two reports of an assessment side by side, and decisions that are confirmed for the next report.

use crate::{text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;

const BEFORE: &str = "---\nissuer: Quillmoor Mills\nyear: 2023\n---\n# Quillmoor Mills climate report 2023\n\n\
    ## Board committees\n\nThe sustainability committee of the board is responsible for oversight of climate-related risks and \
    opportunities.\n\n\
    ## Carbon price\n\nWe use an internal carbon price of 55 euros per tonne of greenhouse gas emissions when we decide on \
    investments.\n\n\
    ## Pay of executives\n\nNothing in the pay of executives depended on the environment.\n\n\
    ## Carbon credits\n\nWe plan to use carbon credits from a reforestation scheme in Ghana to offset greenhouse gas emissions \
    to achieve our net target.\n";
const AFTER: &str = "---\nissuer: Quillmoor Mills\nyear: 2024\n---\n# Quillmoor Mills climate report 2024\n\n\
    ## How we are governed\n\nThe sustainability committee of the board is responsible for oversight of climate-related risks \
    and opportunities.\n\n\
    ## Carbon price\n\nWe use an internal carbon price of 70 euros per tonne of greenhouse gas emissions when we decide on \
    investments.\n\n\
    ## Executive remuneration\n\nClimate-related considerations are factored into executive remuneration: 12 per cent of the \
    remuneration recognised in 2024 is linked to them.\n";
const OTHER: &str = "---\nissuer: Tarnbeck Paper\nyear: 2024\n---\n# Tarnbeck Paper report 2024\n\n\
    ## Carbon price\n\nTarnbeck has a shadow price of carbon, 90 euros a tonne, in its plans for boilers.\n";

fn with_reports() -> (Sibyl, tempfile::TempDir, String) {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    for (report, words) in [("q23", BEFORE), ("q24", AFTER), ("t24", OTHER)] {
        let name = format!("{report}.md");
        write(folder.path(), &name, words);
        let path = folder.path().join(&name);
        sibyl.json(&["ingest", text(&path), "--source-type", "report", "--report-id", report, "--no-embed"]);
    }
    let made = sibyl.json(&[
        "assess",
        "new",
        "Two years",
        "--report",
        "q23",
        "--report",
        "q24",
        "--report",
        "t24",
        "--standard",
        "ifrs_s2",
    ]);
    let id = made["id"].to_string();
    sibyl.json(&["assess", "run", &id]);
    (sibyl, folder, id)
}

fn change<'a>(found: &'a Value, requirement: &str) -> &'a Value {
    let row = found["rows"].as_array().unwrap().iter().position(|row| row["id"] == requirement).unwrap();
    found["changes"].as_array().unwrap().iter().find(|change| change["row"] == row).unwrap()
}

fn kinds(change: &Value) -> Vec<&str> {
    change["pairs"].as_array().unwrap().iter().map(|pair| pair["kind"].as_str().unwrap()).collect()
}

/// The words of a passage, with those in brackets that the other one lacks.
fn marked(passage: &Value) -> String {
    let parts = passage["words"].as_array().unwrap().iter().map(|part| {
        let text = part["text"].as_str().unwrap();
        if part["changed"] == true { format!("[{text}]") } else { text.to_owned() }
    });
    parts.collect::<Vec<_>>().join(" ")
}

#[test]
fn two_years_say_what_is_new_gone_moved_and_reworded() {
    let (sibyl, _folder, id) = with_reports();
    let found = sibyl.json(&["assess", "compare", &id, "--from", "q23", "--to", "q24"]);
    assert_eq!((&found["compared_as"], &found["waiting"]), (&json!("years"), &json!(0)));
    let price = &change(&found, "S2.29(f)(ii)")["pairs"][0];
    assert_eq!(price["kind"], "reworded");
    let rest = "euros per tonne of greenhouse gas emissions when we decide on investments.";
    assert_eq!(marked(&price["earlier"]), format!("We use an internal carbon price of [55] {rest}"));
    assert_eq!(marked(&price["later"]), format!("We use an internal carbon price of [70] {rest}"));
    assert_eq!(price["later"]["section"], json!(["Quillmoor Mills climate report 2024", "Carbon price"]));

    let board = change(&found, "S2.6(a)(i)");
    assert!(kinds(board).contains(&"moved"), "the same words under another heading: {board:#}");
    // The credits of 2023 are nowhere in 2024, and the basis of executive pay is only in 2024.
    let pairs =
        found["changes"].as_array().unwrap().iter().flat_map(|change| change["pairs"].as_array().unwrap());
    for pair in pairs {
        let (earlier, later) = (&pair["earlier"], &pair["later"]);
        let holds = |side: &Value, words: &str| side.to_string().contains(words);
        assert_eq!(pair["kind"] == "gone", later.is_null() && !earlier.is_null(), "{pair:#}");
        assert!(!holds(earlier, "reforestation") || pair["kind"] == "gone", "{pair:#}");
        assert!(!holds(later, "12 per cent") || pair["kind"] == "new", "{pair:#}");
        assert!(!holds(earlier, "sustainability committee") || pair["kind"] == "moved", "{pair:#}");
    }
    let told = sibyl.run(&[
        "assess",
        "compare",
        &id,
        "--from",
        "q23",
        "--to",
        "q24",
        "--requirement",
        "S2.29(f)(ii)",
    ]);
    assert!(told.out.contains("[55]") && told.out.contains("[70]"), "{}", told.out);

    let server = Server::start(&sibyl, &["--allow", "read"]);
    let over: Value = server.get(&format!("/api/v1/assessments/{id}/compare?earlier=q23&later=q24"));
    assert_eq!(over, found);
}

#[test]
fn reports_of_two_issuers_did_not_change_and_carry_no_decision() {
    let (sibyl, _folder, id) = with_reports();
    decide(&sibyl, &id, "q24", "S2.29(f)(ii)", "met");
    let found = sibyl.json(&["assess", "compare", &id, "--from", "q24", "--to", "t24"]);
    assert_eq!(found["compared_as"], "issuers");
    assert!(found["changes"].as_array().unwrap().iter().all(|change| change["carried"] == false));
    let told = sibyl.run(&["assess", "compare", &id, "--from", "q24", "--to", "t24"]).out;
    assert!(!told.contains("gone") && told.contains("first only"), "{told}");
    let refused = sibyl.run(&["assess", "carry-over", &id, "S2.29(f)(ii)", "--report", "t24"]);
    assert!(refused.code != 0 && refused.err.contains("no earlier report of its issuer"), "{}", refused.err);
    for (from, to, cure) in [("q24", "q24", "with itself"), ("q24", "nobody", "not in the assessment")] {
        let refused = sibyl.run(&["assess", "compare", &id, "--from", from, "--to", to]);
        assert!(refused.code != 0 && refused.err.contains(cure), "{}", refused.err);
    }
}

fn decide(sibyl: &Sibyl, id: &str, report: &str, requirement: &str, status: &str) {
    let words = ["--report", report, "--status", status, "--note", "see price", "--reviewer", "Ada", "--pin"];
    sibyl.json(&[&["assess", "decide", id, requirement][..], &words].concat());
}

fn cell(sibyl: &Sibyl, id: &str, report: &str, requirement: &str) -> Value {
    let grid = sibyl.json(&["assess", "show", id]);
    let at = |list: &str, key: &str, value: &str| {
        grid[list].as_array().unwrap().iter().position(|one| one[key] == value).unwrap()
    };
    let (row, column) = (at("rows", "id", requirement), at("columns", "report_id", report));
    let cells = grid["cells"].as_array().unwrap();
    cells.iter().find(|cell| cell["row"] == row && cell["column"] == column).cloned().unwrap_or_default()
}

#[test]
fn a_decision_on_the_year_before_is_to_be_confirmed_and_counts_only_then() {
    let (sibyl, _folder, id) = with_reports();
    let decided = || sibyl.json(&["assess", "list"])[0]["decided"].clone();
    decide(&sibyl, &id, "q23", "S2.6(a)(i)", "partly");
    decide(&sibyl, &id, "q23", "S2.29(f)(ii)", "met");
    let waits = cell(&sibyl, &id, "q24", "S2.6(a)(i)");
    assert_eq!((&waits["status"], &waits["carried"]), (&json!("open"), &json!("partly")));
    assert_eq!(
        cell(&sibyl, &id, "q23", "S2.6(a)(i)")["carried"],
        Value::Null,
        "it is the one that was decided"
    );
    assert_eq!(decided(), 2);

    let confirm =
        ["assess", "carry-over", &id, "S2.6(a)(i)", "S2.29(f)(ii)", "--report", "q24", "--reviewer", "Ben"];
    assert_eq!(sibyl.json(&confirm).as_array().unwrap().len(), 2);
    let settled = cell(&sibyl, &id, "q24", "S2.6(a)(i)");
    assert_eq!((&settled["status"], &settled["carried"]), (&json!("partly"), &Value::Null));
    assert_eq!((&settled["reviewer"], decided()), (&json!("Ben"), json!(4)));
    let show = |requirement: &str| {
        sibyl.json(&["assess", "show", &id, "--requirement", requirement, "--report", "q24"])["review"]
            .clone()
    };
    // Pinned passages are copied if the report has them word for word; the price changed.
    let board = show("S2.6(a)(i)");
    let quotes: Vec<&str> =
        board["passages"].as_array().unwrap().iter().map(|one| one["quote"].as_str().unwrap()).collect();
    assert_eq!(
        quotes,
        [
            "The sustainability committee of the board is responsible for oversight of climate-related risks and opportunities."
        ]
    );
    assert_eq!((&show("S2.29(f)(ii)")["passages"], &board["note"]), (&json!([]), &json!("see price")));

    let again = sibyl.run(&["assess", "carry-over", &id, "S2.6(a)(i)", "--report", "q24"]);
    assert!(again.code != 0 && again.err.contains("decide instead"), "{}", again.err);
    // One that cannot be confirmed leaves the others as they are.
    decide(&sibyl, &id, "q23", "S2.36(e)(i)", "gap");
    let both = sibyl.run(&["assess", "carry-over", &id, "S2.36(e)(i)", "S2.6(a)(i)", "--report", "q24"]);
    assert_ne!(both.code, 0);
    assert_eq!(cell(&sibyl, &id, "q24", "S2.36(e)(i)")["status"], "open");
}

#[test]
fn what_was_not_run_is_not_compared_and_only_the_report_before_carries_decisions() {
    let (sibyl, folder, id) = with_reports();
    decide(&sibyl, &id, "q24", "S2.29(f)(ii)", "met");
    let kinds = |id: &str, from: &str, to: &str| -> Vec<(String, bool)> {
        let found = sibyl.json(&["assess", "compare", id, "--from", from, "--to", to]);
        let changes = found["changes"].as_array().unwrap().iter();
        changes
            .map(|one| (one["kind"].as_str().unwrap().to_owned(), one["carried"].as_bool().unwrap()))
            .collect()
    };
    assert!(
        kinds(&id, "q24", "q23").iter().all(|(_, carried)| !carried),
        "the year before carries, not the one after"
    );

    let made = sibyl.json(&[
        "assess",
        "new",
        "Not run",
        "--report",
        "q23",
        "--report",
        "q24",
        "--standard",
        "ifrs_s2",
    ]);
    let other = made["id"].to_string();
    let waiting = |kinds: &[(String, bool)]| kinds.iter().filter(|(kind, _)| kind == "waiting").count();
    let before = kinds(&other, "q23", "q24");
    // What a reviewer pinned is known without a run, and nothing else is.
    assert_eq!(waiting(&before), before.len(), "{before:?}");
    write(folder.path(), "q24.md", AFTER.replace("70 euros", "75 euros"));
    let path = folder.path().join("q24.md");
    sibyl.json(&["ingest", text(&path), "--source-type", "report", "--report-id", "q24", "--no-embed"]);
    let after = kinds(&id, "q23", "q24");
    assert!(
        waiting(&after) + 1 >= after.len(),
        "proposals of an earlier text say nothing of this one: {after:?}"
    );
}
