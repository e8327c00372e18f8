//! Tables as files hold them, with cells over several rows and columns, become grids that can be searched. A label
//! stands in every row and column that it speaks for, and every column has its names.

mod cards;
mod columns;
mod groups;
mod heading;
mod laid;

use crate::document::INDENT;
pub(super) use crate::language::cell::Kind;
pub(super) use cards::{Card, Place, cards};
use heading::Heading;
use laid::Layout;
use std::collections::BTreeSet;

/// Most columns that one cell spans (HTML Living Standard, 4.9.11).
const MAX_COLUMNS: usize = 1_000;
/// Most cells of a grid; beyond them cells span one row and column each.
const MAX_CELLS: usize = 4_000_000;

/// A cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) text: String,
    /// Columns that it spans, from 1.
    pub(super) columns: usize,
    /// Rows that it spans, from 1.
    pub(super) rows: usize,
    /// Whether it is set apart as names are: a header cell, bold or filled.
    pub(super) marked: bool,
    /// How far right its text begins, in a unit of its file.
    pub(super) indent: u32,
}

impl Cell {
    /// A cell of one row and column.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), columns: 1, rows: 1, marked: false, indent: 0 }
    }
}

/// A table as it was found: rows of cells, each where its row has room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) rows: Vec<Vec<Cell>>,
    /// Rows at the top that the file says name the columns. Others may do so too.
    pub(super) declared: usize,
    /// Whether those are all.
    pub(super) complete: bool,
    /// Whether it stands on a sheet, where a name above others speaks for columns that its cell does not reach over.
    pub(super) sheet: bool,
}

/// A table in which every row has every column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Grid {
    /// What stands above the names and is about all of them, with the row that it was.
    pub(super) titles: Vec<(String, usize)>,
    /// One name for each column, of all header rows; empty names where the table has none.
    pub(super) header: Vec<String>,
    /// Which rows of the table those were, from 0.
    pub(super) named: Vec<usize>,
    pub(super) rows: Vec<Vec<String>>,
    /// Which row of the table each of these rows was, from 0.
    pub(super) origins: Vec<usize>,
}

impl Grid {
    pub(super) fn width(&self) -> usize {
        self.header.len()
    }
}

impl Table {
    /// Rows at the top that name the columns, or say what the table is about; all rows before the body.
    pub(super) fn heading(&self) -> usize {
        self.decided(&Layout::of(&self.rows[..self.rows.len().min(heading::DECIDING)])).body
    }

    /// The rows that name columns, or `None` where something else stands above or between them.
    pub(super) fn names(&self) -> Option<usize> {
        let heading = self.decided(&Layout::of(&self.rows[..self.rows.len().min(heading::DECIDING)]));
        heading.names.iter().copied().eq(0..heading.body).then_some(heading.body)
    }

    fn decided(&self, layout: &Layout) -> Heading {
        if self.complete {
            let names = (0..self.declared.min(self.rows.len())).filter(|row| !layout.is_blank(*row));
            return Heading { titles: Vec::new(), names: names.collect(), body: self.declared };
        }
        Heading::of(layout, self.declared)
    }

    /// The grids, without rows and columns that hold nothing: one for each time that other names of columns follow.
    pub(super) fn into_grids(mut self) -> Vec<Grid> {
        let mut out = Vec::new();
        let mut from = 0;
        loop {
            let layout = Layout::of(&self.rows);
            let heading = self.decided(&layout);
            let next = heading.next(&layout);
            let rest = next.map(|row| self.rows.split_off(row));
            let part = if rest.is_some() { Layout::of(&self.rows) } else { layout };
            out.extend(self.grid(&part, &heading, from));
            let (Some(row), Some(rows)) = (next, rest) else { return out };
            from += row;
            self = Self { rows, declared: 0, complete: false, sheet: self.sheet };
        }
    }

    fn grid(&self, layout: &Layout, heading: &Heading, from: usize) -> Option<Grid> {
        let mut names = columns::names(layout, heading, self.sheet);
        let body: Vec<usize> =
            (heading.body..layout.rows.len()).filter(|row| heading.has(layout, *row)).collect();
        let said = |row: usize| (0..layout.width).map(|column| layout.says(row, column).to_owned()).collect();
        let mut rows: Vec<Vec<String>> = body.iter().map(|row| said(*row)).collect();
        rows.iter_mut().for_each(|row| columns::join_signs(row));
        let spanned = |column: usize| {
            body.iter().any(|row| {
                let slot = layout.rows[*row][column];
                slot.across && layout.at(*row, column).is_some_and(|cell| cell.kind.is_figure())
            })
        };
        let spanned: Vec<bool> = (0..layout.width).map(spanned).collect();
        columns::join(&mut names, &mut rows, &spanned);
        groups::repeat_labels(&mut rows);
        indent(&mut rows, layout, &body);
        let titles = heading.titles.iter().map(|&row| {
            let words: Vec<&str> = layout.own(row).map(|(_, cell)| cell.text.as_str()).collect();
            (words.join(", "), from + row)
        });
        let grid = Grid {
            titles: titles.collect(),
            header: names.into_iter().map(|name| name.path).collect(),
            named: heading.names.iter().map(|row| from + row).collect(),
            rows,
            origins: body.iter().map(|row| from + row).collect(),
        };
        (grid.width() > 0 || !grid.titles.is_empty()).then_some(grid)
    }
}

/// Begins the names of `rows`, which are those of the `body`, as deep as they do in the file, where they differ in that.
fn indent(rows: &mut [Vec<String>], layout: &Layout, body: &[usize]) {
    let name = |row: usize, column: usize| {
        let slot = layout.rows[row][column];
        layout.at(row, column).filter(|cell| !slot.across && !slot.down && cell.kind == Kind::Text)
    };
    let steps = |column: usize| -> BTreeSet<u32> {
        body.iter().filter_map(|row| Some(name(*row, column)?.indent)).collect()
    };
    let all = (0..layout.width).map(|column| (column, steps(column)));
    let named = all.into_iter().find(|(_, steps)| !steps.is_empty());
    let Some((column, steps)) = named.filter(|(_, steps)| steps.len() > 1) else { return };
    for (cells, row) in rows.iter_mut().zip(body) {
        let Some(cell) = name(*row, column) else { continue };
        let depth = steps.range(..cell.indent).count();
        if let Some(own) = cells.iter_mut().find(|own| **own == cell.text) {
            own.insert_str(0, &INDENT.to_string().repeat(depth));
        }
    }
}

#[cfg(test)]
mod tests;
