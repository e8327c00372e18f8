//! What stands on a sheet: tables between blank rows, titles above them and notes below.

use super::Sheet;
use crate::document::CellRange;
use crate::format::table::{Cell, Table};
use crate::format::write::Writer;
use std::collections::BTreeSet;

/// Most letters of a title.
const LONGEST_TITLE: usize = 100;

/// Rows without a blank one between them.
struct Band {
    rows: Vec<u32>,
}

/// The table written last, whose names of columns hold for what follows below a blank row.
struct Header {
    rows: Vec<Vec<Cell>>,
    places: Vec<CellRange>,
    columns: BTreeSet<u32>,
}

/// Writes what stands on `sheet`.
pub(super) fn write(out: &mut Writer, sheet: &Sheet) {
    let mut header = None;
    let bands = bands(sheet);
    for (index, band) in bands.iter().enumerate() {
        let more = index + 1 < bands.len();
        write_band(out, sheet, band, more, &mut header);
    }
}

fn bands(sheet: &Sheet) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::new();
    for &row in sheet.rows.keys() {
        match bands.last_mut() {
            Some(band) if band.rows.last().is_some_and(|last| *last + 1 == row) => band.rows.push(row),
            _ => bands.push(Band { rows: vec![row] }),
        }
    }
    bands
}

fn write_band(out: &mut Writer, sheet: &Sheet, band: &Band, more: bool, header: &mut Option<Header>) {
    let single = |row: &&u32| sheet.rows[*row].len() == 1;
    let titles = band.rows.iter().take_while(single).count();
    let notes =
        band.rows[titles..].iter().rev().take_while(single).filter(|row| is_note(sheet, **row)).count();
    let (above, rest) = band.rows.split_at(titles);
    let (rows, below) = rest.split_at(rest.len() - notes);
    for (index, row) in above.iter().enumerate() {
        let text = sheet.rows[row].values().next().map_or("", String::as_str);
        let leads = index == 0 && (!rows.is_empty() || more);
        let title = leads && is_title(text);
        out.in_cells(place(&columns(sheet, &[*row]), *row), |out| {
            if title { out.heading(2, text) } else { out.paragraph(text) }
        });
    }
    if !rows.is_empty() {
        write_table(out, sheet, rows, header);
    }
    for row in below {
        let place = place(&columns(sheet, &[*row]), *row);
        out.in_cells(place, |out| sheet.rows[row].values().for_each(|text| out.paragraph(text)));
    }
}

/// The cells of `columns` in `row`.
fn place(columns: &BTreeSet<u32>, row: u32) -> CellRange {
    let end = |column: Option<&u32>| column.copied().unwrap_or_default();
    CellRange { rows: (row, row), columns: (end(columns.first()), end(columns.last())) }
}

/// Whether a row at the end of a table is a remark about it and not a label in it.
fn is_note(sheet: &Sheet, row: u32) -> bool {
    let text = sheet.rows[&row].values().next().map_or("", String::as_str);
    text.chars().count() > 30 || text.starts_with(['*', '(', '[', '¹', '†'])
}

fn is_title(text: &str) -> bool {
    let letters = text.chars().any(char::is_alphabetic);
    letters
        && text.chars().count() <= LONGEST_TITLE
        && !text.ends_with(['.', ';', ':'])
        && !text.contains('\n')
}

fn columns(sheet: &Sheet, rows: &[u32]) -> BTreeSet<u32> {
    rows.iter().flat_map(|row| sheet.rows[row].keys().copied()).collect()
}

fn table(sheet: &Sheet, rows: &[u32], columns: &BTreeSet<u32>) -> Table {
    let last = rows.last().copied().unwrap_or_default();
    let mut covered = BTreeSet::new();
    let mut table = Table::default();
    for &row in rows {
        let mut cells = Vec::new();
        for &column in columns {
            if covered.contains(&(row, column)) {
                continue;
            }
            let mut cell = sheet.cell(row, column, last);
            if (cell.rows, cell.columns) != (1, 1) {
                // Columns without a cell of their own are not in the table, so a merged cell is that much narrower.
                let end = column.saturating_add(u32::try_from(cell.columns).unwrap_or(u32::MAX));
                let inside: Vec<u32> = columns.range(column..end).copied().collect();
                let down = row.saturating_add(u32::try_from(cell.rows).unwrap_or(1));
                covered.extend((row..down).flat_map(|row| inside.iter().map(move |column| (row, *column))));
                cell.columns = inside.len();
            }
            cells.push(cell);
        }
        table.rows.push(cells);
    }
    table.guess_header();
    table
}

fn write_table(out: &mut Writer, sheet: &Sheet, rows: &[u32], header: &mut Option<Header>) {
    let columns = columns(sheet, rows);
    let mut table = table(sheet, rows, &columns);
    let mut places: Vec<CellRange> = rows.iter().map(|row| place(&columns, *row)).collect();
    if table.header > 0 {
        let (rows, places) = (table.rows[..table.header].to_vec(), places[..table.header].to_vec());
        *header = Some(Header { rows, places, columns });
    } else if let Some(known) = header.as_ref().filter(|known| columns.is_subset(&known.columns)) {
        table = self::table(sheet, rows, &known.columns);
        table.header = known.rows.len();
        table.rows.splice(0..0, known.rows.iter().cloned());
        places.splice(0..0, known.places.iter().copied());
    }
    out.table_in_cells(table, &places);
}
