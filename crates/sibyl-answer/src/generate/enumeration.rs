//! Lists as documents write them: the rows of a table, items after a lead-in, paragraphs that each begin with a
//! name in bold. A question for every item of something is answered by such a list, not by the sentence most like
//! it.

use crate::passage::{Passage, Unit};
use sibyl_text::language::words::{stem_set, words};
use std::collections::HashSet;
use std::ops::Range;

/// Minimum number of items of a list.
const FEWEST: usize = 2;
/// Longest name in bold at the beginning of a paragraph, in bytes.
const LONGEST_NAME: usize = 80;

/// A list in a passage.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Enumeration {
    /// Positions of its units among those of the passage: the lead-in, if there is one, and the items.
    pub units: Vec<usize>,
    /// Stems of the words that say what it lists: the lead-in, or the head of a table.
    pub about: HashSet<String>,
    /// Stems of the sentence before a table, which may be about it.
    pub before: HashSet<String>,
}

/// How an item is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Row(usize),
    Mark,
    Bold,
}

/// The lists of `passage`, whose units are `units`.
pub(crate) fn enumerations(passage: &Passage, units: &[Unit]) -> Vec<Enumeration> {
    let text = |at: usize| units[at].of(passage);
    let mut found = Vec::new();
    let mut at = 0;
    while at < units.len() {
        let Some(form) = form(passage, &units[at]) else {
            at += 1;
            continue;
        };
        let mut items: Vec<Range<usize>> = Vec::new();
        let mut end = at;
        while end < units.len() && self::form(passage, &units[end]) == Some(form) {
            let first = end;
            end += 1;
            // The text after the name in bold, or after the item, up to the next one or the end of its paragraph.
            while end < units.len()
                && units[end].block == units[first].block
                && !units[end].is_row
                && self::form(passage, &units[end]).is_none()
            {
                end += 1;
            }
            items.push(first..end);
        }
        if items.len() >= FEWEST {
            let lead = at.checked_sub(1).filter(|&lead| !units[lead].is_row);
            let head = units[at].head.map(|head| stem_set(head.of(&passage.source.text)));
            let said = lead.map(|lead| stem_set(text(lead))).unwrap_or_default();
            let (about, before) = match head {
                Some(head) => (head, said),
                None => (said, HashSet::new()),
            };
            // The head of a table says what it is about; a list is read together with its lead-in.
            let lead = lead.filter(|_| !matches!(form, Form::Row(_)));
            // From an item, its name and first sentence.
            let named = items.iter().flat_map(|item| item.start..item.end.min(item.start + 2));
            found.push(Enumeration { units: lead.into_iter().chain(named).collect(), about, before });
        }
        at = end.max(at + 1);
    }
    found
}

fn form(passage: &Passage, unit: &Unit) -> Option<Form> {
    let text = unit.of(passage).trim_start();
    if unit.is_row {
        return Some(Form::Row(unit.block));
    }
    if ["- ", "* ", "+ "].iter().any(|mark| text.starts_with(mark)) || is_numbered(text) {
        return Some(Form::Mark);
    }
    let bold = text.strip_prefix("**").filter(|rest| !rest.starts_with(char::is_whitespace))?;
    // A sentence may end inside the bold text.
    let name = bold.split("**").next().unwrap_or_default();
    (name.len() <= LONGEST_NAME && !words(name).is_empty()).then_some(Form::Bold)
}

/// Whether `text` begins with a number and a full stop or bracket.
fn is_numbered(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - rest.len();
    (1..=2).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passage::tests::whole;

    fn lists(text: &str) -> Vec<Vec<String>> {
        let passage = whole(text);
        let units = passage.units();
        let of = |one: &Enumeration| one.units.iter().map(|&at| units[at].of(&passage).to_owned()).collect();
        enumerations(&passage, &units).iter().map(of).collect()
    }

    #[test]
    fn rows_items_and_paragraphs_with_a_name_in_bold_are_lists() {
        assert_eq!(
            lists(
                "Three mills stand here.\n\n| Mill | Built |\n|---|---|\n| Upper | 1998 |\n| Lower | 2006 |\n"
            ),
            [["| Upper | 1998 |", "| Lower | 2006 |"]]
        );
        assert_eq!(
            lists("We mill two things:\n\n- Rye is for bread.\n- Oats are for horses.\n\nThe weir is open."),
            [["We mill two things:", "- Rye is for bread.", "- Oats are for horses."]]
        );
        let bold = lists(
            "The plan has two parts.\n\n**Mend.** The wheel gets new paddles. It cost little.\n\n**Dig.** The race is dug out.\n\nNobody knows when.",
        );
        let all = bold.concat().join(" ");
        assert!(
            all.starts_with("The plan has two parts.") && all.contains("Mend.") && all.contains("Dig."),
            "{bold:?}"
        );
        assert!(!all.contains("Nobody") && bold.len() == 1, "{bold:?}");
    }

    #[test]
    fn one_item_is_no_list() {
        assert!(lists("- rye\n\nThe weir is open. It is old.").is_empty());
        assert!(lists("The weir is open. It is old.").is_empty());
    }
}
