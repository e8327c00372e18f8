//! Splitting a stretch that is too long for one chunk into parts, at the best places there are.

use crate::document::Span;
use crate::language::sentence::{Lines, sentences};
use crate::tokens::TokenCounter;

/// How good a place to split is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CutPoint {
    /// Anywhere between words: only inside a sentence that is longer than a part.
    Word,
    Sentence,
    Block,
    /// Before an item, a metric or whatever the strategy names.
    Named,
}

/// Where a strategy wants a stretch to be split, and where not.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    /// The best places, sorted.
    pub named: &'a [usize],
    /// What stays whole if it fits, in order.
    pub whole: &'a [Span],
    /// From here on the text stays with the sentence before it.
    pub uncut: usize,
}

/// Splits `span` into parts of at most `budget` tokens that follow each other without a gap. Parts are of similar
/// size and end before one of the named places, at a blank line or at a sentence's end. Only an indivisible
/// stretch that alone exceeds the budget is split between words.
pub(super) fn cut(
    text: &str,
    span: Span,
    budget: usize,
    tokens: &dyn TokenCounter,
    wanted: Places<'_>,
) -> Vec<Span> {
    let budget = budget.max(1);
    let atoms = atoms(text, span, budget, tokens, wanted);
    let total: usize = atoms.iter().map(|a| a.tokens).sum();
    if total <= budget {
        return vec![span];
    }
    let even = total.div_ceil(total.div_ceil(budget));
    let limit = (even + even / 5).min(budget);
    let mut parts = Vec::new();
    let mut first = 0;
    while first < atoms.len() {
        let mut filled = 0;
        let mut best = (CutPoint::Word, first);
        let mut next = first;
        while next < atoms.len() && (filled + atoms[next].tokens <= limit || next == first) {
            filled += atoms[next].tokens;
            next += 1;
            let place = atoms.get(next).map_or(CutPoint::Named, |a| a.before);
            let place = if filled * 2 < limit { CutPoint::Word } else { place };
            if place >= best.0 {
                best = (place, next);
            }
        }
        let end = if next == atoms.len() { next } else { best.1 };
        parts.push(Span::new(atoms[first].span.start, atoms[end - 1].span.end));
        first = end;
    }
    parts
}

/// The smallest stretch that is kept whole.
struct Atom {
    span: Span,
    tokens: usize,
    /// What kind of place its start is.
    before: CutPoint,
}

fn atoms(text: &str, span: Span, budget: usize, tokens: &dyn TokenCounter, wanted: Places<'_>) -> Vec<Atom> {
    let mut places = places(text, span);
    places.extend(
        wanted.named.iter().filter(|&&at| span.start < at && at < span.end).map(|&at| (at, CutPoint::Named)),
    );
    places.sort_by_key(|&(at, place)| (at, std::cmp::Reverse(place)));
    // A named place and the sentence that starts right after it count as one place.
    places.dedup_by(|next, kept| {
        let same = text[kept.0..next.0].trim().is_empty();
        kept.1 = if same { kept.1.max(next.1) } else { kept.1 };
        same
    });
    let inside = |at: usize| {
        let next = wanted.whole.partition_point(|whole| whole.end <= at);
        wanted.whole.get(next).is_some_and(|whole| whole.start < at && tokens.count(whole.of(text)) <= budget)
    };
    places.retain(|&(at, _)| at == span.start || at < wanted.uncut && !inside(at));
    let ends = places.iter().map(|&(at, _)| at).skip(1).chain([span.end]);
    let mut atoms = Vec::new();
    for (&(start, before), end) in places.iter().zip(ends) {
        let piece = Span::new(start, end);
        let count = tokens.count(piece.of(text));
        if count <= budget {
            atoms.push(Atom { span: piece, tokens: count, before });
            continue;
        }
        for (n, word) in between_words(text, piece, budget, count, tokens).into_iter().enumerate() {
            let before = if n == 0 { before } else { CutPoint::Word };
            atoms.push(Atom { span: word, tokens: tokens.count(word.of(text)), before });
        }
    }
    atoms
}

/// Splits a sentence of `count` tokens into stretches of at most `budget` tokens.
fn between_words(
    text: &str,
    span: Span,
    budget: usize,
    count: usize,
    tokens: &dyn TokenCounter,
) -> Vec<Span> {
    let mut out = Vec::new();
    let window = (span.len() * budget / count.max(1)).max(4);
    let mut at = span.start;
    while at < span.end {
        let mut end = floor(text, (at + window).min(span.end), at);
        if end < span.end {
            let late = floor(text, at + (end - at) * 7 / 10, at);
            end = text[late..end].rfind(char::is_whitespace).map_or(end, |n| floor(text, late + n + 1, at));
        }
        while end - at > 4 && tokens.count(&text[at..end]) > budget {
            end = floor(text, at + (end - at) / 2, at);
        }
        out.push(Span::new(at, end));
        at = end;
    }
    out
}

/// The last character boundary at or before `to`, but at least one character after `from`.
fn floor(text: &str, to: usize, from: usize) -> usize {
    let at = text.floor_char_boundary(to);
    if at > from { at } else { from + text[from..].chars().next().map_or(1, char::len_utf8) }
}

/// Starts of sentences and of blocks set apart by blank lines in `span`; the first is the span's start.
fn places(text: &str, span: Span) -> Vec<(usize, CutPoint)> {
    let mut places: Vec<(usize, CutPoint)> = Vec::new();
    let mut end = span.start;
    for sentence in sentences(text, span, Lines::Wrapped) {
        let gap = &text[end..sentence.start];
        let place = if gap.bytes().filter(|&b| b == b'\n').count() > 1 {
            CutPoint::Block
        } else {
            CutPoint::Sentence
        };
        places.push((if places.is_empty() { span.start } else { sentence.start }, place));
        end = sentence.end;
    }
    if places.is_empty() {
        places.push((span.start, CutPoint::Block));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::CharsPerToken;
    use proptest::prelude::*;

    fn parts(text: &str, budget: usize) -> Vec<&str> {
        let span = Span::new(0, text.len());
        cut(text, span, budget, &CharsPerToken, Places { named: &[], whole: &[], uncut: span.end })
            .iter()
            .map(|s| s.of(text))
            .collect()
    }

    #[test]
    fn cuts_at_sentence_ends() {
        let text = "One has e.g. Four in it. Two asks No. 5! Is S2.14 three? Four ends (here.) Five.";
        for part in parts(text, 10) {
            assert!(part.trim_end().ends_with(['.', '!', '?', ')']), "{part:?}");
        }
        assert!(parts(text, 10).len() > 2);
    }

    #[test]
    fn keeps_whole_what_fits_and_the_end_together() {
        let text = "Aaaa bbbb. Cccc dddd. Eeee ffff. Gggg hhhh. Iiii jjjj.";
        let span = Span::new(0, text.len());
        let whole = [Span::new(0, 21)];
        let uncut = text.find("Iiii").unwrap_or_default();
        let cut = cut(text, span, 6, &CharsPerToken, Places { named: &[], whole: &whole, uncut });
        assert_eq!(cut.iter().map(|s| s.start).collect::<Vec<_>>(), [0, 22, 33]);
    }

    #[test]
    fn prefers_a_named_place() {
        let text = "aaaa bbbb. Cccc dddd. Eeee ffff. Gggg hhhh.";
        let span = Span::new(0, text.len());
        let named = text.find("Eeee").unwrap_or_default();
        let cut = cut(text, span, 8, &CharsPerToken, Places { named: &[named], whole: &[], uncut: span.end });
        assert_eq!(cut.iter().map(|s| s.start).collect::<Vec<_>>(), [0, named]);
    }

    proptest! {
        #[test]
        fn parts_join_to_the_whole_and_fit(text in "([a-zA-Zé水 ]{0,30}[.!?]?[ \n]{0,3}){0,40}", budget in 2usize..60) {
            let span = Span::new(0, text.len());
            let cut = cut(&text, span, budget, &CharsPerToken, Places { named: &[], whole: &[], uncut: span.end });
            let joined: String = cut.iter().map(|s| s.of(&text)).collect();
            prop_assert_eq!(&joined, &text);
            for part in cut {
                prop_assert!(CharsPerToken.count(part.of(&text)) <= budget.max(2));
            }
        }
    }
}
