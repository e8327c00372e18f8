//! Paragraph ids of IFRS S1 and S2: `S2.14(a)(iv)`, `S1.B42(b)`, `S2.A.carbon_credit`.

use crate::reference::cursor::{Cursor, starts};
use std::fmt;

/// One of the two standards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standard {
    /// IFRS S1, general requirements.
    S1,
    /// IFRS S2, climate.
    S2,
}

impl Standard {
    /// `S1` or `S2`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::S1 => "S1",
            Self::S2 => "S2",
        }
    }

    /// Highest number of the series: `None` for the main paragraphs, `B` to `E` for the appendices (numbering of
    /// June 2023); 0 if the standard has no such appendix.
    pub(crate) const fn last(self, series: Option<char>) -> u16 {
        match (self, series) {
            (Self::S1, None) => 86,
            (Self::S1, Some('B')) => 59,
            (Self::S1, Some('C')) => 3,
            (Self::S1, Some('D')) => 33,
            (Self::S1, Some('E')) => 6,
            (Self::S2, None) => 37,
            (Self::S2, Some('B')) => 71,
            (Self::S2, Some('C')) => 6,
            _ => 0,
        }
    }

    /// The first standard that `text` names as `S1`, `IFRS S2`, `ifrs-s2`, …
    pub fn named_in(text: &str) -> Option<Self> {
        starts(text).find_map(|at| {
            let mut cursor = Cursor::new(text, at);
            let skipped = cursor.word_of(&["ifrs"]).is_some();
            if skipped {
                cursor.take(|c| c == ' ' || c == '-' || c == '_');
            }
            Self::read(&mut cursor)
        })
    }

    /// Reads `S1` or `S2` in either case, with no letter or digit after it.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Option<Self> {
        let mut ahead = *cursor;
        ahead.take(|c| c == 'S' || c == 's')?;
        let standard = match ahead.take(|c| c == '1' || c == '2')? {
            '1' => Self::S1,
            _ => Self::S2,
        };
        if ahead.in_word() {
            return None;
        }
        *cursor = ahead;
        Some(standard)
    }
}

/// The number of a paragraph: `14`, `B42`, `29A`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number {
    /// Appendix letter, `B` to `E`.
    pub series: Option<char>,
    /// The number itself.
    pub value: u16,
    /// Letter of a paragraph that an amendment put in, such as the `A` of `29A`.
    pub inserted: Option<char>,
}

/// Paragraphs that the amendments of December 2025 put into IFRS S2.
const INSERTED: [(Option<char>, u16, char); 7] = [
    (None, 29, 'A'),
    (None, 29, 'B'),
    (None, 29, 'C'),
    (Some('B'), 62, 'A'),
    (Some('B'), 63, 'A'),
    (Some('C'), 1, 'A'),
    (Some('C'), 1, 'B'),
];

impl Number {
    /// Reads `14`, `b42`, `29A`. A capital letter after the digits is part of the number only if such a paragraph
    /// exists; otherwise it is an item.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Option<Self> {
        let mut ahead = *cursor;
        let series = ahead.take(|c| matches!(c, 'B'..='E' | 'b'..='e')).map(|c| c.to_ascii_uppercase());
        let value = ahead.digits(3)?.parse().ok().filter(|&n| n > 0)?;
        let mut number = Self { series, value, inserted: None };
        let mut further = ahead;
        if let Some(letter) = further.take(|c| c.is_ascii_uppercase())
            && !further.in_word()
            && INSERTED.contains(&(series, value, letter))
        {
            number.inserted = Some(letter);
            ahead = further;
        }
        *cursor = ahead;
        Some(number)
    }

    /// The numbers from `self` to `last` in the same series; `None` if `last` does not come later, or more than a
    /// hundred would result.
    pub(crate) fn up_to(self, last: Self) -> Option<Vec<Self>> {
        let whole = self.inserted.is_none() && last.inserted.is_none() && self.series == last.series;
        let count = last.value.checked_sub(self.value)?;
        (whole && (1..100).contains(&count))
            .then(|| (self.value..=last.value).map(|value| Self { value, ..self }).collect())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(series) = self.series {
            write!(f, "{series}")?;
        }
        write!(f, "{}", self.value)?;
        self.inserted.map_or(Ok(()), |letter| write!(f, "{letter}"))
    }
}

/// The standard and the number of the paragraph that is, or contains, `id`; `None` for a defined term and anything
/// that is no id.
pub fn paragraph(id: &str) -> Option<(Standard, Number)> {
    let mut cursor = Cursor::new(id, 0);
    let standard = Standard::read(&mut cursor)?;
    let number = cursor.eat('.').then(|| Number::read(&mut cursor)).flatten()?;
    Some((standard, number))
}

/// The kind of an item's label; each kind belongs to one depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// `(a)`, first depth.
    Letter,
    /// `(iv)`, second depth.
    Roman,
    /// `(2)`, third depth.
    Digit,
}

/// The ways `label` (in lower case) can be read, the deepest first; `i`, `v` and `x` are both letter and number.
pub(crate) fn classes(label: &str) -> Vec<(Class, u16)> {
    let mut out = Vec::new();
    if !label.is_empty() && label.len() <= 2 && label.bytes().all(|b| b.is_ascii_digit()) {
        out.extend(label.parse().ok().filter(|&n| n > 0).map(|n| (Class::Digit, n)));
    }
    out.extend(roman(label).map(|n| (Class::Roman, n)));
    if let [letter @ b'a'..=b'z'] = label.as_bytes() {
        out.push((Class::Letter, u16::from(letter - b'a') + 1));
    }
    out
}

/// The label with the ordinal `n` of `class`.
pub(crate) fn label(class: Class, n: u16) -> Option<String> {
    match class {
        Class::Letter => u8::try_from(n)
            .ok()
            .filter(|n| (1..=26).contains(n))
            .map(|n| char::from(b'a' + n - 1).to_string()),
        Class::Roman => ROMAN.get(usize::from(n).checked_sub(1)?).map(|&s| s.to_owned()),
        Class::Digit => (n > 0).then(|| n.to_string()),
    }
}

const ROMAN: [&str; 20] = [
    "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi",
    "xvii", "xviii", "xix", "xx",
];

fn roman(label: &str) -> Option<u16> {
    ROMAN.iter().position(|&r| r == label).and_then(|n| u16::try_from(n + 1).ok())
}

/// The id around `id`: the item above, or the paragraph of a first-depth item.
///
/// ```
/// use sibyl_text::reference::ifrs::parent;
/// assert_eq!(parent("S2.14(a)(iv)"), Some("S2.14(a)"));
/// assert_eq!(parent("S2.14(a)"), Some("S2.14"));
/// assert_eq!(parent("S2.14"), None);
/// ```
pub fn parent(id: &str) -> Option<&str> {
    id.ends_with(')').then(|| id.rfind('(')).flatten().map(|at| &id[..at])
}
