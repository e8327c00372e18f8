//! How reports say what requirements ask for: sentences in the words of reports, which passages are compared with.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const PHRASES: &str = include_str!("../../../../data/assessment/phrases.jsonl");
/// Bytes of a requirement's explanation that replace its phrases if it has none.
const EXPLAINED: usize = 240;

/// A line of the file.
#[derive(Deserialize)]
struct Row {
    id: String,
    /// Another requirement that asks for the same of other matters.
    #[serde(default)]
    like: Option<String>,
    said: Vec<String>,
}

static KNOWN: LazyLock<BTreeMap<String, Row>> = LazyLock::new(|| {
    // The file is part of the program, and a test reads each of its lines.
    let rows = PHRASES.lines().filter_map(|line| serde_json::from_str::<Row>(line).ok());
    rows.map(|row| (row.id.clone(), row)).collect()
});

/// How reports say what the requirement `id` asks for. If nobody wrote that down, its label and the beginning of
/// `prose`.
pub(super) fn said(id: &str, label: &str, prose: &str) -> Vec<String> {
    if let Some(row) = KNOWN.get(id) {
        return row.said.clone();
    }
    let cut = prose.floor_char_boundary(EXPLAINED.min(prose.len()));
    let begins = prose[..cut].rsplit_once(['.', ' ']).map_or(&prose[..cut], |(head, _)| head).trim();
    let both = [label.trim(), begins].into_iter().filter(|text| !text.is_empty());
    both.map(str::to_owned).collect()
}

/// The requirement whose counts apply to `id`.
pub(super) fn counted_as(id: &str) -> &str {
    KNOWN.get(id).and_then(|row| row.like.as_deref()).unwrap_or(id)
}

/// The phrases of each requirement that was counted by hand.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static [String])> {
    KNOWN.values().filter(|row| row.like.is_none()).map(|row| (row.id.as_str(), row.said.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_read_and_leads_to_a_requirement() {
        assert_eq!(KNOWN.len(), PHRASES.lines().count());
        for row in KNOWN.values() {
            assert!(!row.said.is_empty() && row.said.iter().all(|phrase| !phrase.trim().is_empty()));
            let other = row.like.as_deref();
            assert!(other.is_none_or(|other| KNOWN.get(other).is_some_and(|row| row.like.is_none())));
        }
        assert_eq!(counted_as("S1.27(a)(i)"), "S2.6(a)(i)");
    }

    #[test]
    fn a_requirement_without_phrases_is_told_by_label_and_explanation() {
        let prose = "The measure is the weight of hazardous waste. ".repeat(20);
        let told = said("IF-EU-150a.1", "Hazardous waste", &prose);
        assert_eq!(told[0], "Hazardous waste");
        assert!(told[1].len() <= EXPLAINED && told[1].starts_with("The measure is the weight"));
        assert_eq!(said("X", "Label", ""), ["Label"]);
    }
}
