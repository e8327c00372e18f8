//! Years and parts of years, as reports and questions name them.

use super::date::years_of_eras;
use std::ops::Range;

/// A stretch of time that a figure is about or a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Period {
    /// First byte of its name.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// The year it ends in.
    pub year: u16,
    /// The part of that year, if it is not the whole.
    pub part: Option<Part>,
}

/// A part of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// A half, 1 or 2.
    Half(u8),
    /// A quarter, 1 to 4.
    Quarter(u8),
    /// The first months of it, such as 9.
    Months(u8),
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Half(n) => write!(f, "H{n}"),
            Self::Quarter(n) => write!(f, "Q{n}"),
            Self::Months(n) => write!(f, "{n}M"),
        }
    }
}

/// The periods that `text` names, in order: a year, `FY23`, `2023/24`, `H1 2024`, `Q3 2024`. A range of years gives its two ends.
pub fn periods(text: &str) -> Vec<Period> {
    let bytes = text.as_bytes();
    let mut found: Vec<Period> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let end = at + bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let digits = &text[at..end];
        let before = tail(&text[..at]);
        let fiscal = fiscal(before).map(|named| at - before.len() + named);
        let year = match digits.len() {
            4 if is_bare(text, at, end) => digits.parse().ok().filter(|year| (1950..=2100).contains(year)),
            2 if fiscal.is_some() || quoted(before) || is_of_part(before, &text[end..]) => {
                digits.parse::<u16>().ok().map(|year| 2000 + year)
            }
            _ => None,
        };
        if let Some(year) = year {
            let start = fiscal.unwrap_or(at);
            let (mut year, mut last) = (year, end);
            // `2023/24` and `2023-24` are one year that ends in the second.
            if let Some(next) = second(&text[end..], year) {
                (year, last) = (year + 1, end + next);
            }
            let part = part_before(tail(&text[..start])).or_else(|| part_after(head(&text[last..])));
            found.push(Period { start, end: last, year, part });
            at = last;
            if let Some((year, digits)) = shortened(&text[last..], year) {
                found.push(Period { start: last + digits.start, end: last + digits.end, year, part: None });
                at = last + digits.end;
            }
            continue;
        }
        at = end;
    }
    let eras = years_of_eras(text).into_iter();
    found.extend(eras.map(|(place, year)| Period { start: place.start, end: place.end, year, part: None }));
    found.sort_by_key(|period| period.start);
    found
}

/// Number of bytes around a year that may belong to it. The limit keeps reading linear in the length of the text.
const NEAR: usize = 64;

/// The end of `text`, as far as it may belong to a year after it.
fn tail(text: &str) -> &str {
    let from = text.len().saturating_sub(NEAR);
    &text[text.ceil_char_boundary(from)..]
}

/// The beginning of `text`, as far as it may belong to a year before it.
fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(NEAR)]
}

/// Where `text` names a range of years by its two ends, as [`periods`] returns them: `2024–2027`, `FY24 to FY27`,
/// `between 2024 and 2027`. What is said about a range is not said about any one of its years.
pub fn ranges(text: &str) -> Vec<Range<usize>> {
    let all = periods(text);
    let range = |pair: &[Period]| {
        let [from, to] = pair else { return None };
        let between = head(&text[from.end..to.start]).trim().to_lowercase();
        let begun = tail(&text[..from.start]).trim_end().to_lowercase();
        let joined = RANGE_SIGNS.contains(&between.as_str())
            || BETWEEN.iter().any(|(word, and)| begun.ends_with(word) && between == *and);
        let years = from.year < to.year && from.part.is_none() && to.part.is_none();
        (joined && years).then_some(from.start..to.end)
    };
    all.windows(2).filter_map(range).collect()
}

/// The text between the two ends of a range.
const RANGE_SIGNS: [&str; 12] =
    ["-", "–", "—", "−", "~", "～", "to", "through", "until", "bis", "till", "t.o.m."];
/// The same with a word before the first end.
const BETWEEN: [(&str, &str); 3] = [("between", "and"), ("zwischen", "und"), ("mellan", "och")];

/// Maximum number of years of a range whose second end is written with two digits.
const LONGEST: u16 = 50;

/// The second end of a range after its first, `year`, and where its two digits are: `–27` after `2024`.
fn shortened(after: &str, year: u16) -> Option<(u16, Range<usize>)> {
    let sign = after.chars().next().filter(|c| matches!(c, '-' | '–'))?;
    let from = sign.len_utf8();
    let digits = after.get(from..from + 2).filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))?;
    let written: u16 = digits.parse().ok()?;
    let goes_on =
        after[from + 2..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '/' | '%'));
    // After a hyphen, numbers up to 12 are months.
    let month = sign == '-' && written <= 12;
    let second = year / 100 * 100 + written;
    (!goes_on && !month && (year + 2..=year + LONGEST).contains(&second)).then_some((second, from..from + 2))
}

/// Whether four digits are a year and no part of a number, a code or a date written in digits.
fn is_bare(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back();
    let mut after = text[end..].chars();
    let (next, later) = (after.next(), after.next());
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let glued =
        |c: char| c.is_ascii_alphabetic() && !matches!(c, 'E' | 'e' | 'A' | 'a' | 'F' | 'P' | 'Y' | 'y');
    let continues = before.is_some_and(|c| glued(c) || matches!(c, ',' | '$' | '€' | '£'));
    let goes_on = next.is_some_and(|c| glued(c) && c.is_ascii_lowercase());
    let fraction = matches!(next, Some(',' | '.')) && digit(later);
    !(continues || goes_on || fraction)
}

/// First byte of `FY`, `CY` or `fiscal` at the end of `before`.
fn fiscal(before: &str) -> Option<usize> {
    let trimmed = before.trim_end_matches([' ', '\u{a0}', '\'', '’']);
    let lower = trimmed.to_ascii_lowercase();
    ["fy", "cy", "fiscal year", "fiscal", "financial year"].iter().find_map(|name| {
        let at = lower.strip_suffix(name)?.len();
        let word = before[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        word.then_some(at)
    })
}

/// Whether an apostrophe stands for the century: `’23`.
fn quoted(before: &str) -> bool {
    let mut signs = before.chars().rev();
    matches!(signs.next(), Some('\'' | '’')) && signs.next().is_none_or(|c| c.is_whitespace() || c == '(')
}

/// Whether two digits are the year of the part of one before them: `Q1 24`. In a sentence they would be a number.
fn is_of_part(before: &str, after: &str) -> bool {
    let word = before.strip_suffix([' ', '\u{a0}', '-', '/']).unwrap_or_default();
    let named = part_named(&word.rsplit([' ', '(', '\n', '|']).next().unwrap_or_default().to_lowercase());
    let ends = after.trim_start_matches('*').trim_start();
    named.is_some() && (ends.is_empty() || ends.starts_with(['|', '\n', ')', ',', '/', '<']))
}

/// Length in bytes of `/24`, `-24` or `–24` after `year`, if it is the next one.
fn second(after: &str, year: u16) -> Option<usize> {
    let sign = after.chars().next().filter(|c| matches!(c, '/' | '-' | '–'))?.len_utf8();
    let digits = after[sign..].bytes().take_while(u8::is_ascii_digit).count();
    let written: u16 = after[sign..sign + digits].parse().ok()?;
    let next = year + 1;
    // `2011-12-31` is a date.
    if after[sign + digits..]
        .strip_prefix('-')
        .is_some_and(|day| day.starts_with(|c: char| c.is_ascii_digit()))
    {
        return None;
    }
    (digits == 2 && written == next % 100 || digits == 4 && written == next && after.starts_with('/'))
        .then_some(sign + digits)
}

fn part_before(before: &str) -> Option<Part> {
    let trimmed = before.trim_end_matches([' ', '\u{a0}', '-', ',', '/']);
    let lower = trimmed.to_lowercase();
    let lower = ["of", "of the year", "of fiscal", "in"]
        .iter()
        .find_map(|word| lower.strip_suffix(word))
        .map_or(lower.as_str(), str::trim_end);
    part_named(lower.rsplit([' ', '(', '\n', '|']).next().unwrap_or_default()).or_else(|| {
        let named = [
            ("first half", Part::Half(1)),
            ("second half", Part::Half(2)),
            ("half-year", Part::Half(1)),
            ("half year", Part::Half(1)),
            ("first quarter", Part::Quarter(1)),
            ("second quarter", Part::Quarter(2)),
            ("third quarter", Part::Quarter(3)),
            ("fourth quarter", Part::Quarter(4)),
            ("january-june", Part::Half(1)),
            ("january–june", Part::Half(1)),
            ("nine months", Part::Months(9)),
            ("six months", Part::Half(1)),
        ];
        named.iter().find(|(name, _)| lower.ends_with(name)).map(|(_, part)| *part)
    })
}

fn part_after(after: &str) -> Option<Part> {
    let lower = after.trim_start_matches([' ', '-', '\u{a0}']).to_lowercase();
    let word = lower.split([' ', ')', '\n', '|', ',', '.']).next().unwrap_or_default();
    part_named(word)
}

/// `h1`, `1h`, `q3`, `3q`, `9m`.
fn part_named(word: &str) -> Option<Part> {
    match word.as_bytes() {
        [b'h', n @ b'1'..=b'2'] | [n @ b'1'..=b'2', b'h'] => Some(Part::Half(n - b'0')),
        [b'q', n @ b'1'..=b'4'] | [n @ b'1'..=b'4', b'q'] => Some(Part::Quarter(n - b'0')),
        [n @ (b'3' | b'6' | b'9'), b'm'] => Some(Part::Months(n - b'0')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(u16, Option<Part>)> {
        periods(text).into_iter().map(|period| (period.year, period.part)).collect()
    }

    #[test]
    fn years_and_their_parts_are_read() {
        assert_eq!(read("Output in 2022?"), [(2022, None)]);
        assert_eq!(read("FY23 and FY2024"), [(2023, None), (2024, None)]);
        assert_eq!(read("2023/24"), [(2024, None)]);
        assert_eq!(read("from 2019–2024"), [(2019, None), (2024, None)]);
        assert_eq!(
            read("H1 2024 against 1H 2023"),
            [(2024, Some(Part::Half(1))), (2023, Some(Part::Half(1)))]
        );
        assert_eq!(read("the third quarter of 2021"), [(2021, Some(Part::Quarter(3)))]);
        assert_eq!(read("Year ended 31 December 2024"), [(2024, None)]);
        assert_eq!(read("scope 1 ’23"), [(2023, None)]);
        assert_eq!(read("令和６年３月, 令和元年, 民國111年度"), [(2024, None), (2019, None), (2022, None)]);
    }

    #[test]
    fn ranges_of_years_are_told_from_years() {
        fn named(text: &str) -> Vec<&str> {
            ranges(text).into_iter().map(|range| &text[range]).collect()
        }
        assert_eq!(read("2024–27"), [(2024, None), (2027, None)]);
        assert_eq!(read("2011-12-31 and 2005-12"), [(2011, None), (2005, None)]);
        for text in ["2024–2027", "2024-27", "FY24 to FY27", "2024 through 2027", "FY2024–27"] {
            assert_eq!(named(text), [text]);
        }
        assert_eq!(named("Change between 2019 and 2024"), ["2019 and 2024"]);
        for text in ["2024/25", "2024-25", "2024 and 2027", "2024 to 2023", "2024", "H1 2023 to H1 2024"] {
            assert!(named(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_belongs_to_a_year_is_read_far_into_a_text() {
        let far = format!("{} in the first half of 2023, ärende FY24 to FY27", "ordö ".repeat(99));
        assert_eq!(read(&far), [(2023, Some(Part::Half(1))), (2024, None), (2027, None)]);
        assert_eq!(ranges(&far).into_iter().map(|range| &far[range]).collect::<Vec<_>>(), ["FY24 to FY27"]);
    }

    #[test]
    fn numbers_and_codes_are_no_years() {
        assert_eq!(read("2,023 t, $2023, 2024.5 kt, ISO14064, 20245"), []);
    }
}
