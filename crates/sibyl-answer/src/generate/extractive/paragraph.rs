//! A paragraph of a standard that is asked for by its id: its first sentences answer.

use super::ScoredUnit;
use crate::question::Question;

/// Maximum number of sentences.
const MOST: usize = 4;

/// The first sentences of the paragraph that `question` asks for, in order. Empty if it asks for anything else, or
/// no passage is of that paragraph.
pub(super) fn stated<'c, 'a>(
    question: &Question,
    candidates: &'c [ScoredUnit<'a>],
) -> Vec<&'c ScoredUnit<'a>> {
    let Some(id) = question.asks_for_paragraph() else { return Vec::new() };
    let mut own: Vec<&ScoredUnit<'_>> =
        candidates.iter().filter(|one| one.passage.paragraph_id.as_ref() == Some(&id)).collect();
    own.sort_by_key(|one| one.unit.span.start);
    own.retain(|one| !is_label(one.text()));
    let Some(first) = own.first().copied() else { return Vec::new() };
    own.retain(|one| one.passage.number == first.passage.number && one.unit.block == first.unit.block);
    own.truncate(MOST);
    own
}

/// Whether `text` is a name or a remark: all of it, or its beginning, is set off.
fn is_label(text: &str) -> bool {
    let text = text.trim_start_matches(['-', ' ', '\n']).trim_end();
    text.starts_with("**") && (text.ends_with("**") || text.ends_with('*'))
        || text.starts_with('*') && !text.starts_with("**")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_remarks_are_told_from_sentences() {
        for label in [
            "- **(a) Gases.**",
            "**S2.29 · Metrics** *(requirement · mandatory)*",
            "*Terms:* gas.",
            "  *Asked as:* x",
        ] {
            assert!(is_label(label), "{label}");
        }
        for sentence in ["An entity reports gases.", "**Gross** means before any offset."] {
            assert!(!is_label(sentence), "{sentence}");
        }
    }
}
