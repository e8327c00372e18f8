//! Where words that were marked or quoted stand in a text that has changed since.

use crate::store::table::gold::GoldSpan;
use sibyl_text::Span;

/// Words of a quote for each that may be missing, added or another one.
const WORDS_A_CHANGE: usize = 4;

/// Where `text` has the quote of `span`: between the words that stood around it, else where most of these stand still,
/// else the first place. White space counts as one space, so that a line broken again changes nothing. A quote that has
/// been edited is found where at most one word in four is another one.
pub fn find(text: &str, span: &GoldSpan) -> Option<Span> {
    exact(text, &span.quote, &span.before, &span.after).or_else(|| edited(text, span))
}

/// Where `text` has `quote`, but for its white space: of several places that between the words `before` and `after`, else the
/// one where most of these stand, else the first.
pub fn exact(text: &str, quote: &str, before: &str, after: &str) -> Option<Span> {
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
    let (_, start) = best?;
    let last = start + quote.len() - quote.chars().next_back().map_or(1, char::len_utf8);
    let end = at[last] + text[at[last]..].chars().next().map_or(0, char::len_utf8);
    Some(Span::new(at[start], end))
}

/// `text` with one space for each run of white space, none at its ends, and the byte of `text` for each of its bytes.
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

/// A word, small and without its marks, with its bytes of the text.
fn words(text: &str) -> Vec<(String, Span)> {
    let mut out: Vec<(String, Span)> = Vec::new();
    let mut open = false;
    for (at, letter) in text.char_indices() {
        if !letter.is_alphanumeric() {
            open = false;
            continue;
        }
        if !std::mem::replace(&mut open, true) {
            out.push((String::new(), Span::new(at, at)));
        }
        if let Some((word, span)) = out.last_mut() {
            word.extend(letter.to_lowercase());
            span.end = at + letter.len_utf8();
        }
    }
    out
}

/// The stretch of `text` that the fewest changes of words make the quote of `span`, where they are few: of equal ones that
/// between the words that stood around the quote, else the first (P. H. Sellers, "The theory and computation of
/// evolutionary distances: pattern recognition", J. Algorithms 1, 1980).
fn edited(text: &str, span: &GoldSpan) -> Option<Span> {
    let (quote, text) = (words(&span.quote), words(text));
    if quote.is_empty() {
        return None;
    }
    let most = quote.len() / WORDS_A_CHANGE;
    // Changes, and the word of the text that the stretch begins with, for each number of words of the quote. Of equal
    // changes those of the longer stretch count, for a word is changed more often than left out.
    let mut column: Vec<(usize, usize)> = (0..=quote.len()).map(|changes| (changes, 0)).collect();
    let mut best: Option<(usize, usize, usize, usize)> = None;
    let (before, after) = (words(&span.before), words(&span.after));
    let same = |a: &(String, Span), b: &(String, Span)| a.0 == b.0;
    for (at, word) in text.iter().enumerate() {
        let mut corner = std::mem::replace(&mut column[0], (0, at + 1));
        for (index, own) in quote.iter().enumerate() {
            let swapped = (corner.0 + usize::from(!same(own, word)), corner.1);
            corner = column[index + 1];
            let (added, missing) = ((corner.0 + 1, corner.1), (column[index].0 + 1, column[index].1));
            column[index + 1] = swapped.min(added).min(missing);
        }
        let (changes, start) = column[quote.len()];
        if changes > most {
            continue;
        }
        let head = text[..start].iter().rev().zip(before.iter().rev()).take_while(|(a, b)| same(a, b));
        let tail = text[at + 1..].iter().zip(&after).take_while(|(a, b)| same(a, b));
        let alike = head.count() + tail.count();
        let better = best.is_none_or(|(fewest, most, from, _)| {
            changes < fewest || changes == fewest && (alike > most || alike == most && start == from)
        });
        if better {
            best = Some((changes, alike, start, at));
        }
    }
    let (_, _, start, end) = best?;
    Some(Span::new(text[start].1.start, text[end].1.end))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A span of `a.md`.
    pub(crate) fn span(quote: &str, before: &str, after: &str) -> GoldSpan {
        let [path, quote, before, after] = ["a.md", quote, before, after].map(str::to_owned);
        GoldSpan { path, quote, before, after, text_version: String::new() }
    }

    #[test]
    fn a_quote_is_found_where_its_surroundings_stand() {
        let text = "Net zero by 2050. Net zero by 2040.";
        for (before, after, expected) in
            [("", "", 0..11), ("by 2050. ", "", 18..29), ("", " 2040.", 18..29), ("gone", "gone", 0..11)]
        {
            let found = find(text, &span("Net zero by", before, after)).unwrap();
            assert_eq!(found.start..found.end, expected, "{before}|{after}");
        }
    }

    #[test]
    fn a_quote_is_found_after_its_lines_were_broken_again_and_text_was_put_before_it() {
        let text = "New first line.\n\nÄven den\n  här raden, här.";
        let found = find(text, &span("Även den här\nraden", "", ",")).unwrap();
        assert_eq!(&text[found.start..found.end], "Även den\n  här raden");
        assert_eq!(find(text, &span("another line", "", "")), None);
        assert_eq!(find(text, &span("  ", "", "")), None);
    }

    #[test]
    fn a_quote_is_found_after_a_word_in_four_was_changed_added_or_taken_out() {
        let quote = "The company plans to close the last coal plant by 2030.";
        for (text, expected) in [
            (
                "Today: The company plans to shut the last coal plant by 2031. More.",
                Some("The company plans to shut the last coal plant by 2031"),
            ),
            (
                "The company now plans to close the last coal plant, by 2030!",
                Some("The company now plans to close the last coal plant, by 2030"),
            ),
            (
                "It said so. The company plans to close the coal plant by 2030.",
                Some("The company plans to close the coal plant by 2030"),
            ),
            (
                "THE COMPANY PLANS TO CLOSE THE LAST COAL PLANT BY 2030.",
                Some("THE COMPANY PLANS TO CLOSE THE LAST COAL PLANT BY 2030"),
            ),
            ("The company plans to open the first solar plant by 2030.", None),
            ("Coal plants close.", None),
        ] {
            let found = find(text, &span(quote, "", "")).map(|found| &text[found.start..found.end]);
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn of_two_edited_places_that_between_the_old_words_is_meant() {
        let text = "North: we cut water use by half in 2024. South: we cut water use by half in 2024.";
        let found = find(text, &span("we cut water use by half in 2023", "South: ", ".")).unwrap();
        assert_eq!(found.start, text.rfind("we cut").unwrap());
        assert_eq!(find(text, &span("we cut more", "", "")), None, "a short quote has no word to spare");
    }
}
