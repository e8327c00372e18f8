//! Numbers as they are printed: separators by the habit of their text, signs, brackets and marks of notes.

/// Which sign divides the whole part of a number from its fraction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Decimal {
    /// `1,234.5`.
    #[default]
    Point,
    /// `1.234,5`.
    Comma,
}

/// A number that a text begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed<'a> {
    /// Its value, negative if a minus sign precedes it or brackets enclose it.
    pub value: f64,
    /// It with its sign and brackets, without currency and unit.
    pub text: &'a str,
    /// What precedes it, such as a currency.
    pub before: &'a str,
    /// What follows it, such as a unit or the mark of a note.
    pub after: &'a str,
}

const SIGNS: [char; 5] = ['-', '−', '–', '‒', '－'];
const APART: [char; 6] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '’'];

impl Decimal {
    /// The number format that most numbers of `texts` show. Numbers that mean the same or nothing in both formats
    /// do not count.
    pub fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let (mut points, mut commas) = (0, 0);
        for text in texts {
            match shown(text) {
                Some(Self::Point) => points += 1,
                Some(Self::Comma) => commas += 1,
                None => {}
            }
        }
        if commas > points { Self::Comma } else { Self::Point }
    }
}

/// The number format that one number shows. Of two different signs the last divides the fraction; a sign that
/// occurs twice divides thousands. A sign without three digits after it, or with `0` before it, divides the
/// fraction.
fn shown(text: &str) -> Option<Decimal> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let number = &text[start..start + length(&text[start..])];
    let places: Vec<(usize, char)> = number.char_indices().filter(|(_, c)| matches!(c, '.' | ',')).collect();
    let (at, last) = *places.last()?;
    let as_fraction = |sign| if sign == ',' { Decimal::Comma } else { Decimal::Point };
    let as_thousands = |sign| if sign == ',' { Decimal::Point } else { Decimal::Comma };
    if places.iter().any(|(_, sign)| *sign != last) {
        return Some(as_fraction(last));
    }
    if places.len() > 1 {
        // The parts of a date are no thousands.
        let whole = number.split(last).skip(1).all(|group| group.len() == 3);
        return whole.then(|| as_thousands(last));
    }
    let behind = number.len() - at - 1;
    if behind != 3 || number[..at].starts_with('0') || at > 3 {
        return Some(as_fraction(last));
    }
    None
}

/// Bytes of the digits and separators that `text` begins with.
fn length(text: &str) -> usize {
    let mut end = 0;
    let mut signs = text.char_indices().peekable();
    while let Some((at, c)) = signs.next() {
        if c.is_ascii_digit() {
            end = at + 1;
        } else if matches!(c, '.' | ',') {
            if !signs.peek().is_some_and(|(_, next)| next.is_ascii_digit()) {
                break;
            }
        } else if APART.contains(&c) {
            // Only whole groups of three belong to the number before them.
            let group = text[at + c.len_utf8()..].bytes().take_while(u8::is_ascii_digit).count();
            if group != 3 {
                break;
            }
        } else {
            break;
        }
    }
    end
}

/// The first number in `text`, if only a currency and signs precede it.
pub fn read(text: &str, decimal: Decimal) -> Option<Printed<'_>> {
    let digit = text.find(|c: char| c.is_ascii_digit())?;
    let lead = &text[..digit];
    if lead.chars().filter(|c| c.is_alphabetic()).count() > 3 || lead.ends_with(char::is_alphabetic) {
        return None;
    }
    let mantissa = length(&text[digit..]);
    let (power, exponent) = power_of_ten(&text[digit + mantissa..]);
    let value = value(&text[digit..digit + mantissa], decimal, power)?;
    let length = mantissa + exponent;
    let opened = lead.rfind('(').filter(|at| lead[at + 1..].chars().all(|c| !c.is_alphanumeric()));
    let closed = opened.and_then(|_| {
        let rest = &text[digit + length..];
        let bracket = rest.find(')')?;
        rest[..bracket].chars().all(|c| c == '%' || c.is_whitespace()).then_some(digit + length + bracket + 1)
    });
    let minus = lead.char_indices().rev().find(|(_, c)| SIGNS.contains(c)).map(|(at, _)| at);
    let (start, end) = match (opened.zip(closed), minus) {
        (Some((open, close)), _) => (open, close),
        (None, Some(minus)) => (minus, digit + length),
        (None, None) => (digit, digit + length),
    };
    let negative = opened.zip(closed).is_some() || minus.is_some();
    Some(Printed {
        value: if negative { -value } else { value },
        text: &text[start..end],
        before: text[..start].trim(),
        after: text[end..].trim(),
    })
}

/// The power of ten that `after` begins with, and its bytes: `E-03`, `e+2`, `E05`. A letter and one digit alone may be a mark.
fn power_of_ten(after: &str) -> (i32, usize) {
    let Some(rest) = after.strip_prefix(['E', 'e']) else { return (0, 0) };
    let sign = rest.chars().next().filter(|c| *c == '+' || SIGNS.contains(c));
    let signed = sign.map_or(0, char::len_utf8);
    let digits = rest[signed..].bytes().take_while(u8::is_ascii_digit).count();
    let goes_on = rest[signed + digits..].starts_with(char::is_alphanumeric);
    let power = rest[signed..signed + digits].parse::<i32>().ok().filter(|power| *power < 100);
    match power.filter(|_| !goes_on && (signed > 0 || digits == 2)) {
        Some(power) if sign.is_some_and(|sign| sign != '+') => (-power, 1 + signed + digits),
        Some(power) => (power, 1 + signed + digits),
        None => (0, 0),
    }
}

fn value(digits: &str, decimal: Decimal, power: i32) -> Option<f64> {
    let decimal = shown(digits).unwrap_or(decimal);
    let (thousands, fraction) = match decimal {
        Decimal::Point => (',', '.'),
        Decimal::Comma => ('.', ','),
    };
    let plain: String = digits
        .chars()
        .filter(|c| *c != thousands && !APART.contains(c))
        .map(|c| if c == fraction { '.' } else { c })
        .collect();
    format!("{plain}e{power}").parse().ok()
}

/// Names of numbers below twenty, then of tens from twenty on.
const SMALL: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
    sixteen seventeen eighteen nineteen";
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";

fn place(names: &str, word: &str) -> Option<usize> {
    names.split(' ').position(|name| name == word)
}

/// The number from 0 to 19 that `word`, in lower case, is in English.
pub fn small(word: &str) -> Option<usize> {
    place(SMALL, word)
}

/// The whole number that `text` says in English words or in digits: `two thousand three hundred forty-one`, `no`.
pub fn in_words(text: &str) -> Option<u64> {
    let lower = text.trim().to_lowercase();
    if matches!(lower.as_str(), "no" | "none" | "nil" | "-" | "—") {
        return Some(0);
    }
    if let Ok(number) = lower.replace(',', "").parse() {
        return Some(number);
    }
    // What was said so far in full thousands, and below them.
    let (mut full, mut open, mut said) = (0_u64, 0_u64, false);
    for word in lower.split([' ', '-', ',']).filter(|word| !matches!(*word, "" | "and" | "a")) {
        said = true;
        let ten = || place(TENS, word).map(|ten| (ten + 2) * 10);
        if let Some(number) = small(word).or_else(ten) {
            open += u64::try_from(number).ok()?;
        } else {
            match word {
                "hundred" => open = open.max(1) * 100,
                "thousand" => (full, open) = (full.checked_add(open.max(1) * 1_000)?, 0),
                "million" => (full, open) = (full.checked_add(open.max(1))?.checked_mul(1_000_000)?, 0),
                "billion" => (full, open) = (full.checked_add(open.max(1))?.checked_mul(1_000_000_000)?, 0),
                _ => return None,
            }
        }
        if open >= 1_000 {
            return None;
        }
    }
    full.checked_add(open).filter(|_| said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_numbers_have_their_value() {
        for (text, decimal, value, printed) in [
            ("139,868", Decimal::Point, 139_868.0, "139,868"),
            ("(803.1)", Decimal::Point, -803.1, "(803.1)"),
            ("US$ 5.2 million", Decimal::Point, 5.2, "5.2"),
            ("−44 %", Decimal::Point, -44.0, "−44"),
            ("12 553 t", Decimal::Comma, 12_553.0, "12 553"),
            ("1.234", Decimal::Comma, 1_234.0, "1.234"),
            ("1.234,5", Decimal::Point, 1_234.5, "1.234,5"),
            ("0,725", Decimal::Point, 0.725, "0,725"),
            ("7¹", Decimal::Point, 7.0, "7"),
            ("(3)%", Decimal::Point, -3.0, "(3)"),
            ("2 30", Decimal::Point, 2.0, "2"),
            ("-2,5E-01", Decimal::Comma, -0.25, "-2,5E-01"),
            ("4.76E+01 MJ", Decimal::Point, 47.6, "4.76E+01"),
            ("3E05", Decimal::Point, 300_000.0, "3E05"),
            ("7E", Decimal::Point, 7.0, "7"),
            ("5 EUR", Decimal::Point, 5.0, "5"),
        ] {
            let read = read(text, decimal).unwrap();
            assert_eq!((read.value, read.text), (value, printed), "{text}");
        }
        assert_eq!(read("Scope 1", Decimal::Point), None);
        assert_eq!(read("none", Decimal::Point), None);
    }

    #[test]
    fn numbers_in_words_are_read() {
        for (text, number) in [
            ("Twenty-five", Some(25)),
            ("no", Some(0)),
            ("two thousand three hundred forty-one", Some(2_341)),
            ("1,204", Some(1_204)),
            ("five times", None),
        ] {
            assert_eq!(in_words(text), number, "{text}");
        }
        assert_eq!((small("nineteen"), small("twenty"), small("")), (Some(19), None, None));
    }

    #[test]
    fn the_habit_of_a_text_shows_in_its_numbers() {
        assert_eq!(Decimal::of(["1,234", "12.5", "3.75"].into_iter()), Decimal::Point);
        assert_eq!(Decimal::of(["1.234", "12,5", "3,75"].into_iter()), Decimal::Comma);
        assert_eq!(Decimal::of(["1,234", "5,678"].into_iter()), Decimal::Point);
        assert_eq!(Decimal::of(["31.12.2024", "31.12.2023", "1,234"].into_iter()), Decimal::Point);
    }
}
