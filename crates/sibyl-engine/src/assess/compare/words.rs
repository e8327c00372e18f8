//! Which words of two quotations differ.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, ChangeTag, utils::diff_slices};

/// Words of a quotation that follow each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedWords {
    /// The words, with single spaces between them.
    pub text: String,
    /// Whether the other quotation lacks them here.
    pub changed: bool,
}

/// The words of a quotation; of a row of a table its cells, with a dot between two.
pub(super) fn shown(quote: &str) -> String {
    let quote = quote.trim();
    if quote.starts_with('|') {
        let cells = sibyl_answer::passage::cells(quote);
        return cells.into_iter().filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" · ");
    }
    quote.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All of `text`, with nothing marked as different.
pub(super) fn whole(text: &str) -> Vec<ComparedWords> {
    vec![ComparedWords { text: text.to_owned(), changed: false }]
}

/// Both quotations, each in stretches that the other has or lacks. Myers, "An O(ND) Difference Algorithm and Its
/// Variations", 1986, over words.
pub(super) fn differences(earlier: &str, later: &str) -> [Vec<ComparedWords>; 2] {
    let [old, new]: [Vec<&str>; 2] = [earlier, later].map(|text| text.split(' ').collect());
    let mut sides = [Vec::new(), Vec::new()];
    for (tag, words) in diff_slices(Algorithm::Myers, &old, &new) {
        let text = words.join(" ");
        let (changed, on) = match tag {
            ChangeTag::Equal => (false, [true, true]),
            ChangeTag::Delete => (true, [true, false]),
            ChangeTag::Insert => (true, [false, true]),
        };
        for (side, _) in sides.iter_mut().zip(on).filter(|(_, on)| *on) {
            add(side, &text, changed);
        }
    }
    sides
}

fn add(side: &mut Vec<ComparedWords>, text: &str, changed: bool) {
    match side.last_mut().filter(|last| last.changed == changed) {
        Some(last) => {
            last.text.push(' ');
            last.text.push_str(text);
        }
        None => side.push(ComparedWords { text: text.to_owned(), changed }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(side: &[ComparedWords]) -> String {
        let mark = |part: &ComparedWords| match part.changed {
            true => format!("[{}]", part.text),
            false => part.text.clone(),
        };
        side.iter().map(mark).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_that_only_one_side_has_are_marked_on_that_side() {
        let [earlier, later] = differences(
            "The plan rests on three assumptions and a price of £40 a tonne.",
            "The plan rests on four assumptions, made in May, and a price of £40 a tonne.",
        );
        assert_eq!(marked(&earlier), "The plan rests on [three assumptions] and a price of £40 a tonne.");
        assert_eq!(
            marked(&later),
            "The plan rests on [four assumptions, made in May,] and a price of £40 a tonne."
        );
    }

    #[test]
    fn the_same_words_differ_in_nothing_and_other_words_in_all() {
        let [one, other] = differences("Net zero by 2040.", "Net zero by 2040.");
        assert_eq!((marked(&one), one.len(), &one), ("Net zero by 2040.".to_owned(), 1, &other));
        let [one, other] = differences("Wholly other words", "stand here");
        assert_eq!(
            (marked(&one), marked(&other)),
            ("[Wholly other words]".to_owned(), "[stand here]".to_owned())
        );
    }

    #[test]
    fn a_row_is_shown_by_its_cells_and_broken_lines_as_one() {
        assert_eq!(shown("| Scope 1 | 12,400 |  | t |"), "Scope 1 · 12,400 · t");
        assert_eq!(shown(" The board\n  oversees it. "), "The board oversees it.");
    }
}
