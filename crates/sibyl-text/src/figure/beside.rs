//! Numbers that stand alone in a line, with their captions in the next: what slides and pages set in big type.

use super::plain;
use crate::document::{Block, BlockKind, Document, Span};
use crate::language::cell::Kind;
use std::collections::HashMap;

/// Most bytes and words of a caption.
const CAPTION: (usize, usize) = (120, 14);

/// What a line can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Number,
    Caption,
}

/// For the blocks that are one half of a big number with its caption, by their place in the document: the span of both at the
/// number, and nothing at the caption.
pub(super) fn captioned(document: &Document) -> HashMap<usize, Option<Span>> {
    let lines: Vec<Option<Line>> = document.blocks.iter().map(|block| line(&document.text, block)).collect();
    let mut found = HashMap::new();
    let mut from = 0;
    while from < lines.len() {
        let Some(first) = lines[from] else {
            from += 1;
            continue;
        };
        let mut end = from + 1;
        while end < lines.len() && lines[end].is_some() && lines[end] != lines[end - 1] {
            end += 1;
        }
        // A caption above the first number is a caption of numbers only where the last line is a number as well.
        let caption_first = first == Line::Caption && lines[end - 1] == Some(Line::Number);
        let start = from + usize::from(first == Line::Caption && !caption_first);
        let pairs: Vec<usize> = (start..end.saturating_sub(1)).step_by(2).collect();
        let numbers = || pairs.iter().map(|at| if caption_first { at + 1 } else { *at });
        let texts: Vec<&str> =
            numbers().map(|at| document.blocks[at].span.of(&document.text).trim()).collect();
        if are_figures(&texts) {
            for (at, number) in pairs.iter().zip(numbers()) {
                let both = Span::new(document.blocks[*at].span.start, document.blocks[at + 1].span.end);
                let caption = if caption_first { *at } else { at + 1 };
                found.insert(number, Some(both));
                found.insert(caption, None);
            }
        }
        from = end;
    }
    found
}

fn line(text: &str, block: &Block) -> Option<Line> {
    let said = plain(block.span.of(text));
    if block.kind != BlockKind::Paragraph || said.len() > CAPTION.0 {
        return None;
    }
    if matches!(Kind::of_text(&said), Kind::Value | Kind::Range) {
        return Some(Line::Number);
    }
    let begins = said.starts_with(|c: char| c.is_alphabetic() || c == '(');
    let sentence = said.ends_with(['.', ':', '?', '!', ';', ',']);
    let words = said.split_whitespace().count() <= CAPTION.1;
    (begins && !sentence && words && Kind::of_text(&said) == Kind::Text).then_some(Line::Caption)
}

/// Whether `numbers`, each alone in a line, measure something: they are not the numbers of pages, chapters or items, which have
/// no sign or unit and count on.
fn are_figures(numbers: &[&str]) -> bool {
    let plain: Vec<Option<u32>> = numbers.iter().map(|number| number.parse().ok()).collect();
    let counts =
        plain.windows(2).any(|pair| pair[0].zip(pair[1]).is_some_and(|(one, other)| other == one + 1));
    let all_plain = plain.iter().all(Option::is_some);
    !(numbers.is_empty() || all_plain && (counts || plain.len() < 2))
}
