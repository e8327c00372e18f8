//! Pages whose text runs up or down, as a wide table does on an upright page: they are read as if turned by a quarter.

use super::geometry::Rect;
use super::ruling::Ruling;
use super::word::{Turn, Word};

/// Share of the letters of a page that must run one way for it to be read that way.
const MOST: f32 = 0.7;
/// Words from which a page is worth turning: fewer are labels at its side.
const FEWEST: usize = 20;

/// A page that lies on its side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sideways {
    /// Whether its text runs up; down otherwise.
    up: bool,
    /// Width and height as it is filed (points).
    size: (f32, f32),
}

impl Sideways {
    /// How a page of `size` with `words` lies, if on its side.
    pub(super) fn of(words: &[Word], size: (f32, f32)) -> Option<Self> {
        let letters = |turn: Option<Turn>| -> usize {
            words
                .iter()
                .filter(|word| turn.is_none_or(|turn| word.turn == turn))
                .map(|word| word.text.len())
                .sum()
        };
        let (up, down) = (letters(Some(Turn::Up)), letters(Some(Turn::Down)));
        let most = up.max(down) as f32 >= MOST * letters(None) as f32;
        (words.len() >= FEWEST && most).then_some(Self { up: up >= down, size })
    }

    /// Where a box of the page stands when that is turned upright.
    pub(super) fn upright(&self, rect: &Rect) -> Rect {
        let (width, height) = self.size;
        if self.up {
            Rect { left: height - rect.bottom, top: rect.left, right: height - rect.top, bottom: rect.right }
        } else {
            Rect { left: rect.top, top: width - rect.right, right: rect.bottom, bottom: width - rect.left }
        }
    }

    /// Where a box of the upright page stands on the page as it is filed.
    pub(super) fn filed(&self, rect: &Rect) -> Rect {
        let (width, height) = self.size;
        if self.up {
            Rect { left: rect.top, top: height - rect.right, right: rect.bottom, bottom: height - rect.left }
        } else {
            Rect { left: width - rect.bottom, top: rect.left, right: width - rect.top, bottom: rect.right }
        }
    }

    /// A word of the page when that is turned upright.
    pub(super) fn word(&self, word: Word) -> Word {
        let (width, height) = self.size;
        let turn = match (word.turn, self.up) {
            (Turn::Up, true) | (Turn::Down, false) => Turn::Level,
            (Turn::Level, true) | (Turn::Reverse, false) => Turn::Down,
            (Turn::Down, true) | (Turn::Up, false) => Turn::Reverse,
            (Turn::Reverse, true) | (Turn::Level, false) => Turn::Up,
        };
        // Heights are measured from the left side of the page, or from its right one; widths from below, or from above.
        let runs_along = matches!(word.turn, Turn::Up | Turn::Down);
        let baseline = match (runs_along, self.up) {
            (true, true) | (false, false) => word.baseline,
            (true, false) => width - word.baseline,
            (false, true) => height - word.baseline,
        };
        Word { turn, baseline, rect: self.upright(&word.rect), ..word }
    }

    /// A line of the page when that is turned upright.
    pub(super) fn ruling(&self, line: Ruling) -> Ruling {
        let (width, height) = self.size;
        let turned = |at: f32, from: f32, to: f32| Ruling { horizontal: !line.horizontal, at, from, to };
        match (line.horizontal, self.up) {
            (true, true) => turned(height - line.at, line.from, line.to),
            (false, true) => turned(line.at, height - line.to, height - line.from),
            (true, false) => turned(line.at, width - line.to, width - line.from),
            (false, false) => turned(width - line.at, line.from, line.to),
        }
    }
}
