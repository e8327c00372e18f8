//! Checking, mending and measuring a library.

use crate::{list, paragraphs, text, write};
use serde_json::Value;
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;
use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// The user without any rights, by custom.
const NOBODY: u32 = 65_534;

fn codes(report: &Value) -> Vec<&str> {
    list(report, "findings").iter().filter_map(|finding| finding["code"].as_str()).collect()
}

/// What `sibyl doctor --json` says, with its exit code.
fn doctor(sibyl: &Sibyl) -> (i32, Value) {
    let run = sibyl.run(&["doctor", "--json"]);
    (run.code, serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.err)))
}

#[test]
fn damage_to_what_is_derived_is_found_and_mended() {
    let sibyl = Sibyl::with_words();
    let run = sibyl.run(&["doctor"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.ends_with("No problems found.\n"), "{}", run.out);
    let found = || {
        let answer = sibyl.json(&["search", "S2.14(a)(iv) transition plan", "--mode", "keyword"]);
        (paragraphs(&answer).first().map(|id| (*id).to_owned()), answer["results"].clone())
    };
    let before = found();
    assert_eq!(before.0.as_deref(), Some("S2.14(a)(iv)"));
    for damage in [
        "DELETE FROM chunk_key WHERE key LIKE 'S2.14%'",
        "DELETE FROM keyword WHERE rowid IN (SELECT chunk FROM chunk_key WHERE key LIKE 'S2.15%')",
    ] {
        let library = rusqlite::Connection::open(sibyl.folder().join("library.sibyl")).unwrap();
        library.execute_batch(damage).unwrap();
        drop(library);
        let (code, report) = doctor(&sibyl);
        assert_eq!((code, &report["healthy"]), (1, &Value::Bool(false)), "{damage}: {report}");
        let told = sibyl.run(&["doctor"]).out;
        assert!(
            told.contains("sibyl rebuild") && told.ends_with("see the cures above.\n"),
            "{damage}: {told}"
        );
        assert_eq!(sibyl.run(&["rebuild"]).code, 0);
        assert_eq!(doctor(&sibyl).0, 0, "{damage}");
        assert_eq!(found(), before, "{damage}");
    }
}

#[test]
fn room_that_nothing_uses_is_given_back() {
    let sibyl = Sibyl::with_words();
    let found = || sibyl.json(&["search", "transition plan", "--mode", "keyword"])["results"].clone();
    let before = found();
    let library = rusqlite::Connection::open(sibyl.folder().join("library.sibyl")).unwrap();
    library.execute_batch("CREATE TABLE t AS SELECT zeroblob(4000000) AS b; DROP TABLE t").unwrap();
    drop(library);
    let report = sibyl.json(&["compact"]);
    assert!(report["freed"].as_u64() > Some(3_000_000), "{report}");
    assert!(sibyl.run(&["compact"]).out.contains("MB freed"));
    assert_eq!((found(), doctor(&sibyl).0), (before, 0));
}

#[test]
fn a_damaged_code_file_is_found_and_mended() {
    let sibyl = Sibyl::with_instant_vectors();
    let found = || sibyl.json(&["search", "transition plan", "--mode", "semantic"])["results"].clone();
    let before = found();
    // So few vectors are kept in memory until a code file is asked for.
    assert_eq!(sibyl.run(&["rebuild"]).code, 0);
    for entry in fs::read_dir(sibyl.folder().join("codes")).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        for byte in bytes.iter_mut().skip(64).take(4_000) {
            *byte ^= 0x55;
        }
        fs::write(&path, bytes).unwrap();
    }
    let (code, report) = doctor(&sibyl);
    assert_eq!((code, codes(&report)), (1, vec!["codes"]), "{report}");
    assert_eq!(sibyl.run(&["rebuild"]).code, 0);
    assert_eq!(doctor(&sibyl).0, 0);
    assert_eq!(found(), before);
}

#[test]
fn a_file_that_is_no_library_is_refused() {
    let sibyl = Sibyl::fresh_with_words();
    write(sibyl.folder(), "library.sibyl", "this is a letter, not a library".repeat(100));
    let run = sibyl.run(&["stats"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.starts_with("sibyl: "), "{}", run.err);
}

#[test]
fn an_evaluation_below_its_threshold_has_an_exit_code_of_its_own() {
    // Few chunks, so that every model has its vectors at once.
    let sibyl = Sibyl::with_instant_vectors();
    for source_type in ["ifrs_s1", "ifrs_s2", "sasb"] {
        sibyl.json(&["delete", "--source-type", source_type]);
    }
    let folder = tempfile::tempdir().unwrap();
    let copy =
        "# IFRS S2\n\n1 The wheel turns by weather.\n\n2 The dam holds brackwater.\n\n3 Coin is counted.\n";
    write(folder.path(), "mill.md", copy);
    sibyl.json(&["ingest", text(&folder.path().join("mill.md")), "--source-type", "ifrs_s2", "--no-embed"]);
    let judged = "{\"id\": \"a\", \"query\": \"brackwater dam\", \"relevant\": {\"S2.2\": 3}}\n\
                  {\"id\": \"b\", \"query\": \"quillwort\", \"relevant\": {\"S2.3\": 3}}\n";
    write(folder.path(), "judged.jsonl", judged);
    let gold = folder.path().join("judged.jsonl");
    let measured = |threshold: &str| {
        let words = ["eval", text(&gold), "--measure", "recall@1", "--fail-below", threshold, "--json"];
        sibyl.run(&words)
    };
    let reached = measured("keyword:recall@1=0.5");
    assert_eq!(reached.code, 0, "{}", reached.err);
    let evaluation: Value = serde_json::from_str(&reached.out).unwrap();
    assert_eq!(evaluation["measures"]["keyword"]["recall@1"], 0.5, "one of two is found by its words");
    let missed = measured("keyword:recall@1=0.51");
    assert_eq!(missed.code, 3, "{}", missed.err);
    assert!(missed.err.contains("failed: keyword:recall@1=0.51: "), "{}", missed.err);
    assert_eq!(serde_json::from_str::<Value>(&missed.out).unwrap()["measures"], evaluation["measures"]);
    let help = sibyl.run(&["eval", "--help"]).out;
    assert!(help.contains("exit code 3"), "{help}");

    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "gold.jsonl",
        "{\"id\": \"a\", \"query\": \"b\", \"relevant\": {\"S2.5\": 1}}\nnot JSON\n",
    );
    let broken = sibyl.run(&["eval", text(&folder.path().join("gold.jsonl"))]);
    assert_eq!(broken.code, 0, "{}", broken.err);
    assert!(broken.out.contains("line 2 is left out: "), "{}", broken.out);
    assert_eq!(sibyl.run(&["eval", "/no/such/gold.jsonl"]).code, 1);
    assert_eq!(sibyl.run(&["eval", text(&gold), "--fail-below", "magic@5=0.1"]).code, 2);
}

#[test]
fn words_alone_are_measured_without_vectors_and_a_split_is_named() {
    let sibyl = Sibyl::with_instant_vectors();
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "corpus.jsonl",
        "{\"_id\": \"d1\", \"text\": \"The weir holds brackwater.\"}\n{\"_id\": \"d2\", \"text\": \"Coin is counted.\"}\n",
    );
    write(
        folder.path(),
        "queries.jsonl",
        "{\"_id\": \"1\", \"text\": \"brackwater\"}\n{\"_id\": \"2\", \"text\": \"quillwort\"}\n",
    );
    write(folder.path(), "qrels/train.tsv", "query-id\tcorpus-id\tscore\n1\td1\t1\n");
    write(folder.path(), "qrels/dev.tsv", "query-id\tcorpus-id\tscore\n2\td2\t1\n");
    let scratch = folder.path().join("scratch");
    let words = ["eval", "beir", text(folder.path()), "--scratch", text(&scratch), "--modes", "keyword"];
    let measure = |split: &[&str]| sibyl.run(&[&words, split, &["--measure", "recall@1", "--json"]].concat());
    let unclear = measure(&[]);
    assert_eq!(unclear.code, 2, "{}", unclear.out);
    assert!(unclear.err.contains("the splits are dev, train"), "{}", unclear.err);
    for (split, recall) in [("train", 1.0), ("dev", 0.0)] {
        let run = measure(&["--split", split]);
        assert_eq!(run.code, 0, "{}", run.err);
        let evaluation: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(
            evaluation["measures"],
            serde_json::json!({ "keyword": { "recall@1": recall } }),
            "{split}"
        );
        assert!(!evaluation["config_hash"].as_str().unwrap().is_empty());
        assert!(run.err.contains("search: 1 of 1 searches"), "{}", run.err);
        assert!(!run.err.contains("embed"), "{}", run.err);
    }
    let library = rusqlite::Connection::open(scratch.join("library.sibyl")).unwrap();
    let vectors: i64 = library.query_row("SELECT count(*) FROM vector", [], |row| row.get(0)).unwrap();
    assert_eq!(vectors, 0, "nothing was embedded");
    let shown = sibyl.run(&[&words[..], &["--split", "train", "--measure", "recall@1"]].concat()).out;
    assert!(shown.starts_with("all queries  keyword\nrecall@1      1.0000\n"), "{shown}");
}

/// Overwrites the first page of `table`.
fn damage(sibyl: &Sibyl, table: &str) {
    let path = sibyl.folder().join("library.sibyl");
    let library = rusqlite::Connection::open(&path).unwrap();
    library.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let size: u64 = library.pragma_query_value(None, "page_size", |row| row.get(0)).unwrap();
    let find = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    let root: u64 = library.query_row(find, [table], |row| row.get(0)).unwrap();
    drop(library);
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start((root - 1) * size)).unwrap();
    file.write_all(&vec![0x5a; usize::try_from(size).unwrap()]).unwrap();
    file.sync_all().unwrap();
}

#[test]
fn a_server_whose_library_is_damaged_is_not_ready() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "write"]);
    assert_eq!(server.send("GET", "/health", None).status, 200);
    assert_eq!(server.get("/api/v1/library/condition")["state"], "sound");
    damage(&sibyl, "search_run");
    // Met by whatever reads there.
    assert_eq!(server.send("GET", "/api/v1/searches?limit=5", None).status, 500);
    let health = server.send("GET", "/health", None);
    assert_eq!(health.status, 503);
    assert!(health.body.contains("damaged") && health.body.contains("sibyl rescue"), "{}", health.body);
    let condition = server.get("/api/v1/library/condition");
    assert_eq!((&condition["state"], &condition["place"]), (&"damaged".into(), &Value::Null));
    assert!(!condition.to_string().contains(text(sibyl.folder())), "{condition}");
}

#[test]
fn damage_is_told_at_every_start_and_a_rescue_loses_nothing_that_can_be_read() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "weir.md", "# Weirs\n\nThe weir target is 42 megalitres by 2030.\n");
    sibyl.json(&["ingest", text(folder.path()), "--corpus", "weirs", "--no-embed"]);
    let asked = sibyl.run(&["ask", "What is the weir target in megalitres?"]);
    assert_eq!(asked.code, 0, "{}", asked.out);
    let logged = || sibyl.json(&["answers"]);
    let (before, documents) = (logged(), sibyl.json(&["documents"]));
    assert_eq!(before["entries"][0]["source_changed"], false);
    damage(&sibyl, "chunk");

    let counted = sibyl.run(&["stats"]);
    assert!(counted.code == 1 && counted.err.contains("sibyl rescue"), "{}", counted.err);
    let listed = sibyl.run(&["documents"]);
    assert!(
        listed.code == 0 && listed.err.starts_with("Warning: the library file is damaged"),
        "{}",
        listed.err
    );
    assert_eq!(sibyl.run(&["rescue"]).code, 0);
    let listed = sibyl.run(&["documents"]);
    assert_eq!((listed.code, listed.err.as_str()), (0, ""));
    assert_eq!(doctor(&sibyl), (0, doctor(&sibyl).1));
    assert_eq!((logged(), sibyl.json(&["documents"])), (before, documents));
}

/// A person without rights to the folder reads the library all the same.
#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_opens_for_reading() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;

    let sibyl = Sibyl::with_words();
    // The superuser may write everywhere, and is nobody here.
    let superuser = std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    let program = tempfile::tempdir().unwrap();
    let copy = program.path().join("sibyl");
    std::fs::copy(sibyl_tests::built("sibyl"), &copy).unwrap();
    let allow =
        |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    allow(program.path(), 0o755);
    let owners = sibyl.folder().join("owners");
    std::fs::create_dir_all(&owners).unwrap();
    for folder in [&owners, sibyl.folder()] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            allow(&path, if path.is_dir() { 0o555 } else { 0o444 });
        }
        allow(folder, 0o555);
    }
    let run = |words: &[&str]| {
        let mut command = std::process::Command::new(&copy);
        command.args(words).env("SIBYL_DATA_DIR", sibyl.folder()).env("HOME", "/nonexistent");
        command.env("SIBYL_SHIPPED_DIR", "/nonexistent").current_dir("/");
        if superuser {
            command.uid(NOBODY).gid(NOBODY);
        }
        let output = command.output().unwrap();
        let read = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), read(output.stdout), read(output.stderr))
    };
    let (code, out, err) = run(&["search", "greenhouse gas emissions", "--mode", "keyword"]);
    assert!(code == Some(0) && out.contains("S2.29"), "{out}{err}");
    for words in [&["backup", "make"][..], &["rescue"]] {
        let (code, _, err) = run(words);
        assert!(
            code == Some(1) && err.contains("is read-only") && err.contains(text(sibyl.folder())),
            "{err}"
        );
    }
    allow(sibyl.folder(), 0o755);
    allow(&owners, 0o755);
}

#[test]
fn a_library_in_a_synchronised_folder_is_warned_about() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("OneDrive - Acme").join("sibyl");
    let run = sibyl.run(&["workspace", "list", "--data-dir", text(&place)]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("Warning: ") && run.err.contains("synchronised by OneDrive"), "{}", run.err);
}
