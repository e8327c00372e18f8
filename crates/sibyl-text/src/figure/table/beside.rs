//! Columns whose period is that of others beside them: parts of what stands there, and changes of it.

use super::column::{Column, Role};
use super::{Status, Time};
use crate::language::period::{Part, periods};
use std::mem::discriminant;

/// What the name of a column begins with whose figures are parts of those in another.
const PARTS: [&str; 11] = [
    "of which", "thereof", "davon", "darunter", "varav", "herav", "heraf", "dont ", "waarvan", "di cui",
    "うち",
];
/// Words before a period from which a change is counted.
const AGAINST: [&str; 17] = [
    "from",
    "than",
    "against",
    "since",
    "versus",
    "vs",
    "over",
    "on",
    "baseline",
    "base",
    "gegenüber",
    "seit",
    "depuis",
    "sedan",
    "sinds",
    "desde",
    "dal",
];

/// Gives the `columns`, which are called `names`, the period of those beside them where they are parts or changes of these.
pub(super) fn date(columns: &mut [Column], names: &[String]) {
    for at in 0..columns.len() {
        if columns[at].role != Role::Figures {
            continue;
        }
        let name = names.get(at).map_or("", String::as_str);
        if columns[at].status == Some(Status::Change) {
            columns[at].time = of_change(columns, at, name);
        } else if columns[at].time.is_none() && is_part(&columns[at]) {
            columns[at].time = of_whole(columns, at);
        }
    }
}

/// The period of the changes in the column `at`, called `name`: the later one of two that it compares, or else the last one
/// beside it.
fn of_change(columns: &[Column], at: usize, name: &str) -> Option<Time> {
    let all = periods(name);
    if all.len() > 1 {
        return all.iter().map(|period| (period.year, period.part)).max().map(period);
    }
    let word = |end: usize| {
        let before = name[..end].to_lowercase();
        let mut words = before.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.rfind(|word| !["the", "year", "fiscal", "fy"].contains(word)).map(str::to_owned)
    };
    let compared = |end: usize| word(end).is_some_and(|word| AGAINST.contains(&word.as_str()));
    let since = all.first().filter(|period| compared(period.start));
    if !all.is_empty() && since.is_none() {
        return columns[at].time;
    }
    let is_change = |column: &&Column| column.status == Some(Status::Change);
    let stretch = |columns: &mut dyn Iterator<Item = &Column>| -> Vec<(u16, Option<Part>)> {
        let stretch = columns.skip_while(is_change).take_while(|column| !is_change(column));
        stretch.filter_map(actual).collect()
    };
    let mut beside = stretch(&mut columns[..at].iter().rev());
    if beside.is_empty() {
        beside = stretch(&mut columns[at + 1..].iter());
    }
    let compares = beside.len() > 1 || since.is_some();
    let last = last_of(&beside).filter(|_| compares);
    last.filter(|(year, _)| since.is_none_or(|since| since.year <= *year)).map(period)
}

/// The period of the parts in the column `at`: that of the column before it where each column has its parts behind it, or else
/// the last one before it.
fn of_whole(columns: &[Column], at: usize) -> Option<Time> {
    let before: Vec<(u16, Option<Part>)> = columns[..at].iter().filter_map(actual).collect();
    let first = columns.iter().position(is_part).unwrap_or(at);
    let takes_turns = columns[first..].iter().any(|column| actual(column).is_some());
    let whole = if takes_turns { before.last().copied() } else { last_of(&before) };
    whole.map(period)
}

/// The period of a column of figures that are so and no parts of others.
fn actual(column: &Column) -> Option<(u16, Option<Part>)> {
    let so = matches!(column.status, None | Some(Status::Actual | Status::Restated));
    let counts = so && column.role == Role::Figures && !is_part(column);
    column.time.filter(|_| counts).and_then(Time::period)
}

/// The last of several periods that are equally long.
fn last_of(periods: &[(u16, Option<Part>)]) -> Option<(u16, Option<Part>)> {
    let length = |part: Option<Part>| part.map(|part| discriminant(&part));
    let alike = periods.windows(2).all(|pair| length(pair[0].1) == length(pair[1].1));
    periods.iter().max().copied().filter(|_| alike)
}

const fn period((year, part): (u16, Option<Part>)) -> Time {
    Time::Period(year, part)
}

fn is_part(column: &Column) -> bool {
    let own = column.name.rsplit(" / ").next().unwrap_or_default().to_lowercase();
    PARTS.iter().any(|mark| own.starts_with(mark))
}
