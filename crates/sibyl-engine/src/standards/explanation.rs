//! The parts of a stored explanation: prose, metrics, and the named lines behind it.

use super::metric::StandardMetric;
use sibyl_text::chunk::sasb;
use std::collections::BTreeMap;

/// An explanation taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Explanation {
    pub prose: String,
    pub metrics: Vec<StandardMetric>,
    pub lines: BTreeMap<String, String>,
}

impl Explanation {
    /// Takes the Markdown of a SASB topic or industry apart.
    pub(super) fn of_topic(own: &str) -> Self {
        let mut rest = String::with_capacity(own.len());
        let mut at = 0;
        for metric in sasb::metrics(own) {
            rest.push_str(&own[at..metric.span.start]);
            at = metric.span.end;
        }
        rest.push_str(&own[at..]);
        Self { metrics: StandardMetric::read(own), ..Self::read(&rest) }
    }

    /// Takes the Markdown of one paragraph or item apart. `own` is its text without that of its items.
    pub(super) fn read(own: &str) -> Self {
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
    pub(super) fn in_review(&self) -> Option<&str> {
        self.lines.get("In review").map(String::as_str)
    }

    /// The phrases people look for it by.
    pub(super) fn asked_as(&self) -> Vec<String> {
        let line = self.lines.get("Asked as").map(String::as_str).unwrap_or_default();
        line.trim_end_matches('.').split("; ").filter(|s| !s.is_empty()).map(str::to_owned).collect()
    }
}

/// `*Name:* rest`.
fn named_line(block: &str) -> Option<(&str, &str)> {
    let (name, rest) = block.strip_prefix('*')?.split_once(":*")?;
    (!name.contains('*')).then(|| (name, rest.trim()))
}

/// Drops the bold label that opens a paragraph or an item, with the kind and modality behind it.
fn without_label(block: &str) -> &str {
    let Some((_, rest)) = block.strip_prefix("**").and_then(|rest| rest.split_once("**")) else {
        return block;
    };
    let rest = rest.trim_start();
    rest.strip_prefix("*(")
        .and_then(|inside| inside.split_once(")*"))
        .map_or(rest, |(_, after)| after.trim_start())
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
}
