//! Sheets that show two pages side by side.

use super::geometry::Rect;
use super::panel::Shapes;
use super::part::Part;
use super::ruling::Ruling;
use super::word::{Turn, Word};

/// Ratio of width to height from which a sheet can show two pages.
const WIDE: f32 = 1.2;
/// Part of the height, at top and bottom, in which page numbers stand, and how far their baselines differ (points).
const BAND: f32 = 0.12;
const SAME_HEIGHT: f32 = 3.0;
/// Gap to other words of its line from which a number stands alone (in letter sizes).
const ALONE: f32 = 1.5;
/// Width of the middle that stays free (points).
const FREE: f32 = 4.0;

/// Two pages on one sheet.
pub(super) struct Spread {
    /// Where they part (points from the left).
    middle: f32,
    /// Where their numbers stand.
    numbers: [Rect; 2],
}

impl Spread {
    /// Whether a word is the number of one of the pages.
    fn is_number(&self, word: &Word) -> bool {
        self.numbers.contains(&word.rect)
    }

    /// Its pages, the left one first: `words` but for their numbers, and what of `rulings` stands on each.
    pub(super) fn halves(&self, mut words: Vec<Word>, rulings: &[Ruling], shapes: &Shapes) -> [Part; 2] {
        words.retain(|word| !self.is_number(word));
        let (left, right): (Vec<Word>, Vec<Word>) =
            words.into_iter().partition(|word| word.rect.center().0 < self.middle);
        let on = |left: bool| {
            let at = move |rule: &&Ruling| {
                let (from, to) = if rule.horizontal { (rule.from, rule.to) } else { (rule.at, rule.at) };
                if left { to <= self.middle } else { from >= self.middle }
            };
            rulings.iter().filter(at).copied().collect::<Vec<_>>()
        };
        [Part::new(left, on(true), shapes.clone()), Part::new(right, on(false), shapes.clone())]
    }
}

/// The two pages of a sheet; `None` where it shows one, or something crosses their middle.
pub(super) fn of(words: &[Word], (width, height): (f32, f32)) -> Option<Spread> {
    let [(_, left), (_, right)] = numbers(words, (width, height))?;
    let middle = width / 2.0;
    let crossed = words
        .iter()
        .filter(|word| word.turn == Turn::Level)
        .any(|word| word.rect.left < middle + FREE / 2.0 && word.rect.right > middle - FREE / 2.0);
    (!crossed).then_some(Spread { middle, numbers: [left, right] })
}

/// The number of the left page of a sheet; `None` where it shows one page.
pub(super) fn first(words: &[Word], size: (f32, f32)) -> Option<u32> {
    numbers(words, size).map(|[(left, _), _]| left)
}

/// What is printed for both pages of each sheet, as `8–9`, of the numbers of the left ones. Of several, those count
/// that go on from sheet to sheet.
pub(super) fn labels(lefts: &[Option<u32>]) -> Vec<Option<String>> {
    let base = |sheet: usize, left: u32| i64::from(left) - 2 * sheet as i64;
    let bases: Vec<i64> =
        lefts.iter().enumerate().filter_map(|(sheet, left)| left.map(|left| base(sheet, left))).collect();
    let goes_on = |sheet: usize, left: u32| {
        bases.len() == 1 || bases.iter().filter(|other| **other == base(sheet, left)).count() > 1
    };
    let label = |(sheet, left): (usize, &Option<u32>)| {
        left.filter(|left| goes_on(sheet, *left)).map(|left| format!("{left}–{}", left + 1))
    };
    lefts.iter().enumerate().map(label).collect()
}

/// The numbers of the two pages of a sheet: they follow each other and stand on one line in the halves of a wide sheet.
fn numbers(words: &[Word], (width, height): (f32, f32)) -> Option<[(u32, Rect); 2]> {
    if width < WIDE * height {
        return None;
    }
    let middle = width / 2.0;
    let level = || words.iter().filter(|word| word.turn == Turn::Level);
    let numbers: Vec<(u32, &Word)> = level()
        .filter(|word| {
            let y = word.rect.center().1;
            y < BAND * height || y > (1.0 - BAND) * height
        })
        .filter_map(|word| Some((word.text.parse::<u32>().ok().filter(|n| *n < 10_000)?, word)))
        .collect();
    // At the outer side of its line or alone: one that ends a heading is part of it.
    let ends = |number: &Word, outer: fn(f32, f32) -> bool| {
        let line = level().filter(|word| {
            (word.baseline - number.baseline).abs() < SAME_HEIGHT
                && (word.rect.left < middle) == (number.rect.left < middle)
                && word.rect != number.rect
        });
        let mut near = false;
        let mut outermost = true;
        for word in line {
            near |= -word.rect.overlap_x(&number.rect) < ALONE * number.size;
            outermost &= outer(number.rect.left, word.rect.left);
        }
        outermost || !near
    };
    let follows = |(left, a): &(u32, &Word), (right, b): &(u32, &Word)| {
        *right == left + 1
            && ends(a, |number, word| number < word)
            && ends(b, |number, word| number > word)
            && a.rect.right < middle
            && b.rect.left > middle
            && (a.baseline - b.baseline).abs() < SAME_HEIGHT
    };
    numbers.iter().find_map(|left| {
        let right = numbers.iter().find(|right| follows(left, right))?;
        Some([(left.0, left.1.rect), (right.0, right.1.rect)])
    })
}
