//! Spreadsheets: each sheet is a section with its tables, titles and notes.

mod csv;
mod display;
mod layout;
mod moment;
mod ods;
mod xlsx;

pub use csv::Csv;
pub use ods::Ods;
pub use xlsx::Xlsx;

use super::table::Cell;
use super::write::Writer;
use crate::document::{Notice, Severity};
use std::collections::{BTreeMap, HashMap};

/// A sheet as its file has it.
#[derive(Debug, Default)]
struct Sheet {
    /// Filled cells as they are shown: rows, and in them columns, from 0.
    rows: BTreeMap<u32, BTreeMap<u32, String>>,
    /// Merged cells: their first row and column, with the rows and columns that they span.
    merged: HashMap<(u32, u32), (usize, usize)>,
}

impl Sheet {
    /// Sets the cell in `row` and `column` (from 0) to what it shows.
    fn set(&mut self, row: u32, column: u32, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.rows.entry(row).or_default().insert(column, text.to_owned());
        }
    }

    /// The cell in `row` and `column`, as the table has it that extends to `last_row`.
    fn cell(&self, row: u32, column: u32, last_row: u32) -> Cell {
        let text = self.rows.get(&row).and_then(|cells| cells.get(&column)).cloned().unwrap_or_default();
        let (rows, columns) = self.merged.get(&(row, column)).copied().unwrap_or((1, 1));
        let left = usize::try_from(last_row - row + 1).unwrap_or(1);
        Cell { text, columns, rows: rows.min(left) }
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
fn write(out: &mut Writer, name: &str, sheet: &Sheet) {
    if sheet.rows.is_empty() {
        return;
    }
    out.heading(1, name);
    layout::write(out, sheet);
}
