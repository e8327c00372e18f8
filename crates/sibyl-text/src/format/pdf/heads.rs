//! The names of columns: which of them a name stands over that does not share its width with one alone.

use super::columns::names_columns;
use super::geometry::{Rect, bounds};
use super::line::Line;
use super::table::{Cell, Table};
use super::word::is_numeric;

/// Gap between words from which they can be names of two columns (em): more than any space between two words.
const GAP: f32 = 0.65;
/// Signs that may stand before the numbers of a column in one of their own.
const CURRENCIES: &str = "$€£¥";

/// The parts of the lines of one row that can be names of columns, from left to right.
pub(super) fn phrases(lines: &[&Line]) -> Vec<Line> {
    let mut out: Vec<Line> = lines.iter().flat_map(|line| line.parts(GAP)).collect();
    out.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left));
    out
}

/// The row of names that stand in the order of the columns: one for each, or for each but the first, which often has none.
/// Each stands between the columns beside its own.
pub(super) fn row_of(names: Vec<Line>, columns: &[Rect]) -> Option<Vec<Cell>> {
    let first = columns.len().checked_sub(names.len()).filter(|missing| *missing < 2)?;
    if names.len() < 2 || first == 1 && names[0].rect.left < columns[0].right {
        return None;
    }
    let mut row = vec![Cell::new(); columns.len()];
    for (c, name) in (first..).zip(names) {
        let middle = name.rect.center().0;
        let left = c.checked_sub(1).map_or(f32::MIN, |c| columns[c].center().0);
        let right = columns.get(c + 1).map_or(f32::MAX, |column| column.center().0);
        let beside = |column: Option<&Rect>| column.is_some_and(|other| other.overlap_x(&name.rect) > 0.0);
        let strays = beside(c.checked_sub(1).and_then(|c| columns.get(c))) || beside(columns.get(c + 1));
        if middle <= left || middle >= right || strays && !beside(columns.get(c)) {
            return None;
        }
        row[c].push(name);
    }
    Some(row)
}

/// The boxes of the columns of a table below its first `head` rows; `None` where one of them is empty.
pub(super) fn columns(table: &Table, head: usize) -> Option<Vec<Rect>> {
    let of = |c: usize| bounds(table.rows.iter().skip(head).flat_map(|row| &row[c]).map(|line| &line.rect));
    (0..table.width()).map(of).collect()
}

/// The same table with each name of its header over its own column, and the sign of a currency with its number: names at the
/// other side of their column than its cells have a column of their own without any, or share one with the name beside it.
pub(super) fn mended(mut table: Table) -> Table {
    if table.header && table.rows.len() > 1 && table.rows.first().is_some_and(|row| names_columns(row)) {
        part_names(&mut table);
        join_columns(&mut table, |table, c| {
            names_alone(table, c) && lacks_name(table, c + 1)
                || lacks_name(table, c) && names_alone(table, c + 1)
        });
    }
    join_columns(&mut table, holds_signs);
    table
}

/// Puts names that stand in one cell of the header into the columns that they are the names of, where there is one for each.
fn part_names(table: &mut Table) {
    let Some(header) = table.rows.first().filter(|row| row.iter().all(|cell| cell.len() < 2)) else { return };
    let lines: Vec<&Line> = header.iter().flatten().collect();
    let names = phrases(&lines);
    if names.len() <= lines.len() {
        return;
    }
    if let Some(row) = columns(table, 1).and_then(|columns| row_of(names, &columns)) {
        table.rows[0] = row;
    }
}

/// Makes one column of each and the next for which `belong` holds.
fn join_columns(table: &mut Table, belong: fn(&Table, usize) -> bool) {
    let mut c = 0;
    while c + 1 < table.width() {
        if belong(table, c) {
            for row in &mut table.rows {
                let cell = row.remove(c + 1);
                row[c].extend(cell);
            }
        } else {
            c += 1;
        }
    }
}

/// Whether column `c` holds a name and nothing else.
fn names_alone(table: &Table, c: usize) -> bool {
    !table.rows[0][c].is_empty() && table.rows[1..].iter().all(|row| row[c].is_empty())
}

/// Whether column `c` holds numbers without a name.
fn lacks_name(table: &Table, c: usize) -> bool {
    let numbers =
        table.rows[1..].iter().filter(|row| row[c].iter().any(|line| is_numeric(&line.text()))).count();
    let filled = table.rows[1..].iter().filter(|row| !row[c].is_empty()).count();
    c > 0 && table.rows[0][c].is_empty() && filled > 0 && numbers * 2 > filled
}

/// Whether column `c` holds nothing but the signs of currencies before the numbers of the next one.
fn holds_signs(table: &Table, c: usize) -> bool {
    let sign = |line: &Line| {
        let text = line.text();
        text.chars().count() == 1 && text.chars().all(|sign| CURRENCIES.contains(sign))
    };
    let before = |row: &Vec<Cell>| {
        row[c].iter().all(sign)
            && (row[c].is_empty() || row[c + 1].iter().any(|line| is_numeric(&line.text())))
    };
    table.rows.iter().any(|row| !row[c].is_empty()) && table.rows.iter().all(before)
}
