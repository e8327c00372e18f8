//! What shells do to a program: readers that go away before it has ended, as in `sibyl … | head`, and Ctrl-C.

use sibyl_tests::built;
use sibyl_tests::program::Sibyl;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

fn command(sibyl: &Sibyl, words: &[&str]) -> Command {
    let mut command = Command::new(built("sibyl"));
    command
        .args(words)
        .env("SIBYL_DATA_DIR", sibyl.folder())
        .env("SIBYL_SHIPPED_DIR", sibyl_tests::root().join("data"))
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
    command
}

#[test]
fn a_reader_that_has_enough_ends_the_program_quietly() {
    let sibyl = Sibyl::with_words();
    let documents = sibyl.json(&["documents"]);
    let long = documents.as_array().unwrap().iter().max_by_key(|d| d["chunks"].as_u64()).unwrap();
    let id = long["id"].to_string();
    // The first answer is longer than any pipe holds; the second is not even read.
    for (words, lines) in [(&["chunks", &id, "--json"][..], 1), (&["strategies"], 0)] {
        let mut child = command(&sibyl, words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..lines {
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            assert!(!line.is_empty(), "{words:?}");
        }
        drop(out);
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        // What a shell shows for a program that SIGPIPE ended.
        assert_eq!((child.wait().unwrap().code(), told.as_str()), (Some(141), ""), "{words:?}");
    }
}

#[test]
fn work_goes_on_where_nobody_reads_what_it_tells() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("note.md");
    std::fs::write(&path, "# Note\n\nThe sluice is open.\n").unwrap();
    let words = ["ingest", path.to_str().unwrap(), "--no-embed", "--log", "debug", "--json"];
    let mut child = command(&sibyl, &words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    let run = child.wait_with_output().unwrap();
    assert_eq!(run.status.code(), Some(0));
    let told: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(told["report"]["documents"]["created"], 1, "{told}");
}

#[test]
fn an_interrupted_job_is_left_at_rest_and_goes_on() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    let files = 150;
    for n in 0..files {
        std::fs::write(
            folder.path().join(format!("{n}.md")),
            "# Sluice\n\nThe sluice is open.\n".repeat(100),
        )
        .unwrap();
    }
    let words = ["ingest", folder.path().to_str().unwrap(), "--corpus", "sluices", "--no-embed"];
    let mut child = command(&sibyl, &words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    told.read_line(&mut line).unwrap();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success(), "it had ended before: {line}");
    told.read_to_string(&mut line).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{line}");
    let job = sibyl.json(&["jobs"])[0].clone();
    assert_eq!(job["state"], "paused", "{line}");
    let resume = format!("sibyl jobs resume {}", job["id"]);
    assert!(line.contains(&resume), "{line}");
    let done = sibyl.json(&["jobs", "resume", &job["id"].to_string()]);
    assert_eq!(done["report"]["documents"]["created"], files, "{done}");
}
