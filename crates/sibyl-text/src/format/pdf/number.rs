//! Numbers that stand for themselves, with their currency or unit.

use super::characters::is_unspaced;
use crate::language::unit;

/// What may follow a number and is part of it, beside units and multiples.
const BEHIND: [&str; 6] = ["per", "cent", "metric", "b", "x", "+"];
/// Signs of a writing without spaces from which they are no unit but a sentence.
const SENTENCE: usize = 9;
/// Words between the numbers of a share.
const SHARES: [&str; 3] = ["of", "in", "out"];

/// Whether a text is nothing but a number with its currency or unit, a share such as `3 of 5` or zero.
pub(super) fn is_number(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    let is_code =
        |word: &&str| word.bytes().all(|b| b.is_ascii_uppercase()) && unit::is_currency(&word.to_lowercase());
    if words.next_if(is_code).is_none() && words.next_if(|word| word.eq_ignore_ascii_case("zero")).is_some() {
        return words.next().is_none();
    }
    let first = words.next().unwrap_or_default();
    first.starts_with(|c: char| c.is_ascii_digit() || "$€£¥~<>≈+-−–".contains(c))
        && first.chars().any(|c| c.is_ascii_digit())
        && !text.contains(['、', '。', '，'])
        && text.chars().filter(|c| is_unspaced(*c)).count() < SENTENCE
        && !first.ends_with('.')
        // What stands before a colon says of when the number is.
        && !text.split_whitespace().any(|word| word.ends_with(':'))
        && !SHARES.contains(&text.split_whitespace().next_back().unwrap_or_default())
        && words.all(|word| {
            let lower = word.to_lowercase();
            unit::stands_alone(&lower) && !lower.ends_with('.')
                || unit::scale(lower.trim_end_matches('.')).is_some()
                || BEHIND.contains(&lower.as_str())
                || SHARES.contains(&word)
                || word.chars().any(|c| c.is_ascii_digit())
        })
}

/// Whether texts are numbers that only count on, as those of steps or chapters do: three at least, or two from 1.
pub(super) fn count_on(texts: impl Iterator<Item = String>) -> bool {
    let plain: Option<Vec<u32>> = texts.map(|text| text.parse().ok()).collect();
    let rises = |two: &[u32]| two[0].checked_add(1) == Some(two[1]);
    plain.is_some_and(|plain| {
        let begins = plain.len() > 2 || plain.first() == Some(&1);
        begins && plain.len() > 1 && plain.windows(2).all(rises)
    })
}

#[cfg(test)]
mod tests {
    use super::is_number;

    #[test]
    fn a_line_of_a_sentence_that_begins_with_a_number_is_none() {
        for number in ["412千トン", "1,234百万円", "7%", "€412m", "3 of 5"] {
            assert!(is_number(number), "{number}");
        }
        for line in [
            "1H 2023: 10.2%",
            "2023: 86",
            "412千トンで、前年度から7%減少しました。",
            "412万吨，比上年下降7%",
            "412千トンで前年度から減少しています",
        ] {
            assert!(!is_number(line), "{line}");
        }
    }
}
