//! What stands on a sheet: tables between blank rows and columns, titles above them and notes below.

use super::Sheet;
use super::region::{Region, is_title, regions};
use crate::document::CellRange;
use crate::format::builder::DocumentBuilder;
use crate::format::table::{Cell, Table};
use std::collections::BTreeSet;

/// A table that was written, whose names of columns hold for what follows below a blank row.
struct Header {
    rows: Vec<Vec<Cell>>,
    places: Vec<CellRange>,
    columns: BTreeSet<u32>,
    /// Whether a title stands right above it: then it is that table's alone.
    titled: bool,
}

/// Writes what stands on `sheet`.
pub(super) fn write(out: &mut DocumentBuilder, sheet: &Sheet) {
    let mut headers = Vec::new();
    let regions = regions(sheet);
    for (index, region) in regions.iter().enumerate() {
        let more = index + 1 < regions.len();
        write_region(out, region, more, &mut headers);
    }
}

fn write_region(out: &mut DocumentBuilder, region: &Region<'_>, more: bool, headers: &mut Vec<Header>) {
    let rows = &region.rows;
    let titles = region.titles();
    let notes = rows[titles..]
        .iter()
        .rev()
        .take_while(|row| region.is_single(**row) && is_note(region, **row))
        .count();
    let (above, rest) = rows.split_at(titles);
    let (rows, below) = rest.split_at(rest.len() - notes);
    for (index, &row) in above.iter().enumerate() {
        let text = region.first(row);
        let leads = index == 0 && (!rows.is_empty() || more);
        let title = leads && is_title(text);
        out.in_cells(place(&region.columns(&[row]), row), |out| {
            if title { out.heading(2, text) } else { out.paragraph(text) }
        });
    }
    if !rows.is_empty() {
        write_table(out, region, rows, titles > 0, headers);
    }
    for &row in below {
        let place = place(&region.columns(&[row]), row);
        out.in_cells(place, |out| region.cells(row).for_each(|(_, text)| out.paragraph(text)));
    }
}

/// The cells of `columns` in `row`.
fn place(columns: &BTreeSet<u32>, row: u32) -> CellRange {
    let end = |column: Option<&u32>| column.copied().unwrap_or_default();
    CellRange { rows: (row, row), columns: (end(columns.first()), end(columns.last())) }
}

/// Whether a row at the end of a table is a remark about it and not a label in it.
fn is_note(region: &Region<'_>, row: u32) -> bool {
    let text = region.first(row);
    text.chars().count() > 30 || text.starts_with(['*', '(', '[', '¹', '†'])
}

fn table(region: &Region<'_>, rows: &[u32], columns: &BTreeSet<u32>) -> Table {
    let mut covered = BTreeSet::new();
    let mut table = Table { sheet: true, ..Table::default() };
    for &row in rows {
        let mut cells = Vec::new();
        for &column in columns {
            if covered.contains(&(row, column)) {
                continue;
            }
            let text = region.text(row, column).unwrap_or_default();
            let marked = region.sheet.marked.contains(&(row, column));
            let indent = region.sheet.indents.get(&(row, column)).copied().unwrap_or_default();
            let mut cell = Cell { marked, indent, ..Cell::new(text) };
            if let Some(&(height, width)) = region.sheet.merged.get(&(row, column)) {
                // Rows and columns without a cell of their own are not in the table, so a merged cell is that much smaller.
                let end = column.saturating_add(u32::try_from(width).unwrap_or(u32::MAX));
                let inside: Vec<u32> = columns.range(column..end).copied().collect();
                let last = row.saturating_add(u32::try_from(height).unwrap_or(u32::MAX));
                let down: Vec<u32> = rows.iter().copied().filter(|at| (row..last).contains(at)).collect();
                covered.extend(down.iter().flat_map(|row| inside.iter().map(move |column| (*row, *column))));
                (cell.columns, cell.rows) = (inside.len(), down.len());
            }
            cells.push(cell);
        }
        table.rows.push(cells);
    }
    table
}

fn write_table(
    out: &mut DocumentBuilder,
    region: &Region<'_>,
    rows: &[u32],
    titled: bool,
    headers: &mut Vec<Header>,
) {
    let columns = region.columns(rows);
    let mut table = table(region, rows, &columns);
    let mut titled = titled;
    // The first of several titles in one row is that of the rows; the others are those of their columns.
    if let Some(title) = region.shared_title(rows) {
        out.in_cells(place(&region.columns(&rows[..1]), rows[0]), |out| out.heading(2, title));
        if let Some(cell) = table.rows.first_mut().and_then(|row| row.first_mut()) {
            cell.text.clear();
        }
        titled = true;
    }
    let mut places: Vec<CellRange> = rows.iter().map(|row| place(&columns, *row)).collect();
    let above = table.heading();
    let known = || {
        let mut known = headers.iter().rev();
        known.find(|known| columns.is_subset(&known.columns)).filter(|known| !(titled && known.titled))
    };
    if above > 0 {
        let (rows, places) = (table.rows[..above].to_vec(), places[..above].to_vec());
        headers.push(Header { rows, places, columns, titled });
    } else if let Some(known) = known() {
        table = self::table(region, rows, &known.columns);
        table.rows.splice(0..0, known.rows.iter().cloned());
        places.splice(0..0, known.places.iter().copied());
    }
    out.table_in_cells(table, &places);
}
