//! Cells of a table in their rows and columns, with those that they reach over.

use super::{Cell, MAX_CELLS, MAX_COLUMNS};
use crate::format::tidy::{WRAPPED, tidy};
use crate::language::cell::Kind;

/// A cell with what it is.
#[derive(Debug, Clone)]
pub(super) struct Laid {
    pub(super) text: String,
    pub(super) kind: Kind,
    /// Columns that it reaches over, from 1.
    pub(super) columns: usize,
    pub(super) marked: bool,
    /// How far right it begins.
    pub(super) indent: u32,
}

/// A place in the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    /// Which cell it belongs to; `None` where the row has none.
    pub(super) cell: Option<usize>,
    /// Whether the cell begins further left.
    pub(super) across: bool,
    /// Whether the cell begins further up.
    pub(super) down: bool,
}

const FREE: Slot = Slot { cell: None, across: false, down: false };

/// A table in which every row has every column.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) cells: Vec<Laid>,
    pub(super) rows: Vec<Vec<Slot>>,
    pub(super) width: usize,
}

impl Layout {
    pub(super) fn of(rows: &[Vec<Cell>]) -> Self {
        let height = rows.len();
        let width =
            |row: &Vec<Cell>| row.iter().map(|cell| cell.columns.clamp(1, MAX_COLUMNS)).sum::<usize>();
        let widest = rows.iter().map(width).max().unwrap_or(0);
        let spans = widest.saturating_mul(height) <= MAX_CELLS;
        let mut out = Self::default();
        // By column: the place of an upper cell, and for how many more rows.
        let mut above: Vec<(usize, Slot)> = Vec::new();
        let inherit = |slots: &mut Vec<Slot>, above: &mut Vec<(usize, Slot)>| {
            while let Some((left, slot)) = above.get_mut(slots.len()).filter(|(left, _)| *left > 0) {
                *left -= 1;
                slots.push(*slot);
            }
        };
        for (index, row) in rows.iter().enumerate() {
            let mut slots: Vec<Slot> = Vec::new();
            for cell in row {
                inherit(&mut slots, &mut above);
                let text = tidy(&cell.text);
                let columns = if spans { cell.columns.clamp(1, MAX_COLUMNS) } else { 1 };
                let more = if spans { cell.rows.clamp(1, height - index) - 1 } else { 0 };
                let id = out.cells.len();
                for column in 0..columns {
                    let at = slots.len();
                    let slot = Slot { cell: Some(id), across: column > 0, down: false };
                    if more > 0 {
                        above.resize(above.len().max(at + 1), (0, FREE));
                        above[at] = (more, Slot { down: true, ..slot });
                    }
                    slots.push(slot);
                }
                let (kind, marked) = (Kind::of_text(&text), cell.marked);
                let indent = cell.indent.saturating_add(blanks(&cell.text));
                out.cells.push(Laid { kind, text, columns, marked, indent });
            }
            inherit(&mut slots, &mut above);
            out.width = out.width.max(slots.len());
            out.rows.push(slots);
        }
        for row in &mut out.rows {
            row.resize(out.width, FREE);
        }
        out
    }

    /// The cell at a place; `None` where it is empty.
    pub(super) fn at(&self, row: usize, column: usize) -> Option<&Laid> {
        let slot = self.rows.get(row)?.get(column)?;
        self.cells.get(slot.cell?).filter(|cell| cell.kind != Kind::Empty)
    }

    /// Filled cells that begin in `row`, each with its first column.
    pub(super) fn own(&self, row: usize) -> impl Iterator<Item = (usize, &Laid)> {
        let slots = self.rows[row].iter().enumerate();
        let begin = slots.filter(|(_, slot)| !slot.across && !slot.down);
        begin
            .filter_map(|(column, slot)| Some((column, &self.cells[slot.cell?])))
            .filter(|(_, cell)| cell.kind != Kind::Empty)
    }

    /// Filled cells of `row` beside the labels, which stand in its first column.
    pub(super) fn data(&self, row: usize) -> impl Iterator<Item = (usize, &Laid)> {
        self.own(row).filter(|(column, _)| *column > 0)
    }

    pub(super) fn is_blank(&self, row: usize) -> bool {
        (0..self.width).all(|column| self.at(row, column).is_none())
    }

    /// What a cell of a row says at `column`: in the first column that it reaches over, and in all its rows.
    pub(super) fn says(&self, row: usize, column: usize) -> &str {
        let slot = self.rows[row][column];
        if slot.across { "" } else { slot.cell.map_or("", |cell| self.cells[cell].text.as_str()) }
    }
}

/// How many blanks that keep their width a text begins with.
fn blanks(text: &str) -> u32 {
    let wide = |c: &char| !c.is_ascii_whitespace() && *c != WRAPPED;
    let begun = text.chars().take_while(|c| c.is_whitespace());
    u32::try_from(begun.filter(wide).count()).unwrap_or(u32::MAX)
}
