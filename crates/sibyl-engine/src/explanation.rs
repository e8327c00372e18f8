//! The parts of a stored explanation: prose, metrics, and the named lines after them.

use crate::metric::StandardMetric;
use crate::store::table::chunk::ChunkRow;
use sibyl_text::Piece;
use sibyl_text::chunk::sasb;
use std::collections::BTreeMap;

/// An explanation, split into its parts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Explanation {
    pub prose: String,
    pub metrics: Vec<StandardMetric>,
    pub lines: BTreeMap<String, String>,
}

impl Explanation {
    /// Splits the Markdown of a SASB topic or industry.
    pub(crate) fn of_topic(own: &str) -> Self {
        let mut rest = String::with_capacity(own.len());
        let mut at = 0;
        for metric in sasb::metrics(own) {
            rest.push_str(&own[at..metric.span.start]);
            at = metric.span.end;
        }
        rest.push_str(&own[at..]);
        Self { metrics: StandardMetric::read(own), ..Self::read(&rest) }
    }

    /// Splits the Markdown of one paragraph or item. `own` is its text without that of its items.
    pub(crate) fn read(own: &str) -> Self {
        let mut out = Self::default();
        for block in own.split("\n\n") {
            let block = block.split_whitespace().collect::<Vec<_>>().join(" ");
            let block = block.trim_start_matches("- ");
            if block.is_empty() || block.starts_with('#') {
                continue;
            }
            if let Some((name, rest)) = named_line(block) {
                let line = out.lines.entry(name.to_owned()).or_default();
                if !line.is_empty() {
                    *line = format!("{}; ", line.trim_end_matches('.'));
                }
                line.push_str(rest);
            } else {
                let prose = without_label(block);
                if !prose.is_empty() {
                    if !out.prose.is_empty() {
                        out.prose.push_str("\n\n");
                    }
                    out.prose.push_str(prose);
                }
            }
        }
        out
    }

    /// Advice to reviewers on it.
    pub(crate) fn in_review(&self) -> Option<&str> {
        self.lines.get("In review").map(String::as_str)
    }

    /// The phrases people look for it by.
    pub(crate) fn asked_as(&self) -> Vec<String> {
        let line = self.lines.get("Asked as").map(String::as_str).unwrap_or_default();
        line.trim_end_matches('.').split("; ").filter(|s| !s.is_empty()).map(str::to_owned).collect()
    }
}

/// `*Name:* rest`.
fn named_line(block: &str) -> Option<(&str, &str)> {
    let (name, rest) = block.strip_prefix('*')?.split_once(":*")?;
    (!name.contains('*')).then(|| (name, rest.trim()))
}

/// Removes the bold label that opens a paragraph or an item, with the kind and modality after it.
fn without_label(block: &str) -> &str {
    let Some((_, rest)) = block.strip_prefix("**").and_then(|rest| rest.split_once("**")) else {
        return block;
    };
    let rest = rest.trim_start();
    rest.strip_prefix("*(")
        .and_then(|inside| inside.split_once(")*"))
        .map_or(rest, |(_, after)| after.trim_start())
}

/// What the chunks of one identifier say of it. Text of its items is left out, even if a chunk begins with one:
/// items are chunks of their own.
pub(crate) fn explain(parts: &[&ChunkRow]) -> Explanation {
    let whole = joined(parts.iter().copied());
    let topics = parts.first().is_some_and(|row| row.has_topics());
    if topics { Explanation::of_topic(&whole) } else { Explanation::read(&without_items(&whole)) }
}

/// Advice to reviewers in a chunk of a paragraph or item.
pub(crate) fn advice(row: &ChunkRow) -> Option<String> {
    row.standard().map(|_| explain(&[row]))?.in_review().map(str::to_owned)
}

/// The stored text without what was added before it: context header, lead-in, overlap.
pub(crate) fn own_text(row: &ChunkRow) -> &str {
    let mut rest = row.text.as_str();
    for piece in &row.pieces {
        let length = match piece {
            Piece::Source { span, role } if !role.is_own() => span.len(),
            Piece::Generated { text } => text.trim_end().len(),
            Piece::Source { .. } | Piece::Aid { .. } => break,
        };
        rest = rest.get(length..).unwrap_or(rest).trim_start_matches('\n');
    }
    rest
}

/// What the parts of one text say, in their order. A part that opens with neither a marker nor a bullet continues
/// the sentence or item before it.
pub(crate) fn joined<'a>(parts: impl Iterator<Item = &'a ChunkRow>) -> String {
    let mut whole = String::new();
    for own in parts.map(own_text) {
        let opens = own.trim_start().starts_with(['#', '*', '-', '|']);
        whole.push_str(match (whole.is_empty(), opens) {
            (true, _) => "",
            (false, true) => "\n\n",
            (false, false) => "\n",
        });
        whole.push_str(own);
    }
    whole
}

/// `text` up to its first nested item, and the unindented text after the last one.
fn without_items(text: &str) -> String {
    let mut own = String::with_capacity(text.len());
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        let item = line.trim_start().strip_prefix("- ");
        let item = item.is_some_and(|item| item.trim_start_matches("**").starts_with('('));
        inside = if index > 0 && item {
            true
        } else {
            inside && (line.is_empty() || line.starts_with([' ', '-']))
        };
        if !inside {
            own.push_str(line);
            own.push('\n');
        } else if line.is_empty() {
            own.push('\n');
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_is_taken_apart() {
        let text = "**S2.5 · Purpose** *(objective · explanatory)*\n\nOne two\nthree.\n\nFour.\n\n*Terms:* users\n(S1.A.users).\n\n*Asked as:* who\nlooks; why.\n";
        let read = Explanation::read(text);
        assert_eq!(read.prose, "One two three.\n\nFour.");
        assert_eq!(read.lines["Terms"], "users (S1.A.users).");
        assert_eq!(read.asked_as(), ["who looks", "why"]);
    }

    #[test]
    fn a_topic_keeps_what_its_metrics_say_to_them() {
        assert_eq!(Explanation::read("- **(a) Label.** Its words.").prose, "Its words.");
        let read = Explanation::of_topic(
            "## Emissions (EM-EP-110a)\n\n*General issue:* GHG.\n\nWhat it is about.\n\n- **EM-EP-110a.1** *(Quantitative; unit: \
             Tonnes (t), Percentage (%))* **Gross\n  emissions.** What is measured.\n\n  *Counts:*\n  - All sites.\n\n  *Asked \
             as:* tonnes.\n\n*Asked as:* carbon; flaring.\n",
        );
        let metric = &read.metrics[0];
        assert_eq!(
            (metric.code.as_str(), metric.unit.as_str()),
            ("EM-EP-110a.1", "Tonnes (t), Percentage (%)")
        );
        assert_eq!(
            (metric.label.as_str(), metric.measured.text.as_str()),
            ("Gross emissions", "What is measured.")
        );
        assert_eq!((read.prose.as_str(), read.asked_as().len()), ("What it is about.", 2));
        assert!(!read.lines.contains_key("Counts"));
    }

    #[test]
    fn items_are_left_out_and_what_follows_them_stays() {
        let text = "**S2.6 · T** *(r · m)*\n\nProse.\n\n- **(a) A.** Words\n  more.\n\n  *Asked as:* x.\n\n  - **(i) I.** Deep.\n\n*Terms:* t (S1.A.users).\n";
        let read = Explanation::read(&without_items(text));
        assert_eq!(read.prose, "Prose.");
        assert_eq!(read.lines.keys().collect::<Vec<_>>(), ["Terms"]);
        let plain =
            "### 305-1 Steam\n\nIt shall report:\n\n- (a) gross steam;\n  - (i) by mill;\n- (b) gases.\n";
        assert_eq!(Explanation::read(&without_items(plain)).prose, "It shall report:");
        let item = "- **(a) A.** Words\n  more.\n\n  *Asked as:* x.\n\n  - **(i) I.** Deep.\n";
        let read = Explanation::read(&without_items(item));
        assert_eq!((read.prose.as_str(), read.asked_as()), ("Words more.", vec!["x".to_owned()]));
    }
}
