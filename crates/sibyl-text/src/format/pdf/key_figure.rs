//! Key figures: a big number and its label are one block and no heading of what follows.

use super::block::{Block, Form};

/// Ratio to the letters of its label from which a number is a key figure.
pub(super) const LARGER: f32 = 1.4;
/// Longest distance of a label from its number (in letter sizes of the number).
pub(super) const REACH: f32 = 1.2;
/// Words of the longest label.
pub(super) const LABEL: usize = 30;
/// What may follow a number and is part of it.
const UNITS: [&str; 40] = [
    "%", "percent", "per", "cent", "million", "billion", "trillion", "thousand", "mn", "bn", "m", "b", "k",
    "t", "kt", "mt", "mtco2e", "tco2e", "co2e", "co₂e", "co2", "tonnes", "tons", "metric", "kwh", "mwh",
    "gwh", "twh", "kw", "mw", "gw", "gj", "tj", "pj", "ha", "hectares", "m3", "m³", "x", "+",
];
/// Codes of currencies that stand before a number.
const CURRENCIES: [&str; 14] =
    ["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "JPY", "CNY", "RMB", "INR", "AUD", "CAD", "HKD"];
/// Words between the numbers of a share.
const SHARES: [&str; 3] = ["of", "in", "out"];

/// The same blocks, each key figure with its label in one.
pub(super) fn joined(blocks: Vec<Block>) -> Vec<Block> {
    let mut blocks: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
    let mut out: Vec<Block> = Vec::new();
    for i in 0..blocks.len() {
        let Some(number) = blocks[i].take() else { continue };
        if !is_figure(&number) {
            out.push(number);
            continue;
        }
        let below = blocks
            .iter()
            .enumerate()
            .filter_map(|(j, other)| Some((j, other.as_ref()?)))
            .filter(|(_, other)| is_label(&number, other, other.rect.top - number.rect.bottom))
            .min_by(|a, b| a.1.rect.top.total_cmp(&b.1.rect.top))
            .map(|(j, _)| j);
        if let Some(label) = below.and_then(|j| blocks[j].take()) {
            out.push(one(number, label));
            continue;
        }
        match out.last() {
            Some(above) if is_label(&number, above, number.rect.top - above.rect.bottom) => {
                let label = out.pop();
                out.extend(label.map(|label| one(label, number)));
            }
            _ => out.push(number),
        }
    }
    out
}

fn one(first: Block, second: Block) -> Block {
    let rect = first.rect.union(&second.rect);
    Block { kind: Form::KeyFigure, lines: first.lines.into_iter().chain(second.lines).collect(), rect }
}

fn is_figure(block: &Block) -> bool {
    matches!(block.kind, Form::Paragraph) && is_number(&block.text())
}

/// Whether a text is nothing but a number with its currency or unit, a share such as `3 of 5` or zero.
pub(super) fn is_number(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    if words.next_if(|word| CURRENCIES.contains(word)).is_none()
        && words.next_if(|word| word.eq_ignore_ascii_case("zero")).is_some()
    {
        return words.next().is_none();
    }
    let first = words.next().unwrap_or_default();
    first.starts_with(|c: char| c.is_ascii_digit() || "$€£¥~<>≈+-−–".contains(c))
        && first.chars().any(|c| c.is_ascii_digit())
        && !first.ends_with('.')
        && !SHARES.contains(&text.split_whitespace().next_back().unwrap_or_default())
        && words.all(|word| {
            UNITS.contains(&word.to_lowercase().as_str())
                || SHARES.contains(&word)
                || word.chars().any(|c| c.is_ascii_digit())
        })
}

fn is_label(number: &Block, other: &Block, distance: f32) -> bool {
    matches!(other.kind, Form::Paragraph)
        && number.size() >= LARGER * other.size()
        && other.rect.overlap_x(&number.rect) > 0.0
        && (-0.5 * number.size()..REACH * number.size()).contains(&distance)
        && other.text().split_whitespace().count() <= LABEL
}
