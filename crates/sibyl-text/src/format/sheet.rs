//! Spreadsheets: each sheet is a section with its tables, titles and notes.

mod csv;
mod layout;
mod ods;
mod region;
mod xlsx;

pub use csv::Csv;
pub use ods::Ods;
pub use xlsx::Xlsx;

use super::builder::DocumentBuilder;
use crate::document::{Notice, Severity};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A sheet as its file has it.
#[derive(Debug, Default)]
struct Sheet {
    /// Filled cells as they are shown: rows, and in them columns, from 0.
    rows: BTreeMap<u32, BTreeMap<u32, String>>,
    /// Merged cells: their first row and column, with the rows and columns that they span.
    merged: HashMap<(u32, u32), (usize, usize)>,
    /// Cells that are bold or filled.
    marked: HashSet<(u32, u32)>,
    /// How far right the texts of cells begin, where not at once (blanks).
    indents: HashMap<(u32, u32), u32>,
    /// Rows and columns that the sheet hides.
    hidden: Hidden,
}

/// Rows and columns that are not shown, and which of them would have said something.
#[derive(Debug, Default)]
struct Hidden {
    rows: Vec<(u32, u32)>,
    columns: Vec<(u32, u32)>,
    left_out: (BTreeSet<u32>, BTreeSet<u32>),
    /// Cells that are struck through, or written in white on white.
    cells: usize,
}

impl Sheet {
    /// Sets the cell in `row` and `column` (from 0) to what it shows; a hidden one to nothing.
    fn set(&mut self, row: u32, column: u32, text: &str) {
        let begun = text.trim_start();
        if let Some(blanks) =
            u32::try_from(text[..text.len() - begun.len()].chars().count()).ok().filter(|blanks| *blanks > 0)
        {
            self.indents.insert((row, column), blanks);
        }
        let text = begun.trim_end();
        if text.is_empty() {
            return;
        }
        let inside =
            |ranges: &[(u32, u32)], at: u32| ranges.iter().any(|(from, to)| (*from..=*to).contains(&at));
        let (row_hidden, column_hidden) =
            (inside(&self.hidden.rows, row), inside(&self.hidden.columns, column));
        if row_hidden {
            self.hidden.left_out.0.insert(row);
        } else if column_hidden {
            self.hidden.left_out.1.insert(column);
        } else {
            self.rows.entry(row).or_default().insert(column, text.to_owned());
        }
    }
}

impl Sheet {
    /// Whether nothing but hidden rows stands between two rows.
    fn follows(&self, above: u32, row: u32) -> bool {
        let hidden = self.hidden.left_out.0.range(above + 1..row).count();
        usize::try_from(row - above - 1).is_ok_and(|between| between == hidden)
    }
}

impl Hidden {
    /// Adds what another sheet hides.
    fn count(&mut self, sheet: &str, other: &Self, told: &mut Vec<String>) {
        let (rows, columns) = (other.left_out.0.len(), other.left_out.1.len());
        let parts = [(rows, "row", "rows"), (columns, "column", "columns")];
        let parts = parts.iter().filter(|(count, ..)| *count > 0);
        let said: Vec<String> = parts
            .map(|(count, one, more)| format!("{count} {}", if *count == 1 { one } else { more }))
            .collect();
        if !said.is_empty() {
            told.push(format!("{} of sheet {sheet:?}", said.join(" and ")));
        }
        self.cells += other.cells;
    }

    /// What is said of the rows and columns `told`, and of cells that were left out.
    fn notices(&self, told: &[String]) -> impl Iterator<Item = Notice> {
        let ranges = (!told.is_empty()).then(|| {
            let message = format!(
                "hidden rows and columns were left out: {}; unhide them to include them",
                told.join(", ")
            );
            Notice::new(Severity::Info, "hidden_cells", message)
        });
        let cells = (self.cells > 0).then(|| super::withdrawn_notice(self.cells, "cells"));
        ranges.into_iter().chain(cells)
    }
}

/// What is said of the sheets called `hidden`; nothing where there are none.
fn hidden_notice(hidden: &[String]) -> Option<Notice> {
    let message = format!(
        "hidden sheets were left out: {}; unhide them in the workbook to include them",
        hidden.join(", ")
    );
    (!hidden.is_empty()).then(|| Notice::new(Severity::Info, "hidden_sheets", message))
}

/// Writes `sheet` below its name.
fn write(out: &mut DocumentBuilder, name: &str, sheet: &Sheet) {
    if sheet.rows.is_empty() {
        return;
    }
    out.heading(1, name);
    layout::write(out, sheet);
}
