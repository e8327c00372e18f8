//! Numbers that are set small and high: what they are raised above keeps its value ("5,000¹" is no 50,001).

/// The superscript form of a digit or minus sign.
pub(super) fn superscript(digit: char) -> Option<char> {
    let forms = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match digit {
        '-' | '−' => Some('⁻'),
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
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁻*†‡§".contains(sign)
        || (b'a'..=b'z').any(|letter| superscript_letter(char::from(letter)) == Some(sign))
}

/// Whether `text` is a number or several, also those of notes in brackets: `1`, `1, 2`, `2)`.
pub(super) fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || ",-−()".contains(c))
        && text.contains(|c: char| c.is_ascii_digit())
}

/// `text` as it stands raised behind `before`. Numbers get superscript digits, also those of notes in brackets.
/// Letters behind a word become the mark of a note. All else stays as it is.
pub(super) fn raised(before: &str, text: &str) -> String {
    if let Some(marks) = bracketed(text) {
        return marks;
    }
    if is_letter_mark(before, text) {
        return text.chars().filter_map(superscript_letter).collect();
    }
    let numbers = text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || ",-−".contains(c));
    let shown = |c| if numbers { superscript(c).unwrap_or(c) } else { c };
    text.chars().map(shown).collect()
}

/// Whether `text` is a mark of small letters that a note has, where it is raised behind `before`: `i`, `iii`, `a`.
pub(super) fn is_letter_mark(before: &str, text: &str) -> bool {
    let roman = text.len() <= 4 && text.bytes().all(|b| b"ivx".contains(&b));
    let letter = text.len() == 1 && text.bytes().all(|b| (b'a'..=b'h').contains(&b));
    (roman && !text.is_empty() || letter)
        && before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '%' | ')'))
}

/// Marks of notes with brackets, as `2)`, `(3)` and `1)2)`, without them: a bracket that is not raised would belong to the
/// number before it. `None` where something else stands there.
fn bracketed(text: &str) -> Option<String> {
    let own = text.trim();
    if !own.ends_with(')') {
        return None;
    }
    let parts = own.split([')', '(', ',', ' ']).filter(|part| !part.is_empty());
    let mark = |part: &str| -> Option<String> {
        let romans = part.chars().all(|c| "ivx".contains(c));
        let short = part.len() <= 2 || romans && part.len() <= 4;
        let raise = |c: char| superscript(c).filter(|_| c.is_ascii_digit()).or_else(|| superscript_letter(c));
        part.chars().map(raise).collect::<Option<String>>().filter(|_| short)
    };
    let marks = parts.map(mark).collect::<Option<Vec<String>>>()?;
    let space = |rest: &str| if rest.is_empty() { "" } else { " " };
    let (before, after) = (&text[..text.len() - text.trim_start().len()], &text[text.trim_end().len()..]);
    (!marks.is_empty()).then(|| format!("{}{}{}", space(before), marks.join(","), space(after)))
}

#[cfg(test)]
mod tests {
    use super::raised;

    #[test]
    fn only_numbers_are_raised() {
        for (text, shown) in
            [("1", "¹"), ("1, 2", "¹, ²"), ("-6", "⁻⁶"), ("st", "st"), ("2a", "2a"), ("()", "()")]
        {
            assert_eq!(raised("", text), shown);
        }
    }

    #[test]
    fn the_mark_of_a_note_is_raised_without_its_brackets() {
        for (text, shown) in [
            ("2)", "²"),
            ("(3)", "³"),
            ("12)", "¹²"),
            ("1)2)", "¹,²"),
            ("1), 2)", "¹,²"),
            (" 2) ", " ² "),
            ("a)", "ᵃ"),
            ("(iii)", "ⁱⁱⁱ"),
            ("(see below)", "(see below)"),
            ("TM)", "TM)"),
            (")", ")"),
        ] {
            assert_eq!(raised("", text), shown);
        }
    }
    #[test]
    fn letters_behind_a_word_mark_a_note() {
        for (before, letter, shown) in [
            ("Methane slip", "a", "ᵃ"),
            ("Share (%)", "b", "ᵇ"),
            ("Scope 3", "iii", "ⁱⁱⁱ"),
            ("no", "o", "o"),
            ("word ", "a", "a"),
            ("Corvane", "TM", "TM"),
            ("1", "a", "ᵃ"),
        ] {
            assert_eq!(raised(before, letter), shown, "{before}{letter}");
        }
    }
}
