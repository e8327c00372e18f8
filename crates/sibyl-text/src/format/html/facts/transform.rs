//! Values from what is shown (Inline XBRL Transformation Registries 1 to 5, XBRL International, and the rules of the SEC).

mod names;

use crate::language::date::{era, month_in_any_language};
use crate::language::number::in_words;

/// Which rule `format` names: without prefix and signs, so that all editions of a registry are read alike.
fn rule(format: &str) -> String {
    let name = format.rsplit(':').next().unwrap_or(format);
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The number that is shown as `shown`, times ten to the `scale`; `None` where it is none.
pub(super) fn number(shown: &str, format: &str, scale: i32, negative: bool) -> Option<String> {
    let rule = rule(format);
    let plain = match rule.as_str() {
        "fixedzero" | "zerodash" | "numdash" => "0".to_owned(),
        "numwordsen" => in_words(shown)?.to_string(),
        // Two units, of which the second is a hundredth of the first: `5円25銭`.
        _ if rule.starts_with("numunitdecimal") => units(shown)?,
        // The first registry names both signs: "numdotcomma" groups with full stops.
        _ if rule.contains("commadecimal") || rule.ends_with("comma") => digits(shown, ',')?,
        _ => digits(shown, '.')?,
    };
    let scaled = scaled(&plain, scale)?;
    let zero = scaled.chars().all(|c| matches!(c, '0' | '.'));
    Some(if negative && !zero { format!("-{scaled}") } else { scaled })
}

/// A number with the name of its unit behind the whole part, and another behind two decimal places.
fn units(shown: &str) -> Option<String> {
    let plain = narrow(shown);
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.') || c.is_whitespace();
    let mut parts = plain.split(|c: char| !is_number(c)).map(str::trim).filter(|part| !part.is_empty());
    let whole = digits(parts.next()?, '\0')?;
    let part = parts.next().unwrap_or("0");
    let both = parts.next().is_none() && part.len() <= 2 && part.bytes().all(|b| b.is_ascii_digit());
    both.then(|| format!("{whole}.{part:0>2}"))
}

/// A text with digits and signs of full width in the width of letters.
fn narrow(text: &str) -> String {
    let narrow = |c: char| match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{3000}' => ' ',
        c => c,
    };
    text.chars().map(narrow).collect()
}

/// Digits and `point` of a number, with a decimal point.
fn digits(shown: &str, point: char) -> Option<String> {
    let mut out = String::new();
    for c in narrow(shown).chars() {
        match c {
            '0'..='9' => out.push(c),
            c if c == point && !out.contains('.') => out.push('.'),
            ',' | '.' | '\'' | '\u{2019}' => {}
            c if c.is_whitespace() => {}
            _ => return None,
        }
    }
    out.bytes().any(|b| b.is_ascii_digit()).then_some(out)
}

/// A decimal number times ten to the `scale`, without zeros that say nothing.
fn scaled(plain: &str, scale: i32) -> Option<String> {
    if !(-30..=30).contains(&scale) {
        return None;
    }
    let (whole, part) = plain.split_once('.').unwrap_or((plain, ""));
    let all = format!("{whole}{part}");
    let point = i32::try_from(whole.len()).ok()? + scale;
    let width = i32::try_from(all.len()).ok()?;
    let (whole, part) = match usize::try_from(point) {
        Ok(at) if point >= width => (format!("{all}{}", "0".repeat(at - all.len())), String::new()),
        Ok(at) => (all[..at].to_owned(), all[at..].to_owned()),
        Err(_) => (String::new(), format!("{}{all}", "0".repeat(point.unsigned_abs() as usize))),
    };
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") })
}

/// A stretch of time in words or digits as ISO 8601 writes it: `five years` is `P5Y`.
fn duration(shown: &str, rule: &str) -> Option<String> {
    let unit = |name: &str| {
        let letters =
            [("year", 'Y'), ("quarter", 'Q'), ("month", 'M'), ("week", 'W'), ("day", 'D'), ("hour", 'H')];
        letters.iter().find(|(word, _)| name.starts_with(word)).map(|(_, letter)| *letter)
    };
    let shown_as = |number: String, letter: char| match letter {
        'Q' => number.parse::<u64>().ok().map(|quarters| format!("P{}M", quarters * 3)),
        'H' => Some(format!("PT{number}H")),
        letter => Some(format!("P{number}{letter}")),
    };
    let rest = rule.strip_prefix("dur")?;
    if let Some(letter) = unit(rest) {
        return shown_as(digits(shown, '.')?, letter);
    }
    if !rest.starts_with("words") {
        return None;
    }
    let lower = shown.to_lowercase();
    let (mut out, mut number) = (String::from("P"), Vec::new());
    for word in lower.split([' ', ',', '-']).filter(|word| !word.is_empty()) {
        match unit(word) {
            Some(letter) if letter != 'H' => {
                let one = shown_as(in_words(&std::mem::take(&mut number).join(" "))?.to_string(), letter)?;
                out.push_str(&one[1..]);
            }
            _ => number.push(word),
        }
    }
    (out.len() > 1 && number.is_empty()).then_some(out)
}

/// The value of a text that is shown as `shown`, where `format` names a rule that changes it.
pub(super) fn text(shown: &str, format: &str) -> Option<String> {
    let rule = rule(format);
    let of = match rule.as_str() {
        "fixedtrue" | "booleantrue" => return Some("true".to_owned()),
        "fixedfalse" | "booleanfalse" => return Some("false".to_owned()),
        "fixedempty" | "nocontent" => return Some(String::new()),
        _ if rule.starts_with("dur") => return duration(shown, &rule),
        "boolballotbox" => return Some((shown != "\u{2610}").to_string()),
        _ if rule.starts_with("date") => order(&rule["date".len()..]),
        _ => return names::code(shown, &rule),
    };
    let shown = narrow(shown);
    let apart = |c: char| !c.is_alphanumeric() || matches!(c, '年' | '月' | '日');
    let mut parts = shown.split(apart).filter(|part| !part.is_empty());
    let (mut year, mut month, mut day) = (None, None, None);
    let mut names = of;
    while let Some((found, rest)) = field(names) {
        names = rest;
        let part = parts.next()?;
        match found {
            Field::Year => year = Some(era(part).or_else(|| part.parse().ok().map(century))?),
            Field::Month => month = Some(month_of(part, &rule)?),
            Field::Day => day = Some(number_of(part)?),
        }
    }
    let day = day.filter(|day| (1..=31).contains(day));
    match (year, month, day) {
        (Some(year), Some(month), Some(day)) => Some(format!("{year:04}-{month:02}-{day:02}")),
        (Some(year), Some(month), None) => Some(format!("{year:04}-{month:02}")),
        (None, Some(month), Some(day)) => Some(format!("--{month:02}-{day:02}")),
        _ => None,
    }
}

/// The parts of a date in their order. The first registry names a style, and the habit of a country instead of the order.
fn order(names: &str) -> &str {
    let styled = ["dot", "slash", "long", "short"].iter().find_map(|style| names.strip_prefix(style));
    let names = names.strip_prefix("jpnera").or_else(|| names.strip_prefix("era")).unwrap_or(names);
    match styled {
        Some("eu" | "uk") => "daymonthyear",
        Some("us") => "monthdayyear",
        Some(names) => names,
        None => names,
    }
}

enum Field {
    Year,
    Month,
    Day,
}

/// The part of a date that `names` begins with, and the names after it. What follows them is a language.
fn field(names: &str) -> Option<(Field, &str)> {
    let begins = |name| names.strip_prefix(name);
    begins("year")
        .map(|rest| (Field::Year, rest))
        .or_else(|| begins("monthname").or_else(|| begins("month")).map(|rest| (Field::Month, rest)))
        .or_else(|| begins("day").map(|rest| (Field::Day, rest)))
}

fn century(year: u32) -> u32 {
    if year < 100 { 2000 + year } else { year }
}

fn month_of(part: &str, rule: &str) -> Option<u32> {
    let named = month_in_any_language(&part.to_lowercase(), rule.ends_with("hr"));
    named.or_else(|| part.parse().ok()).filter(|month| (1..=12).contains(month))
}

/// A number with what English puts behind it: `31st`.
fn number_of(part: &str) -> Option<u32> {
    part.trim_end_matches(|c: char| c.is_alphabetic()).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_scale_and_sign_applied() {
        for (shown, format, scale, negative, expected) in [
            ("1,234.5", "ixt:num-dot-decimal", 6, false, Some("1234500000")),
            ("1.234,5", "ixt:numcommadecimal", 0, true, Some("-1234.5")),
            ("1 234", "ixt4:num-comma-decimal", 3, false, Some("1234000")),
            ("1,234.5", "ixt:numcommadot", 3, false, Some("1234500")),
            ("1.234,5", "ixt:numdotcomma", 0, false, Some("1234.5")),
            ("1 234,5", "ixt:numspacecomma", 0, false, Some("1234.5")),
            ("1 234.5", "ixt:numspacedot", 0, false, Some("1234.5")),
            ("12,5", "ixt:numcomma", 0, false, Some("12.5")),
            ("-", "ixt:numdash", 6, false, Some("0")),
            ("12.5", "", -2, false, Some("0.125")),
            ("—", "ixt:fixed-zero", 6, true, Some("0")),
            ("0.00", "ixt:num-dot-decimal", 3, false, Some("0")),
            ("Twenty-five", "ixt-sec:numwordsen", 0, false, Some("25")),
            ("no", "ixt-sec:numwordsen", 0, false, Some("0")),
            ("one hundred and five", "ixt-sec:numwordsen", 0, false, Some("105")),
            ("two thousand three hundred forty-one", "ixt-sec:numwordsen", 0, false, Some("2341")),
            ("5円25銭", "ixt:num-unit-decimal", 0, false, Some("5.25")),
            ("１，２３４", "ixt:num-dot-decimal", 0, false, Some("1234")),
            ("n/a", "", 0, false, None),
            ("5", "", 400, false, None),
        ] {
            assert_eq!(number(shown, format, scale, negative).as_deref(), expected, "{shown} {format}");
        }
    }

    #[test]
    fn dates_and_choices_are_read_by_their_rule() {
        for (shown, format, expected) in [
            ("December 31, 2024", "ixt:date-monthname-day-year-en", Some("2024-12-31")),
            ("31 déc", "ixt:unknown", None),
            ("31.12.2019", "ixt:datedoteu", Some("2019-12-31")),
            ("12/31/19", "ixt:dateslashus", Some("2019-12-31")),
            ("5 April 2012", "ixt:datelonguk", Some("2012-04-05")),
            ("Jun 21, 2017", "ixt:dateshortus", Some("2017-06-21")),
            ("31 December", "ixt:datelongdaymonthuk", Some("--12-31")),
            ("2025 December", "ixt:datelongyearmonth", Some("2025-12")),
            ("31 décembre 2024", "ixt:date-day-monthname-year-fr", Some("2024-12-31")),
            ("31. Dezember 2024", "ixt:date-day-monthname-year-de", Some("2024-12-31")),
            ("den 1 maj 2024", "ixt:date-day-monthname-year-sv", None),
            ("1 maj 2024", "ixt:date-day-monthname-year-sv", Some("2024-05-01")),
            ("3 marraskuuta 2024", "ixt:date-day-monthname-year-fi", Some("2024-11-03")),
            ("3 mars 2024", "ixt:date-day-monthname-year-sv", Some("2024-03-03")),
            ("31 January 2025", "ixt:datedaymonthnameyearen", Some("2025-01-31")),
            ("31.12.2024", "ixt:date-day-month-year", Some("2024-12-31")),
            ("9/28/24", "ixt:date-month-day-year", Some("2024-09-28")),
            ("December 31st", "ixt:date-monthname-day-en", Some("--12-31")),
            ("March 2025", "ixt:date-monthname-year-en", Some("2025-03")),
            ("31 Smarch 2025", "ixt:date-day-monthname-year-en", None),
            ("\u{2612}", "ixt-sec:boolballotbox", Some("true")),
            ("\u{2610}", "ixt-sec:boolballotbox", Some("false")),
            ("Yes", "ixt:fixed-true", Some("true")),
            ("California", "ixt-sec:stateprovnameen", Some("CA")),
            ("Germany", "ixt-sec:countrynameen", Some("DE")),
            ("The Nasdaq Stock Market LLC", "ixt-sec:exchnameen", Some("NASDAQ")),
            ("Large accelerated filer", "ixt-sec:entityfilercategoryen", Some("Large Accelerated Filer")),
            ("five years", "ixt-sec:durwordsen", Some("P5Y")),
            ("two years, three months", "ixt-sec:durwordsen", Some("P2Y3M")),
            ("18", "ixt-sec:durmonth", Some("P18M")),
            ("令和７年６月28日", "ixt:date-jpn-era-year-month-day", Some("2025-06-28")),
            ("2025年6月28日", "ixt:date-year-month-day", Some("2025-06-28")),
            ("31. prosince 2024", "ixt:date-day-monthname-year-cs", Some("2024-12-31")),
            ("3. srpna 2024", "ixt:date-day-monthname-year-cs", Some("2024-08-03")),
            ("30. lipnja 2024.", "ixt:date-day-monthname-year-hr", Some("2024-06-30")),
            ("5. listopada 2024.", "ixt:date-day-monthname-year-hr", Some("2024-10-05")),
            ("5 listopada 2024", "ixt:date-day-monthname-year-pl", Some("2024-11-05")),
        ] {
            assert_eq!(text(shown, format).as_deref(), expected, "{shown} {format}");
        }
    }
}
