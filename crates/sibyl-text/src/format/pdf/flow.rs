//! Whether lines below each other are one running text: what tells the lines of a column from the cells of a table.

use super::line::Line;
use super::list;
use super::metrics::TEXT_SIZE;

/// Longest distance between baselines within a text (in letter sizes).
pub(super) const STEP: f32 = 1.75;
/// Width of a space (em).
const SPACE: f32 = 0.25;
/// Room by which a column may be wider than its longest line (em).
const RAGGED: f32 = 1.0;
/// Words after which an English sentence always continues.
const OPEN: [&str; 26] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "have", "in", "is", "its", "of",
    "on", "or", "our", "since", "than", "that", "the", "to", "we", "with",
];

/// Whether `below` continues the sentence that `above` leaves open. `right` is the right edge of their column.
pub(super) fn runs_on(above: &Line, below: &Line, right: f32) -> bool {
    continues(above, below, right) && is_open(above, below)
}

/// Whether `below` can be the next line of the paragraph of `above`. It is set in the same size, at the distance of
/// lines, and its first word had no room on the line above.
pub(super) fn continues(above: &Line, below: &Line, right: f32) -> bool {
    let (small, large) = (above.size().min(below.size()).max(0.1), above.size().max(below.size()));
    let step = below.baseline() - above.baseline();
    if large / small > TEXT_SIZE
        || !(0.5 * small..STEP * large).contains(&step)
        || begins_item(below)
        || below.opens_note()
        || repeats(above, below)
    {
        return false;
    }
    let Some(first) = below.words.first() else { return false };
    let broken = above.words.last().is_some_and(|word| ends_broken(&word.text));
    let room = right - above.rect.right;
    broken || first.rect.width() + (SPACE + RAGGED) * large > room
}

/// Whether a line says again what stands above it, as the cells of a column of units do.
fn repeats(above: &Line, below: &Line) -> bool {
    above.words.iter().map(|word| &word.text).eq(below.words.iter().map(|word| &word.text))
}

/// Whether the text of `above` leaves a sentence open that `below` continues.
pub(super) fn is_open(above: &Line, below: &Line) -> bool {
    let (Some(last), Some(first)) = (above.words.last(), below.words.first()) else { return false };
    if above.words.len() < 2 && !ends_broken(&last.text) {
        return false;
    }
    let text = last.text.trim_end_matches(['”', '’', '"', '\'', ')']);
    let ends = text.ends_with(['.', '!', '?', ':', ';']) && !first.text.starts_with(char::is_lowercase);
    let lower = first.text.trim_start_matches(['“', '‘', '"', '\'', '(']).starts_with(char::is_lowercase);
    !ends && (lower || text.ends_with(',') || ends_broken(&last.text) || is_open_word(text))
}

/// Whether an English sentence always continues after `word`.
pub(super) fn is_open_word(word: &str) -> bool {
    OPEN.contains(&word)
}

fn ends_broken(word: &str) -> bool {
    let stem = word.trim_end_matches(['-', '\u{AD}']);
    stem.len() < word.len() && stem.ends_with(char::is_lowercase)
}

/// Whether a line begins with the mark of a list.
pub(super) fn begins_item(line: &Line) -> bool {
    let [first, next, ..] = line.words.as_slice() else { return false };
    next.spaced && list::mark(&first.text, first.fixed).is_some() && !list::refer(&line.words)
}

/// How the lines of one column follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The line begins something: a paragraph, an item, a cell.
    Begins,
    /// The line can belong to what stands above it.
    Continues,
    /// The line continues a sentence that the line above leaves open.
    RunsOn,
}

/// How each of `lines`, which stand below each other in one column, follows the one before.
pub(super) fn steps(lines: &[&Line]) -> Vec<Step> {
    let right = lines.iter().map(|line| line.rect.right).fold(f32::MIN, f32::max);
    let mut out = vec![Step::Begins; lines.len()];
    for (i, pair) in lines.windows(2).enumerate() {
        if runs_on(pair[0], pair[1], right) {
            out[i + 1] = Step::RunsOn;
        } else if continues(pair[0], pair[1], right) && !ends_sentence(pair[0]) && pair[0].words.len() > 2 {
            out[i + 1] = Step::Continues;
        }
    }
    out
}

/// Whether a line ends a sentence.
pub(super) fn ends_sentence(line: &Line) -> bool {
    let ends = |word: &str| word.trim_end_matches(['”', '’', '"', '\'', ')']).ends_with(['.', '!', '?', ':']);
    line.words.last().is_some_and(|word| ends(&word.text))
}
