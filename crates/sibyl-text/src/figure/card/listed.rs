//! Lists of names with a value behind each, as the legend of a chart has them: `North 6.4 GWh`.

use super::Captioned;
use crate::document::{Block, BlockKind, Document};
use crate::figure::sentence::unit_after;
use crate::language::number::{self, Decimal};
use crate::language::period::periods;
use crate::language::words::is_stop;
use std::collections::HashMap;

/// Most words of a name, and most bytes of an entry.
const NAME: usize = 8;
const LONGEST: usize = 100;
/// Fewest letters of a noun that is counted.
const NOUN: usize = 3;

/// The entries of lists of which all values are measured or counted alike, by their blocks' places in the document.
pub(in crate::figure) fn listed(document: &Document, decimal: Decimal) -> HashMap<usize, Captioned> {
    let text = document.text.as_str();
    let entries: Vec<Option<(Captioned, &str)>> =
        document.blocks.iter().map(|block| entry(text, block, decimal)).collect();
    let unit = |entry: &Option<(Captioned, &str)>| entry.map(|(_, unit)| unit.to_lowercase());
    let mut found = HashMap::new();
    let mut from = 0;
    for run in entries.chunk_by(|one, other| unit(one) == unit(other)) {
        let own = run.iter().enumerate().filter(|_| run.len() > 1);
        found.extend(own.filter_map(|(at, entry)| Some((from + at, entry.as_ref()?.0))));
        from += run.len();
    }
    found
}

/// The entry that a block is, and the unit of its value or the noun that it counts.
fn entry<'t>(text: &'t str, block: &Block, decimal: Decimal) -> Option<(Captioned, &'t str)> {
    let short = block.span.len() <= LONGEST;
    let said = block.span.of(text).trim_end();
    if !short || !matches!(block.kind, BlockKind::Paragraph | BlockKind::Item) || !periods(said).is_empty() {
        return None;
    }
    let spaces = said.match_indices(char::is_whitespace).map(|(at, space)| at + space.len());
    let number = spaces.into_iter().find(|at| said[*at..].starts_with(|c: char| c.is_ascii_digit()))?;
    let name = said[..number].trim().trim_start_matches("- ");
    let last = name.rsplit(' ').next().unwrap_or_default();
    let names = name.starts_with(char::is_alphabetic)
        && name.ends_with(|c: char| c.is_alphanumeric() || c == ')')
        && name.split(' ').count() <= NAME
        && !is_stop(&last.to_lowercase());
    let read = number::read(&said[number..], decimal).filter(|read| said[number..].starts_with(read.text))?;
    let unit = said[number + read.text.len()..].trim();
    let is_unit = unit_after("", unit).0.is_some_and(|whole| whole == unit);
    let is_noun = unit.len() >= NOUN && unit.chars().all(char::is_lowercase) && !is_stop(unit);
    let place = Captioned { span: block.span, number: block.span.start + number };
    (names && (is_unit || is_noun)).then_some((place, unit))
}
