//! Words as a person reads them: letter-spaced headings joined, drop capitals with the word that they begin.

use super::word::{SPACE, Turn, Word};
use std::collections::HashSet;

/// Fewest single letters in a row that are a letter-spaced word.
const MIN_LETTERS: usize = 4;
/// Widest gap between two of them (em), and ratio to the usual gap from which another word begins.
const LETTER_GAP: f32 = 1.2;
const WORD_GAP: f32 = 1.7;
/// Ratio to the letters of its word from which a capital is a drop capital.
const DROP: f32 = 1.8;
/// Farthest place of the word right of its drop capital, and highest above or below the capital's top (in letter sizes of
/// the word).
const DROP_REACH: f32 = 1.0;
const DROP_TOP: f32 = 0.8;

/// The same words, in the order in which they were drawn, mended.
pub(super) fn mended(words: Vec<Word>) -> Vec<Word> {
    dropped(unspaced(words))
}

/// Joins single letters that stand at even distances.
fn unspaced(words: Vec<Word>) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::with_capacity(words.len());
    let mut run: Vec<Word> = Vec::new();
    for word in words {
        if run.last().is_some_and(|last| !is_next(last, &word)) || !is_letter(&word) && !is_stop(&word) {
            close(&mut run, &mut out);
        }
        if is_letter(&word) || run.last().is_some_and(|last| is_next(last, &word)) && is_stop(&word) {
            run.push(word);
        } else {
            out.push(word);
        }
    }
    close(&mut run, &mut out);
    out
}

fn is_letter(word: &Word) -> bool {
    let mut signs = word.text.chars();
    word.turn == Turn::Level
        && signs.next().is_some_and(|c| c.is_alphanumeric() || "&’'-".contains(c))
        && signs.next().is_none_or(|c| ",.:;!?".contains(c) && signs.next().is_none())
}

/// Whether a word is a sign that ends a sentence, which stands at the distance of the letters before it.
fn is_stop(word: &Word) -> bool {
    matches!(word.text.as_str(), "?" | "!" | "." | "," | ":" | ";")
}

fn is_next(last: &Word, next: &Word) -> bool {
    let gap = (next.rect.left - last.rect.right) / last.size;
    (next.size - last.size).abs() < 0.02 * last.size
        && (next.baseline - last.baseline).abs() < 0.05 * last.size
        && next.bold == last.bold
        && next.item == last.item
        && (0.0..LETTER_GAP).contains(&gap)
}

fn close(run: &mut Vec<Word>, out: &mut Vec<Word>) {
    let mut gaps: Vec<f32> = run.windows(2).map(|pair| pair[1].rect.left - pair[0].rect.right).collect();
    let letters = run.iter().filter(|word| word.text.starts_with(char::is_alphabetic)).count();
    if letters < MIN_LETTERS || letters * 3 < run.len() * 2 {
        out.append(run);
        return;
    }
    gaps.sort_by(f32::total_cmp);
    let usual = gaps[gaps.len() / 2];
    let mut right = f32::MIN;
    for (i, word) in run.drain(..).enumerate() {
        let gap = word.rect.left - right;
        right = word.rect.right;
        match out.last_mut() {
            Some(last) if i > 0 && gap <= WORD_GAP * usual => {
                last.text.push_str(&word.text);
                last.rect = last.rect.union(&word.rect);
            }
            last => {
                // The distance of the letters belongs to them: what is left is a space, and no gap between columns.
                if let Some(last) = last.filter(|_| i > 0) {
                    last.rect.right = last.rect.right.max(word.rect.left - SPACE * word.size);
                }
                out.push(Word { spaced: true, ..word });
            }
        }
    }
}

/// Joins each drop capital with the word beside its top.
fn dropped(mut words: Vec<Word>) -> Vec<Word> {
    let is_capital = |word: &Word| {
        let mut signs = word.text.chars();
        word.turn == Turn::Level && signs.next().is_some_and(char::is_uppercase) && signs.next().is_none()
    };
    let mut at = 0;
    while at < words.len() {
        let follower = if is_capital(&words[at]) { follower(&words, at) } else { None };
        let Some(next) = follower else {
            at += 1;
            continue;
        };
        let capital = words.remove(at);
        let next = if next > at { next - 1 } else { next };
        let between = if stands_alone(&capital, next, &words) { " " } else { "" };
        let word = &mut words[next];
        word.text = format!("{}{between}{}", capital.text, word.text);
        word.spaced |= capital.spaced;
    }
    words
}

/// The word beside the top of a capital that is much larger than it.
fn follower(words: &[Word], at: usize) -> Option<usize> {
    let capital = &words[at];
    let beside = |word: &Word| {
        let gap = word.rect.left - capital.rect.right;
        let top = word.rect.top - capital.rect.top;
        word.turn == Turn::Level
            && capital.size >= DROP * word.size
            && (-0.3 * word.size..DROP_REACH * word.size).contains(&gap)
            && (-DROP_TOP * word.size..0.5 * capital.size).contains(&top)
            && word.rect.bottom < capital.rect.bottom
            && word.text.starts_with(char::is_alphabetic)
    };
    let found = words.iter().enumerate().filter(|(i, word)| *i != at && beside(word));
    let first = found
        .min_by(|a, b| a.1.rect.top.total_cmp(&b.1.rect.top).then(a.1.rect.left.total_cmp(&b.1.rect.left)))?;
    // A drop capital stands beside at least two lines.
    let second = |word: &Word| {
        let gap = word.rect.left - capital.rect.right;
        word.baseline > first.1.baseline + 0.5 * first.1.size
            && word.baseline < capital.baseline + 0.3 * first.1.size
            && (word.size - first.1.size).abs() < 0.1 * first.1.size
            && (-0.3 * word.size..DROP_REACH * word.size).contains(&gap)
    };
    words.iter().any(second).then_some(first.0)
}

/// Whether a capital is a word of its own, as in "A company", as the other words of the page tell.
fn stands_alone(capital: &Word, next: usize, words: &[Word]) -> bool {
    if !["A", "I"].contains(&capital.text.as_str()) {
        return false;
    }
    let plain = |text: &str| text.to_lowercase().trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let rest = plain(&words[next].text);
    let whole = format!("{}{rest}", capital.text.to_lowercase());
    let others: HashSet<String> =
        words.iter().enumerate().filter(|(i, _)| *i != next).map(|(_, word)| plain(&word.text)).collect();
    others.contains(&rest) && !others.contains(&whole)
}
