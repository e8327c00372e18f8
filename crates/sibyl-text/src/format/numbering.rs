//! Numbers of list items as they are written.

/// How a list numbers its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbering {
    Decimal,
    /// `01`, `02` … `10`.
    DecimalZero,
    /// `1st`, as English writes it.
    Ordinal,
    LowerLetter,
    UpperLetter,
    LowerRoman,
    UpperRoman,
}

impl Numbering {
    /// `number` as it is written.
    pub(super) fn shown(self, number: i64) -> String {
        let letters =
            |first: u8| u8::try_from(number - 1).ok().filter(|n| *n < 26).map(|n| char::from(first + n));
        let shown = match self {
            Self::Decimal => None,
            Self::DecimalZero => Some(format!("{number:02}")),
            Self::Ordinal => Some(format!("{number}{}", ending(number))),
            Self::LowerLetter => letters(b'a').map(String::from),
            Self::UpperLetter => letters(b'A').map(String::from),
            Self::LowerRoman => roman(number).map(|roman| roman.to_lowercase()),
            Self::UpperRoman => roman(number),
        };
        shown.unwrap_or_else(|| number.to_string())
    }
}

/// What English writes behind the digits of an ordinal number.
fn ending(number: i64) -> &'static str {
    match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

/// `number` in Roman letters, 1 to 399.
fn roman(number: i64) -> Option<String> {
    let mut left = usize::try_from(number).ok().filter(|number| (1..400).contains(number))?;
    const SIGNS: [(usize, &str); 9] =
        [(100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")];
    let mut out = String::new();
    for (value, sign) in SIGNS {
        while left >= value {
            out.push_str(sign);
            left -= value;
        }
    }
    Some(out)
}
