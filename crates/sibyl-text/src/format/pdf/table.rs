//! Tables: rows of cells, each cell the lines that stand in it.

use super::characters::joins_unspaced;
use super::geometry::{Rect, bounds};
use super::line::Line;
use super::word::{is_numeric, is_years};

/// The lines of one cell.
pub(super) type Cell = Vec<Line>;

/// The text of a cell on one line.
pub(super) fn text(cell: &[Line]) -> String {
    let mut out = String::new();
    for line in cell.iter().map(Line::text) {
        if !out.is_empty() && !joins_unspaced(&out, &line) {
            out.push(' ');
        }
        out.push_str(&line);
    }
    out
}

/// Which part of a table it is that stands on a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it, or its first part.
    #[default]
    First,
    /// By its tags, a later part: below `head` rows that repeat its header, `within` tells whether the first row
    /// continues the last one of the part before.
    Tagged { head: usize, within: bool },
    /// A later part without a header; `within` as above.
    Later { within: bool },
}

/// A table.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    /// Rows of cells, all of the same length.
    pub(super) rows: Vec<Vec<Cell>>,
    /// Whether the first row names the columns.
    pub(super) header: bool,
    pub(super) part: Part,
}

impl Table {
    /// A table of `rows`, without the rows and columns that hold nothing.
    pub(super) fn new(mut rows: Vec<Vec<Cell>>, header: bool) -> Self {
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        for row in &mut rows {
            row.resize_with(width, Vec::new);
        }
        let header = header && rows.first().is_some_and(|row| row.iter().any(|cell| !cell.is_empty()));
        rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        let used: Vec<bool> = (0..width).map(|c| rows.iter().any(|row| !row[c].is_empty())).collect();
        for row in &mut rows {
            let mut column = 0;
            row.retain(|_| {
                column += 1;
                used[column - 1]
            });
        }
        Self { rows, header, part: Part::First }
    }

    /// Number of columns.
    pub(super) fn width(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    /// The only column that shares width with a box.
    pub(super) fn column_of(&self, rect: &Rect) -> Option<usize> {
        let place = |c: usize| bounds(self.rows.iter().flat_map(|row| &row[c]).map(|l| &l.rect));
        let mut shared = (0..self.width()).filter(|&c| place(c).is_some_and(|own| own.overlap_x(rect) > 0.0));
        shared.next().filter(|_| shared.next().is_none())
    }

    /// The box around column `c`, titles across several columns left aside: a row with a single cell is one where other
    /// rows hold several.
    pub(super) fn column(&self, c: usize) -> Option<Rect> {
        let filled = |row: &&Vec<Cell>| row.iter().filter(|cell| !cell.is_empty()).count() > 1;
        let of = |rows: &mut dyn Iterator<Item = &Vec<Cell>>| {
            bounds(rows.flat_map(|row| &row[c]).map(|l| &l.rect))
        };
        of(&mut self.rows.iter().filter(filled)).or_else(|| of(&mut self.rows.iter()))
    }

    /// Whether it is worth a table: at least two columns.
    pub(super) fn is_table(&self) -> bool {
        self.width() >= 2 && !self.rows.is_empty()
    }

    /// The box around all of it.
    pub(super) fn rect(&self) -> Option<Rect> {
        bounds(self.rows.iter().flatten().flatten().map(|l| &l.rect))
    }
}

/// Whether the cells of a first row can name columns: none of them is a number other than a year.
pub(super) fn names_columns(row: &[Cell]) -> bool {
    let number = |text: &str| is_numeric(text) && !is_years(text);
    !row.iter().flatten().any(|line| number(&line.text()))
}
