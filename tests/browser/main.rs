//! The interface in a real Chromium, at a real `sibyl serve --ui`: the main task of each screen.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;
use sibyl_tests::{fixture, root};
use std::process::Command;

/// Queries of the gold set that is taken in.
const QUERIES: usize = 5;

#[test]
fn the_main_task_of_each_screen() {
    let sibyl = Sibyl::with_instant_vectors();
    let files = tempfile::tempdir().unwrap();
    let all = std::fs::read_to_string(fixture("gold").join("standards.jsonl")).unwrap();
    let few: Vec<&str> = all.lines().take(QUERIES).collect();
    let gold = files.path().join("few.jsonl");
    std::fs::write(&gold, few.join("\n")).unwrap();
    let report = fixture("pdf").join("federal-government-scorecard-fy2023.pdf");
    let server = Server::start(&sibyl, &["--ui", "--allow", "spend"]);
    let walk = Command::new("node")
        .current_dir(root().join("ui"))
        .args(["browser/served.mjs", &format!("http://{}", server.address), &server.token])
        .args([report, gold])
        .output()
        .unwrap();
    let (told, found) = (String::from_utf8_lossy(&walk.stdout), String::from_utf8_lossy(&walk.stderr));
    assert!(walk.status.success(), "{told}\n{found}");
}
