//! What is said of documents whose files are gone.

use crate::output::{list, text};
use serde::Deserialize as _;
use serde_json::Value;
use sibyl_api::{Gone, HeldBecause};
use std::fmt::Write as _;

/// Most documents that are named in a line.
const NAMED: usize = 3;

/// What the report of a job says of documents whose files it did not find, one line for each thing that became of them.
pub fn gone(report: &Value) -> String {
    let mut out = String::new();
    let until = text(report, "gone.until");
    for (name, sign, rest) in [
        (
            "deleted",
            "deleted",
            "in the bin for 30 days, since their files are gone; `sibyl restore` lists and restores them"
                .to_owned(),
        ),
        ("marked", "marked ", "marked as missing, since their files are gone".to_owned()),
        (
            "held",
            "held   ",
            format!("{MANY}; what is still gone on {until} is deleted or marked then. {DECIDE}"),
        ),
        ("away", "away   ", format!("{AWAY}; nothing of them is deleted or marked. {DECIDE}")),
    ] {
        let documents = &report["gone"][name];
        if documents["count"].as_u64().is_some_and(|count| count > 0) {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{sign}  {}: {rest}", named(documents));
        }
    }
    out
}

const MANY: &str = "held back, because very many files of their folder are gone at once";
const AWAY: &str = "their folder is not there, or is not the one that it was (is a drive disconnected?)";
const DECIDE: &str = "`sibyl watch` shows how to decide at once";

/// The documents that are held back, by folder, with the commands that decide about them.
pub fn held(held: &Value) -> String {
    let mut out = String::new();
    for group in held.as_array().into_iter().flatten() {
        let root = text(group, "root");
        let folder = group["watched"].as_i64().map_or_else(|| format!("\"{root}\""), |id| id.to_string());
        let (why, then) = match HeldBecause::deserialize(&group["reason"]) {
            Ok(HeldBecause::Many) => {
                (MANY, format!("what is still gone on {} is deleted or marked then", text(group, "until")))
            }
            Ok(HeldBecause::Away) | Err(_) => (AWAY, "nothing of them is deleted or marked".to_owned()),
        };
        let marks = Gone::deserialize(&group["gone"]).is_ok_and(|gone| gone == Gone::Mark);
        let act = if marks { "marks" } else { "deletes" };
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{root}: {} of the corpus {}: {why}; {then}. `sibyl watch confirm {folder}` {act} them now, \
             `sibyl watch refuse {folder}` keeps them.",
            named(&group["files"]),
            text(group, "corpus"),
        );
    }
    out
}

/// How many documents, and which.
fn named(documents: &Value) -> String {
    let count = documents["count"].as_u64().unwrap_or_default();
    let paths: Vec<&str> =
        list(documents, "documents").iter().take(NAMED).map(|document| text(document, "path")).collect();
    let more = if count > paths.len() as u64 { ", …" } else { "" };
    let noun = if count == 1 { "document" } else { "documents" };
    format!("{count} {noun} ({}{more})", paths.join(", "))
}
