//! What connected programs propose in assessments: checked against the report, kept apart from decisions, confirmed by people.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::program::{Run, Sibyl};
use sibyl_tests::server::{Mcp, Server};

const REPORT: &str = "---\nissuer: Fernhill Quarries\nyear: 2024\n---\n# Fernhill Quarries climate report 2024\n\n\
    ## Governance\n\nThe board's sustainability committee oversees climate-related risks and opportunities.\n\n\
    ## Carbon price\n\nWe use an internal carbon price of 55 euros per tonne of greenhouse gas emissions when we decide on investments. \
    The price is reviewed every year.\n\n## Targets\n\nThe price is reviewed every year.\n";
const PRICE: &str = "We use an internal carbon price of 55 euros per tonne";
/// A requirement on the internal carbon price, and one on the body that oversees risks.
const REQUIREMENTS: [&str; 2] = ["S2.29(f)(ii)", "S2.6(a)(i)"];

fn with_assessment() -> (Sibyl, tempfile::TempDir, String) {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "fernhill-2024.md", REPORT);
    ingest(&sibyl, &folder);
    let words = ["--report", "fernhill", "--standard", "ifrs_s2", "--mandatory"];
    let made = sibyl.json(&[&["assess", "new", "FY2024"][..], &words].concat());
    (sibyl, folder, made["id"].to_string())
}

fn ingest(sibyl: &Sibyl, folder: &tempfile::TempDir) {
    let path = folder.path().join("fernhill-2024.md");
    sibyl.json(&["ingest", text(&path), "--source-type", "report", "--report-id", "fernhill", "--no-embed"]);
}

fn propose(sibyl: &Sibyl, id: &str, words: &[&str]) -> Run {
    let own = ["assess", "propose", id, REQUIREMENTS[0], "--report", "fernhill", "--json"];
    sibyl.run(&[&own, words].concat())
}

fn shown(sibyl: &Sibyl, id: &str) -> Value {
    sibyl.json(&["assess", "show", id, "--requirement", REQUIREMENTS[0], "--report", "fernhill"])
}

/// The cell of `requirement`; `None` if nothing is known about it.
fn cell(grid: &Value, requirement: &str) -> Value {
    let row = list(grid, "rows").iter().position(|row| row["id"] == requirement).unwrap();
    list(grid, "cells").iter().find(|cell| cell["row"] == row).cloned().unwrap_or_default()
}

#[test]
fn a_quote_that_does_not_stand_in_the_report_is_refused_with_the_cure() {
    let (sibyl, _folder, id) = with_assessment();
    let met = ["--program", "reader", "--finding", "met", "--reason", "it names the price"];
    let refused = |words: &[&str], cure: &str| {
        let ended = propose(&sibyl, &id, words);
        assert!(ended.code != 0 && ended.err.contains(cure), "{words:?}: {} {}", ended.out, ended.err);
    };
    let quoting = |quote: &str, cure: &str| refused(&[&met[..], &["--quote", quote]].concat(), cure);
    quoting("We use an internal carbon price of 65 euros per tonne", "exactly as the report has them");
    // A part of a number says another number.
    quoting("5 euros per tonne", "exactly as the report has them");
    quoting("The price is reviewed every year.", "2 times");
    quoting("7=We use an internal carbon price of 55 euros", "name that place");
    quoting("…", "must contain words");
    refused(&met, "needs a quote");
    for (finding, program, reason, cure) in [
        ("open", "reader", "because", "met, partly, gap, not_applicable"),
        ("gap", "  ", "because", "name the program"),
        ("gap", "reader", " ", "a person can check"),
    ] {
        refused(&["--program", program, "--finding", finding, "--reason", reason], cure);
    }
    let elsewhere = ["assess", "propose", &id, "S2.999", "--report", "fernhill"];
    let elsewhere = sibyl.run(&[&elsewhere[..], &met, &["--quote", PRICE]].concat());
    assert!(elsewhere.code != 0 && elsewhere.err.contains("not in the assessment"), "{}", elsewhere.err);
    assert_eq!(sibyl.json(&["assess", "show", &id])["cells"], json!([]), "nothing of it is kept");
}

#[test]
fn a_proposal_decides_nothing_until_a_person_confirms_it() {
    let (sibyl, _folder, id) = with_assessment();
    let by = |program: &str, finding: &str, quote: &str| {
        let words =
            ["--program", program, "--finding", finding, "--reason", "it names the price", "--quote", quote];
        let made = propose(&sibyl, &id, &words);
        assert_eq!(made.code, 0, "{}", made.err);
        made.json()
    };
    let first = by("reader", "partly", "We use an internal\n carbon price of 55 euros");
    let quote = &first["quotes"][0]["pin"];
    assert_eq!(quote["quote"], "We use an internal carbon price of 55 euros", "in the words of the report");
    let (start, end) = (quote["start"].as_u64().unwrap() as usize, quote["end"].as_u64().unwrap() as usize);
    let documents = sibyl.json(&["documents"]);
    let document = documents.as_array().unwrap().iter().find(|one| one["report_id"] == "fernhill").unwrap();
    let library = rusqlite::Connection::open(sibyl.folder().join("library.sibyl")).unwrap();
    let select = "SELECT text FROM document WHERE id = ?1";
    let stored: String = library.query_row(select, [document["id"].as_i64()], |row| row.get(0)).unwrap();
    drop(library);
    assert_eq!(quote["quote"], stored[start..end]);
    let second = by("reader", "met", PRICE);
    by("other", "gap", "The board's sustainability committee");

    let grid = sibyl.json(&["assess", "show", &id]);
    let open = cell(&grid, REQUIREMENTS[0]);
    assert_eq!((&open["status"], &open["proposed_by"]), (&json!("open"), &json!(["other", "reader"])));
    assert_eq!(sibyl.json(&["assess", "list"])[0]["decided"], 0);
    assert_eq!(sibyl.json(&["assess", "show", &id])["waiting"], grid["waiting"], "the run still has to look");
    let view = shown(&sibyl, &id);
    let told: Vec<(&Value, &Value)> =
        list(&view, "programs").iter().map(|one| (&one["program"], &one["finding"])).collect();
    let expected = [(json!("other"), json!("gap")), (json!("reader"), json!("met"))];
    assert!(told.into_iter().eq(expected.iter().map(|(program, finding)| (program, finding))), "{view:#}");
    let screen =
        sibyl.run(&["assess", "show", &id, "--requirement", REQUIREMENTS[0], "--report", "fernhill"]).out;
    assert!(screen.contains("Decision: open") && screen.contains("Proposed by reader"), "{screen}");
    let grid = sibyl.run(&["assess", "show", &id]).out;
    assert!(grid.contains("(proposed by other, reader)"), "{grid}");

    let settle = |what: &str, proposal: &Value, words: &[&str]| {
        sibyl.run(&[&["assess", what, &id, &proposal["id"].to_string(), "--json"][..], words].concat())
    };
    // The reader's first proposal is gone, and nobody confirms the second in its place.
    let gone = settle("confirm", &first, &["--reviewer", "Ada"]);
    assert!(gone.code != 0 && gone.err.contains("has proposed again"), "{}", gone.err);
    let confirmed = settle("confirm", &second, &["--reviewer", "Ada"]);
    assert_eq!(confirmed.json()[0]["status"], "met", "{}", confirmed.err);
    let view = shown(&sibyl, &id);
    let entry = &view["history"][0];
    assert_eq!((&entry["reviewer"], &entry["proposed_by"]), (&json!("Ada"), &json!("reader")));
    assert_eq!(view["review"]["passages"][0]["quote"], PRICE);
    assert_eq!(view["review"]["note"], "it names the price");
    assert_eq!(sibyl.json(&["assess", "list"])[0]["decided"], 1);
    // What is decided afterwards without a program says so.
    let decide = ["assess", "decide", &id, REQUIREMENTS[0], "--report", "fernhill", "--status", "gap"];
    sibyl.json(&[&decide[..], &["--reviewer", "Ben"]].concat());
    assert_eq!(shown(&sibyl, &id)["history"][0].get("proposed_by"), None);

    let other = list(&shown(&sibyl, &id), "programs")[0].clone();
    assert_eq!(settle("dismiss", &other, &[]).code, 0);
    assert_ne!(settle("dismiss", &other, &[]).code, 0);
    let view = shown(&sibyl, &id);
    assert_eq!((&view["programs"], &view["review"]["status"]), (&json!([]), &json!("gap")));
}

#[test]
fn a_quote_says_whether_it_still_stands_and_is_pinned_only_where_it_does() {
    let (sibyl, folder, id) = with_assessment();
    let words = ["--program", "reader", "--finding", "met", "--reason", "a price", "--quote", PRICE];
    let made = propose(&sibyl, &id, &words).json();
    assert_eq!(made["quotes"][0]["pin"]["source"]["changed"], false);
    let confirm = || sibyl.run(&["assess", "confirm", &id, &made["id"].to_string(), "--json"]);
    let standing = || shown(&sibyl, &id)["programs"][0]["quotes"][0]["pin"]["source"].clone();
    write(folder.path(), "fernhill-2024.md", REPORT.replace("55 euros", "70 euros"));
    ingest(&sibyl, &folder);
    let lost = standing();
    assert_eq!((&lost["changed"], &lost["range"]), (&json!(true), &Value::Null), "{lost}");
    let refused = confirm();
    assert!(refused.code != 0 && refused.err.contains("no longer in the report"), "{}", refused.err);
    assert_eq!(sibyl.json(&["assess", "list"])[0]["decided"], 0);

    write(folder.path(), "fernhill-2024.md", REPORT.replace("## Governance", "## How we govern ourselves"));
    ingest(&sibyl, &folder);
    let found = standing();
    let before = made["quotes"][0]["span"][0].as_u64().unwrap();
    let added = "How we govern ourselves".len() as u64 - "Governance".len() as u64;
    assert_eq!(found["range"][0], before + added, "{found}");
    assert_eq!(confirm().code, 0);
    let pin = &shown(&sibyl, &id)["review"]["passages"][0];
    assert_eq!((&pin["quote"], &pin["source"]["changed"]), (&json!(PRICE), &json!(false)));

    propose(&sibyl, &id, &words);
    sibyl.json(&["assess", "delete", &id]);
    let library = rusqlite::Connection::open(sibyl.folder().join("library.sibyl")).unwrap();
    let left: i64 = library.query_row("SELECT count(*) FROM program_proposal", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0, "proposals go with their assessment");
}

#[test]
fn an_agent_makes_the_first_pass_and_decides_nothing() {
    let (sibyl, _folder, id) = with_assessment();
    sibyl.json(&["assess", "run", &id]);
    let assessment: i64 = id.parse().unwrap();
    let mut mcp = Mcp::start(&sibyl, &[]);
    let mut items = Vec::new();
    let mut offset = Some(0);
    while let Some(from) = offset {
        let page =
            mcp.tool("list_open_items", json!({ "assessment": assessment, "offset": from, "limit": 50 }));
        let page = &page["structuredContent"];
        items.extend(list(page, "open").iter().cloned());
        offset = page["next_offset"].as_u64();
        assert!(items.len() as u64 <= page["total"].as_u64().unwrap() && !list(page, "open").is_empty());
    }
    let mut ids: Vec<&str> = items.iter().map(|item| item["requirement"].as_str().unwrap()).collect();
    let count = ids.len();
    ids.dedup();
    assert!(count > 50 && ids.len() == count, "each stands on one page: {count}");
    let price = items.iter().find(|item| item["requirement"] == REQUIREMENTS[0]).unwrap();
    assert!(price["asked"].as_str().unwrap().contains("price"), "{price}");
    assert!(price["first_evidence"]["quote"].as_str().unwrap().contains("55 euros"), "{price}");

    let proposal = |quote: &str| {
        json!({
            "assessment": assessment, "requirement": REQUIREMENTS[0], "report_id": "fernhill", "finding": "met",
            "reason": "It states the price per tonne.", "quotes": [{ "quote": quote }],
        })
    };
    let wrong = mcp.tool("propose_finding", proposal("an internal carbon price of 99 euros"));
    let told = wrong["content"][0]["text"].as_str().unwrap();
    assert!(wrong["isError"] == true && told.contains("exactly as the report has them"), "{wrong}");
    let kept = mcp.tool("propose_finding", proposal(PRICE));
    assert_eq!(kept["structuredContent"]["program"], "doors", "the name that the client gives: {kept}");
    let read = json!({ "assessment": assessment, "requirement": REQUIREMENTS[0], "report_id": "fernhill" });
    let read = mcp.tool("read_requirement", read);
    assert_eq!(read["structuredContent"]["decision"], "open");
    assert_eq!(read["structuredContent"]["proposed"][0]["quotes"][0]["quote"], PRICE);
    let left = mcp.tool("list_open_items", json!({ "assessment": assessment, "unproposed": true }));
    assert_eq!(left["structuredContent"]["total"], count - 1);
    let all = mcp.tool("list_open_items", json!({ "assessment": assessment }));
    assert_eq!(all["structuredContent"]["total"], count, "what is proposed is still open");

    let mut other = Mcp::start(&sibyl, &["--report", "quillmoor"]);
    let refused = other.tool("propose_finding", proposal(PRICE));
    assert!(refused["isError"] == true && refused.to_string().contains("for the report"), "{refused}");
}

#[test]
fn a_token_that_reads_cannot_propose_and_one_that_writes_can() {
    let (sibyl, _folder, id) = with_assessment();
    let assessment: i64 = id.parse().unwrap();
    let proposal = json!({
        "assessment": assessment, "requirement": REQUIREMENTS[0], "report_id": "fernhill", "finding": "met",
        "reason": "It states the price.", "quotes": [{ "quote": PRICE }],
    });
    for (scope, proposes) in [("read", false), ("write", true)] {
        let token = sibyl.run(&["serve", "--new-token", scope]).out.trim().to_owned();
        let mut server = Server::start(&sibyl, &["--allow", "write"]);
        server.token.clone_from(&token);
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "remote reader", "version": "1" },
        });
        let message = |method: &str, params: &Value| {
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
        };
        let token = format!("authorization: Bearer {token}");
        let usual = ["accept: application/json, text/event-stream", "content-type: application/json", &token];
        let send = |extra: &[&str], body: &str| {
            server.exchange("POST", "/mcp", &[&usual[..], extra].concat(), body.as_bytes())
        };
        let begun = send(&[], &message("initialize", &hello));
        let session = format!("mcp-session-id: {}", begun.header("mcp-session-id"));
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
        assert_eq!(send(&[&session], &ready).status, 202);
        let call = json!({ "name": "propose_finding", "arguments": proposal });
        let told = send(&[&session], &message("tools/call", &call)).body;
        assert_eq!(told.contains("\"isError\":false"), proposes, "{scope}: {told}");
        assert_eq!(told.contains("forbidden"), !proposes, "{scope}: {told}");
        let kept = list(&shown(&sibyl, &id), "programs").len();
        assert_eq!(kept, usize::from(proposes), "{scope}");
        // The same through REST.
        let rest = json!({
            "requirement": REQUIREMENTS[0], "report_id": "fernhill", "program": "script", "finding": "gap",
            "reason": "nothing is said of it",
        });
        let answer = server.post(&format!("/api/v1/assessments/{id}/proposals"), &rest);
        assert_eq!(answer.status, if proposes { 200 } else { 403 }, "{scope}: {}", answer.body);
    }
    let programs = shown(&sibyl, &id);
    let names: Vec<&Value> = list(&programs, "programs").iter().map(|one| &one["program"]).collect();
    assert_eq!(names, ["remote reader", "script"]);
}
