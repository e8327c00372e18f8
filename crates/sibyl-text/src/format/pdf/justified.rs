//! Justified lines: words spread over the width of a column, with wide spaces that are all alike and part nothing.

use super::line::Line;
use super::metrics::SAME_PLACE;
use super::word::is_numeric;

/// Difference up to which two spaces of a line are alike (em): letters stand a little within their widths.
const ALIKE: f32 = 0.14;
/// Spaces of a line from which it counts that all are alike.
const SPACES: usize = 2;
/// Rows on either side that are asked where their text begins and ends.
const REACH: usize = 6;
/// Rows near by in which a word must begin or end where a word of the line does, for a column to stand there.
const COLUMN: usize = 2;

/// For each word of row `r`, whether the space before it is one between the words of a justified line. It is wider
/// than `wide` (em) and as wide as the others of a stretch that begins and ends where lines near by do. In the row of
/// a table, most words stand in columns.
pub(super) fn spaces(rows: &[Line], r: usize, wide: f32) -> Vec<bool> {
    let row = Row { rows, r, wide };
    let count = rows[r].words.len();
    let mut out = vec![false; count];
    let mut from = 1;
    while from < count {
        let gap = gap(&rows[r], from);
        let alike = |at: usize| (self::gap(&rows[r], at) - gap).abs() <= ALIKE && !row.is_gutter(at);
        let mut to = from + 1;
        if gap > wide && !row.is_gutter(from) {
            while to < count && alike(to) {
                to += 1;
            }
        }
        if to - from >= SPACES && row.is_justified(from - 1, to - 1) {
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

/// A row among those around it.
struct Row<'r> {
    rows: &'r [Line],
    r: usize,
    wide: f32,
}

impl Row<'_> {
    /// How many rows near by have a word that begins at `x`, first or behind a wide space.
    fn begin(&self, x: f32) -> usize {
        let begins = |row: &Line, at: usize| {
            self.same(row.words[at].rect.left, x) && (at == 0 || gap(row, at) > self.wide)
        };
        self.count(begins)
    }

    /// How many rows near by have a word that ends at `x`, last or before a wide space.
    fn end(&self, x: f32) -> usize {
        let ends = |row: &Line, at: usize| {
            self.same(row.words[at].rect.right, x)
                && (at + 1 == row.words.len() || gap(row, at + 1) > self.wide)
        };
        self.count(ends)
    }

    fn count(&self, holds: impl Fn(&Line, usize) -> bool) -> usize {
        let near = self.r.saturating_sub(REACH)..(self.r + REACH + 1).min(self.rows.len());
        let others = near.filter(|other| *other != self.r).map(|other| &self.rows[other]);
        others.filter(|row| (0..row.words.len()).any(|at| holds(row, at))).count()
    }

    fn same(&self, a: f32, b: f32) -> bool {
        (a - b).abs() <= SAME_PLACE * self.rows[self.r].size()
    }

    /// Whether the space before word `at` parts columns: lines near by begin behind it, and some end before it.
    fn is_gutter(&self, at: usize) -> bool {
        let words = &self.rows[self.r].words;
        let begun = self.begin(words[at].rect.left);
        begun > COLUMN || begun == COLUMN && self.end(words[at - 1].rect.right) >= COLUMN
    }

    /// Whether the words `first..=last` are a line of justified text.
    fn is_justified(&self, first: usize, last: usize) -> bool {
        let words = &self.rows[self.r].words[first..=last];
        if words.iter().filter(|word| is_numeric(&word.text)).count() * 2 > words.len() {
            return false;
        }
        let fills = self.begin(words[0].rect.left) > 0 && self.end(words[words.len() - 1].rect.right) > 0;
        let columns = (1..words.len()).filter(|&at| {
            // That the last word ends with the lines around it says nothing.
            self.begin(words[at].rect.left) >= COLUMN
                || at + 1 < words.len() && self.end(words[at].rect.right) >= COLUMN
        });
        fills && columns.count() * 2 < words.len()
    }
}
