//! Numbers with their unit and scale, as running text says them.

use super::date::dates;
use super::number::small;
use super::unit::{self, Measure};
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
    /// The name of its unit, such as `£`, `%` or `t` (see [`unit::Word::name`]); `None` if there is none.
    pub unit: Option<&'static str>,
    /// What its unit measures.
    pub measure: Option<Measure>,
    /// Whether it may be a year.
    pub is_year: bool,
    /// The words that follow it, in lower case.
    pub after: String,
}

/// The numbers of `text`, dates and identifiers left out; number words from two to nineteen are numbers.
pub fn quantities(text: &str) -> Vec<Quantity> {
    let all = words(text);
    let dates = dates(text);
    let mut found = Vec::new();
    for (index, word) in all.iter().enumerate() {
        if dates.iter().any(|date| date.start <= word.start && word.start < date.end && date.day.is_some()) {
            continue;
        }
        let lower = word.text.to_lowercase();
        let spelled = small(&lower).filter(|&n| n >= 2);
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
        let signed = |c: char| unit::Word::of(c.encode_utf8(&mut [0; 4])).filter(|unit| unit.is_currency());
        let named = index.checked_sub(1).map(|at| &all[at]).filter(|_| !is_like_a_year(word.text));
        let named = named.filter(|code| is_code(code.text) && text[code.end()..word.start].trim().is_empty());
        let code = named.and_then(|code| unit::Word::of(code.text)).filter(|unit| unit.is_currency());
        let currency = signed(two_before).or(code);
        let negative = matches!(before, '-' | '−')
            || (signed(before).is_some()
                && text[..word.start].trim_end_matches(before).ends_with(['-', '−']));
        let mut scale = 1.0;
        let mut unit = currency;
        let mut end = word.end();
        let mut next = index + 1;
        let follows: &mut dyn FnMut(&str) -> bool = &mut |candidate: &str| {
            if let Some(factor) = multiple(&candidate.to_lowercase(), currency.is_some(), !glued.is_empty()) {
                scale *= factor;
                return true;
            }
            // Behind a year, one letter begins a name.
            let initial = is_like_a_year(word.text) && glued.is_empty() && is_letter(candidate);
            let found = unit::Word::of(candidate).filter(|unit| !unit.name.is_empty() && !initial);
            let Some(found) = found else {
                return false;
            };
            if unit.is_none() {
                unit = Some(found);
                scale *= found.multiple();
            }
            true
        };
        let rest = &text[word.end()..];
        let sign = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
        if glued.is_empty() && sign.starts_with('%') {
            follows("%");
            end += rest.len() - sign.len() + 1;
        } else if glued.is_empty() && sign.starts_with('°') {
            follows("°c");
        } else if !glued.is_empty() {
            follows(glued);
        }
        while next < all.len() && next < index + 4 {
            let between = &text[end..all[next].start];
            if between.chars().any(|c| !c.is_whitespace() && c != '-') || !follows(all[next].text) {
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
            unit: unit.map(|unit| unit.name),
            measure: unit.map(|unit| unit.measure),
            is_year: plain && is_like_a_year(word.text),
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

/// Whether a word is one letter.
fn is_letter(word: &str) -> bool {
    word.starts_with(char::is_alphabetic) && word.chars().nth(1).is_none()
}

/// Whether `word` is the number of a year, if nothing says that it counts something.
fn is_like_a_year(word: &str) -> bool {
    !word.contains(',')
        && split(word).0.is_some_and(|value| (1900.0..2101.0).contains(&value) && value.fract() == 0.0)
}

/// Whether `word` is written as the code of a currency: `EUR`.
fn is_code(word: &str) -> bool {
    word.len() == 3 && word.bytes().all(|b| b.is_ascii_uppercase())
}

/// What `word`, in lower case, multiplies a number before it by. Short words do so only with the sign of a currency
/// before the number, or glued to it.
fn multiple(word: &str, currency: bool, glued: bool) -> Option<f64> {
    let short = word.len() < 3 && word != "bn";
    let letters = word.chars().all(char::is_alphabetic);
    let counts = letters && (!short || currency || glued && matches!(word, "m" | "mn" | "k"));
    unit::scale(word).filter(|_| counts)
}

/// Whether `text` names the unit `unit`, or a multiple of it.
pub fn mentions(text: &str, unit: &str) -> bool {
    let is_sign = unit.chars().all(|c| !c.is_alphanumeric());
    let lower = text.to_lowercase();
    is_sign && text.contains(unit)
        || unit == "%" && lower.contains("per cent")
        || unit == "°C" && lower.contains('°')
        || matches!(unit, "year" | "day" | "hour" | "month") && lower.contains(unit)
        || !multiples(text, unit).is_empty()
}

/// The multiples of the unit `unit` that `text` names, each as a factor to it.
pub fn multiples(text: &str, unit: &str) -> Vec<f64> {
    let named = |word: &str| unit::Word::of(word).filter(|known| known.name == unit);
    words(text).iter().filter_map(|word| named(word.text)).map(unit::Word::multiple).collect()
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
        assert_eq!(read("USD 5 million"), read("$5m"));
        assert_eq!(read("in EUR 2024"), [(2024.0, None, true)]);
        assert_eq!(read("600 MT"), [(600.0, Some("t"), false)]);
        assert_eq!(read("3 weeks"), read("21 days"));
        assert_eq!(read("fifteen sites"), [(15.0, None, false)]);
        assert!(mentions("in MSEK", "SEK") && mentions("14 per cent", "%") && !mentions("Europe", "€"));
        assert_eq!(read("€85 a tonne, €1.9bn"), [(85.0, Some("€"), false), (1.9e9, Some("€"), false)]);
        assert_eq!(read("five times, 9.2 years"), [(5.0, None, false), (9.2, Some("year"), false)]);
    }
}
