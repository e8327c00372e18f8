//! Values from what is shown (Inline XBRL Transformation Registries 1 to 5, XBRL International, and the rules of the SEC).

/// Names of numbers below twenty, then of tens from twenty on.
const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/// How the names of the months begin in the languages of the registries that most reports are filed in. November stands
/// first: its Finnish name begins like March.
const MONTHS: [(u32, &[&str]); 12] = [
    (11, &["nov", "marras", "lis"]),
    (1, &["jan", "ene", "gen", "ian", "tammi", "sty"]),
    (2, &["feb", "fév", "fev", "helmi", "lut"]),
    (3, &["mar", "mär", "mrt", "maa"]),
    (4, &["apr", "avr", "abr", "huhti", "kwi"]),
    (5, &["may", "maj", "mai", "mei", "mag", "touko"]),
    (6, &["jun", "juin", "giu", "iun", "kesä", "cze"]),
    (7, &["jul", "juil", "lug", "iul", "heinä", "lip"]),
    (8, &["aug", "aoû", "aou", "ago", "elo", "sie"]),
    (9, &["sep", "set", "syys", "wrz"]),
    (10, &["oct", "okt", "ott", "out", "loka", "paź"]),
    (12, &["dec", "déc", "dez", "dic", "des", "joulu", "gru"]),
];

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
        // The first registry names both signs: "numdotcomma" groups with full stops.
        _ if rule.contains("commadecimal") || rule.ends_with("comma") => digits(shown, ',')?,
        _ => digits(shown, '.')?,
    };
    let scaled = scaled(&plain, scale)?;
    let zero = scaled.chars().all(|c| matches!(c, '0' | '.'));
    Some(if negative && !zero { format!("-{scaled}") } else { scaled })
}

/// Digits and `point` of a number, with a decimal point.
fn digits(shown: &str, point: char) -> Option<String> {
    let mut out = String::new();
    for c in shown.chars() {
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

fn in_words(shown: &str) -> Option<usize> {
    let lower = shown.trim().to_lowercase();
    if matches!(lower.as_str(), "no" | "none" | "nil" | "-" | "—") {
        return Some(0);
    }
    if let Ok(number) = lower.parse() {
        return Some(number);
    }
    let words: Vec<&str> = lower.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let below_twenty = |word: &str| SMALL.iter().position(|name| *name == word);
    let tens = |word: &str| TENS.iter().position(|name| *name == word).map(|at| (at + 2) * 10);
    match words.as_slice() {
        [word] => below_twenty(word).or_else(|| tens(word)),
        [hundreds, "hundred"] => Some(below_twenty(hundreds)? * 100),
        [ten, one] => Some(tens(ten)? + below_twenty(one).filter(|one| (1..10).contains(one))?),
        _ => None,
    }
}

/// The value of a text that is shown as `shown`, where `format` names a rule that changes it.
pub(super) fn text(shown: &str, format: &str) -> Option<String> {
    let rule = rule(format);
    let of = match rule.as_str() {
        "fixedtrue" | "booleantrue" => return Some("true".to_owned()),
        "fixedfalse" | "booleanfalse" => return Some("false".to_owned()),
        "fixedempty" | "nocontent" => return Some(String::new()),
        "boolballotbox" => return Some((shown != "\u{2610}").to_string()),
        _ if rule.starts_with("date") => order(&rule["date".len()..]),
        _ => return None,
    };
    let mut parts = shown.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    let (mut year, mut month, mut day) = (None, None, None);
    let mut names = of;
    while let Some((found, rest)) = field(names) {
        names = rest;
        let part = parts.next()?;
        match found {
            Field::Year => year = Some(century(part.parse().ok()?)),
            Field::Month => month = Some(month_of(part)?),
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

fn month_of(part: &str) -> Option<u32> {
    let lower = part.to_lowercase();
    let named = MONTHS.iter().find(|(_, names)| names.iter().any(|name| lower.starts_with(name)));
    let month = named.map(|(month, _)| *month).or_else(|| part.parse().ok())?;
    (1..=12).contains(&month).then_some(month)
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
        ] {
            assert_eq!(text(shown, format).as_deref(), expected, "{shown} {format}");
        }
    }
}
