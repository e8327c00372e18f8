//! How well a unit fits the kind of the question.

use super::alone::gives_reason;
use crate::passage::{Passage, cells};
use crate::question::{Kind, Question};
use sibyl_text::language::date::month;
use sibyl_text::language::words::{stem, stem_set, words};
use std::collections::HashSet;

/// What a line that explains a term loses if something else is asked for.
const EXPLAINS_A_TERM: f64 = 0.2;
/// Maximum number of words of an explained term.
const TERM: usize = 6;
/// Minimum share of what is asked about that the explained term contains.
const OF_THE_TERM: f64 = 0.5;

/// How well it fits the kind of the question.
pub(super) fn fit(question: &Question, passage: &Passage, index: usize, (text, head): (&str, &str)) -> f64 {
    match question.kind {
        Kind::Figure if crate::verify::measures(text) => 0.12,
        Kind::Figure if !crate::verify::numbers(text).is_empty() => 0.0,
        Kind::Date if text.bytes().any(|b| b.is_ascii_digit()) => 0.12,
        Kind::Figure | Kind::Date => -0.25,
        Kind::Definition if is_definition(passage) => {
            if index == 0 {
                0.4
            } else {
                0.1
            }
        }
        Kind::Definition if term_of(passage, text, head).is_some_and(|term| is_of(question, term)) => 0.5,
        Kind::Definition => 0.0,
        _ if passage.paragraph_id.is_none() && term_of(passage, text, head).is_some() => -EXPLAINS_A_TERM,
        Kind::Name if names(text, &HashSet::new()) => 0.1,
        Kind::Name => -0.15,
        Kind::Reason if gives_reason(text) => 0.15,
        _ => 0.0,
    }
}

pub(super) fn is_definition(passage: &Passage) -> bool {
    passage.paragraph_id.as_deref().is_some_and(|id| id.contains(".A."))
}

/// Whether `text` names somebody or something by a word that is not among `known`.
pub(super) fn names(text: &str, known: &HashSet<String>) -> bool {
    words(text).iter().any(|word| {
        let before = text[..word.start].trim_end().chars().next_back();
        let inside = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, ',' | '(' | ';'));
        word.is_capital()
            && word.text.chars().skip(1).any(char::is_lowercase)
            && (inside || text.starts_with('|'))
            && month(word.text).is_none()
            && !known.contains(&stem(word.text))
    })
}

/// The term that a line of a report explains: the first cell of a row below "Term", or what stands before "means".
/// In a glossary it is what stands before a colon.
pub(super) fn term_of<'t>(passage: &Passage, text: &'t str, head: &str) -> Option<&'t str> {
    const HEADS: [&str; 6] = ["term", "terms", "word", "expression", "abbreviation", "defined term"];
    let first = cells(head).first().map(|cell| cell.to_lowercase());
    if !head.is_empty() && first.is_some_and(|first| HEADS.contains(&first.as_str())) {
        return cells(text).first().copied();
    }
    let glossary = passage.section.iter().any(|heading| {
        let lower = heading.to_lowercase();
        ["glossary", "definition", "defined terms", "terms used"].iter().any(|word| lower.contains(word))
    });
    let verbs = [" means ", " refers to ", " is defined as ", " stands for ", "| means "];
    let colon = glossary.then(|| text.split_once([':', '–'])).flatten();
    let said = verbs.iter().find_map(|verb| text.split_once(verb)).or(colon)?.0;
    (words(said).len() <= TERM).then_some(said)
}

/// Whether `question` is about `term`.
fn is_of(question: &Question, term: &str) -> bool {
    let stems = stem_set(term);
    let total: f64 = question.asked.iter().map(|asked| asked.weight).sum();
    let held: f64 = question.asked.iter().map(|asked| asked.weight * asked.held(&stems)).sum();
    held >= OF_THE_TERM * total.max(1e-9)
}
