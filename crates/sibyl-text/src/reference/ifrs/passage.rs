//! The part of a reference that says where in a standard: numbers, item labels, ranges and lists of them.

use super::id::{Number, Standard, classes, label};
use super::label::{bracketed, ends, labels};
use crate::language::unit::{self, Measure};
use crate::reference::cursor::{Cursor, is_dash};
use std::fmt;

/// A paragraph or item: `14(a)(iv)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ItemPath {
    /// The paragraph.
    pub(super) number: Number,
    /// Item labels from the outside in, in lower case.
    pub(super) labels: Vec<String>,
}

impl fmt::Display for ItemPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)?;
        self.labels.iter().try_for_each(|label| write!(f, "({label})"))
    }
}

/// One or more places that were written together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Passage {
    /// The places in order.
    pub(super) places: Vec<ItemPath>,
    /// Whether they were written as a range.
    pub(super) range: bool,
    /// Whether item labels were written.
    pub(super) labelled: bool,
    /// Whether the number is that of an appendix.
    pub(super) series: bool,
}

impl Passage {
    /// Reads a number with its labels and what is joined to it. `standard` is the one named before, which may be
    /// repeated inside a range; `list` allows more numbers as in "14, 15 and 22".
    pub(super) fn read(cursor: &mut Cursor<'_>, standard: Option<Standard>, list: bool) -> Option<Self> {
        let mut ahead = *cursor;
        let mut passage = Self::single(&mut ahead)?;
        passage.extend(&mut ahead, standard);
        while list && passage.next_in_list(&mut ahead, standard).is_some() {}
        *cursor = ahead;
        Some(passage)
    }

    /// Whether the standard has paragraphs with these numbers.
    pub(super) fn exists(&self, standard: Standard) -> bool {
        self.places.iter().all(|p| p.number.value <= standard.last(p.number.series))
    }

    fn single(cursor: &mut Cursor<'_>) -> Option<Self> {
        let mut ahead = *cursor;
        let number = Number::read(&mut ahead)?;
        let labels = labels(&mut ahead)?;
        *cursor = ahead;
        let labelled = !labels.is_empty();
        Some(Self {
            places: vec![ItemPath { number, labels }],
            range: false,
            labelled,
            series: number.series.is_some(),
        })
    }

    /// Reads what follows the last place: `-(c)`, ` to 40`, ` and (d)`.
    fn extend(&mut self, cursor: &mut Cursor<'_>, standard: Option<Standard>) {
        let Some(last) = self.places.last().cloned() else { return };
        let mut ahead = *cursor;
        if joint(&mut ahead) {
            let more = if last.labels.is_empty() {
                numbers_up_to(&last, &mut ahead, standard)
            } else {
                labels_up_to(&last, &mut ahead)
            };
            if let Some(more) = more {
                self.range = true;
                self.places.extend(more);
                *cursor = ahead;
                return;
            }
        }
        while let Some(place) = self.places.last().and_then(|last| sibling_in_list(last, cursor)) {
            self.places.push(place);
        }
    }

    /// Reads `, 15` or ` and 22(b)`.
    fn next_in_list(&mut self, cursor: &mut Cursor<'_>, standard: Option<Standard>) -> Option<()> {
        let mut ahead = *cursor;
        list_joint(&mut ahead)?;
        let mut next = Self::single(&mut ahead)?;
        next.extend(&mut ahead, standard);
        self.places.append(&mut next.places);
        self.range |= next.range;
        self.labelled |= next.labelled;
        *cursor = ahead;
        Some(())
    }
}

/// Whether a count's noun follows: "15 minutes", "14 per cent".
pub(super) fn is_quantity(cursor: Cursor<'_>) -> bool {
    const NOUNS: [&str; 11] = [
        "per",
        "hundred",
        "m",
        "times",
        "points",
        "employees",
        "companies",
        "units",
        "sensors",
        "sites",
        "samples",
    ];
    let is_sign = |c: char| matches!(c, '%' | '€' | '$' | '£');
    let mut ahead = cursor;
    if ahead.peek().is_some_and(is_sign) {
        return true;
    }
    ahead.spaces();
    if ahead.peek().is_some_and(is_sign) || ahead.word_of(&NOUNS).is_some() {
        return true;
    }
    let word = ahead.word();
    // A single letter is the label of an item.
    let unit = unit::Word::of(word).filter(|unit| unit.measure != Measure::Count);
    word.chars().nth(1).is_some() && (unit.is_some() || unit::scale(&word.to_lowercase()).is_some())
}

/// Reads a dash or "to" between the ends of a range.
fn joint(cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    let spaced = ahead.spaces() > 0;
    let read = ahead.take(is_dash).is_some()
        || spaced && ahead.word_of(&["to", "through", "till", "until"]).is_some();
    if read {
        ahead.spaces();
        *cursor = ahead;
    }
    read
}

/// Reads a comma, "and" or "or" between the members of a list.
fn list_joint(cursor: &mut Cursor<'_>) -> Option<()> {
    let mut ahead = *cursor;
    let mut read = ahead.eat(',');
    let spaced = ahead.spaces() > 0;
    read |= spaced && (ahead.word_of(&["and", "or"]).is_some() || ahead.eat('&'));
    ahead.spaces();
    read.then(|| *cursor = ahead)
}

/// The places after `first` up to the number that follows.
fn numbers_up_to(
    first: &ItemPath,
    cursor: &mut Cursor<'_>,
    standard: Option<Standard>,
) -> Option<Vec<ItemPath>> {
    let mut ahead = *cursor;
    let mut named = ahead;
    if named.word_of(&["ifrs"]).is_some() {
        named.spaces();
    }
    if let (Some(wanted), Some(read)) = (standard, Standard::read(&mut named))
        && wanted == read
        && named.eat('.')
    {
        ahead = named;
    }
    let mut last = Number::read(&mut ahead)?;
    if last.series.is_none() {
        last.series = first.number.series;
    }
    let mut further = ahead;
    let decimal = further.take(|c| matches!(c, '.' | ',' | ':' | '/')).is_some()
        && further.peek().is_some_and(|c| c.is_ascii_digit());
    if ahead.in_word() || decimal || ahead.peek() == Some('%') {
        return None;
    }
    let numbers = first.number.up_to(last)?;
    *cursor = ahead;
    Some(numbers.into_iter().skip(1).map(|number| ItemPath { number, labels: Vec::new() }).collect())
}

/// The places after `first` up to the label that follows: `(a)-(c)`, `a to c`.
fn labels_up_to(first: &ItemPath, cursor: &mut Cursor<'_>) -> Option<Vec<ItemPath>> {
    let mut ahead = *cursor;
    let last = bracketed(&mut ahead).or_else(|| {
        let word = ahead.word().to_ascii_lowercase();
        (!word.is_empty() && !classes(&word).is_empty() && ends(ahead)).then_some(word)
    })?;
    let (outer, from) = first.labels.split_at(first.labels.len() - 1);
    let from = classes(from.first()?);
    let (class, start, end) = classes(&last).into_iter().find_map(|(class, end)| {
        let &(_, start) = from.iter().find(|(c, _)| *c == class)?;
        (start < end).then_some((class, start, end))
    })?;
    *cursor = ahead;
    let place = |n| {
        let mut labels = outer.to_vec();
        labels.push(label(class, n)?);
        Some(ItemPath { number: first.number, labels })
    };
    (start + 1..=end).map(place).collect()
}

/// Reads `, (c)` or ` and (ii)` and returns the place it means relative to `last`: the label's kind gives the
/// depth.
fn sibling_in_list(last: &ItemPath, cursor: &mut Cursor<'_>) -> Option<ItemPath> {
    let mut ahead = *cursor;
    list_joint(&mut ahead)?;
    let label = bracketed(&mut ahead)?;
    let depth = last.labels.iter().rposition(|l| {
        let before = classes(l);
        classes(&label).iter().any(|(class, n)| before.iter().any(|(c, m)| c == class && m < n))
    })?;
    *cursor = ahead;
    let mut labels = last.labels[..depth].to_vec();
    labels.push(label);
    Some(ItemPath { number: last.number, labels })
}
