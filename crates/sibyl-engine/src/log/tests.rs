//! What is logged comes back, in bounds.

use super::{FILE, LARGEST, LOGS, LogLevel, LogQuery, LogWriter, OLD_FILE, tail};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use tracing_subscriber::prelude::*;

fn messages(data: &Path, level: LogLevel, limit: usize) -> Vec<String> {
    let found = tail(&data.join(LOGS), &LogQuery { level, limit }).unwrap();
    found.lines.into_iter().map(|line| line.message).collect()
}

#[test]
fn what_is_traced_is_found_at_its_level() {
    let data = tempfile::tempdir().unwrap();
    let writer = LogWriter::default();
    let shared = writer.clone();
    let layer = tracing_subscriber::fmt::layer().json().with_writer(move || shared.clone());
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
        tracing::warn!(code = "io", "before the folder was known");
        writer.open(data.path()).unwrap();
        tracing::debug!("a detail");
        let _inside = tracing::error_span!("call", request = "7-1").entered();
        tracing::error!(job = 7, "a \"quoted\"\nfailure");
    });
    assert_eq!(
        messages(data.path(), LogLevel::Warn, 10),
        ["before the folder was known", "a \"quoted\"\nfailure"]
    );
    assert_eq!(messages(data.path(), LogLevel::Trace, 2), ["a detail", "a \"quoted\"\nfailure"]);
    let error = tail(&data.path().join(LOGS), &LogQuery { level: LogLevel::Error, limit: 10 })
        .unwrap()
        .lines
        .pop()
        .unwrap();
    assert_eq!((error.level, error.target.as_str()), (LogLevel::Error, module_path!()));
    assert_eq!(serde_json::Value::from(error.fields), serde_json::json!({"job": 7, "request": "7-1"}));
    assert!(error.at.starts_with("20") && error.at.ends_with('Z'), "{}", error.at);
}

#[test]
fn the_log_stays_in_bounds_and_keeps_its_end() {
    let data = tempfile::tempdir().unwrap();
    let mut writer = LogWriter::default();
    writer.open(data.path()).unwrap();
    let line = |n: u64| {
        let filling = "x".repeat(1 << 16);
        format!(
            "{{\"timestamp\":\"t\",\"level\":\"INFO\",\"target\":\"a\",\"fields\":{{\"message\":\"{n}\",\"x\":\"{filling}\"}}}}\n"
        )
    };
    let count = 3 * LARGEST / (1 << 16);
    for n in 0..count {
        writer.write_all(line(n).as_bytes()).unwrap();
    }
    for file in [FILE, OLD_FILE] {
        let bytes = fs::metadata(data.path().join(LOGS).join(file)).unwrap().len();
        assert!(bytes > 0 && bytes <= LARGEST, "{file}: {bytes}");
    }
    assert_eq!(fs::read_dir(data.path().join(LOGS)).unwrap().count(), 2);
    let last: Vec<String> = (count - 70..count).map(|n| n.to_string()).collect();
    assert_eq!(messages(data.path(), LogLevel::Info, 70), last);
    // A program that starts again continues in the same file.
    let again = LogWriter::default();
    again.open(data.path()).unwrap();
    assert_eq!(messages(data.path(), LogLevel::Info, 70), last);
}

#[test]
fn a_broken_line_is_told_and_a_wrong_question_refused() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join(LOGS);
    assert!(tail(&folder, &LogQuery::default()).unwrap().lines.is_empty());
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(FILE), b"{\"timestamp\":\"2026-\xff\n").unwrap();
    let found = tail(&folder, &LogQuery::default()).unwrap().lines;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].level, &found[0].message[..14]), (LogLevel::Warn, "{\"timestamp\":\""));
    let error = tail(&folder, &LogQuery { limit: 0, ..LogQuery::default() }).unwrap_err();
    assert!(error.code() == "out_of_range" && error.to_string().contains("limit"), "{error}");
}
