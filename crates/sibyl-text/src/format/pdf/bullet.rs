//! Bullets that are drawn and not written: small filled shapes before the lines of a list, as browsers print them.

use super::geometry::Rect;
use super::ruling::Painted;
use super::word::{Turn, Word};

/// Greatest size of a bullet, and how far before the text it stands (in letter sizes of the text).
const SIZE: f32 = 0.6;
const NEAR: f32 = 0.15;
const FAR: f32 = 3.0;
/// Free width before a bullet that begins a line (in letter sizes).
const FREE: f32 = 1.0;
/// Difference up to which bullets of one list are alike (points).
const ALIKE: f32 = 0.3;
/// Shapes of a page beyond which they are a drawing.
const MAX_SHAPES: usize = 500;

/// The words of a page with a bullet before each that one of `shapes` stands at.
pub(super) fn written(words: Vec<Word>, shapes: &[Painted]) -> Vec<Word> {
    if shapes.is_empty() || shapes.len() > MAX_SHAPES {
        return words;
    }
    let found: Vec<(usize, &Rect)> =
        shapes.iter().filter_map(|shape| Some((marked(&words, &shape.rect)?, &shape.rect))).collect();
    // Those of a list have one shape and stand below each other, each as high above its baseline and as far before its text.
    let place = |&(at, shape): &(usize, &Rect)| {
        let word = &words[at];
        [
            shape.left,
            shape.width(),
            shape.height(),
            word.baseline - shape.bottom,
            word.rect.left - shape.right,
        ]
    };
    let in_list = |own: &&(usize, &Rect)| {
        let here = place(own);
        let alike =
            |other: &&(usize, &Rect)| place(other).iter().zip(here).all(|(a, b)| (a - b).abs() <= ALIKE);
        let below = |other: &&(usize, &Rect)| (other.1.top - own.1.top).abs() > own.1.height();
        found.iter().filter(alike).any(|other| below(&other))
    };
    let mut bullets: Vec<Option<Word>> = vec![None; words.len()];
    for (at, shape) in found.iter().filter(in_list) {
        let bullet =
            Word { text: "•".to_owned(), rect: **shape, bold: false, spaced: true, ..words[*at].clone() };
        bullets[*at] = Some(bullet);
    }
    let mut out = Vec::with_capacity(words.len());
    for (bullet, mut word) in bullets.into_iter().zip(words) {
        word.spaced |= bullet.is_some();
        out.extend(bullet);
        out.push(word);
    }
    out
}

/// The word that a bullet at `shape` stands before, if that begins a line.
fn marked(words: &[Word], shape: &Rect) -> Option<usize> {
    let middle = shape.center().1;
    let beside = |word: &Word| {
        word.turn == Turn::Level
            && shape.height() <= SIZE * word.size
            && (word.baseline - word.size..word.baseline).contains(&middle)
    };
    let gap = |word: &Word| (word.rect.left - shape.right) / word.size;
    let (at, _) = words
        .iter()
        .enumerate()
        .filter(|(_, word)| beside(word) && (NEAR..FAR).contains(&gap(word)))
        .min_by(|a, b| gap(a.1).total_cmp(&gap(b.1)))?;
    let free = words
        .iter()
        .filter(|word| beside(word))
        .all(|word| word.rect.left >= shape.right || word.rect.right <= shape.left - FREE * word.size);
    free.then_some(at)
}
