//! Words become lines: in the order in which they flow, or by their place on the page.

use super::characters::joins_unspaced;
use super::geometry::{Rect, bounds};
use super::ink::Ink;
use super::word::{Turn, Word};
use crate::format::raised::{is_letter_mark, is_number, raised, superscript_letter};

/// Share of the lower height that two words of a line must have in common.
const SAME_LINE: f32 = 0.5;
/// Ratio to the letters beside it from which a number is a figure with a text of its own.
const FIGURE: f32 = 1.6;
/// Gap at which a row is always cut into fragments (em).
pub(super) const WIDE_GAP: f32 = 1.5;
/// Widest gap between the words of a phrase (em).
pub(super) const PHRASE: f32 = 0.5;

/// Ratio to the letters beside them from which raised signs are small, and their least height (in letter sizes of the text).
const SMALL: f32 = 0.82;
const RAISED: f32 = 0.15;
/// Height of the mark of a note that is hardly smaller than its text, and greatest height of any (in letter sizes of the text).
const HIGH: f32 = 0.3;
const MAX_RISE: f32 = 0.75;
/// Widest gap between a mark and the note after it, and between a word and the mark after it (in letter sizes).
const BEFORE_NOTE: f32 = 0.9;
const AFTER_WORD: f32 = 0.4;

/// Words on one baseline, in reading order; never empty.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) words: Vec<Word>,
    pub(super) rect: Rect,
}

impl Line {
    pub(super) fn of(words: Vec<Word>) -> Option<Self> {
        let rect = bounds(words.iter().map(|w| &w.rect))?;
        Some(Self { words, rect })
    }

    /// Its words in parts, with gaps of more than `gap` letter sizes between them.
    pub(super) fn parts(&self, gap: f32) -> Vec<Self> {
        let mut out: Vec<Vec<Word>> = Vec::new();
        for word in &self.words {
            match out.last_mut() {
                Some(part)
                    if part.last().is_none_or(|last| {
                        !word.spaced || word.rect.left - last.rect.right <= gap * last.size.max(word.size)
                    }) =>
                {
                    part.push(word.clone());
                }
                _ => out.push(vec![word.clone()]),
            }
        }
        out.into_iter().filter_map(Self::of).collect()
    }

    /// Size of most of its letters (points).
    pub(super) fn size(&self) -> f32 {
        self.of_most(|word| word.size)
    }

    /// Baseline of most of its letters (points).
    pub(super) fn baseline(&self) -> f32 {
        self.of_most(|word| word.baseline)
    }

    /// A measure of most of its letters: that of any word where all have the same.
    fn of_most(&self, measure: fn(&Word) -> f32) -> f32 {
        let Some(first) = self.words.first().map(measure) else { return 0.0 };
        let same = self.words.iter().all(|word| measure(word) == first);
        if same { first } else { self.main().map_or(0.0, measure) }
    }

    /// The word with the most letters, of several the last; the `3` of `m³` is only a sign beside one.
    fn main(&self) -> Option<&Word> {
        (0..self.words.len())
            .max_by_key(|&i| (!self.is_ending(i), self.words[i].text.len(), !self.raised(i)))
            .map(|i| &self.words[i])
    }

    /// Whether word `i` is the small raised end of the one before, as the `th` of an ordinal.
    fn is_ending(&self, i: usize) -> bool {
        let (Some(before), word) = (i.checked_sub(1).map(|i| &self.words[i]), &self.words[i]) else {
            return false;
        };
        !word.spaced
            && word.size < SMALL * before.size
            && before.baseline - word.baseline > RAISED * before.size
    }

    /// The colour of its letters, where they have one.
    pub(super) fn ink(&self) -> Option<Ink> {
        let ink = self.words.first()?.ink;
        self.words.iter().all(|word| word.ink == ink).then_some(ink)
    }

    /// Whether all words with letters look bold.
    pub(super) fn bold(&self) -> bool {
        let mut letters = self.words.iter().filter(|w| w.text.chars().any(char::is_alphanumeric)).peekable();
        letters.peek().is_some() && letters.all(|w| w.bold)
    }

    /// Its text, footnote marks as superscript digits.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for (i, word) in self.words.iter().enumerate() {
            if i > 0 && word.spaced && !out.ends_with(' ') && !self.runs_together(i) {
                out.push(' ');
            }
            if self.marks(i) {
                out.extend(word.text.chars().map(|c| superscript_letter(c).unwrap_or(c)));
            } else if self.raised(i) {
                out.push_str(&raised("", &word.text));
            } else {
                out.push_str(&word.text);
            }
        }
        out
    }

    /// Whether word `i` goes on in a writing without spaces where the one before ends, set a little apart.
    fn runs_together(&self, i: usize) -> bool {
        let (last, word) = (&self.words[i - 1], &self.words[i]);
        joins_unspaced(&last.text, &word.text) && word.rect.left - last.rect.right < PHRASE * word.size
    }

    /// Whether word `i` is a mark of small letters set small and high behind a number or a word: `i`, `iii`, `a`.
    fn marks(&self, i: usize) -> bool {
        let (Some(before), word) = (i.checked_sub(1).map(|i| &self.words[i]), &self.words[i]) else {
            return false;
        };
        is_letter_mark(&before.text, &word.text)
            && word.size < SMALL * before.size
            && before.baseline - word.baseline > RAISED * before.size
            && word.rect.left - before.rect.right < AFTER_WORD * before.size
    }

    /// Whether it opens with the mark of a footnote.
    pub(super) fn opens_note(&self) -> bool {
        self.words.len() > 1 && self.raised(0)
    }

    /// Whether word `i` is a number set small and high beside its neighbour.
    fn raised(&self, i: usize) -> bool {
        let word = &self.words[i];
        if !is_number(&word.text) {
            return false;
        }
        let above = |other: &Word| {
            let rise = (other.baseline - word.baseline) / other.size;
            word.size < other.size * SMALL && rise > RAISED || word.size < other.size * 0.97 && rise > HIGH
        };
        self.words[..i].iter().rev().find(|w| w.size > word.size * 1.03).is_some_and(above)
            || (i == 0 && self.words.get(1).is_some_and(above))
    }
}

/// Lines of words that flow in the order given, as inside one element of a tagged file.
pub(super) fn flowing(words: impl IntoIterator<Item = Word>) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    for word in words {
        match out.last_mut() {
            Some(line) if continues(line, &word) => {
                line.rect = line.rect.union(&word.rect);
                line.words.push(word);
            }
            _ => out.extend(Line::of(vec![word])),
        }
    }
    out
}

fn continues(line: &Line, word: &Word) -> bool {
    let Some(last) = line.words.last() else { return false };
    if last.turn != word.turn {
        return false;
    }
    match word.turn {
        Turn::Level => {
            // Right-to-left words step back by at most their own width.
            let back = last.rect.left - word.rect.right;
            let near =
                back < word.size && word.rect.left - last.rect.right > -word.rect.width() - last.rect.width();
            near && word.rect.overlap_y(&last.rect) >= SAME_LINE * word.rect.height().min(last.rect.height())
        }
        Turn::Reverse => word.rect.overlap_y(&last.rect) >= SAME_LINE * word.rect.height(),
        Turn::Up | Turn::Down => word.rect.overlap_x(&last.rect) >= SAME_LINE * word.rect.width(),
    }
}

/// The rows of level words: everything on one baseline from the left to the right edge, from top to bottom.
pub(super) fn rows(words: Vec<Word>) -> Vec<Line> {
    // Words without white space between them stay together, so that a footnote mark goes with its word.
    let mut units: Vec<Line> = Vec::new();
    for word in words {
        match units.last_mut() {
            Some(unit) if !word.spaced => {
                unit.rect = unit.rect.union(&word.rect);
                unit.words.push(word);
            }
            _ => units.extend(Line::of(vec![word])),
        }
    }
    let mut units = with_marks(units);
    units.sort_by(|a, b| a.baseline().total_cmp(&b.baseline()).then(a.rect.left.total_cmp(&b.rect.left)));
    let mut rows: Vec<(f32, Rect, Vec<Line>)> = Vec::new();
    for unit in units {
        let (baseline, size) = (unit.baseline(), unit.size());
        // The next word of a phrase goes where the one before went: big letters reach several lines beside them.
        let near = rows.len().saturating_sub(4);
        let phrase =
            |(_, _, row): &&mut (f32, Rect, Vec<Line>)| row.last().is_some_and(|last| is_next(last, &unit));
        if let Some((_, _, row)) = rows[near..].iter_mut().find(phrase) {
            row.push(unit);
            continue;
        }
        let row = rows.iter_mut().rev().take(4).find(|(base, first, row)| {
            let other = row.first().map_or(0.0, Line::size);
            // An ornament belongs to no line that only its size reaches.
            let ornament = is_ornament(&unit) || row.first().is_some_and(is_ornament);
            // Nor does a big number belong to a line of the text to its right that stands on another baseline.
            let figure = row.first().is_some_and(|first| is_figure(&unit, first))
                || row.iter().any(|other| is_figure(other, &unit));
            let reach = if ornament || figure { size.min(other) } else { size.max(other) };
            (baseline - *base).abs() <= 0.45 * reach
                && unit.rect.overlap_y(first) >= SAME_LINE * unit.rect.height().min(first.height())
                && row.iter().all(|u| u.rect.overlap_x(&unit.rect) < 0.5 * size.min(other).max(1.0))
        });
        match row {
            Some((_, _, row)) => row.push(unit),
            None => rows.push((baseline, unit.rect, vec![unit])),
        }
    }
    let mut lines: Vec<Line> = rows
        .into_iter()
        .filter_map(|(_, _, mut units)| {
            units.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left));
            Line::of(units.into_iter().flat_map(|u| u.words).collect())
        })
        .collect();
    lines.sort_by(|a, b| a.baseline().total_cmp(&b.baseline()));
    lines
}

/// Whether a unit is the next word on the baseline of another, set alike.
fn is_next(last: &Line, next: &Line) -> bool {
    let size = next.size();
    (last.size() - size).abs() < 0.05 * size
        && (last.baseline() - next.baseline()).abs() < 0.05 * size
        && (-0.1 * size..PHRASE * size).contains(&(next.rect.left - last.rect.right))
}

/// The same units, each raised mark of a note in one with the word that it stands at.
fn with_marks(units: Vec<Line>) -> Vec<Line> {
    let is_mark = |unit: &Line| {
        let text = unit.words.first().map_or("", |word| word.text.as_str());
        unit.words.len() == 1
            && (1..=3).contains(&text.chars().count())
            && text.chars().all(|c| c.is_ascii_digit() || "*†‡§¥".contains(c))
    };
    let (marks, mut out): (Vec<Line>, Vec<Line>) = units.into_iter().partition(is_mark);
    for mark in marks {
        let (size, rect) = (mark.size(), mark.rect);
        let stands_at = |unit: &Line| {
            let rise = (unit.baseline() - mark.baseline()) / unit.size();
            let smaller =
                size < 0.82 * unit.size() && rise > 0.12 || size < 0.97 * unit.size() && rise > HIGH;
            let gap = (unit.rect.left - rect.right).max(rect.left - unit.rect.right) / unit.size();
            let reach = if unit.rect.left > rect.left { BEFORE_NOTE } else { AFTER_WORD };
            (smaller && rise < MAX_RISE && (-0.2..reach).contains(&gap)).then_some(gap)
        };
        let nearest = out
            .iter_mut()
            .filter_map(|unit| Some((stands_at(unit)?, unit)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, unit)) = nearest else {
            out.push(mark);
            continue;
        };
        let at = if unit.rect.left > rect.left { 0 } else { unit.words.len() };
        unit.rect = unit.rect.union(&rect);
        unit.words.splice(at..at, mark.words);
    }
    out
}

/// Whether a unit is a number in much larger letters than `text`, to the left of it.
fn is_figure(unit: &Line, text: &Line) -> bool {
    let number = |word: &Word| word.text.starts_with(|c: char| c.is_ascii_digit() || "$€£".contains(c));
    // A small sign is a mark at the number, and no text.
    let is_text = text.words.iter().any(|word| word.text.chars().filter(|c| c.is_alphabetic()).count() > 1);
    is_text
        && unit.size() >= FIGURE * text.size()
        && unit.rect.left < text.rect.left
        && unit.words.iter().any(number)
}

/// Whether a unit is a row of stars, dashes or the like.
fn is_ornament(unit: &Line) -> bool {
    let text: String = unit.words.iter().map(|word| word.text.as_str()).collect();
    text.chars().count() > 1 && text.chars().all(|c| "*★•·~—–-_=".contains(c))
}

/// Lines of turned words, each run in its own direction.
pub(super) fn turned(words: Vec<Word>) -> Vec<Line> {
    flowing(words)
}
