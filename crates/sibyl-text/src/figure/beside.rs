//! Numbers that stand alone in a line, with their captions in the next: what slides and pages set in big type.

use super::{Time, plain};
use crate::document::{Block, BlockKind, Document, Span};
use crate::language::cell::Kind;
use std::collections::HashMap;

/// Most bytes and words of a caption.
const CAPTION: (usize, usize) = (120, 14);
/// Most words of a line that only tells a period, as `since 2019` does.
const PERIOD: usize = 3;

/// A big number with its caption.
#[derive(Debug, Clone, Copy)]
pub(super) struct Captioned {
    /// Both, and the period below them.
    pub(super) span: Span,
    /// Where the number begins (byte of the document's text).
    pub(super) number: usize,
}

/// What a line can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Number,
    Caption,
    Period,
    /// The unit of the number above.
    Unit,
    /// Another number of the same, with what it is: `FY23: 2.44 million`.
    Aside,
}

/// A line of a stretch in which numbers and captions take turns.
#[derive(Debug, Clone, Copy)]
struct Turn {
    line: Line,
    /// Its block.
    block: usize,
    /// The last block that belongs to it: itself, or a unit or period below it.
    end: usize,
}

/// The blocks that belong to a big number with its caption, by their place in the document: both at the number's, nothing at the
/// others'.
pub(super) fn captioned(document: &Document) -> HashMap<usize, Option<Captioned>> {
    let mut found = HashMap::new();
    let mut turns: Vec<Turn> = Vec::new();
    for (at, block) in document.blocks.iter().enumerate() {
        let line = line(&document.text, block);
        let last = turns.last_mut();
        match (line, last) {
            (Some(Line::Period), Some(last)) => last.end = at,
            (Some(Line::Unit), Some(last)) if last.line == Line::Number && last.end + 1 == at => {
                last.end = at
            }
            (Some(Line::Aside), Some(_)) => {}
            (Some(Line::Number | Line::Caption), Some(last)) if line != Some(last.line) => {
                turns.extend(line.map(|line| Turn { line, block: at, end: at }));
            }
            _ => {
                pair(document, &turns, &mut found);
                turns.clear();
                let begins = line.filter(|line| matches!(line, Line::Number | Line::Caption));
                turns.extend(begins.map(|line| Turn { line, block: at, end: at }));
            }
        }
    }
    pair(document, &turns, &mut found);
    found
}

/// Adds the numbers among `turns` with their captions to `found`.
fn pair(document: &Document, turns: &[Turn], found: &mut HashMap<usize, Option<Captioned>>) {
    let (Some(first), Some(last)) = (turns.first(), turns.last()) else { return };
    // A caption above the first number is a caption of numbers only where the last line is a number as well.
    let captions_first = first.line == Line::Caption && last.line == Line::Number;
    let skipped = usize::from(first.line == Line::Caption && !captions_first);
    let pairs: Vec<(Turn, Turn)> = turns[skipped..].chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let number = |pair: &(Turn, Turn)| if captions_first { pair.1 } else { pair.0 };
    let span = |block: usize| document.blocks[block].span;
    let texts: Vec<&str> =
        pairs.iter().map(|pair| span(number(pair).block).of(&document.text).trim()).collect();
    if !are_figures(&texts) {
        return;
    }
    for pair in &pairs {
        let both = Span::new(span(pair.0.block).start, span(pair.1.end).end);
        let number = number(pair).block;
        found.extend((pair.0.block..=pair.1.end).map(|block| (block, None)));
        found.insert(number, Some(Captioned { span: both, number: span(number).start }));
    }
}

fn line(text: &str, block: &Block) -> Option<Line> {
    if block.kind != BlockKind::Paragraph || block.span.len() > 2 * CAPTION.0 {
        return None;
    }
    let said = plain(block.span.of(text));
    if said.len() > CAPTION.0 {
        return None;
    }
    let words = said.split_whitespace().count();
    let kind = Kind::of_text(&said);
    let is_aside = |(_, told): (&str, &str)| Kind::of_text(told) == Kind::Value;
    if said.rsplit_once(": ").is_some_and(is_aside) {
        return Some(Line::Aside);
    }
    if matches!(kind, Kind::Year | Kind::Period) || words <= PERIOD && Time::of(&said).is_some() {
        return Some(Line::Period);
    }
    if kind == Kind::Value {
        return Some(Line::Number);
    }
    if matches!(kind, Kind::Unit | Kind::After) {
        return Some(Line::Unit);
    }
    let begins = said.starts_with(|c: char| c.is_alphabetic() || c == '(');
    let sentence = said.ends_with(['.', ':', '?', '!', ';', ',']);
    (begins && !sentence && words <= CAPTION.1 && kind == Kind::Text).then_some(Line::Caption)
}

/// Whether `numbers`, each alone in a line, measure something: they are not the numbers of pages, chapters or items, which have
/// no sign or unit and count on.
fn are_figures(numbers: &[&str]) -> bool {
    let plain: Vec<Option<u32>> = numbers.iter().map(|number| number.parse().ok()).collect();
    let counts = plain
        .windows(2)
        .any(|pair| pair[0].zip(pair[1]).is_some_and(|(one, other)| one.checked_add(1) == Some(other)));
    let rises = plain.windows(2).all(|pair| pair[0] < pair[1]);
    let all_plain = plain.iter().all(Option::is_some);
    !(numbers.is_empty() || all_plain && (counts || rises || plain.len() < 2))
}
