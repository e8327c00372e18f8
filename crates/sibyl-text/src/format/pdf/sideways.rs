//! Pages whose text runs up or down, as a wide table does on an upright page, or stands on its head, as a scan may.
//! They are read as if turned upright.

use super::geometry::Rect;
use super::ruling::Ruling;
use super::word::{Turn, Word};

/// Share of the letters of a page that must run one way for it to be read that way.
const MOST: f32 = 0.7;
/// Words from which a page is worth turning: fewer are labels at its side.
const FEWEST: usize = 20;

/// A page that lies on its side or on its head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sideways {
    lies: Lies,
    /// Width and height as it is filed (points).
    size: (f32, f32),
}

/// Which way the text of a page runs.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Lies {
    Up,
    Down,
    OnItsHead,
}

impl Sideways {
    /// How a page of `size` with `words` lies, if not upright.
    pub(super) fn of(words: &[Word], size: (f32, f32)) -> Option<Self> {
        let letters = |turn: Option<Turn>| -> usize {
            words
                .iter()
                .filter(|word| turn.is_none_or(|turn| word.turn == turn))
                .map(|word| word.text.len())
                .sum()
        };
        let ways = [(Turn::Up, Lies::Up), (Turn::Down, Lies::Down), (Turn::Reverse, Lies::OnItsHead)];
        let counted = ways.map(|(turn, lies)| (letters(Some(turn)), lies));
        let (count, lies) = counted.into_iter().max_by_key(|(count, _)| *count)?;
        let most = count as f32 >= MOST * letters(None) as f32;
        (words.len() >= FEWEST && most).then_some(Self { lies, size })
    }

    /// Width and height of the upright page (points).
    pub(super) fn upright_size(&self) -> (f32, f32) {
        let (width, height) = self.size;
        if self.lies == Lies::OnItsHead { (width, height) } else { (height, width) }
    }

    /// Where a box of the page stands when that is turned upright.
    pub(super) fn upright(&self, rect: &Rect) -> Rect {
        let (width, height) = self.size;
        match self.lies {
            Lies::Up => Rect {
                left: height - rect.bottom,
                top: rect.left,
                right: height - rect.top,
                bottom: rect.right,
            },
            Lies::Down => Rect {
                left: rect.top,
                top: width - rect.right,
                right: rect.bottom,
                bottom: width - rect.left,
            },
            Lies::OnItsHead => self.turned_over(rect),
        }
    }

    /// Where a box of the upright page stands on the page as it is filed.
    pub(super) fn filed(&self, rect: &Rect) -> Rect {
        let (width, height) = self.size;
        match self.lies {
            Lies::Up => Rect {
                left: rect.top,
                top: height - rect.right,
                right: rect.bottom,
                bottom: height - rect.left,
            },
            Lies::Down => Rect {
                left: width - rect.bottom,
                top: rect.left,
                right: width - rect.top,
                bottom: rect.right,
            },
            Lies::OnItsHead => self.turned_over(rect),
        }
    }

    fn turned_over(&self, rect: &Rect) -> Rect {
        let (width, height) = self.size;
        Rect {
            left: width - rect.right,
            top: height - rect.bottom,
            right: width - rect.left,
            bottom: height - rect.top,
        }
    }

    /// A word of the page when that is turned upright.
    pub(super) fn word(&self, word: Word) -> Word {
        let (width, height) = self.size;
        let turn = match (word.turn, self.lies) {
            (Turn::Up, Lies::Up) | (Turn::Down, Lies::Down) | (Turn::Reverse, Lies::OnItsHead) => Turn::Level,
            (Turn::Level, Lies::Up) | (Turn::Reverse, Lies::Down) | (Turn::Up, Lies::OnItsHead) => Turn::Down,
            (Turn::Down, Lies::Up) | (Turn::Up, Lies::Down) | (Turn::Level, Lies::OnItsHead) => Turn::Reverse,
            (Turn::Reverse, Lies::Up) | (Turn::Level, Lies::Down) | (Turn::Down, Lies::OnItsHead) => Turn::Up,
        };
        // Heights are measured from the left side of the page, or from its right one; widths from below, or from above.
        let runs_along = matches!(word.turn, Turn::Up | Turn::Down);
        let baseline = match (runs_along, self.lies) {
            (true, Lies::Up) | (false, Lies::Down) => word.baseline,
            (true, Lies::Down | Lies::OnItsHead) => width - word.baseline,
            (false, Lies::Up | Lies::OnItsHead) => height - word.baseline,
        };
        Word { turn, baseline, rect: self.upright(&word.rect), ..word }
    }

    /// A line of the page when that is turned upright.
    pub(super) fn ruling(&self, line: Ruling) -> Ruling {
        let (width, height) = self.size;
        let turned = |at: f32, from: f32, to: f32| {
            let horizontal = line.horizontal == (self.lies == Lies::OnItsHead);
            Ruling { horizontal, at, from, to }
        };
        match (line.horizontal, self.lies) {
            (true, Lies::Up) => turned(height - line.at, line.from, line.to),
            (false, Lies::Up) => turned(line.at, height - line.to, height - line.from),
            (true, Lies::Down) => turned(line.at, width - line.to, width - line.from),
            (false, Lies::Down) => turned(width - line.at, line.from, line.to),
            (true, Lies::OnItsHead) => turned(height - line.at, width - line.to, width - line.from),
            (false, Lies::OnItsHead) => turned(width - line.at, height - line.to, height - line.from),
        }
    }
}
