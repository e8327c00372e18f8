//! Figures in sentences.

use super::{Figure, Origin, Status, Time, plain, unit_in};
use crate::document::Span;
use crate::language::number::{self, Decimal};
use crate::language::period::{Part, Period, periods, ranges};
use crate::language::quantity::{Quantity, quantities};
use crate::language::sentence::sentences_in;
use crate::language::unit::{self, Measure, Unit};

/// Numbers below this count as figures only with a unit.
const TELLING: f64 = 10.0;
/// Words before a year with which something is compared.
const AGAINST: [&str; 12] = [
    "from", "than", "against", "since", "with", "to", "baseline", "base", "versus", "vs", "over", "relative",
];

/// Words between the two ends of a range.
const TO: [&str; 11] = ["-", "–", "—", "~", "～", "to", "bis", "à", "till", "til", "tot"];
/// Words between the two ends of a range, if one of [`BETWEEN`] stands before the first.
const AND: [&str; 6] = ["and", "und", "et", "y", "och", "en"];
/// Words before the first end of a range.
const BETWEEN: [&str; 5] = ["between", "zwischen", "entre", "mellan", "tussen"];
/// Words before the first of two numbers of which the second came later.
const FROM: [&str; 4] = ["from", "de", "från", "fra"];
/// Those of them that mean nothing else, and so may stand further back in the clause.
const FROM_ONLY: [&str; 3] = ["from", "från", "fra"];
/// Most words back to one of them.
const CLAUSE: usize = 8;
/// Words before a number by which something changes.
const BY: [&str; 3] = ["by", "um", "med"];
/// Most bytes between the two ends of a range.
const APART: usize = 12;

/// What leads to the items of a list, as far as it says something of each of their figures.
#[derive(Clone, Default)]
pub(super) struct Lead {
    unit: Option<(String, Unit)>,
    time: Option<(u16, Option<Part>)>,
}

impl Lead {
    /// What a text says of the items below it: `In 2023 (in kt):`; `None` if it leads to none.
    pub(super) fn of(text: &str) -> Option<Self> {
        let text = text.trim_end().strip_suffix(':')?;
        let last = text.rsplit(['.', '!', '?', '\n']).next().unwrap_or(text);
        let unit = unit_in(last).map(|(unit, read)| (unit.to_owned(), read));
        Some(Self { unit, time: Time::above(last).and_then(Time::period) })
    }

    /// The time of the items, if it says so.
    pub(super) fn time(&self) -> Option<(u16, Option<Part>)> {
        self.time
    }
}

/// Adds the figures of the items in `span` to `found`, which marks part, with what leads to them before the first.
pub(super) fn read_items(text: &str, span: Span, above: &[String], found: &mut Vec<Figure>) {
    let (none, mut lead) = (Lead::default(), Lead::default());
    let mut at = span.start;
    for (order, part) in span.of(text).split(['•', '▪']).enumerate() {
        let own = Span::new(at, at + part.len());
        at = own.end + '•'.len_utf8();
        read(text, own, above, if order == 0 { &none } else { &lead }, found);
        if order == 0 {
            lead = Lead::of(part).unwrap_or_default();
        }
    }
}

/// Adds the figures of the sentences in `span` to `found`. The only number of a sentence takes the unit and the time
/// of the `lead` if it has none of its own.
pub(super) fn read(text: &str, span: Span, above: &[String], lead: &Lead, found: &mut Vec<Figure>) {
    for sentence in sentences_in(text, span) {
        let words = sentence.of(text);
        if !words.bytes().any(|b| b.is_ascii_digit()) {
            continue;
        }
        let years = periods(words);
        let all = quantities(words);
        // The number of a name, as in `Scope 1`, is small.
        let value = |start: usize| number::read(&words[start..], Decimal::Point).map(|read| read.value.abs());
        let telling = |start: usize| value(start).is_some_and(|value| value >= TELLING);
        let bounds = bounds(words, &all);
        let alone = all.iter().filter(|quantity| !quantity.is_year && telling(quantity.start)).count() == 1;
        for quantity in all {
            let number = &words[quantity.start..];
            let bounds = bounds.contains(&quantity.start);
            if quantity.is_year || bounds || !number.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let Some(read) = number::read(number, Decimal::Point) else { continue };
            let rest = &words[quantity.start + read.text.len()..];
            let (unit, read_as) = match unit_after(&words[..quantity.start], rest) {
                (None, None) if alone && telling(quantity.start) => lead.unit.clone().unzip(),
                own => own,
            };
            let counted = if read_as.is_none() { counted(&words[..quantity.start], rest) } else { None };
            if read_as.is_none() && (counted.is_none() || read.value.abs() < TELLING) {
                continue;
            }
            let read_as = read_as.or(counted.is_some().then_some(Unit {
                measure: Measure::Count,
                factor: 1.0,
                per: false,
            }));
            let unit = unit.or(counted);
            let (period, status) = when(words, quantity.start, quantity.end, &years);
            let period = period.or(lead.time.filter(|_| years.is_empty()));
            let start = sentence.start + quantity.start;
            found.push(Figure {
                span: Span::new(start, start + read.text.len()),
                row: sentence,
                head: None,
                label: vec![plain(words.strip_prefix("- ").unwrap_or(words))],
                column: String::new(),
                above: above.to_vec(),
                year: period.map(|(year, _)| year),
                part: period.and_then(|(_, part)| part),
                unit,
                read_as,
                value: read.value,
                status,
                origin: Origin::Sentence,
            });
        }
    }
}

/// Where the two numbers of a range in `words` begin, as in `10–15 %` and `between 5 and 7 kt`: neither is a figure.
/// If something rises from one number to another, both are.
fn bounds(words: &str, all: &[Quantity]) -> Vec<usize> {
    let is_money = |word: &str| unit::is_currency(&word.to_lowercase());
    let mut found = Vec::new();
    for first in all.iter().filter(|quantity| !quantity.is_year) {
        let rest = &words[first.end..];
        let near = &rest[..rest.floor_char_boundary(APART)];
        let Some(gap) = near.find(|c: char| c.is_ascii_digit()) else { continue };
        let mut between = near[..gap].split_whitespace();
        let Some(word) = between.next().map(|word| word.trim_end_matches(['$', '€', '£', '¥'])) else {
            continue;
        };
        if !between.all(is_money) {
            continue;
        }
        let lead = words[..first.start]
            .split_whitespace()
            .rev()
            .map(|word| word.trim_matches(['(', ',']))
            .find(|word| !is_money(word));
        let lead = lead.unwrap_or_default().to_lowercase();
        let word = word.to_lowercase();
        let start = first.end + gap;
        let Some(second) = all.iter().find(|quantity| quantity.start == start && !quantity.is_year) else {
            continue;
        };
        let second = second.unit;
        let clause = words[..first.start].rsplit([',', ';']).next().unwrap_or_default().to_lowercase();
        let rises = FROM.contains(&lead.as_str())
            || clause.split_whitespace().rev().take(CLAUSE).any(|word| FROM_ONLY.contains(&word));
        // `Fell by 10 kt to 30 kt`: a change, and what it came to.
        let changes = BY.contains(&lead.as_str()) && (first.unit == second || first.unit.is_none());
        let ranges = TO.contains(&word.as_str()) && !rises && !changes
            || AND.contains(&word.as_str()) && BETWEEN.contains(&lead.as_str());
        let is_sum = || second.is_none() && first.measure == Some(Measure::Money);
        if ranges && (first.unit.is_none() || first.unit == second || is_sum()) {
            found.extend([first.start, start]);
        }
    }
    found
}

/// The unit after a number, or the currency before it.
pub(super) fn unit_after(before: &str, rest: &str) -> (Option<String>, Option<Unit>) {
    let before = before.trim_end_matches(['-', '−']);
    let currency =
        before.trim_end().rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    // If a word does not touch the number behind it, only a sign or code is a currency.
    let sign = |c: char| c.is_uppercase() || !c.is_alphabetic();
    let apart = before.ends_with(char::is_whitespace);
    let currency = if apart && !currency.ends_with(sign) { "" } else { currency };
    let money = unit::read(currency).filter(|unit| unit.measure == Measure::Money && !currency.is_empty());
    // The dot of `Mio.` ends no sentence.
    let word = |at: usize| rest[..at].rsplit(char::is_whitespace).next().unwrap_or_default();
    // The mark of a note behind a unit, as in `GWh[1]`, is no part of it.
    let marks = |at: usize, c: char| c == '[' && !rest[..at].trim().is_empty();
    let stops = |(at, c): &(usize, char)| {
        marks(*at, *c) || ",.;:()|\n".contains(*c) && !(*c == '.' && unit::is_scale(word(*at)))
    };
    let stop = rest.char_indices().find(stops).map_or(rest.len(), |(at, _)| at);
    let tail = &rest[..stop];
    let words = tail.split_whitespace().take_while(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    let words: Vec<&str> = words.take(5).collect();
    if let Some(money) = money {
        let scale = words.first().and_then(|word| unit::read(&format!("{currency} {word}")));
        let unit = scale.filter(|scale| scale.factor != money.factor).unwrap_or(money);
        let printed = if unit == money { currency.to_owned() } else { format!("{currency} {}", words[0]) };
        return (Some(printed), Some(unit));
    }
    // The longest stretch of words after it that is one unit.
    for length in (1..=words.len()).rev() {
        let candidate = words[..length].join(" ");
        let last = unit::read(words[length - 1]).is_some() || unit::is_of_what(words[length - 1]);
        // A noun that is counted, and a word that is a unit elsewhere, are no unit together: `employees at year end`.
        let numerator = words[..length].iter().take_while(|word| !unit::PER.contains(word));
        let joined = numerator.skip(1).all(|word| unit::belongs(word));
        if let Some(unit) =
            unit::read(&candidate).filter(|_| last && joined && unit::read(words[0]).is_some())
        {
            return (Some(candidate), Some(unit));
        }
    }
    (None, None)
}

/// The things that a bare number counts: the noun after it. Numbers of acts, sections, pages and telephones count
/// nothing.
fn counted(before: &str, rest: &str) -> Option<String> {
    let glued = |c: char| c.is_alphanumeric() || matches!(c, '-' | '–' | '.' | '/' | '#' | ')');
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default();
    let named = last.ends_with('.')
        || last.chars().next().is_some_and(char::is_uppercase) && before.trim_end().contains(' ');
    if before.chars().next_back().is_some_and(glued) || named || !rest.starts_with(' ') {
        return None;
    }
    let word: String = rest.trim_start().chars().take_while(|c| c.is_alphabetic() || *c == '-').collect();
    let noun =
        word.len() > 2 && word.starts_with(char::is_lowercase) && !crate::language::words::is_stop(&word);
    noun.then_some(word)
}

/// The period of a number at `start` of a sentence with these `years`, and its kind.
fn when(sentence: &str, start: usize, end: usize, years: &[Period]) -> (Option<(u16, Option<Part>)>, Status) {
    let lower = sentence.to_lowercase();
    let word_before = |at: usize| {
        let before = sentence[..at].trim_end_matches(|c: char| !c.is_alphanumeric());
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        let further = before[..before.len() - word.len().min(before.len())].trim_end();
        let article =
            matches!(word.as_str(), "a" | "an" | "the" | "our" | "its" | "levels" | "fiscal" | "fy" | "year");
        if article {
            further.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase()
        } else {
            word
        }
    };
    let compared = |period: &Period| {
        AGAINST.contains(&word_before(period.start).as_str())
            || sentence[period.end..].trim_start_matches([' ', '-']).to_lowercase().starts_with("base")
            || sentence[period.end..].trim_start().to_lowercase().starts_with("level")
    };
    let aimed = |period: &Period| word_before(period.start) == "by";
    // `2023: 8.5 %` dates only the number after it.
    let dates_next = |period: &Period| sentence[period.end..].starts_with(':');
    if let Some(period) = years.iter().rev().find(|period| dates_next(period) && period.end <= start)
        && sentence[period.end..start].len() <= 4
    {
        return (Some((period.year, period.part)), Status::Actual);
    }
    let ranges = ranges(sentence);
    let ranged = |period: &Period| ranges.iter().any(|range| range.contains(&period.start));
    let opens_range = |period: &Period| ranges.iter().any(|range| range.start == period.start);
    let told: Vec<&Period> = years
        .iter()
        .filter(|period| !opens_range(period) && !dates_next(period) && (ranged(period) || !compared(period)))
        .collect();
    // The next year in the same clause, else the last one before it.
    let clause_end = sentence[end..].find([';', '.']).map_or(sentence.len(), |at| end + at);
    let next_number =
        quantities(&sentence[end..]).into_iter().find(|other| !other.is_year).map(|other| end + other.start);
    let after = told.iter().find(|period| {
        period.start >= end && period.start < clause_end && next_number.is_none_or(|next| period.start < next)
    });
    let before = told.iter().rev().find(|period| period.end <= start);
    let only = if told.len() == 1 { told.first() } else { None };
    let period = after.or(before).or(only).copied();
    let near = sentence[..start].char_indices().rev().nth(40).map_or(0, |(at, _)| at);
    let nearby = sentence[near..start].to_lowercase();
    let hopes = ["target", "aim", "goal", "commit", "ambition", "will ", "plan to", "plans to", "intend"];
    let status = if period.is_some_and(aimed) && hopes.iter().any(|word| lower.contains(word))
        || period.is_some_and(aimed) && period.is_some_and(|period| period.year >= 2030)
        || (["target", "goal", " aim"].iter().any(|word| lower.contains(word)) && period.is_none())
    {
        Status::Target
    } else if nearby.contains("estimate") || nearby.contains("expected to") || nearby.contains("forecast") {
        Status::Estimate
    } else if lower.contains("restated") {
        Status::Restated
    } else {
        Status::Actual
    };
    let dated = period.filter(|period| !ranged(period));
    (dated.map(|period| (period.year, period.part)), status)
}
