//! The program `sibyl` as a user runs it.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod answers;
mod assess;
mod assess_figures;
mod assess_index;
mod bin;
mod changes;
mod criteria;
mod described;
mod documents;
mod egress;
mod evaluate;
mod every_command;
mod figures;
mod formats;
mod gold;
mod gone;
mod health;
mod isolation;
mod jobs;
mod kept;
mod killed;
mod labels;
mod limits;
mod mcp;
mod moved;
mod nasty;
mod notes;
mod outcome;
mod packs;
mod pages;
mod places;
mod proposals;
mod schemas;
mod search;
mod server;
mod source_types;
mod standards;
mod tls;
mod uploads;
mod watch;
#[path = "../../crates/sibyl-text/tests/pdf/writer.rs"]
#[allow(dead_code, reason = "the writer serves other tests too")]
mod writer;

use serde_json::Value;
use std::fs;
use std::path::Path;

/// The list at `key`.
fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Paragraph ids of the results, best first.
fn paragraphs(answer: &Value) -> Vec<&str> {
    list(answer, "results").iter().filter_map(|hit| hit["metadata"]["paragraph_id"].as_str()).collect()
}

/// Writes `bytes` to `path` below `folder`.
fn write(folder: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder");
    fs::write(path, bytes).expect("a file");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of Unicode characters")
}
