//! Other values of a key figure, in lines below it that say when they were measured or that they are targets.
//! Examples: `FY23: 2.44 million`, `Target 2026: 90 g`, `up from 74 % in FY23`, `29 % en 2023`.

use super::super::sentence::unit_after;
use super::super::{Figure, Origin, Status};
use super::AGAINST;
use crate::document::Span;
use crate::language::number::{self, Decimal};
use crate::language::period::{Part, Period, periods};
use crate::language::unit::Unit;
use std::ops::Range;

/// Most words of a line of other values, and of the words that date one.
const WORDS: usize = 12;
const WHEN: usize = 4;
/// What stands before a value that another was compared with.
const COMPARED: [&str; 3] = ["up from ", "down from ", "from "];
/// Names of the period before that of a report.
const BEFORE: [&str; 12] = [
    "previous year",
    "prior year",
    "last year",
    "vorjahr",
    "année précédente",
    "exercice précédent",
    "año anterior",
    "vorig jaar",
    "föregående år",
    "前年度",
    "前期",
    "前年",
];
/// What stands between two values in one line.
const BETWEEN: [&str; 6] = [" — ", " – ", " | ", " · ", "; ", "   "];

/// When a value was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
enum When {
    Period(u16, Option<Part>),
    /// That of the card, with which an earlier one is compared.
    Own,
    /// The one before that of the card.
    Before,
    /// A target without a year.
    Undated,
}

/// Another value.
struct Told {
    /// First byte of the number in its line, and one past the last.
    number: (usize, usize),
    value: f64,
    unit: Option<String>,
    read_as: Option<Unit>,
    when: When,
    status: Status,
}

/// The other values of the key figure `card` in `span` below it or at its end, which are written as `decimal` says.
pub(in super::super) fn asides(text: &str, span: Span, card: &Figure, decimal: Decimal) -> Vec<Figure> {
    let told = told(span.of(text), card.row.of(text), decimal).unwrap_or_default();
    // A share is always printed with its sign: amounts below one are values of something else.
    let share = card.unit.as_deref() == Some("%");
    let signed = |told: &Told| {
        told.unit.is_some() || span.of(text)[told.number.1..].trim_start().starts_with(['%', '％'])
    };
    let figure = |told: Told| {
        let aimed = || card.above.iter().rev().find_map(|heading| single(heading));
        let period = match told.when {
            When::Period(year, part) => Some((year, part)),
            When::Own => card.year.map(|year| (year, card.part)),
            When::Before => card.year.map(|year| (year.saturating_sub(1), card.part)),
            When::Undated => {
                aimed().filter(|_| told.status == Status::Target).map(|period| (period.year, period.part))
            }
        };
        Figure {
            span: Span::new(span.start + told.number.0, span.start + told.number.1),
            row: span,
            head: None,
            label: card.label.clone(),
            column: String::new(),
            above: card.above.clone(),
            year: period.map(|(year, _)| year),
            part: period.and_then(|(_, part)| part),
            read_as: if told.unit.is_some() { told.read_as } else { card.read_as },
            unit: told.unit.or_else(|| card.unit.clone()),
            value: told.value,
            status: told.status,
            origin: Origin::KeyFigure,
        }
    };
    told.into_iter().filter(|told| !share || signed(told)).map(figure).collect()
}

/// Where the other values begin (byte) with which the words `said` of a key figure end. Its own number ends at
/// `after`: `€412m Revenue 2023: €398m`.
pub(super) fn begin(said: &str, after: usize, decimal: Decimal) -> Option<usize> {
    let lower = said.to_lowercase();
    let named = BEFORE.iter().chain(&COMPARED).filter(|_| lower.len() == said.len());
    let named = named.filter_map(|name| lower[after..].find(name).map(|at| after + at));
    let leads = |period: &Period| said[period.end..].trim_start().starts_with([':', '：']);
    let dated = periods(said).into_iter().filter(leads).map(|period| period.start);
    let mut starts: Vec<usize> = dated.chain(named).filter(|start| *start > after).collect();
    starts.sort_unstable();
    // A word before a year says whether it is a target year.
    let with_status = |start: usize| {
        let before = said[..start].trim_end();
        let word = before.len() - before.rsplit(char::is_whitespace).next().map_or(0, str::len);
        let tells = word > after && Status::told_by(&before[word..]).is_some();
        if tells { word } else { start }
    };
    let others = |start: &usize| told(&said[*start..], "", decimal).is_some_and(|told| !told.is_empty());
    let apart = |start: &usize| said[..*start].ends_with(char::is_whitespace);
    starts.into_iter().map(with_status).filter(apart).find(others)
}

/// Where another value stands in brackets behind byte `after` of the words `said` of a key figure, brackets included:
/// `93 % Survival (2023: 92 %)`.
pub(super) fn in_brackets(said: &str, after: usize, decimal: Decimal) -> Option<Range<usize>> {
    let open = after + said[after..].rfind(['(', '（'])?;
    let inside = open + said[open..].chars().next().map_or(1, char::len_utf8);
    let close = inside + said[inside..].find([')', '）'])?;
    let end = close + said[close..].chars().next().map_or(1, char::len_utf8);
    is_aside(&said[inside..close], decimal).then_some(open..end)
}

/// Whether a line says nothing but other values.
pub(super) fn is_aside(said: &str, decimal: Decimal) -> bool {
    told(said, "", decimal).is_some_and(|told| !told.is_empty())
}

/// The values that a line gives below a key figure of the words `own`; `None` if it says something else as well.
fn told(said: &str, own: &str, decimal: Decimal) -> Option<Vec<Told>> {
    if said.split_whitespace().count() > WORDS || !said.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = said[at..].find(|c: char| c.is_alphanumeric() || "+-−–$€£¥".contains(c)) {
        let from = at + next;
        let end = BETWEEN
            .iter()
            .filter_map(|sign| said[from..].find(sign))
            .min()
            .map_or(said.len(), |end| from + end);
        if !said[from..end].contains(|c: char| c.is_ascii_digit()) {
            at = end;
            continue;
        }
        let (told, behind) =
            labelled(said, (from, end), own, decimal).or_else(|| dated(said, (from, end), decimal))?;
        found.push(told);
        at = behind;
    }
    Some(found)
}

/// A value behind the name of its period: `2023: 598 t`.
fn labelled(said: &str, (from, end): (usize, usize), own: &str, decimal: Decimal) -> Option<(Told, usize)> {
    let part = &said[from..end];
    let before = || {
        let name = BEFORE.iter().find(|name| part.to_lowercase().starts_with(**name))?;
        part.is_char_boundary(name.len()).then_some(name.len())
    };
    let (label, value) = match part.find([':', '：']) {
        Some(colon) => (&part[..colon], colon + part[colon..].chars().next().map_or(1, char::len_utf8)),
        None => (&part[..before()?], before()?),
    };
    let lower = label.to_lowercase();
    let status = Status::told_by(label);
    let when = match (single(label), BEFORE.iter().any(|name| lower.contains(name))) {
        (Some(period), _) => When::Period(period.year, period.part),
        (None, true) => When::Before,
        (None, false) if status == Some(Status::Target) => When::Undated,
        (None, false) => return None,
    };
    let digits = |rest: &str| rest.contains(|c: char| c.is_ascii_digit());
    let others = single(label).map_or(digits(label), |period| {
        digits(said_before(label, &period)) || digits(said_behind(label, &period))
    });
    if others || label.split_whitespace().count() > WHEN {
        return None;
    }
    let (mut told, behind) = value_in(&said[..end], from + value, decimal)?;
    (told.when, told.status) = (when, status.unwrap_or(Status::Actual));
    let rest = said[behind..end].trim();
    let known = !rest.is_empty() && own.contains(rest);
    Some((told, if known { end } else { behind }))
}

/// A value before its period: `29 % en 2023`, `up from 74 % in FY23`.
fn dated(said: &str, (from, end): (usize, usize), decimal: Decimal) -> Option<(Told, usize)> {
    let lower = said[from..end].to_lowercase();
    let compared = COMPARED.iter().find(|start| lower.starts_with(**start)).map_or(0, |start| start.len());
    let (mut told, behind) = value_in(&said[..end], from + compared, decimal)?;
    // The first of two years is no value of the second.
    if periods(&said[told.number.0..told.number.1]).len() == 1 {
        return None;
    }
    let rest = said.get(behind..end)?;
    let period = single(rest)?;
    // Of a date, the day and the month.
    let between =
        said_before(rest, &period).trim_end_matches(|c: char| c.is_ascii_digit() || "/.".contains(c));
    let alone = between.split_whitespace().count() <= 2
        && !between.contains(|c: char| c == ':' || c.is_ascii_digit());
    // Text that goes on behind the period is a sentence, unless it gives another value.
    let more = said_behind(rest, &period);
    let ends = !more.contains(char::is_alphabetic) || more.contains(|c: char| c.is_ascii_digit());
    let against = between.trim().to_lowercase();
    (told.when, told.status) = match AGAINST.contains(&against.as_str()) {
        true => (When::Own, Status::Change),
        false => (When::Period(period.year, period.part), Status::Actual),
    };
    (alone && ends).then_some((told, behind + period.end))
}

/// What `text` says before a period, without the part of the year that stands there: `1H 2023`.
fn said_before<'t>(text: &'t str, period: &Period) -> &'t str {
    let before = text[..period.start].trim_end();
    let word = before.len() - before.rsplit(char::is_whitespace).next().map_or(0, str::len);
    let is_part = period.part.is_some() && before[word..].contains(|c: char| c.is_ascii_digit());
    if is_part { &before[..word] } else { &text[..period.start] }
}

/// What `text` says behind a period, without the part of the year that stands there: `2023 H1`.
fn said_behind<'t>(text: &'t str, period: &Period) -> &'t str {
    let behind = text[period.end..].trim_start();
    let end = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
    let is_part = period.part.is_some() && behind[..end].contains(|c: char| c.is_ascii_digit());
    if is_part { &behind[end..] } else { &text[period.end..] }
}

/// The number that stands at `from`, with its unit and a change in brackets behind it; and where what follows begins.
fn value_in(said: &str, from: usize, decimal: Decimal) -> Option<(Told, usize)> {
    let value = from + said[from..].find(|c: char| c.is_ascii_digit())?;
    // A currency or a sign may precede it, no word.
    if said[from..value].split_whitespace().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 3)
    {
        return None;
    }
    let space = said[from..value].char_indices().rev().find(|(_, c)| c.is_whitespace());
    let begin = space.map_or(from, |(at, c)| from + at + c.len_utf8());
    let read = number::read(&said[begin..], decimal)?;
    let start = begin + (read.text.as_ptr() as usize - said[begin..].as_ptr() as usize);
    let end = start + read.text.len();
    let (unit, read_as) = unit_after(said[..start].trim_end(), &said[end..]);
    let glued = |c: &char| !c.is_whitespace() && !c.is_ascii_digit() && !"(（,;:".contains(*c);
    let mut behind = end + said[end..].chars().take_while(glued).map(char::len_utf8).sum::<usize>();
    if let Some(unit) = &unit
        && let Some(at) = said[end..].find(unit.as_str()).filter(|at| said[end..end + at].trim().is_empty())
    {
        behind = behind.max(end + at + unit.len());
    }
    let rest = said[behind..].trim_start();
    let brackets = rest.starts_with(['(', '（']).then(|| rest.find([')', '）'])).flatten();
    if let Some(close) = brackets {
        behind = said.len() - rest.len() + close + rest[close..].chars().next().map_or(1, char::len_utf8);
    }
    let number = (start, end);
    let told = Told { number, value: read.value, unit, read_as, when: When::Undated, status: Status::Actual };
    Some((told, behind))
}

/// The only period in a text.
fn single(text: &str) -> Option<Period> {
    let mut all = periods(text).into_iter();
    all.next().filter(|_| all.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_values_end_the_words_of_a_key_figure() {
        for (own, others) in [
            ("€412m Revenue", "2023: €398m"),
            ("0.7 Accidents per million hours", "FY23: 0.9"),
            ("61 % Waste recovered", "Target 2030: 80 %"),
            ("74 % Green power", "up from 69 % in FY23"),
        ] {
            let said = format!("{own} {others}");
            let number = own.find(' ').unwrap();
            assert_eq!(begin(&said, number, Decimal::Point), Some(own.len() + 1), "{said}");
        }
        for said in [
            "46 % Less carbon from 2019 to 2024",
            "12 % by 2030 from 2019 levels",
            "14 Sites certified since 2019",
            "3 Plants: Ghent, Lommel and Puurs",
        ] {
            assert_eq!(begin(said, 2, Decimal::Point), None, "{said}");
        }
    }
}
