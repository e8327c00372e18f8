//! Where marked or quoted words stand in a text that has changed since.

use sibyl_text::Span;

/// Where `text` has `quote`, apart from white space. If there are several places, it is the one between the words
/// `before` and `after`, else the one with most of these around it, else the first. Other words are never taken
/// for the quote: if it was edited, a person quotes it again.
pub fn find(text: &str, quote: &str, before: &str, after: &str) -> Option<Span> {
    let (flat, at) = flattened(text);
    let quote = flattened(quote).0;
    if quote.is_empty() {
        return None;
    }
    let (before, after) = (flattened(before).0, flattened(after).0);
    let alike = |start: usize| {
        let head = flat[..start].trim_end();
        let tail = flat[start + quote.len()..].trim_start();
        let same = |a: &mut dyn Iterator<Item = (char, char)>| a.take_while(|(a, b)| a == b).count();
        same(&mut head.chars().rev().zip(before.chars().rev())) + same(&mut tail.chars().zip(after.chars()))
    };
    let mut best: Option<(usize, usize)> = None;
    for (start, _) in flat.match_indices(quote.as_str()) {
        let likeness = alike(start);
        if best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, start));
        }
    }
    best.map(|(_, start)| stretch(text, &at, start, &quote))
}

/// Every place of `quote` in `text`, apart from white space, in order.
pub fn places(text: &str, quote: &str) -> Vec<Span> {
    let (flat, at) = flattened(text);
    let quote = flattened(quote).0;
    if quote.is_empty() {
        return Vec::new();
    }
    flat.match_indices(quote.as_str()).map(|(start, _)| stretch(text, &at, start, &quote)).collect()
}

/// The stretch of `text` that matches `quote`, which begins at `start` of the flattened text. `at` leads back from
/// there.
fn stretch(text: &str, at: &[usize], start: usize, quote: &str) -> Span {
    let last = start + quote.len() - quote.chars().next_back().map_or(1, char::len_utf8);
    let end = at[last] + text[at[last]..].chars().next().map_or(0, char::len_utf8);
    Span::new(at[start], end)
}

/// `text` with one space for each run of white space and none at its ends, and for each of its bytes the byte in
/// `text`.
fn flattened(text: &str) -> (String, Vec<usize>) {
    let (mut flat, mut at) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    let mut gap = None;
    for (index, letter) in text.char_indices() {
        if letter.is_whitespace() {
            gap = gap.or(Some(index));
            continue;
        }
        if let Some(gap) = gap.take().filter(|_| !flat.is_empty()) {
            flat.push(' ');
            at.push(gap);
        }
        flat.push(letter);
        at.extend(std::iter::repeat_n(index, letter.len_utf8()));
    }
    (flat, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_found_where_its_surroundings_stand() {
        let text = "Net zero by 2050. Net zero by 2040.";
        for (before, after, expected) in
            [("", "", 0..11), ("by 2050. ", "", 18..29), ("", " 2040.", 18..29), ("gone", "gone", 0..11)]
        {
            let found = find(text, "Net zero by", before, after).unwrap();
            assert_eq!(found.start..found.end, expected, "{before}|{after}");
        }
    }

    #[test]
    fn a_quote_is_found_after_its_lines_were_broken_again_and_text_was_put_before_it() {
        let text = "New first line.\n\nÄven den\n  här raden, här.";
        let found = find(text, "Även den här\nraden", "", ",").unwrap();
        assert_eq!(&text[found.start..found.end], "Även den\n  här raden");
        assert_eq!(find(text, "another line", "", ""), None);
        assert_eq!(find(text, "  ", "", ""), None);
    }

    #[test]
    fn every_place_of_a_quote_is_found() {
        let text = "Net zero\nby 2050. Net  zero by 2040.";
        let found = places(text, "Net zero by");
        let words: Vec<&str> = found.iter().map(|span| span.of(text)).collect();
        assert_eq!(words, ["Net zero\nby", "Net  zero by"]);
        assert_eq!((places(text, "gross").len(), places(text, " ").len()), (0, 0));
    }

    #[test]
    fn a_quote_of_which_a_word_was_changed_stands_there_no_longer() {
        let quote = "The company plans to close the last coal plant by 2030.";
        for text in [
            "The company plans to close the last coal plant by 2031.",
            "The company now plans to close the last coal plant by 2030.",
            "The company plans to close the coal plant by 2030.",
        ] {
            assert_eq!(find(text, quote, "", ""), None, "{text}");
        }
    }
}
