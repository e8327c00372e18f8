//! Cells over several rows of a table that the tags give a row for each of their lines.

use super::block::{Block, Form};
use super::geometry::{Rect, bounds};
use super::ruling::Ruling;
use super::table::Table;
use std::ops::Range;

/// Makes one cell, at its first row, of lines in a column that no rule parts where rules part all other columns.
pub(super) fn joined(blocks: &mut [Block], rulings: &[Ruling]) {
    for block in blocks {
        if let Form::Table(table) = &mut block.kind {
            join(table, rulings);
        }
    }
}

fn join(table: &mut Table, rulings: &[Ruling]) {
    let Some(rect) = table.rect() else { return };
    let inside = |rule: &&Ruling| rule.horizontal && rule.from < rect.right && rule.to > rect.left;
    let rulings: Vec<&Ruling> = rulings.iter().filter(inside).collect();
    let within: Vec<&Ruling> =
        rulings.iter().copied().filter(|rule| (rect.top..rect.bottom).contains(&rule.at)).collect();
    let columns: Vec<Option<Rect>> = (0..table.width()).map(|c| table.column(c)).collect();
    let rows = table.rows.len();
    let crosses = |rule: &Ruling, c: usize| {
        columns[c].is_some_and(|column| rule.from < column.center().0 && column.center().0 < rule.to)
    };
    for c in (1..columns.len()).filter(|c| !within.iter().all(|rule| crosses(rule, *c))) {
        let others: Vec<usize> =
            (0..columns.len()).filter(|other| *other != c && columns[*other].is_some()).collect();
        let place = |row: usize| {
            let lines = others.iter().flat_map(|other| &table.rows[row][*other]);
            bounds(lines.map(|line| &line.rect))
        };
        let places: Vec<Option<Rect>> = (0..rows).map(place).collect();
        // The rules between two rows; outside of the table those next to it.
        let between = |row: usize| {
            let top =
                row.checked_sub(1).and_then(|above| places[above]).map_or(f32::MIN, |above| above.center().1);
            let bottom = places.get(row).copied().flatten().map_or(f32::MAX, |below| below.center().1);
            rulings.iter().filter(move |rule| (top..bottom).contains(&rule.at))
        };
        let closed = |row: usize| between(row).any(|rule| crosses(rule, c));
        let open = |row: usize| {
            others.len() > 1
                && !closed(row)
                && others.iter().all(|other| between(row).any(|rule| crosses(rule, *other)))
        };
        // The name of a group of rows is alone in its row: what stands beside all of the group begins in the next one.
        let names = |row: usize| {
            !table.rows[row][0].is_empty()
                && others.iter().all(|other| *other == 0 || table.rows[row][*other].is_empty())
        };
        let mut moved: Vec<(usize, Range<usize>)> = Vec::new();
        let mut first = 0;
        while first < rows {
            let end = (first + 1..rows).find(|row| !open(*row)).unwrap_or(rows);
            if end - first > 1 && closed(first) && closed(end) {
                moved.push((first + usize::from(names(first)), first..end));
            }
            first = end;
        }
        for (to, from) in moved {
            table.rows[to][c] = from.flat_map(|row| std::mem::take(&mut table.rows[row][c])).collect();
        }
    }
}
