//! What a cell of a table is, judged only by its text: a name, a value, a period, a unit, or a sign of the number
//! next to it.

use super::date::{after_era, begins_like_a_month, digit};
use super::status::is_status;
use super::unit;
use std::collections::HashSet;
use std::sync::LazyLock;

/// What a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Empty,
    /// A currency, which may belong to the number on its right.
    Before,
    /// A percent sign or bracket that belongs to the number on its left.
    After,
    /// A number, with its signs, unit and marks.
    Value,
    /// A year by itself: the name of a column, or a value.
    Year,
    /// A date or period that is no bare year.
    Period,
    /// A dash or `n/a` in place of a value.
    Nothing,
    /// A unit by itself.
    Unit,
    /// Two numbers from and to, or a bound: a value, or the name of a class.
    Range,
    /// A reference such as `54(b)`.
    Code,
    Text,
}

/// Maximum number of bytes of a unit or period.
const LONGEST: usize = 240;

type Words = LazyLock<HashSet<&'static str>>;

/// What replaces a missing value.
static NOTHING: Words = LazyLock::new(|| {
    "- – — − ‒ -- n/a na n.a. n.a n/d n.d. nm n.m. n/m … ... .. –% -% —% nil 該当なし － ―"
        .split(' ')
        .collect()
});
/// Words beside a unit that are no unit alone, nor measure or multiply anything.
static BESIDE_UNITS: Words = LazyLock::new(|| {
    "éq éq. eq eq. äq äq. amounts cents d de di except in metric cubic square short nr nr. of per points ratio shares 株式"
        .split(' ')
        .collect()
});
/// Words beside a year in the name of a period.
static PERIOD_WORDS: Words = LazyLock::new(|| {
    "as of at the year years ended ending end months month quarter quarters half first second third \
     fourth period for to until from and in per den am zum bis vom au le la du de des unaudited audited est average twelve \
     six three nine jahr år fy cy hy fiscal financial half-year weeks st nd rd th base prior \
     current previous reporting on q h année exercice ejercicio año adjusted pro forma reported il \
     al bereinigt"
        .split(' ')
        .collect()
});

/// What a row of years or units begins with, which is no name of a row.
static HEADS_OF_NAMES: Words = LazyLock::new(|| {
    "year|years|period|reporting year|reporting period|fiscal year|financial year|fy|jahr|geschäftsjahr|år|année|\
     año|anno|年度|決算年月|会計期間|年|unit|units|einheit|enhet|unité|unidad|単位|单位|單位|date|as of|as at"
        .split('|')
        .collect()
});

impl Kind {
    /// What a cell with this text is.
    pub(crate) fn of_text(text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Self::Empty;
        }
        // No name of a unit or period is as long.
        if text.len() > LONGEST && !text.starts_with(|c: char| is_digit(c) || !c.is_alphanumeric()) {
            return Self::Text;
        }
        let narrow = |c: char| digit(c).and_then(|value| char::from_digit(value, 10)).unwrap_or(c);
        let lower: String = text.to_lowercase().chars().map(narrow).collect();
        if matches!(text, "%" | ")" | ")%" | "%)" | "pp" | "‰" | "）") {
            return Self::After;
        }
        if unit::is_currency(&lower) {
            return Self::Before;
        }
        if NOTHING.contains(lower.as_str()) {
            return Self::Nothing;
        }
        if !text.chars().any(is_digit) {
            return if is_unit(&lower) { Self::Unit } else { Self::Text };
        }
        let plain = without_mark(&lower);
        if is_code(plain) {
            return Self::Code;
        }
        period(plain)
            .or_else(|| number(plain))
            .unwrap_or_else(|| if is_unit(&lower) { Self::Unit } else { Self::Text })
    }

    /// Whether a cell of this kind with the words `text` stands at the beginning of a row of years or units.
    pub(crate) fn heads_names(self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let words = lower.trim_matches(|c: char| !c.is_alphanumeric());
        matches!(self, Self::Unit | Self::Before | Self::Year | Self::Period)
            || HEADS_OF_NAMES.contains(words)
            || is_unit(&lower)
    }

    /// Whether it is a number or replaces one.
    pub(crate) const fn is_figure(self) -> bool {
        matches!(self, Self::Value | Self::Range | Self::Nothing)
    }
}

const fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '０'..='９')
}

/// Whether all words of `lower` are units or speak of them, as in `in EUR million` or `(t CO2e)`.
pub(crate) fn is_unit(lower: &str) -> bool {
    let words = lower.split([' ', '/', '(', ')', '[', ']', ',', '*', '·', '\n', '\u{a0}', '\'', '’', ':']);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.iter().any(|word| unit::stands_alone(word)) && words.iter().all(|word| is_of_a_unit(word))
}

/// Whether `word`, in lower case, is a unit or belongs to one beside it.
fn is_of_a_unit(word: &str) -> bool {
    unit::stands_alone(word) || unit::stands_beside(word) || BESIDE_UNITS.contains(word)
}

/// `text` without the note marker after it: `2024*`, `2024 (1)`, `5.1¹`, `7[a]`.
pub(crate) fn without_mark(text: &str) -> &str {
    let superscript = |c: char| matches!(c, '⁰' | '¹' | '²' | '³' | '⁴'..='⁹');
    let mut text = text;
    loop {
        let before = text;
        text = text.trim_end().trim_end_matches(['*', '†', '‡', '#']);
        if !text.ends_with("m²") && !text.ends_with("m³") {
            text = text.trim_end_matches([',', ' ']).trim_end_matches(superscript);
        }
        for (open, close) in [('(', ')'), ('[', ']')] {
            if let Some((rest, mark)) = text.strip_suffix(close).and_then(|inner| inner.rsplit_once(open)) {
                let digits = mark.chars().all(|c| c.is_ascii_digit());
                let short = mark.len() <= 2 && !mark.is_empty() && (digits || mark.len() == 1);
                // A code such as `54(b)` is no number with a note marker: a marker is set apart, or is in square
                // brackets.
                let apart = open == '[' || rest.ends_with([' ', '\u{a0}']) || year(rest).is_some();
                if short && apart && !rest.trim().is_empty() {
                    text = rest;
                }
            }
        }
        if text == before {
            return text;
        }
    }
}

/// `54(b)`, `29(a)(ii)`: the number of a paragraph.
fn is_code(text: &str) -> bool {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &text[digits..];
    let inner = |c: char| c.is_ascii_lowercase() || matches!(c, '(' | ')');
    (1..=3).contains(&digits) && rest.starts_with('(') && rest.ends_with(')') && rest.chars().all(inner)
}

/// The year that a text is.
fn year(text: &str) -> Option<u16> {
    let text = text.trim();
    (text.len() == 4).then(|| text.parse::<u16>().ok())?.filter(|year| (1900..=2100).contains(year))
}

/// A year, or another period: all words belong to dates, and one of them is a year, half-year or quarter.
fn period(lower: &str) -> Option<Kind> {
    if year(lower).is_some() {
        return Some(Kind::Year);
    }
    if lower.chars().count() > 80 {
        return None;
    }
    // What stands in brackets behind a year says something of it, whatever that is.
    let remark = lower.strip_suffix(')').and_then(|inner| inner.split_once('('));
    if remark
        .is_some_and(|(before, remark)| year(before).is_some() && remark.starts_with(char::is_alphabetic))
    {
        return Some(Kind::Period);
    }
    let cjk = |c: char| "年月日度期第四半末間当前同連結会計事業".contains(c);
    let mut rest = String::with_capacity(lower.len());
    rest.extend(lower.chars().map(|c| if cjk(c) { ' ' } else { c }));
    let divided = |c: char| !(c.is_alphanumeric() || c == '-') || c == '\n';
    let (mut years, mut words, mut months) = (0, 0, 0);
    let mut before = "";
    for word in rest.split(divided).flat_map(|word| word.split(['-'])).filter(|word| !word.is_empty()) {
        words += 1;
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, suffix) = word.split_at(digits);
        let fiscal = matches!(std::mem::replace(&mut before, word), "fy" | "cy");
        if (year(number).is_some() && suffix.len() <= 2)
            || is_fiscal(word)
            || (fiscal && digits == 2 && suffix.is_empty())
        {
            years += 1;
        } else if (1..=2).contains(&digits) && matches!(suffix, "" | "st" | "nd" | "rd" | "th" | "er") {
            // The day, the month, or the second year of two.
        } else if begins_like_a_month(word) && digits == 0 {
            months += 1;
        } else if !(PERIOD_WORDS.contains(word) || is_status(word) || is_of_a_unit(word)) {
            return None;
        }
    }
    let thousands = lower.contains(['%', '$', '€', '£']);
    let dated = years > 0 || (months > 0 && words <= 3);
    (dated && !thousands).then_some(Kind::Period)
}

/// `fy23`, `fy2023`, `1h24`, `h1`, `q3`, `4q24`, `9m`, `令和6`.
fn is_fiscal(word: &str) -> bool {
    let year = |rest: &str| matches!(rest.len(), 2 | 4) && rest.bytes().all(|b| b.is_ascii_digit());
    if let Some((_, rest)) = after_era(word) {
        return year(rest) || rest.len() <= 2;
    }
    if let Some(rest) = ["fy", "cy", "hy", "ay"].iter().find_map(|name| word.strip_prefix(name)) {
        return year(rest);
    }
    let bytes = word.as_bytes();
    let part = match bytes {
        [b'1'..=b'4', b'h' | b'q', ..] | [b'h' | b'q', b'1'..=b'4', ..] | [b'3' | b'6' | b'9', b'm', ..] => {
            &word[2..]
        }
        [b'1', b'2', b'm', ..] => &word[3..],
        _ => return false,
    };
    let plain = part.trim_start_matches(['a', 'e']);
    plain.is_empty() || year(plain.trim_end_matches(['a', 'e', 'f', 'p']))
}

/// A value or a range, if `lower` begins as a number and little but a unit follows.
fn number(lower: &str) -> Option<Kind> {
    let bound = ["<", ">", "≤", "≥", "up to ", "over ", "under ", "less than ", "more than ", "within "];
    let (bounded, text) = bound
        .iter()
        .find_map(|sign| lower.strip_prefix(sign))
        .map_or((false, lower), |rest| (true, rest.trim_start_matches('=').trim_start()));
    let mut rest = text;
    loop {
        let before = rest;
        rest = rest.trim_start_matches([
            '(', '[', '+', '-', '–', '—', '−', '~', '≈', '±', ' ', '\u{a0}', '▲', '△', '－', '（', '\'',
        ]);
        rest = unit::after_currency(rest).unwrap_or(rest);
        if rest == before {
            break;
        }
    }
    let rest = digits(rest)?;
    let rest = rest.trim_start();
    if let Some(second) =
        ["-", "–", "—", "to ", "bis ", "~", "～"].iter().find_map(|sign| rest.strip_prefix(sign))
        && let Some(unit) = digits(second.trim_start())
        && is_tail(unit)
    {
        return Some(Kind::Range);
    }
    if !is_tail(rest) {
        return None;
    }
    Some(if bounded { Kind::Range } else { Kind::Value })
}

/// What follows the number that `text` begins with.
fn digits(text: &str) -> Option<&str> {
    let text = text.strip_prefix('.').unwrap_or(text);
    if !text.starts_with(is_digit) {
        return None;
    }
    let mut end = 0;
    let mut signs = text.char_indices().peekable();
    while let Some((at, c)) = signs.next() {
        let inside = matches!(
            c,
            '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '，' | '．' | '/'
        );
        if is_digit(c) {
            end = at + c.len_utf8();
        } else if !(inside && signs.peek().is_some_and(|(_, next)| is_digit(*next))) {
            break;
        }
    }
    Some(&text[end..])
}

/// Whether only signs and a unit follow a number.
fn is_tail(rest: &str) -> bool {
    let letters = rest.chars().filter(|c| c.is_alphabetic()).count();
    let words = rest.split_whitespace().count();
    let bare = rest.trim_matches(|c: char| !c.is_alphanumeric() && c != '%');
    let beside = bare.split_whitespace().all(is_of_a_unit);
    // Another number is none of a unit: `1 of 3`, `31. prosince 2024`.
    let counts = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let more = !rest.starts_with('/') && rest.split_whitespace().any(counts);
    // A unit, or a figure in words such as `5円25銭` and `5.4 years`: writing without blanks says more in fewer letters.
    let wide = rest.chars().filter(|c| *c >= '\u{2E80}' && c.is_alphabetic()).count();
    let short = letters <= 12 && wide <= 4 && words <= 3 && !rest.contains([':', '?']);
    (short && !more) || is_unit(bare) || beside
}

#[cfg(test)]
mod tests {
    use super::Kind::{self, *};

    #[test]
    fn what_a_cell_is_shows_in_its_text() {
        for (kind, texts) in [
            (Year, &["2024", "2024*", "2024 (1)", "2024¹", "2024[1]", "1998"][..]),
            (
                Period,
                &[
                    "31.12.2024",
                    "1H 2024",
                    "H1 2024",
                    "FY23",
                    "FY 23",
                    "FY2023",
                    "2025E",
                    "2024A",
                    "2024 kt",
                    "Q3 2024",
                    "30 Jun 2024",
                    "December 31, 2024",
                    "2023/24",
                    "2019–2024",
                    "2024 to 2023",
                    "January–June 2024",
                    "Year ended 31 December 2024",
                    "2024年度",
                    "2024-12-31",
                    "12 months ended 31 March 2025",
                    "4Q24",
                    "30 June",
                    "2022 (own unit)",
                ],
            ),
            (
                Value,
                &[
                    "1,204",
                    "$7,107",
                    "(3)%",
                    "-44",
                    "5.4 years",
                    "1.2 kt",
                    "35.8%",
                    "12 553",
                    "5円25銭",
                    "１，２３４",
                    "1,200 (1)",
                    "7¹",
                    "(803.1)",
                    "US$ 5 million",
                    "0",
                    "50,000 t CO2e",
                    "78 / 100",
                ],
            ),
            (Range, &["1-5 years", "< 1 year", "18-25", "3–5", "> 5 years"]),
            (Nothing, &["–", "n/a", "N/A", "—"]),
            (Unit, &["kt", "t CO2e", "in EUR million", "MWh", "(m³)", "million tonnes"]),
            (Code, &["54(b)", "29(a)(ii)"]),
            (Before, &["$", "EUR", "US$"]),
            (After, &["%", ")"]),
            (
                Text,
                &[
                    "Scope 1",
                    "Revenue",
                    "1) Without ships, which are chartered by others.",
                    "Note 7 to the accounts",
                    "1 of 3",
                    "31. prosince 2024",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(Kind::of_text(text), kind, "{text}");
            }
        }
    }
}
