//! Justified lines: words spread over the width of a column, with wide spaces that are all alike and part nothing.

use super::line::Line;
use super::word::is_numeric;

/// Difference up to which two spaces of a line are alike (em): letters stand a little within their widths.
const ALIKE: f32 = 0.14;
/// Distance up to which two words begin or end at the same place (em).
const SAME_PLACE: f32 = 0.3;
/// Spaces of a line from which it counts that all are alike.
const SPACES: usize = 2;
/// Rows on either side that are asked where their text begins and ends.
const REACH: usize = 6;
/// Rows near by in which a word must begin or end where a word of the line does, for a column to stand there.
const COLUMN: usize = 2;

/// For each word of row `r`, whether the space before it is one between the words of a justified line: wider than `wide` (em)
/// and as wide as the others of a stretch that begins and ends where lines near by do. In the row of a table, most words stand in
/// columns.
pub(super) fn spaces(rows: &[Line], r: usize, wide: f32) -> Vec<bool> {
    let words = &rows[r].words;
    let mut out = vec![false; words.len()];
    let mut from = 1;
    while from < words.len() {
        let gap = gap(&rows[r], from);
        let mut to = from + 1;
        while to < words.len() && (self::gap(&rows[r], to) - gap).abs() <= ALIKE {
            to += 1;
        }
        if gap > wide && to - from >= SPACES && is_justified(rows, r, from - 1, to - 1, wide) {
            out[from..to].fill(true);
            from = to + 1;
        } else {
            from += 1;
        }
    }
    out
}

/// Width of the space before word `at` (em).
fn gap(row: &Line, at: usize) -> f32 {
    let (last, word) = (&row.words[at - 1], &row.words[at]);
    (word.rect.left - last.rect.right) / last.size.max(word.size)
}

/// Whether the words `first..=last` of row `r` are a line of justified text.
fn is_justified(rows: &[Line], r: usize, first: usize, last: usize, wide: f32) -> bool {
    let words = &rows[r].words[first..=last];
    let size = rows[r].size();
    if words.iter().filter(|word| is_numeric(&word.text)).count() * 2 > words.len() {
        return false;
    }
    let near = || (r.saturating_sub(REACH)..(r + REACH + 1).min(rows.len())).filter(|other| *other != r);
    let same = |a: f32, b: f32| (a - b).abs() <= SAME_PLACE * size;
    let begins = |row: &Line, x: f32| {
        (0..row.words.len()).any(|at| same(row.words[at].rect.left, x) && (at == 0 || gap(row, at) > wide))
    };
    let ends = |row: &Line, x: f32| {
        (0..row.words.len()).any(|at| {
            same(row.words[at].rect.right, x) && (at + 1 == row.words.len() || gap(row, at + 1) > wide)
        })
    };
    let (left, right) = (words[0].rect.left, words[words.len() - 1].rect.right);
    let fills =
        near().any(|other| begins(&rows[other], left)) && near().any(|other| ends(&rows[other], right));
    let columns = (1..words.len()).filter(|&at| {
        let begun = near().filter(|other| begins(&rows[*other], words[at].rect.left)).count();
        // That the last word ends with the lines around it says nothing.
        let ended = near().filter(|other| ends(&rows[*other], words[at].rect.right)).count();
        begun >= COLUMN || at + 1 < words.len() && ended >= COLUMN
    });
    fills && columns.count() * 2 < words.len()
}
