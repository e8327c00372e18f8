//! Figures: every number that a document reports, as a separate record. What it measures is said around it: by the
//! names of its row and column, the caption and headings above, or its sentence.

mod card;
mod notes;
mod reported;
mod sentence;
mod table;
mod tagged;

use crate::document::{BlockKind, Document, Span};
use crate::language::cell::is_unit;
use crate::language::date::{Date, dates};
use crate::language::number::Decimal;
use crate::language::period::{Part, Period, periods, ranges};
use crate::language::status;
use crate::language::unit::{self, Unit};
use reported::Reported;
use schemars::JsonSchema;
use sentence::Lead;
use serde::{Deserialize, Serialize};

pub use table::cells;

/// Raised whenever the same document would give other figures.
pub const VERSION: u32 = 9;

/// Signs at the beginning of a text by which its writing is known.
const BEGINNING: usize = 4_000;
/// Maximum number of figures of one document.
const MOST: usize = 100_000;
/// Maximum number of bytes of a caption above a table.
const CAPTION: usize = 240;

/// A number that a document reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The number as it is printed, with its sign (bytes of the document's text).
    pub span: Span,
    /// What is quoted for it: the row of a table or the sentence.
    pub row: Span,
    /// The row that names the columns, if it is in a table.
    pub head: Option<Span>,
    /// Names of the row, from the group that it belongs to down; the sentence or the label of a key figure elsewhere.
    pub label: Vec<String>,
    /// Name of the column without its period and unit.
    pub column: String,
    /// Caption and headings above, from the outermost down.
    pub above: Vec<String>,
    /// The year that it is about, or that its period ends in.
    pub year: Option<u16>,
    /// The part of that year.
    pub part: Option<Part>,
    /// The unit as it is printed.
    pub unit: Option<String>,
    /// What its unit is.
    pub read_as: Option<Unit>,
    /// The number as it is printed, as a value.
    pub value: f64,
    /// Whether it is an actual value, a target or another kind.
    pub status: Status,
    /// Where it stands.
    pub origin: Origin,
}

/// The kind of value that a figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FigureStatus")]
pub enum Status {
    /// An actual value.
    Actual,
    /// What is aimed at.
    Target,
    /// What others are compared with.
    Base,
    /// An actual value, as corrected later.
    Restated,
    /// What is expected or estimated.
    Estimate,
    /// By how much it differs from another.
    Change,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Actual, Self::Target, Self::Base, Self::Restated, Self::Estimate, Self::Change];

    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Actual => "actual",
            Self::Target => "target",
            Self::Base => "base",
            Self::Restated => "restated",
            Self::Estimate => "estimate",
            Self::Change => "change",
        }
    }

    /// The one that words in the name of a row or column express; `None` if they express none.
    pub(crate) fn told_by(name: &str) -> Option<Self> {
        let lower = name.to_lowercase();
        let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '%').collect();
        let has = |all: &[&str]| status::says(&words, all);
        let year_with = |letters: [char; 3]| {
            words.iter().filter_map(|word| word.strip_suffix(letters)).any(|word| {
                let year = word.strip_prefix("fy").or(word.strip_prefix("cy")).unwrap_or(word);
                let short = year.len() == 2 && year.len() < word.len();
                (short || year.len() == 4 && year.starts_with("20"))
                    && year.bytes().all(|b| b.is_ascii_digit())
            })
        };
        if has(&["actual", "achieved"]) {
            return Some(Self::Actual);
        }
        if has(status::CHANGE) || lower.contains('Δ') {
            return Some(Self::Change);
        }
        if has(status::TARGET) {
            return Some(Self::Target);
        }
        let whole = lower.trim();
        let named =
            ["base year", "base-year", "año base", "anno base"].iter().any(|name| lower.contains(name));
        if has(status::BASE) || named || matches!(whole, "base" | "basis" | "base value") {
            return Some(Self::Base);
        }
        if has(status::RESTATED) {
            return Some(Self::Restated);
        }
        if has(status::ESTIMATE) || year_with(['e', 'f', 'p']) {
            return Some(Self::Estimate);
        }
        (has(status::ACTUAL) || year_with(['a'; 3])).then_some(Self::Actual)
    }

    /// The same for the name of a row, which may mention plans and targets as things: only its ending counts.
    pub(crate) fn told_by_row(name: &str) -> Option<Self> {
        let bare =
            name.split(['(', '[']).next().unwrap_or(name).trim_end_matches(|c: char| !c.is_alphabetic());
        let last = bare.rsplit([' ', '-', ',']).next().unwrap_or_default();
        Self::told_by(last)
            .filter(|_| last.len() > 4)
            .filter(|status| matches!(status, Self::Target | Self::Base | Self::Restated))
    }
}

/// Where a figure stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FigureOrigin")]
pub enum Origin {
    /// In a cell of a table.
    Table,
    /// In a sentence.
    Sentence,
    /// As a big number with its label.
    KeyFigure,
    /// As a tagged value.
    Fact,
    /// In a chart.
    Chart,
}

impl Origin {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Table, Self::Sentence, Self::KeyFigure, Self::Fact, Self::Chart];

    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Sentence => "sentence",
            Self::KeyFigure => "key_figure",
            Self::Fact => "fact",
            Self::Chart => "chart",
        }
    }
}

impl Figure {
    /// The number as it is printed.
    pub fn printed<'a>(&self, text: &'a str) -> &'a str {
        self.span.of(text)
    }

    /// The value in the base unit of its measure, such as tonnes for a mass. `None` if its unit is not known, or
    /// is per something.
    pub fn normal(&self) -> Option<f64> {
        self.read_as.filter(|unit| !unit.per).map(|unit| self.value * unit.factor)
    }
}

/// The figures of `document`, in the order of its text.
pub fn figures(document: &Document) -> Vec<Figure> {
    let text = document.text.as_str();
    let decimal = habit(document);
    let mut found = Vec::new();
    // Short lines right above a block.
    let mut lines: Vec<Span> = Vec::new();
    let mut cards: Option<usize> = None;
    let beside = card::captioned(document, decimal);
    let reported = Reported::of(document);
    let mut lead = Lead::default();
    // The key figure that the lines before belong to.
    let mut card: Option<usize> = None;
    for (at, block) in document.blocks.iter().enumerate() {
        let path = || document.path_at(block.span.start).into_iter().map(str::to_owned).collect();
        let captioned = beside.get(&at);
        if block.kind == BlockKind::KeyFigure || captioned.is_some() {
            cards.get_or_insert(found.len());
        } else if let Some(first) = cards.take() {
            share_units(&mut found[first..]);
        }
        let of_card = card.filter(|_| captioned.is_none()).and_then(|card| found.get(card));
        let of_card = of_card.filter(|_| block.kind == BlockKind::Paragraph);
        let asides = of_card.map(|card| card::asides(text, block.span, card, decimal));
        let asides = asides.filter(|asides| !asides.is_empty());
        let own = if block.kind == BlockKind::Item { lead.clone() } else { Lead::default() };
        let reported = reported.led_by(own.time());
        match block.kind {
            _ if captioned.is_some() => {
                for both in captioned.into_iter().flatten() {
                    let before = found.len();
                    card::key_figure(text, *both, path(), decimal, &reported, &mut found);
                    card = (found.len() > before).then_some(before);
                }
            }
            _ if asides.is_some() => found.extend(asides.into_iter().flatten()),
            BlockKind::Table { header_end } => {
                let (caption, further) = captions(text, &lines);
                let around = table::Around { path: path(), further, caption, decimal };
                let before = found.len();
                table::read(text, block.span, header_end, around, &mut found);
                notes::take_out(&mut found[before..], &notes::below(document, at));
                for cell in table::prose(text, block.span) {
                    sentence::read_items(text, cell, &path(), &mut found);
                }
            }
            BlockKind::KeyFigure => {
                let whole = card::Captioned { span: block.span, number: card::number_in(text, block.span) };
                let before = found.len();
                card::key_figure(text, whole, path(), decimal, &reported, &mut found);
                card = (found.len() > before).then_some(before);
            }
            BlockKind::Paragraph | BlockKind::Item | BlockKind::Admonition | BlockKind::Quote => {
                match card::in_line(text, block.span, decimal) {
                    Some(line) => {
                        let before = found.len();
                        card::key_figure(text, line, path(), decimal, &reported, &mut found);
                        card = (found.len() > before).then_some(before);
                    }
                    None => sentence::read(text, block.span, &path(), &own, &mut found),
                }
            }
            _ => {}
        }
        if block.kind != BlockKind::Item {
            lead = Lead::of(block.span.of(text)).unwrap_or_default();
        }
        let of_card = captioned.is_some() || block.kind == BlockKind::KeyFigure;
        if !of_card && (!block.kind.running() || block.span.len() > CAPTION) {
            card = None;
        }
        if block.kind.running() && block.span.len() <= CAPTION {
            lines.push(block.span);
        } else {
            lines.clear();
        }
        if found.len() >= MOST {
            break;
        }
    }
    cards.into_iter().for_each(|first| share_units(&mut found[first..]));
    tagged::read(document, &mut found);
    with_signs(text, &mut found);
    found.sort_by_key(|figure| (figure.span.start, figure.span.end));
    found.truncate(MOST);
    found
}

/// Makes numbers negative that follow a triangle in the place of a minus. A filled one has that meaning only in
/// Japanese, Chinese and Korean; elsewhere it points up.
fn with_signs(text: &str, found: &mut [Figure]) {
    let begun = text.chars().take(BEGINNING).filter(|c| c.is_alphabetic());
    let (all, han) = begun.fold((0, 0), |(all, han), c| (all + 1, han + usize::from(c > '\u{2e80}')));
    let filled = han * 4 > all;
    for figure in found {
        let before = &text[..figure.span.start];
        if let Some(rest) = before.strip_suffix('△').or(before.strip_suffix('▲').filter(|_| filled)) {
            figure.span = Span::new(rest.len(), figure.span.end);
            figure.value = -figure.value.abs();
        }
    }
}

/// The caption of a table, and the other of the two lines above it. The nearest line is the caption, unless it is a
/// sentence and the line above it is none.
fn captions(text: &str, lines: &[Span]) -> (Option<String>, Option<String>) {
    let mut nearest = lines.iter().rev().map(|span| plain(span.of(text)));
    let is_sentence = |line: &String| line.ends_with(['.', '?', '!', '。']);
    let (first, second) = (nearest.next(), nearest.next().filter(|line| !is_sentence(line)));
    match (first, second) {
        (Some(first), Some(second)) if is_sentence(&first) => (Some(second), Some(first)),
        lines => lines,
    }
}

/// Among cards side by side, gives one without a unit that of the card before it with a similar label, since the
/// unit is printed once.
fn share_units(cards: &mut [Figure]) {
    for at in 1..cards.len() {
        let (before, rest) = cards.split_at_mut(at);
        let Some(card) = rest.first_mut().filter(|card| card.unit.is_none()) else { continue };
        let like = before.iter().rev().find(|other| {
            other.unit.is_some() && other.label.iter().zip(&card.label).all(|(one, two)| are_alike(one, two))
        });
        if let Some(like) = like {
            (card.unit, card.read_as) = (like.unit.clone(), like.read_as);
        }
    }
}

/// Whether two names differ only in a number, as `Scope 1` and `Scope 2` do, or in what follows it. They name
/// things of one kind, which are measured alike.
fn are_alike(one: &str, other: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        let lower = name.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    let is_number = |word: &String| word.bytes().all(|b| b.is_ascii_digit());
    let (one, other) = (words(one), words(other));
    let said = |words: &[String]| words.iter().filter(|word| !is_number(word)).cloned().collect::<Vec<_>>();
    let numbered = |words: &[String]| words.len() > 1 && !is_number(&words[0]) && is_number(&words[1]);
    let same = !said(&one).is_empty() && said(&one) == said(&other);
    same || numbered(&one) && numbered(&other) && one[0] == other[0]
}

/// How the document writes numbers.
fn habit(document: &Document) -> Decimal {
    let text = document.text.as_str();
    let tables = document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Table { .. }));
    let mut cells = tables.flat_map(|block| block.span.of(text).split('|')).peekable();
    if cells.peek().is_some() {
        return Decimal::of(cells);
    }
    Decimal::of(text.split_whitespace())
}

/// Whether a name says what is measured before its unit: `CO2, kt`, but not `kt CO2`.
fn begins_with_substance(name: &str) -> bool {
    let apart = name.split_once([',', '(', '[', ':']);
    apart.is_some_and(|(what, unit)| {
        let unit = unit.trim_matches(|c: char| c.is_whitespace() || ")]".contains(c));
        what.split_whitespace().all(unit::is_of_what) && is_unit(&unit.to_lowercase())
    })
}

/// `text` on one line, without marks of emphasis.
fn plain(text: &str) -> String {
    text.replace("**", "").replace("<br>", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The period in a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Time {
    /// A year, or a part of it.
    Period(u16, Option<Part>),
    /// Several years together.
    Range,
}

impl Time {
    /// The one in `name`; `None` if there is none or it compares two.
    fn of(name: &str) -> Option<Self> {
        if let Some(year) = year_of_days(name) {
            return Some(Self::Period(year, None));
        }
        if !ranges(name).is_empty() {
            return Some(Self::Range);
        }
        let mut all = periods(name).into_iter();
        let first = all.next()?;
        let same = all.all(|other| (other.year, other.part) == (first.year, first.part));
        same.then_some(Self::Period(first.year, first.part))
    }

    /// The one that a heading or caption sets for what is below it. A target year does not count, nor does a year
    /// that is compared with.
    fn above(name: &str) -> Option<Self> {
        const AIMED_AT: [&str; 10] =
            ["by", "until", "till", "before", "towards", "bis", "from", "since", "than", "against"];
        let plain = |period: &Period| {
            let before = name[..period.start].to_lowercase();
            let after = name[period.end..].trim_start().to_lowercase();
            let word = before.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty());
            let base =
                before.contains("base year") || after.starts_with("base") || before.contains("baseline");
            !base && !word.is_some_and(|word| AIMED_AT.contains(&word))
        };
        let all = periods(name);
        // Two dates of one year or of one financial year are its ends.
        let between =
            all.len() == 2 && year_of_days(name).is_some() || is_one_year(&all) && all[1..].iter().all(plain);
        match Self::of(name)? {
            Self::Range => Some(Self::Range),
            told => (between || all.iter().all(plain)).then_some(told),
        }
    }

    /// The year, and the part of it.
    fn period(self) -> Option<(u16, Option<Part>)> {
        match self {
            Self::Period(year, part) => Some((year, part)),
            Self::Range => None,
        }
    }
}

/// The year in which twelve months end, if a name has their first day and their last: `1 July 2023 to 30 June 2024`.
fn year_of_days(name: &str) -> Option<u16> {
    let [from, to] = <[Date; 2]>::try_from(dates(name)).ok()?;
    let years = from.year.zip(to.year)?;
    let whole = from.day == Some(1) && to.day.is_some() && from.month % 12 == (to.month + 1) % 12;
    let follows = if from.month == 1 { years.0 == years.1 } else { years.0 + 1 == years.1 };
    (whole && follows).then(|| u16::try_from(years.1).ok()).flatten()
}

/// Whether several periods are one year, as the first and the last day of it are.
fn is_one_year(all: &[Period]) -> bool {
    all.len() > 1 && all.iter().all(|period| period.year == all[0].year && period.part.is_none())
}

/// What leads to a unit.
const UNIT_MARKS: [&str; 8] =
    ["unit:", "units:", "einheit:", "enhet:", "單位:", "單位：", "单位：", "単位："];

/// The unit that is a name, or that follows in brackets, after a comma or dash, or after "in" or "Unit:":
/// `Output (GWh)`, `Water, m³`, `Amounts in € million`.
fn unit_in<'a>(name: &'a str) -> Option<(&'a str, Unit)> {
    let around = |c: char| c.is_whitespace() || "()[]:.".contains(c);
    let mut alone = name.trim_matches(around);
    // The last bracket belongs to `gallons (million)`.
    if alone.matches('(').count() > alone.matches(')').count() {
        let begun = name.trim_start_matches(around);
        alone = begun.get(..=alone.len()).filter(|closed| closed.ends_with(')')).unwrap_or(alone);
    }
    if is_unit(&alone.to_lowercase()) && !begins_with_substance(alone) {
        let unit = without_in(alone);
        return unit::read(unit).map(|read| (unit, read));
    }
    let bracketed = name.match_indices(['(', '[']).filter_map(|(at, _)| {
        let rest = &name[at + 1..];
        rest.find([')', ']']).map(|end| &rest[..end])
    });
    let mut candidates: Vec<&str> = bracketed.collect();
    candidates.reverse();
    let lower = name.to_ascii_lowercase();
    candidates.extend(UNIT_MARKS.iter().filter_map(|mark| {
        let at = lower.rfind(mark)? + mark.len();
        Some(name[at..].trim_start_matches([':', '：', ' ']))
    }));
    for sign in [", ", " – ", " - ", " in "] {
        candidates.extend(name.rsplit_once(sign).map(|(_, rest)| rest));
    }
    // Exceptions to a unit follow it: `in millions, except per share amounts`.
    let kept = |candidate: &'a str| {
        candidate.split(" except").next().unwrap_or(candidate).trim_end_matches([',', ' '])
    };
    candidates.into_iter().map(str::trim).map(without_in).map(kept).find_map(|candidate| {
        let words = candidate.split_whitespace().count();
        if words == 0
            || words > 6
            || candidate.starts_with("the ")
            || candidate.chars().any(|c| c.is_ascii_digit()) && !holds_unit_digit(candidate)
        {
            return None;
        }
        unit::read(candidate).map(|unit| (candidate, unit))
    })
}

/// A unit without the word that leads to it: `in GWh`.
fn without_in(unit: &str) -> &str {
    unit.strip_prefix("in ").or_else(|| unit.strip_prefix("In ")).unwrap_or(unit).trim()
}

/// Whether the digits of a unit belong to it: `tCO2e`, `m3`, `'000 t`.
fn holds_unit_digit(unit: &str) -> bool {
    let lower = unit.to_lowercase();
    let without = lower.replace("co2", "").replace("m3", "").replace("m2", "").replace("000", "");
    !without.chars().any(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests;
