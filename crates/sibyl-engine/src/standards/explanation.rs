//! The parts of a stored explanation: prose, metrics, and the named lines behind it.

use std::collections::BTreeMap;

/// A metric of a SASB topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MetricText {
    pub code: String,
    pub label: String,
    pub category: String,
    pub unit: String,
    pub prose: String,
}

/// An explanation taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Explanation {
    pub prose: String,
    pub metrics: Vec<MetricText>,
    pub lines: BTreeMap<String, String>,
}

impl Explanation {
    /// Takes the Markdown of one paragraph, item or topic apart. `own` is its text without that of its items.
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
            } else if let Some(metric) = metric(block) {
                out.metrics.push(metric);
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

/// `**CODE** *(category; unit: unit)* **Label.** prose`.
fn metric(block: &str) -> Option<MetricText> {
    let (code, rest) = block.strip_prefix("**")?.split_once("** *(")?;
    let (facts, rest) = rest.split_once(")* **")?;
    let (category, unit) = facts.split_once("; unit: ")?;
    let (label, prose) = rest.split_once(".**")?;
    Some(MetricText {
        code: code.to_owned(),
        label: label.to_owned(),
        category: category.to_owned(),
        unit: unit.to_owned(),
        prose: prose.trim().to_owned(),
    })
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
    fn an_item_and_a_metric_keep_their_own_words() {
        assert_eq!(Explanation::read("- **(a) Label.** Its words.").prose, "Its words.");
        let read = Explanation::read(
            "- **EM-EP-110a.1** *(Quantitative; unit: Tonnes (t), Percentage (%))* **Gross\n  emissions.** What counts.",
        );
        let metric = &read.metrics[0];
        assert_eq!(
            (metric.code.as_str(), metric.unit.as_str()),
            ("EM-EP-110a.1", "Tonnes (t), Percentage (%)")
        );
        assert_eq!((metric.label.as_str(), metric.prose.as_str()), ("Gross emissions", "What counts."));
    }
}
