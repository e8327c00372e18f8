//! Days and months, as running text says them.

use super::words::words;

/// Months in English, in order.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// Days of the week in English, from Sunday on.
pub const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// The month that `word` names in full, from 0, in capital or small letters.
pub fn month(word: &str) -> Option<usize> {
    MONTHS.iter().position(|month| month.eq_ignore_ascii_case(word))
}

/// A date, with as much of day, month and year as is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Date {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Day of the month.
    pub day: Option<u32>,
    /// Month, from 1.
    pub month: u32,
    /// Year.
    pub year: Option<u32>,
}

/// The dates of `text`.
pub fn dates(text: &str) -> Vec<Date> {
    let all = words(text);
    let mut found = Vec::new();
    for (index, word) in all.iter().enumerate() {
        let Some(month) = month(word.text) else { continue };
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

#[cfg(test)]
mod tests {
    use super::super::quantity::quantities;
    use super::*;

    #[test]
    fn dates_and_identifiers_are_no_quantities() {
        assert!(quantities("on 27 February 2025, S2.14(a)(iv), EM-EP-110a.1").is_empty());
        let found = dates("on 27 February 2025 and in May 2023 or March 3, 2020");
        let parts: Vec<_> = found.iter().map(|d| (d.day, d.month, d.year)).collect();
        assert_eq!(parts, [(Some(27), 2, Some(2025)), (None, 5, Some(2023)), (Some(3), 3, Some(2020))]);
    }
}
