//! Folders of documents: ingested, changed, deleted, chunked for a look.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::fixture;
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

fn page(title: &str, word: &str) -> String {
    format!(
        "---\ntitle: {title}\ntags: [{word}]\n---\n\n# {title}\n\nThe {word} is explained here.\n\n## More\n\nAll of {title}.\n"
    )
}

/// A folder of three pages.
fn handbook() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "handbook/index.md", page("Start", "quillwort"));
    write(folder.path(), "handbook/part/one.md", page("One", "brackwater"));
    write(folder.path(), "handbook/part/two.md", page("Two", "zephyrine"));
    folder
}

fn ingest(sibyl: &Sibyl, folder: &Path) -> Value {
    sibyl.json(&["ingest", text(&folder.join("handbook")), "--no-embed"])
}

fn changes(job: &Value) -> [u64; 4] {
    ["created", "updated", "unchanged", "deleted"]
        .map(|name| job["report"]["documents"][name].as_u64().unwrap())
}

/// Chunk ids and texts of each document of the handbook.
fn chunks(sibyl: &Sibyl) -> BTreeMap<String, Vec<(Value, Value)>> {
    let documents = sibyl.json(&["documents", "--corpus", "handbook"]);
    let chunks = |document: &Value| {
        let chunks = sibyl.json(&["chunks", &document["id"].to_string()]);
        let pair = |chunk: &Value| (chunk["row"]["chunk_id"].clone(), chunk["row"]["text"].clone());
        chunks.as_array().unwrap().iter().map(pair).collect()
    };
    let documents = documents.as_array().unwrap().iter();
    documents.map(|document| (document["path"].as_str().unwrap().to_owned(), chunks(document))).collect()
}

fn found(sibyl: &Sibyl, word: &str) -> u64 {
    let words = ["search", word, "--mode", "keyword", "--no-spelling"];
    sibyl.json(&words)["total_results"].as_u64().unwrap()
}

#[test]
fn only_the_file_that_changed_is_updated() {
    let sibyl = Sibyl::with_words();
    let folder = handbook();
    assert_eq!(changes(&ingest(&sibyl, folder.path())), [3, 0, 0, 0]);
    let before = chunks(&sibyl);
    assert_eq!(changes(&ingest(&sibyl, folder.path())), [0, 0, 3, 0]);
    assert_eq!(chunks(&sibyl), before);

    write(folder.path(), "handbook/part/two.md", page("Two", "petrichor"));
    assert_eq!(changes(&ingest(&sibyl, folder.path())), [0, 1, 2, 0]);
    let after = chunks(&sibyl);
    for path in ["index.md", "part/one.md"] {
        assert_eq!(after[path], before[path], "{path}");
    }
    assert_ne!(after["part/two.md"], before["part/two.md"]);
    assert_eq!((found(&sibyl, "zephyrine"), found(&sibyl, "petrichor")), (0, 1));

    std::fs::remove_file(folder.path().join("handbook/part/one.md")).unwrap();
    assert_eq!(changes(&ingest(&sibyl, folder.path())), [0, 0, 2, 1]);
    assert_eq!(found(&sibyl, "brackwater"), 0);
}

#[test]
fn a_document_is_corrected_by_its_number() {
    let sibyl = Sibyl::with_words();
    let folder = handbook();
    ingest(&sibyl, folder.path());
    let known = || sibyl.json(&["documents", "--corpus", "handbook"])[0].clone();
    let id = known()["id"].to_string();
    let correct = |words: &[&str]| sibyl.run(&[&["documents", "correct", id.as_str()], words].concat());
    let told = correct(&["--title", "Welcome", "--year", "2024"]);
    assert_eq!(told.out, "title: Welcome (as read: Start)\nissuer: unknown\nyear: 2024 (as read: unknown)\n");
    // What is not named stays.
    assert_eq!(correct(&["--issuer", "Mill plc"]).code, 0);
    let row = known();
    assert_eq!(
        (&row["title"], &row["issuer"], &row["year"]),
        (&json!("Welcome"), &json!("Mill plc"), &json!(2024))
    );
    let hit = sibyl.json(&["search", "quillwort", "--mode", "keyword"])["results"][0].clone();
    assert_eq!(hit["title"], "Welcome");

    let wrong = correct(&["--year", "1066"]);
    assert!(wrong.code == 2 && wrong.err.contains("1990 to 2099"), "{}", wrong.err);
    assert_eq!(correct(&[]).code, 2, "something is to be corrected");
    assert_eq!(sibyl.run(&["documents", "correct", "999999", "--title", "None"]).code, 1);
    assert_eq!(known(), row);
    assert_eq!(correct(&["--reset"]).code, 0);
    let row = known();
    assert_eq!(
        (&row["title"], &row["issuer"], &row["as_read"]),
        (&json!("Start"), &Value::Null, &Value::Null)
    );
}

#[test]
fn what_is_deleted_can_be_ingested_again_as_it_was() {
    let sibyl = Sibyl::with_words();
    let folder = handbook();
    let job = ingest(&sibyl, folder.path());
    let (before, stats) = (chunks(&sibyl), sibyl.json(&["stats"]));
    let deleted = sibyl.json(&["delete", "--corpus", "handbook"]);
    assert_eq!((&deleted["status"], &deleted["deleted_count"]), (&json!("deleted"), &job["total_chunks"]));
    assert_eq!(found(&sibyl, "quillwort"), 0);
    assert_eq!(sibyl.run(&["delete", "--corpus", "handbook"]).code, 1);
    assert_eq!(changes(&ingest(&sibyl, folder.path())), [3, 0, 0, 0]);
    assert_eq!((chunks(&sibyl), sibyl.json(&["stats"])), (before, stats.clone()));

    let documents = sibyl.json(&["documents", "--corpus", "handbook"]);
    let one =
        documents.as_array().unwrap().iter().find(|document| document["path"] == "part/one.md").unwrap();
    sibyl.json(&["delete", "--document", &one["id"].to_string()]);
    assert_eq!((found(&sibyl, "brackwater"), found(&sibyl, "quillwort")), (0, 1));
    // A source type is deleted with all its corpora, and comes back with the next ingest.
    for words in [&["delete", "--source-type", "ifrs-s1"][..], &["lookup", "plan", "--source-type", "s1"]] {
        let run = sibyl.run(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.out);
        assert!(run.err.contains("is not a source type; choose one of ifrs_s1, "), "{words:?}: {}", run.err);
    }
    let gone = sibyl.json(&["delete", "--source-type", "ifrs_s1"]);
    assert_eq!(gone["deleted_count"], stats["ifrs_s1"]);
    assert_eq!(sibyl.json(&["stats"])["ifrs_s1"], 0);
    assert_eq!(sibyl.run(&["paragraph", "S1.27"]).code, 1);
    sibyl.json(&["ingest"]);
    assert_eq!(sibyl.json(&["stats"])["ifrs_s1"], stats["ifrs_s1"]);
}

#[test]
fn a_preview_cuts_as_ingesting_would_and_stores_nothing() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    let sentence = "The mill counts what it takes from the river. ";
    write(folder.path(), "mill.md", format!("# Mill\n\n{}\n\n## Weir\n\n{sentence}\n", sentence.repeat(200)));
    let path = folder.path().join("mill.md");
    let preview = |settings: &[&str]| {
        let mut words = vec!["chunk-preview", text(&path), "--strategy", "report"];
        words.extend(settings.iter().flat_map(|setting| ["--set", setting]));
        sibyl.json(&words)
    };
    let usual = preview(&[]);
    let small = ["target_tokens=120", "min_tokens=20", "max_tokens=200", "overlap_tokens=0"];
    let fine = preview(&small);
    assert_eq!((&usual["strategy"], &fine["settings"]["max_tokens"]), (&json!("report"), &json!(200)));
    assert!(list(&fine, "chunks").len() > list(&usual, "chunks").len());
    for chunk in list(&fine, "chunks") {
        assert!(chunk["view"]["tokens"].as_u64().unwrap() <= 200, "{chunk}");
        assert_eq!(chunk["view"]["overlap_tokens"], 0);
    }
    assert_ne!(fine["config_hash"], usual["config_hash"]);
    assert_eq!(fine["statistics"]["count"], json!(list(&fine, "chunks").len()));
    assert_eq!(sibyl.json(&["stats"])["report"], 0);

    let mut words =
        vec!["ingest", text(&path), "--strategy", "report", "--source-type", "report", "--no-embed"];
    words.extend(small.iter().flat_map(|setting| ["--set", setting]));
    let job = sibyl.json(&words);
    assert_eq!(job["total_chunks"], fine["statistics"]["count"]);

    for (setting, word) in
        [("max_tokens=many", "max_tokens"), ("colour=red", "colour"), ("nothing", "NAME=VALUE")]
    {
        let run = sibyl.run(&["chunk-preview", text(&path), "--strategy", "report", "--set", setting]);
        assert_eq!(run.code, 2, "{setting}: {}", run.err);
        assert!(run.err.contains(word), "{setting}: {}", run.err);
    }
    let run = sibyl.run(&["chunk-preview", text(&path), "--strategy", "magic"]);
    assert!(run.code == 2 && run.err.contains("recursive"), "{}", run.err);
    let run = sibyl.run(&["chunk-preview", "/no/such/file.md"]);
    assert!(run.code == 1 && run.err.contains("/no/such/file.md"), "{}", run.err);
}

#[test]
fn a_preflight_counts_the_pages_of_a_report_wherever_it_stands_in_its_folder() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    for number in 0..60 {
        write(folder.path(), &format!("notes/{number:02}.md"), page("Note", "quillwort"));
    }
    let report = "federal-government-scorecard-fy2023.pdf";
    std::fs::copy(fixture("pdf").join(report), folder.path().join(report)).unwrap();
    let library = Opened::at(sibyl.folder());
    let input = json!({ "sources": [{ "kind": "path", "path": folder.path() }] });
    let told = library.call("default", "ingest.preflight", input).unwrap();
    assert_eq!((told["files"].as_array().unwrap().len(), &told["sampled"]), (61, &json!(true)));
    assert_eq!(told["pages"], 9, "{told:#}");
}
