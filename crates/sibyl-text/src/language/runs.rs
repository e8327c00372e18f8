//! Runs of scripts that set no blanks between words, as an index of words sees them.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization as _;

/// Whether `c` is Han, Kana, Bopomofo or Hangul, of which a run holds words that no blank parts.
pub fn is_of_a_run(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '々'..='〇' | 'ぁ'..='ゖ' | '゛'..='ゟ' | 'ァ'..='ヺ' | 'ー'..='ヿ'
        | '\u{3105}'..='\u{318e}' | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether `c` is another form of a letter of a run or of a Latin one: full and half width, radicals, letters kept for
/// compatibility.
fn is_other_form(c: char) -> bool {
    matches!(c, '\u{ff01}'..='\u{ffdc}' | '\u{2e80}'..='\u{2fd5}' | '\u{f900}'..='\u{faff}')
}

/// `text` as the index of words holds it and looks it up. Other forms of letters become the usual ones. A run becomes
/// its pairs of letters, so that a word inside it is found as the phrase of its own pairs. A letter alone stays
/// alone. Other text is as it was.
///
/// ```
/// use sibyl_text::language::runs::indexed;
/// assert_eq!(indexed("ＥＳＧ相關債券 2024").trim(), "ESG 相關 關債 債券  2024");
/// assert_eq!(indexed("Scope 1 emissions"), "Scope 1 emissions");
/// ```
pub fn indexed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().any(|c| is_of_a_run(c) || is_other_form(c)) {
        return Cow::Borrowed(text);
    }
    let mut usual = String::with_capacity(text.len());
    let mut from = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        if is_other_form(c) {
            usual.push_str(&text[from..at]);
            while rest.next_if(|(_, c)| is_other_form(*c)).is_some() {}
            from = rest.peek().map_or(text.len(), |(at, _)| *at);
            usual.extend(text[at..from].nfkc());
        }
    }
    usual.push_str(&text[from..]);
    let mut out = String::with_capacity(2 * usual.len());
    let mut letters = usual.chars().peekable();
    while let Some(c) = letters.next() {
        if !is_of_a_run(c) {
            out.push(c);
            continue;
        }
        out.push(' ');
        out.push(c);
        let mut last = c;
        let mut first = true;
        while let Some(next) = letters.next_if(|next| is_of_a_run(*next)) {
            if !first {
                out.extend([' ', last]);
            }
            out.push(next);
            (last, first) = (next, false);
        }
        out.push(' ');
    }
    Cow::Owned(out)
}

/// Whether `text` is one letter of a run, which stands in an index only as a part of pairs.
pub fn is_one_letter(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(is_of_a_run) && letters.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<String> {
        indexed(text).split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn other_forms_of_letters_are_the_usual_ones() {
        for (form, usual) in [("ＥＳＧ", "ESG"), ("ｶﾞｽ", "ガス"), ("１２％", "12%"), ("⽔", "水")]
        {
            assert_eq!(tokens(form), tokens(usual), "{form}");
        }
    }

    proptest! {
        #[test]
        fn a_word_of_a_run_is_a_phrase_of_it(run in "[氣候風險管理目標サスガ]{2,12}", from in 0_usize..10, len in 2_usize..6) {
            let letters: Vec<char> = run.chars().collect();
            let from = from.min(letters.len() - 2);
            let word: String = letters[from..(from + len).min(letters.len())].iter().collect();
            let (run, word) = (tokens(&run), tokens(&word));
            prop_assert!(run.windows(word.len()).any(|part| part == word), "{word:?} in {run:?}");
        }

        #[test]
        fn text_of_other_scripts_stays(text in "[a-zäåéß0-9 .,³²§–]{0,40}") {
            prop_assert_eq!(indexed(&text), text.as_str());
        }
    }
}
