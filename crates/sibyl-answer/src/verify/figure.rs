//! Numbers with their unit and scale, and dates.

use super::CitedUnit;
use crate::answer::{AnswerDifference, DifferenceKind};
use crate::words::words;

/// A number as a text says it.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// As it stands there, with its unit.
    pub text: String,
    /// Its value with its scale.
    pub value: f64,
    /// Its unit in a canonical form, such as `£`, `%` or `t`; `None` where none is said.
    pub unit: Option<&'static str>,
    /// Whether it may be a year.
    pub is_year: bool,
    /// The words that follow it, in lower case.
    pub after: String,
}

/// Spellings of units: canonical form, factor, spellings.
const UNITS: [(&str, f64, &[&str]); 24] = [
    ("%", 1.0, &["%", "percent", "per cent"]),
    ("t", 1.0, &["t", "tonne", "tonnes", "ton", "tons"]),
    ("t", 1e3, &["kt", "kilotonnes"]),
    ("t", 1e6, &["mt", "megatonnes"]),
    ("t", 1e-3, &["kg", "kilograms"]),
    ("t", 1e-6, &["g", "grams"]),
    ("Wh", 1e9, &["gwh"]),
    ("Wh", 1e6, &["mwh"]),
    ("Wh", 1e3, &["kwh"]),
    ("Wh", 1e12, &["twh"]),
    ("W", 1e9, &["gw"]),
    ("W", 1e6, &["mw"]),
    ("W", 1e3, &["kw"]),
    ("J", 1e9, &["gj"]),
    ("J", 1e12, &["tj"]),
    ("J", 1e15, &["pj"]),
    ("m", 1e3, &["km", "kilometres"]),
    ("m", 1.0, &["metres", "metre"]),
    ("m³", 1.0, &["m³", "m3"]),
    ("°C", 1.0, &["°c", "°"]),
    ("year", 1.0, &["years", "year"]),
    ("day", 1.0, &["days", "day"]),
    ("hour", 1.0, &["hours", "hour"]),
    ("month", 1.0, &["months", "month"]),
];
const SCALES: [(&str, f64); 8] = [
    ("thousand", 1e3),
    ("million", 1e6),
    ("billion", 1e9),
    ("trillion", 1e12),
    ("m", 1e6),
    ("bn", 1e9),
    ("k", 1e3),
    ("mn", 1e6),
];
const MONEY: [(&str, &str); 8] = [
    ("£", "£"),
    ("€", "€"),
    ("$", "$"),
    ("gbp", "£"),
    ("eur", "€"),
    ("usd", "$"),
    ("euro", "€"),
    ("euros", "€"),
];
const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Whether `word`, in lower case, names a unit, a scale or a currency.
pub(super) fn is_unit(word: &str) -> bool {
    UNITS.iter().any(|(_, _, names)| names.contains(&word))
        || SCALES.iter().any(|(name, _)| *name == word)
        || MONEY.iter().any(|(name, _)| *name == word)
}

/// The numbers of `text`, dates and identifiers left out; number words from two to twelve are numbers.
pub fn figures(text: &str) -> Vec<Figure> {
    let all = words(text);
    let dates = dates(text);
    let mut found = Vec::new();
    for (index, word) in all.iter().enumerate() {
        if dates.iter().any(|date| date.start <= word.start && word.start < date.end && date.day.is_some()) {
            continue;
        }
        let lower = word.text.to_lowercase();
        let spelled = NUMBERS.iter().position(|number| *number == lower).filter(|&n| n >= 2);
        let (number, glued) = split(word.text);
        let value = match (spelled, number) {
            (Some(number), _) => number as f64,
            (None, Some(value)) => value,
            (None, None) => continue,
        };
        let before = text[..word.start].chars().next_back().unwrap_or(' ');
        let two_before =
            text[..word.start].trim_end_matches(['-', '−', '–']).chars().next_back().unwrap_or(' ');
        let identifier = (before == '-' && two_before.is_alphanumeric())
            || before == '.'
                && glued.is_empty()
                && text[..word.start]
                    .trim_end_matches(['.', '('])
                    .chars()
                    .next_back()
                    .is_some_and(|c| c.is_ascii_alphanumeric());
        if identifier || (glued.is_empty() && text[word.end()..].starts_with('(')) {
            continue;
        }
        let currency = MONEY
            .iter()
            .find(|(sign, _)| sign.chars().count() == 1 && sign.starts_with(two_before))
            .map(|(_, unit)| *unit);
        let negative = matches!(before, '-' | '−')
            || (MONEY.iter().any(|(sign, _)| sign.starts_with(before))
                && text[..word.start].trim_end_matches(before).ends_with(['-', '−']));
        let mut scale = 1.0;
        let mut unit = currency;
        let mut end = word.end();
        let mut next = index + 1;
        let follows: &mut dyn FnMut(&str) -> bool = &mut |candidate: &str| {
            if let Some((_, factor)) = SCALES.iter().find(|(name, _)| {
                *name == candidate
                    && (candidate.len() > 2 || currency.is_some() || !glued.is_empty() || candidate == "bn")
            }) {
                scale *= factor;
                return true;
            }
            if let Some((canonical, factor, _)) =
                UNITS.iter().find(|(_, _, names)| names.contains(&candidate))
            {
                if unit.is_none() {
                    unit = Some(canonical);
                    scale *= factor;
                }
                return true;
            }
            if let Some((_, canonical)) = MONEY.iter().find(|(name, _)| *name == candidate) {
                unit = unit.or(Some(canonical));
                return true;
            }
            false
        };
        let rest = &text[word.end()..];
        let sign = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
        if glued.is_empty() && sign.starts_with('%') {
            follows("%");
            end += rest.len() - sign.len() + 1;
        } else if glued.is_empty() && sign.starts_with('°') {
            follows("°c");
        } else if !glued.is_empty() {
            follows(&glued.to_lowercase());
        }
        while next < all.len() && next < index + 4 {
            let between = &text[end..all[next].start];
            if between.chars().any(|c| !c.is_whitespace() && c != '-')
                || !follows(&all[next].text.to_lowercase())
            {
                break;
            }
            end = all[next].end();
            next += 1;
        }
        let plain = scale == 1.0 && unit.is_none() && number.is_some();
        let after: Vec<String> =
            all[next.min(all.len())..].iter().take(2).map(|word| word.text.to_lowercase()).collect();
        found.push(Figure {
            text: text[word.start..end].to_owned(),
            value: if negative { -value } else { value } * scale,
            unit,
            is_year: plain
                && (1900.0..2101.0).contains(&value)
                && value.fract() == 0.0
                && !word.text.contains(','),
            after: after.join(" "),
        });
    }
    found
}

/// A number and the letters glued to it: `32.6Mt`.
fn split(word: &str) -> (Option<f64>, &str) {
    let digits =
        word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',')).len();
    let (number, rest) = word.split_at(digits);
    if number.is_empty() || rest.chars().count() > 4 || rest.chars().any(|c| c.is_ascii_digit()) {
        return (None, "");
    }
    (number.replace(',', "").parse().ok(), rest)
}

/// A date: what of day, month and year is said.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Date {
    start: usize,
    end: usize,
    day: Option<u32>,
    month: u32,
    year: Option<u32>,
}

fn dates(text: &str) -> Vec<Date> {
    let all = words(text);
    let mut found = Vec::new();
    for (index, word) in all.iter().enumerate() {
        let Some(month) = MONTHS.iter().position(|month| word.text.to_lowercase() == *month) else {
            continue;
        };
        let number = |at: Option<usize>| {
            at.and_then(|at| all.get(at))
                .and_then(|w| w.text.trim_end_matches(|c: char| c.is_alphabetic()).parse::<u32>().ok())
        };
        let (before, after, later) =
            (number(index.checked_sub(1)), number(Some(index + 1)), number(Some(index + 2)));
        let is_day = |n: &u32| (1..=31).contains(n);
        let is_year = |n: &u32| (1900..2101).contains(n);
        let day = before.filter(is_day).or(after.filter(is_day));
        let year = after.filter(is_year).or(later.filter(is_year).filter(|_| after.is_some()));
        if day.is_none() && year.is_none() {
            continue;
        }
        let start = if before.filter(is_day).is_some() { all[index - 1].start } else { word.start };
        let last = if after.filter(is_year).is_some() || (after.is_some() && later.filter(is_year).is_none())
        {
            index + 1
        } else if year.is_some() {
            index + 2
        } else {
            index
        };
        found.push(Date {
            start,
            end: all[last.min(all.len() - 1)].end(),
            day,
            month: month as u32 + 1,
            year,
        });
    }
    found
}

/// Every figure and date of `sentence` must stand where the sentence rests.
pub(super) fn check(
    sentence: &str,
    best: &[&CitedUnit<'_>],
    places: &[CitedUnit<'_>],
    differences: &mut Vec<AnswerDifference>,
) {
    let there: Vec<Figure> = best.iter().flat_map(|place| super::figures_of(place)).collect();
    for figure in figures(sentence) {
        let same = |other: &&Figure| near(other.value, figure.value) && agrees(&figure, other);
        // A year may stand in the title or a heading.
        let above = figure.is_year
            && best.iter().any(|place| {
                place.around.contains(figure.text.as_str())
                    || place.passage.source.year.is_some_and(|year| near(year as f64, figure.value))
            });
        let unit_stands = |place: &&CitedUnit<'_>| {
            figure
                .unit
                .is_none_or(|unit| mentions(&place.text, unit) || mentions(&place.passage.text(), unit))
        };
        let bare = |place: &&CitedUnit<'_>| {
            super::figures_of(place).iter().any(|other| {
                other.unit.is_none()
                    && !other.is_year
                    && scaled(&figure, other, &place.text)
                    && unit_stands(place)
            })
        };
        if above || there.iter().any(|other| same(&other)) || best.iter().any(bare) {
            continue;
        }
        let kind = if figure.is_year { DifferenceKind::Date } else { DifferenceKind::Figure };
        let found = closest(&figure, &there);
        let found = found.or_else(|| {
            closest(&figure, &places.iter().flat_map(super::figures_of).collect::<Vec<_>>())
                .filter(|_| !best.is_empty())
        });
        differences.push(AnswerDifference { kind, said: figure.text, found });
    }
    let known: Vec<Date> = best.iter().flat_map(|place| dates(&place.text)).collect();
    for date in dates(sentence) {
        let holds = |other: &Date| {
            other.month == date.month
                && date.day.is_none_or(|day| other.day == Some(day))
                && date.year.is_none_or(|year| other.year.is_none_or(|known| known == year))
        };
        if !known.iter().any(holds) {
            let found = best.iter().find_map(|place| {
                dates(&place.text).first().map(|date| place.text[date.start..date.end].to_owned())
            });
            let said = sentence[date.start..date.end].to_owned();
            differences.push(AnswerDifference { kind: DifferenceKind::Date, said, found });
        }
    }
}

/// Whether both may mean the same: their units agree where both have one.
fn agrees(said: &Figure, other: &Figure) -> bool {
    match (said.unit, other.unit) {
        (Some(a), Some(b)) => a == b,
        (Some(unit), None) => unit == "year",
        (None, _) => said.is_year == other.is_year || said.is_year,
    }
}

/// Whether the number of a cell, with the scale that the row's head names, is what is said.
fn scaled(said: &Figure, cell: &Figure, text: &str) -> bool {
    if said.unit.is_none() {
        return near(said.value, cell.value);
    }
    let lower = text.to_lowercase();
    let scales =
        SCALES.iter().filter(|(name, _)| name.len() > 2 && lower.contains(name)).map(|(_, factor)| *factor);
    let scales: Vec<f64> = scales.chain([1.0]).collect();
    let factors: Vec<f64> = UNITS
        .iter()
        .filter(|(canonical, _, names)| {
            Some(*canonical) == said.unit
                && names.iter().any(|name| words(&lower).iter().any(|word| word.text == *name))
        })
        .map(|(_, factor, _)| *factor)
        .collect();
    let factors = if factors.is_empty() { vec![1.0] } else { factors };
    scales.iter().any(|scale| factors.iter().any(|factor| near(said.value, cell.value * scale * factor)))
}

/// Whether `text` names the unit.
fn mentions(text: &str, unit: &str) -> bool {
    let lower = text.to_lowercase();
    if lower.contains(unit) && unit.chars().all(|c| !c.is_alphanumeric()) {
        return true;
    }
    let all = words(&lower);
    let spelled = |names: &[&str]| {
        names.iter().any(|name| {
            all.iter().any(|word| word.text == *name)
                || (name.contains(['%', '°', '³', ' ']) && lower.contains(name))
        })
    };
    UNITS.iter().any(|(canonical, _, names)| *canonical == unit && spelled(names))
        || MONEY.iter().any(|(name, canonical)| *canonical == unit && lower.contains(name))
        || matches!(unit, "year" | "day" | "hour" | "month") && lower.contains(unit)
        || unit == "£" && lower.contains("sterling")
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-12)
        // A minus sign is often told in words: "a loss of 95 million".
        || (a + b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-12)
}

/// The figure that stands in the place of `said`: of the same unit where there is one, the nearest in value.
fn closest(said: &Figure, there: &[Figure]) -> Option<String> {
    let distance =
        |other: &Figure| (other.value.abs().max(1e-12).ln() - said.value.abs().max(1e-12).ln()).abs();
    let like = |same: bool| {
        let those =
            there.iter().filter(|other| other.is_year == said.is_year && (!same || other.unit == said.unit));
        those.min_by(|a, b| distance(a).total_cmp(&distance(b))).map(|figure| figure.text.clone())
    };
    like(true).or_else(|| like(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_value_unit_and_scale() {
        let read =
            |text: &str| figures(text).into_iter().map(|f| (f.value, f.unit, f.is_year)).collect::<Vec<_>>();
        assert_eq!(read("£1.2 million"), [(1.2e6, Some("£"), false)]);
        assert_eq!(read("32.6 Mt and 32,600 kt"), [(32.6e6, Some("t"), false), (32.6e6, Some("t"), false)]);
        assert_eq!(read("14 % in 2024"), [(14.0, Some("%"), false), (2024.0, None, true)]);
        assert_eq!(read("-£95 million"), [(-95e6, Some("£"), false)]);
        assert_eq!(read("€85 a tonne, €1.9bn"), [(85.0, Some("€"), false), (1.9e9, Some("€"), false)]);
        assert_eq!(read("five times, 9.2 years"), [(5.0, None, false), (9.2, Some("year"), false)]);
    }

    #[test]
    fn dates_and_identifiers_are_no_figures() {
        assert!(figures("on 27 February 2025, S2.14(a)(iv), EM-EP-110a.1").is_empty());
        let found = dates("on 27 February 2025 and in May 2023 or March 3, 2020");
        let parts: Vec<_> = found.iter().map(|d| (d.day, d.month, d.year)).collect();
        assert_eq!(parts, [(Some(27), 2, Some(2025)), (None, 5, Some(2023)), (Some(3), 3, Some(2020))]);
    }
}
