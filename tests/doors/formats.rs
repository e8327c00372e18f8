//! A folder with files of all formats: each is stored and found, locked ones with their password.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::formats::{self, FILES};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use sibyl_tests::root;
use sibyl_text::format::{FORMATS, supported};
use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

#[test]
fn each_format_of_one_folder_is_stored_and_found() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    formats::write(&folder.path().join("fleet")).unwrap();
    let run = sibyl.run(&["ingest", text(&folder.path().join("fleet")), "--no-embed", "--json"]);
    let job: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &job["status"]), (0, &json!("completed")), "{}", run.out);
    for (name, word) in FILES {
        let found = sibyl.json(&["search", word, "--mode", "keyword", "--no-spelling"]);
        let paths: Vec<&Value> = list(&found, "results").iter().map(|hit| &hit["path"]).collect();
        assert!(!paths.is_empty() && paths.iter().all(|path| **path == name), "{word}: {paths:?}");
    }
    facts(&sibyl);
}

#[test]
fn all_formats_are_named_wherever_formats_are() {
    let sentence = supported("and");
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let readme = one_line(&fs::read_to_string(root().join("README.md")).unwrap());
    assert!(readme.contains(&supported("or")), "README.md: {}", supported("or"));
    let words: Value =
        serde_json::from_slice(&fs::read(root().join("ui/src/text/en.json")).unwrap()).unwrap();
    let shown = words["library"]["add"]["formats"].as_str().unwrap();
    assert!(shown.starts_with(&sentence), "{shown}");
    let help = one_line(&Sibyl::with_words().run(&["ingest", "--help"]).out);
    for format in FORMATS {
        assert!(help.contains(format.label()), "ingest --help: {}", format.label());
        let named = words["chunk-lab"]["show"]["formats"][format.name()].is_string();
        assert!(named || format.name() == "pdf", "en.json: {}", format.name());
    }
}

/// The values that the filed report tags are found by concept and by value, with the chunk that shows them.
fn facts(sibyl: &Sibyl) {
    let found = sibyl.json(&["facts", "scope1"]);
    let facts = found.as_array().unwrap();
    let values: Vec<&Value> = facts.iter().map(|fact| &fact["value"]).collect();
    assert_eq!(values, ["41200", "44900"]);
    let first = &facts[0];
    assert_eq!(first["concept"], "esrs:GrossScope1GHGEmissions");
    assert_eq!(first["unit"], "esrs:tCO2e");
    assert_eq!(first["period"], "2024-01-01/2024-12-31");
    assert_eq!((&first["entity"], &first["anchor"]), (&json!("5493000IBP32UQZ0KL24"), &json!("f1")));
    let chunk = first["chunk_id"].as_str().unwrap();
    let shown = sibyl.json(&["chunks", chunk]);
    assert!(shown["row"]["text"].as_str().unwrap().contains("| Gross scope 1 | 41.2 | 44.9 |"), "{shown}");
    let loss = sibyl.json(&["facts", "1,234,500,000"]);
    assert_eq!(loss[0]["dimensions"], json!([["esrs:SiteAxis", "esrs:NorthMember"]]));
    let hidden = sibyl.json(&["facts", "halden", "nameofreporting"]);
    assert_eq!((&hidden[0]["value"], &hidden[0]["chunk_id"]), (&json!("Halden Shipping AS"), &Value::Null));
    let inside = sibyl.json(&["facts", "--chunk", chunk]);
    assert!(inside.as_array().unwrap().len() >= 3, "{inside}");
    // A search that names a concept or a value leads to the passage that shows it, and cites the fact with its anchor.
    for (query, values) in [
        ("what are esrs:grossscope1ghgemissions", vec!["41200", "44900"]),
        ("GrossScope1GHGEmissions", vec!["41200", "44900"]),
        ("who lost -1,234,500,000", vec!["-1234500000"]),
        ("44900", vec!["44900"]),
    ] {
        let found = sibyl.json(&["search", query, "--mode", "keyword"]);
        let best = &list(&found, "results")[0];
        assert_eq!(best["path"], "filing.xhtml", "{query}: {best}");
        let facts = list(best, "facts");
        assert_eq!(facts.iter().map(|fact| &fact["value"]).collect::<Vec<_>>(), values, "{query}");
        assert!(facts.iter().all(|fact| fact["anchor"].is_string()), "{query}: {facts:?}");
        let leg = &list(best, "contributions")[0];
        assert_eq!(leg["leg"], "reference", "{query}");
        assert!(leg["label"].as_str().unwrap().contains(values[0]), "{query}: {leg}");
    }
    let printed = sibyl.run(&["search", "44900"]).out;
    assert!(printed.contains("tagged: esrs:GrossScope1GHGEmissions = 44900 esrs:tCO2e"), "{printed}");
    let plain = sibyl.json(&["search", "scope emissions 2024", "--mode", "keyword"]);
    assert!(list(&plain, "results").iter().all(|hit| list(hit, "facts").is_empty()), "{plain}");
    let printed = sibyl.run(&["facts", "scope1"]).out;
    assert!(printed.contains("esrs:GrossScope1GHGEmissions") && printed.contains("44900"), "{printed}");
    assert!(printed.contains("5493000IBP32UQZ0KL24"), "whom it is about: {printed}");
}

#[test]
fn a_locked_file_opens_with_its_password_which_is_kept_nowhere() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    let locked =
        |name: &str| fs::read(root().join("crates/sibyl-text/tests/fixtures/locked").join(name)).unwrap();
    for name in ["aes256.pdf", "agile.docx"] {
        write(folder.path(), &format!("board/{name}"), locked(name));
    }
    let board = folder.path().join("board");
    let words = ["ingest", text(&board), "--no-embed", "--json"];
    let failed = |words: &[&str], code: &str, count: usize| {
        let run = sibyl.run(words);
        let job: Value = serde_json::from_str(&run.out).unwrap();
        let codes: Vec<&Value> = list(&job["report"], "failed").iter().map(|file| &file["code"]).collect();
        assert_eq!((run.code, codes), (i32::from(count > 0), vec![&json!(code); count]), "{}", run.out);
        format!("{}{}", run.out, run.err)
    };
    failed(&words, "password_needed", 2);
    write(folder.path(), "wrong.txt", "mistletoe\n");
    write(folder.path(), "right.txt", "mistletoe\r\nopen 7\r\nGrüße 7\r\n");
    // Who is about to add such a file is asked before it is added.
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let lacks = || {
        let found =
            call("ingest.preflight", json!({ "sources": [{ "kind": "path", "path": text(&board) }] }));
        list(&found, "files").iter().map(|file| file["code"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(lacks(), ["password_needed", "password_needed"]);
    call("ingest.unlock", json!({ "passwords": ["open 8"] }));
    assert_eq!(lacks(), ["password_wrong", "password_wrong"]);
    call("ingest.unlock", json!({ "passwords": ["open 7"] }));
    assert_eq!(lacks(), [Value::Null, json!("password_wrong")]);
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let told =
        failed(&[words.as_slice(), &["--password-file", &file("wrong.txt")]].concat(), "password_wrong", 2);
    assert!(!told.contains("mistletoe"), "{told}");
    failed(&[words.as_slice(), &["--password-file", &file("right.txt")]].concat(), "", 0);
    let query = ["search", "mill closes 2031", "--mode", "keyword", "--no-dedupe"];
    let found = sibyl.json(&query);
    let paths: Vec<&Value> = list(&found, "results").iter().map(|hit| &hit["path"]).collect();
    assert!(paths.contains(&&json!("aes256.pdf")) && paths.contains(&&json!("agile.docx")), "{paths:?}");
    for path in below(sibyl.folder()) {
        let bytes = fs::read(&path).unwrap();
        for password in ["mistletoe", "open 7", "Grüße 7"] {
            let kept = bytes.windows(password.len()).any(|window| window == password.as_bytes());
            assert!(!kept, "{} holds a password", path.display());
        }
    }
    let missing = sibyl.run(&[words.as_slice(), &["--password-file", &file("none.txt")]].concat());
    assert_eq!(missing.code, 2, "{}", missing.err);
}

#[test]
fn nothing_that_a_file_points_to_is_fetched() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let inside = format!(
        "<head><title>Mill</title><base href='{base}/'/><link rel='stylesheet' href='{base}/a.css'/>\
         <link rel='preload' href='{base}/b' as='font'/><style>@import url({base}/c.css); p {{ background: url({base}/d.png) \
         }}</style><script src='{base}/e.js'></script><meta http-equiv='refresh' content='0; url={base}/f'/></head><body>\
         <h1>The quillwort mill</h1><p>Its wheel turned for 212 days.</p><img src='{base}/g.png' alt=''/>\
         <iframe src='{base}/h'></iframe><object data='{base}/i'></object><video src='{base}/j'></video></body>"
    );
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "mill.html", format!("<!doctype html><html>{inside}</html>"));
    write(
        folder.path(),
        "mill.xhtml",
        format!(
            "<?xml version='1.0'?><?xml-stylesheet href='{base}/k.css'?><!DOCTYPE html PUBLIC 'a' '{base}/l.dtd'>\
             <html xmlns='http://www.w3.org/1999/xhtml'>{inside}</html>"
        ),
    );
    write(folder.path(), "mill.md", format!("# The quillwort mill\n\n![wheel]({base}/m.png)\n\n212 days.\n"));
    let sibyl = Sibyl::with_words();
    let job = sibyl.json(&["ingest", text(folder.path()), "--corpus", "mills", "--no-embed"]);
    assert_eq!(list(&job["report"], "failed").len(), 0, "{job:#}");
    let found = sibyl.json(&["search", "quillwort 212 days", "--mode", "keyword", "--no-dedupe"]);
    assert!(list(&found, "results").len() >= 3, "{found:#}");
    let asked = listener.accept().unwrap_err();
    assert_eq!(asked.kind(), ErrorKind::WouldBlock, "nobody came");
}

/// All files below `folder`.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
}
