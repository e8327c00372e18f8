//! Figures in sentences and key figures.

use super::beside::Captioned;
use super::{Figure, Origin, Status, Time, plain, unit_in};
use crate::document::{Block, BlockKind, Span};
use crate::language::cell::is_unit;
use crate::language::number::{self, Decimal};
use crate::language::period::{Part, Period, periods, ranges};
use crate::language::quantity::quantities;
use crate::language::sentence::sentences_in;
use crate::language::unit::{self, Measure, Unit};

/// Numbers below this count as figures only with a unit.
const TELLING: f64 = 10.0;
/// Words before a year with which something is compared.
const AGAINST: [&str; 12] = [
    "from", "than", "against", "since", "with", "to", "baseline", "base", "versus", "vs", "over", "relative",
];

/// Adds the figures of the sentences in `span` to `found`.
pub(super) fn read(text: &str, span: Span, above: &[String], found: &mut Vec<Figure>) {
    for sentence in sentences_in(text, span) {
        let words = sentence.of(text);
        if !words.bytes().any(|b| b.is_ascii_digit()) {
            continue;
        }
        let years = periods(words);
        for quantity in quantities(words) {
            let number = &words[quantity.start..];
            if quantity.is_year || !number.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let Some(read) = number::read(number, Decimal::Point) else { continue };
            let rest = &words[quantity.start + read.text.len()..];
            let (unit, read_as) = unit_after(&words[..quantity.start], rest);
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
            let start = sentence.start + quantity.start;
            found.push(Figure {
                span: Span::new(start, start + read.text.len()),
                row: sentence,
                head: None,
                label: vec![plain(words)],
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

/// The unit after a number, or the currency before it.
fn unit_after(before: &str, rest: &str) -> (Option<String>, Option<Unit>) {
    let currency = before
        .trim_end_matches(['-', '−'])
        .rsplit(|c: char| c.is_whitespace() || c == '(')
        .next()
        .unwrap_or_default();
    let money = unit::read(currency).filter(|unit| unit.measure == Measure::Money && !currency.is_empty());
    let stop = rest.find([',', '.', ';', ':', '(', ')', '|', '\n']).unwrap_or(rest.len());
    let tail = &rest[..stop];
    let words: Vec<&str> = tail.split_whitespace().take(5).collect();
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
        if let Some(unit) = unit::read(&candidate).filter(|_| last && unit::read(words[0]).is_some()) {
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

/// Adds the big number in `span` to `found`.
pub(super) fn key_figure(
    text: &str,
    Captioned { span, number }: Captioned,
    above: Vec<String>,
    decimal: Decimal,
    reported: Option<(u16, Option<Part>)>,
    found: &mut Vec<Figure>,
) {
    let words = span.of(text);
    let begin = number - span.start;
    let Some(at) = words[begin..].find(|c: char| c.is_ascii_digit()).map(|at| begin + at) else { return };
    let space = words[..at].char_indices().rev().find(|(_, c)| c.is_whitespace());
    let from = space.map_or(0, |(space, c)| space + c.len_utf8());
    let Some(read) = number::read(&words[from..], decimal) else { return };
    let start = from + (read.text.as_ptr() as usize - words[from..].as_ptr() as usize);
    let end = start + read.text.len();
    // A unit may stand in the next line by itself.
    let below = words[end..].trim_start();
    let next = below.lines().next().unwrap_or_default().trim().to_lowercase();
    let after = if is_unit(&next) { below } else { &words[end..] };
    let (mut unit, mut read_as) = unit_after(words[..start].trim_end(), after);
    if unit.is_none() {
        let sign: String = after.chars().take_while(|c| !c.is_whitespace()).collect();
        read_as = unit::read(&sign);
        unit = read_as.map(|_| sign);
    }
    let (mut before, mut rest) = (words[..start].trim_end(), below);
    if let Some(unit) = unit.as_deref() {
        // A currency stands before the number, and what it counts at once behind it.
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
    let told = plain(&format!("{before} {rest}"));
    let label = if told.is_empty() { plain(below) } else { told };
    if unit.is_none() {
        (unit, read_as) = unit_in(&label).map(|(unit, read)| (unit.to_owned(), read)).unzip();
    }
    let period = match Time::of(words) {
        Some(time) => time.period(),
        None => periods(words).first().map(|period| (period.year, period.part)),
    };
    let period = period.filter(|_| !is_compared(words));
    let status = Status::told_by(&label).unwrap_or(Status::Actual);
    // A key figure without a period is one of the report, or of what its heading names.
    let headed = || above.iter().rev().find_map(|heading| Time::above(heading)?.period()).or(reported);
    let period = period.or_else(|| headed().filter(|_| matches!(status, Status::Actual | Status::Change)));
    found.push(Figure {
        span: Span::new(span.start + start, span.start + end),
        row: span,
        head: None,
        status,
        label: vec![label],
        column: String::new(),
        above,
        year: period.map(|(year, _)| year),
        part: period.and_then(|(_, part)| part),
        unit,
        read_as,
        value: read.value,
        origin: Origin::KeyFigure,
    });
}

/// Most words of a line that gives another value of a key figure.
const ASIDE: usize = 9;

/// Another value of the key figure `card` in a line below it, which says of when it is or that it is aimed at: `FY23: 2.44
/// million`, `Target 2026: 90 g`, `up from 74 % in FY23`.
pub(super) fn aside(text: &str, block: &Block, card: &Figure, decimal: Decimal) -> Option<Figure> {
    let said = block.span.of(text);
    if block.kind != BlockKind::Paragraph || said.split_whitespace().count() > ASIDE {
        return None;
    }
    let mut told = periods(said).into_iter();
    let period = told.next().filter(|_| told.next().is_none())?;
    let lower = said.to_lowercase();
    let compared = ["up from ", "down from ", "from ", "previous year: ", "prior year: "]
        .iter()
        .find(|start| lower.starts_with(**start));
    let from = match compared {
        Some(start) => start.len(),
        None => said.find(": ").filter(|colon| period.end <= *colon)? + 1,
    };
    let value = said[from..].find(|c: char| c.is_ascii_digit()).map(|at| from + at);
    let value = value.filter(|at| !(period.start..period.end).contains(at))?;
    let space = said[..value].char_indices().rev().find(|(_, c)| c.is_whitespace());
    let begin = space.map_or(from, |(at, c)| (at + c.len_utf8()).max(from));
    let read = number::read(&said[begin..], decimal)?;
    let start = begin + (read.text.as_ptr() as usize - said[begin..].as_ptr() as usize);
    let end = start + read.text.len();
    let others = [&said[from..start], &said[end..]].into_iter().any(|rest| {
        let within = |at: usize| (period.start..period.end).contains(&at);
        rest.char_indices().any(|(at, c)| {
            c.is_ascii_digit() && !within(rest.as_ptr() as usize - said.as_ptr() as usize + at)
        })
    });
    let (unit, read_as) = unit_after(said[..start].trim_end(), &said[end..]);
    let unit_digits = unit.as_deref().is_some_and(|unit| unit.contains(|c: char| c.is_ascii_digit()));
    (!others || unit_digits).then(|| Figure {
        span: Span::new(block.span.start + start, block.span.start + end),
        row: block.span,
        head: None,
        label: card.label.clone(),
        column: String::new(),
        above: card.above.clone(),
        year: Some(period.year),
        part: period.part,
        read_as: if unit.is_some() { read_as } else { card.read_as },
        unit: unit.or_else(|| card.unit.clone()),
        value: read.value,
        status: Status::told_by(&said[..from]).unwrap_or(Status::Actual),
        origin: Origin::KeyFigure,
    })
}

/// Whether the first period in `words` is one that the number is compared with, as in `-46 % since 2019`.
fn is_compared(words: &str) -> bool {
    const AGAINST: [&str; 14] = [
        "since",
        "from",
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
    let before = periods(words).first().map(|period| words[..period.start].to_lowercase());
    let before = before.unwrap_or_default();
    let word = before.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty());
    word.is_some_and(|word| AGAINST.contains(&word))
}
