//! The interface in a real Chromium, at a real `sibyl serve --ui`: the main task of each screen.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;
use sibyl_tests::{fixture, root};
use std::process::Command;

/// Number of queries in the imported gold set.
const QUERIES: usize = 5;

/// What the reader uploads, by its path in the given folder.
fn uploads() -> Vec<(&'static str, Vec<u8>)> {
    let report = std::fs::read(fixture("pdf").join("federal-government-scorecard-fy2023.pdf")).unwrap();
    let all = std::fs::read_to_string(fixture("gold").join("standards.jsonl")).unwrap();
    let few: Vec<&str> = all.lines().take(QUERIES).collect();
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        ("report.pdf", report),
        ("notes/one.md", text("# One\n\nThe weir holds.\n")),
        ("notes/two.md", text("# Two\n\nThe sluice opens at dawn.\n")),
        ("gold.jsonl", text(&few.join("\n"))),
        ("wiki/corpus.jsonl", text("{\"_id\": \"S2.14\", \"text\": \"A transition plan.\"}\n")),
        ("wiki/queries.jsonl", text("{\"_id\": \"q1\", \"text\": \"transition plan\"}\n")),
        ("wiki/qrels/test.tsv", text("query-id\tcorpus-id\tscore\nq1\tS2.14\t1\n")),
        ("qrels.txt", text("q1 0 S2.14 1\n")),
        ("qrels.queries.tsv", text("q1\ttransition plan\n")),
        ("bm25.run", text("q1 Q0 S2.14 1 7.5 bm25\n")),
    ]
}

#[test]
fn the_main_task_of_each_screen() {
    let sibyl = Sibyl::with_instant_vectors();
    let files = tempfile::tempdir().unwrap();
    for (path, bytes) in uploads() {
        let path = files.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let server = Server::start(&sibyl, &["--ui", "--allow", "spend"]);
    let walk = Command::new("node")
        .current_dir(root().join("ui"))
        .args(["browser/served.mjs", &format!("http://{}", server.address), &server.token])
        .arg(files.path())
        .output()
        .unwrap();
    let (told, found) = (String::from_utf8_lossy(&walk.stdout), String::from_utf8_lossy(&walk.stderr));
    assert!(walk.status.success(), "{told}\n{found}");
}
