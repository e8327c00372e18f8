//! Numbers with their unit and scale, as running text says them.

use super::date::dates;
use super::words::words;

/// A number as a text says it.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// As it stands there, with its unit.
    pub text: String,
    /// First byte of its number.
    pub start: usize,
    /// One past the last byte of it with its unit.
    pub end: usize,
    /// Its value with its scale.
    pub value: f64,
    /// Its unit in a canonical form, such as `£`, `%` or `t`; `None` if there is none.
    pub unit: Option<&'static str>,
    /// Whether it may be a year.
    pub is_year: bool,
    /// The words that follow it, in lower case.
    pub after: String,
}

/// Spellings of units: canonical form, factor, spellings.
pub const UNITS: [(&str, f64, &[&str]); 24] = [
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
/// Words that scale a number, in lower case, with their factor.
pub const SCALES: [(&str, f64); 8] = [
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
/// Whether `word`, in lower case, names a unit, a scale or a currency.
pub fn is_unit(word: &str) -> bool {
    UNITS.iter().any(|(_, _, names)| names.contains(&word))
        || SCALES.iter().any(|(name, _)| *name == word)
        || MONEY.iter().any(|(name, _)| *name == word)
}

/// The numbers of `text`, dates and identifiers left out; number words from two to twelve are numbers.
pub fn quantities(text: &str) -> Vec<Quantity> {
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
        let last = text[..word.start].trim_end_matches(['.', '(']).chars().next_back();
        let identifier = (before == '-' && two_before.is_alphanumeric())
            || before == '.' && glued.is_empty() && last.is_some_and(|c| c.is_ascii_alphanumeric());
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
        found.push(Quantity {
            text: text[word.start..end].to_owned(),
            start: word.start,
            end,
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

/// Whether `text` names the unit.
pub fn mentions(text: &str, unit: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_value_unit_and_scale() {
        let read = |text: &str| {
            quantities(text).into_iter().map(|f| (f.value, f.unit, f.is_year)).collect::<Vec<_>>()
        };
        assert_eq!(read("£1.2 million"), [(1.2e6, Some("£"), false)]);
        assert_eq!(read("32.6 Mt and 32,600 kt"), [(32.6e6, Some("t"), false), (32.6e6, Some("t"), false)]);
        assert_eq!(read("14 % in 2024"), [(14.0, Some("%"), false), (2024.0, None, true)]);
        assert_eq!(read("-£95 million"), [(-95e6, Some("£"), false)]);
        assert_eq!(read("€85 a tonne, €1.9bn"), [(85.0, Some("€"), false), (1.9e9, Some("€"), false)]);
        assert_eq!(read("five times, 9.2 years"), [(5.0, None, false), (9.2, Some("year"), false)]);
    }
}
