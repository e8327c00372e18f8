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

/// The two pages of a sheet; `None` where it shows one. Two pages have two numbers that follow each other, and nothing
/// crosses their middle.
pub(super) fn of(words: &[Word], (width, height): (f32, f32)) -> Option<Spread> {
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
    let follows = |(left, a): &(u32, &Word), (right, b): &(u32, &Word)| {
        *right == left + 1
            && a.rect.right < middle
            && b.rect.left > middle
            && (a.baseline - b.baseline).abs() < SAME_HEIGHT
    };
    let numbers = numbers.iter().find_map(|left| {
        let right = numbers.iter().find(|right| follows(left, right))?;
        Some([left.1.rect, right.1.rect])
    })?;
    let crossed =
        level().any(|word| word.rect.left < middle + FREE / 2.0 && word.rect.right > middle - FREE / 2.0);
    (!crossed).then_some(Spread { middle, numbers })
}
