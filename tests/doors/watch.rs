//! `sibyl watch`: folders that a server watches, told and steered from the command line.

use crate::{text, write};
use serde_json::Value;
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;
use std::time::{Duration, Instant};

/// The one watched folder, once it is as wanted.
fn until(sibyl: &Sibyl, wanted: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let folders = sibyl.json(&["watch", "list"]);
        if wanted(&folders[0]) {
            return folders[0].clone();
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{folders}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_server_takes_in_what_comes_into_a_folder_that_the_command_line_has_it_watch() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "inbox/mill.md", "# Mill\n\nThe mill drew 42 megalitres of quillwort water.\n");
    let inbox = folder.path().join("inbox");
    let added = sibyl.run(&["watch", "add", text(&inbox), "--corpus", "inbox"]);
    assert!(added.out.contains("neither is"), "nobody watches yet: {}", added.out);
    assert_eq!(until(&sibyl, |_| true)["state"], "waiting");

    let server = Server::start(&sibyl, &[]);
    until(&sibyl, |folder| folder["state"] == "watching" && folder["looked_at"].is_string());
    let found = || sibyl.json(&["search", "quillwort", "--mode", "keyword"])["total_results"].clone();
    let begun = Instant::now();
    while found() != 1 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the file was not taken in");
    }
    write(folder.path(), "inbox/pond.md", "# Pond\n\nThe pond holds quillwort, too.\n");
    while found() != 2 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the new file was not taken in");
    }
    drop(server);

    until(&sibyl, |folder| folder["state"] == "waiting");
    write(folder.path(), "inbox/well.md", "# Well\n\nA well without any quillwort.\n");
    let ran = sibyl.json(&["watch", "run", "1"]);
    assert_eq!(ran["report"]["documents"]["created"], 1, "{ran}");
    sibyl.run(&["watch", "pause", "1"]);
    assert_eq!(until(&sibyl, |_| true)["state"], "paused");
    sibyl.run(&["watch", "remove", "1"]);
    assert_eq!(sibyl.json(&["watch", "list"]), serde_json::json!([]));
    assert_eq!(found(), 3);
    let refused = sibyl.run(&["watch", "remove", "1"]);
    assert!(refused.code != 0 && refused.err.contains("sibyl watch list"), "{}", refused.err);
}
