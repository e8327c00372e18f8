//! Comments in the margin of a document: they are no part of its text, and are kept beside it.

use super::run;
use crate::document::{Notice, Severity};
use crate::format::office::{attribute, elements};
use roxmltree::Node;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Most comments, and most letters of what one of them is about, that are kept.
const MOST: usize = 10_000;
const LONGEST: usize = 500;

/// The comments in the part `root`, in its order: who wrote each and when, what it says, and the words of the text in `body`
/// that it is `about`.
pub(super) fn of(root: Node<'_, '_>, body: Node<'_, '_>) -> Vec<Value> {
    let about = about(body);
    let comment = |node: Node<'_, '_>| {
        let lines: Vec<String> =
            elements(node, "p").map(run::plain).filter(|line| !line.is_empty()).collect();
        let id = attribute(node, "id").unwrap_or_default();
        json!({
            "author": attribute(node, "author").unwrap_or_default(),
            "date": attribute(node, "date").unwrap_or_default(),
            "text": lines.join("\n"),
            "about": about.get(id).map(|words| words.trim()).unwrap_or_default(),
        })
    };
    elements(root, "comment").take(MOST).map(comment).collect()
}

/// By the id of a comment: the words that it is about.
fn about<'t>(body: Node<'t, '_>) -> HashMap<&'t str, String> {
    let mut open: Vec<&str> = Vec::new();
    let mut out: HashMap<&str, String> = HashMap::new();
    for node in body.descendants() {
        match node.tag_name().name() {
            "commentRangeStart" if out.len() < MOST => {
                open.extend(attribute(node, "id"));
                attribute(node, "id").and_then(|id| out.insert(id, String::new()));
            }
            "commentRangeEnd" => open.retain(|id| Some(*id) != attribute(node, "id")),
            "p" | "br" | "tab" => open.iter().for_each(|id| out.entry(id).or_default().push(' ')),
            "t" if !node
                .ancestors()
                .any(|above| matches!(above.tag_name().name(), "moveFrom" | "Fallback")) =>
            {
                for id in &open {
                    let words = out.entry(id).or_default();
                    let left = LONGEST.saturating_sub(words.chars().count());
                    words.extend(node.text().unwrap_or_default().chars().take(left));
                }
            }
            _ => {}
        }
    }
    out
}

/// What is said of `count` comments.
pub(super) fn kept(count: usize) -> Option<Notice> {
    let (comments, were) = if count == 1 { ("comment", "was") } else { ("comments", "were") };
    let message = format!(
        "{count} {comments} {were} left out of the text and kept beside it with the author; make them part of the text to \
         search them"
    );
    (count > 0).then(|| Notice::new(Severity::Info, "comments_left_out", message))
}
