//! The rows of a table as the structure tree has them: cells by row and column, with what they span.

use super::columns;
use super::geometry::{Rect, bounds};
use super::line::Line;
use super::table::{Cell, names_columns};
use super::tags::{Element, Role};
use std::collections::{BTreeMap, HashMap};

/// Rows and columns that a cell spans.
#[derive(Debug, Clone, Copy)]
struct Span {
    rows: u32,
    columns: u32,
}

/// The rows of an open table on this page.
#[derive(Default)]
pub(super) struct Rows {
    cells: BTreeMap<u32, BTreeMap<u32, Cell>>,
    /// By row and column.
    spans: HashMap<(u32, u32), Span>,
    headers: BTreeMap<u32, (usize, usize)>,
}

impl Rows {
    /// Adds the lines of the element `of`, a cell.
    pub(super) fn add(&mut self, of: &Element, lines: Vec<Line>) {
        let cell = self.cells.entry(of.row).or_default().entry(of.column).or_default();
        if cell.is_empty() {
            let count = self.headers.entry(of.row).or_default();
            count.0 += usize::from(of.role == Role::HeaderCell);
            count.1 += 1;
        }
        cell.extend(lines);
        self.spans.insert((of.row, of.column), Span { rows: of.rows, columns: of.columns });
    }

    /// The first and the last of them.
    pub(super) fn ends(&self) -> Option<(u32, u32)> {
        Some((*self.cells.first_key_value()?.0, *self.cells.last_key_value()?.0))
    }

    pub(super) fn cells_of(&self, row: u32) -> Vec<Cell> {
        self.cells.get(&row).map(|cells| cells.values().cloned().collect()).unwrap_or_default()
    }

    /// Whether any cell is a header cell.
    pub(super) fn has_headers(&self) -> bool {
        self.headers.values().any(|(headers, _)| *headers > 0)
    }

    /// Whether some cells of the row are no header cells.
    pub(super) fn names_first(&self, row: u32) -> bool {
        self.headers.get(&row).is_some_and(|(headers, all)| headers < all)
    }

    /// Whether the only header cells are the first ones of each row, and other rows than the first hold numbers.
    pub(super) fn names_rows(&self) -> bool {
        let numbered = |row: &BTreeMap<u32, Cell>| !names_columns(&row.values().cloned().collect::<Vec<_>>());
        self.headers.values().all(|(headers, _)| *headers <= 1) && self.cells.values().skip(1).any(numbered)
    }

    /// Whether all cells of the row are header cells.
    pub(super) fn all_headers(&self, row: u32) -> bool {
        self.headers.get(&row).is_some_and(|(headers, all)| headers == all)
    }

    /// The cells of all rows in `columns`, of which the tree has fewer in the rows `short`.
    pub(super) fn into_cells(mut self, columns: usize, short: &[u32]) -> Vec<Vec<Cell>> {
        self.free_names(columns as u32);
        let Self { cells, spans, .. } = self;
        let mut rows: Vec<Row> = Vec::with_capacity(cells.len());
        for (row, filled) in cells {
            let mut out =
                Row { cells: vec![Cell::new(); columns], wide: Vec::new(), short: short.contains(&row) };
            for (column, lines) in filled {
                if spans.get(&(row, column)).is_some_and(|span| span.columns > 1) {
                    out.wide.push(column as usize);
                }
                if let Some(cell) = out.cells.get_mut(column as usize) {
                    cell.extend(lines);
                }
            }
            rows.push(out);
        }
        placed(&rows, columns).unwrap_or_else(|| {
            let ragged = !short.is_empty();
            columns::by_place(rows.into_iter().map(|row| row.cells).collect(), ragged)
        })
    }

    /// Moves what stands beside the name of a group of rows, and goes on beside these rows, to the first of them. The
    /// name of a group is alone in its row.
    fn free_names(&mut self, columns: u32) {
        let rows: Vec<u32> = self.cells.keys().copied().collect();
        for row in rows {
            let span = |column: u32| self.spans.get(&(row, column)).copied();
            let Some(name) = span(0).filter(|name| name.columns > 1 && name.rows == 1) else { continue };
            let beside: Vec<u32> = self.cells[&row].keys().copied().filter(|column| *column > 0).collect();
            let go_on = |column: &u32| span(*column).is_some_and(|span| span.rows > 1);
            let filled: u32 = beside.iter().filter_map(|column| span(*column)).map(|span| span.columns).sum();
            let free =
                |column: &u32| self.cells.get(&(row + 1)).is_some_and(|below| !below.contains_key(column));
            if name.columns + filled != columns || !beside.iter().all(|column| go_on(column) && free(column))
            {
                continue;
            }
            for column in beside {
                let cell =
                    self.cells.get_mut(&row).and_then(|cells| cells.remove(&column)).unwrap_or_default();
                self.cells.entry(row + 1).or_default().insert(column, cell);
            }
        }
    }
}

/// A row of a table.
struct Row {
    cells: Vec<Cell>,
    /// Columns in which a cell begins that spans several.
    wide: Vec<usize>,
    /// Whether the tree lacks some of its cells.
    short: bool,
}

/// The cells of all rows, with those of short rows in the columns in which they stand. `None` if the whole rows do
/// not show where all columns are, or a short one names columns. Some programs leave out the cells that are empty.
fn placed(rows: &[Row], columns: usize) -> Option<Vec<Vec<Cell>>> {
    if !rows.iter().any(|row| row.short) || rows.iter().all(|row| row.short) {
        return None;
    }
    let body = rows.iter().position(|row| !names_columns(&row.cells))?;
    if rows[..body].iter().any(|row| row.short) || columns::run_back(rows.iter().map(|row| &row.cells)) {
        return None;
    }
    let places: Vec<Rect> = (0..columns)
        .map(|c| {
            let whole = rows.iter().filter(|row| !row.short && !row.wide.contains(&c));
            bounds(whole.flat_map(|row| &row.cells[c]).map(|line| &line.rect))
        })
        .collect::<Option<_>>()?;
    if !places.is_sorted_by(|a, b| a.center().0 < b.center().0) {
        return None;
    }
    rows.iter()
        .map(|row| if row.short { in_places(&row.cells, &places) } else { Some(row.cells.clone()) })
        .collect()
}

/// The cells of a row in the columns with which they share most width, from left to right.
fn in_places(cells: &[Cell], places: &[Rect]) -> Option<Vec<Cell>> {
    let mut out = vec![Cell::new(); places.len()];
    let mut from = 0;
    for cell in cells {
        let Some(rect) = bounds(cell.iter().map(|line| &line.rect)) else { continue };
        let shared = |c: &usize| places[*c].overlap_x(&rect);
        let at = (from..places.len()).max_by(|a, b| shared(a).total_cmp(&shared(b)).then(b.cmp(a)))?;
        out[at].extend(cell.iter().cloned());
        from = at + 1;
    }
    Some(out)
}
