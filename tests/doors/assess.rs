//! Assessments, through every door: what is proposed, what is decided, what is handed over.

use crate::{text, write};
use serde_json::{Value, json};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Mcp, Server};
use std::io::Read as _;

const QUILLMOOR: &str = "---\nissuer: Quillmoor Mills\nyear: 2024\n---\n# Quillmoor Mills climate report 2024\n\n\
    ## Governance\n\nThe board's sustainability committee oversees climate-related risks and opportunities. Its terms of \
    reference set out these responsibilities, and the committee is informed about climate-related risks every quarter.\n\n\
    ## Carbon price\n\nWe use an internal carbon price of 55 euros per tonne of greenhouse gas emissions when we decide on \
    investments.\n\n## Independent assurance statement\n\nWe have verified that the company has the appropriate skills and \
    competencies to oversee climate-related strategies.\n\n## Glossary\n\nCarbon credit: an emissions unit that a programme \
    issues.\n";
const SCOPE: [&str; 3] = ["--standard", "ifrs_s2", "--mandatory"];

fn with_report() -> (Sibyl, tempfile::TempDir) {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "quillmoor-2024.md", QUILLMOOR);
    ingest(&sibyl, &folder);
    (sibyl, folder)
}

fn ingest(sibyl: &Sibyl, folder: &tempfile::TempDir) {
    let path = folder.path().join("quillmoor-2024.md");
    sibyl.json(&["ingest", text(&path), "--source-type", "report", "--report-id", "quillmoor", "--no-embed"]);
}

fn made(sibyl: &Sibyl) -> String {
    let words = [&["assess", "new", "FY2024", "--report", "quillmoor"][..], &SCOPE].concat();
    sibyl.json(&words)["id"].to_string()
}

/// The cell of `requirement`.
fn cell(grid: &Value, requirement: &str) -> Value {
    let row = grid["rows"].as_array().unwrap().iter().position(|row| row["id"] == requirement).unwrap();
    let cells = grid["cells"].as_array().unwrap();
    cells.iter().find(|cell| cell["row"] == row).cloned().unwrap_or_default()
}

#[test]
fn what_cannot_be_assessed_is_refused_with_the_cure() {
    let (sibyl, _folder) = with_report();
    let refused = |words: &[&str], cure: &str| {
        let ended = sibyl.run(&[&["assess", "new"], words].concat());
        assert!(ended.code != 0 && ended.err.contains(cure), "{words:?}: {}", ended.err);
    };
    refused(&["  ", "--report", "quillmoor", "--standard", "ifrs_s2"], "needs a name");
    refused(&["a", "--report", "nobody", "--standard", "ifrs_s2"], "add it to the library");
    refused(&["a", "--report", "quillmoor", "--standard", "ifrs_s9"], "lists the standards");
    refused(&["a", "--report", "quillmoor", "--industry", "IF-ZZ"], "lists the standards");
    refused(&["a", "--report", "quillmoor"], "nothing is in scope");
    refused(&["a", "--report", "quillmoor", "--standard", "ifrs_s2", "--leave-out", "S2.7"], "ID=REASON");
    made(&sibyl);
    refused(&["FY2024", "--report", "quillmoor", "--standard", "ifrs_s2"], "choose another name");
}

#[test]
fn an_assessment_is_named_by_its_name_or_number() {
    let (sibyl, _folder) = with_report();
    let show = |named: &str| sibyl.run(&["assess", "show", named, "--json"]);
    assert!(show("FY2024").err.contains("sibyl assess new"), "there is none yet");
    let id = made(&sibyl);
    assert_eq!(show("FY2024").json()["assessment"]["id"].to_string(), id);
    assert_eq!(show(&id).json()["assessment"]["name"], "FY2024");
    let unknown = show("FY2025");
    assert!(unknown.code != 0 && unknown.err.contains(&format!("{id} (FY2024)")), "{}", unknown.err);
    let deleted = sibyl.run(&["assess", "delete", "FY2024"]);
    assert_eq!(deleted.code, 0, "{}", deleted.err);
}

#[test]
fn a_scope_counts_what_it_holds_and_leaves_out_what_it_is_told_to() {
    let (sibyl, _folder) = with_report();
    let count = |words: &[&str]| {
        let all = [&["assess", "scope", "--report", "quillmoor", "--standard", "ifrs_s2"], words].concat();
        sibyl.json(&all)["requirements"].as_u64().unwrap()
    };
    let (items, paragraphs) = (count(&["--mandatory"]), count(&["--mandatory", "--paragraphs"]));
    assert!(items > paragraphs && paragraphs > 20, "{items} items of {paragraphs} paragraphs");
    // S2.14(a) has five items, (b) and (c) none.
    assert_eq!(count(&["--mandatory", "--leave-out", "S2.14=asked elsewhere"]), items - 7);
    let metrics = count(&["--mandatory", "--industry", "TR-AL"]) - items;
    let found = sibyl.json(&["assess", "scope", "--report", "quillmoor"]);
    let airlines = found["industries"].as_array().unwrap().iter().find(|one| one["code"] == "TR-AL").unwrap();
    assert_eq!(airlines["metrics"], metrics);
}

#[test]
fn a_run_proposes_and_only_what_changed_is_run_again() {
    let (sibyl, folder) = with_report();
    let id = made(&sibyl);
    let before = sibyl.json(&["assess", "show", &id]);
    let waiting = before["waiting"].as_u64().unwrap();
    assert!(waiting > 50 && before["cells"] == json!([]), "{waiting}");
    let run = sibyl.json(&["assess", "run", &id]);
    assert_eq!(run["made"], waiting);
    let sum: u64 = ["evidence", "partial", "nothing"].iter().map(|name| run[name].as_u64().unwrap()).sum();
    assert_eq!(sum, waiting);
    let again = sibyl.json(&["assess", "run", &id]);
    assert_eq!((&again["made"], &again["unchanged"]), (&json!(0), &json!(waiting)));

    let show = |requirement: &str| {
        sibyl.json(&["assess", "show", &id, "--requirement", requirement, "--report", "quillmoor"])
    };
    let price = show("S2.29(f)(ii)");
    let quote = price["proposal"]["evidence"][0]["quote"].as_str().unwrap_or_default();
    assert!(quote.contains("55 euros"), "{:#}", price["proposal"]);
    // What an auditor says is no evidence of the board's skills.
    let told = show("S2.6(a)(ii)")["proposal"]["evidence"].to_string();
    assert!(!told.contains("We have verified"), "{told}");

    write(folder.path(), "quillmoor-2024.md", QUILLMOOR.replace("55 euros", "70 euros"));
    ingest(&sibyl, &folder);
    let grid = sibyl.json(&["assess", "show", &id]);
    assert_eq!(grid["waiting"], waiting, "the report says something else now");
    assert_eq!(sibyl.json(&["assess", "run", &id])["made"], waiting);
    assert!(show("S2.29(f)(ii)")["proposal"]["evidence"].to_string().contains("70 euros"));
}

#[test]
fn decisions_stand_are_told_by_whom_and_are_the_ones_that_standards_shows() {
    let (sibyl, _folder) = with_report();
    let id = made(&sibyl);
    let decide = |requirements: &[&str], words: &[&str]| {
        let all = [&["assess", "decide", &id], requirements, &["--report", "quillmoor"], words].concat();
        sibyl.run(&[&all[..], &["--json"]].concat())
    };
    let one = decide(&["S2.6(a)(i)"], &["--status", "met", "--reviewer", "Ada", "--note", "p. 3"]);
    assert_eq!(one.code, 0, "{}", one.err);
    let refused = decide(&["S2.6(a)(i)", "S2.6(a)(ii)"], &["--status", "not_applicable"]);
    assert!(refused.code != 0 && refused.err.contains("needs a reason"), "{}", refused.err);
    let unknown = decide(&["S2.999"], &["--status", "met"]);
    assert!(unknown.code != 0 && unknown.err.contains("not in the assessment"), "{}", unknown.err);
    let both =
        decide(&["S2.6(b)(i)", "S2.6(b)(ii)"], &["--status", "not_applicable", "--note", "no such roles"]);
    assert_eq!(both.json().as_array().unwrap().len(), 2);

    let grid = sibyl.json(&["assess", "show", &id]);
    let first = cell(&grid, "S2.6(a)(i)");
    assert_eq!(
        (&first["status"], &first["reviewer"], &first["disputed"]),
        (&json!("met"), &json!("Ada"), &json!(false))
    );
    decide(&["S2.6(a)(i)"], &["--status", "gap", "--reviewer", "Ben"]);
    let second = cell(&sibyl.json(&["assess", "show", &id]), "S2.6(a)(i)");
    assert_eq!((&second["status"], &second["disputed"]), (&json!("gap"), &json!(true)), "none is lost");
    let shown = sibyl.json(&["assess", "show", &id, "--requirement", "S2.6(a)(i)", "--report", "quillmoor"]);
    let history: Vec<&Value> =
        shown["history"].as_array().unwrap().iter().map(|one| &one["reviewer"]).collect();
    assert_eq!(history, ["Ben", "Ada"]);
    assert_eq!(shown["review"]["note"], "p. 3", "a decision without words keeps those that stand");
    let list = sibyl.json(&["assess", "list"]);
    assert_eq!((&list[0]["name"], &list[0]["decided"]), (&json!("FY2024"), &json!(3)));

    let server = Server::start(&sibyl, &["--allow", "read"]);
    let reviews: Value = server.get("/api/v1/reviews?report_id=quillmoor");
    assert_eq!(reviews.as_array().unwrap().len(), 3);
    let grid: Value = server.get(&format!("/api/v1/assessments/{id}"));
    assert_eq!(cell(&grid, "S2.6(b)(ii)")["status"], "not_applicable");
    sibyl.json(&["assess", "delete", &id]);
    assert_eq!(sibyl.json(&["assess", "list"]), json!([]));
    assert_eq!(server.get("/api/v1/reviews?report_id=quillmoor").as_array().unwrap().len(), 3);
}

#[test]
fn packs_hold_what_was_decided_and_say_when_the_library_no_longer_agrees() {
    let (sibyl, folder) = with_report();
    let id = made(&sibyl);
    sibyl.json(&["assess", "run", &id]);
    let words = ["--report", "quillmoor", "--status", "met", "--note", "=1+1", "--reviewer", "Ada", "--pin"];
    sibyl.json(&[&["assess", "decide", &id, "S2.29(f)(ii)"][..], &words].concat());
    let export = |format: &str| {
        let out = folder.path().join(format!("pack.{format}"));
        sibyl.json(&["assess", "export", &id, "--format", format, "--out", text(&out)]);
        std::fs::read(out).unwrap()
    };
    let part = |bytes: &[u8], name: &str| {
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes.to_vec())).unwrap();
        let mut out = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut out).unwrap();
        out
    };
    let words = part(&export("xlsx"), "xl/sharedStrings.xml");
    assert!(words.contains("55 euros") && words.contains("=1+1") && words.contains("Ada"));
    let document = part(&export("docx"), "word/document.xml");
    assert!(document.contains("55 euros") && document.contains("S2.29(f)(ii)"));
    let page = String::from_utf8(export("html")).unwrap();
    assert!(
        page.contains("55 euros") && page.contains("=1+1") && !page.contains("http"),
        "it asks no network"
    );
    for words in [&words, &document, &page] {
        assert!(words.contains("IFRS S2 as issued in June 2023"), "a pack names the edition");
    }
    let pack: Value = serde_json::from_slice(&export("json")).unwrap();
    assert_eq!(pack["reports"][0]["files"][0]["sha256"].as_str().unwrap().len(), 64);

    let json = folder.path().join("pack.json");
    let check = |file: &std::path::Path| sibyl.run(&["assess", "verify", text(file), "--json"]);
    let sound = check(&json);
    assert_eq!((sound.code, &sound.json()["agrees"]), (0, &json!(true)));
    // A quotation that somebody changed.
    let forged = folder.path().join("forged.json");
    std::fs::write(&forged, pack.to_string().replace("55 euros", "5 euros")).unwrap();
    let faults = check(&forged);
    assert!(faults.code != 0 && faults.json()["faults"].to_string().contains("does not occur in"));
    // Somebody else's name, and another time.
    std::fs::write(&forged, pack.to_string().replace("\"Ada\"", "\"Eve\"")).unwrap();
    let told = check(&forged).json()["faults"].to_string();
    assert!(told.contains("reviewer: the pack says `Eve`, the library `Ada`"), "{told}");
    let decided = |cell: &&Value| cell["decided_at"].is_string();
    let cells = pack["requirements"].as_array().unwrap().iter();
    let one = cells.flat_map(|one| one["cells"].as_array().unwrap()).find(decided).unwrap();
    let at = one["decided_at"].as_str().unwrap();
    std::fs::write(&forged, pack.to_string().replace(at, "2025-01-01T00:00:00Z")).unwrap();
    let told = check(&forged).json()["faults"].to_string();
    assert!(told.contains("time of the decision") && told.contains("log: "), "{told}");
    // A library that does not have it: reported once, and not as a difference of each decision.
    let empty = Sibyl::with_words();
    ingest(&empty, &folder);
    let told = empty.run(&["assess", "verify", text(&json), "--json"]).json()["faults"].clone();
    assert_eq!(told.as_array().unwrap().len(), 1, "{told}");
    assert!(told[0]["what"].as_str().unwrap().contains("1 decision of the pack is not in the library"));
    // A decision that was changed since.
    sibyl.json(&["assess", "decide", &id, "S2.29(f)(ii)", "--report", "quillmoor", "--status", "gap"]);
    let faults = check(&json);
    assert!(faults.code != 0 && faults.json()["faults"].to_string().contains("`Gap`"), "{}", faults.out);
    // A report that was changed since.
    write(folder.path(), "quillmoor-2024.md", QUILLMOOR.replace("quarter", "month"));
    ingest(&sibyl, &folder);
    assert!(check(&json).json()["faults"].to_string().contains("other bytes"));
    let no_pack = folder.path().join("quillmoor-2024.md");
    let refused = check(&no_pack);
    assert!(refused.code != 0 && refused.err.contains("no pack"), "{}", refused.err);
}

#[test]
fn packs_and_tables_say_what_became_of_a_source() {
    let (sibyl, folder) = with_report();
    let id = made(&sibyl);
    sibyl.json(&["assess", "run", &id]);
    let words = ["--report", "quillmoor", "--status", "met", "--reviewer", "Ada", "--pin"];
    sibyl.json(&[&["assess", "decide", &id, "S2.29(f)(ii)"][..], &words].concat());
    // The same in the library of somebody who reads with a spreadsheet, and on the screen.
    let told = || {
        let packs = ["xlsx", "docx", "html", "json"].map(|format| {
            let out = folder.path().join(format!("pack.{format}"));
            sibyl.json(&["assess", "export", &id, "--format", format, "--out", text(&out)]);
            let bytes = std::fs::read(out).unwrap();
            let inside = match format {
                "xlsx" => "xl/sharedStrings.xml",
                "docx" => "word/document.xml",
                _ => return String::from_utf8(bytes).unwrap(),
            };
            let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
            let mut out = String::new();
            archive.by_name(inside).unwrap().read_to_string(&mut out).unwrap();
            out
        });
        let one = ["assess", "show", &id, "--requirement", "S2.29(f)(ii)", "--report", "quillmoor"];
        let screen = sibyl.run(&one).out;
        let table = Opened::at(sibyl.folder()).call("default", "review.export", json!({})).unwrap();
        let table = table["text"].as_str().unwrap().to_owned();
        packs.into_iter().chain([screen, table]).collect::<Vec<_>>()
    };
    let grid = || sibyl.run(&["assess", "show", &id]).out;
    assert!(told().iter().all(|text| text.contains("55 euros") && !text.contains("the source has changed")));
    assert!(!grid().contains("has changed since"));
    for (words, others, says) in [
        ("quarter", "month", "the source has changed since, and still has these words"),
        ("55 euros", "60 euros", "the source has changed since, and no longer has these words"),
    ] {
        let path = folder.path().join("quillmoor-2024.md");
        let report = std::fs::read_to_string(&path).unwrap().replace(words, others);
        write(folder.path(), "quillmoor-2024.md", report);
        ingest(&sibyl, &folder);
        for text in told() {
            assert!(text.contains("55 euros") && text.contains(says), "{says}: {text}");
        }
        assert!(grid().contains("met*") && grid().contains("has changed since"), "{}", grid());
    }
}

#[test]
fn two_reviewers_are_told_how_far_they_agree_and_what_to_settle() {
    let (sibyl, folder) = with_report();
    let id = made(&sibyl);
    for (who, status, requirements) in [
        ("Ada", "met", &["S2.29(f)(ii)", "S2.10(a)"][..]),
        ("Ada", "gap", &["S2.10(b)", "S2.10(c)"]),
        ("Bo", "met", &["S2.29(f)(ii)", "S2.10(a)", "S2.10(b)"]),
        ("Bo", "gap", &["S2.10(c)"]),
    ] {
        let words = ["--report", "quillmoor", "--status", status, "--reviewer", who];
        sibyl.json(&[&["assess", "decide", &id][..], requirements, &words].concat());
    }
    let grid = sibyl.json(&["assess", "show", &id]);
    // Three of four agree, where chance gives .5 × .75 + .5 × .25.
    assert_eq!(
        grid["agreements"],
        json!([{ "reviewers": ["Ada", "Bo"], "both": 4, "alike": 3, "kappa": 0.5 }])
    );
    assert_eq!(cell(&grid, "S2.10(b)")["disputed"], true);
    let screen = sibyl.run(&["assess", "show", &id]).out;
    assert!(screen.contains("Ada and Bo agree on 3 of 4 (kappa 0.50)"), "{screen}");
    assert!(
        screen.contains("to settle: S2.10(b) in quillmoor") && !screen.contains("settle: S2.10(c)"),
        "{screen}"
    );
    let out = folder.path().join("pack.html");
    sibyl.json(&["assess", "export", &id, "--format", "html", "--out", text(&out)]);
    assert!(std::fs::read_to_string(out).unwrap().contains("Ada and Bo agree on 3 of 4 decisions"));
}

#[test]
fn decisions_of_a_pack_are_taken_into_another_library_and_overwrite_nothing() {
    let (ours, folder) = with_report();
    let id = made(&ours);
    ours.json(&["assess", "run", &id]);
    let decide = |sibyl: &Sibyl, id: &str, requirement: &str, words: &[&str]| {
        let of = ["assess", "decide", id, requirement, "--report", "quillmoor"];
        sibyl.json(&[&of[..], words].concat());
    };
    decide(&ours, &id, "S2.29(f)(ii)", &["--status", "met", "--note", "p. 3", "--reviewer", "Ada", "--pin"]);
    decide(&ours, &id, "S2.6(a)(i)", &["--status", "gap", "--reviewer", "Ada"]);
    decide(&ours, &id, "S2.6(a)(ii)", &["--status", "gap", "--reviewer", "Bo"]);
    decide(&ours, &id, "S2.6(a)(ii)", &["--status", "partly", "--reviewer", "Ada"]);
    let pack = folder.path().join("pack.json");
    ours.json(&["assess", "export", &id, "--format", "json", "--out", text(&pack)]);
    let import = |sibyl: &Sibyl| sibyl.run(&["assess", "import", text(&pack), "--json"]);

    // The same bytes under another id; no such assessment yet.
    let theirs = Sibyl::with_words();
    let nothing = import(&theirs);
    assert!(
        nothing.code != 0 && nothing.json()["missing"] == json!(["Quillmoor Mills 2024 (quillmoor-2024.md)"]),
        "{}",
        nothing.out
    );
    let path = folder.path().join("quillmoor-2024.md");
    theirs.json(&["ingest", text(&path), "--source-type", "report", "--report-id", "mill", "--no-embed"]);
    let words = [&["assess", "new", "Own", "--report", "mill"][..], &SCOPE].concat();
    let own = theirs.json(&words)["id"].to_string();
    let of =
        ["assess", "decide", &own, "S2.6(a)(i)", "--report", "mill", "--status", "met", "--reviewer", "Ben"];
    theirs.json(&of);
    let first = import(&theirs);
    let told = first.json();
    assert_eq!((first.code, &told["made"], &told["taken"]), (1, &json!(true), &json!(2)), "{told}");
    let conflict = &told["conflicts"][0];
    assert_eq!(
        (&conflict["requirement"], &conflict["here"], &conflict["there"], &conflict["reviewer"]),
        (&json!("S2.6(a)(i)"), &json!("met"), &json!("gap"), &json!("Ada"))
    );
    let grid = theirs.json(&["assess", "show", &told["assessment"].to_string()]);
    assert_eq!(cell(&grid, "S2.6(a)(i)")["status"], "met", "nothing is overwritten");
    assert_eq!(cell(&grid, "S2.6(a)(ii)")["status"], "partly");
    let taken = cell(&grid, "S2.29(f)(ii)");
    assert_eq!((&taken["status"], &taken["reviewer"]), (&json!("met"), &json!("Ada")));
    let reviews =
        Opened::at(theirs.folder()).call("default", "review.list", json!({ "report_id": "mill" })).unwrap();
    let review =
        reviews.as_array().unwrap().iter().find(|one| one["paragraph_id"] == "S2.29(f)(ii)").unwrap();
    assert!(
        review["note"] == "p. 3" && review["passages"][0]["quote"].as_str().unwrap().contains("55 euros")
    );
    // Reviewer, time and earlier decisions come along.
    let log = |sibyl: &Sibyl, id: &str, report: &str| {
        let of = ["assess", "show", id, "--requirement", "S2.6(a)(ii)", "--report", report];
        let shown = sibyl.json(&of);
        let one = |one: &Value| (one["reviewer"].clone(), one["status"].clone(), one["at"].clone());
        shown["history"].as_array().unwrap().iter().map(one).collect::<Vec<_>>()
    };
    let came = log(&theirs, &told["assessment"].to_string(), "mill");
    assert_eq!(came, log(&ours, &id, "quillmoor"));
    let told_twice: Vec<&Value> = came.iter().map(|(_, status, _)| status).collect();
    assert_eq!(told_twice, [&json!("partly"), &json!("gap")]);
    // Again: everything is there, and the difference is reported again.
    let again = import(&theirs).json();
    assert_eq!((&again["taken"], &again["same"], &again["made"]), (&json!(0), &json!(2), &json!(false)));
    // A file that somebody changed is refused, and nothing of it is imported.
    let words = std::fs::read_to_string(&pack).unwrap();
    std::fs::write(&pack, words.replace("55 euros", "5 euros")).unwrap();
    let fresh = Sibyl::with_words();
    ingest(&fresh, &folder);
    let forged = import(&fresh);
    assert!(forged.code != 0 && forged.err.contains("does not occur there"), "{}", forged.err);
    let reviews = Opened::at(fresh.folder()).call("default", "review.list", json!({})).unwrap();
    assert_eq!(reviews, json!([]));
    assert_eq!(fresh.json(&["assess", "list"]), json!([]), "nor is the assessment made");
}

#[test]
fn an_agent_reads_what_is_open_and_what_speaks_for_it() {
    let (sibyl, folder) = with_report();
    let other = folder.path().join("other.md");
    std::fs::write(&other, "# Other\n\nWe use an internal carbon price of 70 euros per tonne.\n").unwrap();
    sibyl.json(&["ingest", text(&other), "--source-type", "report", "--report-id", "other", "--no-embed"]);
    let words =
        [&["assess", "new", "FY2024", "--report", "quillmoor", "--report", "other"][..], &SCOPE].concat();
    let id = sibyl.json(&words)["id"].to_string();
    sibyl.json(&["assess", "run", &id]);
    let of = [
        "assess",
        "decide",
        &id,
        "S2.6(a)(i)",
        "--report",
        "quillmoor",
        "--status",
        "gap",
        "--reviewer",
        "Ada",
    ];
    sibyl.json(&of);
    let id: i64 = id.parse().unwrap();

    let mut mcp = Mcp::start(&sibyl, &[]);
    let told = mcp.tool("list_assessments", json!({}))["structuredContent"].clone();
    let known = &told["assessments"][0];
    assert_eq!(
        (&known["name"], &known["decided"], &known["assessment"]),
        (&json!("FY2024"), &json!(1), &json!(id))
    );
    let open =
        mcp.tool("read_assessment", json!({ "assessment": id, "limit": 1 }))["structuredContent"].clone();
    assert_eq!(open["total"].as_u64().unwrap() + 1, known["cells"].as_u64().unwrap());
    assert_eq!(open["cells"].as_array().unwrap().len(), 1);
    let decided =
        mcp.tool("read_assessment", json!({ "assessment": id, "which": "decided" }))["structuredContent"]
            .clone();
    let cell = &decided["cells"][0];
    assert_eq!(
        (&cell["requirement"], &cell["decision"], &cell["reviewer"], &decided["total"]),
        (&json!("S2.6(a)(i)"), &json!("gap"), &json!("Ada"), &json!(1))
    );
    let wanted = json!({ "assessment": id, "requirement": "S2.29(f)(ii)", "report_id": "quillmoor" });
    let read = mcp.tool("read_requirement", wanted)["structuredContent"].clone();
    assert_eq!((&read["decision"], &read["proposal"]), (&json!("open"), &json!("evidence")));
    let passage = &read["evidence"][0];
    assert!(
        passage["quote"].as_str().unwrap().contains("55 euros") && passage["document"] == "quillmoor-2024.md"
    );
    let wrong = mcp
        .tool("read_requirement", json!({ "assessment": id, "requirement": "S9.1", "report_id": "other" }));
    assert!(
        wrong["isError"] == true && wrong["content"][0]["text"].as_str().unwrap().starts_with("not_found"),
        "{wrong}"
    );

    // The report of a session applies, whatever an agent asks for.
    let mut held = Mcp::start(&sibyl, &["--report", "other"]);
    let asked = json!({ "assessment": id, "report_id": "quillmoor", "which": "all", "limit": 500 });
    let cells = held.tool("read_assessment", asked)["structuredContent"]["cells"].clone();
    assert!(!cells.as_array().unwrap().is_empty());
    assert!(cells.as_array().unwrap().iter().all(|cell| cell["report_id"] == "other"), "{cells}");
    let wanted = json!({ "assessment": id, "requirement": "S2.29(f)(ii)", "report_id": "quillmoor" });
    assert!(!held.tool("read_requirement", wanted).to_string().contains("55 euros"));
}
