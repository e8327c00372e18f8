//! Messages about documents whose files are gone.

use sibyl_api::{Gone, GoneDocuments, GoneReport, HeldBecause, HeldDocuments};
use std::fmt::Write as _;

/// Maximum number of documents named in a line.
const NAMED: usize = 3;

/// What the last job of a folder deleted and marked. What it held back or found away is shown in its present
/// state.
pub fn settled(report: &GoneReport) -> String {
    let GoneReport { deleted, marked, .. } = report.clone();
    gone(&GoneReport { deleted, marked, ..GoneReport::default() })
}

/// What a job's report says about documents whose files it did not find, a line for each outcome.
pub fn gone(report: &GoneReport) -> String {
    let mut out = String::new();
    let until = report.until.as_deref().unwrap_or_default();
    for (documents, sign, rest) in [
        (
            &report.deleted,
            "deleted",
            "in the bin for 30 days, since their files are gone; `sibyl restore` lists and restores them"
                .to_owned(),
        ),
        (&report.marked, "marked ", "marked as missing, since their files are gone".to_owned()),
        (
            &report.held,
            "held   ",
            format!("{MANY}; what is still gone on {until} is deleted or marked then. {DECIDE}"),
        ),
        (&report.away, "away   ", format!("{AWAY}; none of them is deleted or marked. {DECIDE}")),
    ] {
        if documents.count > 0 {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{sign}  {}: {rest}", named(documents));
        }
    }
    out
}

const MANY: &str = "held back, because very many files of their folder are gone at once";
const AWAY: &str = "their folder is not there, or is not the one that it was (is a drive disconnected?)";
const DECIDE: &str = "`sibyl watch` shows how to decide at once";

/// The held-back documents, by folder, with the commands that decide about them.
pub fn held(held: &[HeldDocuments]) -> String {
    let mut out = String::new();
    for HeldDocuments { root, corpus, watched, reason, gone, files, until } in held {
        let folder = watched.map_or_else(|| format!("\"{root}\""), |id| id.to_string());
        let until = until.as_deref().unwrap_or_default();
        let (why, then) = match reason {
            HeldBecause::Many => (MANY, format!("what is still gone on {until} is deleted or marked then")),
            HeldBecause::Away => (AWAY, "none of them is deleted or marked".to_owned()),
        };
        let act = if *gone == Gone::Mark { "marks" } else { "deletes" };
        let away = if *reason == HeldBecause::Away { " --away" } else { "" };
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{root}: {} of the corpus {corpus}: {why}; {then}. `sibyl watch confirm {folder}{away}` {act} them now, \
             `sibyl watch refuse {folder}` keeps them.",
            named(files),
        );
    }
    out
}

/// How many documents, and which.
fn named(documents: &GoneDocuments) -> String {
    let GoneDocuments { count, documents } = documents;
    let paths: Vec<&str> = documents.iter().take(NAMED).map(|document| document.path.as_str()).collect();
    let more = if *count > paths.len() { ", …" } else { "" };
    let noun = if *count == 1 { "document" } else { "documents" };
    format!("{count} {noun} ({}{more})", paths.join(", "))
}
