//! Numbers that are set small and high: what they are raised above keeps its value ("5,000¹" is no 50,001).

/// The superscript form of a digit, minus sign or bracket.
pub(super) fn superscript(digit: char) -> Option<char> {
    let forms = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match digit {
        '-' | '−' => Some('⁻'),
        '(' => Some('⁽'),
        ')' => Some('⁾'),
        _ => digit.to_digit(10).map(|d| forms[d as usize]),
    }
}

/// The superscript form of a letter that marks a note, as in `iii`.
pub(super) fn superscript_letter(letter: char) -> Option<char> {
    const FORMS: [char; 26] = [
        'ᵃ',
        'ᵇ',
        'ᶜ',
        'ᵈ',
        'ᵉ',
        'ᶠ',
        'ᵍ',
        'ʰ',
        'ⁱ',
        'ʲ',
        'ᵏ',
        'ˡ',
        'ᵐ',
        'ⁿ',
        'ᵒ',
        'ᵖ',
        '\u{107A5}',
        'ʳ',
        'ˢ',
        'ᵗ',
        'ᵘ',
        'ᵛ',
        'ʷ',
        'ˣ',
        'ʸ',
        'ᶻ',
    ];
    letter.is_ascii_lowercase().then(|| FORMS[usize::from(letter as u8 - b'a')])
}

/// Whether a sign is one of the superscript forms that mark a note.
pub(super) fn is_mark(sign: char) -> bool {
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁽⁾*†‡§".contains(sign)
        || (b'a'..=b'z').any(|letter| superscript_letter(char::from(letter)) == Some(sign))
}

/// Whether `text` is a number or several, with the brackets of marks: `1`, `1, 2`, `2)`.
pub(super) fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || ",-−()".contains(c))
        && text.contains(|c: char| c.is_ascii_digit())
}

/// `text` as it stands raised: numbers in superscript digits, all else as it is.
pub(super) fn raised(text: &str) -> String {
    let number = is_number(text);
    let shown = |c| if number { superscript(c).unwrap_or(c) } else { c };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::raised;

    #[test]
    fn only_numbers_are_raised() {
        for (text, shown) in [
            ("1", "¹"),
            ("1, 2", "¹, ²"),
            ("2)", "²⁾"),
            ("(3)", "⁽³⁾"),
            ("-6", "⁻⁶"),
            ("st", "st"),
            ("2a", "2a"),
            ("()", "()"),
        ] {
            assert_eq!(raised(text), shown);
        }
    }
}
