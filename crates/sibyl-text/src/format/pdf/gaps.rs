//! Lines of a tagged element that stand in each other's gaps.

use super::line::Line;
use super::metrics::{COLUMN_GAP, SAME_LINE};
use super::word::{Turn, Word};

/// Room between two words from which a space stands there (em).
const SPACE: f32 = 0.18;

/// The same lines, but each that stands in a gap of another line, or right behind it, is put there. The words of a
/// link have content of their own, which writers place behind the sentence around it.
pub(super) fn filled(lines: Vec<Line>) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    for line in lines {
        let place = out.iter().enumerate().find_map(|(at, other)| Some((at, gap_for(other, &line)?)));
        match place {
            Some((at, word)) => {
                let other = &mut out[at];
                let end = word + line.words.len();
                other.rect = other.rect.union(&line.rect);
                other.words.splice(word..word, line.words);
                for at in [word, end] {
                    if at == 0 || at >= other.words.len() {
                        continue;
                    }
                    let (last, next) = (&other.words[at - 1], &other.words[at]);
                    let spaced = next.rect.left - last.rect.right > SPACE * next.size;
                    other.words[at].spaced = spaced;
                }
            }
            None => out.push(line),
        }
    }
    out
}

/// The word of `line` before which `part` stands, on its baseline: it fills the gap there, or stands close behind the last one.
fn gap_for(line: &Line, part: &Line) -> Option<usize> {
    let level = |line: &Line| line.words.iter().all(|word| word.turn == Turn::Level);
    let size = line.size();
    if !level(line) || !level(part) || (line.baseline() - part.baseline()).abs() > SAME_LINE * size {
        return None;
    }
    let near = COLUMN_GAP * size;
    let behind = part.rect.left - line.rect.right;
    if (-SAME_LINE * size..near).contains(&behind) {
        return Some(line.words.len());
    }
    let fits = |pair: &[Word]| {
        let (before, after) = (part.rect.left - pair[0].rect.right, pair[1].rect.left - part.rect.right);
        [before, after].into_iter().all(|room| (-SAME_LINE * size..near).contains(&room))
    };
    line.words.windows(2).position(fits).map(|at| at + 1)
}
