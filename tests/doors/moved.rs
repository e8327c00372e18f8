//! Documents whose file moved or changed, and what cites them: through the command line, REST and MCP.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Mcp, Server};
use std::fs;

const PLAN: &str = "# Sollentuna harbour plan\n\nThe harbour will connect 14 quays to shore power by 2029.\n";
const FIRST: &str = "# Report of Fallow Mills\n\nGross emissions of Fallow Mills were 4,812 tonnes in 2023.\n\n\
    ## People\n\nFallow Mills employs 310 people.\n";
const SECOND: &str = "# Report of Fallow Mills\n\nGross emissions of Fallow Mills were 5,977 tonnes in 2023, restated.\n\n\
    ## People\n\nFallow Mills employs 322 people.\n";

/// The words of `text` from one UTF-16 code unit to another.
fn words(text: &Value, range: &Value) -> String {
    let units: Vec<u16> = text.as_str().unwrap().encode_utf16().collect();
    let at = |end: usize| range[end].as_u64().unwrap() as usize;
    String::from_utf16(&units[at(0)..at(1)]).unwrap()
}

#[test]
fn a_renamed_file_in_a_watched_folder_keeps_what_people_added() {
    let sibyl = Sibyl::with_instant_vectors();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "w/plan.md", PLAN);
    let w = folder.path().join("w");
    sibyl.run(&["watch", "add", text(&w), "--corpus", "reports"]);
    sibyl.json(&["watch", "run", "1"]);
    let before = sibyl.json(&["documents", "--corpus", "reports"])[0].clone();
    let id = before["id"].as_i64().unwrap();
    let corrected = ["--title", "Harbour plan 2029", "--issuer", "Port of Sollentuna"];
    sibyl.json(&[&["documents", "correct", &id.to_string()][..], &corrected].concat());
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let chunk = call("chunk.list", json!({ "document": id }))[0]["row"]["chunk_id"].clone();
    call("phrasing.add", json!({ "id": chunk, "phrase": "cold ironing" }));
    let quote = "The harbour will connect 14 quays to shore power by 2029.";
    let read = call("document.get", json!({ "id": id }))["text"].as_str().unwrap().to_owned();
    let start = read.find(quote).unwrap();
    let passage = json!({
        "text_version": before["text_version"], "path": "plan.md", "start": start, "end": start + quote.len(),
        "quote": quote, "before": "", "after": "", "page": null,
    });
    call(
        "review.put",
        json!({
            "report_id": before["report_id"], "paragraph_id": "S2.29(a)", "status": "partly", "note": "14 quays",
            "passages": [passage], "updated_at": "",
        }),
    );
    let asked =
        sibyl.json(&["ask", "How many quays will the harbour connect to shore power?", "--threshold", "0"]);
    assert!(asked["answer"].as_str().unwrap().contains("14 quays"), "{asked}");

    fs::rename(w.join("plan.md"), w.join("Harbour plan final.md")).unwrap();
    let job = sibyl.json(&["watch", "run", "1"]);
    let notice = list(&job["report"], "notices").iter().find(|notice| notice["code"] == "moved").unwrap();
    assert_eq!(notice["path"], "Harbour plan final.md");
    assert_eq!(job["file_list"][0]["moved_from"], "plan.md");
    let documents = sibyl.json(&["documents", "--corpus", "reports"]);
    assert_eq!(documents.as_array().unwrap().len(), 1, "{documents}");
    let after = &documents[0];
    assert_eq!((&after["id"], &after["report_id"]), (&before["id"], &before["report_id"]));
    assert_eq!(
        (&after["title"], &after["issuer"]),
        (&json!("Harbour plan 2029"), &json!("Port of Sollentuna"))
    );
    assert_eq!(after["path"], "Harbour plan final.md");
    let kept = call("chunk.get", json!({ "chunk_id": chunk }));
    assert_eq!(
        (&kept["added_phrases"], &kept["row"]["document_id"]),
        (&json!(["cold ironing"]), &before["id"])
    );
    let reviews = call("review.list", json!({ "report_id": after["report_id"] }));
    let source = &reviews[0]["passages"][0]["source"];
    assert_eq!((&source["changed"], &source["document_id"]), (&json!(false), &before["id"]));

    let listed = sibyl.json(&["answers"]);
    let entry = &listed["entries"][0];
    assert_eq!(entry["source_changed"], false);
    let answer = sibyl.json(&["answers", "show", &entry["id"].to_string()])["answer"].clone();
    let citation = &answer["citations"][0];
    assert_eq!(
        (&citation["source"]["changed"], &citation["source"]["document_id"]),
        (&json!(false), &before["id"])
    );
    call("document.get", json!({ "id": citation["document_id"] }));
    call("chunk.get", json!({ "chunk_id": citation["chunk_id"] }));
    assert_eq!(sibyl.run(&["doctor"]).code, 0);
}

/// A library in which an answer cites the first text of a report that has a second one since, with its number.
fn with_a_changed_report() -> (Sibyl, tempfile::TempDir, String) {
    let sibyl = Sibyl::with_instant_vectors();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "fallow report.md", FIRST);
    let file = folder.path().join("fallow report.md");
    let ingest = ["ingest", text(&file), "--source-type", "report"];
    sibyl.json(&ingest);
    let asked =
        sibyl.json(&["ask", "What were the gross emissions of Fallow Mills in 2023?", "--threshold", "0"]);
    assert!(asked["answer"].as_str().unwrap().contains("4,812"), "{asked}");
    let number = sibyl.json(&["answers"])["entries"][0]["id"].to_string();
    fs::write(&file, SECOND).unwrap();
    sibyl.json(&ingest);
    (sibyl, folder, number)
}

#[test]
fn an_old_answer_says_that_its_source_changed_and_opens_the_text_that_it_was_made_from() {
    let (sibyl, _folder, number) = with_a_changed_report();
    assert_eq!(sibyl.json(&["answers"])["entries"][0]["source_changed"], true);
    assert!(sibyl.run(&["answers"]).out.contains("* a source has changed since"));
    let shown = sibyl.run(&["answers", "show", &number]).out;
    assert!(shown.contains("(the source changed since): ") && shown.contains("4,812"), "{shown}");
    for (format, said) in [
        ("markdown", "(the source changed since): “Gross emissions"),
        ("csv", "(the source changed since)"),
        ("jsonl", "\"source_changed\":true"),
    ] {
        let log = sibyl.run(&["answers", "export", "--format", format]).out;
        assert!(log.contains(said), "{format}: {log}");
    }
    let replay = sibyl.json(&["answers", "replay", &number]);
    assert_eq!(
        (&replay["source_changed"], &replay["settings_changed"]),
        (&json!(true), &json!(false)),
        "{replay}"
    );
    let moved = list(&replay, "passages").iter().find(|passage| passage["source_changed"] == true).unwrap();
    assert!(moved["why"].as_str().unwrap().starts_with("the source changed"), "{moved}");
    let told = sibyl.run(&["answers", "replay", &number]).out;
    assert!(told.contains("A source that the answer cites has changed since."), "{told}");

    // REST and MCP give the same.
    let server = Server::start(&sibyl, &[]);
    let entry = server.get(&format!("/api/v1/answers/{number}"));
    let mut mcp = Mcp::start(&sibyl, &[]);
    let resource = mcp.ask("resources/read", json!({ "uri": format!("sibyl://answers/{number}") }));
    let told: Value = serde_json::from_str(resource["contents"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(told, entry);
    assert_eq!(
        (&entry["answer"]["source_changed"], &entry["entry"]["source_changed"]),
        (&json!(true), &json!(true))
    );

    // The marked words are those of the quote, in the cited text.
    let citation = &entry["answer"]["citations"][0];
    let source = &citation["source"];
    assert_eq!(
        (&source["changed"], &source["kept"], &source["range"]),
        (&json!(true), &json!(true), &Value::Null)
    );
    let (id, version) = (citation["document_id"].to_string(), citation["text_version"].as_str().unwrap());
    let (start, end) = (&citation["span"][0], &citation["span"][1]);
    let former = server.get(&format!("/api/v1/documents/{id}/versions/{version}?start={start}&end={end}"));
    assert_eq!(words(&former["text"], &citation["span"]), citation["quote"].as_str().unwrap());
    assert!(former["replaced_at"].is_string() && former["now"].is_null(), "the quote stands there no longer");
    let resource = format!("sibyl://documents/{id}/versions/{version}");
    let resource = mcp.ask("resources/read", json!({ "uri": resource }));
    assert_eq!(resource["contents"][0]["text"], former["text"]);
    drop((server, mcp));
    let checked = sibyl.json(&["doctor"])["checked"].to_string();
    assert!(checked.contains("1 former texts that something cites"), "{checked}");

    // What nothing cites any more is not kept.
    let library = Opened::at(sibyl.folder());
    library.call("default", "answer.log.clear", json!({})).unwrap();
    let query = json!({ "id": citation["document_id"], "text_version": version });
    let gone = library.call("default", "document.version", query).unwrap_err();
    assert!(gone.message.contains("as long as an answer"), "{}", gone.message);
}

#[test]
fn a_quote_that_still_stands_is_found_in_the_new_text() {
    let (sibyl, folder, number) = with_a_changed_report();
    let file = folder.path().join("fallow report.md");
    let longer = FIRST.replace(
        "# Report of Fallow Mills\n",
        "# Report of Fallow Mills\n\nThe mills are older than the town.\n",
    );
    fs::write(&file, longer).unwrap();
    sibyl.json(&["ingest", text(&file), "--source-type", "report"]);
    let answer = sibyl.json(&["answers", "show", &number])["answer"].clone();
    let citation = &answer["citations"][0];
    assert_eq!(citation["source"]["changed"], true);
    let library = Opened::at(sibyl.folder());
    let now = library.call("default", "document.get", json!({ "id": citation["document_id"] })).unwrap();
    assert_ne!(citation["source"]["range"], citation["span"]);
    assert_eq!(words(&now["text"], &citation["source"]["range"]), citation["quote"].as_str().unwrap());

    // The first text, restored, is the cited one.
    fs::write(&file, FIRST).unwrap();
    sibyl.json(&["ingest", text(&file), "--source-type", "report"]);
    let answer = sibyl.json(&["answers", "show", &number])["answer"].clone();
    assert_eq!(
        (&answer["source_changed"], &answer["citations"][0]["source"]["changed"]),
        (&json!(false), &json!(false))
    );
}

#[test]
fn who_edits_and_renames_a_file_says_that_it_is_the_same_document() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "w/plan.md", PLAN);
    write(folder.path(), "w/other.md", FIRST);
    let w = folder.path().join("w");
    let ingest = ["ingest", text(&w), "--corpus", "reports", "--source-type", "report"];
    sibyl.json(&ingest);
    assert!(sibyl.run(&["documents", "same"]).out.contains("No document looks like one whose file is gone"));
    let documents = sibyl.json(&["documents", "--corpus", "reports"]);
    let former =
        documents.as_array().unwrap().iter().find(|one| one["path"] == "plan.md").unwrap()["id"].to_string();
    sibyl.json(&["documents", "correct", &former, "--issuer", "Port of Sollentuna"]);

    fs::remove_file(w.join("plan.md")).unwrap();
    write(folder.path(), "w/plan 2031.md", PLAN.replace("by 2029", "by 2031"));
    let told = sibyl.run(&ingest).out;
    assert!(told.contains("looks like `plan.md`, whose file is gone"), "{told}");
    let alike = sibyl.json(&["documents", "same"]);
    assert_eq!(alike.as_array().unwrap().len(), 1, "{alike}");
    let found = alike[0]["found"]["id"].to_string();
    assert_eq!(
        (alike[0]["gone"]["id"].to_string(), &alike[0]["found"]["path"]),
        (former.clone(), &json!("plan 2031.md"))
    );

    let joined = sibyl.json(&["documents", "same", &former, &found]);
    assert_eq!((joined["id"].to_string(), &joined["path"]), (former.clone(), &json!("plan 2031.md")));
    assert_eq!(joined["issuer"], "Port of Sollentuna");
    assert_eq!(sibyl.json(&["documents", "same"]), json!([]));
    let refused = sibyl.run(&["documents", "same", &former, "4711"]);
    assert!(refused.code == 1 && refused.err.contains("sibyl documents"), "{}", refused.err);
    assert_eq!(sibyl.run(&["doctor"]).code, 0);
}
