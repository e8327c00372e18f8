//! Evaluate: a matrix over the standards, and the query table of a large gold set in a browser.

use crate::Outcome;
use crate::timing::Times;
use serde_json::Value;
use sibyl_lab::random::Random;
use sibyl_lab::table::Table;
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;
use sibyl_tests::{fixture, root};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Three ways of chunking by four ways of searching.
const MATRIX: &[&str] = &[
    "eval",
    "matrix",
    "standards",
    "--corpus",
    "ifrs-s1",
    "--corpus",
    "ifrs-s2",
    "--corpus",
    "sasb",
    "--chunking",
    "now",
    "--chunking",
    "recursive:chunk_size=1600,chunk_overlap=160",
    "--chunking",
    "recursive:chunk_size=2400,chunk_overlap=240",
    "--search",
    "keyword,semantic,scores,rrf",
];
/// Time limit for the matrix, in seconds.
const MOST_SECONDS: f64 = 300.0;

const QUERIES: usize = 10_000;
const RESULTS: usize = 200;
/// Ids that results are drawn from.
const IDS: u64 = 100_000;
/// Time limit for a frame, in milliseconds.
const MOST_FRAME: f64 = 50.0;

/// The matrix: with the embedding it needs, without, and requested again.
pub fn matrix() -> Outcome<String> {
    let sibyl = Sibyl::with_standards();
    let gold = fixture("gold").join("standards.jsonl");
    sibyl.json(&["gold", "import", &gold.to_string_lossy()]);
    let mut table = Table::new(&["matrix of 12 combinations over the standards", "seconds", "goal"]);
    let mut measure = |what: &str| {
        let began = Instant::now();
        let run = sibyl.run(MATRIX);
        if run.code != 0 {
            return Err(run.err.into());
        }
        let seconds = began.elapsed().as_secs_f64();
        table.row([what.to_owned(), format!("{seconds:.1}"), format!("< {MOST_SECONDS:.0} s")]);
        Outcome::Ok(run.out)
    };
    measure("first, with the vectors that it makes")?;
    for run in sibyl.json(&["eval", "runs"]).as_array().into_iter().flatten() {
        sibyl.json(&["eval", "delete", &run["id"].to_string()]);
    }
    measure("again, with the vectors that were kept")?;
    let shown = measure("asked for again, nothing changed")?;
    Ok(format!("{}\n```\n{shown}```\n", table.markdown()))
}

/// Frames while the table of two large runs is scrolled and its rows are expanded, in Chromium.
pub fn frames() -> Outcome<String> {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir()?;
    let gold = folder.path().join("large.jsonl");
    std::fs::write(&gold, queries()?)?;
    sibyl.json(&["gold", "import", &gold.to_string_lossy()]);
    for (name, seed) in [("before", 5), ("after", 6)] {
        let run = folder.path().join(format!("{name}.run"));
        write_run(&run, seed)?;
        sibyl.json(&["eval", "import", &run.to_string_lossy(), "--set", "large"]);
    }
    let server = Server::start(&sibyl, &["--ui", "--allow", "spend"]);
    let driven = Command::new("node")
        .current_dir(root().join("ui"))
        .args(["browser/frames.mjs", &format!("http://{}", server.address), &server.token, "large"])
        .arg(QUERIES.to_string())
        .output()?;
    if !driven.status.success() {
        return Err(String::from_utf8_lossy(&driven.stderr).into_owned().into());
    }
    let told: Value = serde_json::from_slice(&driven.stdout)?;
    let mut table = Table::new(&[
        "Evaluate, 10,000 queries × 200 results",
        "frames",
        "median ms",
        "p99 ms",
        "worst ms",
        "goal",
    ]);
    for (what, part) in
        [("scroll through the query table", "scrolled"), ("expand a query to both rankings", "expanded")]
    {
        let frames: Times =
            told[part]["frames"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        table.row([
            what.to_owned(),
            frames.count().to_string(),
            format!("{:.1}", frames.p50()),
            format!("{:.1}", frames.p99()),
            format!("{:.1}", frames.worst()),
            format!("< {MOST_FRAME:.0} ms"),
        ]);
    }
    Ok(format!(
        "{}\nRow nodes while scrolling: {} at most, the last row {}; rows expanded: {}.\n",
        table.markdown(),
        told["scrolled"]["rows"],
        told["scrolled"]["foot"],
        told["expanded"]["count"]
    ))
}

fn queries() -> Outcome<String> {
    let mut lines = String::new();
    for number in 0..QUERIES {
        let relevant: Vec<String> =
            (0..3).map(|n| format!("\"d{}\": 3", (number as u64 * 7 + n * 31) % IDS)).collect();
        writeln!(
            lines,
            "{{\"id\": \"q{number}\", \"query\": \"what does part {number} say of the plan\", \"type\": \"made\", \
             \"answerable\": true, \"relevant\": {{{}}}}}",
            relevant.join(", ")
        )?;
    }
    Ok(lines)
}

/// Rankings with the relevant ids of a query anywhere among others.
fn write_run(path: &Path, seed: u64) -> Outcome<()> {
    let mut random = Random::new(seed);
    let mut lines = String::new();
    for number in 0..QUERIES {
        let found = random.below(RESULTS);
        for rank in 0..RESULTS {
            let own = (number as u64 * 7) % IDS;
            let id = if rank == found { own } else { (own + 1_000 + rank as u64 * 97 + seed) % IDS };
            writeln!(lines, "q{number} Q0 d{id} {} {} made", rank + 1, RESULTS - rank)?;
        }
    }
    std::fs::write(path, lines)?;
    Ok(())
}
