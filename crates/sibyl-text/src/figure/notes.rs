//! Marks of notes in names: `2024 (2)`, `Injuries¹`, where the notes stand right below the table.

use super::Figure;
use crate::document::Document;
use unicode_normalization::UnicodeNormalization;

/// Most notes below a table.
const MOST: usize = 40;
/// Most letters of a mark.
const LONGEST: usize = 3;

/// A mark: what it says, and whether it stands in brackets. Names may then have it in brackets or raised.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mark {
    said: String,
    bracketed: bool,
}

/// The marks with which the paragraphs right below the block at `table` begin.
pub(super) fn below(document: &Document, table: usize) -> Vec<Mark> {
    let below = document.blocks.iter().skip(table + 1).take(MOST).take_while(|block| block.kind.running());
    below.map_while(|block| mark(block.span.of(&document.text))).collect()
}

/// The mark that a note begins with.
fn mark(note: &str) -> Option<Mark> {
    let note = note.trim_start_matches(['-', '*', '>', '\\', ' ']);
    let bracketed = [('(', ')'), ('[', ']')]
        .into_iter()
        .find_map(|(open, close)| note.strip_prefix(open).and_then(|rest| rest.split_once(close)));
    if let Some((inner, rest)) = bracketed {
        let short = !inner.is_empty() && inner.chars().count() <= LONGEST;
        let said = short && inner.chars().all(char::is_alphanumeric) && rest.starts_with(' ');
        return said.then(|| Mark { said: inner.to_owned(), bracketed: true });
    }
    let end = note.find(|c: char| !(c.is_ascii_digit() || is_raised(c)))?;
    let (said, rest) = note.split_at(end);
    let text = rest.trim_start_matches([')', ' ']);
    let apart = rest.len() > text.len() && text.starts_with(char::is_alphabetic);
    let mark = (1..=LONGEST).contains(&said.chars().count()) && apart;
    mark.then(|| Mark { said: said.nfkc().collect(), bracketed: rest.starts_with(')') })
}

/// Whether a sign is a letter or digit set small and high.
fn is_raised(sign: char) -> bool {
    "⁰¹²³⁴⁵⁶⁷⁸⁹ⁱⁿʰʲˡʳˢʷˣʸ".contains(sign) || ('\u{1d43}'..='\u{1dbf}').contains(&sign)
}

/// Takes `marks` out of the names of figures.
pub(super) fn take_out(figures: &mut [Figure], marks: &[Mark]) {
    if marks.is_empty() {
        return;
    }
    for figure in figures {
        for name in figure.label.iter_mut().chain(&mut figure.above) {
            let bare = unmarked(name, marks);
            if !bare.is_empty() && bare.len() < name.len() {
                *name = bare.to_owned();
            }
        }
        let names = figure.column.split(" / ").map(|name| unmarked(name, marks));
        figure.column = names.filter(|name| !name.is_empty()).collect::<Vec<_>>().join(" / ");
    }
}

/// A name without the marks behind it.
fn unmarked<'n>(name: &'n str, marks: &[Mark]) -> &'n str {
    let mut name = name;
    loop {
        let without = |mark: &Mark| {
            let bare = if mark.bracketed { without_brackets(name, &mark.said) } else { None };
            bare.or_else(|| without_raised(name, &mark.said)).map(|bare| bare.trim_end_matches([' ', ',']))
        };
        match marks.iter().find_map(without) {
            Some(bare) => name = bare,
            None => return name,
        }
    }
}

/// `name` without `said` in brackets at its end. Round ones stand apart from a name.
fn without_brackets<'n>(name: &'n str, said: &str) -> Option<&'n str> {
    let inside = |open: char, close: char| name.strip_suffix(close)?.strip_suffix(said)?.strip_suffix(open);
    let apart = |bare: &&str| bare.is_empty() || bare.ends_with(char::is_whitespace);
    inside('[', ']').or_else(|| inside('(', ')').filter(apart))
}

/// `name` without `said` in raised signs at its end, which are no part of a unit.
fn without_raised<'n>(name: &'n str, said: &str) -> Option<&'n str> {
    let bare = name.trim_end_matches(is_raised);
    let mark = &name[bare.len()..];
    let unit = matches!(mark, "²" | "³") && bare.ends_with('m');
    (!unit && !mark.is_empty() && mark.nfkc().eq(said.chars())).then_some(bare)
}
