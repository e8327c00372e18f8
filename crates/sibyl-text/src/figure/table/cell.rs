//! The cells of a row of a Markdown table, and what their text is besides a name or a value.

use crate::document::Span;
use crate::language::cell::Kind;

/// Words from which a cell holds a sentence.
const PROSE: usize = 8;
/// Words of the longest unit behind a number.
const UNIT_WORDS: usize = 4;

/// The cells of the table in `span` that hold sentences, as those of a table of text do.
pub(in crate::figure) fn prose(text: &str, span: Span) -> Vec<Span> {
    let mut at = span.start;
    let rows = span.of(text).split_inclusive('\n').map(|line| {
        at += line.len();
        Span::new(at - line.len(), at - line.len() + line.trim_end().len())
    });
    let all = rows.filter(|row| row.of(text).starts_with('|')).flat_map(|row| cells(text, row));
    let says = |cell: &Span| {
        cell.of(text).split_whitespace().count() >= PROSE && Kind::of_text(bare(cell.of(text))) == Kind::Text
    };
    all.filter(says).collect()
}

/// What a cell counts if words follow its number: `standard cubic feet` of `961 standard cubic feet`. Words that
/// follow the numbers of several cells in a row are a unit, even an unknown one.
pub(super) fn counted(cell: &str) -> Option<&str> {
    let cell = bare(cell);
    let number = cell.find(|c: char| !(c.is_ascii_digit() || ".,".contains(c))).filter(|end| *end > 0)?;
    let words = cell[number..].strip_prefix(' ')?;
    let plain = words.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-'));
    (plain && !words.is_empty() && words.split(' ').count() <= UNIT_WORDS).then_some(words)
}

/// A cell without marks of emphasis around it.
pub(super) fn bare(cell: &str) -> &str {
    cell.trim().trim_matches('*').trim()
}

/// Where the cells of `row`, a row of a Markdown table in `text`, are, trimmed, in order.
pub fn cells(text: &str, row: Span) -> Vec<Span> {
    let line = row.of(text);
    let inner_start = line.find('|').map_or(0, |at| at + 1);
    let inner_end = line.rfind('|').filter(|at| *at >= inner_start).unwrap_or(line.len());
    let mut found = Vec::new();
    let mut from = inner_start;
    let bytes = line.as_bytes();
    for at in (inner_start..=inner_end)
        .filter(|&at| at == inner_end || (bytes[at] == b'|' && bytes[at - 1] != b'\\'))
    {
        let cell = &line[from..at];
        let lead = cell.len() - cell.trim_start().len();
        let start = row.start + from + if cell.trim().is_empty() { 0 } else { lead };
        found.push(Span::new(start, start + cell.trim().len()));
        from = (at + 1).min(inner_end);
    }
    found
}
