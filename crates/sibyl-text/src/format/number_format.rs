//! Numbers, dates and texts as cells of a sheet and points of a chart show them: by their number format (ECMA-376, 18.8.31).

mod moment;

use calamine::{ExcelDateTime, ExcelDateTimeType};
pub(super) use moment::Moment;

/// Significant digits of a number without a format.
const GENERAL_DIGITS: i32 = 11;

/// `value` as the format `code` shows it.
pub(super) fn number(value: f64, code: &str) -> String {
    let mut sections = sections(code);
    if sections.len() > 1 && text_pattern(code).is_some() {
        sections.pop();
    }
    let (section, signed) = match chosen_by_condition(value, &sections) {
        Some(section) => (section, !sections[section].contains(['(', '-'])),
        None => match sections.len() {
            0 | 1 => (0, true),
            2 => (usize::from(value < 0.0), false),
            _ if value == 0.0 => (2, false),
            _ => (usize::from(value < 0.0), false),
        },
    };
    let Some(pattern) = sections.get(section).map(|section| Pattern::of(section)) else {
        return general(value);
    };
    let shown = match pattern {
        Some(pattern) => pattern.shown(value.abs()),
        None => return general(value),
    };
    // A number that is shown as nought has no sign.
    let negative = value < 0.0 && signed && shown.contains(|c: char| ('1'..='9').contains(&c));
    if negative { format!("-{shown}") } else { shown }
}

/// `value`, a text, as the format `code` shows it: in place of the `@` of its last section.
pub(super) fn text(value: &str, code: &str) -> String {
    match text_pattern(code) {
        Some(pattern) => format!("{}{value}{}", pattern.before, pattern.after),
        None => value.to_owned(),
    }
}

/// The pattern of the section for texts.
fn text_pattern(code: &str) -> Option<Pattern> {
    let last = code.contains('@').then(|| sections(code).pop())??;
    Pattern::of(last).filter(|pattern| pattern.text)
}

/// The section for `value` where some say which numbers they are for: `[>=1000000]0.0,," m";0`. The last is for all that no
/// other takes.
fn chosen_by_condition(value: f64, sections: &[&str]) -> Option<usize> {
    let conditions: Vec<_> = sections.iter().map(|section| condition(section)).collect();
    conditions.iter().any(Option::is_some).then(|| {
        let last = sections.len() - 1;
        let takes = |holds: &Option<(&str, f64)>| match holds {
            Some(("<", bound)) => value < *bound,
            Some(("<=", bound)) => value <= *bound,
            Some((">", bound)) => value > *bound,
            Some((">=", bound)) => value >= *bound,
            Some(("<>", bound)) => value != *bound,
            Some((_, bound)) => value == *bound,
            None => false,
        };
        conditions.iter().position(takes).unwrap_or(last)
    })
}

/// What numbers a section is for: a comparison and the number to compare with.
fn condition(section: &str) -> Option<(&str, f64)> {
    section.split('[').skip(1).find_map(|part| {
        let inside = part.split_once(']')?.0;
        let bound = inside.trim_start_matches(['<', '>', '=']);
        let sign = &inside[..inside.len() - bound.len()];
        (!sign.is_empty()).then_some(())?;
        Some((sign, bound.trim().parse().ok()?))
    })
}

/// `value` as the format `code` shows it, which may make a date of it: days from the beginning of 1904, or of 1900.
pub(super) fn point(value: f64, code: &str, from_1904: bool) -> String {
    let first = unquoted(sections(code).first().copied().unwrap_or_default()).to_ascii_lowercase();
    let dated = first.contains(['y', 'd']) || first.contains("mmm");
    if !dated || first.contains(['0', '#']) {
        return number(value, code);
    }
    Moment::of(&ExcelDateTime::new(value, ExcelDateTimeType::DateTime, from_1904)).shown(code)
}

/// A stretch of time in days as the format `code` shows it: `[h]:mm` counts hours beyond a day.
pub(super) fn duration(days: f64, code: &str) -> String {
    let seconds = (days.abs() * 86_400.0).round();
    let sign = if days < 0.0 { "-" } else { "" };
    let lower = code.to_ascii_lowercase();
    let with_seconds = unquoted(code).to_ascii_lowercase().contains('s');
    let (hours, minutes, rest) =
        ((seconds / 3_600.0).floor(), (seconds / 60.0).floor(), (seconds % 60.0).floor());
    if lower.contains("[s") {
        format!("{sign}{seconds:.0}")
    } else if lower.contains("[m") {
        let behind = if with_seconds { format!(":{rest:02.0}") } else { String::new() };
        format!("{sign}{minutes:.0}{behind}")
    } else {
        let behind = if with_seconds { format!(":{rest:02.0}") } else { String::new() };
        format!("{sign}{hours:.0}:{:02.0}{behind}", minutes % 60.0)
    }
}

/// `value` without a format.
pub(super) fn general(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { value.to_string() };
    }
    let magnitude = value.abs().log10().floor() as i32;
    if !(-9..21).contains(&magnitude) {
        return format!("{value:E}");
    }
    let decimals = (GENERAL_DIGITS - 1 - magnitude).clamp(0, 20);
    let text = format!("{value:.*}", decimals as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The sections of a format: for positive numbers, negative ones, nought and texts.
pub(super) fn sections(code: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, c) in code.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => {
                out.push(&code[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&code[start..]);
    out
}

/// A format without its literal texts and conditions.
fn unquoted(code: &str) -> String {
    let outside = code.split('"').step_by(2).collect::<String>();
    let mut out = String::new();
    let mut depth = 0_usize;
    for c in outside.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// How a section shows numbers.
#[derive(Debug, Default)]
struct Pattern {
    before: String,
    after: String,
    least_digits: usize,
    least_decimals: usize,
    decimals: usize,
    grouped: bool,
    percent: bool,
    /// Commas behind the digits: each divides by a thousand.
    thousands: u32,
    placed: bool,
    /// Whether numbers are shown as without a format, between the literal texts.
    general: bool,
    /// Whether texts are shown, between the literal ones.
    text: bool,
    /// Of fractions: what they are shown in.
    fraction: Option<Fraction>,
    /// Whether a sign parts the digits before the last ones.
    parted: bool,
    /// Of numbers with a power of ten: the least digits of it, and whether it has a sign in any case.
    exponent: Option<(usize, bool)>,
}

impl Pattern {
    /// The pattern of a section; `None` where it is one that shows numbers otherwise.
    fn of(section: &str) -> Option<Self> {
        let mut out = Self::default();
        let mut chars = section.chars();
        let (mut point, mut pending_commas) = (false, 0);
        while let Some(c) = chars.next() {
            match c {
                '0' | '#' | '?' => {
                    out.parted |= !out.after.is_empty();
                    out.placed = true;
                    out.grouped |= pending_commas > 0;
                    pending_commas = 0;
                    match (point, c) {
                        (true, '0') => {
                            out.decimals += 1;
                            out.least_decimals = out.decimals;
                        }
                        (true, _) => out.decimals += 1,
                        (false, '0') => out.least_digits += 1,
                        (false, _) => {}
                    }
                }
                '.' if out.placed || chars.as_str().starts_with(['0', '#', '?']) => point = true,
                ',' if out.placed => pending_commas += 1,
                '%' => {
                    out.percent = true;
                    out.literal('%');
                }
                '"' => (&mut chars).take_while(|c| *c != '"').for_each(|c| out.literal(c)),
                '\\' => chars.next().into_iter().for_each(|c| out.literal(c)),
                // What is as wide as the next sign, or repeats it, shows none.
                '_' | '*' => drop(chars.next()),
                '[' => {
                    let inside: String = (&mut chars).take_while(|c| *c != ']').collect();
                    let currency =
                        inside.strip_prefix('$').map(|sign| sign.split('-').next().unwrap_or_default());
                    currency.unwrap_or_default().chars().for_each(|c| out.literal(c));
                }
                'E' | 'e' if out.placed && chars.as_str().starts_with(['+', '-']) => {
                    let signed = chars.next() == Some('+');
                    let digits = chars.as_str().chars().take_while(|c| matches!(c, '0' | '#' | '?')).count();
                    (&mut chars).take(digits).for_each(drop);
                    out.exponent = Some((digits, signed));
                }
                'G' | 'g'
                    if chars.as_str().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("eneral")) =>
                {
                    (&mut chars).take(6).for_each(drop);
                    (out.placed, out.general) = (true, true);
                }
                '/' if out.placed => {
                    let below: String =
                        chars.as_str().chars().take_while(|c| matches!(c, '0'..='9' | '#' | '?')).collect();
                    (&mut chars).take(below.len()).for_each(drop);
                    out.fraction = Some(Fraction::of(&below, out.parted)?);
                    out.after.clear();
                }
                '@' => (out.placed, out.general, out.text) = (true, true, true),
                'G' | 'g' => return None,
                c => out.literal(c),
            }
        }
        out.thousands = pending_commas;
        Some(out)
    }

    fn literal(&mut self, c: char) {
        if self.placed { self.after.push(c) } else { self.before.push(c) }
    }

    /// `value`, which is not negative.
    fn shown(&self, value: f64) -> String {
        let body = if self.placed { self.digits(value) } else { String::new() };
        format!("{}{body}{}", self.before, self.after)
    }

    fn digits(&self, value: f64) -> String {
        if self.general {
            return general(value);
        }
        if let Some((least, signed)) = self.exponent {
            let text = format!("{value:.*E}", self.decimals.min(20));
            let (mantissa, exponent) = text.split_once('E').unwrap_or((&text, "0"));
            let (sign, exponent) = match exponent.strip_prefix('-') {
                Some(exponent) => ("-", exponent),
                None => (if signed { "+" } else { "" }, exponent),
            };
            return format!("{mantissa}E{sign}{exponent:0>least$}");
        }
        let value = if self.percent { value * 100.0 } else { value } / 1000_f64.powi(self.thousands as i32);
        if let Some(fraction) = self.fraction {
            return fraction.shown(value);
        }
        // The nearest decimal number, where the sheet's own arithmetic left a trace in the last binary digit.
        let value = value * (1.0 + f64::EPSILON);
        let text = format!("{value:.*}", self.decimals.min(20));
        let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
        let mut decimals = decimals;
        while decimals.len() > self.least_decimals && decimals.ends_with('0') {
            decimals = &decimals[..decimals.len() - 1];
        }
        let whole = if whole == "0" && self.least_digits == 0 { "" } else { whole };
        let mut out = format!("{whole:0>0$}", self.least_digits);
        if self.grouped {
            let mut at = out.len();
            while at > 3 {
                at -= 3;
                out.insert(at, ',');
            }
        }
        if decimals.is_empty() { out } else { format!("{out}.{decimals}") }
    }
}

/// How a section shows fractions.
#[derive(Debug, Clone, Copy)]
struct Fraction {
    below: Below,
    /// Whether whole numbers stand before the fraction.
    mixed: bool,
}

/// What stands below the stroke.
#[derive(Debug, Clone, Copy)]
enum Below {
    Fixed(u32),
    /// Any number up to this one.
    Most(u32),
}

impl Fraction {
    /// `below` is what stands below the stroke: the denominator, or a place for each of its digits. `None` where it is
    /// neither, or of more than three digits, which nobody reads as a fraction.
    fn of(below: &str, mixed: bool) -> Option<Self> {
        let places = below.bytes().all(|byte| matches!(byte, b'0' | b'#' | b'?'));
        let below = match (places, below.len()) {
            (true, digits @ 1..=3) => Below::Most(10_u32.pow(digits as u32) - 1),
            (false, 1..=3) => Below::Fixed(below.parse().ok()?),
            _ => return None,
        };
        Some(Self { below, mixed })
    }

    /// `value`, which is not negative.
    fn shown(self, value: f64) -> String {
        let whole = if self.mixed { value.floor() } else { 0.0 };
        let (above, below) = match self.below {
            Below::Fixed(below) => (((value - whole) * f64::from(below)).round(), f64::from(below)),
            Below::Most(most) => nearest_fraction(value - whole, f64::from(most)),
        };
        match (self.mixed, above) {
            (true, 0.0) => format!("{whole:.0}"),
            (true, above) if above == below => format!("{:.0}", whole + 1.0),
            (true, above) if whole > 0.0 => format!("{whole:.0} {above:.0}/{below:.0}"),
            _ => format!("{above:.0}/{below:.0}"),
        }
    }
}

/// The last convergent of the continued fraction of `value` whose denominator is at most `most`, as in spreadsheet
/// programs. For π in two digits it is 3 1/7, though 3 14/99 is nearer.
fn nearest_fraction(value: f64, most: f64) -> (f64, f64) {
    let (mut before, mut last) = ((0.0, 1.0), (1.0, 0.0));
    let mut rest = value;
    loop {
        let part = rest.floor();
        let next = (part * last.0 + before.0, part * last.1 + before.1);
        if next.1 > most {
            return last;
        }
        (before, last) = (last, next);
        if rest - part < 5e-8 {
            return last;
        }
        rest = 1.0 / (rest - part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_by_their_format() {
        for (value, code, shown) in [
            (1234.5, "General", "1234.5"),
            (0.1 + 0.2, "General", "0.3"),
            (1e-12, "General", "1E-12"),
            (1234567.0, "#,##0", "1,234,567"),
            (1234.567, "#,##0.00", "1,234.57"),
            (0.1234, "0.0%", "12.3%"),
            (1.005, "0.00", "1.01"),
            (-1234.0, "#,##0;(#,##0)", "(1,234)"),
            (-1234.0, "#,##0", "-1,234"),
            (-0.001, "0.0", "0.0"),
            (0.0, "#,##0;-#,##0;\"–\"", "–"),
            (5.0, "[$€-407] 0.0", "€ 5.0"),
            (5.0, "\"US$\"0\" m\"", "US$5 m"),
            (1_234_567.0, "0.0,,\" m\"", "1.2 m"),
            (7.0, "000", "007"),
            (0.5, "#.##", ".5"),
            (1234.5, "_(* #,##0.00_);_(* (#,##0.00)", "1,234.50"),
            (1.5, "# ?/?", "1 1/2"),
            (0.75, "# ?/?", "3/4"),
            (-2.3333, "# ?/?", "-2 1/3"),
            (3.0, "# ??/??", "3"),
            (2.999, "# ?/?", "3"),
            (std::f64::consts::PI, "# ??/??", "3 1/7"),
            (std::f64::consts::PI, "# ???/???", "3 16/113"),
            (1.26, "# ?/4", "1 1/4"),
            (1.5, "?/?", "3/2"),
            (0.5, "# ??/16\" in\"", "8/16 in"),
            (1.5, "# ?????/?????", "1.5"),
            (5.0, "@", "5"),
            (-5.0, "0.0;@", "-5.0"),
            (500.0, "[>=1000000]0.0,,\" m\";[>=1000]0.0,\" k\";0", "500"),
            (5_200.0, "[>=1000000]0.0,,\" m\";[>=1000]0.0,\" k\";0", "5.2 k"),
            (5_200_000.0, "[>=1000000]0.0,,\" m\";[>=1000]0.0,\" k\";0", "5.2 m"),
            (-5.0, "[Red][<0](0.0);0.0", "(5.0)"),
            (-5.0, "[=0]\"none\";0.0", "-5.0"),
            (7.0, "[Red]0;[Blue]-0", "7"),
            (12.5, "General\" t\"", "12.5 t"),
            (-12.5, "\"ca. \"General", "-ca. 12.5"),
            (123_456.0, "0.00E+00", "1.23E+05"),
            (0.00012, "0.0E-0", "1.2E-4"),
        ] {
            assert_eq!(number(value, code), shown, "{value} as {code}");
        }
    }

    #[test]
    fn texts_stand_in_the_place_of_their_sign() {
        for (code, shown) in [
            ("@", "Mill"),
            ("General", "Mill"),
            ("\"Site: \"@", "Site: Mill"),
            ("0.0;-0.0;0;@\" (est.)\"", "Mill (est.)"),
            ("dd/mm/yyyy;@", "Mill"),
            ("0.0\" @\"", "Mill"),
            ("_(* #,##0_);_(* (#,##0);_(* \"-\"_);_(@_)", "Mill"),
        ] {
            assert_eq!(text("Mill", code), shown, "{code}");
        }
    }

    #[test]
    fn durations_go_beyond_a_day() {
        for (days, code, shown) in [
            (1.5, "[h]:mm", "36:00"),
            (1.5, "[h]:mm:ss", "36:00:00"),
            (0.0625, "[mm]:ss", "90:00"),
            (0.001, "[s]", "86"),
            (-0.25, "[h]:mm", "-6:00"),
        ] {
            assert_eq!(duration(days, code), shown, "{code}");
        }
    }
}
