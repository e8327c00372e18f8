//! Names of columns: their units, periods and marks of notes.

use super::super::without_in;
use super::{Time, owned_unit};
use crate::language::cell::is_unit;
use crate::language::period::{Period, periods, ranges};
use crate::language::unit::{self, Unit};

/// Marks of notes.
pub(super) const MARKS: &[char] = &[
    '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁰', '*', ' ', 'ᵃ', 'ᵇ', 'ᶜ', 'ᵈ', 'ᵉ', 'ᶠ', 'ᵍ', 'ʰ', 'ⁱ',
    'ᵛ', 'ˣ',
];

/// The names of a path without the marks of notes behind them.
pub(super) fn unmarked(path: &str) -> String {
    let bare = |name: &str| {
        let mut name = name;
        while !["m²", "m³"].iter().any(|unit| name.ends_with(unit)) && name.ends_with(MARKS) {
            let mut letters = name.chars();
            letters.next_back();
            name = letters.as_str();
        }
        name.to_owned()
    };
    path.split(" / ").map(bare).collect::<Vec<_>>().join(" / ")
}

/// The unit that one of the names in a path states or ends with, the innermost first: `Products / 2024 kt`, `Change
/// %`.
pub(super) fn unit_at_end(path: &str) -> Option<(String, Unit)> {
    let ends = |name: &str| {
        let bare = without_period(name);
        let starts = std::iter::once(0).chain(bare.match_indices(' ').map(|(at, _)| at + 1));
        let mut ends = starts.map(|at| (at, &bare[at..]));
        // A single letter behind other words is seldom a unit.
        let told = ends.find(|(at, end)| {
            let sign = end.len() > 1 || !end.starts_with(char::is_alphabetic);
            (*at == 0 || sign) && is_unit(&end.to_lowercase()) && !has_period_word(end)
        });
        told.map(|(_, end)| without_in(end)).and_then(|end| Some((end.to_owned(), unit::read(end)?)))
    };
    path.rsplit(" / ").find_map(|name| owned_unit(name).or_else(|| ends(name)))
}

/// Whether `name` is a length of time, which names a column and measures nothing in it: `Year`, `Months`.
fn has_period_word(name: &str) -> bool {
    unit::read(name).is_some_and(|unit| unit.measure == unit::Measure::Time)
}

/// `name` without its period; a range of years stays, as do years that it compares.
pub(super) fn without_period(name: &str) -> String {
    let (ranges, all) = (ranges(name), periods(name));
    let mut out = String::new();
    let mut from = 0;
    let compares = ranges.is_empty() && Time::of(name).is_none();
    let single = |period: &Period| !compares && !ranges.iter().any(|range| range.contains(&period.start));
    for period in all.into_iter().filter(single) {
        out.push_str(&name[from..period.start]);
        // The letter of `2025E` says whether the value is actual or expected, and is no name.
        let letter = name[period.end..].starts_with(['A', 'E', 'F', 'P']);
        let ends = !name[period.end..].chars().nth(1).is_some_and(char::is_alphanumeric);
        from = period.end + usize::from(letter && ends);
        // The mark of a note at a year belongs to it.
        let marks = name[from..].chars().take_while(|c| *c != ' ' && MARKS.contains(c));
        from += marks.map(char::len_utf8).sum::<usize>();
    }
    out.push_str(&name[from..]);
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let out = out.trim_matches(|c: char| "/,-–:>_".contains(c) || c.is_whitespace());
    // The mark of a note behind a period is no name.
    let mark = ["()", "[]"].iter().find_map(|pair| out.strip_prefix(&pair[..1])?.strip_suffix(&pair[1..]));
    let is_mark = mark.is_some_and(|mark| mark.len() <= 2 && mark.chars().all(|c| c.is_ascii_digit()));
    if is_mark { String::new() } else { out.to_owned() }
}

/// `name` without its `unit` and the brackets around it.
pub(super) fn without_unit(name: &str, unit: &str) -> String {
    let Some(at) = name.rfind(unit) else { return name.to_owned() };
    let edge = |c: char| c.is_whitespace() || "()[],:/–-".contains(c);
    let (over, own) = name[..at].rsplit_once(" / ").map_or(("", &name[..at]), |(over, own)| (over, own));
    let (rest, below) = name[at + unit.len()..].split_once(" / ").unwrap_or((&name[at + unit.len()..], ""));
    let before = own.trim_end_matches(edge);
    let before = before.strip_suffix("(in").or(before.strip_suffix("[in")).unwrap_or(before);
    let own = format!("{} {}", before.trim_end_matches(edge), rest.trim_matches(edge));
    let parts = [over, own.trim(), below].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" / ")
}
