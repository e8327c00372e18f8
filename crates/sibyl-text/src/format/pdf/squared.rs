//! Squared and lined paper: lines at one distance behind a whole page part nothing on it.

use super::ruling::Ruling;
use super::word::{Turn, Word};

/// Fewest lines of a pattern.
const LINES: usize = 10;
/// Difference up to which lines begin, end or stand at one place (points).
const SAME_PLACE: f32 = 2.0;
const SAME_LINE: f32 = 0.3;
/// Share of the steps between its lines that are alike, and their difference (as a share of them).
const EVEN: f32 = 0.8;
const ALIKE: f32 = 0.03;
/// Lines that pass through words, at least and as a share of all: those of a table pass between them.
const STRUCK: usize = 3;
const STRUCK_SHARE: f32 = 0.1;
/// Height over the baseline at which a line passes through a word (in letter sizes).
const THROUGH: std::ops::Range<f32> = 0.08..0.5;
/// How far a line reaches into a word from the sides (as a share of its width).
const INTO: f32 = 0.2;
/// Lines of a page beyond which it is a drawing.
const MAX_LINES: usize = 4_000;

/// The lines of a page without those of a pattern behind it.
pub(super) fn without(rulings: Vec<Ruling>, words: &[Word]) -> Vec<Ruling> {
    if rulings.len() < LINES || rulings.len() > MAX_LINES {
        return rulings;
    }
    let evenly = [patterns(&rulings, true), patterns(&rulings, false)].concat();
    let (struck, others): (Vec<Pattern>, Vec<Pattern>) =
        evenly.into_iter().partition(|pattern| pattern.passes_through(words));
    // Of squared paper the lines across go with those down.
    let squared = |other: &Pattern| struck.iter().any(|pattern| pattern.is_squared_with(other));
    let paper: Vec<&Pattern> = struck.iter().chain(others.iter().filter(|other| squared(other))).collect();
    rulings.into_iter().filter(|line| !paper.iter().any(|pattern| pattern.lines.contains(line))).collect()
}

/// Parallel lines of one length at one distance.
#[derive(Clone)]
struct Pattern {
    lines: Vec<Ruling>,
    step: f32,
}

/// The lines that begin and end at one place, where they stand at one distance.
fn patterns(rulings: &[Ruling], horizontal: bool) -> Vec<Pattern> {
    let mut alike: Vec<Vec<Ruling>> = Vec::new();
    for line in rulings.iter().filter(|line| line.horizontal == horizontal) {
        let ends = |other: &Ruling| {
            (other.from - line.from).abs() <= SAME_PLACE && (other.to - line.to).abs() <= SAME_PLACE
        };
        match alike.iter_mut().find(|lines| ends(&lines[0])) {
            Some(lines) => lines.push(*line),
            None => alike.push(vec![*line]),
        }
    }
    alike.into_iter().filter_map(pattern).collect()
}

fn pattern(mut lines: Vec<Ruling>) -> Option<Pattern> {
    lines.sort_by(|a, b| a.at.total_cmp(&b.at));
    let steps = lines.windows(2).map(|pair| pair[1].at - pair[0].at).filter(|step| *step > SAME_LINE);
    let mut steps: Vec<f32> = steps.collect();
    steps.sort_by(f32::total_cmp);
    let step = *steps.get(steps.len() / 2)?;
    let even = steps.iter().filter(|other| (*other - step).abs() <= SAME_LINE.max(ALIKE * step)).count();
    (steps.len() + 1 >= LINES && even as f32 >= EVEN * steps.len() as f32).then_some(Pattern { lines, step })
}

impl Pattern {
    /// Whether words stand on its lines as they do on paper.
    fn passes_through(&self, words: &[Word]) -> bool {
        let level = || words.iter().filter(|word| word.turn == Turn::Level);
        let struck = self.lines.iter().filter(|line| level().any(|word| strikes(line, word))).count();
        struck >= STRUCK && struck as f32 >= STRUCK_SHARE * self.lines.len() as f32
    }

    fn is_squared_with(&self, other: &Self) -> bool {
        let (own, across) = (&self.lines[0], &other.lines[0]);
        let meet = |line: &Ruling, lines: &[Ruling]| {
            lines.iter().any(|other| (line.from - SAME_PLACE..line.to + SAME_PLACE).contains(&other.at))
        };
        own.horizontal != across.horizontal
            && (self.step - other.step).abs() <= SAME_LINE
            && meet(own, &other.lines)
            && meet(across, &self.lines)
    }
}

/// Whether a line passes through a word.
fn strikes(line: &Ruling, word: &Word) -> bool {
    let rect = &word.rect;
    if line.horizontal {
        let height = (word.baseline - line.at) / word.size;
        THROUGH.contains(&height) && line.from < rect.left && line.to > rect.right
    } else {
        let reach = INTO * rect.width();
        let within = rect.left + reach < line.at && line.at < rect.right - reach;
        within && line.from < rect.top && line.to > rect.bottom
    }
}
