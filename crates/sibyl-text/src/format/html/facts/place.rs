//! Where a stretch of a block's text stands once the block is written as Markdown.

use crate::document::Span;
use crate::format::tidy::{WRAPPED, tidy};
use std::ops::Range;

/// Finds bytes `part` of the block `text` in `written`. As many equal stretches stand before it in one as in the other.
pub(super) fn located(text: &str, part: Range<usize>, written: &str) -> Option<Range<usize>> {
    let wanted = tidy(text.get(part.clone())?);
    if wanted.is_empty() {
        return None;
    }
    if tidy(&text[..part.start]).is_empty() && tidy(&text[part.end..]).is_empty() {
        return Some(written.len() - written.trim_start().len()..written.trim_end().len());
    }
    // Text that goes over lines is found by its first and its last one.
    let (first, last) = (wanted.lines().next()?, wanted.lines().last()?);
    let until = &text[..part.end];
    // White space of one word is that of its surroundings, and need not be tidied to count it.
    let before = if first.contains(' ') || text[part.clone()].contains(WRAPPED) {
        occurrences(&tidy(until), first)
    } else {
        occurrences(until, first)
    };
    let before = before.len();
    let here = occurrences(&wanted, first).len();
    let start = *occurrences(written, first).get(before.checked_sub(here.max(1))?)?;
    let end = written.get(start..)?.find(last)? + start + last.len();
    Some(start..end)
}

/// Where `wanted` stands in `text` and is no part of a longer number or word. A unit may touch a number, and words that are
/// written without blanks touch each other.
fn occurrences(text: &str, wanted: &str) -> Vec<usize> {
    let joins = |outer: Option<char>, inner: Option<char>| {
        let both = |is: fn(char) -> bool| outer.is_some_and(is) && inner.is_some_and(is);
        both(|c| c.is_ascii_digit()) || both(|c| c.is_alphabetic() && c < '\u{2E80}')
    };
    let whole = |at: &usize| {
        let before = text[..*at].chars().next_back();
        let after = text[at + wanted.len()..].chars().next();
        !joins(before, wanted.chars().next()) && !joins(after, wanted.chars().next_back())
    };
    text.match_indices(wanted).map(|(at, _)| at).filter(whole).collect()
}

/// The span that holds `span` and the bytes from `start` to `end`.
pub(super) fn extended(span: Option<Span>, start: usize, end: usize) -> Span {
    span.map_or(Span::new(start, end), |span| Span::new(span.start.min(start), span.end.max(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_are_told_apart_by_how_many_stand_before() {
        let text = "Note 5 had 15 and 5";
        let written = "- Note 5 had 15 and 5";
        assert_eq!(located(text, 18..19, written), Some(20..21));
        assert_eq!(located(text, 5..6, written), Some(7..8));
        assert_eq!(located(text, 11..13, written), Some(13..15));
        assert_eq!(located(text, 11..11, written), None);
        assert_eq!(located(text, 0..19, written), Some(0..21));
    }
}
