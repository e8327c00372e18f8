//! Names of groups of rows that stand at the middle of their group in the first column of a table.

use super::geometry::{Rect, bounds};
use super::line::Line;
use super::table::{Cell, Table, names_columns};
use std::ops::Range;

/// Distance of a name from the middle of its rows (in letter sizes).
const OFF: f32 = 0.35;
/// Distance of baselines up to which a name stands in a row (in letter sizes).
const FIRST: f32 = 0.25;

/// Puts each such name into the first row of its group, where the rows can be parted so that each name stands at the middle
/// of its part.
pub(super) fn put_first(table: &mut Table) {
    let head = usize::from(table.header && table.rows.first().is_some_and(|row| names_columns(row)));
    let body = table.rows.get(head..).unwrap_or(&[]);
    let Some(groups) = centred(body) else { return };
    let mut names: Vec<Cell> = Vec::new();
    for row in &mut table.rows[head..] {
        let name = std::mem::take(&mut row[0]);
        names.extend((!name.is_empty()).then_some(name));
    }
    let empty = |row: &Vec<Cell>| row.iter().all(Vec::is_empty);
    let mut at = 0;
    table.rows.retain(|row| {
        at += 1;
        at <= head || !empty(row)
    });
    for (group, name) in groups.into_iter().zip(names) {
        table.rows[head + group.start][0] = name;
    }
}

/// The rows of each group, counted without those that hold nothing but a name. `None` if names do not stand at the
/// middle of groups, or each row has its own.
fn centred(rows: &[Vec<Cell>]) -> Option<Vec<Range<usize>>> {
    let middle = |rect: Rect| rect.center().1;
    let own = |cells: &[Cell]| bounds(cells.iter().flatten().map(|line| &line.rect)).map(middle);
    let values: Vec<f32> = rows.iter().filter_map(|row| own(&row[1..])).collect();
    let names: Vec<&Cell> = rows.iter().map(|row| &row[0]).filter(|cell| !cell.is_empty()).collect();
    // A row without numbers may name columns, and stands above a group.
    let numbered = |row: &Vec<Cell>| row[1..].iter().all(Vec::is_empty) || !names_columns(&row[1..]);
    if names.len() < 2 || names.len() >= values.len() || !rows.iter().all(numbered) {
        return None;
    }
    // Where the first name opens the first row of its group, those of the others do as well.
    let baseline =
        |cells: &[Cell]| cells.iter().filter_map(|cell| cell.first()).map(Line::baseline).reduce(f32::min);
    let (name, row) = (names[0].first()?, rows.iter().find_map(|row| baseline(&row[1..]))?);
    if (name.baseline() - row).abs() < FIRST * name.size() {
        return None;
    }
    let mut out = Vec::new();
    let mut start = 0;
    for name in names {
        let at = own(std::slice::from_ref(name))?;
        let size = name.first()?.size();
        let from = *values.get(start)?;
        let to = values[start..].iter().position(|to| ((from + to) / 2.0 - at).abs() < OFF * size)?;
        out.push(start..start + to + 1);
        start += to + 1;
    }
    (start == values.len()).then_some(out)
}
