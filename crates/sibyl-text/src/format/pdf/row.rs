//! Rows of fragments, which may be those of a table.

use super::geometry::Rect;
use super::line::Line;
use super::metrics::PHRASE_GAP;
use super::word::is_numeric;
use crate::language::unit::is_sign;

/// A row of fragments, from left to right, each with the number it came with.
pub(super) struct Row {
    pub(super) cells: Vec<Line>,
    pub(super) numbers: Vec<usize>,
    pub(super) baseline: f32,
    pub(super) size: f32,
}

impl Row {
    /// Makes one cell of the sign of a currency and the number behind it, which stand at the two sides of their column. A code
    /// such as `EUR` may as well name the row, or be its unit.
    pub(super) fn join_signs(&mut self) {
        let mut at = 0;
        while at + 1 < self.cells.len() {
            let text = self.cells[at].text();
            if at > 0 && is_sign(&text) && is_numeric(&self.cells[at + 1].text()) {
                let words = [self.cells[at].words.clone(), self.cells[at + 1].words.clone()].concat();
                if let Some(joined) = Line::of(words) {
                    self.cells[at] = joined;
                    self.cells.remove(at + 1);
                    self.numbers.remove(at);
                }
            }
            at += 1;
        }
    }

    /// Size of its largest letters (points).
    pub(super) fn largest(&self) -> f32 {
        self.cells.iter().map(Line::size).fold(0.0, f32::max)
    }
}

/// The column that a cell shares width with.
pub(super) fn column_of(columns: &[Rect], cell: &Line) -> Option<usize> {
    columns.iter().position(|column| column.overlap_x(&cell.rect) > 1.0)
}

/// The parts of the lines of one row that can be names of columns, from left to right.
pub(super) fn phrases(lines: &[&Line]) -> Vec<Line> {
    let mut out: Vec<Line> = lines.iter().flat_map(|line| line.parts(PHRASE_GAP)).collect();
    out.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left));
    out
}
