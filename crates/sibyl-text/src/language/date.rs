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

/// Whether `word`, in lower case, is a month, in full or abbreviated.
pub fn is_month(word: &str) -> bool {
    let begins = |month: &str| word.len() == 3 && month.to_lowercase().starts_with(word);
    month(word).is_some() || word == "sept" || MONTHS.iter().any(|month| begins(month))
}

/// How the names of the months begin. First come languages that many reports are written in, where few other words
/// begin so. The other official languages of the EU and the European Economic Area follow. What begins like another
/// month stands before it: November in Finnish begins like March, and June in Croatian like Lithuanian July.
const BEGINNINGS: [(u32, &str, &str); 12] = [
    (11, "nov", "noi marras lis studen ноем νοε lapkr samh νοέ"),
    (1, "jan ene gen", "ian tammi sty led sije яну ιαν saus eana jaan"),
    (10, "oct okt ott", "out loka paź říj rij окт οκτ spal deireadh"),
    (2, "feb fév", "fev helmi lut úno velj фев φεβ vasar feabh veeb frar"),
    (3, "mar mär mrz", "mrt maa bře ožuj мар μαρ μάρ kov már"),
    (4, "apr avr abr", "huhti kwi dub trav апр απρ baland aib ápr"),
    (5, "may maj mai mei", "mag touko kvě svib май μαΐ μαι μάι geguž beal máj mej"),
    (7, "jul juil", "lug iul heinä lip červenc srp юли ιουλ liep iúil júl jūl lul juul"),
    (6, "jun juin", "giu iun kesä cze červ юни ιουν birž meith jún jūn juun ġun"),
    (8, "aug aoû ago", "aou elo sie kolov авг αυγ αύγ rugp lún aww"),
    (9, "sep set", "syys wrz zář ruj сеп σεπ rugs meán szep"),
    (12, "dec déc dez dic", "des joulu gru pros дек δεκ nollaig diċ dets"),
];

/// Whether `word`, in lower case, begins like a month in a language that many reports are written in.
pub(crate) fn begins_like_a_month(word: &str) -> bool {
    BEGINNINGS.iter().flat_map(|(_, names, _)| names.split(' ')).any(|name| word.starts_with(name))
}

/// The month, from 1, that `word`, in lower case, names in a language of Europe. Some Croatian months are called
/// like others elsewhere.
pub(crate) fn month_in_any_language(word: &str, croatian: bool) -> Option<u32> {
    let own: &[(&str, u32)] =
        if croatian { &[("listopad", 10), ("lip", 6), ("srp", 7)] } else { &[("srpen", 8), ("srpn", 8)] };
    let all = BEGINNINGS.iter().flat_map(|(month, usual, other)| {
        usual.split(' ').chain(other.split(' ')).map(|name| (name, *month))
    });
    own.iter().copied().chain(all).find(|(name, _)| word.starts_with(name)).map(|(_, month)| month)
}

/// The eras of Japan and Taiwan in which reports count years, each with the year before its first.
const ERAS: [(&str, u32); 6] =
    [("令和", 2018), ("平成", 1988), ("昭和", 1925), ("大正", 1911), ("民國", 1911), ("民国", 1911)];

/// What follows the era that `text` begins with, and the year before its first.
pub(crate) fn after_era(text: &str) -> Option<(u32, &str)> {
    ERAS.iter().find_map(|(name, before)| text.strip_prefix(name).map(|rest| (*before, rest)))
}

/// Where `text` names years by eras, and which: `令和６` is 2024.
pub(crate) fn years_of_eras(text: &str) -> Vec<(std::ops::Range<usize>, u16)> {
    let begun = ERAS.iter().flat_map(|(name, _)| text.match_indices(name)).map(|(at, _)| at);
    let read = |at: usize| {
        let (before, rest) = after_era(&text[at..])?;
        let number: String = rest.chars().take_while(|c| digit(*c).is_some()).collect();
        let count = number
            .chars()
            .filter_map(digit)
            .fold(0_u32, |sum, digit| sum.saturating_mul(10).saturating_add(digit));
        let (count, length) =
            if rest.starts_with('元') { (1, '元'.len_utf8()) } else { (count, number.len()) };
        let year = before.checked_add(count).and_then(|year| u16::try_from(year).ok());
        let year = year.filter(|_| count > 0 && count < 1_000)?;
        Some((at..text.len() - rest.len() + length, year))
    };
    let mut found: Vec<_> = begun.filter_map(read).collect();
    found.sort_by_key(|(place, _)| place.start);
    found
}

/// The value of a digit, also of one as wide as a Han sign.
pub(crate) fn digit(c: char) -> Option<u32> {
    match c {
        '０'..='９' => Some(u32::from(c) - u32::from('０')),
        _ => c.to_digit(10),
    }
}

/// A year by these eras: `令和7` is 2025. The first year of an era is called 元.
pub(crate) fn era(text: &str) -> Option<u32> {
    let (start, year) = after_era(text)?;
    let year = if year == "元" { 1 } else { year.parse().ok()? };
    Some(start + year)
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
    fn months_are_known_by_their_beginnings() {
        for (word, croatian, month) in [
            ("september", false, Some(9)),
            ("marraskuu", false, Some(11)),
            ("srpna", false, Some(8)),
            ("srpnja", true, Some(7)),
            ("листопад", false, None),
        ] {
            assert_eq!(month_in_any_language(word, croatian), month, "{word}");
        }
        assert!(begins_like_a_month("mrz") && !begins_like_a_month("travel") && !begins_like_a_month("led"));
        assert!(is_month("sept") && is_month("jan") && is_month("may") && !is_month("marc"));
        assert_eq!((era("令和元"), era("平成30"), era("2018")), (Some(2019), Some(2018), None));
    }

    #[test]
    fn dates_and_identifiers_are_no_quantities() {
        assert!(quantities("on 27 February 2025, S2.14(a)(iv), EM-EP-110a.1").is_empty());
        let found = dates("on 27 February 2025 and in May 2023 or March 3, 2020");
        let parts: Vec<_> = found.iter().map(|d| (d.day, d.month, d.year)).collect();
        assert_eq!(parts, [(Some(27), 2, Some(2025)), (None, 5, Some(2023)), (Some(3), 3, Some(2020))]);
    }
}
