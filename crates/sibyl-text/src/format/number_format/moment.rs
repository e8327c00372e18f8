//! Dates and times as a sheet shows them: by the number format of their cell (ECMA-376, 18.8.31), months and days in English.

use super::sections;
use crate::language::date::{MONTHS, WEEKDAYS};
use calamine::ExcelDateTime;

/// Built-in formats 14 and 22, which show a date as is usual where the sheet is opened. No place is meant, so that their dates
/// are told by numbers in the order in which they sort: nobody takes a month for a day.
const BY_PLACE: [&str; 2] = ["mm-dd-yy", "m/d/yy h:mm"];

/// A point in time in the calendar, to the thousandth of a second.
#[derive(Debug, Clone, Copy)]
pub(in crate::format) struct Moment {
    pub year: u16,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub milli: u16,
}

impl Moment {
    /// What `days` of a sheet come to.
    pub(in crate::format) fn of(days: &ExcelDateTime) -> Self {
        let (year, month, day, hour, minute, second, milli) = days.to_ymd_hms_milli();
        Self { year, month, day, hour, minute, second, milli }
    }

    /// The moment as the format `code` shows it; `2024-03-09 14:05` where that depends on the place or on a calendar that
    /// is not read here.
    pub(in crate::format) fn shown(&self, code: &str) -> String {
        let section = sections(code)[0];
        let parts = if BY_PLACE.contains(&section) { None } else { parts(section) };
        let Some(parts) = parts else { return self.sortable(section) };
        let halves = parts.iter().any(|part| matches!(part, Part::Half(_)));
        let out: String = parts.iter().map(|part| self.part(part, halves)).collect();
        out.trim().to_owned()
    }

    fn part(&self, part: &Part, halves: bool) -> String {
        let month = || MONTHS.get(usize::from(self.month).wrapping_sub(1)).copied().unwrap_or_default();
        let digits = |number: u8, least: usize| format!("{number:0>0$}", least.min(2));
        match *part {
            Part::Literal(c) => c.to_string(),
            Part::Year(1 | 2) => format!("{:02}", self.year % 100),
            Part::Year(_) => format!("{:04}", self.year),
            Part::Month(least @ (1 | 2)) => digits(self.month, least),
            Part::Month(3) => month()[..month().len().min(3)].to_owned(),
            Part::Month(5) => month()[..month().len().min(1)].to_owned(),
            Part::Month(_) => month().to_owned(),
            Part::Day(least @ (1 | 2)) => digits(self.day, least),
            Part::Day(3) => self.weekday()[..3].to_owned(),
            Part::Day(_) => self.weekday().to_owned(),
            Part::Hour(least) if halves => digits((self.hour + 11) % 12 + 1, least),
            Part::Hour(least) => digits(self.hour, least),
            Part::Minute(least) => digits(self.minute, least),
            Part::Second(least) => digits(self.second, least),
            Part::Fraction(places) => format!(".{}", &format!("{:03}", self.milli)[..places]),
            Part::Half(letters) => (if self.hour < 12 { "AM" } else { "PM" }).chars().take(letters).collect(),
        }
    }

    /// The day of the week (T. Sakamoto, `comp.lang.c`, 1993).
    fn weekday(&self) -> &'static str {
        const SHIFTS: [usize; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        let shift = SHIFTS.get(usize::from(self.month).wrapping_sub(1)).copied().unwrap_or_default();
        let year = usize::from(self.year) - usize::from(self.month < 3 && self.year > 0);
        WEEKDAYS[(year + year / 4 - year / 100 + year / 400 + shift + usize::from(self.day)) % WEEKDAYS.len()]
    }

    /// What a section shows of the moment, in the order in which it sorts.
    fn sortable(&self, section: &str) -> String {
        let letters = section.to_ascii_lowercase();
        let has = |letter: char| letters.contains(letter);
        let Self { year, month, day, hour, minute, second, .. } = *self;
        let time = match (has('h'), has('s')) {
            (true, true) => format!(" {hour:02}:{minute:02}:{second:02}"),
            (true, false) => format!(" {hour:02}:{minute:02}"),
            _ => String::new(),
        };
        format!("{year:04}-{month:02}-{day:02}{time}")
    }
}

/// A part of a format, with the number of its letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Literal(char),
    Year(usize),
    Month(usize),
    Day(usize),
    Hour(usize),
    Minute(usize),
    Second(usize),
    /// Places of a second behind its point.
    Fraction(usize),
    /// Half of the day, in two letters or one.
    Half(usize),
}

/// The parts of a section; `None` where it has one that is not known here, such as the years of an emperor.
fn parts(section: &str) -> Option<Vec<Part>> {
    let mut out = Vec::new();
    let mut rest = section;
    while let Some(c) = rest.chars().next() {
        let same = rest.chars().take_while(|other| other.eq_ignore_ascii_case(&c)).count();
        let mut taken = same;
        match c.to_ascii_lowercase() {
            'y' => out.push(Part::Year(same)),
            'm' if follows_hour(&out) => out.push(Part::Minute(same)),
            'm' => out.push(Part::Month(same)),
            'd' => out.push(Part::Day(same)),
            'h' => out.push(Part::Hour(same)),
            's' => {
                // What stands before seconds are minutes.
                if let Some(last) = out.iter_mut().rev().find(|part| !matches!(part, Part::Literal(_)))
                    && let Part::Month(least @ (1 | 2)) = *last
                {
                    *last = Part::Minute(least);
                }
                out.push(Part::Second(same));
            }
            '.' if rest[1..].starts_with('0') && matches!(out.last(), Some(Part::Second(_))) => {
                let places = rest[1..].bytes().take_while(|byte| *byte == b'0').count();
                out.push(Part::Fraction(places.min(3)));
                taken = 1 + places;
            }
            'a' => {
                let here =
                    |name: &str| rest.get(..name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name));
                let letters = if here("am/pm") { 2 } else { here("a/p").then_some(1)? };
                out.push(Part::Half(letters));
                taken = 2 * letters + 1;
            }
            '"' => {
                let text = rest[1..].split('"').next().unwrap_or_default();
                out.extend(text.chars().map(Part::Literal));
                taken = (text.len() + 2).min(rest.len());
            }
            '\\' => {
                let sign = rest[1..].chars().next();
                out.extend(sign.map(Part::Literal));
                taken = 1 + sign.map_or(0, char::len_utf8);
            }
            // What is as wide as the next sign, or repeats it, shows none.
            '_' | '*' => taken = 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '[' => {
                let inside = rest[1..].split(']').next().unwrap_or_default();
                // The language of the names; a stretch of time or a condition is none.
                inside.starts_with("$-").then_some(())?;
                taken = (inside.len() + 2).min(rest.len());
            }
            c if c.is_ascii_alphanumeric() || matches!(c, '#' | '?' | '@') => return None,
            _ => {
                out.push(Part::Literal(c));
                taken = c.len_utf8();
            }
        }
        rest = &rest[taken..];
    }
    Some(out)
}

/// Whether the last part that shows a number is the hour.
fn follows_hour(parts: &[Part]) -> bool {
    let last = parts.iter().rev().find(|part| !matches!(part, Part::Literal(_)));
    matches!(last, Some(Part::Hour(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_shown_by_their_format() {
        let moment = Moment { year: 2024, month: 3, day: 9, hour: 14, minute: 5, second: 30, milli: 250 };
        for (code, shown) in [
            ("dd/mm/yyyy", "09/03/2024"),
            ("dd/mm/yyyy;@", "09/03/2024"),
            ("m/d/yy", "3/9/24"),
            ("d-mmm", "9-Mar"),
            ("d-mmm-yy", "9-Mar-24"),
            ("mmm-yy", "Mar-24"),
            ("[$-409]d\\-mmm", "9-Mar"),
            ("[$-407]d/\\ mmmm\\ yyyy;@", "9/ March 2024"),
            ("[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", "Saturday, March 09, 2024"),
            ("ddd d mmmmm", "Sat 9 M"),
            ("mmm yyyy", "Mar 2024"),
            ("yyyy", "2024"),
            ("\"FY\"yyyy", "FY2024"),
            ("yyyy\"年\"m\"月\"d\"日\"", "2024年3月9日"),
            ("h:mm", "14:05"),
            ("hh:mm:ss", "14:05:30"),
            ("h:mm AM/PM", "2:05 PM"),
            ("hh\\.mm a/p", "02.05 P"),
            ("mm:ss", "05:30"),
            ("mmss.0", "0530.2"),
            ("dd.mm.yyyy hh:mm", "09.03.2024 14:05"),
            ("m/d h:m", "3/9 14:5"),
            // Which of day and month comes first is nowhere said, or the years are an emperor's.
            ("mm-dd-yy", "2024-03-09"),
            ("m/d/yy h:mm", "2024-03-09 14:05"),
            ("General", "2024-03-09"),
            ("[$-411]ggge\"年\"m\"月\"d\"日\"", "2024-03-09"),
            ("[>45000]d mmm", "2024-03-09"),
        ] {
            assert_eq!(moment.shown(code), shown, "{code}");
        }
        assert_eq!(Moment { hour: 0, ..moment }.shown("h AM/PM"), "12 AM");
        assert_eq!(Moment { hour: 12, ..moment }.shown("h AM/PM"), "12 PM");
        assert_eq!(Moment { year: 1900, month: 2, day: 29, ..moment }.shown("d mmm yyyy"), "29 Feb 1900");
    }
}
