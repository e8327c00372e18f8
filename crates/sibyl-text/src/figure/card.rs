//! Key figures: big numbers with their captions, and what the lines below say of other periods. On slides each may
//! stand alone in a line.

mod aside;
mod listed;

use super::reported::Reported;
use super::sentence::unit_after;
use super::{Figure, Origin, Status, Time, plain, unit_in};
use crate::document::{Block, BlockKind, Document, Span};
use crate::language::cell::{Kind, is_unit};
use crate::language::number::{self, Decimal};
use crate::language::period::{Period, periods};
use crate::language::unit;
use std::collections::HashMap;

pub(super) use aside::asides;

/// Most bytes and words of a caption.
const CAPTION: (usize, usize) = (120, 14);
/// Fewest letters of a unit that is a noun, and no sign.
const NOUN: usize = 5;
/// Fewest words of a sentence.
const SENTENCE: usize = 3;
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
    /// Whether another value of the same follows, which ends a card.
    ends: bool,
}

/// The blocks that belong to a big number with its caption, by their place in the document. Both stand at the
/// number's place, and nothing at the others'. An entry of a list of names and values is both.
pub(super) fn captioned(document: &Document, decimal: Decimal) -> HashMap<usize, Option<Captioned>> {
    let mut found = HashMap::new();
    let listed = listed::listed(document, decimal);
    let mut turns: Vec<Turn> = Vec::new();
    for (at, block) in document.blocks.iter().enumerate() {
        // A text that ends with a colon says what the number below it measures.
        let above = at.checked_sub(1).and_then(|above| document.blocks.get(above));
        let led = above.is_some_and(|above| above.span.of(&document.text).trim_end().ends_with(':'));
        let line = line(&document.text, block, decimal).filter(|line| !led || *line != Line::Number);
        let line = line.filter(|_| !listed.contains_key(&at));
        let last = turns.last_mut();
        match (line, last) {
            (Some(Line::Period), Some(last)) => last.end = at,
            (Some(Line::Unit), Some(last)) if last.line == Line::Number && last.end + 1 == at => {
                last.end = at
            }
            (Some(Line::Aside), Some(last)) => last.ends = true,
            (Some(Line::Caption | Line::Unit), Some(last))
                if last.line == Line::Caption && goes_on(block.span.of(&document.text)) =>
            {
                last.end = at;
            }
            (Some(Line::Number | Line::Caption), Some(last)) if line != Some(last.line) => {
                turns.extend(line.map(|line| Turn { line, block: at, end: at, ends: false }));
            }
            _ => {
                pair(document, &turns, &mut found);
                turns.clear();
                let begins = line.filter(|line| matches!(line, Line::Number | Line::Caption));
                turns.extend(begins.map(|line| Turn { line, block: at, end: at, ends: false }));
            }
        }
    }
    pair(document, &turns, &mut found);
    found.extend(listed.into_iter().map(|(at, entry)| (at, Some(entry))));
    found
}

/// Adds the numbers among `turns` with their captions to `found`.
fn pair(document: &Document, turns: &[Turn], found: &mut HashMap<usize, Option<Captioned>>) {
    let span = |block: usize| document.blocks[block].span;
    let number = |pair: &[Turn; 2]| pair[usize::from(pair[0].line == Line::Caption)];
    let numbers = |pairs: &[[Turn; 2]]| {
        let texts: Vec<&str> =
            pairs.iter().map(|pair| span(number(pair).block).of(&document.text).trim()).collect();
        are_figures(&texts)
    };
    // If other values of the same follow, each card ends with them. What follows the last value may be no card.
    let ends = turns.iter().any(|turn| turn.ends);
    let mut pairs: Vec<[Turn; 2]> = Vec::new();
    for card in turns.chunk_by(|turn, _| !turn.ends) {
        let own = pairs_of(card);
        if !ends || card.iter().any(|turn| turn.ends) || numbers(&own) {
            pairs.extend(own);
        }
    }
    if !numbers(&pairs) {
        return;
    }
    for pair in &pairs {
        let both = Span::new(span(pair[0].block).start, span(pair[1].end).end);
        let number = number(pair).block;
        found.extend((pair[0].block..=pair[1].end).map(|block| (block, None)));
        found.insert(number, Some(Captioned { span: both, number: span(number).start }));
    }
}

/// Each number with its caption: that above it where captions come first and a number last, else that below it.
fn pairs_of(turns: &[Turn]) -> Vec<[Turn; 2]> {
    let (Some(first), Some(last)) = (turns.first(), turns.last()) else { return Vec::new() };
    let captions_first = first.line == Line::Caption && last.line == Line::Number;
    let skipped = usize::from(first.line == Line::Caption && !captions_first);
    turns[skipped..].chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Whether a line goes on with the caption above it.
fn goes_on(said: &str) -> bool {
    said.trim_start().starts_with(|c: char| c.is_lowercase())
}

fn line(text: &str, block: &Block, decimal: Decimal) -> Option<Line> {
    if block.kind != BlockKind::Paragraph || block.span.len() > 2 * CAPTION.0 {
        return None;
    }
    let whole = plain(block.span.of(text));
    if whole.len() > CAPTION.0 {
        return None;
    }
    // Another value in brackets says nothing about the line itself.
    let bracket = aside::in_brackets(&whole, 0, decimal).filter(|place| place.start > 0);
    let said = bracket.map_or(whole.as_str(), |place| &whole[..place.start]).trim().to_owned();
    let words = said.split_whitespace().count();
    let kind = Kind::of_text(&said);
    let is_aside = |(_, told): (&str, &str)| Kind::of_text(told) == Kind::Value;
    if said.rsplit_once(": ").is_some_and(is_aside) || aside::is_aside(&said, decimal) {
        return Some(Line::Aside);
    }
    if matches!(kind, Kind::Year | Kind::Period) || words <= PERIOD && is_when(&said) {
        return Some(Line::Period);
    }
    if kind == Kind::Value || is_measured(&said, decimal) {
        return Some(Line::Number);
    }
    if matches!(kind, Kind::Unit | Kind::After) {
        return Some(Line::Unit);
    }
    let begins = said.starts_with(|c: char| c.is_alphabetic() || c == '(');
    let sentence = said.ends_with(['.', ':', '?', '!', ';', ',']);
    (begins && !sentence && words <= CAPTION.1 && kind == Kind::Text).then_some(Line::Caption)
}

/// Whether a line of a few words states nothing but a period: `since 2019`, `restated 2023`. `Sales 2023` also names
/// a thing.
fn is_when(said: &str) -> bool {
    let mut rest = said.to_owned();
    for period in periods(said).into_iter().rev() {
        rest.replace_range(period.start..period.end, "");
    }
    let small =
        rest.split_whitespace().all(|word| !word.contains(|c: char| c.is_alphabetic() && !c.is_lowercase()));
    Time::of(said).is_some() && (small || Status::told_by(said).is_some())
}

/// Whether a line is a number with a unit of several words: `4.18 g CO2 per mile`.
fn is_measured(said: &str, decimal: Decimal) -> bool {
    let Some(read) = number::read(said, decimal).filter(|read| said.starts_with(read.text)) else {
        return false;
    };
    let rest = said[read.text.len()..].trim();
    unit_after("", rest).0.is_some_and(|unit| unit == rest)
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

/// The key figure that a line of too few words for a sentence states. The line has a name and, behind a colon, a
/// number with its unit, as in `Attendance 2024: 96 %`.
pub(super) fn in_line(text: &str, span: Span, decimal: Decimal) -> Option<Captioned> {
    let said = span.of(text);
    let words = said.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count();
    let colon = said.find([':', '：']).filter(|_| words < SENTENCE)?;
    let behind = said[colon..].chars().next().map_or(colon, |sign| colon + sign.len_utf8());
    let number = behind + said[behind..].len() - said[behind..].trim_start().len();
    let bracket = aside::in_brackets(said, number, decimal);
    let value = &said[number..bracket.map_or(said.len(), |place| place.start)];
    let measured = number::read(value, decimal).is_some_and(|read| {
        let (before, after) = value.split_at(value.find(read.text).unwrap_or_default());
        unit_after(before, &after[read.text.len()..]).1.is_some()
    });
    let named = said[..colon].contains(char::is_alphabetic);
    (named && measured && Kind::of_text(value) == Kind::Value)
        .then_some(Captioned { span, number: span.start + number })
}

/// Where in `span`, a big number with its caption, the number begins: below the caption it ends the text.
pub(super) fn number_in(text: &str, span: Span) -> usize {
    let words = span.of(text).trim_end();
    let is_value = |word: &str| Kind::of_text(word) == Kind::Value;
    let first = words.split_whitespace().next().unwrap_or_default();
    match words.rfind(char::is_whitespace) {
        Some(last) if !first.contains(|c: char| c.is_ascii_digit()) && is_value(words[last..].trim()) => {
            span.start + last + words[last..].len() - words[last..].trim_start().len()
        }
        _ => span.start,
    }
}

/// Adds the big number in `span` to `found`.
pub(super) fn key_figure(
    text: &str,
    Captioned { span, number }: Captioned,
    above: Vec<String>,
    decimal: Decimal,
    reported: &Reported<'_>,
    found: &mut Vec<Figure>,
) {
    let begin = number - span.start;
    let bracket = aside::in_brackets(span.of(text), begin, decimal);
    let mut words = span.of(text).to_owned();
    if let Some(place) = &bracket {
        words.replace_range(place.clone(), &" ".repeat(place.len()));
    }
    let words = words.as_str();
    let Some(at) = words[begin..].find(|c: char| c.is_ascii_digit()).map(|at| begin + at) else { return };
    let space = words[..at].char_indices().rev().find(|(_, c)| c.is_whitespace());
    let from = space.map_or(0, |(space, c)| space + c.len_utf8()).max(begin);
    let Some(read) = number::read(&words[from..], decimal) else { return };
    let start = from + (read.text.as_ptr() as usize - words[from..].as_ptr() as usize);
    let end = start + read.text.len();
    if let Some(others) = aside::begin(words, end, decimal) {
        let own = Span::new(span.start, span.start + words[..others].trim_end().len());
        let before = found.len();
        key_figure(text, Captioned { span: own, number }, above, decimal, reported, found);
        let card = found.get(before);
        let others = Span::new(span.start + others, span.end);
        let others = card.map(|card| asides(text, others, card, decimal));
        found.extend(others.into_iter().flatten());
        return;
    }
    // A unit may stand in the next line by itself.
    let below = words[end..].trim_start();
    let next = below.lines().next().unwrap_or_default().trim().to_lowercase();
    let after = if is_unit(&next) { below } else { before_caption(&words[end..]) };
    let (mut unit, mut read_as) = unit_after(words[..start].trim_end(), after);
    if unit.is_none() {
        let sign: String = after.chars().take_while(|c| !c.is_whitespace()).collect();
        read_as = unit::read(&sign);
        unit = read_as.map(|_| sign);
    }
    let label = label_of(words[..start].trim_end(), below, unit.as_deref());
    if unit.is_none() {
        // Below the caption, it has a line of its own.
        let mut lines = below.lines().skip(1).map(str::trim).filter(|line| goes_on(line));
        let own = lines.find_map(|line| Some((line, unit::read(line).filter(|unit| unit.per)?)));
        (unit, read_as) = own.or_else(|| unit_in(&label)).map(|(unit, read)| (unit.to_owned(), read)).unzip();
    }
    let period = match Time::of(words) {
        Some(time) => time.period(),
        None => periods(words).first().map(|period| (period.year, period.part)),
    };
    let period = period.filter(|_| !is_compared(words));
    // The line below a number may say by how much it differs from an earlier one: `-3 % on 2023`.
    let changed = found.last().filter(|last| last.origin == Origin::KeyFigure && only_compares(&label));
    let (status, label) = match changed {
        Some(card) => (Status::Change, card.label.clone()),
        None => (Status::told_by(&label).unwrap_or(Status::Actual), vec![label]),
    };
    // A key figure without a period is one of the report, or of what its heading names.
    let period = period
        .or_else(|| reported.below(&above).filter(|_| matches!(status, Status::Actual | Status::Change)));
    found.push(Figure {
        span: Span::new(span.start + start, span.start + end),
        row: span,
        head: None,
        status,
        label,
        column: String::new(),
        above,
        year: period.map(|(year, _)| year),
        part: period.and_then(|(_, part)| part),
        unit,
        read_as,
        value: read.value,
        origin: Origin::KeyFigure,
    });
    if let (Some(place), Some(card)) = (bracket, found.last()) {
        let others = asides(text, Span::new(span.start + place.start, span.start + place.end), card, decimal);
        found.extend(others);
    }
}

/// What a number is called: the words before it and those `below` or behind it, without its unit.
fn label_of(before: &str, below: &str, unit: Option<&str>) -> String {
    let (mut before, mut rest) = (before, below);
    // What is counted is part of what the caption says of it: `9,100 hours given to schools`.
    let is_apart = |unit: &&str| {
        let caption = below.strip_prefix(unit).unwrap_or_default().trim_start();
        let is_noun =
            unit.len() >= NOUN && unit.bytes().all(|b| b.is_ascii_alphabetic()) && !unit::is_scale(unit);
        !is_noun || !caption.starts_with(char::is_lowercase)
    };
    if let Some(unit) = unit.filter(is_apart) {
        // A currency stands before the number. How many it counts at once stands behind.
        let (sign, scale) = unit.split_once(' ').unwrap_or((unit, ""));
        // The last letters of a word are no sign.
        let apart =
            |bare: &&str| !(sign.starts_with(char::is_alphabetic) && bare.ends_with(char::is_alphanumeric));
        match before.strip_suffix(sign).filter(apart) {
            Some(bare) => {
                before = bare;
                rest = rest.strip_prefix(scale).unwrap_or(rest);
            }
            None => rest = rest.strip_prefix(unit).unwrap_or(rest),
        }
    }
    let told = plain(&format!("{} {}", without_signs(before), without_signs(rest)));
    if told.is_empty() { plain(below) } else { told }
}

/// Words beside a number, without its signs at their beginning or end: `1.3× Orders for sales`.
fn without_signs(words: &str) -> &str {
    words.trim_matches(|c: char| c.is_whitespace() || "+±×▲△▼−–-:：".contains(c))
}

/// What stands behind a number before its caption. Behind a unit, the caption begins with a capital, as in `61 %
/// Employees trained`.
fn before_caption(behind: &str) -> &str {
    let begins = |(at, _): &(usize, char)| {
        let word: String = behind[*at..].chars().take_while(|c| c.is_alphabetic()).collect();
        let unit = behind[..*at].trim();
        word.chars().count() > 3
            && word.starts_with(char::is_uppercase)
            && word.chars().skip(1).all(char::is_lowercase)
            && behind[..*at].ends_with(char::is_whitespace)
            && unit::read(unit).is_some()
            && !unit::is_scale(unit)
            && !unit::is_scale(&word)
    };
    behind.char_indices().find(begins).map_or(behind, |(at, _)| &behind[..at])
}

/// Words before a period that a number is compared with.
const AGAINST: [&str; 15] = [
    "since",
    "from",
    "on",
    "vs",
    "versus",
    "against",
    "than",
    "compared",
    "seit",
    "gegenüber",
    "depuis",
    "desde",
    "sinds",
    "sedan",
    "dal",
];

/// Whether `label` says nothing but what a number is compared with.
fn only_compares(label: &str) -> bool {
    let Some((word, rest)) = label.split_once(' ') else { return false };
    let whole =
        |period: &Period| rest[..period.start].trim().is_empty() && rest[period.end..].trim().is_empty();
    AGAINST.contains(&word.to_lowercase().as_str()) && periods(rest).first().is_some_and(whole)
}

/// Whether the first period in `words` is one that the number is compared with, as in `-46 % since 2019`.
fn is_compared(words: &str) -> bool {
    let first = periods(words).first().map(|period| words[period.end..].trim_start_matches(['年', '度']));
    if first.is_some_and(|after| after.starts_with('比')) {
        return true;
    }
    let before = periods(words).first().map(|period| words[..period.start].to_lowercase());
    let before = before.unwrap_or_default();
    let word = before.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty());
    word.is_some_and(|word| AGAINST.contains(&word))
}
